//! The MCP tools that signal and wait for channels: no signal is lost, made up, or taken from others.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::{nasty, nothing_ran, Mcp};
use serde_json::json;
use support::{wait_for, Server};

/// Whether a channel holds a signal; takes it.
fn holds_signal(mcp: &mut Mcp, channel: &str) -> bool {
    let reply = mcp.ok("wait_for_channel", json!({ "channel": channel, "seconds": 0 }));
    assert_eq!(
        (&reply["channel"], &reply["effective_seconds"]),
        (&json!(channel), &json!(0))
    );
    reply["outcome"] == "signalled"
}

#[track_caller]
fn nothing_waits(server: &Server) {
    assert_eq!(server.processes_with("wait-for"), [0_u32; 0]);
    assert_eq!(server.run("show-environment -gh"), "");
}

/// Starts a wait that is under way when this returns.
#[track_caller]
fn start_wait(server: &Server, mcp: &mut Mcp, channel: &str, seconds: u64) -> u64 {
    let before = server.run("show-environment -gh").lines().count();
    let id = mcp.send_call("wait_for_channel", json!({ "channel": channel, "seconds": seconds }));
    wait_for("a waiter", || {
        server.run("show-environment -gh").lines().count() > before
    });
    id
}

#[test]
fn a_signal_is_kept_for_one_and_a_second_takes_it_back() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    assert!(!holds_signal(&mut mcp, "c"));
    assert_eq!(
        mcp.ok("signal_channel", json!({ "channel": "c" })),
        json!({ "channel": "c" })
    );
    assert!(holds_signal(&mut mcp, "c"));
    assert!(!holds_signal(&mut mcp, "c"));
    for _ in 0..2 {
        mcp.ok("signal_channel", json!({ "channel": "c", "seconds": 0 }));
    }
    assert!(!holds_signal(&mut mcp, "c"));
    nothing_waits(&server);
}

#[test]
fn a_channel_may_be_called_anything() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let names = nasty(&server);
    for channel in names
        .iter()
        .map(String::as_str)
        .chain(["", "a\nb", "-S", "-L", "x'y\\"])
    {
        assert!(!holds_signal(&mut mcp, channel), "{channel:?}");
        mcp.ok("signal_channel", json!({ "channel": channel }));
        assert!(holds_signal(&mut mcp, channel), "{channel:?}");
        assert!(!holds_signal(&mut mcp, channel), "{channel:?}");
    }
    nothing_ran(&server);
    nothing_waits(&server);
}

#[test]
fn a_wait_ends_with_the_signal_and_holds_up_nobody() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let first = start_wait(&server, &mut mcp, "c", 100_000);
    let second = start_wait(&server, &mut mcp, "c", 600);
    mcp.ok("list_panes", json!({}));
    server.run("wait-for -S c");
    for id in [first, second] {
        let result = mcp.result(id, "wait_for_channel");
        let expected = json!({ "channel": "c", "outcome": "signalled", "effective_seconds": 600 });
        assert_eq!(result["structuredContent"], expected);
    }
    assert!(!holds_signal(&mut mcp, "c"));
    nothing_waits(&server);
}

#[test]
fn a_wait_that_is_given_up_takes_no_signal_with_it() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let reply = mcp.ok("wait_for_channel", json!({ "channel": "c", "seconds": 1 }));
    assert_eq!(
        reply,
        json!({ "channel": "c", "outcome": "deadline", "effective_seconds": 1 })
    );
    nothing_waits(&server);
    server.run("wait-for -S c");
    assert!(holds_signal(&mut mcp, "c"));
    // One that is cancelled.
    let id = start_wait(&server, &mut mcp, "c", 600);
    mcp.notify("notifications/cancelled", json!({ "requestId": id }));
    wait_for("the end of the wait", || server.processes_with("wait-for").is_empty());
    nothing_waits(&server);
    server.run("wait-for -S c");
    assert!(holds_signal(&mut mcp, "c"));
    // One whose client goes.
    start_wait(&server, &mut mcp, "c", 600);
    assert!(mcp.close().success());
    nothing_waits(&server);
    server.run("wait-for -S c");
    assert!(holds_signal(&mut Mcp::start(&server), "c"));
}

#[test]
fn giving_up_wakes_nobody_else() {
    let server = Server::quiet();
    let done = server.room().join("done");
    let command = format!("tmux wait-for c; touch {}", done.to_str().unwrap());
    server.tmux(&["new-window", "-d", "-t", "work:", &command]);
    wait_for("another waiter", || !server.processes_with("wait-for c").is_empty());
    let mut mcp = Mcp::start(&server);
    let waits = start_wait(&server, &mut mcp, "c", 600);
    let reply = mcp.ok("wait_for_channel", json!({ "channel": "c", "seconds": 1 }));
    assert_eq!(reply["outcome"], "deadline");
    assert!(!done.exists());
    mcp.ok("signal_channel", json!({ "channel": "c" }));
    wait_for("the end of the other", || done.exists());
    assert_eq!(
        mcp.result(waits, "wait_for_channel")["structuredContent"]["outcome"],
        "signalled"
    );
    assert!(!holds_signal(&mut mcp, "c"), "the signal was for those who waited");
    nothing_waits(&server);
}

#[test]
fn a_server_that_ends_is_no_signal() {
    for (end, exit_empty) in [
        ("kill-server", "on"),
        ("kill-server", "off"),
        ("kill-session", "on"),
        ("kill -9", "on"),
    ] {
        let server = Server::quiet();
        server.run(&format!("set-option -s exit-empty {exit_empty}"));
        let mut mcp = Mcp::start(&server);
        let id = start_wait(&server, &mut mcp, "c", 600);
        match end {
            "kill -9" => support::signal(server.pid(), "KILL"),
            command => drop(server.try_tmux(&[command])),
        }
        let result = mcp.result(id, "wait_for_channel");
        let data = &result["structuredContent"]["data"];
        let seen = (&data["kind"], &data["retryable"]);
        assert_eq!(seen, (&json!("server_gone"), &json!(true)), "{end} {exit_empty}");
        wait_for("no waiter", || server.processes_with("wait-for").is_empty());
    }
}

#[test]
fn a_signal_in_a_server_without_sessions_is_one() {
    let server = Server::quiet();
    server.run("set-option -s exit-empty off");
    server.run("kill-session -t work");
    let mut mcp = Mcp::start(&server);
    let id = start_wait(&server, &mut mcp, "c", 600);
    server.run("wait-for -S c");
    assert_eq!(
        mcp.result(id, "wait_for_channel")["structuredContent"]["outcome"],
        "signalled"
    );
    mcp.ok("signal_channel", json!({ "channel": "c" }));
    assert!(holds_signal(&mut mcp, "c"));
}
