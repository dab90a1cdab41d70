//! The status file follows what tmux holds: after every kind of structural event, whole, by comparison with tmux's own
//! listing.

mod support;

use serde_json::{json, Value};
use support::{wait_for, Server};

/// What the file must say of structure, asked of tmux one thing at a time so that no name can be misread.
fn listing(server: &Server) -> Value {
    let ask = |target: &str, format: &str| server.tmux(&["display-message", "-p", "-t", target, format]);
    let sessions = server.tmux(&["list-sessions", "-F", "#{session_id}"]);
    let session = |id: &str| {
        let name = ask(id, "#{session_name}");
        let windows = server.tmux(&["list-windows", "-t", id, "-F", "#{window_index} #{window_active}"]);
        let window = |line: &str| {
            let (index, active) = line.split_once(' ').unwrap();
            json!({
                "index": index.parse::<u32>().unwrap(),
                "name": ask(&format!("{id}:{index}"), "#{window_name}"),
                "active": active == "1",
                "target": format!("{name}:{index}"),
            })
        };
        json!({
            "name": name,
            "attached": ask(id, "#{session_attached}") != "0",
            "activity": ask(id, "#{session_activity}").parse::<u64>().unwrap(),
            "windows": windows.lines().map(window).collect::<Vec<_>>(),
        })
    };
    Value::Array(sessions.lines().map(session).collect())
}

/// The file without what the classifier says.
fn structure(file: &Value) -> Value {
    let mut sessions = file["sessions"].clone();
    for session in sessions.as_array_mut().unwrap() {
        for window in session["windows"].as_array_mut().unwrap() {
            let window = window.as_object_mut().unwrap();
            for judged in ["command", "statusKind", "summary"] {
                assert!(
                    window
                        .remove(judged)
                        .unwrap()
                        .as_str()
                        .is_some_and(|text| !text.is_empty()),
                    "{judged}"
                );
            }
        }
    }
    sessions
}

#[track_caller]
fn refresh(server: &Server) {
    let out = server.helper(&["refresh"]);
    assert!(out.status.success(), "{out:?}");
    assert_eq!(
        (out.stdout.as_slice(), out.stderr.as_slice()),
        (b"".as_slice(), b"".as_slice())
    );
}

#[track_caller]
fn follows(server: &Server, what: &str) {
    refresh(server);
    assert_eq!(structure(&server.status()), listing(server), "after {what}");
}

/// Waits until tmux knows how all of its dead panes have ended, as `#{pane_dead_status}#{pane_dead_signal}` tells.
#[track_caller]
fn wait_for_deaths(server: &Server, deaths: &[&str]) {
    wait_for("tmux to know how its panes ended", || {
        // tmux 3.3a now and then misses the signal that a child has ended, until it hears of another's end.
        server.tmux(&["run-shell", "true"]);
        let panes = server.tmux(&[
            "list-panes",
            "-a",
            "-F",
            "#{pane_dead}:#{pane_dead_status}#{pane_dead_signal}",
        ]);
        deaths
            .iter()
            .all(|death| panes.lines().any(|line| line == format!("1:{death}")))
    });
}

fn quiet(server: &Server) {
    // `cat` says nothing and ends with its terminal. No window changes its name between a look and the comparison.
    server.tmux(&["set-option", "-g", "default-command", "exec cat"]);
    server.tmux(&["set-option", "-g", "automatic-rename", "off"]);
}

#[test]
fn every_structural_event_is_followed_by_the_next_refresh() {
    let server = Server::start();
    quiet(&server);
    follows(&server, "the start");
    let events: &[&[&str]] = &[
        &["new-window", "-d", "-t", "work:5", "-n", "five"],
        &["new-window", "-t", "work:"],
        &["split-window", "-t", "work:five"],
        &["kill-pane", "-t", "work:five.1"],
        &["rename-window", "-t", "work:five", "V"],
        &["new-session", "-d", "-s", "other"],
        &["link-window", "-s", "work:V", "-t", "other:7"],
        &["swap-window", "-d", "-s", "work:V", "-t", "work:0"],
        &["move-window", "-s", "work:0", "-t", "work:9"],
        &["new-session", "-d", "-t", "work", "-s", "grouped"],
        &["select-window", "-t", "grouped:9"],
        &["break-pane", "-d", "-s", "other:0", "-t", "other:3"],
        &["rename-session", "-t", "other", "a renamed one"],
        &["unlink-window", "-t", "a renamed one:7"],
        &["kill-window", "-t", "work:9"],
        &["kill-session", "-t", "grouped"],
        &["move-window", "-r", "-t", "work:"],
        &["kill-session", "-t", "a renamed one"],
    ];
    for event in events {
        server.tmux(event);
        follows(&server, &event.join(" "));
    }
}

#[test]
fn a_process_that_exits_takes_its_window_from_the_file() {
    let server = Server::start();
    quiet(&server);
    server.tmux(&["new-window", "-d", "-t", "work:", "-n", "brief", "read line"]);
    follows(&server, "a new window");
    server.tmux(&["send-keys", "-t", "work:brief", "Enter"]);
    wait_for("the window to end", || {
        server.tmux(&["list-windows"]).lines().count() == 1
    });
    follows(&server, "the end of its process");
}

#[test]
fn a_respawned_pane_is_judged_anew_although_no_hook_and_no_output_tells() {
    let server = Server::start();
    server.tmux(&["set-option", "-g", "remain-on-exit", "on"]);
    server.tmux(&["new-window", "-d", "-t", "work:", "-n", "w", "exit 3"]);
    let window = |server: &Server| server.status()["sessions"][0]["windows"][1].clone();
    wait_for_deaths(&server, &["3"]);
    refresh(&server);
    assert_eq!(window(&server)["statusKind"], "error");
    assert!(
        window(&server)["summary"].as_str().unwrap().contains("status 3"),
        "{}",
        window(&server)
    );
    server.tmux(&["respawn-pane", "-t", "work:w", "exec cat"]);
    wait_for("cat", || {
        server.tmux(&["display-message", "-p", "-t", "work:w", "#{pane_current_command}"]) == "cat"
    });
    refresh(&server);
    assert_eq!(window(&server)["command"], "cat");
    assert_ne!(window(&server)["statusKind"], "error");
}

#[test]
fn dead_panes_say_how_they_ended() {
    let server = Server::start();
    server.tmux(&["set-option", "-g", "remain-on-exit", "on"]);
    for (name, command) in [("fine", "exit 0"), ("failed", "exit 7"), ("killed", "kill -9 $$")] {
        server.tmux(&["new-window", "-d", "-t", "work:", "-n", name, command]);
    }
    wait_for_deaths(&server, &["0", "7", "9"]);
    refresh(&server);
    let file = server.status();
    let said = |at: usize| {
        let window = &file["sessions"][0]["windows"][at];
        (
            window["statusKind"].as_str().unwrap(),
            window["summary"].as_str().unwrap(),
        )
    };
    assert_eq!(said(1).0, "idle");
    assert!(said(1).1.contains("status 0"), "{:?}", said(1));
    assert_eq!(said(2).0, "error");
    assert!(said(2).1.contains("status 7"), "{:?}", said(2));
    assert_eq!(said(3).0, "error");
    assert!(said(3).1.contains("signal 9"), "{:?}", said(3));
}

#[test]
fn linked_and_grouped_windows_stand_under_each_session_and_are_judged_once() {
    let server = Server::start();
    quiet(&server);
    server.tmux(&["new-session", "-d", "-s", "second"]);
    server.tmux(&["link-window", "-s", "work:0", "-t", "second:4"]);
    server.tmux(&["new-session", "-d", "-t", "work", "-s", "third"]);
    follows(&server, "linking and grouping");
    let state: Value = serde_json::from_slice(&std::fs::read(server.state_file()).unwrap()).unwrap();
    assert_eq!(state["windows"].as_object().unwrap().len(), 2);
    assert_eq!(state["panes"].as_object().unwrap().len(), 2);
}

#[test]
fn a_session_whose_name_starts_another_ones_is_never_taken_for_it() {
    let server = Server::start();
    quiet(&server);
    for name in ["foo-bar", "foo", "=foo", "a:b.c"] {
        server.tmux(&["new-session", "-d", "-s", name, "-n", &format!("window of {name}")]);
    }
    follows(&server, "sessions with names like targets");
    server.tmux(&["kill-session", "-t", "=foo:"]);
    follows(&server, "the end of one of them");
}

/// Names that are data wherever they stand.
const NAMES: &[&str] = &[
    "semi;colon;",
    "quotes ' \" `",
    "$(touch {room}/PWNED)",
    "#(touch {room}/PWNED)",
    "#[fg=red]red #{pane_id} %H",
    "line\nbreak",
    "tab\tbed",
    "emoji 🐙 👩‍💻 漢字 é עברית",
    "\u{1b}[31mescape\u{7}",
    "\\back\\slash \\001",
    "-n",
];

fn in_room(name: &str, server: &Server) -> String {
    name.replace("{room}", server.room().to_str().unwrap())
}

#[test]
fn odd_names_stay_data_as_names_of_windows_and_sessions() {
    let server = Server::start();
    quiet(&server);
    let long = "x".repeat(200);
    for name in NAMES.iter().copied().chain([long.as_str()]) {
        let name = in_room(name, &server);
        server.tmux(&["new-window", "-d", "-t", "work:", "-n", &support::tmux_data(&name)]);
        server.tmux(&["new-session", "-d", "-s", &support::tmux_data(&name)]);
    }
    follows(&server, "odd names");
    assert!(!server.room().join("PWNED").exists());
}

#[test]
fn odd_names_stay_data_as_titles_and_folders() {
    let server = Server::start();
    quiet(&server);
    for (at, name) in NAMES.iter().enumerate() {
        let name = in_room(name, &server);
        let folder = server.room().join(format!("d{at}")).join(name.replace('/', "∕"));
        std::fs::create_dir_all(&folder).unwrap();
        let print = server.write_script(
            &format!("print-{at}"),
            &format!(
                "printf '\\033]2;%s\\007' {}\nexec cat",
                support::shell_word(name.as_ref())
            ),
        );
        let folder = support::tmux_data(folder.to_str().unwrap());
        server.tmux(&[
            "new-window",
            "-d",
            "-t",
            "work:",
            "-c",
            &folder,
            print.to_str().unwrap(),
        ]);
    }
    follows(&server, "odd titles and folders");
    let state: Value = serde_json::from_slice(&std::fs::read(server.state_file()).unwrap()).unwrap();
    let paths: Vec<_> = state["panes"]
        .as_object()
        .unwrap()
        .values()
        .map(|p| p["path"].as_str().unwrap())
        .collect();
    assert!(paths.iter().any(|path| path.ends_with("line\nbreak")), "{paths:?}");
    assert!(!server.room().join("PWNED").exists());
}

#[test]
fn names_and_frames_hold_without_any_locale() {
    let server = Server::setup().env("LC_ALL", "C").env("LANG", "").start();
    quiet(&server);
    server.tmux(&["new-window", "-d", "-t", "work:", "-n", "漢字 é"]);
    follows(&server, "a wide name");
    assert!(server.names().contains(&"漢字 é".to_owned()));
}

#[test]
fn a_server_without_sessions_is_an_empty_file() {
    let server = Server::start();
    refresh(&server);
    server.tmux(&["set-option", "-g", "exit-empty", "off"]);
    server.tmux(&["kill-server"]);
    wait_for("the end of the server", || {
        !server.try_tmux(&["list-sessions"]).status.success()
    });
    server.tmux(&["start-server", ";", "set-option", "-g", "exit-empty", "off"]);
    refresh(&server);
    assert_eq!(server.status()["sessions"], json!([]));
}
