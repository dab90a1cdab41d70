//! The MCP tool that waits for a window that needs its user.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
#[path = "support/panes.rs"]
mod panes;
mod support;

use mcp::Mcp;
use panes::wait_for_screen;
use serde_json::{json, Value};
use support::{wait_for, Server};

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
