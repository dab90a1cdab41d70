//! The MCP tools that read screens and settings, what all that read say of a server that is not as it should be, and how
//! many tmux processes they take.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Value};
use std::fs;
use support::{program, shell_word, signal, wait_for, Server};

/// Has the first pane show `text`, and read on.
fn show(server: &Server, text: &str) {
    show_until(server, text, text.lines().last().unwrap());
}

/// The same, where its last line is not shown as it stands.
fn show_until(server: &Server, text: &str, last: &str) {
    let file = server.room().join("text");
    fs::write(&file, text).unwrap();
    let command = format!("exec cat {} -", shell_word(&file));
    server.tmux(&["respawn-pane", "-k", "-t", "%0", &command]);
    wait_for("the text in the pane", || {
        server.tmux(&["capture-pane", "-p", "-t", "%0"]).contains(last)
    });
}

#[test]
fn a_screen_is_captured_whole_or_in_part() {
    let server = Server::quiet();
    show(&server, &(1..=40).map(|n| format!("line {n}\n")).collect::<String>());
    let mut mcp = Mcp::start(&server);
    let screen = mcp.ok("capture_pane", json!({ "pane": "%0" }));
    assert_eq!(
        (&screen["pane"], &screen["lines"], &screen["marks"]),
        (&json!("%0"), &json!(30), &json!("not_asked"))
    );
    let expected = server.tmux(&["capture-pane", "-p", "-t", "%0"]);
    assert_eq!(screen["text"].as_str().unwrap().trim_end(), expected);
    let mut text = |more: Value| {
        let mut arguments = json!({ "pane": "%0" });
        arguments
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let reply = mcp.ok("capture_pane", arguments);
        (
            reply["text"].as_str().unwrap().to_owned(),
            reply["dropped"].as_u64().unwrap(),
        )
    };
    let (all, _) = text(json!({ "history": true }));
    assert!(
        all.starts_with("line 1\nline 2\n") && all.lines().count() >= 40,
        "{all}"
    );
    let first = screen["text"].as_str().unwrap().lines().next().unwrap().to_owned();
    assert_eq!(text(json!({ "start": 0, "end": 0 })), (first.clone(), 0));
    let (above, _) = text(json!({ "start": -2, "end": 0 }));
    assert_eq!((above.lines().count(), above.lines().last()), (3, Some(first.as_str())));
    let (last, dropped) = text(json!({ "max_lines": 2, "history": true, "end": 0 }));
    assert_eq!(
        (last.lines().count(), dropped),
        (2, all.lines().position(|l| l == first).unwrap() as u64 - 1)
    );
    assert_eq!(
        text(json!({ "start": 2_147_483_647 })).0,
        "",
        "below the screen is its last row"
    );
    for odd in [
        json!({ "pane": "%0", "start": 2_147_483_648_u32 }),
        json!({ "pane": "%0", "max_lines": -1 }),
    ] {
        assert_eq!(mcp.kind("capture_pane", odd), "invalid_input");
    }
}

#[test]
fn without_marks_the_last_command_is_the_screen() {
    let server = Server::quiet();
    show(&server, "hello");
    let mut mcp = Mcp::start(&server);
    let reply = mcp.ok("capture_pane", json!({ "pane": "%0", "last_command": true }));
    assert!(["unsupported", "absent"].contains(&reply["marks"].as_str().unwrap()));
    assert!(reply["text"].as_str().unwrap().starts_with("hello"));
    let found = json!({ "pane": "%0", "last_command": true, "history": true });
    assert_eq!(mcp.kind("capture_pane", found), "invalid_input");
}

#[test]
fn the_last_command_is_what_its_shell_marks() {
    let server = Server::quiet();
    let prompt = "\u{1b}]133;A\u{7}$ \u{1b}]133;B\u{7}";
    let run = |command: &str, output: &str| format!("{prompt}{command}\n\u{1b}]133;C\u{7}{output}\u{1b}]133;D;0\u{7}");
    let text = format!(
        "{}{}{prompt}next",
        run("one", "old\n"),
        run("two", "first  line\n\nlast\n")
    );
    show_until(&server, &text, "$ next");
    let mut mcp = Mcp::start(&server);
    let reply = mcp.ok("capture_pane", json!({ "pane": "%0", "last_command": true }));
    let text = match reply["marks"].as_str().unwrap() {
        "present" => "first  line\n\nlast",
        // Before 3.7.
        "unsupported" => "$ one\nold\n$ two\nfirst  line\n\nlast\n$ next",
        marks => panic!("{marks}"),
    };
    assert_eq!(reply["text"].as_str().unwrap().trim_end(), text);
}

#[test]
fn a_snapshot_tells_where_a_pane_stands() {
    let server = Server::quiet();
    show(&server, "hello");
    let mut mcp = Mcp::start(&server);
    let seen = mcp.ok("snapshot_pane", json!({ "pane": "%0", "max_lines": 0 }));
    assert_eq!((&seen["width"], &seen["height"]), (&json!(100), &json!(30)));
    assert_eq!((&seen["cursor_x"], &seen["cursor_y"]), (&json!(5), &json!(0)));
    assert_eq!(
        (&seen["content"], &seen["lines"], &seen["dropped"]),
        (&json!(""), &json!(0), &json!(30))
    );
    assert_eq!(
        (&seen["in_mode"], &seen["dead"], &seen["pane"]["id"]),
        (&json!(false), &json!(false), &json!("%0"))
    );
    server.run("copy-mode -t %0");
    let seen = mcp.ok("snapshot_pane", json!({ "pane": "%0" }));
    assert_eq!(
        (&seen["in_mode"], &seen["mode"], &seen["scroll_position"]),
        (&json!(true), &json!("copy-mode"), &json!(0))
    );
    assert!(seen["content"].as_str().unwrap().starts_with("hello\n"));
    server.run("set -g remain-on-exit on");
    server.run("respawn-pane -k -t %0 true");
    wait_for("a dead pane", || {
        mcp.ok("snapshot_pane", json!({ "pane": "%0" }))["dead"] == true
    });
}

#[test]
fn text_is_found_on_every_pane() {
    let server = Server::quiet();
    server.run("new-session -d -s other");
    show(&server, "one\nThe Error (E1)\n");
    let mut mcp = Mcp::start(&server);
    let mut find = |arguments: Value| {
        let reply = mcp.ok("search_panes", arguments);
        let matches = reply["matches"].as_array().unwrap().iter();
        let matches: Vec<_> = matches
            .map(|m| json!([m["pane"], m["window_id"], m["line"], m["text"]]))
            .collect();
        (
            matches,
            reply["panes_searched"].as_u64().unwrap(),
            reply["capped"] == true,
        )
    };
    let found = vec![json!(["%0", "@0", 1, "The Error (E1)"])];
    assert_eq!(find(json!({ "pattern": "error (e1)" })), (found.clone(), 2, false));
    assert_eq!(
        find(json!({ "pattern": "error (e1)", "history": true })),
        (found.clone(), 2, false)
    );
    assert_eq!(
        find(json!({ "pattern": "error (e1)", "match_case": true })),
        (vec![], 2, false)
    );
    assert_eq!(find(json!({ "pattern": "^the .*1\\)$", "regex": true })).0, found);
    assert_eq!(
        find(json!({ "pattern": "error", "session": "work" })),
        (found.clone(), 1, false)
    );
    assert_eq!(
        find(json!({ "pattern": "error", "session": "$0" })),
        (found.clone(), 1, false)
    );
    assert_eq!(
        find(json!({ "pattern": "error", "session": "other" })),
        (vec![], 1, false)
    );
    assert_eq!(find(json!({ "pattern": "error", "window": "@0" })), (found, 1, false));
    assert_eq!(
        find(json!({ "pattern": "error", "window": "@0", "session": "other" })),
        (vec![], 0, false)
    );
    for odd in [
        json!({ "pattern": "" }),
        json!({ "pattern": "(", "regex": true }),
        json!({}),
    ] {
        assert_eq!(mcp.kind("search_panes", odd), "invalid_input");
    }
}

#[test]
fn variables_are_read_at_a_pane() {
    let server = Server::quiet();
    server.run("new-window -d -t work:3");
    let mut mcp = Mcp::start(&server);
    let names = json!(["window_index", "pane_id", "no_such_thing", "window_index"]);
    let reply = mcp.ok("get_tmux_variables", json!({ "names": names, "pane": "%1" }));
    assert_eq!(
        reply["values"],
        json!({ "window_index": "3", "pane_id": "%1", "no_such_thing": "" })
    );
    let reply = mcp.ok("get_tmux_variables", json!({ "names": ["session_name"] }));
    assert_eq!(reply["values"]["session_name"], "work");
    for odd in ["", "1a", "a-b", "@x", "a b", "#{pid}", "a}", "%H", "é"] {
        assert_eq!(
            mcp.kind("get_tmux_variables", json!({ "names": [odd] })),
            "invalid_input",
            "{odd}"
        );
    }
}

#[test]
fn an_option_is_read_just_where_it_is_asked_for() {
    let server = Server::quiet();
    server.run("set -g @theme dark");
    server.tmux(&["set", "-w", "-t", "@0", "@multi", "a\nb  \"c\""]);
    server.tmux(&["set", "-g", "@empty", ""]);
    let mut mcp = Mcp::start(&server);
    let mut value = |arguments: Value| mcp.ok("show_option", arguments)["value"].clone();
    assert_eq!(value(json!({ "name": "history-limit" })), "2000");
    assert_eq!(value(json!({ "name": "@theme" })), "dark");
    assert_eq!(
        value(json!({ "name": "@theme", "scope": "session", "target": "$0" })),
        Value::Null,
        "not inherited"
    );
    assert_eq!(value(json!({ "name": "@never" })), Value::Null);
    assert_eq!(value(json!({ "name": "@empty" })), "");
    assert_eq!(
        value(json!({ "name": "@multi", "scope": "window", "target": "@00" })),
        "a\nb  \"c\""
    );
    assert_eq!(value(json!({ "name": "exit-empty", "scope": "server" })), "on");
    assert_eq!(value(json!({ "name": "mode-keys", "scope": "global-window" })), "emacs");
    assert_eq!(
        value(json!({ "name": "remain-on-exit", "scope": "pane", "target": "%0" })),
        Value::Null
    );
    assert_eq!(mcp.kind("show_option", json!({ "name": "no-such-option" })), "refused");
    for odd in [
        json!({ "name": "" }),
        json!({ "name": "status", "target": "$0" }),
        json!({ "name": "status", "scope": "session" }),
        json!({ "name": "status", "scope": "session", "target": "work" }),
        json!({ "name": "status", "scope": "pane", "target": "@0" }),
        json!({ "name": "status", "scope": "galaxy" }),
    ] {
        assert_eq!(mcp.kind("show_option", odd.clone()), "invalid_input", "{odd}");
    }
}

#[test]
fn hooks_are_told_with_their_place_and_command() {
    let server = Server::quiet();
    server.tmux(&["set-hook", "-g", "after-new-window[7]", "display-message 'a b'"]);
    server.tmux(&["set-hook", "-g", "pane-exited", "display-message gone"]);
    server.tmux(&["set-hook", "-t", "work", "session-renamed", "display-message own"]);
    let mut mcp = Mcp::start(&server);
    let mut hooks = |arguments: Value| -> Vec<String> {
        let reply = mcp.ok("show_hooks", arguments);
        let rows = reply["hooks"].as_array().unwrap().iter();
        rows.map(|h| {
            format!(
                "{} {} {}",
                h["name"].as_str().unwrap(),
                h["index"],
                h["command"].as_str().unwrap()
            )
        })
        .collect()
    };
    let all = hooks(json!({}));
    assert!(
        all.contains(&"after-new-window 7 display-message \"a b\"".to_owned()),
        "{all:?}"
    );
    assert!(
        all.contains(&"pane-exited 0 display-message gone".to_owned()),
        "{all:?}"
    );
    assert_eq!(
        hooks(json!({ "session": "work" })),
        ["session-renamed 0 display-message own"]
    );
    assert_eq!(hooks(json!({ "session": "$0" })).len(), 1);
}

#[test]
fn a_missing_server_is_told_and_not_started() {
    let server = Server::setup().prepare();
    let mut mcp = Mcp::start(&server);
    let calls = [
        ("list_sessions", json!({})),
        ("list_windows", json!({})),
        ("list_panes", json!({})),
        ("get_server_info", json!({})),
        ("get_session_info", json!({ "session": "work" })),
        ("get_window_info", json!({ "window": "@0" })),
        ("get_pane_info", json!({ "pane": "%0" })),
        ("find_pane_by_position", json!({ "window": "@0", "corner": "top-left" })),
        ("capture_pane", json!({ "pane": "%0" })),
        ("snapshot_pane", json!({ "pane": "%0" })),
        ("search_panes", json!({ "pattern": "x" })),
        ("search_panes", json!({ "pattern": "x", "history": true })),
        ("get_tmux_variables", json!({ "names": ["pid"] })),
        ("show_option", json!({ "name": "status" })),
        ("show_environment", json!({})),
        ("show_hooks", json!({})),
    ];
    for (tool, arguments) in calls {
        let problem = mcp.problem(tool, arguments);
        assert_eq!(
            (&problem["data"]["kind"], &problem["data"]["retryable"]),
            (&json!("server_gone"), &json!(true)),
            "{tool}"
        );
    }
    let folder = fs::read_dir(server.room()).unwrap().flatten();
    assert!(folder
        .into_iter()
        .all(|entry| !entry.file_name().to_str().unwrap().starts_with("tmux-")));
}

#[test]
fn each_call_takes_one_tmux_process() {
    let server = Server::quiet();
    server.run("split-window -d -t work:0");
    server.refresh();
    let log = server.log_tmux_calls();
    let mut mcp = Mcp::start(&server);
    mcp.first_call();
    let calls = [
        (1, "list_sessions", json!({})),
        (1, "list_windows", json!({})),
        (1, "list_panes", json!({})),
        (1, "get_server_info", json!({})),
        (1, "get_session_info", json!({ "session": "work" })),
        (1, "get_window_info", json!({ "window": "@0" })),
        (1, "get_pane_info", json!({ "pane": "%0" })),
        (
            1,
            "find_pane_by_position",
            json!({ "window": "@0", "corner": "top-left" }),
        ),
        (1, "capture_pane", json!({ "pane": "%0" })),
        (1, "snapshot_pane", json!({ "pane": "%0" })),
        (1, "search_panes", json!({ "pattern": "x" })),
        (1, "search_panes", json!({ "pattern": "x", "session": "work" })),
        (2, "search_panes", json!({ "pattern": "x", "history": true })),
        (
            1,
            "get_tmux_variables",
            json!({ "names": ["pid", "version"], "pane": "%0" }),
        ),
        (1, "show_option", json!({ "name": "status" })),
        (1, "show_environment", json!({})),
        (2, "show_environment", json!({ "session": "$0" })),
        (2, "show_environment", json!({ "session": "work" })),
        (1, "show_hooks", json!({})),
        (1, "get_status", json!({})),
    ];
    for (processes, tool, arguments) in calls {
        fs::write(&log, "").unwrap();
        mcp.ok(tool, arguments.clone());
        let seen = fs::read_to_string(&log).unwrap().lines().count();
        assert_eq!(seen, processes, "{tool} {arguments}");
    }
}

#[test]
fn a_server_that_hangs_is_told_as_such_and_holds_up_nothing_else() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    mcp.ok("list_panes", json!({}));
    let pid = server.pid();
    signal(pid, "STOP");
    let call = mcp.send_call("list_panes", json!({}));
    assert_eq!(mcp.request("ping", json!({}))["result"], json!({}));
    let data = mcp.result(call, "list_panes")["structuredContent"]["data"].clone();
    assert_eq!(
        (&data["kind"], &data["retryable"]),
        (&json!("unresponsive"), &json!(true))
    );
    signal(pid, "CONT");
    mcp.ok("list_panes", json!({}));
}

#[test]
fn a_tmux_that_is_too_old_is_told_at_every_call() {
    let server = Server::quiet();
    // One that would answer most of them.
    let real = program("tmux").unwrap();
    let body = format!(
        "case \"$*\" in *version*) echo 3.1c;; *) exec {} \"$@\";; esac",
        shell_word(&real)
    );
    let old = server.write_script("old-tmux", &body);
    let all = [
        ("TMUX_STATUS_TMUX", old.to_str().unwrap()),
        ("LIBTMUX_TOOLSETS", "inspect,manage,execute,teardown"),
    ];
    let mut mcp = Mcp::start_with(&server, &[], &all);
    for tool in mcp.tools() {
        let name = tool["name"].as_str().unwrap();
        let problem = mcp.problem(name, json!({}));
        assert_eq!(
            (&problem["data"]["kind"], &problem["data"]["reason"]),
            (&json!("unsupported_version"), &json!("version")),
            "{name}"
        );
        assert!(problem["message"].as_str().unwrap().contains("3.1c"), "{problem}");
    }
}
