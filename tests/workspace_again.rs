//! Freeze, load, freeze: the same document, for sessions of many kinds.

#[path = "support/mod.rs"]
mod support;
#[path = "support/workspace.rs"]
mod workspace;

use serde_json::{json, Value};
use std::fs;
use support::{wait_for, Server};
use workspace::frozen;
use workspace::{made_by, starts};

/// Freezes `work`, loads the file under another name, and freezes that: the document must be the same.
#[track_caller]
fn comes_back(server: &Server) -> Value {
    starts(server);
    let file = server.room().join("work.yaml");
    let file = file.to_str().unwrap();
    let saved = server.helper(&["workspace", "freeze", "work", "-o", file, "--force"]);
    assert!(saved.status.success(), "{saved:?}");
    let text = fs::read_to_string(file).unwrap();
    // What is in the file: meanwhile tmux may have given a window another name.
    let first = server.helper(&["workspace", "convert", "--json", file]);
    let first: Value = serde_json::from_slice(&first.stdout).unwrap();
    let loaded = server.helper(&["workspace", "load", "-d", "-s", "again", file]);
    assert!(loaded.status.success(), "{loaded:?}\n{text}");
    let mut second = Value::Null;
    let mut same = || {
        second = frozen(server, "again");
        second["session_name"] = "work".into();
        without_notes(&mut second);
        second == first
    };
    // Shells take their time until they run what was typed.
    let end = std::time::Instant::now() + support::DEADLINE;
    while !same() {
        assert!(
            std::time::Instant::now() < end,
            "{first:#}\nbecame\n{second:#}\nby\n{text}"
        );
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    first
}

/// Takes out what a document says of itself: files in YAML have it in comments.
fn without_notes(document: &mut Value) {
    if let Some(own) = document["x-tmux-status"].as_object_mut() {
        own.remove("notes");
        if own.is_empty() {
            document.as_object_mut().unwrap().remove("x-tmux-status");
        }
    }
    if document["x-tmux-status"].is_null() {
        document.as_object_mut().unwrap().remove("x-tmux-status");
    }
}

#[test]
fn windows_with_names_of_all_kinds() {
    let server = made_by(
        "",
        "rename-window -t work:0 日本語\nnew-window -d -t work:1 -n 'a: b # c'\nnew-window -d -t work:2 -n '#{pid} #(x)'\n\
         new-window -d -t work:3 -n on\nnew-window -d -t work:4 -n \"it's \"\nnew-window -t work:5 -n '~x'\n",
    );
    comes_back(&server);
}

#[test]
fn names_that_look_like_a_home_or_a_variable() {
    let server = made_by(
        "set -g default-command 'exec cat'\n",
        "rename-window -t work:0 '~'\nnew-window -d -t work:1 -n '~/src'\nnew-window -d -t work:2 -n '$HOME'\n\
         set -t work @dir '~/x'\nset -w -t work:2 @var '${HOME}'\n",
    );
    let folder = server.room().join("home/$HOME");
    fs::create_dir_all(&folder).unwrap();
    server.tmux(&[
        "new-window",
        "-d",
        "-t",
        "work:3",
        "-n",
        "x",
        "-c",
        folder.to_str().unwrap(),
    ]);
    let document = comes_back(&server);
    assert_eq!(document["x-tmux-status"], json!({"literal": true}));
    let names = server.tmux(&["list-windows", "-t", "again", "-F", "#{window_name}"]);
    assert_eq!(names, "~\n~/src\n$HOME\nx");
    assert_eq!(server.tmux(&["show-options", "-v", "-t", "again", "@dir"]), "~/x");
    let plain = made_by(
        "set -g default-command 'exec cat'\n",
        "rename-window -t work:0 'a~ $ b'\n",
    );
    assert!(comes_back(&plain)["x-tmux-status"].is_null());
}

#[test]
fn a_backslash_does_not_become_two() {
    let server = made_by(
        "set -g default-command 'exec cat'\n",
        "rename-window -t work:0 'a\\b'\nnew-window -d -t work:1 -n '\\\\\\'\nnew-window -d -t work:2 -n \"a\\tb\"\n\
         rename-window -t work:2 \"a\\tb\"\n",
    );
    comes_back(&server);
    let names = |session| server.tmux(&["list-windows", "-t", session, "-F", "#{window_name}"]);
    assert_eq!(names("again"), names("work"));
    server.tmux(&["new-session", "-d", "-s", "x\\y"]);
    server.tmux(&["new-session", "-d", "-s", "$y"]);
    let before = server.tmux(&["list-sessions", "-F", "#{session_name}"]);
    let folder = server.room().join("saved");
    let folder = folder.to_str().unwrap();
    let saved = server.helper(&["workspace", "save", "--all", folder]);
    assert!(saved.status.success(), "{saved:?}");
    server.run("kill-server");
    wait_for("the end of the server", || {
        !server.try_tmux(&["list-sessions"]).status.success()
    });
    for _twice in 0..2 {
        let loaded = server.helper(&["workspace", "load", "-d", &format!("{folder}/")]);
        assert_eq!(
            server.tmux(&["list-sessions", "-F", "#{session_name}"]),
            before,
            "{loaded:?}"
        );
    }
}

#[test]
fn gaps_in_indexes_and_a_base_index() {
    let server = made_by(
        "set -g base-index 1\nset -g pane-base-index 1\n",
        "new-window -t work:4\nnew-window -d -t work:17\nselect-window -t work:1\n",
    );
    let document = comes_back(&server);
    let indexes: Vec<_> = document["windows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w["window_index"].as_u64().unwrap())
        .collect();
    assert_eq!(indexes, [1, 4, 17]);
}

#[test]
fn layouts_by_name_and_saved_ones() {
    let lines = "split-window -h -t work:0\nsplit-window -v -l 5 -t work:0.1\nsplit-window -h -l 12 -t work:0.2\nsplit-window -v -l 3 -t work:0.0\n\
                 new-window -t work:1\nsplit-window -t work:1\nsplit-window -t work:1\nselect-layout -t work:1 main-vertical\n\
                 new-window -t work:2\nsplit-window -h -t work:2\nsplit-window -h -t work:2\nselect-layout -t work:2 even-horizontal\n\
                 new-window -t work:3\nsplit-window -h -t work:3\nresize-window -t work:3 -x 143 -y 11\nresize-pane -t work:3.0 -x 31\n";
    let server = made_by("set -g default-command 'exec cat'\n", lines);
    let document = comes_back(&server);
    assert_eq!(document["windows"][1]["layout"], "main-vertical");
    assert_eq!(document["windows"][2]["layout"], "even-horizontal");
}

#[test]
fn focus_within_and_among_windows() {
    let lines = "split-window -t work:0\nsplit-window -t work:0\nselect-pane -t work:0.1\nnew-window -t work:1\nsplit-window -t work:1\nselect-pane -t work:1.0\nnew-window -t work:2\nselect-window -t work:1\n";
    comes_back(&made_by("set -g default-command 'exec cat'\n", lines));
}

#[test]
fn a_zoomed_window() {
    let lines = "split-window -h -t work:0\nsplit-window -v -l 4 -t work:0.1\nresize-pane -Z -t work:0.0\n\
                 new-window -t work:1\nsplit-window -t work:1\nresize-pane -Z -t work:1.1\nnew-window -t work:2\n";
    let server = made_by("set -g default-command 'exec cat'\n", lines);
    comes_back(&server);
    let shown = server.tmux(&[
        "list-panes",
        "-s",
        "-t",
        "again",
        "-F",
        "#{window_index}#{window_zoomed_flag}#{pane_active}",
    ]);
    assert_eq!(shown, "011\n010\n010\n110\n111\n201");
}

#[test]
fn options_of_sessions_windows_and_arrays() {
    let lines = "set -t work status-style bg=red\nset -t work status off\nset -t work status-left '#[fg=blue]#S \"x\"; '\nset -t work @mine 'a b'\n\
                 set -t work status-format[1] 'second line'\nset -t work base-index 3\nset -t work update-environment 'A B'\n\
                 set -w -t work:0 main-pane-width 31\nset -w -t work:0 synchronize-panes on\nset -w -t work:0 pane-border-status top\nset -w -t work:0 remain-on-exit on\n\
                 split-window -h -t work:0\nselect-layout -t work:0 main-vertical\n";
    comes_back(&made_by("set -g default-command 'exec cat'\n", lines));
}

#[test]
fn directories_with_blanks_and_quotes() {
    let server = Server::start();
    for folder in ["a b", "it's \"q\"", "home/日本/#{x}", "semi;colon", "-dash", "tail;"] {
        let folder = server.room().join(folder);
        fs::create_dir_all(&folder).unwrap();
        server.tmux(&[
            "split-window",
            "-d",
            "-t",
            "work:0",
            "-c",
            &folder.to_str().unwrap().replace('#', "##").replace("tail;", "tail\\;"),
        ]);
        server.run("select-layout -t work:0 tiled");
    }
    let document = comes_back(&server);
    assert!(document.to_string().contains("~/日本/#{x}"), "{document}");
}

#[test]
fn programs_that_run() {
    let server = Server::start();
    server.write_script("bin/serve", "while :; do sleep 97; done");
    let lines = [
        "sleep 300",
        "sleep 301 | cat",
        "bin/serve --at 'a b' '$x' ~",
        "sh -c 'sleep 303; :'",
        "sh",
    ];
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            server.tmux(&["new-window", "-d", "-t", &format!("work:{index}")]);
        }
        let pane = format!("work:{index}");
        wait_for("a prompt", || {
            !server.tmux(&["capture-pane", "-p", "-t", &pane]).trim().is_empty()
        });
        server.tmux(&["send-keys", "-t", &pane, "-l", line]);
        server.tmux(&["send-keys", "-t", &pane, "Enter"]);
    }
    server.tmux(&["new-window", "-d", "-t", "work:7", "sleep 99; sleep 98"]);
    server.tmux(&["new-window", "-d", "-t", "work:8", "sleep", "97"]);
    let (end, mut missing) = (std::time::Instant::now() + support::DEADLINE, vec![""]);
    while !missing.is_empty() {
        let document = frozen(&server, "work").to_string();
        assert!(std::time::Instant::now() < end, "{missing:?} are not in {document}");
        missing = vec!["sleep 300", "sleep 301 | cat", "bin/serve --at", "sleep 303", "\"sh\""];
        missing.retain(|line| !document.contains(line));
    }
    comes_back(&server);
}

#[test]
fn a_window_that_is_linked_and_a_group_of_sessions() {
    let server = made_by(
        "set -g default-command 'exec cat'\n",
        "new-session -d -s other -n shared\nlink-window -s other:0 -t work:6\n",
    );
    comes_back(&server);
    server.run("new-session -d -s grouped -t other");
    let document = frozen(&server, "grouped");
    assert_eq!(document["windows"][0]["window_name"], "shared");
}

#[test]
fn dead_panes_and_panes_in_a_mode() {
    let lines =
        "set -w -t work:0 remain-on-exit on\nsplit-window -t work:0 true\nnew-window -t work:1\ncopy-mode -t work:1\n";
    let server = made_by("set -g default-command 'exec cat'\n", lines);
    wait_for("a dead pane", || {
        server.tmux(&["display-message", "-p", "-t", "work:0.1", "#{pane_dead}"]) == "1"
    });
    comes_back(&server);
}
