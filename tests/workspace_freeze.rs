//! Sessions that run, as documents, on real servers: what is in them, and that loading gives the same session again.

#[path = "support/shell.rs"]
mod shell;
#[path = "support/mod.rs"]
mod support;
#[path = "support/workspace.rs"]
mod workspace;

use serde_json::{json, Value};
use std::fs;
use support::{wait_for, words, Server, HELPER};
use workspace::frozen;

/// What is said of it on standard error.
#[track_caller]
fn notes(server: &Server, session: &str) -> String {
    words(&server.helper(&["workspace", "freeze", "--json", session])).1
}

/// Types a line into a pane and waits until the document of `work` has `shown` in it.
#[track_caller]
fn run(server: &Server, pane: &str, line: &str, shown: &str) {
    // The shell must take the line.
    wait_for("a prompt", || {
        !server.tmux(&["capture-pane", "-p", "-t", pane]).trim().is_empty()
    });
    server.tmux(&["send-keys", "-t", pane, "-l", line]);
    server.tmux(&["send-keys", "-t", pane, "Enter"]);
    wait_for(&format!("{shown} in {pane}"), || {
        frozen(server, "work")["windows"].to_string().contains(shown)
    });
}

#[test]
fn names_places_options_and_directories_are_in_it() {
    let server = Server::start();
    for folder in ["home/proj/my notes", "srv/it's $HOME"] {
        fs::create_dir_all(server.room().join(folder)).unwrap();
    }
    let room = server.room().to_str().unwrap();
    let at = |folder: &str| format!("{room}/{folder}");
    server.tmux(&[
        "new-session",
        "-d",
        "-s",
        "more",
        "-n",
        "日本",
        "-x",
        "90",
        "-y",
        "20",
        "-c",
        &at("home/proj"),
    ]);
    server.tmux(&["split-window", "-h", "-t", "more:", "-c", &at("home/proj/my notes")]);
    server.tmux(&[
        "new-window",
        "-d",
        "-t",
        "more:7",
        "-n",
        "logs: all",
        "-c",
        &at("home/proj"),
    ]);
    server.tmux(&["new-window", "-d", "-t", "more:9", "-c", &at("srv/it's $HOME")]);
    server.run("set-option -t more status-left-length 33");
    server.run("set-option -t more mouse on");
    server.run("set-option -w -t more:7 monitor-activity on");
    server.run("set-option -w -t more:7 synchronize-panes on");
    server.run("set-environment -t more SECRET hunter2");
    server.run("select-pane -t more:0.0");
    let document = frozen(&server, "more");
    assert_eq!(document["session_name"], "more");
    assert_eq!(document["start_directory"], at("home/proj"));
    // The size of the terminal is none of a document's matter, nor is the environment.
    assert_eq!(document["options"], json!({"status-left-length": 33, "mouse": true}));
    assert!(!document.to_string().contains("hunter2"), "{document}");
    let windows = document["windows"].as_array().unwrap();
    let facts: Vec<_> = windows
        .iter()
        .map(|w| (w["window_index"].as_u64(), w["window_name"].as_str().unwrap()))
        .collect();
    assert_eq!(&facts[..2], [(Some(0), "日本"), (Some(7), "logs: all")]);
    assert_eq!(facts[2].0, Some(9));
    assert_eq!(
        windows[0],
        json!({
            "window_name": "日本", "window_index": 0, "layout": "even-horizontal", "focus": true,
            "options_after": {"automatic-rename": false},
            "panes": [{"focus": true}, {"start_directory": at("home/proj/my notes")}],
        })
    );
    assert_eq!(windows[1]["options"], json!({"monitor-activity": true}));
    assert_eq!(
        windows[1]["options_after"],
        json!({"synchronize-panes": true, "automatic-rename": false})
    );
    assert_eq!(windows[1]["panes"], json!(["blank"]));
    assert_eq!(windows[2]["start_directory"], at("srv/it's $HOME"));
    assert_eq!(document["x-tmux-status"]["literal"], true, "$HOME is its name");
}

#[test]
fn a_layout_of_tmuxs_own_is_called_by_its_name() {
    let server = Server::quiet();
    // Sizes that leave cells over.
    server.run("resize-window -t work:0 -x 137 -y 47");
    for panes in 2..=7 {
        server.tmux(&["split-window", "-t", "work:0"]);
        for name in [
            "even-horizontal",
            "even-vertical",
            "tiled",
            "main-horizontal",
            "main-vertical",
        ] {
            server.tmux(&["select-layout", "-t", "work:0", name]);
            let document = frozen(&server, "work");
            let layout = document["windows"][0]["layout"].as_str().unwrap();
            // Two panes may be the same in two of them.
            let same = panes == 2 && name == "tiled" && layout == "even-vertical";
            assert!(layout == name || same, "{panes} panes: {name} was written as {layout}");
        }
        server.tmux(&["select-layout", "-t", "work:0", "tiled"]);
    }
    server.run("resize-pane -t work:0.1 -x 11");
    let layout = frozen(&server, "work")["windows"][0]["layout"].to_string();
    assert!(layout.contains(",137x47,0,0"), "{layout}");
}

#[test]
fn what_runs_is_written_as_it_was_typed() {
    let server = Server::start();
    server.write_script("bin/serve", "while :; do sleep 97; done");
    let room = server.room().to_str().unwrap();
    for _ in 0..4 {
        server.run("split-window -d -t work:0");
        server.run("select-layout -t work:0 tiled");
    }
    run(&server, "work:0.0", "sleep 1000 | cat", "sleep 1000 | cat");
    run(&server, "work:0.1", "bin/serve 'a b'", "\"bin/serve 'a b'");
    run(&server, "work:0.2", "sh", "\"sh\"");
    run(
        &server,
        "work:0.3",
        "mkdir inner && cd inner && sleep 0300",
        "sleep 0300",
    );
    run(&server, "work:0.2", "sleep 96", "sleep 96");
    server.tmux(&["new-window", "-d", "-t", "work:1", "sleep 95; true"]);
    server.tmux(&["new-window", "-d", "-t", "work:2", "sleep", "94"]);
    let document = frozen(&server, "work");
    let windows = document["windows"].as_array().unwrap();
    let panes = windows[0]["panes"].as_array().unwrap();
    assert_eq!(
        panes[0]["shell_command"], "sleep 1000 | cat",
        "the active one: {document:#}"
    );
    assert_eq!(panes[1], "bin/serve 'a b'");
    assert_eq!(panes[2], json!({"shell_command": ["sh", "sleep 96"]}));
    assert_eq!(
        panes[3],
        json!({"start_directory": format!("{room}/inner"), "shell_command": "sleep 0300"})
    );
    assert_eq!(panes[4], "blank");
    assert_eq!(windows[1]["panes"], json!([{"shell": "sleep 95; true"}]));
    assert_eq!(windows[2]["panes"], json!([{"shell": "sleep 94"}]));
}

#[test]
fn what_is_not_in_the_line_of_a_program_is_told() {
    let server = Server::start();
    server.run("split-window -d -t work:0");
    run(&server, "work:0.0", "sleep 290 >out", "sleep 290");
    server.tmux(&["send-keys", "-t", "work:0.1", "(sleep 289; true)", "Enter"]);
    wait_for("a line with parentheses", || {
        notes(&server, "work").contains("only the shell knows the whole")
    });
    assert!(notes(&server, "work").contains("files that its line does not name"));
    let panes = frozen(&server, "work")["windows"][0]["panes"].clone();
    assert_eq!(panes[1], "blank", "{panes}");
}

#[test]
fn what_saves_a_session_is_not_saved_with_it() {
    let server = Server::start();
    let file = server.room().join("x.yaml");
    let folder = server.room().join("saved");
    for (line, made) in [
        (format!("{HELPER} workspace freeze -o '{}' work", file.display()), &file),
        (
            format!("sh -c \"{HELPER} workspace save --all '{}'; true\"", folder.display()),
            &folder.join("work.yaml"),
        ),
    ] {
        server.tmux(&["send-keys", "-t", "work:0", "-l", &line]);
        server.tmux(&["send-keys", "-t", "work:0", "Enter"]);
        wait_for(&line, || made.is_file());
        let text = fs::read_to_string(made).unwrap();
        assert!(text.contains("panes:\n      - blank\n"), "{text}");
    }
}

#[test]
fn a_shell_that_tells_of_its_commands_gives_the_typed_line() {
    // bash tells only when a command has ended.
    for name in ["zsh", "fish"] {
        let Some(server) = shell::start("the typed line", name, &shell::line(name)) else {
            continue;
        };
        // Where the records are is made by a look.
        server.refresh();
        shell::says(&server, "true", &format!("{name} prompt, last command: true"), ")");
        let line = "sleep 300 2>/dev/null || echo \"$HOME\"";
        run(&server, "work:0", line, "sleep 300");
        wait_for("the typed line", || {
            frozen(&server, "work")["windows"][0]["panes"][0]
                .to_string()
                .contains("|| echo")
        });
        let pane = frozen(&server, "work")["windows"][0]["panes"][0].clone();
        assert_eq!(pane["shell_command"], line, "{name}: {pane}");
    }
}

#[test]
fn secrets_are_taken_out_typed_without_enter_and_told() {
    let server = Server::start();
    server.write_script("bin/deploy", "while :; do sleep 97; done");
    run(&server, "work:0", "bin/deploy --password hunter2", "bin/deploy");
    server.run("set-option -t work @api_token hunter2hunter2");
    let document = frozen(&server, "work");
    let command = json!({"cmd": "bin/deploy --password '***'", "enter": false});
    let plain = json!({"cmd": "bin/deploy --password ***", "enter": false});
    let found = document["windows"][0]["panes"][0]["shell_command"][0].clone();
    assert!(found == command || found == plain, "{document:#}");
    let file = server.room().join("x.yaml");
    let out = server.helper(&["workspace", "freeze", "-o", file.to_str().unwrap()]);
    assert!(out.status.success(), "{out:?}");
    let text = fs::read_to_string(&file).unwrap();
    let above: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
    assert!(!text.contains("hunter2"), "{text}");
    assert!(
        above
            .iter()
            .any(|line| line.contains("secret") && line.contains("pane 0.0")),
        "{text}"
    );
    assert!(above.iter().any(|line| line.contains("@api_token")), "{text}");
    assert!(words(&out).1.contains("@api_token"));
}

#[test]
fn what_cannot_be_kept_is_said() {
    let server = Server::start();
    server.run("set-option -g remain-on-exit on");
    server.tmux(&["new-window", "-n", "exit", "-t", "work:3", "exit 3"]);
    server.run("split-window -t work:0");
    server.run("set-option -p -t work:0.1 allow-rename on");
    server.run("new-session -d -s other");
    server.run("link-window -s work:3 -t other:8");
    for (flag, target, hook) in [
        ("-s", "work", "after-new-window"),
        ("-w", "work:3", "pane-died"),
        ("-p", "work:0.1", "pane-exited"),
    ] {
        let flags: &[&str] = if flag == "-s" { &[] } else { &[flag] };
        server.tmux(&[&["set-hook"], flags, &["-t", target, hook, "display-message hunter2"]].concat());
    }
    server.run("set-environment -t work TOKEN hunter2");
    server.tmux(&["pipe-pane", "-t", "work:0.0", "cat > /dev/null"]);
    server.tmux(&["send-keys", "-t", "work:0.1", "sleep 300 &", "Enter"]);
    wait_for("a dead pane", || {
        server.tmux(&["display-message", "-p", "-t", "work:3", "#{pane_dead}"]) == "1"
    });
    wait_for("the job in the background", || {
        notes(&server, "work").contains("sleep in the background")
    });
    server.run("select-pane -d -t work:0.1");
    server.run("resize-pane -Z -t work:0.0");
    let notes = notes(&server, "work");
    for said in [
        "pane 3.0 had ended",
        "the session has hooks of its own (after-new-window)",
        "the session has variables of its own (TOKEN)",
        "window 3 (exit) has hooks of its own (pane-died)",
        "pane 0.1 has hooks of its own (pane-exited)",
        "pane 0.1 took no keys",
        "pane 0.0 had its output piped",
        "is in other, too",
        "pane 0.1 has options of its own (allow-rename)",
    ] {
        assert!(notes.contains(said), "{said}: {notes}");
    }
    assert!(!notes.contains("hunter2") && !notes.contains("DISPLAY"), "{notes}");
    // JSON has no comments.
    let document = frozen(&server, "work");
    let in_it = document["x-tmux-status"]["notes"].as_array().unwrap();
    assert_eq!(in_it.len(), notes.lines().count(), "{document:#}");
    assert_eq!(document["windows"][0]["x-tmux-status"], json!({"zoomed": true}));
    let file = server.room().join("w.yaml");
    let saved = server.helper(&["workspace", "freeze", "work", "-o", file.to_str().unwrap()]);
    assert!(saved.status.success(), "{saved:?}");
    let text = fs::read_to_string(file).unwrap();
    assert!(
        text.contains("# - the session has hooks") && !text.contains("notes:"),
        "{text}"
    );
}

#[test]
fn a_session_that_no_document_can_have_is_refused() {
    let server = Server::quiet();
    server.tmux(&["new-session", "-d", "-s", " "]);
    let out = server.helper(&["workspace", "freeze", "--json", " "]);
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    assert!(words(&out).1.contains("is empty"), "{out:?}");
}

#[test]
fn the_session_is_chosen_and_no_file_is_made_up_or_replaced() {
    let server = Server::quiet();
    let freeze = |args: &[&str]| server.helper(&[&["workspace", "freeze"], args].concat());
    let code = |args: &[&str]| freeze(args).status.code();
    assert_eq!(code(&[]), Some(2), "a person must name a file");
    assert_eq!(code(&["nope", "--json"]), Some(1));
    let file = server.room().join("w.json");
    let file = file.to_str().unwrap();
    assert_eq!(code(&["-o", file, "-q"]), Some(0), "the only session");
    let document: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert_eq!(document["session_name"], "work");
    fs::write(file, "mine").unwrap();
    let refused = freeze(&["-o", file]);
    assert!(words(&refused).1.contains("--force"), "{refused:?}");
    assert_eq!(fs::read(file).unwrap(), b"mine");
    let told = freeze(&["-o", file, "--force", "--json"]);
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!((&told["command"], &told["format"]), (&json!("freeze"), &json!("json")));
    let quiet = freeze(&["-o", file, "--force", "-q"]);
    assert!(quiet.stdout.is_empty() && quiet.stderr.is_empty(), "{quiet:?}");
    server.run("new-session -d -s other");
    let several = freeze(&["--json"]);
    assert_eq!(several.status.code(), Some(2));
    assert!(words(&several).1.contains("work, other"), "{several:?}");
    let mut inside = server.command(support::HELPER);
    let pane = server.tmux(&["display-message", "-p", "-t", "other:", "#{pane_id}"]);
    let tmux = server.tmux(&["display-message", "-p", "-t", "other:", "#{socket_path},#{pid},1"]);
    inside
        .args(["workspace", "freeze", "--json"])
        .env("TMUX", tmux)
        .env("TMUX_PANE", pane);
    let document: Value = serde_json::from_slice(&inside.output().unwrap().stdout).unwrap();
    assert_eq!(document["session_name"], "other");
}

#[test]
fn nothing_but_one_process_asks_the_server_and_nothing_changes() {
    let server = Server::quiet();
    server.open_windows(5);
    let log = server.log_tmux_calls();
    let before = server.tmux(&[
        "list-panes",
        "-a",
        "-F",
        "#{window_id} #{pane_id} #{window_activity} #{session_activity}",
    ]);
    let _ = fs::remove_file(&log);
    frozen(&server, "work");
    let calls = fs::read_to_string(&log).unwrap();
    assert_eq!(calls.lines().count(), 1, "{calls}");
    let after = server.tmux(&[
        "list-panes",
        "-a",
        "-F",
        "#{window_id} #{pane_id} #{window_activity} #{session_activity}",
    ]);
    assert_eq!(before, after);
}

#[test]
fn who_names_no_file_is_told_one_and_no_folder_is_made_in_passing() {
    let server = Server::quiet();
    server.tmux(&["rename-session", "my work"]);
    fs::create_dir_all(server.room().join("home/.config/tmuxp")).unwrap();
    let freeze = |args: &[&str]| {
        let mut command = server.command(HELPER);
        command.args(["workspace", "freeze"]).args(args);
        command.env_remove("XDG_CONFIG_HOME").env_remove("TMUXP_CONFIGDIR");
        command.output().unwrap()
    };
    let out = freeze(&["my work"]);
    assert_eq!(out.status.code(), Some(2), "{out:?}");
    let hint = "hint: name it: tmux-status workspace freeze 'my work' -o ~/'.config/tmuxp/my work.yaml'; --json";
    assert!(words(&out).1.contains(hint), "{out:?}");
    let room = server.room().to_str().unwrap();
    let place = format!("{room}/no such/x.yaml");
    let out = freeze(&["-o", &place]);
    let told = words(&out).1;
    assert!(
        told.contains(&format!("there is no folder {room}/no such;"))
            && told.contains(&format!("mkdir -p '{room}/no such'")),
        "{told}"
    );
    let out = freeze(&["-o", room]);
    assert!(words(&out).1.contains("it is a directory"), "{out:?}");
    // That for all projects is made.
    fs::remove_dir_all(server.room().join("home/.config")).unwrap();
    let out = freeze(&["-o", &format!("{room}/home/.config/tmuxp/x.yaml")]);
    assert!(out.status.success(), "{out:?}");
}
