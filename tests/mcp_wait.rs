//! The MCP tool that waits for text in a pane.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
#[path = "support/panes.rs"]
mod panes;
mod support;

use mcp::Mcp;
use panes::{type_line, wait_for_pipe, wait_for_screen, window};
use serde_json::{json, Value};
use std::fs;
use support::{shell_word, wait_for, Server};

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
    let pane = window(&server, "");
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
    let pane = window(&server, "");
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
    let pane = window(&server, "");
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
fn a_wait_that_is_cancelled_answers_nothing() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let waits = [
        start_wait(
            &mut mcp,
            &server,
            json!({ "pane": "%0", "seconds": 600, "patterns": ["late"] }),
        ),
        mcp.send_call("wait_for_attention", json!({ "kinds": ["permission"], "seconds": 600 })),
        mcp.send_call("wait_for_channel", json!({ "channel": "late", "seconds": 600 })),
    ];
    wait_for("a process that waits for the channel", || {
        !server.processes_with("wait-for").is_empty()
    });
    for id in waits {
        mcp.notify(
            "notifications/cancelled",
            json!({ "requestId": id, "reason": "enough" }),
        );
    }
    wait_for_pipe(&server, "%0", "0");
    wait_for("what was started for it to end", || {
        ["exec cat", "wait-for"]
            .iter()
            .all(|words| server.processes_with(words).is_empty())
    });
    // What they waited for comes, and is nobody's.
    type_line(&server, "%0", "late");
    mcp.ok("list_panes", json!({}));
    assert_eq!(mcp.rest(), Vec::<Value>::new());
    assert!(mcp.wait().success());
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
    let pane = window(&server, "");
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
