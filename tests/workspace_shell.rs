//! `workspace shell`: tmux commands where a person says, and a shell that knows the place.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{wait_for, words, Server};

/// A server with two sessions, the first of which has two windows.
fn server() -> Server {
    let server = Server::quiet();
    server.tmux(&["rename-session", "work"]);
    server.tmux(&["rename-window", "one"]);
    server.tmux(&["new-window", "-d", "-n", "two", "sh"]);
    server.tmux(&["new-session", "-d", "-s", "aside", "-n", "only", "sh"]);
    server
}

#[track_caller]
fn ask(server: &Server, args: &[&str], commands: &str) -> String {
    let out = server.helper(&[&["workspace", "shell", "-c", commands], args].concat());
    let (text, errors) = words(&out);
    assert!(out.status.success(), "{args:?} {commands}: {errors}");
    text
}

#[test]
fn commands_run_in_the_place_that_is_named() {
    let server = server();
    let place = "display-message -p '#{session_name}/#{window_name}'";
    assert_eq!(ask(&server, &["work"], place), "work/one\n");
    assert_eq!(ask(&server, &["work", "two"], place), "work/two\n");
    assert_eq!(ask(&server, &["aside", "only"], place), "aside/only\n");
    let window = server.tmux(&["display-message", "-p", "-t", "work:two", "#{window_id}"]);
    let index = server.tmux(&["display-message", "-p", "-t", "work:two", "#{window_index}"]);
    assert_eq!(ask(&server, &["work", &window], place), "work/two\n");
    assert_eq!(ask(&server, &["work", &index], place), "work/two\n");
    ask(
        &server,
        &["work", "two"],
        "split-window -d sh ; set -p @mark 'a; b #{x}'",
    );
    let marks = server.tmux(&["list-panes", "-t", "work:two", "-F", "#{@mark}"]);
    assert_eq!(marks.trim_end(), "a; b #{x}");
}

/// What a format says of a target.
fn of(server: &Server, target: &str, format: &str) -> String {
    server.tmux(&["display-message", "-p", "-t", target, format])
}

/// The windows of a session, as a format says.
fn windows(server: &Server, session: &str, format: &str) -> Vec<String> {
    let list = server.tmux(&["list-windows", "-t", session, "-F", format]);
    list.lines().map(str::to_owned).collect()
}

#[test]
fn a_command_gets_the_place_in_the_way_that_it_takes_it() {
    let server = server();
    // Whatever tmux takes for its current session is not the one that is named.
    let attached = server.attach();
    attached.press(&["C-b", "d"]);
    let work = ["work", "one"];
    ask(&server, &["work"], "new-window -d -n three sh");
    ask(&server, &work, "new-window -a -d -n beside sh");
    assert_eq!(
        windows(&server, "work", "#{window_name}"),
        ["one", "beside", "two", "three"]
    );
    let two = ["work", "two"];
    ask(&server, &two, "split-window -d sh -c 'sleep 1000' -t");
    ask(&server, &two, "select-layout even-vertical");
    ask(&server, &two, "set-option -w @mine two ; set-option @whole yes");
    ask(&server, &["work", "three"], "rename-window -- -start");
    assert_eq!(
        windows(&server, "work", "#{window_name} #{window_panes} #{@mine} #{@whole}"),
        ["one 1  yes", "beside 1  yes", "two 2 two yes", "-start 1  yes"]
    );
    assert_eq!(
        windows(&server, "aside", "#{window_name} #{window_panes} #{@whole}"),
        ["only 1 "]
    );
    ask(&server, &two, "break-pane -d -n alone ; kill-window");
    assert_eq!(
        windows(&server, "work", "#{window_name}"),
        ["one", "beside", "-start", "alone"]
    );
}

#[test]
fn a_new_session_shares_nothing_with_the_place() {
    let server = server();
    ask(&server, &["work"], "new-session -d -s foo -n own sh");
    assert_eq!(of(&server, "foo:", "#{session_group}"), "");
    assert_eq!(windows(&server, "foo", "#{window_name}"), ["own"]);
    ask(&server, &["foo"], "kill-session");
    let left = server.tmux(&["list-sessions", "-F", "#{session_name}"]);
    assert_eq!(left, "aside\nwork");
}

#[test]
fn of_sessions_that_share_their_windows_the_one_that_is_named_is_meant() {
    let server = server();
    for (one, other) in [("work", "twin"), ("twin", "work")] {
        if one == "work" {
            server.tmux(&["new-session", "-d", "-t", one, "-s", other]);
        }
        ask(&server, &[one], &format!("set-option @who {one}"));
    }
    assert_eq!(
        ["work:", "twin:"].map(|session| of(&server, session, "#{@who}")),
        ["work", "twin"]
    );
}

#[test]
fn what_a_target_leaves_out_is_the_places() {
    let server = server();
    let index = of(&server, "aside:", "#{window_index}");
    for session in ["work", "aside"] {
        ask(&server, &[session], &format!("rename-window -t :{index} here"));
        assert_eq!(
            of(&server, &format!("{session}:{index}"), "#{window_name}"),
            "here",
            "{session}"
        );
    }
}

#[test]
fn programs_are_told_how_it_ended() {
    let server = server();
    let run = |commands: &str| {
        let out = server.helper(&["workspace", "shell", "--json", "aside", "-c", commands]);
        let record: Value = serde_json::from_str(&words(&out).0).unwrap();
        (out.status.code(), record)
    };
    let (code, record) = run("display-message -p hello");
    assert_eq!(code, Some(0));
    assert_eq!(
        (&record["child_status"], &record["stdout"]),
        (&Value::from(0), &Value::from("hello\n"))
    );
    let pane = server.tmux(&[
        "display-message",
        "-p",
        "-t",
        "aside:",
        "#{session_id} #{window_id} #{pane_id}",
    ]);
    let ids = ["session_id", "window_id", "pane_id"].map(|key| record[key].as_str().unwrap());
    assert_eq!(ids.join(" "), pane);
    for wrong in ["nosuch-command", "kill-window -t nosuch:"] {
        let (code, record) = run(wrong);
        assert_eq!((code, &record["child_status"]), (Some(1), &Value::from(1)), "{wrong}");
        assert!(
            !record["stderr"].as_str().unwrap().is_empty() || !record["stdout"].as_str().unwrap().is_empty(),
            "{wrong}: {record}"
        );
    }
}

#[test]
fn what_is_not_there_is_told() {
    let server = server();
    for (args, code, exit) in [
        (["nosuch", "-c", "x"].as_slice(), "session_not_found", 1),
        (&["work", "nosuch", "-c", "x"], "session_not_found", 1),
        (&["-c", "x"], "usage", 2),
        (&["work"], "usage", 2),
        (&["work", "-c", "'"], "usage", 2),
        (&["-L", "nosuch", "work", "-c", "x"], "tmux_unavailable", 1),
    ] {
        let out = server.helper(&[&["workspace", "shell", "--json"], args].concat());
        let record: Value = serde_json::from_str(&words(&out).1).unwrap();
        assert_eq!(
            (record["code"].as_str().unwrap(), out.status.code()),
            (code, Some(exit)),
            "{args:?}"
        );
    }
}

#[test]
fn a_shell_knows_its_place() {
    let server = server();
    let helper = support::HELPER;
    let line = format!("echo outer; '{helper}' workspace shell aside; echo left=$?");
    server.tmux(&["send-keys", "-t", "work:two", &line, "Enter"]);
    let screen = || server.tmux(&["capture-pane", "-p", "-t", "work:two"]);
    let ids = server.tmux(&[
        "display-message",
        "-p",
        "-t",
        "aside:",
        "#{session_id} #{window_id} #{pane_id}",
    ]);
    let said = format!("in={ids} 2.");
    let ask =
        "echo \"in=$TMUX_SESSION $TMUX_WINDOW $TMUX_PANE $(tmux list-sessions -F '#{session_id}' | wc -l).\"; exit 5";
    wait_for("the shell", || {
        let screen = screen();
        let prompt = screen.trim_end().ends_with(['$', '#']);
        prompt && screen.lines().any(|line| line == "outer")
    });
    assert!(
        screen().contains("shell for aside:only; exit leaves it"),
        "{}",
        screen()
    );
    server.tmux(&["send-keys", "-l", "-t", "work:two", ask]);
    server.tmux(&["send-keys", "-t", "work:two", "Enter"]);
    wait_for("what the shell knows", || {
        let screen = screen().replace('\n', "");
        screen.contains(&said) && screen.contains("left=5")
    });
}

#[test]
fn who_types_python_is_told_what_the_flag_takes() {
    let server = server();
    let shell = ["workspace", "shell", "work", "-c", "print(session.name)"];
    let out = server.helper(&shell);
    let told = words(&out).1;
    assert!(
        told.contains("unknown command") && told.contains("\nhint: -c takes commands of tmux"),
        "{told}"
    );
    let out = server.helper(&[&shell[..], &["--json"]].concat());
    let record: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert!(record["hint"].as_str().unwrap().contains("no Python"), "{record}");
    let out = server.helper(&["workspace", "shell", "work", "-c", "kill-pane -t %99"]);
    assert!(!words(&out).1.contains("Python"), "{out:?}");
}
