//! Which panes get no input from MCP tools, and why.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
#[path = "support/panes.rs"]
mod panes;
mod support;

use mcp::Mcp;
use panes::{all_refused, nothing_left, reason, screen, start, wait_for_screen, window};
use serde_json::json;
use support::{wait_for, Server};

#[test]
fn a_pane_that_somebody_looks_at_is_not_typed_into() {
    let server = Server::quiet();
    let other = window(&server, "");
    let pane = server.run("split-window -d -t work:0 -P -F #{pane_id}");
    let _terminal = server.attach();
    let (mut mcp, folder) = start(&server);
    all_refused(&mut mcp, &pane, ("invalid_input", "attended"));
    let problem = mcp.problem("send_keys", json!({ "pane": pane, "text": "x" }));
    let client = server.tmux(&["list-clients", "-F", "#{client_name}"]);
    assert!(problem["message"].as_str().unwrap().contains(&client), "{problem}");
    mcp.ok("send_keys", json!({ "pane": other, "text": "x" }));
    // A zoomed pane hides the others.
    server.run("resize-pane -Z -t work:0.0");
    mcp.ok("send_keys", json!({ "pane": pane, "text": "x" }));
    nothing_left(&server, &folder);
}

#[test]
fn a_client_that_is_a_program_does_not_look() {
    let server = Server::quiet();
    let terminal = server.terminal("exec tmux -C attach-session -t =work");
    terminal.wait_for("%session-changed");
    let mut mcp = Mcp::start(&server);
    mcp.ok("send_keys", json!({ "pane": "%0", "text": "x" }));
}

#[test]
fn modes_dead_panes_and_panes_without_input_are_left_alone() {
    let server = Server::quiet();
    server.run("set-option -g remain-on-exit on");
    let (mode, off, dead) = (window(&server, ""), window(&server, ""), window(&server, "true"));
    server.run(&format!("copy-mode -t {mode}"));
    server.run(&format!("select-pane -d -t {off}"));
    wait_for("the program to end", || {
        server.run(&format!("display-message -p -t {dead} #{{pane_dead}}")) == "1"
    });
    let (mut mcp, folder) = start(&server);
    all_refused(&mut mcp, &mode, ("invalid_input", "mode"));
    all_refused(&mut mcp, &off, ("invalid_input", "input_off"));
    all_refused(&mut mcp, &dead, ("invalid_input", "dead"));
    // An empty paste is refused alike, and is nothing where it is not.
    assert_eq!(
        reason(&mcp.problem("paste_text", json!({ "pane": mode, "text": "" }))),
        ("invalid_input", "mode")
    );
    nothing_left(&server, &folder);
}

#[test]
fn the_pane_of_this_server_is_left_alone_and_doubts_count_as_it() {
    let server = Server::quiet();
    let own = server.tmux(&["display-message", "-p", "-t", "%0", "#{socket_path},#{pid},0"]);
    let mut mcp = Mcp::start_with(&server, &[], &[("TMUX", &own), ("TMUX_PANE", "%0")]);
    all_refused(&mut mcp, "%0", ("self_protection", "caller"));
    let respawn = json!({ "pane": "%0", "kill_first": true });
    assert_eq!(
        reason(&mcp.problem("respawn_pane", respawn)),
        ("self_protection", "caller")
    );
    let other = window(&server, "");
    mcp.ok("send_keys", json!({ "pane": other, "text": "x" }));
    let mut mcp = Mcp::start_with(&server, &["-L", "default"], &[("TMUX", "garbage"), ("TMUX_PANE", "%0")]);
    all_refused(&mut mcp, &other, ("self_protection", "caller"));
}

#[test]
fn keys_reach_synchronized_panes_and_one_that_must_not_be_reached_refuses_all() {
    let server = Server::quiet();
    let first = window(&server, "exec cat");
    let split = |target: &str| server.tmux(&["split-window", "-d", "-t", target, "-P", "-F", "#{pane_id}", "exec cat"]);
    let (second, apart) = (split(&first), split(&first));
    server.run(&format!("set-option -p -t {apart} synchronize-panes off"));
    let at = server.run(&format!("display-message -p -t {first} #{{window_id}}"));
    let mut mcp = Mcp::start(&server);
    let set = mcp.ok("set_synchronize_panes", json!({ "window": at, "enabled": true }));
    assert_eq!(set, json!({ "name": "synchronize-panes", "target": at, "value": "on" }));
    let sent = mcp.ok("send_keys", json!({ "pane": first, "text": "both", "enter": true }));
    let mut reached: Vec<_> = sent["panes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_str().unwrap())
        .collect();
    reached.sort_unstable();
    assert_eq!(reached, [first.as_str(), second.as_str()]);
    wait_for_screen(&server, &second, "both\nboth");
    // A paste goes to one pane.
    mcp.ok("paste_text", json!({ "pane": first, "text": "alone", "enter": true }));
    wait_for_screen(&server, &first, "alone\nalone");
    assert!(!screen(&server, &second).contains("alone"));
    let run = mcp.problem("run_shell_command", json!({ "pane": first, "command": "true" }));
    assert_eq!(reason(&run), ("invalid_input", "cohort"));
    server.run(&format!("copy-mode -t {second}"));
    let refused = mcp.problem("send_keys", json!({ "pane": first, "text": "none" }));
    assert_eq!(reason(&refused), ("invalid_input", "mode"));
    // One that does not hear it does not count.
    server.run(&format!("copy-mode -t {apart}"));
    server.run(&format!("send-keys -t {second} -X cancel"));
    mcp.ok("send_keys", json!({ "pane": first, "text": "some" }));
    assert!(!screen(&server, &apart).contains("both"));
    let set = mcp.ok("set_synchronize_panes", json!({ "window": at, "enabled": false }));
    assert_eq!(set["value"], "off");
    assert_eq!(
        mcp.kind("set_synchronize_panes", json!({ "window": "@99", "enabled": true })),
        "object_gone"
    );
}
