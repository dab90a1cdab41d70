//! Several servers, servers out of reach, and tmux programs that hang, are missing, are too old or answer oddly.

mod support;

use rustix::fs::{flock, FlockOperation};
use serde_json::{json, Value};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use support::{shell_word, signal, wait_for, words, Server, Stamp, HELPER};

/// Checks for a failure that is told on standard error, with all of `parts` in its words.
#[track_caller]
fn fails_with(out: &Output, parts: &[&str]) {
    let (stdout, stderr) = words(out);
    assert_eq!((out.status.code(), stdout.as_str()), (Some(1), ""), "{stderr}");
    assert!(stderr.starts_with("tmux-status: "), "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{part:?} is not in {stderr}");
    }
}

#[track_caller]
fn is_silent(out: &Output) {
    assert_eq!(
        (out.status.code(), words(out)),
        (Some(0), (String::new(), String::new()))
    );
}

fn start(mut command: Command) -> thread::JoinHandle<Output> {
    thread::spawn(move || command.output().unwrap())
}

#[test]
fn a_server_that_hangs_costs_a_deadline_and_no_file_and_the_next_look_heals() {
    let server = Server::quiet();
    server.refresh();
    let before = Stamp::of(&server.status_file());
    let pid = server.pid();
    server.run("rename-window -t work:0 renamed");
    signal(pid, "STOP");
    let helper = |args: &[&str]| {
        let mut command = server.command(HELPER);
        command.args(args);
        start(command)
    };
    let (by_hand, hook) = (helper(&["refresh"]), helper(&["refresh", "--hook", "window-renamed"]));
    let (show, doctor) = (helper(&["show"]), helper(&["doctor"]));
    fails_with(&by_hand.join().unwrap(), &["no answer within 5 s", "hint: "]);
    is_silent(&hook.join().unwrap());
    let show = show.join().unwrap();
    assert!(show.status.success() && words(&show).0.contains("work:0"), "{show:?}");
    let doctor = doctor.join().unwrap();
    assert_eq!(doctor.status.code(), Some(1));
    assert!(words(&doctor).0.contains("no answer within 5 s"), "{doctor:?}");
    assert_eq!(Stamp::of(&server.status_file()), before);
    signal(pid, "CONT");
    server.refresh();
    assert_eq!(server.names(), ["renamed"]);
    let told = words(&server.helper(&["doctor"])).0;
    assert!(
        told.contains("ago a hook's refresh failed: cannot look at the tmux server"),
        "{told}"
    );
}

#[test]
fn without_tmux_the_error_says_how_to_get_it() {
    let server = Server::quiet();
    server.refresh();
    let before = Stamp::of(&server.status_file());
    let run = |args: &[&str]| {
        server
            .command(HELPER)
            .args(args)
            .env("PATH", "/nonexistent")
            .output()
            .unwrap()
    };
    fails_with(
        &run(&["refresh"]),
        &["there is no tmux on PATH", "hint: install tmux 3.2"],
    );
    is_silent(&run(&["refresh", "--hook", "x"]));
    assert!(words(&run(&["show"])).0.contains("work:0"));
    assert!(words(&run(&["doctor"])).0.contains("there is no tmux on PATH"));
    assert_eq!(Stamp::of(&server.status_file()), before);
}

/// Has the helpers of `server` find a tmux that is the sh script `body`; `$tmux` there is the real one.
fn replace_tmux(server: &Server, body: &str) {
    let link = server.room().join("bin/tmux");
    let real = fs::read_link(&link).unwrap();
    fs::remove_file(link).unwrap();
    server.write_script("bin/tmux", &format!("tmux={}\n{body}", shell_word(&real)));
}

#[test]
fn a_tmux_older_than_3_2_is_refused_with_its_version_and_the_one_it_takes() {
    // What 3.1c does: it parses all of a sequence before it runs any of it, and knows neither of these two flags.
    let whole = "case \" $* \" in
        *' -V '*) echo 'tmux 3.1c'; exit;;
        *' -gh '*) echo 'usage: set-environment [-gru] [-t target-session] name [value]' >&2; exit 1;;
        *' -C '*) echo 'usage: run-shell [-b] [-t target-pane] shell-command' >&2; exit 1;;
        *) exec \"$tmux\" \"$@\" | sed \"s/$(\"$tmux\" -V | cut -d' ' -f2)/3.1c/\";;
        esac";
    // A server of 3.1c behind a client that is newer: the client parses, the server says who it is and fails later.
    let late =
        "\"$tmux\" \"$@\" | sed \"1s/$(\"$tmux\" -V | cut -d' ' -f2)/3.1c/;1q\"; echo 'unknown flag -C' >&2; exit 1";
    for body in [whole, late] {
        let server = Server::quiet();
        server.refresh();
        let before = Stamp::of(&server.status_file());
        replace_tmux(&server, body);
        fails_with(&server.helper(&["refresh"]), &["tmux 3.1c is too old", "3.2"]);
        is_silent(&server.helper(&["refresh", "--hook", "x"]));
        assert_eq!(Stamp::of(&server.status_file()), before);
        if body == whole {
            let told = words(&server.helper(&["doctor"])).0;
            assert!(told.contains("3.1c") && told.contains("too old"), "{told}");
        }
    }
}

#[test]
fn a_server_that_answers_the_loop_oddly_is_read_by_plain_calls_to_the_same_effect() {
    let server = Server::quiet();
    server.run("split-window -d -t work:0");
    server.tmux(&[
        "new-window",
        "-d",
        "-t",
        "work:",
        "-n",
        "asks",
        "printf 'Continue? [y/N] '; read answer",
    ]);
    server.run("send-keys -t work:0 some Space text Enter");
    wait_for("text and question", || {
        server.run("capture-pane -p -t work:0").contains("some text\nsome text")
            && server.run("capture-pane -p -t work:asks").contains("Continue?")
    });
    let mut right = Value::Null;
    wait_for("verdicts that stay", || {
        let before = right.clone();
        server.refresh_with(&["--full"]);
        right = server.status()["sessions"].clone();
        before == right
    });
    replace_tmux(
        &server,
        "case \" $* \" in
            *' -C '*) \"$tmux\" \"$@\" | sh \"$(dirname \"$0\")/spoil\";;
            *) echo plain >>\"$(dirname \"$0\")/plain\"; exec \"$tmux\" \"$@\";;
        esac",
    );
    let plain = server.room().join("bin/plain");
    for spoil in [
        "sed '$d'",
        "sed 1q",
        "sed 3q",
        "sed '2s/\t/ /'",
        "sed 's/^xn/yn/'",
        "sed '$p'",
        "sed 's/%0 /%9 /'",
        "cat; echo more",
        "sed -e '3s/.....$//' -e 3q",
    ] {
        fs::write(server.room().join("bin/spoil"), spoil).unwrap();
        let _ = fs::remove_file(&plain);
        let _ = fs::remove_file(server.status_file());
        server.refresh_with(&["--full"]);
        assert_eq!(server.status()["sessions"], right, "{spoil}");
        assert!(plain.exists(), "{spoil} was not odd enough");
    }
}

#[test]
fn the_drivers_lock_is_never_made_and_does_not_hinder() {
    let server = Server::quiet();
    server.refresh();
    let lock = server.status_file().with_file_name("tmux-status.lock");
    assert!(!lock.exists());
    server.helper(&["doctor"]);
    assert!(!lock.exists());
    let held = File::create(&lock).unwrap();
    flock(&held, FlockOperation::NonBlockingLockExclusive).unwrap();
    server.run("rename-window -t work:0 renamed");
    server.refresh();
    assert_eq!(server.names(), ["renamed"]);
    let told = words(&server.helper(&["doctor"])).0;
    assert!(told.contains("is held: a driver keeps the file fresh"), "{told}");
}

#[test]
fn a_stopped_refresh_that_holds_the_writers_lock_costs_patience_and_no_file() {
    let server = Server::quiet();
    server.refresh();
    let before = Stamp::of(&server.status_file());
    let pid = server.pid();
    signal(pid, "STOP");
    let mut holder = server
        .command(HELPER)
        .arg("refresh")
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lock = File::open(server.status_file().with_file_name("tmux-status.write.lock")).unwrap();
    wait_for("the lock to be held", || {
        let free = flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok();
        let _ = flock(&lock, FlockOperation::Unlock);
        !free
    });
    signal(holder.id(), "STOP");
    signal(pid, "CONT");
    server.run("rename-window -t work:0 renamed");
    let out = server.helper(&["refresh"]);
    let (stdout, stderr) = words(&out);
    assert_eq!((out.status.code(), stderr.as_str()), (Some(1), ""), "{stdout}");
    assert!(
        stdout.contains("tmux-status.write.lock is held by another process") && stdout.contains("the old file stays"),
        "{stdout}"
    );
    assert_eq!(Stamp::of(&server.status_file()), before);
    holder.kill().unwrap();
    holder.wait().unwrap();
    server.refresh();
    assert_eq!(server.names(), ["renamed"]);
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn two_servers_have_two_files_and_neither_touches_the_other() {
    let server = Server::quiet();
    server.run("-L other new-session -d -s elsewhere");
    server.refresh();
    assert_eq!(server.files().len(), 3, "{:?}", server.files());
    let before = Stamp::of(&server.status_file());
    let out = server.helper(&["-L", "other", "refresh"]);
    is_silent(&out);
    assert_eq!(Stamp::of(&server.status_file()), before);
    let other = server.status_file().with_file_name("tmux-status@other.json");
    assert_eq!(read(&other)["sessions"][0]["name"], "elsewhere");
    let names = server.files();
    assert!(names.contains(&"tmux-status@other.state.json".to_owned()), "{names:?}");
    assert!(names.contains(&"tmux-status@other.write.lock".to_owned()), "{names:?}");
    let before = Stamp::of(&other);
    server.run("rename-session -t work renamed");
    server.refresh();
    assert_eq!(server.status()["sessions"][0]["name"], "renamed");
    assert_eq!(Stamp::of(&other), before);
    server.run("kill-server");
    is_silent(&server.helper(&["refresh"]));
    assert_eq!(server.status()["sessions"], json!([]));
    assert_eq!(Stamp::of(&other), before);
}

#[test]
fn a_socket_elsewhere_has_one_file_however_it_is_named() {
    let server = Server::quiet();
    let folder = server.room().join("el se,x");
    fs::create_dir_all(folder.join("deeper")).unwrap();
    std::os::unix::fs::symlink(&folder, server.room().join("link")).unwrap();
    let socket = folder.join("s%");
    server.tmux(&["-S", socket.to_str().unwrap(), "new-session", "-d", "-s", "elsewhere"]);
    std::os::unix::fs::symlink(&socket, server.room().join("socket")).unwrap();
    let spellings = [
        socket.clone(),
        server.room().join("link/s%"),
        folder.join("deeper/../s%"),
        PathBuf::from("el se,x/./s%"),
        server.room().join("socket"),
    ];
    for spelling in &spellings {
        is_silent(&server.helper(&["-S", spelling.to_str().unwrap(), "refresh"]));
    }
    let room = server.room().to_str().unwrap().replace('/', "%2F");
    let id = format!("tmux-status@{room}%2Fel%20se%2Cx%2Fs%25");
    let all = [".json", ".state.json", ".write.lock"].map(|ending| format!("{id}{ending}"));
    assert_eq!(server.files(), all);
    // As from one of its panes.
    let variable = format!("{},1,0", socket.display());
    is_silent(
        &server
            .command(HELPER)
            .arg("refresh")
            .env("TMUX", variable)
            .output()
            .unwrap(),
    );
    assert_eq!(server.files(), all);
    assert_eq!(
        read(&server.status_file().with_file_name(&all[0]))["sessions"][0]["name"],
        "elsewhere"
    );
}

/// A folder for sockets, within the room.
fn another_folder(server: &Server) -> PathBuf {
    let folder = server.room().join("sockets");
    fs::create_dir(&folder).unwrap();
    folder
}

#[test]
fn a_look_through_another_folder_of_sockets_leaves_a_living_servers_file_alone() {
    let server = Server::quiet();
    server.refresh();
    let files = || [Stamp::of(&server.status_file()), Stamp::of(&server.state_file())];
    let before = files();
    let folder = another_folder(&server);
    let helper = |args: &[&str]| {
        server
            .command(HELPER)
            .args(args)
            .env("TMUX_TMPDIR", &folder)
            .output()
            .unwrap()
    };
    for args in [["refresh"].as_slice(), &["refresh", "--full"]] {
        let out = helper(args);
        let (stdout, stderr) = words(&out);
        assert_eq!(
            (out.status.code(), stdout.as_str(), stderr.lines().count()),
            (Some(0), "", 1),
            "{stderr}"
        );
        assert!(stderr.contains("no server at ") && stderr.contains("stays"), "{stderr}");
        assert_eq!(files(), before);
    }
    is_silent(&helper(&["refresh", "--hook", "x"]));
    assert_eq!(files(), before);

    let tmux = |args: &[&str]| {
        let mut command = server.command(server.room().join("bin/tmux"));
        let out = command
            .args(["-f", "/dev/null"])
            .args(args)
            .env("TMUX_TMPDIR", &folder)
            .output()
            .unwrap();
        assert!(out.status.success(), "{out:?}");
    };
    tmux(&["new-session", "-d", "-s", "elsewhere", "exec cat"]);
    for args in [["refresh"].as_slice(), &["refresh", "--full"]] {
        fails_with(&helper(args), &["belongs to the server ", "which lives", "hint: "]);
        assert_eq!(files(), before);
    }
    is_silent(&helper(&["refresh", "--hook", "x"]));
    assert_eq!(files(), before);
    let told = words(&helper(&["doctor"])).0;
    assert!(told.contains("the files belong to the server "), "{told}");

    // Once the first server has ended, its place is free.
    server.run("kill-server");
    is_silent(&helper(&["refresh"]));
    assert_eq!(server.status()["sessions"][0]["name"], "elsewhere");
}

#[test]
fn a_new_server_at_a_socket_whose_old_one_is_out_of_reach_takes_the_file_over() {
    let server = Server::quiet();
    server.refresh();
    let (old, before) = (server.pid(), Stamp::of(&server.status_file()));
    let socket = PathBuf::from(server.run("display-message -p #{socket_path}"));
    fs::remove_file(&socket).unwrap();
    // Out of reach is not gone: SIGUSR1 has tmux make its socket again.
    let out = server.helper(&["refresh"]);
    assert!(out.status.success() && words(&out).1.contains("stays"), "{out:?}");
    assert_eq!(Stamp::of(&server.status_file()), before);
    server.run("new-session -d -s newer");
    server.refresh();
    assert_eq!(server.status()["sessions"][0]["name"], "newer");
    signal(old, "TERM");
}

#[test]
fn a_new_server_whose_socket_is_spelled_otherwise_takes_the_file_over_as_well() {
    let server = Server::quiet();
    let folder = another_folder(&server);
    let link = server.room().join("link");
    std::os::unix::fs::symlink(&folder, &link).unwrap();
    let start = |folder: &Path, name: &str| {
        let socket = folder.join("s");
        server.tmux(&["-S", socket.to_str().unwrap(), "new-session", "-d", "-s", name]);
        is_silent(&server.helper(&["-S", socket.to_str().unwrap(), "refresh"]));
        server.tmux(&["-S", socket.to_str().unwrap(), "display-message", "-p", "#{pid}"])
    };
    let old = start(&folder, "older");
    fs::remove_file(folder.join("s")).unwrap();
    start(&link, "newer");
    signal(old.parse().unwrap(), "TERM");
}

#[test]
fn hooks_and_options_of_one_session_do_not_stand_for_the_servers() {
    let server = Server::quiet();
    server.source_plugin();
    server.tmux(&["set-hook", "-t", "work", "window-renamed", "display-message x"]);
    let own = server.room().join("own.json");
    server.tmux(&["set-option", "-t", "work", "@tmux-status-file", own.to_str().unwrap()]);
    let log = server.log_tmux_calls();
    server.refresh_with(&["--full"]);
    assert_eq!(
        fs::read_to_string(log).unwrap().lines().count(),
        1,
        "hooks were put back that are all there"
    );
    assert!(!own.exists());
}
