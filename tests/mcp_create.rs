//! The MCP tools that make sessions, windows and panes, and start their programs again.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
#[path = "support/panes.rs"]
mod panes;
mod support;

use mcp::Mcp;
use panes::window;
use serde_json::json;
use std::fs;
use support::{wait_for, Server};

#[test]
fn what_is_created_has_literal_names_and_takes_nobody_there() {
    let server = Server::quiet();
    let folder = server.room().join("a #(touch hit) b");
    fs::create_dir(&folder).unwrap();
    let at = folder.to_str().unwrap();
    let mut mcp = Mcp::start(&server);
    let session = mcp.ok(
        "create_session",
        json!({ "name": "x#(touch hit)", "start_directory": at }),
    );
    assert_eq!(
        (&session["name"], &session["windows"], &session["attached"]),
        (&json!("x#(touch hit)"), &json!(1), &json!(false))
    );
    assert_eq!(mcp.ok("create_session", json!({ "name": "-a:b.c" }))["name"], "-a_b_c");
    assert_eq!(mcp.kind("create_session", json!({ "name": "work" })), "refused");
    let window = mcp.ok(
        "create_window",
        json!({ "session": "work", "name": "-t#{pid};", "start_directory": at }),
    );
    assert_eq!(
        (&window["name"], &window["active"], &window["session_id"]),
        (&json!("-t#{pid};"), &json!(false), &json!("$0"))
    );
    assert_eq!(mcp.ok("create_window", json!({ "session": "$0" }))["panes"], 1);
    let path = |pane: &str| server.tmux(&["display-message", "-p", "-t", pane, "#{pane_current_path}"]);
    wait_for("the window's folder", || {
        path(&format!("{}.0", window["id"].as_str().unwrap())) == at
    });
    for direction in ["above", "below", "left", "right"] {
        let made = mcp.ok(
            "split_window",
            json!({ "pane": "%0", "direction": direction, "percent": 30, "start_directory": at }),
        );
        let pane = made["id"].as_str().unwrap().to_owned();
        assert_eq!((&made["active"], &made["window_id"]), (&json!(false), &json!("@0")));
        wait_for("the pane's folder", || path(&pane) == at);
        let place = |what: &str| {
            server
                .tmux(&["display-message", "-p", "-t", &pane, what])
                .parse::<u32>()
                .unwrap()
        };
        let first = |what: &str| {
            server
                .tmux(&["display-message", "-p", "-t", "%0", what])
                .parse::<u32>()
                .unwrap()
        };
        let lies = match direction {
            "above" => place("#{pane_top}") < first("#{pane_top}"),
            "below" => place("#{pane_top}") > first("#{pane_top}"),
            "left" => place("#{pane_left}") < first("#{pane_left}"),
            _ => place("#{pane_left}") > first("#{pane_left}"),
        };
        assert!(lies, "{direction}");
        server.run(&format!("kill-pane -t {pane}"));
    }
    assert_eq!(mcp.ok("split_window", json!({ "pane": "%0" }))["window_id"], "@0");
    assert!(!server.room().join("hit").exists() && !folder.join("hit").exists());
    for (tool, arguments) in [
        ("create_session", json!({ "name": "" })),
        (
            "create_session",
            json!({ "name": "n", "start_directory": "/nowhere/at/all" }),
        ),
        ("create_window", json!({ "session": "work", "name": "" })),
        ("split_window", json!({ "pane": "%0", "percent": 0 })),
        ("split_window", json!({ "pane": "%0", "percent": 101 })),
        ("split_window", json!({ "pane": "%0", "direction": "beside" })),
        ("split_window", json!({ "pane": "0" })),
    ] {
        assert_eq!(mcp.kind(tool, arguments), "invalid_input", "{tool}");
    }
    assert_eq!(mcp.kind("create_window", json!({ "session": "wor" })), "object_gone");
    assert_eq!(mcp.kind("create_window", json!({ "session": "$99" })), "object_gone");
    assert_eq!(mcp.kind("split_window", json!({ "pane": "%99" })), "object_gone");
    server.run("kill-server");
    assert_eq!(mcp.kind("create_session", json!({ "name": "n" })), "server_gone");
}

#[test]
fn a_pane_is_respawned_when_it_is_dead_or_killed_first() {
    let server = Server::quiet();
    let pane = window(&server, "exec cat");
    let mut mcp = Mcp::start(&server);
    assert_eq!(mcp.kind("respawn_pane", json!({ "pane": pane })), "refused");
    let pid = || server.run(&format!("display-message -p -t {pane} #{{pane_pid}}"));
    let before = pid();
    assert_eq!(
        mcp.ok("respawn_pane", json!({ "pane": pane, "kill_first": true }))["id"],
        json!(pane)
    );
    assert_ne!(pid(), before);
    server.run(&format!("set-option -w -t {pane} remain-on-exit on"));
    mcp.ok("send_keys", json!({ "pane": pane, "keys": ["C-c"] }));
    wait_for("the program to end", || {
        server.run(&format!("display-message -p -t {pane} #{{pane_dead}}")) == "1"
    });
    mcp.ok("respawn_pane", json!({ "pane": pane }));
    assert_eq!(server.run(&format!("display-message -p -t {pane} #{{pane_dead}}")), "0");
    assert_eq!(mcp.kind("respawn_pane", json!({ "pane": "%99" })), "object_gone");
}
