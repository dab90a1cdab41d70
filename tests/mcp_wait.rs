//! The MCP tools that wait or follow: for text, for what is new in a pane, for a window that needs its user.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Value};
use std::fs;
use support::{shell_word, wait_for, Server};

fn screen(server: &Server, pane: &str) -> String {
    server.tmux(&["capture-pane", "-p", "-t", pane])
}

#[track_caller]
fn wait_for_screen(server: &Server, pane: &str, text: &str) {
    wait_for(&format!("{text:?} in {pane}"), || screen(server, pane).contains(text));
}

fn window(server: &Server, command: &str) -> String {
    server.tmux(&["new-window", "-d", "-t", "work:", "-P", "-F", "#{pane_id}", command])
}

/// A window with a shell at its prompt.
fn shell(server: &Server) -> String {
    let pane = window(server, "exec env PS1='$ ' sh -i");
    wait_for_screen(server, &pane, "$");
    pane
}

/// Types a line by hand.
fn type_line(server: &Server, pane: &str, line: &str) {
    server.tmux(&["send-keys", "-t", pane, "-l", "--", line]);
    server.tmux(&["send-keys", "-t", pane, "Enter"]);
}

#[track_caller]
fn wait_for_pipe(server: &Server, pane: &str, state: &str) {
    wait_for(&format!("the pipe of {pane} to be {state}"), || {
        server.tmux(&["display-message", "-p", "-t", pane, "#{pane_pipe}"]) == state
    });
}

/// A wait for text is under way: its pipe is there.
#[track_caller]
fn start_wait(mcp: &mut Mcp, server: &Server, arguments: Value) -> u64 {
    let pane = arguments["pane"].as_str().unwrap().to_owned();
    let id = mcp.send_call("wait_for_text", arguments);
    wait_for_pipe(server, &pane, "1");
    id
}

#[track_caller]
fn outcome(mcp: &mut Mcp, id: u64) -> Value {
    let result = mcp.result(id, "wait_for_text");
    assert_eq!(result["isError"], false, "{result}");
    result["structuredContent"].clone()
}

#[test]
fn text_that_comes_is_matched_even_if_it_scrolls_past() {
    let server = Server::quiet();
    let pane = shell(&server);
    let mut mcp = Mcp::start(&server);
    let id = start_wait(
        &mut mcp,
        &server,
        json!({ "pane": pane, "patterns": ["nowhere", "NEEDLE 7"] }),
    );
    type_line(
        &server,
        &pane,
        "i=0; while [ $i -lt 500 ]; do echo needle $i; i=$((i+1)); done; clear",
    );
    let reply = outcome(&mut mcp, id);
    assert_eq!(
        (
            &reply["outcome"],
            &reply["matched_index"],
            &reply["matched_pattern"],
            &reply["source"],
            &reply["pane"]
        ),
        (
            &json!("matched"),
            &json!(1),
            &json!("NEEDLE 7"),
            &json!("pipe"),
            &json!(pane)
        )
    );
    assert!(reply["text"].as_str().unwrap().contains("needle 7"), "{reply}");
    assert!(reply["bytes"].as_u64().unwrap() > 0);
    wait_for_pipe(&server, &pane, "0");
}

#[test]
fn a_program_that_asks_without_a_newline_is_heard() {
    let server = Server::quiet();
    let pane = window(&server, "stty -echo; read x; printf 'Continue? '; exec cat");
    let mut mcp = Mcp::start(&server);
    let id = start_wait(
        &mut mcp,
        &server,
        json!({ "pane": pane, "patterns": ["^Continue\\?"], "regex": true, "match_case": true }),
    );
    type_line(&server, &pane, "go");
    assert_eq!(outcome(&mut mcp, id)["outcome"], "matched");
}

#[test]
fn words_of_failure_end_a_wait_and_any_output_is_enough_without_patterns() {
    let server = Server::quiet();
    let pane = window(&server, "exec cat");
    let mut mcp = Mcp::start(&server);
    let id = start_wait(
        &mut mcp,
        &server,
        json!({ "pane": pane, "patterns": ["ready"], "stop": ["x", "error:"] }),
    );
    type_line(&server, &pane, "Error: no");
    let reply = outcome(&mut mcp, id);
    assert_eq!(
        (&reply["outcome"], &reply["matched_index"]),
        (&json!("stopped"), &json!(1))
    );
    wait_for_pipe(&server, &pane, "0");
    let id = start_wait(&mut mcp, &server, json!({ "pane": pane }));
    type_line(&server, &pane, "hello");
    let reply = outcome(&mut mcp, id);
    assert_eq!(
        (&reply["outcome"], reply.get("matched_index")),
        (&json!("matched"), None)
    );
}

#[test]
fn what_stands_there_already_is_told_apart_from_what_is_being_typed() {
    let server = Server::quiet();
    let pane = shell(&server);
    type_line(&server, &pane, "echo answer is 42");
    wait_for_screen(&server, &pane, "\nanswer is 42");
    let mut mcp = Mcp::start(&server);
    let mut wait = |pattern: &str, seconds: u32| {
        let reply = mcp.ok(
            "wait_for_text",
            json!({ "pane": pane, "patterns": [pattern], "seconds": seconds }),
        );
        reply["outcome"].as_str().unwrap().to_owned()
    };
    for seconds in [0, 30] {
        assert_eq!(wait("answer is 42", seconds), "present_at_entry");
    }
    server.tmux(&["send-keys", "-t", &pane, "-l", "echo unsent"]);
    wait_for_screen(&server, &pane, "echo unsent");
    for seconds in [0, 30] {
        assert_eq!(wait("unsent", seconds), "pending");
    }
    assert_eq!(wait("nothing like it", 0), "deadline");
    assert_eq!(wait("nothing like it", 1), "deadline");
}

#[test]
fn what_this_server_typed_is_no_answer_and_what_a_program_prints_is() {
    let server = Server::quiet();
    let pane = shell(&server);
    let mut mcp = Mcp::start(&server);
    // Longer than a row, too.
    for word in ["pong".to_owned(), "x".repeat(150)] {
        mcp.ok(
            "send_keys",
            json!({ "pane": pane, "text": format!("sleep 0.3; false {word}"), "enter": true }),
        );
        let reply = mcp.ok(
            "wait_for_text",
            json!({ "pane": pane, "patterns": [word], "seconds": 1 }),
        );
        assert_eq!(reply["outcome"], "deadline", "{reply}");
        let id = mcp.send_call("wait_for_text", json!({ "pane": pane, "patterns": [word] }));
        mcp.ok(
            "send_keys",
            json!({ "pane": pane, "text": format!("sleep 0.3; echo {word}"), "enter": true }),
        );
        let reply = outcome(&mut mcp, id);
        assert!(
            ["matched", "present_at_entry"].contains(&reply["outcome"].as_str().unwrap()),
            "{reply}"
        );
    }
    mcp.ok(
        "paste_text",
        json!({ "pane": pane, "text": "false pasted", "enter": true }),
    );
    let reply = mcp.ok(
        "wait_for_text",
        json!({ "pane": pane, "patterns": ["pasted"], "seconds": 1 }),
    );
    assert_eq!(reply["outcome"], "deadline", "{reply}");
    // What a key has edited, as it was submitted.
    mcp.ok(
        "send_keys",
        json!({ "pane": pane, "text": "false editedX", "keys": ["BSpace"], "enter": true }),
    );
    let reply = mcp.ok(
        "wait_for_text",
        json!({ "pane": pane, "patterns": ["edited"], "seconds": 1 }),
    );
    assert_eq!(reply["outcome"], "deadline", "{reply}");
}

#[test]
fn a_pane_that_closes_ends_a_wait_at_once() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let pane = window(&server, "exec cat");
    let wait = json!({ "pane": pane, "patterns": ["never"], "seconds": 600 });
    let id = start_wait(&mut mcp, &server, wait);
    server.run(&format!("kill-pane -t {pane}"));
    assert_eq!(outcome(&mut mcp, id)["outcome"], "pane_closed");
    // One that remains when its program ends.
    server.run("set-option -g remain-on-exit on");
    let pane = window(&server, "exec cat");
    let id = start_wait(
        &mut mcp,
        &server,
        json!({ "pane": pane, "patterns": ["never"], "seconds": 600 }),
    );
    server.tmux(&["send-keys", "-t", &pane, "C-c"]);
    assert_eq!(outcome(&mut mcp, id)["outcome"], "pane_closed");
    let reply = mcp.ok(
        "wait_for_text",
        json!({ "pane": pane, "patterns": ["never"], "seconds": 600 }),
    );
    assert_eq!(reply["outcome"], "pane_closed");
    assert_eq!(mcp.kind("wait_for_text", json!({ "pane": "%99" })), "object_gone");
}

#[test]
fn a_server_that_ends_ends_a_wait() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let id = start_wait(
        &mut mcp,
        &server,
        json!({ "pane": "%0", "patterns": ["never"], "seconds": 600 }),
    );
    server.run("kill-server");
    let result = mcp.result(id, "wait_for_text");
    assert_eq!(result["structuredContent"]["data"]["kind"], "server_gone", "{result}");
    assert_eq!(mcp.kind("wait_for_text", json!({ "pane": "%0" })), "server_gone");
}

#[test]
fn a_wait_that_is_cancelled_leaves_nothing_and_others_are_answered_meanwhile() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let id = start_wait(&mut mcp, &server, json!({ "pane": "%0", "seconds": 600 }));
    let second = mcp.send_call(
        "wait_for_text",
        json!({ "pane": "%0", "seconds": 600, "patterns": ["shared"] }),
    );
    assert!(mcp.ok("list_panes", json!({}))["panes"].is_array());
    mcp.notify("notifications/cancelled", json!({ "requestId": id }));
    // One pipe serves both, and stays for the other.
    type_line(&server, "%0", "shared");
    assert_eq!(outcome(&mut mcp, second)["outcome"], "matched");
    wait_for_pipe(&server, "%0", "0");
    let third = start_wait(
        &mut mcp,
        &server,
        json!({ "pane": "%0", "seconds": 600, "patterns": ["never"] }),
    );
    assert!(third > 0);
    assert!(mcp.close().success());
    wait_for_pipe(&server, "%0", "0");
}

#[test]
fn patterns_are_bounded_and_seconds_are_cut() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let with = |key: &str, value: Value| json!({ "pane": "%0", "seconds": 0, key: value });
    for key in ["patterns", "stop"] {
        mcp.ok("wait_for_text", with(key, json!(vec!["a"; 32])));
        mcp.ok("wait_for_text", with(key, json!(["é".repeat(2048)])));
        for bad in [json!(vec!["a"; 33]), json!(["é".repeat(2048) + "a"]), json!([""])] {
            assert_eq!(mcp.kind("wait_for_text", with(key, bad)), "invalid_input", "{key}");
        }
    }
    let regex = json!({ "pane": "%0", "patterns": ["("], "regex": true });
    assert_eq!(mcp.kind("wait_for_text", regex), "invalid_input");
    server.tmux(&["send-keys", "-t", "%0", "-l", "here\n"]);
    wait_for_screen(&server, "%0", "here\nhere");
    for (asked, kept) in [(0, 0), (600, 600), (601, 600), (u64::MAX, 600)] {
        let reply = mcp.ok(
            "wait_for_text",
            json!({ "pane": "%0", "patterns": ["here"], "seconds": asked }),
        );
        assert_eq!(
            (&reply["effective_seconds"], &reply["outcome"]),
            (&json!(kept), &json!("present_at_entry"))
        );
    }
    assert_eq!(
        mcp.ok("wait_for_text", json!({ "pane": "%0", "patterns": ["here"] }))["effective_seconds"],
        30
    );
}

#[test]
fn a_user_who_takes_the_pipe_gets_it_and_the_wait_goes_on() {
    let server = Server::quiet();
    let pane = shell(&server);
    let mut mcp = Mcp::start(&server);
    let id = start_wait(
        &mut mcp,
        &server,
        json!({ "pane": pane, "patterns": ["later 2"], "seconds": 60 }),
    );
    let log = server.room().join("pipe.log");
    server.tmux(&["pipe-pane", "-t", &pane, &format!("exec cat >{}", shell_word(&log))]);
    wait_for("the user's pipe", || log.exists());
    type_line(&server, &pane, "echo later $((1+1))");
    let reply = outcome(&mut mcp, id);
    assert_eq!(
        (&reply["outcome"], &reply["source"]),
        (&json!("matched"), &json!("screen"))
    );
    wait_for("the user's pipe to go on", || {
        fs::read_to_string(&log).unwrap().contains("later 2")
    });
    assert_eq!(
        server.tmux(&["display-message", "-p", "-t", &pane, "#{pane_pipe}"]),
        "1"
    );
}

#[test]
fn what_is_new_is_told_once_and_whole() {
    let server = Server::quiet();
    let pane = window(&server, "stty -echo; echo old; exec cat");
    wait_for_screen(&server, &pane, "old");
    let mut mcp = Mcp::start(&server);
    let first = mcp.ok("capture_since", json!({ "pane": pane }));
    assert_eq!(
        (
            &first["text"],
            &first["first"],
            &first["missed"],
            &first["closed"],
            &first["source"]
        ),
        (
            &json!("old"),
            &json!(true),
            &json!(false),
            &json!(false),
            &json!("pipe")
        )
    );
    let mut cursor = first["cursor"].clone();
    let mut all = String::new();
    for line in ["one", "two \u{1b}[1mé\u{1b}[0m", "three"] {
        type_line(&server, &pane, line);
        wait_for("the line", || {
            let more = mcp.ok("capture_since", json!({ "pane": pane, "cursor": cursor }));
            assert_eq!((&more["first"], &more["missed"]), (&json!(false), &json!(false)));
            cursor = more["cursor"].clone();
            all += more["text"].as_str().unwrap();
            all.ends_with(&format!("{}\n", line.rsplit('m').nth(1).map_or(line, |_| "é")))
        });
    }
    assert_eq!(all, "one\ntwo é\nthree\n");
    let again = mcp.ok("capture_since", json!({ "pane": pane, "cursor": first["cursor"] }));
    assert_eq!(
        again["text"], "one\ntwo é\nthree\n",
        "an old cursor is good while what follows it is kept"
    );
    server.run(&format!("kill-pane -t {pane}"));
    wait_for("the end", || {
        mcp.ok("capture_since", json!({ "pane": pane, "cursor": cursor }))["closed"] == true
    });
    assert_eq!(mcp.kind("capture_since", json!({ "pane": pane })), "object_gone");
}

#[test]
fn cursors_that_nobody_gave_are_refused_and_lost_ones_say_what_is_missed() {
    let server = Server::quiet();
    let pane = window(&server, "exec cat");
    let mut mcp = Mcp::start(&server);
    let cursor = mcp.ok("capture_since", json!({ "pane": pane }))["cursor"]
        .as_str()
        .unwrap()
        .to_owned();
    let far = format!("{}99999", cursor);
    for (pane, cursor) in [
        (pane.as_str(), "garbage"),
        (&pane, ""),
        ("%0", &cursor),
        (&pane, &far),
        (&pane, "%1:x:-1"),
        (&pane, "%1:x:1:2"),
    ] {
        assert_eq!(
            mcp.kind("capture_since", json!({ "pane": pane, "cursor": cursor })),
            "invalid_input",
            "{cursor}"
        );
    }
    // Of another process of this kind.
    let mut other = Mcp::start(&server);
    let lost = other.ok("capture_since", json!({ "pane": pane, "cursor": cursor }));
    assert_eq!((&lost["missed"], &lost["first"]), (&json!(true), &json!(true)));
    assert_ne!(lost["cursor"], json!(cursor));
    // More than is kept.
    let flood = server.room().join("flood");
    fs::write(&flood, "0123456789abcdef\n".repeat(40_000)).unwrap();
    let pane = window(&server, &format!("read x; cat {}; exec cat", shell_word(&flood)));
    let cursor = mcp.ok("capture_since", json!({ "pane": pane }))["cursor"].clone();
    type_line(&server, &pane, "");
    wait_for("the flood", || {
        let more = mcp.ok("capture_since", json!({ "pane": pane, "cursor": cursor }));
        assert!(more["text"].as_str().unwrap().len() <= 256 * 1024);
        more["missed"] == true
    });
    // One of too many.
    let panes: Vec<String> = (0..9).map(|_| window(&server, "exec cat")).collect();
    let cursors: Vec<Value> = panes
        .iter()
        .map(|pane| mcp.ok("capture_since", json!({ "pane": pane }))["cursor"].clone())
        .collect();
    wait_for_pipe(&server, &panes[0], "0");
    assert_eq!(
        mcp.ok("capture_since", json!({ "pane": panes[8], "cursor": cursors[8] }))["missed"],
        false
    );
    assert_eq!(
        mcp.ok("capture_since", json!({ "pane": panes[0], "cursor": cursors[0] }))["missed"],
        true
    );
    assert!(mcp.close().success());
    for pane in &panes {
        wait_for_pipe(&server, pane, "0");
    }
}

#[test]
fn a_pane_whose_pipe_is_in_use_is_followed_by_its_screen() {
    let server = Server::quiet();
    let pane = shell(&server);
    server.tmux(&["pipe-pane", "-t", &pane, "cat >/dev/null"]);
    let mut mcp = Mcp::start(&server);
    let first = mcp.ok("capture_since", json!({ "pane": pane }));
    assert_eq!(first["source"], "screen");
    type_line(
        &server,
        &pane,
        "i=0; while [ $i -lt 60 ]; do echo row $i.; i=$((i+1)); done",
    );
    let (mut cursor, mut all) = (first["cursor"].clone(), String::new());
    wait_for("all rows", || {
        let more = mcp.ok("capture_since", json!({ "pane": pane, "cursor": cursor }));
        cursor = more["cursor"].clone();
        all += more["text"].as_str().unwrap();
        all.contains("row 59.")
    });
    for row in 0..60 {
        assert_eq!(all.matches(&format!("row {row}.")).count(), 1, "{all}");
    }
    assert_eq!(
        server.tmux(&["display-message", "-p", "-t", &pane, "#{pane_pipe}"]),
        "1",
        "the user's pipe stays"
    );
}

/// A question in a new window of `session`; its window id.
fn question(server: &Server, session: &str) -> String {
    let command = "printf 'Continue? [y/N] '; read answer; exec cat";
    let window = server.tmux(&["new-window", "-d", "-t", session, "-P", "-F", "#{window_id}", command]);
    wait_for_screen(server, &window, "[y/N]");
    window
}

#[track_caller]
fn attention(mcp: &mut Mcp, arguments: Value) -> (String, Vec<String>, Value) {
    let reply = mcp.ok("wait_for_attention", arguments);
    let windows = reply["windows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["window_id"].as_str().unwrap().to_owned());
    (
        reply["outcome"].as_str().unwrap().to_owned(),
        windows.collect(),
        reply["cursor"].clone(),
    )
}

fn follows_needs(server: &Server) {
    let mut mcp = Mcp::start(server);
    let (outcome, windows, cursor) = attention(&mut mcp, json!({ "seconds": 0 }));
    assert_eq!((outcome.as_str(), windows.len()), ("deadline", 0));
    // What comes up between two calls is told by the next.
    let first = question(server, "work:");
    let (outcome, windows, cursor) = attention(&mut mcp, json!({ "since": cursor, "seconds": 30 }));
    assert_eq!((outcome.as_str(), windows), ("changed", vec![first.clone()]));
    let (outcome, windows, _) = attention(&mut mcp, json!({ "since": cursor, "seconds": 1 }));
    assert_eq!((outcome.as_str(), windows.len()), ("deadline", 0), "none is told twice");
    let (outcome, windows, _) = attention(&mut mcp, json!({}));
    assert_eq!((outcome.as_str(), windows), ("present_at_entry", vec![first.clone()]));
    // And during a call.
    let id = mcp.send_call(
        "wait_for_attention",
        json!({ "since": cursor, "kinds": ["question"], "session": "work", "seconds": 60 }),
    );
    let second = question(server, "work:");
    let reply = mcp.result(id, "wait_for_attention")["structuredContent"].clone();
    assert_eq!(
        (&reply["outcome"], &reply["windows"][0]["window_id"]),
        (&json!("changed"), &json!(second))
    );
    let row = &reply["windows"][0];
    assert_eq!(
        (&row["need"], &row["session_id"]),
        (&json!("question"), &json!("$0")),
        "{row}"
    );
    assert!(
        row["pane_id"].as_str().unwrap().starts_with('%') && row["summary"].as_str().unwrap().contains("Continue?"),
        "{row}"
    );
    // Others are not asked for.
    for arguments in [
        json!({ "kinds": ["permission"], "seconds": 1 }),
        json!({ "session": "other", "seconds": 1 }),
    ] {
        let (outcome, windows, _) = attention(&mut mcp, arguments);
        assert_eq!((outcome.as_str(), windows.len()), ("deadline", 0));
    }
    // One that was answered and asks again is new.
    let cursor = reply["cursor"].clone();
    server.run(&format!("kill-window -t {first}"));
    let (outcome, windows, _) = attention(&mut mcp, json!({ "since": cursor, "seconds": 1 }));
    assert_eq!((outcome.as_str(), windows.len()), ("deadline", 0));
}

#[test]
fn new_needs_are_told_once_without_a_driver() {
    let server = Server::start();
    server.run("new-session -d -s other");
    follows_needs(&server);
}

#[test]
fn new_needs_are_told_once_with_a_driver() {
    let server = Server::start();
    server.run("new-session -d -s other");
    server.source_with_driver();
    follows_needs(&server);
}

#[test]
fn ignored_windows_need_nobody() {
    let server = Server::start();
    server.run("set-option -g @tmux-status-ignore asks");
    let window = question(&server, "work:");
    server.run(&format!("rename-window -t {window} asks"));
    let mut mcp = Mcp::start(&server);
    let (outcome, windows, _) = attention(&mut mcp, json!({ "seconds": 2 }));
    assert_eq!((outcome.as_str(), windows.len()), ("deadline", 0));
}

#[test]
fn a_wait_for_attention_ends_with_its_server_and_its_call() {
    let server = Server::start();
    let mut mcp = Mcp::start(&server);
    for since in ["", "x", "1.2;@3z4"] {
        assert_eq!(
            mcp.kind("wait_for_attention", json!({ "since": since })),
            "invalid_input",
            "{since:?}"
        );
    }
    assert_eq!(
        mcp.kind("wait_for_attention", json!({ "session": "nobody" })),
        "object_gone"
    );
    assert_eq!(
        mcp.kind("wait_for_attention", json!({ "kinds": ["idle"] })),
        "invalid_input"
    );
    let id = mcp.send_call("wait_for_attention", json!({ "seconds": 600 }));
    mcp.ok("list_panes", json!({}));
    mcp.notify("notifications/cancelled", json!({ "requestId": id }));
    let id = mcp.send_call("wait_for_attention", json!({ "seconds": 601 }));
    wait_for("a look", || server.try_status().is_some());
    server.run("kill-server");
    let reply = mcp.result(id, "wait_for_attention")["structuredContent"].clone();
    assert_eq!(
        (&reply["outcome"], &reply["effective_seconds"]),
        (&json!("server_gone"), &json!(600))
    );
    assert_eq!(mcp.kind("wait_for_attention", json!({})), "server_gone");
    assert!(mcp.close().success());
}

#[test]
fn a_pane_that_prints_without_end_stops_nobody() {
    let server = Server::quiet();
    let pane = window(&server, "exec yes");
    let mut mcp = Mcp::start(&server);
    let id = mcp.send_call(
        "wait_for_text",
        json!({ "pane": pane, "patterns": ["never"], "seconds": 2 }),
    );
    wait_for_pipe(&server, &pane, "1");
    assert!(mcp.ok("list_panes", json!({}))["panes"].is_array());
    let reply = outcome(&mut mcp, id);
    assert_eq!(reply["outcome"], "deadline");
    assert!(reply["text"].as_str().unwrap().len() <= 256 * 1024);
    wait_for_pipe(&server, &pane, "0");
}

#[test]
fn parked_windows_need_nobody() {
    let server = Server::start();
    let window = question(&server, "work:");
    server.refresh();
    server.tmux(&[
        "set-option",
        "-w",
        "-t",
        &window,
        "@tmux-status-parked",
        &support::now().to_string(),
    ]);
    let mut mcp = Mcp::start(&server);
    let (outcome, windows, cursor) = attention(&mut mcp, json!({ "seconds": 2 }));
    assert_eq!((outcome.as_str(), windows.len()), ("deadline", 0));
    server.tmux(&["set-option", "-wu", "-t", &window, "@tmux-status-parked"]);
    let (outcome, windows, _) = attention(&mut mcp, json!({ "since": cursor }));
    assert_eq!((outcome.as_str(), windows), ("changed", vec![window]));
}
