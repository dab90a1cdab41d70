//! What is written, when, and what is left alone: on real tmux, with real folders and disks.

mod support;

use serde_json::{json, Value};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use support::{now, runs, signal, wait_for, words, Server, Stamp};

#[test]
fn without_a_server_the_file_is_empty_and_its_folder_is_the_users_alone() {
    let server = Server::setup().prepare();
    server.refresh();
    assert_eq!(server.status()["sessions"], json!([]));
    let folder = fs::metadata(server.status_file().parent().unwrap()).unwrap();
    assert_eq!(folder.permissions().mode() & 0o777, 0o700);
    let file = fs::metadata(server.status_file()).unwrap();
    assert_eq!(file.permissions().mode() & 0o077, 0);
}

/// The ways in which a server ends.
const ENDS: [&str; 4] = ["exit", "kill-session", "kill-server", "kill -9"];

fn end(server: &Server, how: &str) {
    match how {
        "exit" => drop(server.run("send-keys -t work: exit Enter")),
        "kill -9" => signal(server.pid(), "KILL"),
        command => drop(server.try_tmux(&[command])),
    }
}

#[test]
fn after_the_end_of_the_server_however_it_came_the_next_refresh_empties_the_file() {
    for attached in [false, true] {
        for how in ENDS {
            let server = Server::start();
            let _terminal = attached.then(|| server.attach());
            server.refresh();
            assert_eq!(server.names().len(), 1);
            end(&server, how);
            if how == "exit" {
                wait_for("the shell to exit", || {
                    !server.try_tmux(&["list-sessions"]).status.success()
                });
            }
            // At once, while the server's process may still be busy with ending.
            server.refresh();
            assert_eq!(server.status()["sessions"], json!([]), "{how}, attached: {attached}");
        }
    }
}

#[test]
fn a_server_that_takes_its_time_to_end_is_waited_for() {
    for how in ["kill-server", "kill -9"] {
        for _ in 0..5 {
            let server = Server::quiet();
            // Many processes and terminals make a slow end.
            server.open_windows(150);
            server.refresh();
            end(&server, how);
            server.refresh();
            assert_eq!(server.status()["sessions"], json!([]), "{how}");
        }
    }
}

#[test]
fn the_last_session_that_closes_under_a_client_empties_the_file_without_a_refresh() {
    for how in ["exit", "kill-session", "kill-server"] {
        let server = Server::start();
        server.source_plugin();
        let _terminal = server.attach();
        wait_for("the client in the file", || {
            server.status()["sessions"][0]["attached"] == true
        });
        end(&server, how);
        wait_for(&format!("an empty file after {how}"), || {
            server.status()["sessions"] == json!([])
        });
    }
}

fn stamps(server: &Server) -> [Stamp; 2] {
    [Stamp::of(&server.status_file()), Stamp::of(&server.state_file())]
}

/// CPU ticks that a process has used.
fn ticks(pid: &str) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<_> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[test]
fn a_look_that_changes_nothing_writes_nothing_not_even_for_a_process_that_computes() {
    let server = Server::quiet();
    server.run("new-window -d -t work: -n quiet");
    server.tmux(&["new-window", "-d", "-t", "work:", "-n", "busy", "while :; do :; done"]);
    wait_for("the loop to be judged active", || {
        server.refresh();
        server.status()["sessions"][0]["windows"][2]["statusKind"] == "active"
    });
    let busy = server.run("display-message -p -t work:busy #{pane_pid}");
    server.refresh_with(&["--full"]);
    let (before, started) = (stamps(&server), now());
    let mut mark = ticks(&busy);
    for _ in 0..2 {
        // As long as a look needs to count for movement.
        wait_for("a second of computing", || ticks(&busy) > mark + 100);
        mark = ticks(&busy);
        server.refresh();
        // A machine so slow that the file has come of age meanwhile proves nothing.
        if now() - started < 50 {
            assert_eq!(stamps(&server), before);
        }
    }
}

#[test]
fn a_full_refresh_writes_both_files_although_nothing_changed() {
    let server = Server::quiet();
    wait_for("a verdict that stays", || {
        server.refresh_with(&["--full"]);
        server.status()["sessions"][0]["windows"][0]["statusKind"] == "waiting"
    });
    server.refresh();
    let before = stamps(&server);
    server.refresh_with(&["--full"]);
    let after = stamps(&server);
    assert!(before[0] != after[0] && before[1] != after[1]);
}

#[test]
fn a_file_that_is_a_minute_old_or_of_a_time_to_come_is_written_although_nothing_changed() {
    let server = Server::quiet();
    server.refresh();
    for time in [now() - 61, now() + 3600] {
        let mut file = server.status();
        file["generatedAt"] = json!(time);
        fs::write(server.status_file(), serde_json::to_vec_pretty(&file).unwrap()).unwrap();
        let before = stamps(&server);
        server.refresh();
        let after = stamps(&server);
        assert!(before[0] != after[0] && before[1] != after[1]);
        assert!(server.status()["generatedAt"].as_u64().unwrap() <= now());
    }
}

#[test]
fn what_only_the_state_shows_is_written_to_the_state_alone() {
    let server = Server::quiet();
    server.run("split-window -d -t work:0");
    server.run("split-window -d -t work:0.1");
    server.refresh_with(&["--full"]);
    let (before, order) = (stamps(&server), server.state()["windows"]["@0"]["panes"].clone());
    // The order of panes that do not speak is no part of the status file.
    server.run("swap-pane -d -s work:0.1 -t work:0.2");
    server.refresh();
    let after = stamps(&server);
    assert_ne!(server.state()["windows"]["@0"]["panes"], order);
    assert_eq!(before[0], after[0]);
    assert_ne!(before[1], after[1]);
}

#[test]
fn a_refresh_is_one_tmux_process_for_one_window_and_for_two_hundred() {
    let server = Server::quiet();
    let log = server.log_tmux_calls();
    let calls = |args: &[&str]| {
        let _ = fs::remove_file(&log);
        server.refresh_with(args);
        fs::read_to_string(&log).unwrap()
    };
    for windows in [1, 200] {
        let missing = windows - server.names().len().max(1);
        server.open_windows(missing);
        for args in [[].as_slice(), &["--full"], &[]] {
            let calls = calls(args);
            assert_eq!(calls.lines().count(), 1, "{windows} windows, {args:?}: {calls}");
        }
        assert_eq!(server.names().len(), windows);
    }
}

/// Has the server note the pane of every capture, and returns what reads and clears the notes.
fn note_captures(server: &Server) -> impl Fn() -> Vec<String> + '_ {
    server.tmux(&[
        "set-hook",
        "-g",
        "after-capture-pane",
        "set-option -gaF @captured '#{pane_id} '",
    ]);
    || {
        let panes = server.run("show-options -gqv @captured");
        server.run("set-option -gu @captured");
        let mut panes: Vec<_> = panes.split_whitespace().map(str::to_owned).collect();
        panes.sort();
        panes
    }
}

/// Takes a full look in a second in which no window has moved, so that the next one knows all of them as quiet.
fn settle_down(server: &Server) {
    wait_for("a second without output", || {
        let moved = server.run("list-windows -a -F #{window_activity}");
        moved.lines().all(|second| second.parse::<u64>().unwrap() < now())
    });
    server.refresh_with(&["--full"]);
}

#[test]
fn only_windows_with_output_are_captured_and_all_of_them_by_a_full_look() {
    let server = Server::quiet();
    for _ in 0..4 {
        server.run("new-window -d -t work:");
    }
    server.refresh();
    wait_for("every window to wait for its terminal", || {
        server.refresh_with(&["--full"]);
        let file = server.status();
        let windows = file["sessions"][0]["windows"].as_array().unwrap();
        windows.iter().all(|window| window["statusKind"] == "waiting")
    });
    let captured = note_captures(&server);
    settle_down(&server);
    assert_eq!(captured(), ["%0", "%1", "%2", "%3", "%4"]);
    server.refresh();
    assert_eq!(captured(), [""; 0]);
    server.run("send-keys -t work:3 word Enter");
    wait_for("the echo", || {
        server.run("capture-pane -p -t work:3").contains("word\nword")
    });
    captured();
    server.refresh();
    assert_eq!(captured(), ["%3"]);
}

#[test]
fn a_state_that_looked_in_the_future_is_no_reason_to_skip_a_window() {
    let server = Server::quiet();
    server.run("new-window -d -t work:");
    server.refresh();
    let captured = note_captures(&server);
    server.edit_state(|state| state["looked_at"] = json!(now() + 3600));
    server.refresh();
    assert_eq!(captured(), ["%0", "%1"]);
}

#[test]
fn a_clock_that_was_set_back_does_not_freeze_what_is_published() {
    let server = Server::quiet();
    // Nothing but movement tells what this one does.
    server.run("new-window -d -t work: -n still sleep 1000");
    let window = |at: usize| server.status()["sessions"][0]["windows"][at].clone();
    wait_for("verdicts of rest", || {
        server.refresh_with(&["--full"]);
        window(0)["statusKind"] == "waiting" && window(1)["statusKind"] == "running"
    });
    let right = [window(0), window(1)];
    server.edit_state(|state| {
        let later = |value: &mut Value, by: u64| *value = json!(value.as_u64().unwrap() + by);
        for time in ["looked_at", "full_at", "generated_at"] {
            later(&mut state[time], 3600);
        }
        for pane in state["panes"].as_object_mut().unwrap().values_mut() {
            later(&mut pane["memory"]["at_ms"], 3_600_000);
            later(&mut pane["memory"]["since"], 3600);
        }
        let pane = &mut state["panes"]["%1"]["memory"];
        pane["verdict"]["kind"] = json!("active");
        pane["verdict"]["volatile"] = json!(true);
        pane["verdict"]["summary"] = json!("sleep is busy");
        pane["change"] = json!({
            "elapsed_ms": 1000, "screen": true, "above": true, "cursor": true, "output": true, "cpu_ticks": 99
        });
    });
    wait_for("true verdicts", || {
        server.refresh_with(&["--full"]);
        [window(0), window(1)] == right
    });
    for window in server.state()["windows"].as_object().unwrap().values() {
        assert!(window["since"].as_u64().unwrap() <= now(), "{window}");
    }
}

#[test]
fn a_state_that_cannot_be_read_is_forgotten_without_a_word() {
    let server = Server::quiet();
    server.run("new-window -d -t work: -n second");
    server.refresh();
    // What is remembered of windows that are quiet would be believed.
    settle_down(&server);
    let whole = fs::read(server.state_file()).unwrap();
    let mut other = server.state();
    other["version"] = json!(999);
    other["panes"]["%0"]["memory"]["verdict"]["summary"] = json!("of another version");
    let bad: [(&str, Vec<u8>); 8] = [
        ("cut", whole[..whole.len() / 2].to_vec()),
        ("of another version", serde_json::to_vec(&other).unwrap()),
        ("empty", Vec::new()),
        ("binary", (0..=255).cycle().take(5000).collect()),
        (
            "huge",
            format!("{{\"version\": \"{}\"}}", "x".repeat(20_000_000)).into_bytes(),
        ),
        ("deep", "[".repeat(1_000_000).into_bytes()),
        ("of another shape", b"[1, 2]".to_vec()),
        ("too long", [whole.as_slice(), b"}"].concat()),
    ];
    for (what, bytes) in bad {
        fs::write(server.state_file(), &bytes).unwrap();
        let _ = fs::remove_file(server.status_file());
        server.refresh();
        assert_eq!(server.names().len(), 2, "{what}");
        assert_ne!(
            server.status()["sessions"][0]["windows"][0]["summary"],
            "of another version"
        );
        assert_eq!(server.state()["panes"].as_object().unwrap().len(), 2, "{what}");
    }
}

#[test]
fn a_status_file_that_someone_damaged_is_mended_by_the_next_look() {
    let server = Server::quiet();
    server.refresh();
    let whole = fs::read(server.status_file()).unwrap();
    let mut other = server.status();
    other["sessions"][0]["name"] = json!("another");
    for bytes in [
        whole[..whole.len() / 2].to_vec(),
        Vec::new(),
        vec![0xff, 0, 0x80],
        b"null".to_vec(),
        serde_json::to_vec(&other).unwrap(),
    ] {
        fs::write(server.status_file(), bytes).unwrap();
        server.refresh();
        assert_eq!(server.status()["sessions"][0]["name"], "work");
    }
    fs::remove_file(server.status_file()).unwrap();
    server.refresh();
    assert_eq!(server.names().len(), 1);
}

#[test]
fn a_link_in_place_of_a_file_is_replaced_and_so_is_what_a_crash_left_behind() {
    let server = Server::start();
    server.refresh();
    let mine = server.room().join("mine");
    for file in [server.status_file(), server.state_file()] {
        fs::write(&mine, "mine").unwrap();
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink(&mine, &file).unwrap();
        let mut left = file.clone().into_os_string();
        left.push(".tmp");
        fs::write(left, "half a fi").unwrap();
        server.refresh_with(&["--full"]);
        assert!(fs::symlink_metadata(&file).unwrap().is_file());
        assert_eq!(fs::read(&mine).unwrap(), b"mine");
        assert_eq!(server.names().len(), 1);
        assert!(
            !server.files().iter().any(|name| name.ends_with(".tmp")),
            "{:?}",
            server.files()
        );
    }
}

#[test]
fn a_state_folder_that_is_not_absolute_is_passed_over() {
    let server = Server::setup().env("XDG_STATE_HOME", "state").start();
    server.refresh();
    assert!(!server.status_file().exists());
    let file = server.room().join("home/.local/state/thegrid/tmux-status.json");
    let file: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert_eq!(file["sessions"][0]["name"], "work");
}

#[test]
fn without_any_place_for_the_files_the_error_says_what_to_set_and_a_hook_says_nothing() {
    let server = Server::start();
    let run = |args: &[&str]| {
        let mut command = server.command(support::HELPER);
        command
            .args(args)
            .env_remove("XDG_STATE_HOME")
            .env("HOME", "home")
            .output()
            .unwrap()
    };
    let out = run(&["refresh"]);
    let (stdout, stderr) = words(&out);
    assert_eq!((out.status.code(), stdout.as_str()), (Some(1), ""), "{stderr}");
    assert!(stderr.contains("XDG_STATE_HOME") && stderr.contains("HOME"), "{stderr}");
    let out = run(&["refresh", "--hook", "x"]);
    assert_eq!(
        (out.status.code(), words(&out)),
        (Some(0), (String::new(), String::new()))
    );
}

#[test]
fn the_status_file_is_where_the_user_wants_it_and_is_emptied_there_when_the_server_ends() {
    let server = Server::start();
    let file = server.room().join("my own/place/status.json");
    server.tmux(&["set-option", "-g", "@tmux-status-file", file.to_str().unwrap()]);
    server.refresh();
    let read = || serde_json::from_slice::<Value>(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(read()["sessions"][0]["name"], "work");
    assert!(!server.status_file().exists());
    let pid = server.pid();
    server.run("kill-server");
    wait_for("the end of the server", || !runs(pid));
    server.refresh();
    assert_eq!(read()["sessions"], json!([]));
}

#[test]
fn for_option_values_that_mean_nothing_the_default_holds_and_doctor_tells() {
    let server = Server::start();
    server.run("set-option -g @tmux-status-file status.json");
    server.run("set-option -g @tmux-status-panes everything");
    server.run("set-option -g @tmux-status-flie /tmp/x");
    // The default: a pane with a question speaks although it is not the active one.
    server.tmux(&[
        "split-window",
        "-d",
        "-t",
        "work:0",
        "printf 'Continue? [y/N] '; read answer",
    ]);
    wait_for("the question", || {
        server.refresh();
        server.status()["sessions"][0]["windows"][0]["summary"]
            .as_str()
            .unwrap()
            .starts_with("pane 1: ")
    });
    assert!(!server.room().join("status.json").exists());
    let out = server.helper(&["doctor"]);
    let told = words(&out).0;
    assert_eq!(out.status.code(), Some(1), "{told}");
    for words in [
        "@tmux-status-file is \"status.json\": it must be an absolute path",
        "@tmux-status-panes is \"everything\": it may be attention or active",
        "@tmux-status-flie is no option of this plugin",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
}
