//! All sessions of a server: saved by hand and by themselves, and loaded again after its end.

#[path = "support/mod.rs"]
mod support;
#[path = "support/workspace.rs"]
mod workspace;

use serde_json::{json, Value};
use std::fs;
use support::{wait_for, words, Server};
use workspace::{made_by, starts};

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
    assert!(words(&again).1.contains("or name another folder"), "{again:?}");
    let deep = server.room().join("no/such");
    let none = server.helper(&["workspace", "save", "--all", deep.to_str().unwrap()]);
    let told = words(&none).1;
    let parent = server.room().join("no");
    assert!(
        none.status.code() == Some(1) && told.contains(&format!("mkdir -p {}", parent.display())),
        "{told}"
    );
    assert!(!parent.exists());
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

/// Which window of which session is at which index, with the current and the last one: a window by its number among all.
fn shared_windows(server: &Server) -> Vec<String> {
    let format = "#{window_id} #{window_index} #{window_active}#{window_last_flag} #{session_group} #{session_name}";
    let windows = server.tmux(&["list-windows", "-a", "-F", format]);
    let lines = || windows.lines().map(|line| line.split_once(' ').unwrap());
    let mut ids: Vec<u32> = lines().map(|(id, _)| id[1..].parse().unwrap()).collect();
    ids.sort();
    ids.dedup();
    lines()
        .map(|(id, line)| {
            let number = ids.iter().position(|known| id[1..] == known.to_string()).unwrap();
            format!("{number} {line}")
        })
        .collect()
}

#[test]
fn sessions_that_share_their_windows_share_them_after_the_reboot_too() {
    let lines = "new-window -t work:2 -n two\nnew-window -t work:5 -n five\nnew-session -d -t work -s 'g 2'\n\
                 new-session -d -s other -n x\nnew-session -d -t work -s g3\nset-option -t g3 mouse on\n\
                 select-window -t work:2\nselect-window -t work:0\n\
                 select-window -t 'g 2:2'\nselect-window -t 'g 2:5'\n";
    let server = made_by("set -g default-command 'exec cat'\n", lines);
    starts(&server);
    let (before, order) = (shared_windows(&server), picture(&server));
    let folder = server.room().join("saved");
    let place = format!("{}/", folder.display());
    let saved = server.helper(&["workspace", "save", "--all", &place, "--json"]);
    assert!(saved.status.success(), "{saved:?}");
    let told: Value = serde_json::from_slice(&saved.stdout).unwrap();
    assert_eq!(
        told["sessions"][1],
        json!({"session_name": "g 2", "same_windows_as": "work"})
    );
    let lost = "g3: the session has options of its own (mouse), which are left out";
    assert_eq!(told["warnings"], json!([lost]));
    assert!(!folder.join("g 2.yaml").exists() && folder.join("other.yaml").exists());
    // One alone says what becomes of it.
    let frozen = server.helper(&["workspace", "freeze", "g3", "--json"]);
    assert!(words(&frozen).1.contains("loaded, it has its own"), "{frozen:?}");
    let end = || {
        server.run("kill-server");
        wait_for("the end of the server", || {
            !server.try_tmux(&["list-sessions"]).status.success()
        });
    };
    end();
    let dry = server.helper(&["workspace", "load", "--dry-run", &place]);
    assert!(words(&dry).0.contains("g 2 with the windows of work"), "{dry:?}");
    let loaded = server.helper(&["workspace", "load", "-d", &place]);
    assert!(loaded.status.success(), "{loaded:?}");
    assert!(words(&loaded).0.contains("g 2: the windows of work\n"), "{loaded:?}");
    assert_eq!(shared_windows(&server), before);
    looks_like(&server, &order);
    // What runs stays; what does not comes back to what is there.
    server.tmux(&["kill-session", "-t", "=g 2"]);
    let loaded = server.helper(&["workspace", "load", "-d", &place, "--json"]);
    assert!(loaded.status.success(), "{loaded:?}");
    let told: Value = serde_json::from_slice(&loaded.stdout).unwrap();
    assert_eq!(told["results"][0]["same_windows_as"], "work");
    assert_eq!(shared_windows(&server), before);
    // Without the first, there is nothing to share.
    end();
    fs::remove_file(folder.join("work.yaml")).unwrap();
    let loaded = server.helper(&["workspace", "load", "-d", &place]);
    assert_eq!(loaded.status.code(), Some(1), "{loaded:?}");
    assert!(words(&loaded).1.contains("the session g3 is left out"), "{loaded:?}");
    assert_eq!(server.tmux(&["list-sessions", "-F", "#{session_name}"]), "other");
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
