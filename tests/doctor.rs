//! What `doctor` finds, on real servers, and that what it says to type mends it.

mod support;

use rustix::fs::{flock, inotify, FlockOperation};
use rustix::io::Errno;
use std::fs::{self, File};
use std::mem::MaybeUninit;
use std::path::Path;
use std::time::Instant;
use support::{runs, signal, wait_for, words, Server, DEADLINE, HELPER};

fn doctor(server: &Server) -> String {
    words(&server.helper(&["doctor"])).0
}

/// The advice below the finding that has `words` in it.
#[track_caller]
fn advice(told: &str, words: &str) -> String {
    let mut lines = told.lines().skip_while(|line| !line.contains(words));
    lines.next().unwrap_or_else(|| panic!("{words:?} is not in {told}"));
    let advice = lines.next().and_then(|line| line.trim().strip_prefix("-> "));
    advice
        .unwrap_or_else(|| panic!("no advice for {words:?} in {told}"))
        .to_owned()
}

/// Types the command behind `after` to a shell.
#[track_caller]
fn type_in(server: &Server, advice: &str, after: &str) {
    let (_, command) = advice
        .split_once(after)
        .unwrap_or_else(|| panic!("{after:?} is not in {advice}"));
    let out = server.command("sh").args(["-c", command]).output().unwrap();
    assert!(out.status.success(), "{command}: {out:?}");
}

#[test]
fn a_helper_that_hangs_is_not_waited_for() {
    let server = Server::quiet();
    server.source_plugin();
    let hangs = server.write_script("hangs", "exec sleep 1000");
    server.tmux(&["set-option", "-g", "@tmux-status-bin-resolved", hangs.to_str().unwrap()]);
    let start = Instant::now();
    let told = doctor(&server);
    assert!(told.contains("hangs, which does not answer within 2 s"), "{told}");
    assert!(start.elapsed() < DEADLINE, "{:?}", start.elapsed());
    wait_for("its end", || server.processes_with("sleep 1000").is_empty());
    let gone = server.room().join("gone");
    server.tmux(&["set-option", "-g", "@tmux-status-bin-resolved", gone.to_str().unwrap()]);
    let told = doctor(&server);
    assert!(told.contains("gone, which cannot be run: No such file"), "{told}");
    assert!(advice(&told, "cannot be run").contains("/scripts/build"), "{told}");
}

#[test]
fn hooks_of_a_session_a_window_and_a_pane_that_hide_ours_are_found_and_the_advice_removes_them() {
    let server = Server::quiet();
    server.source_plugin();
    let trace = server.room().join("PWN");
    let evil = format!("x'; touch {}; echo '", trace.display());
    server.tmux(&["new-session", "-d", "-s", &evil]);
    let id = server.tmux(&[
        "display-message",
        "-p",
        "-t",
        &evil,
        "#{session_id} #{window_id} #{pane_id}",
    ]);
    let ids: Vec<_> = id.split(' ').collect();
    server.tmux(&["set-hook", "-t", ids[0], "session-renamed", "display-message x"]);
    server.tmux(&["set-hook", "-t", ids[0], "after-copy-mode", "display-message harmless"]);
    server.tmux(&["set-hook", "-w", "-t", ids[1], "window-renamed", "display-message x"]);
    server.tmux(&["set-hook", "-p", "-t", ids[2], "pane-died", "display-message x"]);
    let told = doctor(&server);
    assert!(!told.contains("PWN") && !told.contains("after-copy-mode"), "{told}");
    for (place, id, hook) in [
        ("session", ids[0], "session-renamed"),
        ("window", ids[1], "window-renamed"),
        ("pane", ids[2], "pane-died"),
    ] {
        let found = format!("{place} {id} has hooks of its own, which hide ours there: {hook}");
        type_in(&server, &advice(&told, &found), "then: ");
    }
    assert!(!doctor(&server).contains("hooks of its own"), "{}", doctor(&server));
    assert!(!trace.exists());
}

#[test]
fn what_is_set_in_one_session_does_not_pass_for_the_servers() {
    let server = Server::quiet();
    server.source_plugin();
    for (name, value) in [
        ("@tmux-status-bin-resolved", "/nowhere/helper"),
        ("@tmux-status-path", "/nowhere/status.json"),
        ("@tmux-status-state-path", "/nowhere/state.json"),
        ("@tmux-status-file", "relative"),
    ] {
        server.tmux(&["set-option", "-t", "work", name, value]);
    }
    server.tmux(&["set-hook", "-t", "work", "session-renamed", "display-message x"]);
    let told = doctor(&server);
    assert!(
        told.contains("all hooks are set") && !told.contains("/nowhere"),
        "{told}"
    );
    assert!(!told.contains("relative"), "{told}");
    let table = words(&server.helper(&["show"])).0;
    assert!(table.contains("work:0"), "{table}");
}

#[test]
fn a_plugin_loaded_before_there_was_a_helper_is_told_how_to_build_and_load() {
    let server = Server::quiet();
    server.source();
    wait_for("the plugin's name for its folder", || {
        !server.run("show-options -gqv @tmux-status-source").is_empty()
    });
    let told = doctor(&server);
    let advice = advice(&told, "is loaded without a helper");
    let plugin = server.plugin().display().to_string();
    assert!(advice.contains(&format!("{plugin}/scripts/build")), "{told}");
    assert!(
        !told.contains("not loaded in this server") && !told.contains("cargo build"),
        "{told}"
    );
    server.use_helper(Path::new(HELPER));
    type_in(&server, &advice, "load it: ");
    wait_for("the plugin with its helper", || {
        !doctor(&server).contains("without a helper")
    });
}

#[test]
fn a_chosen_helper_that_does_not_run_is_named() {
    let server = Server::quiet();
    server.source_plugin();
    assert!(!doctor(&server).contains("do not run the helper"));
    let other = server.write_script("other", "echo 77");
    server.use_helper(&other);
    let told = doctor(&server);
    assert!(
        told.contains("hooks do not run the helper of @tmux-status-bin: ") && told.contains("speaks protocol \"77\""),
        "{told}"
    );
}

#[test]
fn a_server_that_was_killed_is_told_from_one_that_lives() {
    let server = Server::quiet();
    server.refresh();
    assert!(!doctor(&server).contains("has ended"));
    let pid = server.pid();
    signal(pid, "KILL");
    wait_for("its end", || !runs(pid));
    let told = doctor(&server);
    assert!(
        told.contains("note ") && told.contains(&format!("of the server {pid}, which has ended")),
        "{told}"
    );
    server.refresh();
    assert!(!doctor(&server).contains("has ended"));
}

#[test]
fn advice_acts_on_the_server_that_was_named() {
    let server = Server::quiet();
    server.source_plugin();
    server.run("set-hook -t work session-renamed display-message");
    server.run("set-hook -gu session-renamed");
    let socket = server.run("display-message -p #{socket_path}");
    let told = words(&server.helper(&["-S", &socket, "doctor"])).0;
    assert!(told.contains(&format!("tmux -S {socket} set-hook -u -t ")), "{told}");
    assert!(
        told.contains(&format!("tmux-status -S {socket} refresh puts them back")),
        "{told}"
    );
    let told = words(&server.helper(&["-L", "a name", "doctor"])).0;
    assert!(told.contains("tmux-status -L 'a name' refresh"), "{told}");
}

#[test]
fn locks_are_never_taken_not_even_for_an_instant() {
    let server = Server::quiet();
    server.refresh();
    let paths = ["tmux-status.lock", "tmux-status.write.lock"].map(|name| server.status_file().with_file_name(name));
    let opened = inotify::init(inotify::CreateFlags::NONBLOCK | inotify::CreateFlags::CLOEXEC).unwrap();
    for path in &paths {
        File::create(path).unwrap();
        inotify::add_watch(&opened, path, inotify::WatchFlags::OPEN).unwrap();
    }
    doctor(&server);
    let mut buffer = [MaybeUninit::uninit(); 1024];
    let event = inotify::Reader::new(&opened, &mut buffer)
        .next()
        .map(|event| event.events());
    assert_eq!(event, Err(Errno::WOULDBLOCK));
    let held = File::create(&paths[1]).unwrap();
    flock(&held, FlockOperation::NonBlockingLockExclusive).unwrap();
    let told = doctor(&server);
    assert!(
        told.contains(&format!("is held by process {}", std::process::id())),
        "{told}"
    );
}

#[test]
fn a_folder_that_is_missing_is_not_made_and_nothing_is_left_in_one_that_is_there() {
    let server = Server::quiet();
    let folder = server.status_file().parent().unwrap().to_owned();
    let told = doctor(&server);
    assert!(told.contains("is not there yet") && !folder.exists(), "{told}");
    server.refresh();
    let before = server.files();
    assert!(doctor(&server).contains(&format!("{} is writable", folder.display())));
    assert_eq!(server.files(), before);
    fs::remove_dir_all(folder).unwrap();
}
