//! Freeze, load, freeze: the same document, for sessions of many kinds; and servers that come back whole.

#[path = "support/mod.rs"]
mod support;
#[path = "support/workspace.rs"]
mod workspace;

use serde_json::{json, Value};
use std::fs;
use support::{wait_for, words, Server};
use workspace::frozen;

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

/// Waits until all programs are where they were started: before, nobody can tell where they are.
#[track_caller]
fn starts(server: &Server) {
    let format = "#{||:#{pane_dead},#{==:#{pane_current_path},#{pane_start_path}}}";
    wait_for("all programs to start", || {
        server
            .tmux(&["list-panes", "-a", "-F", format])
            .lines()
            .all(|there| there == "1")
    });
}

/// A server whose session `work` was made by these lines of a tmux configuration.
fn made_by(config: &str, lines: &str) -> Server {
    let server = Server::setup().config(config).start();
    let script = server.room().join("script");
    let room = server.room().to_str().unwrap();
    fs::write(&script, lines.replace("{room}", room)).unwrap();
    server.tmux(&["source-file", script.to_str().unwrap()]);
    server
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

/// All that should be as before: ids tell the order.
fn picture(server: &Server) -> Vec<String> {
    let format = "#{session_name}\t#{window_index}\t#{window_name}\t#{window_active}#{window_last_flag}\t#{pane_index}\t#{pane_active}\t#{pane_current_path}\t#{?#{e|>:#{window_panes},1},#{pane_left} #{pane_width},}";
    let panes = server.tmux(&["list-panes", "-a", "-F", format]);
    let mut order: Vec<(u32, String)> = server
        .tmux(&["list-sessions", "-F", "#{session_id} #{session_name}"])
        .lines()
        .filter_map(|line| line.strip_prefix('$')?.split_once(' '))
        .map(|(id, name)| (id.parse().unwrap(), name.to_owned()))
        .collect();
    order.sort();
    order
        .into_iter()
        .map(|(_, name)| name)
        .chain(panes.lines().map(str::to_owned))
        .collect()
}

/// Waits until all is as in that picture: programs take their time until they are where they were started.
#[track_caller]
fn looks_like(server: &Server, before: &[String]) {
    let end = std::time::Instant::now() + support::DEADLINE;
    while picture(server) != before && std::time::Instant::now() < end {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(picture(server), before);
}

fn several_sessions() -> Server {
    let lines = "rename-window -t work:0 first\nsplit-window -h -l 30 -t work:0 -c {room}/home\nnew-window -t work:2 -n second -c {room}/home\nnew-window -t work:5 -n third\nselect-window -t work:2\n\
                 new-session -d -s 'a b/c' -n x -c {room}/home -x 100 -y 30\nnew-window -t 'a b/c:4' -n y\nselect-window -t 'a b/c:0'\nnew-session -d -s Work -n other -x 100 -y 30\n";
    made_by("set -g default-command 'exec cat'\n", lines)
}

#[test]
fn a_server_comes_back_after_its_end() {
    let server = several_sessions();
    starts(&server);
    let before = picture(&server);
    let folder = server.room().join("saved");
    let folder = folder.to_str().unwrap();
    let saved = server.helper(&["workspace", "save", "--all", folder]);
    assert!(saved.status.success(), "{saved:?}");
    let again = server.helper(&["workspace", "save", "--all", folder]);
    assert_eq!(again.status.code(), Some(1), "nothing is replaced: {again:?}");
    let told = server.helper(&["workspace", "save", "--all", folder, "--force", "--json"]);
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let names: Vec<_> = told["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["session_name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["work", "a b/c", "Work"]);
    server.run("kill-server");
    wait_for("the end of the server", || {
        !server.try_tmux(&["list-sessions"]).status.success()
    });
    let loaded = server.helper(&["workspace", "load", "-d", &format!("{folder}/")]);
    assert!(loaded.status.success(), "{loaded:?}");
    looks_like(&server, &before);
    // What runs is left alone, what does not comes back.
    server.run("kill-session -t =Work");
    let loaded = server.helper(&["workspace", "load", "-d", &format!("{folder}/")]);
    assert!(
        loaded.status.success() && words(&loaded).1.contains("work: runs already"),
        "{loaded:?}"
    );
    assert_eq!(picture(&server).len(), before.len());
    server.run("kill-session -t =Work");
    let place = format!("{folder}/");
    let quiet = server.helper(&["workspace", "--log-level", "error", "load", "-d", &place]);
    assert!(quiet.status.success() && quiet.stderr.is_empty(), "{quiet:?}");
    let nothing = server.helper(&["workspace", "load", "-d", &format!("{folder}/")]);
    assert_eq!(nothing.status.code(), Some(1), "{nothing:?}");
}

#[test]
fn a_session_that_cannot_be_saved_or_loaded_keeps_no_other_back() {
    let server = several_sessions();
    server.tmux(&["new-session", "-d", "-s", " "]);
    let folder = server.room().join("saved");
    let folder = folder.to_str().unwrap();
    let saved = server.helper(&["workspace", "save", "--all", folder]);
    assert!(saved.status.success(), "{saved:?}");
    let (said, told) = words(&saved);
    assert!(
        said.contains("3 sessions") && told.contains("the session “ ” cannot be written"),
        "{saved:?}"
    );
    let quiet = server.helper(&["workspace", "--log-level", "error", "save", "--all", folder, "--force"]);
    assert!(quiet.status.success() && quiet.stderr.is_empty(), "{quiet:?}");
    fs::remove_file(server.room().join("saved/work.yaml")).unwrap();
    server.run("kill-server");
    wait_for("the end of the server", || {
        !server.try_tmux(&["list-sessions"]).status.success()
    });
    let loaded = server.helper(&["workspace", "load", "-d", &format!("{folder}/")]);
    assert_eq!(loaded.status.code(), Some(1), "not all came back: {loaded:?}");
    assert!(words(&loaded).1.contains("the session work is left out"), "{loaded:?}");
    assert_eq!(server.tmux(&["list-sessions", "-F", "#{session_name}"]), "Work\na b/c");
    for name in ["Work%2.yaml", "a b%2Fc.yaml"] {
        fs::remove_file(server.room().join("saved").join(name)).unwrap();
    }
    server.run("kill-session -t =Work");
    let loaded = server.helper(&["workspace", "load", "-d", &format!("{folder}/")]);
    assert_eq!(loaded.status.code(), Some(1), "{loaded:?}");
    assert_eq!(server.tmux(&["list-sessions", "-F", "#{session_name}"]), "a b/c");
}

#[test]
fn an_index_that_is_damaged_or_leads_elsewhere_loads_nothing() {
    let server = Server::quiet();
    let folder = server.room().join("saved");
    fs::create_dir(&folder).unwrap();
    for text in [
        "sessions: 3\n",
        "sessions:\n  - session_name: x\n    file: ../x.yaml\n",
        "{",
    ] {
        fs::write(folder.join("tmux-server.yaml"), text).unwrap();
        let out = server.helper(&["workspace", "load", "-d", &format!("{}/", folder.display())]);
        assert_eq!(out.status.code(), Some(1), "{out:?}");
        assert!(words(&out).1.contains("tmux-server.yaml"), "{out:?}");
    }
    assert_eq!(picture(&server).len(), 2);
}

/// The saves in the folder of the default server.
fn saves(server: &Server) -> Vec<String> {
    let folder = server.room().join("state/thegrid/tmux-status.sessions");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.retain(|name| name.starts_with("20"));
    names.sort();
    names
}

#[test]
fn sessions_are_saved_by_themselves_only_where_that_is_wanted_and_something_has_changed() {
    let server = several_sessions();
    starts(&server);
    let save = || {
        let out = server.helper(&["workspace", "save", "--background"]);
        assert!(
            out.status.success() && out.stdout.is_empty() && out.stderr.is_empty(),
            "{out:?}"
        );
        saves(&server).len()
    };
    assert_eq!(save(), 0, "nobody wants it");
    server.run("set-option -g @tmux-status-autosave on");
    assert_eq!(save(), 1);
    assert_eq!(save(), 1, "nothing has changed");
    starts(&server);
    let before = picture(&server);
    server.run("kill-server");
    wait_for("the end of the server", || {
        !server.try_tmux(&["list-sessions"]).status.success()
    });
    assert_eq!(save(), 1, "there is nothing to save");
    // Another server, which saves itself, too: what was before it is what is loaded.
    server.run("new-session -d -s fresh");
    server.run("set-option -g @tmux-status-autosave on");
    assert_eq!(save(), 2);
    let folder = server.room().join("state/thegrid/tmux-status.sessions");
    let loaded = server.helper(&["workspace", "load", "-d", folder.to_str().unwrap()]);
    assert!(loaded.status.success(), "{loaded:?}");
    server.run("kill-session -t fresh");
    looks_like(&server, &before);
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&folder).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o700);
    let elsewhere = server.room().join("backup");
    server.tmux(&["set-option", "-g", "@tmux-status-autosave", elsewhere.to_str().unwrap()]);
    save();
    assert!(elsewhere.join("tmux-status.sessions/latest/tmux-server.yaml").is_file());
    assert_eq!(json!(saves(&server).len()), 2);
}

#[test]
fn a_server_that_is_ending_is_not_saved() {
    let server = several_sessions();
    starts(&server);
    server.run("set-option -g @tmux-status-autosave on");
    let before = picture(&server);
    let mut save = server.command(support::HELPER);
    let mut running = save.args(["workspace", "save", "--background"]).spawn().unwrap();
    // It has read the server when its folder is there.
    let folder = server.room().join("state/thegrid/tmux-status.sessions");
    wait_for("a save to begin", || {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut names = entries.map(|entry| entry.file_name().into_string().unwrap());
        names.any(|name| name.starts_with(".new-"))
    });
    server.run("kill-session -t =Work");
    assert!(running.wait().unwrap().success());
    assert!(saves(&server).is_empty() && !folder.join("latest").exists());
    assert!(!folder.join("done").exists(), "it is due again");
    // One that is killed leaves nothing that stays.
    let mut running = save.spawn().unwrap();
    wait_for("a save to begin", || {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut names = entries.map(|entry| entry.file_name().into_string().unwrap());
        names.any(|name| name.starts_with(".new-"))
    });
    running.kill().unwrap();
    running.wait().unwrap();
    assert!(server.helper(&["workspace", "save", "--background"]).status.success());
    assert_eq!(saves(&server).len(), 1);
    let hidden = fs::read_dir(&folder).unwrap().flatten();
    let left: Vec<_> = hidden
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(".new-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    // A newer one that cannot be read is no reason to have none.
    let bad = folder.join("2026-01-01T00.00.00Z");
    fs::create_dir(&bad).unwrap();
    fs::write(bad.join("tmux-server.yaml"), "{").unwrap();
    fs::remove_file(folder.join("latest")).unwrap();
    std::os::unix::fs::symlink("2026-01-01T00.00.00Z", folder.join("latest")).unwrap();
    server.run("kill-server");
    wait_for("the end of the server", || {
        !server.try_tmux(&["list-sessions"]).status.success()
    });
    let loaded = server.helper(&["workspace", "load", "-d", folder.to_str().unwrap()]);
    assert!(
        loaded.status.success() && words(&loaded).1.contains("a newer save is passed over"),
        "{loaded:?}"
    );
    let work: Vec<String> = before.into_iter().filter(|line| !line.starts_with("Work")).collect();
    looks_like(&server, &work);
}
