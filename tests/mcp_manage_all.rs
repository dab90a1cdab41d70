//! What holds for each of the MCP tools that arrange: what is refused, and how many tmux processes a call takes.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Value};
use std::fs;
use support::Server;

/// Every tool here, with arguments that name an object.
fn calls(pane: &str, window: &str, session: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("rename_session", json!({ "session": session, "name": "x" })),
        ("rename_window", json!({ "window": window, "name": "x" })),
        ("select_window", json!({ "window": window })),
        ("select_window", json!({ "window": window, "direction": "next" })),
        ("select_window", json!({ "window": window, "direction": "last" })),
        ("select_pane", json!({ "pane": pane })),
        ("select_pane", json!({ "pane": pane, "direction": "up" })),
        ("select_pane", json!({ "pane": pane, "direction": "next" })),
        ("select_pane", json!({ "pane": pane, "direction": "last" })),
        ("select_layout", json!({ "window": window, "layout": "tiled" })),
        ("resize_window", json!({ "window": window, "width": 80, "height": 24 })),
        ("resize_pane", json!({ "pane": pane, "direction": "up", "cells": 1 })),
        (
            "move_window",
            json!({ "window": window, "destination_session": session, "destination_index": 5 }),
        ),
        ("swap_pane", json!({ "source_pane": pane, "target_pane": pane })),
        ("set_pane_title", json!({ "pane": pane, "title": "x" })),
        ("set_mouse_enabled", json!({ "enabled": true, "session": session })),
    ]
}

#[test]
fn what_is_gone_or_no_id_is_told_apart() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    for (tool, arguments) in calls("%9", "@9", "$9") {
        let problem = mcp.problem(tool, arguments.clone());
        let data = (&problem["data"]["kind"], &problem["data"]["stale"]);
        assert_eq!(
            data,
            (&json!("object_gone"), &json!(true)),
            "{tool} {arguments}: {problem}"
        );
    }
    for (pane, window) in [
        ("0", "0"),
        ("work", "quiet"),
        ("@0", "%0"),
        ("%-1", "@+1"),
        ("", ""),
        (":.0", "work:0"),
    ] {
        for (tool, arguments) in calls(pane, window, "$0") {
            if arguments.get("pane").or(arguments.get("window")).is_some() {
                assert_eq!(mcp.kind(tool, arguments.clone()), "invalid_input", "{tool} {arguments}");
            }
        }
    }
    for (tool, mut arguments) in calls("%0", "@0", "$0") {
        arguments["more"] = json!(1);
        assert_eq!(mcp.kind(tool, arguments), "invalid_input", "{tool}");
        assert_eq!(mcp.kind(tool, json!({})), "invalid_input", "{tool}");
    }
    assert_eq!(
        server.run("list-windows -a -F #{session_name}:#{window_index}:#{window_name}"),
        "work:0:quiet"
    );
}

#[test]
fn a_missing_server_is_told_and_not_started() {
    let server = Server::setup().prepare();
    let mut mcp = Mcp::start(&server);
    let more = [
        ("set_mouse_enabled", json!({ "enabled": true })),
        ("signal_channel", json!({ "channel": "c" })),
        ("wait_for_channel", json!({ "channel": "c", "seconds": 0 })),
    ];
    for (tool, arguments) in calls("%0", "@0", "work").into_iter().chain(more) {
        let problem = mcp.problem(tool, arguments);
        let data = (&problem["data"]["kind"], &problem["data"]["retryable"]);
        assert_eq!(data, (&json!("server_gone"), &json!(true)), "{tool}");
    }
    let mut folder = fs::read_dir(server.room()).unwrap().flatten();
    assert!(folder.all(|entry| !entry.file_name().to_str().unwrap().starts_with("tmux-")));
}

#[test]
fn a_server_without_sessions_can_be_set() {
    let server = Server::setup().config("set -s exit-empty off\n").start();
    server.run("kill-session -t work");
    let mut mcp = Mcp::start(&server);
    assert_eq!(mcp.ok("set_mouse_enabled", json!({ "enabled": true }))["value"], "on");
    for (tool, arguments) in calls("%0", "@0", "work") {
        assert_eq!(mcp.kind(tool, arguments), "object_gone", "{tool}");
    }
}

#[test]
fn each_call_takes_few_tmux_processes() {
    let server = Server::quiet();
    server.run("split-window -d -t work:0");
    server.run("select-pane -t %1");
    server.run("new-window -t work:1");
    let log = server.log_tmux_calls();
    let mut mcp = Mcp::start(&server);
    mcp.first_call();
    let more = [
        ("signal_channel", json!({ "channel": "c" })),
        // The one that waits; giving up takes another.
        ("wait_for_channel", json!({ "channel": "c" })),
    ];
    for (tool, arguments) in calls("%0", "@0", "$0").into_iter().chain(more) {
        fs::write(&log, "").unwrap();
        mcp.ok(tool, arguments.clone());
        let seen = fs::read_to_string(&log).unwrap().lines().count();
        let stepwise = tool == "select_layout" || arguments["direction"] == "next";
        // A session is looked for first: a name may look like an id.
        let named = ["session", "destination_session"]
            .iter()
            .any(|argument| arguments.get(argument).is_some());
        assert_eq!(
            seen,
            1 + usize::from(stepwise) + usize::from(named),
            "{tool} {arguments}"
        );
    }
}
