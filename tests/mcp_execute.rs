//! The MCP tools that start programs and type into them: what they do, what they refuse and why, and what they leave behind.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Value};
use std::fs;
use support::{program, shell_word, skip, wait_for, Server};

fn screen(server: &Server, pane: &str) -> String {
    server.tmux(&["capture-pane", "-p", "-t", pane])
}

#[track_caller]
fn wait_for_screen(server: &Server, pane: &str, text: &str) {
    wait_for(&format!("{text:?} in {pane}"), || screen(server, pane).contains(text));
}

/// A window with `command` in it, or a shell at its prompt; the pane's id.
fn window(server: &Server, command: &str) -> String {
    let shell = "exec env PS1='$ ' sh -i";
    let command = Some(command).filter(|command| !command.is_empty());
    let pane = server.tmux(&[
        "new-window",
        "-d",
        "-t",
        "work:",
        "-P",
        "-F",
        "#{pane_id}",
        command.unwrap_or(shell),
    ]);
    if command.is_none() {
        wait_for_screen(server, &pane, "$");
    }
    pane
}

fn reason(problem: &Value) -> (&str, &str) {
    let word = |key: &str| problem["data"][key].as_str().unwrap_or_default();
    (word("kind"), word("reason"))
}

/// Nothing of ours is in use any more: pipes, buffers, files.
#[track_caller]
fn nothing_left(server: &Server, folder: &std::path::Path) {
    wait_for("pipes to be given back", || {
        // tmux does not close that of a dead pane; nothing reads it any more.
        !server
            .tmux(&["list-panes", "-a", "-F", "#{pane_pipe}#{pane_dead}"])
            .contains("10")
            && server.processes_with("exec cat").is_empty()
    });
    assert_eq!(server.tmux(&["list-buffers"]), "");
    wait_for("files to be gone", || fs::read_dir(folder).unwrap().next().is_none());
}

/// An MCP server whose temporary files are in a folder of their own.
fn start(server: &Server) -> (Mcp, std::path::PathBuf) {
    let folder = server.room().join("tmp");
    fs::create_dir(&folder).unwrap();
    let mcp = Mcp::start_with(server, &[], &[("TMPDIR", folder.to_str().unwrap())]);
    (mcp, folder)
}

#[test]
fn text_is_typed_as_it_is_then_keys_then_enter() {
    let server = Server::quiet();
    let pane = window(&server, "exec cat -v");
    let mut mcp = Mcp::start(&server);
    let text = "a;b \"c\" 'd' $HOME #(x) C-c -t é漢;";
    let sent = mcp.ok(
        "send_keys",
        json!({ "pane": pane, "text": text, "keys": ["x", "BSpace", "y"], "enter": true }),
    );
    assert_eq!(sent, json!({ "pane": pane, "panes": [pane] }));
    wait_for_screen(&server, &pane, "-t é漢;y\n");
    assert!(
        screen(&server, &pane).starts_with(&format!("{text}y\n")),
        "{}",
        screen(&server, &pane)
    );
    mcp.ok("send_keys", json!({ "pane": pane, "keys": ["C-d"] }));
    wait_for("the program to end", || {
        !server
            .tmux(&["list-panes", "-a", "-F", "#{pane_id}"])
            .lines()
            .any(|id| id == pane)
    });
}

#[test]
fn a_key_that_tmux_does_not_know_is_refused_and_nothing_is_typed() {
    let server = Server::quiet();
    let pane = window(&server, "exec cat");
    let mut mcp = Mcp::start(&server);
    for key in ["NotAKey", "Ctrl-c", "", "C-", "MouseDown1Pane", "hello world"] {
        let arguments = json!({ "pane": pane, "text": "typed", "keys": ["a", key] });
        assert_eq!(
            reason(&mcp.problem("send_keys", arguments)),
            ("invalid_input", ""),
            "{key}"
        );
    }
    mcp.ok("send_keys", json!({ "pane": pane, "text": "end", "enter": true }));
    wait_for_screen(&server, &pane, "end\nend");
    assert!(
        screen(&server, &pane).starts_with("end\nend"),
        "{}",
        screen(&server, &pane)
    );
}

#[test]
fn keys_that_are_taken_are_keys_to_this_tmux() {
    let server = Server::quiet();
    let pane = window(&server, "stty raw -echo; exec cat -v");
    let mut mcp = Mcp::start(&server);
    let keys = [
        "Up", "Escape", "F1", "F12", "Home", "PageUp", "NPage", "IC", "DC", "BTab", "C-Left", "M-x", "KP5", "C-\\",
        "Tab", "^b", "Space", "Insert", "Delete", "M-C-a", "S-F5", "KPEnter", "PgDn",
    ];
    for key in keys {
        mcp.ok("send_keys", json!({ "pane": pane, "keys": [key] }));
    }
    mcp.ok("send_keys", json!({ "pane": pane, "text": "!" }));
    wait_for_screen(&server, &pane, "!");
    // One that tmux does not know stands there as it was spelled.
    let shown = screen(&server, &pane);
    let typed: Vec<_> = keys
        .iter()
        .filter(|key| key.len() > 2 && shown.contains(**key))
        .collect();
    assert!(typed.is_empty(), "{typed:?} in {shown}");
}

#[test]
fn what_may_be_typed_is_bounded() {
    let server = Server::quiet();
    let pane = window(&server, "stty -icanon -echo; exec cat >typed");
    let mut mcp = Mcp::start(&server);
    let file = server.room().join("typed");
    wait_for("the program", || file.exists());
    mcp.ok("send_keys", json!({ "pane": pane, "text": "x".repeat(8192) }));
    wait_for("all of the text", || fs::read(&file).unwrap().len() == 8192);
    for arguments in [
        json!({ "pane": pane, "text": "x".repeat(8193) }),
        json!({ "pane": pane, "text": "a\u{0}b" }),
        json!({ "pane": pane, "keys": vec!["a"; 65] }),
        json!({ "pane": "0", "text": "x" }),
        json!({ "pane": pane, "text": "x", "socket": "y" }),
        json!({ "text": "x" }),
    ] {
        assert_eq!(mcp.kind("send_keys", arguments), "invalid_input");
    }
    assert_eq!(
        mcp.kind("send_keys", json!({ "pane": "%99", "text": "x" })),
        "object_gone"
    );
    mcp.ok("send_keys", json!({ "pane": pane, "keys": vec!["a"; 64] }));
    wait_for("the keys", || fs::read(&file).unwrap().len() == 8192 + 64);
}

#[test]
fn send_keys_takes_two_tmux_processes() {
    let server = Server::quiet();
    let pane = window(&server, "exec cat");
    let log = server.log_tmux_calls();
    let mut mcp = Mcp::start(&server);
    let before = fs::read_to_string(&log).unwrap_or_default().lines().count();
    mcp.ok(
        "send_keys",
        json!({ "pane": pane, "text": "x", "keys": ["Up"], "enter": true }),
    );
    assert_eq!(fs::read_to_string(&log).unwrap().lines().count() - before, 2);
}

/// Every way to give input to a pane.
fn inputs(pane: &str) -> [(&'static str, Value); 3] {
    [
        ("send_keys", json!({ "pane": pane, "text": "no" })),
        ("paste_text", json!({ "pane": pane, "text": "no" })),
        ("run_shell_command", json!({ "pane": pane, "command": "no" })),
    ]
}

#[track_caller]
fn all_refused(mcp: &mut Mcp, pane: &str, expected: (&str, &str)) {
    for (tool, arguments) in inputs(pane) {
        assert_eq!(reason(&mcp.problem(tool, arguments)), expected, "{tool}");
    }
}

#[test]
fn a_pane_that_somebody_looks_at_is_not_typed_into() {
    let server = Server::quiet();
    let other = window(&server, "");
    let pane = server.run("split-window -d -t work:0 -P -F #{pane_id}");
    let _terminal = server.attach();
    let (mut mcp, folder) = start(&server);
    all_refused(&mut mcp, &pane, ("invalid_input", "attended"));
    let problem = mcp.problem("send_keys", json!({ "pane": pane, "text": "x" }));
    let client = server.tmux(&["list-clients", "-F", "#{client_name}"]);
    assert!(problem["message"].as_str().unwrap().contains(&client), "{problem}");
    mcp.ok("send_keys", json!({ "pane": other, "text": "x" }));
    // A zoomed pane hides the others.
    server.run("resize-pane -Z -t work:0.0");
    mcp.ok("send_keys", json!({ "pane": pane, "text": "x" }));
    nothing_left(&server, &folder);
}

#[test]
fn a_client_that_is_a_program_does_not_look() {
    let server = Server::quiet();
    let terminal = server.terminal("exec tmux -C attach-session -t =work");
    terminal.wait_for("%session-changed");
    let mut mcp = Mcp::start(&server);
    mcp.ok("send_keys", json!({ "pane": "%0", "text": "x" }));
}

#[test]
fn modes_dead_panes_and_panes_without_input_are_left_alone() {
    let server = Server::quiet();
    server.run("set-option -g remain-on-exit on");
    let (mode, off, dead) = (window(&server, ""), window(&server, ""), window(&server, "true"));
    server.run(&format!("copy-mode -t {mode}"));
    server.run(&format!("select-pane -d -t {off}"));
    wait_for("the program to end", || {
        server.run(&format!("display-message -p -t {dead} #{{pane_dead}}")) == "1"
    });
    let (mut mcp, folder) = start(&server);
    all_refused(&mut mcp, &mode, ("invalid_input", "mode"));
    all_refused(&mut mcp, &off, ("invalid_input", "input_off"));
    all_refused(&mut mcp, &dead, ("invalid_input", "dead"));
    // An empty paste is refused alike, and is nothing where it is not.
    assert_eq!(
        reason(&mcp.problem("paste_text", json!({ "pane": mode, "text": "" }))),
        ("invalid_input", "mode")
    );
    nothing_left(&server, &folder);
}

#[test]
fn the_pane_of_this_server_is_left_alone_and_doubts_count_as_it() {
    let server = Server::quiet();
    let own = server.tmux(&["display-message", "-p", "-t", "%0", "#{socket_path},#{pid},0"]);
    let mut mcp = Mcp::start_with(&server, &[], &[("TMUX", &own), ("TMUX_PANE", "%0")]);
    all_refused(&mut mcp, "%0", ("self_protection", "caller"));
    let respawn = json!({ "pane": "%0", "kill_first": true });
    assert_eq!(
        reason(&mcp.problem("respawn_pane", respawn)),
        ("self_protection", "caller")
    );
    let other = window(&server, "");
    mcp.ok("send_keys", json!({ "pane": other, "text": "x" }));
    let mut mcp = Mcp::start_with(&server, &["-L", "default"], &[("TMUX", "garbage"), ("TMUX_PANE", "%0")]);
    all_refused(&mut mcp, &other, ("self_protection", "caller"));
}

#[test]
fn keys_reach_synchronized_panes_and_one_that_must_not_be_reached_refuses_all() {
    let server = Server::quiet();
    let first = window(&server, "exec cat");
    let split = |target: &str| server.tmux(&["split-window", "-d", "-t", target, "-P", "-F", "#{pane_id}", "exec cat"]);
    let (second, apart) = (split(&first), split(&first));
    server.run(&format!("set-option -p -t {apart} synchronize-panes off"));
    let at = server.run(&format!("display-message -p -t {first} #{{window_id}}"));
    let mut mcp = Mcp::start(&server);
    let set = mcp.ok("set_synchronize_panes", json!({ "window": at, "enabled": true }));
    assert_eq!(set, json!({ "name": "synchronize-panes", "target": at, "value": "on" }));
    let sent = mcp.ok("send_keys", json!({ "pane": first, "text": "both", "enter": true }));
    let mut reached: Vec<_> = sent["panes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_str().unwrap())
        .collect();
    reached.sort_unstable();
    assert_eq!(reached, [first.as_str(), second.as_str()]);
    wait_for_screen(&server, &second, "both\nboth");
    // A paste goes to one pane.
    mcp.ok("paste_text", json!({ "pane": first, "text": "alone", "enter": true }));
    wait_for_screen(&server, &first, "alone\nalone");
    assert!(!screen(&server, &second).contains("alone"));
    let run = mcp.problem("run_shell_command", json!({ "pane": first, "command": "true" }));
    assert_eq!(reason(&run), ("invalid_input", "cohort"));
    server.run(&format!("copy-mode -t {second}"));
    let refused = mcp.problem("send_keys", json!({ "pane": first, "text": "none" }));
    assert_eq!(reason(&refused), ("invalid_input", "mode"));
    // One that does not hear it does not count.
    server.run(&format!("copy-mode -t {apart}"));
    server.run(&format!("send-keys -t {second} -X cancel"));
    mcp.ok("send_keys", json!({ "pane": first, "text": "some" }));
    assert!(!screen(&server, &apart).contains("both"));
    let set = mcp.ok("set_synchronize_panes", json!({ "window": at, "enabled": false }));
    assert_eq!(set["value"], "off");
    assert_eq!(
        mcp.kind("set_synchronize_panes", json!({ "window": "@99", "enabled": true })),
        "object_gone"
    );
}

#[test]
fn a_batch_of_keys_goes_in_order_and_stops_or_goes_on() {
    let server = Server::quiet();
    let pane = window(&server, "exec cat");
    let mut mcp = Mcp::start(&server);
    let row = |text: &str| json!({ "pane": pane, "text": text, "enter": true });
    let bad = json!({ "pane": "%99", "text": "x" });
    let stopped = mcp.ok(
        "send_keys_batch",
        json!({ "operations": [row("one"), bad, row("two")] }),
    );
    assert_eq!(
        (&stopped["succeeded"], &stopped["failed"], &stopped["stoppedAt"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!(stopped["results"].as_array().unwrap().len(), 2);
    assert_eq!(
        stopped["results"][1]["result"]["structuredContent"]["data"]["kind"],
        "object_gone"
    );
    let all = mcp.ok(
        "send_keys_batch",
        json!({ "operations": [bad, row("two"), row("three")], "on_error": "continue" }),
    );
    assert_eq!(
        (&all["succeeded"], &all["failed"], &all["stoppedAt"]),
        (&json!(2), &json!(1), &Value::Null)
    );
    wait_for_screen(&server, &pane, "three\nthree");
    let shown = screen(&server, &pane);
    assert!(shown.starts_with("one\none\ntwo\ntwo\nthree\nthree"), "{shown}");
    for count in [0, 65] {
        let operations = vec![row("no"); count];
        assert_eq!(
            mcp.kind("send_keys_batch", json!({ "operations": operations })),
            "invalid_input"
        );
    }
    let operations = vec![json!({ "pane": pane, "text": "." }); 64];
    assert_eq!(
        mcp.ok("send_keys_batch", json!({ "operations": operations }))["succeeded"],
        64
    );
}

#[test]
fn a_paste_is_a_block_and_leaves_no_buffer() {
    let server = Server::quiet();
    let got = server.room().join("got");
    let program = server.write_script(
        "paste",
        &format!(
            "stty raw -echo; printf '\\033[?2004h'; echo ready; exec cat >{}",
            shell_word(&got)
        ),
    );
    let pane = window(&server, program.to_str().unwrap());
    wait_for_screen(&server, &pane, "ready");
    server.run("set-buffer -b mine kept");
    let (mut mcp, _) = start(&server);
    let pasted = mcp.ok(
        "paste_text",
        json!({ "pane": pane, "text": "a;\n#{pid} é;", "enter": true }),
    );
    assert_eq!(pasted, json!({ "pane": pane, "bytes": 13 }));
    let block = "\u{1b}[200~a;\r#{pid} é;\u{1b}[201~\r";
    wait_for("the block and Enter", || fs::read_to_string(&got).unwrap() == block);
    let nothing = mcp.ok("paste_text", json!({ "pane": pane, "text": "" }));
    assert_eq!(nothing["bytes"], 0);
    mcp.ok("paste_text", json!({ "pane": pane, "text": "", "enter": true }));
    wait_for("Enter alone", || {
        fs::read_to_string(&got).unwrap() == format!("{block}\r")
    });
    assert_eq!(server.tmux(&["list-buffers", "-F", "#{buffer_name}"]), "mine");
}

#[test]
fn what_may_be_pasted_is_bounded() {
    let server = Server::quiet();
    let got = server.room().join("got");
    let program = server.write_script(
        "paste",
        &format!("stty raw -echo; echo ready; exec cat >{}", shell_word(&got)),
    );
    let pane = window(&server, program.to_str().unwrap());
    wait_for_screen(&server, &pane, "ready");
    let mut mcp = Mcp::start(&server);
    assert_eq!(
        mcp.ok("paste_text", json!({ "pane": pane, "text": "x".repeat(1 << 20) }))["bytes"],
        1 << 20
    );
    wait_for("all of it", || fs::metadata(&got).unwrap().len() == 1 << 20);
    for text in ["x".repeat((1 << 20) + 1), "a\u{0}".to_owned()] {
        assert_eq!(
            mcp.kind("paste_text", json!({ "pane": pane, "text": text })),
            "invalid_input"
        );
    }
    assert_eq!(
        mcp.kind("paste_text", json!({ "pane": "%99", "text": "x" })),
        "object_gone"
    );
    assert_eq!(server.tmux(&["list-buffers"]), "");
}

#[test]
fn what_is_created_has_literal_names_and_takes_nobody_there() {
    let server = Server::quiet();
    let folder = server.room().join("a #(touch hit) b");
    fs::create_dir(&folder).unwrap();
    let at = folder.to_str().unwrap();
    let mut mcp = Mcp::start(&server);
    let session = mcp.ok(
        "create_session",
        json!({ "name": "x#(touch hit)", "start_directory": at }),
    );
    assert_eq!(
        (&session["name"], &session["windows"], &session["attached"]),
        (&json!("x#(touch hit)"), &json!(1), &json!(false))
    );
    assert_eq!(mcp.ok("create_session", json!({ "name": "-a:b.c" }))["name"], "-a_b_c");
    assert_eq!(mcp.kind("create_session", json!({ "name": "work" })), "refused");
    let window = mcp.ok(
        "create_window",
        json!({ "session": "work", "name": "-t#{pid};", "start_directory": at }),
    );
    assert_eq!(
        (&window["name"], &window["active"], &window["session_id"]),
        (&json!("-t#{pid};"), &json!(false), &json!("$0"))
    );
    assert_eq!(mcp.ok("create_window", json!({ "session": "$0" }))["panes"], 1);
    let path = |pane: &str| server.tmux(&["display-message", "-p", "-t", pane, "#{pane_current_path}"]);
    wait_for("the window's folder", || {
        path(&format!("{}.0", window["id"].as_str().unwrap())) == at
    });
    for direction in ["above", "below", "left", "right"] {
        let made = mcp.ok(
            "split_window",
            json!({ "pane": "%0", "direction": direction, "percent": 30, "start_directory": at }),
        );
        let pane = made["id"].as_str().unwrap().to_owned();
        assert_eq!((&made["active"], &made["window_id"]), (&json!(false), &json!("@0")));
        wait_for("the pane's folder", || path(&pane) == at);
        let place = |what: &str| {
            server
                .tmux(&["display-message", "-p", "-t", &pane, what])
                .parse::<u32>()
                .unwrap()
        };
        let first = |what: &str| {
            server
                .tmux(&["display-message", "-p", "-t", "%0", what])
                .parse::<u32>()
                .unwrap()
        };
        let lies = match direction {
            "above" => place("#{pane_top}") < first("#{pane_top}"),
            "below" => place("#{pane_top}") > first("#{pane_top}"),
            "left" => place("#{pane_left}") < first("#{pane_left}"),
            _ => place("#{pane_left}") > first("#{pane_left}"),
        };
        assert!(lies, "{direction}");
        server.run(&format!("kill-pane -t {pane}"));
    }
    assert_eq!(mcp.ok("split_window", json!({ "pane": "%0" }))["window_id"], "@0");
    assert!(!server.room().join("hit").exists() && !folder.join("hit").exists());
    for (tool, arguments) in [
        ("create_session", json!({ "name": "" })),
        (
            "create_session",
            json!({ "name": "n", "start_directory": "/nowhere/at/all" }),
        ),
        ("create_window", json!({ "session": "work", "name": "" })),
        ("split_window", json!({ "pane": "%0", "percent": 0 })),
        ("split_window", json!({ "pane": "%0", "percent": 101 })),
        ("split_window", json!({ "pane": "%0", "direction": "beside" })),
        ("split_window", json!({ "pane": "0" })),
    ] {
        assert_eq!(mcp.kind(tool, arguments), "invalid_input", "{tool}");
    }
    assert_eq!(mcp.kind("create_window", json!({ "session": "wor" })), "object_gone");
    assert_eq!(mcp.kind("create_window", json!({ "session": "$99" })), "object_gone");
    assert_eq!(mcp.kind("split_window", json!({ "pane": "%99" })), "object_gone");
    server.run("kill-server");
    assert_eq!(mcp.kind("create_session", json!({ "name": "n" })), "server_gone");
}

#[test]
fn a_pane_is_respawned_when_it_is_dead_or_killed_first() {
    let server = Server::quiet();
    let pane = window(&server, "exec cat");
    let mut mcp = Mcp::start(&server);
    assert_eq!(mcp.kind("respawn_pane", json!({ "pane": pane })), "refused");
    let pid = || server.run(&format!("display-message -p -t {pane} #{{pane_pid}}"));
    let before = pid();
    assert_eq!(
        mcp.ok("respawn_pane", json!({ "pane": pane, "kill_first": true }))["id"],
        json!(pane)
    );
    assert_ne!(pid(), before);
    server.run(&format!("set-option -w -t {pane} remain-on-exit on"));
    mcp.ok("send_keys", json!({ "pane": pane, "keys": ["C-c"] }));
    wait_for("the program to end", || {
        server.run(&format!("display-message -p -t {pane} #{{pane_dead}}")) == "1"
    });
    mcp.ok("respawn_pane", json!({ "pane": pane }));
    assert_eq!(server.run(&format!("display-message -p -t {pane} #{{pane_dead}}")), "0");
    assert_eq!(mcp.kind("respawn_pane", json!({ "pane": "%99" })), "object_gone");
}

/// A window with that shell at its prompt; `None` where it is not installed.
fn shell(server: &Server, name: &str) -> Option<String> {
    let Some(path) = program(name) else {
        skip("run_shell_command", &format!("{name} is not installed"));
        return None;
    };
    let flags = match name {
        "bash" => "--norc --noprofile",
        "zsh" => "-f",
        _ => "",
    };
    let pane = window(server, &format!("exec env PS1='ready$ ' {} {flags} -i", path.display()));
    wait_for_screen(server, &pane, "ready$");
    wait_for("the shell in the foreground", || {
        server.run(&format!("display-message -p -t {pane} #{{pane_current_command}}")) == name
    });
    Some(pane)
}

const SHELLS: [&str; 3] = ["dash", "bash", "zsh"];

#[test]
fn a_command_tells_its_exit_status_and_output_in_every_shell() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    for name in SHELLS {
        let Some(pane) = shell(&server, name) else { continue };
        let mut run = |command: &str| {
            let reply = mcp.ok("run_shell_command", json!({ "pane": pane, "command": command }));
            assert_eq!(
                (&reply["outcome"], &reply["pane"], &reply["source"]),
                (&json!("completed"), &json!(pane), &json!("pipe")),
                "{name}: {command}: {reply}"
            );
            (
                reply["exit_status"].as_i64().unwrap(),
                reply["output"].as_str().unwrap().to_owned(),
            )
        };
        assert_eq!(
            run("echo hello; echo oops >&2; exit 3"),
            (3, "hello\noops".into()),
            "{name}"
        );
        assert_eq!(run("true"), (0, String::new()), "{name}");
        assert_eq!(run("printf 'no newline'"), (0, "no newline".into()), "{name}");
        assert_eq!(
            run("echo \"it's\" '$HOME' '#{pid}' \\\\ é 'a;'\necho two\n\n# comment\n").1,
            "it's $HOME #{pid} \\ é a;\ntwo",
            "{name}"
        );
        let (status, output) = run("if then; (");
        assert!(status != 0 && !output.is_empty(), "{name}: {status} {output}");
        assert_eq!(run("printf '\\033[31mred\\033[0m\\n'").1, "red", "{name}");
        // Of what was done nothing lasts, and the shell is the same.
        run("cd /; export GONE=1; trap 'echo trapped' EXIT; set -e; false");
        assert_eq!(
            run("echo ${GONE-none} $-x | tr -d eE; echo $PWD")
                .1
                .lines()
                .next()
                .unwrap()
                .split(' ')
                .next(),
            Some("non"),
            "{name}"
        );
        assert!(run("pwd").1 != "/", "{name}");
        assert_eq!(run("echo a; sh -c 'kill -9 $$'; echo b").0, 0, "{name}");
        let shown = screen(&server, &pane);
        assert!(
            !shown.contains("tmux-status-") && !shown.contains("7791") && !shown.contains("__ts"),
            "{name} left marks:\n{shown}"
        );
        // zsh puts its prompt into a row of its own.
        let end = if name == "zsh" { "" } else { "ready$" };
        assert!(
            shown.contains(&format!("ready$ printf 'no newline'\nno newline{end}")),
            "{name}: {shown}"
        );
    }
    nothing_left(&server, &folder);
}

#[test]
fn what_stood_at_the_prompt_is_no_part_of_the_command() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    for name in SHELLS {
        let Some(pane) = shell(&server, name) else { continue };
        server.tmux(&["send-keys", "-t", &pane, "-l", "echo spoilt; touch spoilt"]);
        wait_for_screen(&server, &pane, "touch spoilt");
        let reply = mcp.ok("run_shell_command", json!({ "pane": pane, "command": "echo clean" }));
        assert_eq!(
            (&reply["outcome"], &reply["output"]),
            (&json!("completed"), &json!("clean")),
            "{name}"
        );
    }
    assert!(!server.room().join("spoilt").exists());
}

#[test]
fn a_trace_shows_the_command_and_not_its_frame() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    for name in SHELLS {
        let Some(pane) = shell(&server, name) else { continue };
        server.tmux(&["send-keys", "-t", &pane, "-l", "PS4='+'; set -x\n"]);
        wait_for("the trace to begin", || {
            screen(&server, &pane)
                .lines()
                .filter(|line| line.contains("ready$"))
                .count()
                == 2
        });
        let reply = mcp.ok("run_shell_command", json!({ "pane": pane, "command": "echo traced" }));
        // bash shows its depth by the number of them.
        let output = reply["output"].as_str().unwrap();
        assert_eq!(
            output.trim_start_matches('+'),
            "echo traced\ntraced",
            "{name}: {output}"
        );
    }
}

#[test]
fn the_history_has_the_command_unless_it_is_suppressed() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let Some(pane) = shell(&server, "bash") else { return };
    server.tmux(&["send-keys", "-t", &pane, "-l", "HISTCONTROL=ignorespace\n"]);
    let mut run = |command: &str, suppress: bool| {
        let arguments = json!({ "pane": pane, "command": command, "suppress_history": suppress });
        mcp.ok("run_shell_command", arguments)["output"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    run("echo first", false);
    run("echo second", true);
    let history = run("history", true);
    let lines: Vec<_> = history
        .lines()
        .map(|line| line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()))
        .collect();
    assert!(
        lines.contains(&"echo first") && lines.contains(&"HISTCONTROL=ignorespace"),
        "{history}"
    );
    assert!(!history.contains("second") && !history.contains("/run"), "{history}");
}

#[test]
fn a_pane_that_its_own_command_kills_is_closed_at_once() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    let pane = window(&server, "");
    let command = "echo last words; tmux kill-pane -t $TMUX_PANE; sleep 60";
    let reply = mcp.ok(
        "run_shell_command",
        json!({ "pane": pane, "command": command, "seconds": 600 }),
    );
    assert_eq!(
        (&reply["outcome"], &reply["output"]),
        (&json!("pane_closed"), &json!("last words"))
    );
    assert!(reply.get("exit_status").is_none());
    // The same where the pane remains.
    server.run("set-option -g remain-on-exit on");
    let pane = window(&server, "");
    let reply = mcp.ok(
        "run_shell_command",
        json!({ "pane": pane, "command": "kill -9 $$; sleep 60", "seconds": 600 }),
    );
    assert_eq!(reply["outcome"], "pane_closed");
    nothing_left(&server, &folder);
}

#[test]
fn only_a_shell_is_given_a_command() {
    let server = Server::quiet();
    let pane = window(&server, "exec cat");
    let mut mcp = Mcp::start(&server);
    let refused = mcp.problem("run_shell_command", json!({ "pane": pane, "command": "echo no" }));
    assert_eq!(reason(&refused), ("invalid_input", "not_a_shell"));
    assert!(screen(&server, &pane).trim().is_empty(), "nothing was typed");
    for command in ["", " \n", "a\u{0}b"] {
        assert_eq!(
            mcp.kind("run_shell_command", json!({ "pane": "%0", "command": command })),
            "invalid_input"
        );
    }
    let long = "#".repeat(256 * 1024 + 1);
    assert_eq!(
        mcp.kind("run_shell_command", json!({ "pane": "%0", "command": long })),
        "invalid_input"
    );
    assert_eq!(
        mcp.kind("run_shell_command", json!({ "pane": "%99", "command": "x" })),
        "object_gone"
    );
    let shell = window(&server, "");
    let reply = mcp.ok(
        "run_shell_command",
        json!({ "pane": shell, "command": long[1..].to_owned() }),
    );
    assert_eq!(reply["outcome"], "completed");
}

#[test]
fn a_shell_that_does_not_read_is_no_shell_and_never_runs_it_later() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    let pane = window(&server, "");
    server.tmux(&[
        "send-keys",
        "-t",
        &pane,
        "-l",
        "sh -c 'echo busy; while [ ! -e go ]; do sleep 0.1; done'\n",
    ]);
    wait_for_screen(&server, &pane, "\nbusy");
    // tmux calls what runs a shell, too.
    wait_for("sh in the foreground", || {
        server.run(&format!("display-message -p -t {pane} #{{pane_current_command}}")) == "sh"
    });
    let reply = mcp.ok(
        "run_shell_command",
        json!({ "pane": pane, "command": "touch ran", "seconds": 1 }),
    );
    assert_eq!(
        (&reply["outcome"], &reply["output"], &reply["effective_seconds"]),
        (&json!("no_shell"), &json!(""), &json!(1))
    );
    fs::write(server.room().join("go"), "").unwrap();
    wait_for_screen(&server, &pane, "/run");
    let reply = mcp.ok("run_shell_command", json!({ "pane": pane, "command": "echo free" }));
    assert_eq!(reply["output"], "free", "the pane is not reserved");
    assert!(!server.room().join("ran").exists());
    nothing_left(&server, &folder);
}

#[test]
fn a_command_that_goes_on_keeps_its_pane_until_it_has_ended() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    let pane = window(&server, "");
    let command = "echo begun; cat";
    let reply = mcp.ok(
        "run_shell_command",
        json!({ "pane": pane, "command": command, "seconds": 1 }),
    );
    assert_eq!(
        (&reply["outcome"], &reply["output"]),
        (&json!("deadline"), &json!("begun"))
    );
    for (tool, arguments) in inputs(&pane) {
        let problem = mcp.problem(tool, arguments);
        assert_eq!(
            (reason(&problem), &problem["data"]["retryable"]),
            (("invalid_input", "reserved"), &json!(true)),
            "{tool}"
        );
    }
    for keys in [
        json!({ "keys": ["C-c"], "enter": true }),
        json!({ "keys": ["C-c", "a"] }),
        json!({ "keys": ["C-c"], "text": "a" }),
    ] {
        let mut arguments = keys;
        arguments["pane"] = json!(pane);
        assert_eq!(reason(&mcp.problem("send_keys", arguments)).1, "reserved");
    }
    mcp.ok("send_keys", json!({ "pane": pane, "keys": ["C-c"] }));
    wait_for("the pane to be free", || {
        mcp.call("run_shell_command", json!({ "pane": pane, "command": "echo free" }))["structuredContent"]["output"]
            == "free"
    });
    nothing_left(&server, &folder);
}

#[test]
fn a_command_that_is_interrupted_says_so() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    for name in SHELLS {
        let Some(pane) = shell(&server, name) else { continue };
        let id = mcp.send_call(
            "run_shell_command",
            json!({ "pane": pane, "command": "echo begun; sleep 600; echo never" }),
        );
        wait_for_screen(&server, &pane, "\nbegun");
        mcp.ok("send_keys", json!({ "pane": pane, "keys": ["C-c"] }));
        let reply = mcp.result(id, "run_shell_command")["structuredContent"].clone();
        assert_eq!(
            (&reply["outcome"], &reply["signal"]),
            (&json!("completed"), &json!(2)),
            "{name}: {reply}"
        );
        assert!(
            reply.get("exit_status").is_none() && !reply["output"].as_str().unwrap().contains("never"),
            "{name}: {reply}"
        );
        let reply = mcp.ok("run_shell_command", json!({ "pane": pane, "command": "echo again" }));
        assert_eq!(reply["output"], "again", "{name}");
    }
}

#[test]
fn a_program_that_will_not_end_is_ended_with_its_pane() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    let pane = window(&server, "exec env PS1='$ ' sh -i");
    wait_for_screen(&server, &pane, "$");
    let command = "trap '' INT QUIT; echo begun; while :; do sleep 1; done";
    let id = mcp.send_call(
        "run_shell_command",
        json!({ "pane": pane, "command": command, "seconds": 600 }),
    );
    wait_for_screen(&server, &pane, "\nbegun");
    mcp.ok("respawn_pane", json!({ "pane": pane, "kill_first": true }));
    let reply = mcp.result(id, "run_shell_command")["structuredContent"].clone();
    assert_eq!(reply["outcome"], "pane_closed");
    wait_for_screen(&server, &pane, "$");
    let reply = mcp.ok("run_shell_command", json!({ "pane": pane, "command": "echo new" }));
    assert_eq!(reply["output"], "new");
    nothing_left(&server, &folder);
}

#[test]
fn a_run_that_is_cancelled_goes_on_and_others_are_answered_meanwhile() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    let pane = window(&server, "");
    let run = mcp.send_call(
        "run_shell_command",
        json!({ "pane": pane, "command": "echo begun; while [ ! -e go ]; do sleep 0.1; done; touch done" }),
    );
    wait_for_screen(&server, &pane, "\nbegun");
    assert!(mcp.ok("list_panes", json!({}))["panes"].is_array());
    mcp.notify("notifications/cancelled", json!({ "requestId": run }));
    let reserved = mcp.problem("send_keys", json!({ "pane": pane, "text": "x" }));
    assert_eq!(reason(&reserved).1, "reserved");
    fs::write(server.room().join("go"), "").unwrap();
    wait_for("the pane to be free", || {
        mcp.call("send_keys", json!({ "pane": pane, "keys": ["C-u"] }))["isError"] == false
    });
    assert!(server.room().join("done").exists());
    nothing_left(&server, &folder);
}

#[test]
fn long_output_keeps_its_end_and_says_so() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let pane = window(&server, "");
    let command = "i=0; while [ $i -lt 20000 ]; do echo line-$i-................; i=$((i+1)); done";
    let reply = mcp.ok(
        "run_shell_command",
        json!({ "pane": pane, "command": command, "seconds": 60 }),
    );
    let output = reply["output"].as_str().unwrap();
    assert_eq!(
        (&reply["outcome"], &reply["truncated"]),
        (&json!("completed"), &json!(true))
    );
    assert!(
        output.ends_with("line-19999-................") && output.len() <= 256 * 1024,
        "{}",
        output.len()
    );
    // Each newline is two bytes on a terminal.
    let bytes: usize = (0..20000)
        .map(|i: u32| format!("line-{i}-................\r\n").len())
        .sum();
    assert_eq!(reply["bytes"], bytes);
}

#[test]
fn a_pane_whose_pipe_is_in_use_keeps_it_and_is_read_off_its_screen() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    let pane = window(&server, "");
    let log = server.room().join("pipe.log");
    server.tmux(&["pipe-pane", "-t", &pane, &format!("exec cat >{}", shell_word(&log))]);
    wait_for("the user's pipe", || log.exists());
    let reply = mcp.ok(
        "run_shell_command",
        json!({ "pane": pane, "command": "echo one; echo two; exit 4" }),
    );
    assert_eq!(
        (&reply["outcome"], &reply["exit_status"], &reply["source"]),
        (&json!("completed"), &json!(4), &json!("screen"))
    );
    assert_eq!(reply["output"], "one\ntwo");
    server.tmux(&["send-keys", "-t", &pane, "-l", "echo still piped\n"]);
    wait_for("the user's pipe to go on", || {
        fs::read_to_string(&log).unwrap().contains("\nstill piped")
    });
    assert!(!screen(&server, &pane).contains("tmux-status-"));
    server.tmux(&["pipe-pane", "-t", &pane]);
    nothing_left(&server, &folder);
}

#[test]
fn the_end_of_the_client_gives_pipes_back_and_ends_what_waits() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    let pane = window(&server, "");
    mcp.send_call(
        "run_shell_command",
        json!({ "pane": pane, "command": "echo begun; sleep 600", "seconds": 600 }),
    );
    wait_for_screen(&server, &pane, "\nbegun");
    assert_eq!(server.run(&format!("display-message -p -t {pane} #{{pane_pipe}}")), "1");
    assert!(mcp.close().success());
    nothing_left(&server, &folder);
    assert_eq!(server.processes_with("exec cat"), Vec::<u32>::new());
}

#[test]
fn nobody_who_looks_notices_a_run_elsewhere() {
    let server = Server::quiet();
    let pane = window(&server, "");
    let _terminal = server.attach();
    let facts = || {
        server.tmux(&[
            "list-sessions",
            "-F",
            "#{session_id} #{session_attached} #{session_last_attached}",
        ])
    };
    let (before, clients) = (facts(), server.tmux(&["list-clients"]));
    let mut mcp = Mcp::start(&server);
    let id = mcp.send_call(
        "run_shell_command",
        json!({ "pane": pane, "command": "echo begun; while [ ! -e go ]; do sleep 0.1; done" }),
    );
    wait_for_screen(&server, &pane, "\nbegun");
    assert_eq!(
        (facts(), server.tmux(&["list-clients"]).lines().count()),
        (before, clients.lines().count())
    );
    fs::write(server.room().join("go"), "").unwrap();
    assert_eq!(
        mcp.result(id, "run_shell_command")["structuredContent"]["outcome"],
        "completed"
    );
}
