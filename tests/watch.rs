//! The driver: what nobody refreshes by hand is in the file all the same, and nothing that happens to the driver, its lock
//! or its server leaves the file wrong for good, or a process behind.

mod support;

use rustix::fs::{flock, FlockOperation};
use serde_json::Value;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;
use support::{now, runs, shell_word, signal, wait_for, words, Server, HELPER};

/// A driver's process, and the process that it keeps waiting at the server.
fn driver(server: &Server) -> Option<u32> {
    server.processes_with(" watch").first().copied()
}

fn waiting(server: &Server) -> Vec<u32> {
    server.processes_with("wait-for tmux-status-")
}

/// A server whose plugin has started its driver.
fn driven(server: Server) -> (Server, u32) {
    server.source_with_driver();
    let pid = wait_for_driver(&server, None);
    (server, pid)
}

/// Waits for a driver other than `old` that has looked; its process.
#[track_caller]
fn wait_for_driver(server: &Server, old: Option<u32>) -> u32 {
    let promises = || server.run("show-environment -gh").contains("TMUX_STATUS_UNTIL=");
    let ready = || driver(server).is_some_and(|pid| Some(pid) != old) && waiting(server).len() == 1 && promises();
    wait_for("a driver", ready);
    driver(server).unwrap()
}

/// The summary and the kind of the window called `name`, as the file has them.
fn window(server: &Server, name: &str) -> (String, String) {
    let status = server.try_status().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let windows = status["sessions"].as_array().into_iter().flatten();
    let mut windows = windows.flat_map(|session| session["windows"].as_array().into_iter().flatten());
    let found = windows.find(|window| window["name"] == name);
    found.map_or_else(Default::default, |window| {
        (text(&window["summary"]), text(&window["statusKind"]))
    })
}

fn last_driver_is_gone(server: &Server) -> bool {
    driver(server).is_none() && waiting(server).is_empty()
}

/// Starts one by hand.
fn by_hand(server: &Server) -> Child {
    let mut command = server.command(HELPER);
    command.arg("watch").stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

const ASKS: &str = "sleep 0.3; printf 'Delete all of it? [y/N] '; read x; echo gone; exec sleep 600";

#[test]
fn what_fires_no_hook_is_in_the_file_without_any_refresh() {
    let (server, _) = driven(Server::quiet());
    server.tmux(&["new-window", "-d", "-n", "asks", "-t", "work:", ASKS]);
    wait_for("the question", || {
        let (summary, kind) = window(&server, "asks");
        summary.contains("Delete all of it?") && kind == "waiting"
    });
    server.run("send-keys -t work:asks y Enter");
    wait_for("its end", || window(&server, "asks").0.contains("sleep 600"));
}

#[test]
fn a_hook_wakes_the_driver_and_forks_no_helper() {
    let server = Server::quiet();
    server.run("set-option -g @tmux-status-interval 60");
    let (server, _) = driven(server);
    // A helper could only come from here.
    server.run("set-option -g @tmux-status-bin-resolved /nonexistent/tmux-status");
    for n in 0..3 {
        let name = format!("new-{n}");
        server.tmux(&["new-window", "-d", "-n", &name]);
        wait_for("the new window", || server.names().contains(&name));
        server.tmux(&["kill-window", "-t", &format!("work:{name}")]);
        wait_for("its end", || !server.names().contains(&name));
    }
    assert_eq!(server.panes_in_a_mode(), 0);
}

#[test]
fn a_driver_that_was_killed_is_replaced_at_the_next_hook_and_leaves_no_process_waiting() {
    let (server, old) = driven(Server::quiet());
    let orphan = waiting(&server);
    signal(old, "KILL");
    wait_for("the end of the driver", || !runs(old));
    // Until its promise has run out, hooks still signal its channel.
    wait_for("another driver", || {
        server.run("rename-window -t work:0 again");
        driver(&server).is_some_and(|pid| pid != old)
    });
    wait_for("the end of what it left", || orphan.iter().all(|pid| !runs(*pid)));
    wait_for_driver(&server, Some(old));
    server.run("rename-window -t work:0 fresh");
    wait_for("the new name", || server.names() == ["fresh"]);
}

#[test]
fn the_end_of_the_server_empties_the_file_and_ends_the_driver() {
    for end in ["kill-server", "kill-session -t work", "KILL", "TERM"] {
        let (server, old) = driven(Server::quiet());
        let pid = server.pid();
        match end {
            "KILL" | "TERM" => signal(pid, end),
            command => drop(server.run(command)),
        }
        wait_for(&format!("an empty file after {end}"), || {
            server.status()["sessions"].as_array().is_some_and(Vec::is_empty)
        });
        wait_for("the end of the driver", || last_driver_is_gone(&server));
        assert!(!runs(old));
    }
}

#[test]
fn a_server_that_comes_after_another_is_followed() {
    let config = "set -g @tmux-status-bin \"{helper}\"\nrun-shell \"{plugin}/tmux-status.tmux\"\n";
    let server = Server::setup().config(config).start();
    wait_for_driver(&server, None);
    for life in ["one", "two", "three"] {
        let pid = server.pid();
        server.run("kill-server");
        wait_for("the end of the server", || !runs(pid));
        // Pane ids begin again at %0.
        server.tmux(&["new-session", "-d", "-s", "work", "-n", life, "exec cat"]);
        wait_for("the new server's window", || server.names() == [life]);
    }
    server.run("rename-window -t work:0 last");
    wait_for("the last name", || server.names() == ["last"]);
    wait_for("one driver", || {
        server.processes_with(" watch").len() == 1 && waiting(&server).len() == 1
    });
}

#[test]
fn of_twenty_that_start_at_once_one_drives() {
    let server = Server::quiet();
    let mut started: Vec<Child> = (0..20).map(|_| by_hand(&server)).collect();
    let ended = |child: &mut Child| child.try_wait().unwrap();
    wait_for("nineteen to give way", || {
        started.iter_mut().filter_map(ended).count() == 19
    });
    let mut drives = None;
    for mut child in started {
        let Some(status) = child.try_wait().unwrap() else {
            drives = Some(child);
            continue;
        };
        assert_eq!(status.code(), Some(75));
        let (out, errors) = words(&child.wait_with_output().unwrap());
        let told =
            errors.contains("another driver") && errors.contains("tmux-status.lock") && errors.contains("hint: ");
        assert!(out.is_empty() && told, "{errors}");
    }
    let drives = drives.unwrap();
    server.run("rename-window -t work:0 seen");
    wait_for("the new name", || server.names() == ["seen"]);
    signal(drives.id(), "TERM");
    let out = drives.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    assert!(waiting(&server).is_empty());
}

#[test]
fn a_driver_of_another_program_is_left_alone_and_hooks_go_on_refreshing() {
    let server = Server::quiet();
    server.refresh();
    let lock = File::create(server.status_file().with_file_name("tmux-status.lock")).unwrap();
    flock(&lock, FlockOperation::LockExclusive).unwrap();
    server.source_with_driver();
    for name in ["one", "two", "three"] {
        server.tmux(&["rename-window", "-t", "work:0", name]);
        wait_for("the new name", || server.names() == [name]);
    }
    assert_eq!(driver(&server), None);
    let out = server.helper(&["watch"]);
    assert_eq!(out.status.code(), Some(75), "{out:?}");
    server.refresh();
    drop(lock);
    wait_for("our own driver", || {
        server.run("rename-window -t work:0 ours");
        driver(&server).is_some()
    });
}

#[test]
fn a_stopped_driver_makes_no_hook_deaf_and_goes_on_when_it_is_continued() {
    let (server, pid) = driven(Server::quiet());
    signal(pid, "STOP");
    let stopped = now();
    server.tmux(&["new-window", "-d", "-n", "meanwhile", ASKS]);
    // Its promise runs out after some seconds; from then on each event forks a helper.
    wait_for("a look by a helper", || {
        server.run("rename-window -t work:0 stopped");
        server.names().iter().any(|name| name == "stopped")
    });
    assert!(
        driver(&server) == Some(pid) && now() >= stopped,
        "the lock is held, so no other starts"
    );
    signal(pid, "CONT");
    server.run("send-keys -t work:meanwhile y Enter");
    wait_for("a look by the driver", || {
        window(&server, "meanwhile").0.contains("sleep 600")
    });
    assert_eq!(driver(&server), Some(pid));
}

#[test]
fn a_driver_that_is_told_to_end_takes_back_what_it_set() {
    for name in ["TERM", "INT", "HUP"] {
        let server = Server::quiet();
        let child = by_hand(&server);
        wait_for("its first look", || {
            server.try_status().is_some() && waiting(&server).len() == 1
        });
        signal(child.id(), name);
        let out = child.wait_with_output().unwrap();
        assert_eq!((out.status.code(), words(&out).0), (Some(0), String::new()), "{out:?}");
        assert!(words(&out).1.starts_with("tmux-status: watching "), "{out:?}");
        assert!(waiting(&server).is_empty());
        let left = server.run("show-environment -gh");
        assert!(
            !left.contains("TMUX_STATUS_UNTIL") && !left.contains("TMUX_STATUS_CHANNEL"),
            "{left}"
        );
    }
}

#[test]
fn an_option_keeps_the_driver_away_and_sends_it_away() {
    let (server, _) = driven(Server::quiet());
    server.run("set-option -g @tmux-status-watch off");
    wait_for("the end of the driver", || last_driver_is_gone(&server));
    server.run("rename-window -t work:0 by-hook");
    wait_for("the new name", || server.names() == ["by-hook"]);
    assert_eq!(driver(&server), None);
    server.run("set-option -gu @tmux-status-watch");
    server.run("rename-window -t work:0 again");
    wait_for_driver(&server, None);
}

#[test]
fn a_plugin_that_is_taken_out_takes_its_driver_along() {
    let (server, _) = driven(Server::quiet());
    let out = server.script("scripts/uninstall", &[]);
    assert!(out.status.success(), "{out:?}");
    wait_for("the end of the driver", || last_driver_is_gone(&server));
    let left = server.run("show-environment -gh");
    assert!(!left.contains("TMUX_STATUS"), "{left}");
}

#[test]
fn files_that_are_removed_under_it_come_back_and_so_does_its_lock() {
    let (server, pid) = driven(Server::quiet());
    for file in [server.status_file(), server.state_file()] {
        fs::remove_file(&file).unwrap();
        wait_for(&format!("{} to come back", file.display()), || file.exists());
    }
    fs::remove_dir_all(server.room().join("state/thegrid")).unwrap();
    wait_for("all of it", || {
        server.try_status().is_some() && server.state_file().exists()
    });
    wait_for("the lock", || server.helper(&["watch"]).status.code() == Some(75));
    assert_eq!(driver(&server), Some(pid));
}

#[test]
fn a_helper_that_was_replaced_goes_on_as_the_new_one() {
    let server = Server::quiet();
    let helper = server.room().join("bin/helper");
    fs::copy(HELPER, &helper).unwrap();
    server.use_helper(&helper);
    server.source();
    let pid = wait_for_driver(&server, None);
    // By its file, as the name is the same before and after.
    let file = |path: &Path| fs::metadata(path).ok().map(|meta| meta.ino());
    let running = |pid: u32| file(Path::new(&format!("/proc/{pid}/exe")));
    assert_eq!(running(pid), file(&helper));
    // As cargo does: another file takes the name. Its time is some seconds past, as after a build.
    let new = server.room().join("bin/new");
    fs::copy(HELPER, &new).unwrap();
    let past = std::time::SystemTime::now() - Duration::from_secs(60);
    File::options()
        .write(true)
        .open(&new)
        .unwrap()
        .set_modified(past)
        .unwrap();
    let (old, wanted) = (file(&helper), file(&new));
    assert_ne!(old, wanted);
    fs::rename(&new, &helper).unwrap();
    server.run("rename-window -t work:0 again");
    wait_for("the new program", || {
        driver(&server).is_some_and(|pid| running(pid) == wanted)
    });
    server.run("rename-window -t work:0 seen");
    wait_for("the new name", || server.names() == ["seen"]);
    wait_for("one process waiting", || waiting(&server).len() == 1);
}

#[test]
fn every_structural_event_is_in_the_file_without_a_refresh() {
    let (server, _) = driven(Server::quiet());
    let events: [&[&str]; 14] = [
        &["new-window", "-d", "-n", "two"],
        &["split-window", "-d", "-t", "work:two"],
        &["kill-pane", "-t", "work:two.1"],
        &["swap-window", "-d", "-s", "work:0", "-t", "work:1"],
        &["move-window", "-d", "-s", "work:two", "-t", "work:7"],
        &["new-session", "-d", "-s", "other", "-n", "far"],
        &["link-window", "-d", "-s", "work:two", "-t", "other:5"],
        &["new-session", "-d", "-t", "other", "-s", "grouped"],
        &["select-window", "-t", "other:5"],
        &["unlink-window", "-t", "other:5"],
        &["respawn-pane", "-k", "-t", "work:7", "exec sleep 555"],
        &["rename-session", "-t", "other", "renamed"],
        &["kill-session", "-t", "grouped"],
        &["kill-window", "-t", "work:7"],
    ];
    for event in events {
        server.tmux(event);
        wait_for(&format!("{event:?} in the file"), || filed(&server) == listed(&server));
        if event[0] == "respawn-pane" {
            wait_for("what runs there now", || window(&server, "two").0.contains("sleep 555"));
        }
    }
}

#[test]
fn a_dead_pane_says_how_it_ended_without_a_refresh() {
    let (server, _) = driven(Server::quiet());
    server.run("set-option -g remain-on-exit on");
    for (name, command, kind, words) in [
        ("good", "exit 0", "idle", "exited"),
        ("bad", "exit 3", "error", "exited with status 3"),
        ("shot", "kill -9 $$", "error", "killed by signal 9"),
    ] {
        server.tmux(&["new-window", "-d", "-n", name, command]);
        wait_for(&format!("{name}: {:?}", window(&server, name)), || {
            // tmux 3.3a now and then misses that a child has ended until it hears of another's end.
            server.tmux(&["run-shell", "true"]);
            let (summary, seen) = window(&server, name);
            seen == kind && summary.contains(words)
        });
    }
}

/// `session index window-name` of every window, as tmux tells.
fn listed(server: &Server) -> Vec<String> {
    let windows = server.tmux(&[
        "list-windows",
        "-a",
        "-F",
        "#{session_name} #{window_index}#{window_active} #{window_name}",
    ]);
    let mut windows: Vec<String> = windows.lines().map(str::to_owned).collect();
    windows.sort();
    windows
}

/// The same out of the file.
fn filed(server: &Server) -> Vec<String> {
    let status = server.try_status().unwrap_or_default();
    let mut windows = Vec::new();
    for session in status["sessions"].as_array().into_iter().flatten() {
        for window in session["windows"].as_array().into_iter().flatten() {
            let active = u8::from(window["active"] == true);
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            windows.push(format!(
                "{} {}{active} {}",
                text(&session["name"]),
                window["index"],
                text(&window["name"])
            ));
        }
    }
    windows.sort();
    windows
}

#[test]
fn nobody_can_tell_from_tmux_that_a_driver_is_there() {
    let server = Server::quiet();
    server.run("new-session -d -s other");
    let client = server.attach();
    let told = |server: &Server| {
        let sessions =
            "#{session_name} #{session_attached} #{session_activity} #{session_last_attached} #{session_attached_list}";
        let windows = "#{window_id} #{window_width}x#{window_height} #{window_active_clients} #{window_bell_flag}";
        [
            server.tmux(&["list-sessions", "-F", sessions]),
            server.tmux(&["list-windows", "-a", "-F", windows]),
            server.tmux(&[
                "list-clients",
                "-F",
                "#{client_name} #{client_session} #{client_activity} #{client_flags}",
            ]),
        ]
    };
    // What a client does on its way in is over.
    wait_for("a second without activity", || {
        let activity = server.run("display-message -p -t work #{session_activity}");
        activity.parse::<u64>().unwrap() + 1 < now()
    });
    let before = told(&server);
    server.source_with_driver();
    wait_for_driver(&server, None);
    wait_for("some looks of the driver", || {
        let state = server.state();
        state["looked_at"].as_u64() > state["full_at"].as_u64().map(|at| at + 1)
            || now() > state["looked_at"].as_u64().unwrap() + 3
    });
    assert_eq!(told(&server), before);
    // A script's switch-client means the user's client, who has pressed no key since.
    server.run("switch-client -t other");
    assert_eq!(server.run("list-clients -F #{client_session}"), "other");
    drop(client);
}

#[test]
fn what_a_program_reports_is_in_the_file_and_ends_with_it() {
    let (server, _) = driven(Server::start());
    server.run("rename-window -t work:0 bot");
    let orders = server.room().join("orders");
    rustix::fs::mkfifoat(rustix::fs::CWD, &orders, rustix::fs::Mode::RWXU).unwrap();
    let body = format!(
        "while read -r state text <{}; do {} report \"$state\" --summary \"$text\"; done",
        shell_word(&orders),
        shell_word(Path::new(HELPER))
    );
    let bot = server.write_script("mybot", &body);
    server.tmux(&["send-keys", "-t", "work:0", bot.to_str().unwrap(), "Enter"]);
    wait_for("the program", || !server.processes_with("mybot").is_empty());
    let tell = |order: &str| fs::write(&orders, format!("{order}\n")).unwrap();
    for (order, kind, words) in [
        ("working step one", "active", "mybot working: step one"),
        (
            "permission rm -rf build",
            "waiting",
            "mybot waits for permission: rm -rf build",
        ),
        ("working step two", "active", "mybot working: step two"),
        ("question Which one?", "waiting", "mybot asks: Which one?"),
        ("error out of tokens", "error", "mybot failed: out of tokens"),
        (
            "done all of it",
            "waiting",
            "mybot waiting for input at prompt: all of it",
        ),
    ] {
        tell(order);
        wait_for(&format!("{order}: {:?}", window(&server, "bot")), || {
            window(&server, "bot") == (words.to_owned(), kind.to_owned())
        });
    }
    tell("working for ever");
    wait_for("work", || window(&server, "bot").1 == "active");
    signal(server.processes_with("mybot")[0], "KILL");
    wait_for("the shell's own verdict", || {
        let (summary, kind) = window(&server, "bot");
        kind != "active" && summary.starts_with("sh prompt, last command: ")
    });
}

#[test]
fn a_storm_with_a_driver_forks_no_helper_and_ends_in_a_true_file() {
    let (server, _) = driven(Server::quiet());
    server.run("set-option -g @tmux-status-bin-resolved /nonexistent/tmux-status");
    server.open_windows(50);
    wait_for("fifty windows", || filed(&server) == listed(&server));
    server.run("new-session -d -s rest");
    server.run("kill-session -t work");
    wait_for("their end", || filed(&server) == listed(&server));
    assert_eq!(listed(&server).len(), 1);
}

#[test]
fn bursts_of_output_end_in_what_was_printed_last() {
    let (server, _) = driven(Server::quiet());
    let script = "while read n; do i=0; while [ $i -lt $((n % 7 * 3)) ]; do i=$((i+1)); echo line $i; done; printf 'Take %s? [y/N] ' $n; done";
    let script = format!("stty -echo; {script}");
    server.tmux(&["new-window", "-d", "-n", "burst", "-t", "work:", &script]);
    for n in 1..=15 {
        server.tmux(&["send-keys", "-t", "work:burst", &n.to_string(), "Enter"]);
        wait_for(&format!("burst {n}: {:?}", window(&server, "burst")), || {
            window(&server, "burst").0.contains(&format!("Take {n}?"))
        });
    }
}

#[test]
fn a_signal_asks_for_a_look_at_everything() {
    let (server, pid) = driven(Server::quiet());
    server.run("set-option -g @tmux-status-interval 60");
    let before = server.status()["generatedAt"].as_u64().unwrap();
    wait_for("another second", || now() > before + 1);
    signal(pid, "USR1");
    wait_for("a file of now", || {
        server.status()["generatedAt"].as_u64() > Some(before + 1)
    });
}

#[test]
fn a_server_that_hangs_is_survived() {
    let (server, pid) = driven(Server::quiet());
    let tmux = server.pid();
    signal(tmux, "STOP");
    let stamp = server.status();
    wait_for("a look to fail", || {
        let log = server.room().join("state/thegrid/tmux-status.errors.log");
        fs::read_to_string(log)
            .unwrap_or_default()
            .contains("watch: cannot look at the tmux server")
    });
    assert_eq!(server.status(), stamp);
    signal(tmux, "CONT");
    server.run("rename-window -t work:0 woken");
    wait_for("the new name", || server.names() == ["woken"]);
    assert_eq!(driver(&server), Some(pid));
}

#[test]
fn without_a_server_the_file_is_empty_and_nothing_stays() {
    let server = Server::setup().prepare();
    let out = server.helper(&["watch"]);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    assert_eq!(server.status()["sessions"], serde_json::json!([]));
}
