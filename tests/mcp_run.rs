//! `run_shell_command`: how it ends, whom it holds up meanwhile, and what it leaves behind.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
#[path = "support/panes.rs"]
mod panes;
mod support;

use mcp::Mcp;
use panes::{inputs, nothing_left, reason, screen, start, wait_for_screen, window};
use serde_json::json;
use std::fs;
use support::{shell_word, wait_for, Server};

#[test]
fn a_pane_that_its_own_command_kills_is_closed_at_once() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    let pane = window(&server, "");
    let command = "echo last words; tmux kill-pane -t $TMUX_PANE; sleep 60";
    let reply = mcp.ok(
        "run_shell_command",
        json!({ "pane": pane, "command": command, "seconds": 600 }),
    );
    assert_eq!(
        (&reply["outcome"], &reply["output"]),
        (&json!("pane_closed"), &json!("last words"))
    );
    assert!(reply.get("exit_status").is_none());
    // The same where the pane remains.
    server.run("set-option -g remain-on-exit on");
    let pane = window(&server, "");
    let reply = mcp.ok(
        "run_shell_command",
        json!({ "pane": pane, "command": "kill -9 $$; sleep 60", "seconds": 600 }),
    );
    assert_eq!(reply["outcome"], "pane_closed");
    nothing_left(&server, &folder);
}

#[test]
fn a_command_that_goes_on_keeps_its_pane_until_it_has_ended() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    let pane = window(&server, "");
    let command = "echo begun; cat";
    let reply = mcp.ok(
        "run_shell_command",
        json!({ "pane": pane, "command": command, "seconds": 1 }),
    );
    assert_eq!(
        (&reply["outcome"], &reply["output"]),
        (&json!("deadline"), &json!("begun"))
    );
    for (tool, arguments) in inputs(&pane) {
        let problem = mcp.problem(tool, arguments);
        assert_eq!(
            (reason(&problem), &problem["data"]["retryable"]),
            (("invalid_input", "reserved"), &json!(true)),
            "{tool}"
        );
    }
    for keys in [
        json!({ "keys": ["C-c"], "enter": true }),
        json!({ "keys": ["C-c", "a"] }),
        json!({ "keys": ["C-c"], "text": "a" }),
    ] {
        let mut arguments = keys;
        arguments["pane"] = json!(pane);
        assert_eq!(reason(&mcp.problem("send_keys", arguments)).1, "reserved");
    }
    mcp.ok("send_keys", json!({ "pane": pane, "keys": ["C-c"] }));
    wait_for("the pane to be free", || {
        mcp.call("run_shell_command", json!({ "pane": pane, "command": "echo free" }))["structuredContent"]["output"]
            == "free"
    });
    nothing_left(&server, &folder);
}

#[test]
fn a_program_that_will_not_end_is_ended_with_its_pane() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    let pane = window(&server, "exec env PS1='$ ' sh -i");
    wait_for_screen(&server, &pane, "$");
    let command = "trap '' INT QUIT; echo begun; while :; do sleep 1; done";
    let id = mcp.send_call(
        "run_shell_command",
        json!({ "pane": pane, "command": command, "seconds": 600 }),
    );
    wait_for_screen(&server, &pane, "\nbegun");
    mcp.ok("respawn_pane", json!({ "pane": pane, "kill_first": true }));
    let reply = mcp.result(id, "run_shell_command")["structuredContent"].clone();
    assert_eq!(reply["outcome"], "pane_closed");
    wait_for_screen(&server, &pane, "$");
    let reply = mcp.ok("run_shell_command", json!({ "pane": pane, "command": "echo new" }));
    assert_eq!(reply["output"], "new");
    nothing_left(&server, &folder);
}

#[test]
fn a_run_that_is_cancelled_goes_on_and_others_are_answered_meanwhile() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    let pane = window(&server, "");
    let run = mcp.send_call(
        "run_shell_command",
        json!({ "pane": pane, "command": "echo begun; while [ ! -e go ]; do sleep 0.1; done; touch done" }),
    );
    wait_for_screen(&server, &pane, "\nbegun");
    assert!(mcp.ok("list_panes", json!({}))["panes"].is_array());
    mcp.notify("notifications/cancelled", json!({ "requestId": run }));
    let reserved = mcp.problem("send_keys", json!({ "pane": pane, "text": "x" }));
    assert_eq!(reason(&reserved).1, "reserved");
    fs::write(server.room().join("go"), "").unwrap();
    wait_for("the pane to be free", || {
        mcp.call("send_keys", json!({ "pane": pane, "keys": ["C-u"] }))["isError"] == false
    });
    assert!(server.room().join("done").exists());
    nothing_left(&server, &folder);
}

#[test]
fn long_output_keeps_its_end_and_says_so() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let pane = window(&server, "");
    let command = "i=0; while [ $i -lt 20000 ]; do echo line-$i-................; i=$((i+1)); done";
    let reply = mcp.ok(
        "run_shell_command",
        json!({ "pane": pane, "command": command, "seconds": 60 }),
    );
    let output = reply["output"].as_str().unwrap();
    assert_eq!(
        (&reply["outcome"], &reply["truncated"]),
        (&json!("completed"), &json!(true))
    );
    assert!(
        output.ends_with("line-19999-................") && output.len() <= 256 * 1024,
        "{}",
        output.len()
    );
    // Each newline is two bytes on a terminal.
    let bytes: usize = (0..20000)
        .map(|i: u32| format!("line-{i}-................\r\n").len())
        .sum();
    assert_eq!(reply["bytes"], bytes);
}

#[test]
fn a_pane_whose_pipe_is_in_use_keeps_it_and_is_read_off_its_screen() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    let pane = window(&server, "");
    let log = server.room().join("pipe.log");
    server.tmux(&["pipe-pane", "-t", &pane, &format!("exec cat >{}", shell_word(&log))]);
    wait_for("the user's pipe", || log.exists());
    let reply = mcp.ok(
        "run_shell_command",
        json!({ "pane": pane, "command": "echo one; echo two; exit 4" }),
    );
    assert_eq!(
        (&reply["outcome"], &reply["exit_status"], &reply["source"]),
        (&json!("completed"), &json!(4), &json!("screen"))
    );
    assert_eq!(reply["output"], "one\ntwo");
    server.tmux(&["send-keys", "-t", &pane, "-l", "echo still piped\n"]);
    wait_for("the user's pipe to go on", || {
        fs::read_to_string(&log).unwrap().contains("\nstill piped")
    });
    assert!(!screen(&server, &pane).contains("tmux-status-"));
    server.tmux(&["pipe-pane", "-t", &pane]);
    nothing_left(&server, &folder);
}

#[test]
fn the_end_of_the_client_gives_pipes_back_and_ends_what_waits() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    let pane = window(&server, "");
    mcp.send_call(
        "run_shell_command",
        json!({ "pane": pane, "command": "echo begun; sleep 600", "seconds": 600 }),
    );
    wait_for_screen(&server, &pane, "\nbegun");
    assert_eq!(server.run(&format!("display-message -p -t {pane} #{{pane_pipe}}")), "1");
    assert!(mcp.close().success());
    nothing_left(&server, &folder);
    assert_eq!(server.processes_with("exec cat"), Vec::<u32>::new());
}

#[test]
fn nobody_who_looks_notices_a_run_elsewhere() {
    let server = Server::quiet();
    let pane = window(&server, "");
    let _terminal = server.attach();
    let facts = || {
        server.tmux(&[
            "list-sessions",
            "-F",
            "#{session_id} #{session_attached} #{session_last_attached}",
        ])
    };
    let (before, clients) = (facts(), server.tmux(&["list-clients"]));
    let mut mcp = Mcp::start(&server);
    let id = mcp.send_call(
        "run_shell_command",
        json!({ "pane": pane, "command": "echo begun; while [ ! -e go ]; do sleep 0.1; done" }),
    );
    wait_for_screen(&server, &pane, "\nbegun");
    assert_eq!(
        (facts(), server.tmux(&["list-clients"]).lines().count()),
        (before, clients.lines().count())
    );
    fs::write(server.room().join("go"), "").unwrap();
    assert_eq!(
        mcp.result(id, "run_shell_command")["structuredContent"]["outcome"],
        "completed"
    );
}
