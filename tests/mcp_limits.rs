//! What MCP calls are bounded by: at the edge, and one past it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Value};
use std::fs;
use support::{shell_word, wait_for, Server};

/// The most text of a pane in one reply.
const TEXT: usize = 256 * 1024;

/// Shows the lines of `text` in the first pane, with all of its history kept.
fn show(server: &Server, text: &str) {
    let file = server.room().join("text");
    fs::write(&file, format!("{text}end\n")).unwrap();
    let command = format!("exec cat {} -", shell_word(&file));
    server.tmux(&["respawn-pane", "-k", "-t", "%0", &command]);
    wait_for("the text", || {
        server.tmux(&["capture-pane", "-p", "-t", "%0"]).contains("end")
    });
}

fn roomy() -> Server {
    let config = "set -g automatic-rename off\nset -g history-limit 30000\nset -g default-command 'exec cat'\n";
    Server::setup().config(config).start()
}

#[test]
fn a_pane_of_any_length_gives_its_newest_lines() {
    let server = roomy();
    let text: String = (0..8000).map(|n| format!("{n:05} {}\n", "x".repeat(60))).collect();
    show(&server, &text);
    let mut mcp = Mcp::start(&server);
    for (tool, field) in [("capture_pane", "text"), ("snapshot_pane", "content")] {
        let reply = mcp.ok(tool, json!({ "pane": "%0", "history": true }));
        let text = reply[field].as_str().unwrap();
        assert!(text.len() <= TEXT && text.len() > TEXT - 100, "{}", text.len());
        let (lines, dropped) = (reply["lines"].as_u64().unwrap(), reply["dropped"].as_u64().unwrap());
        assert_eq!(text.split('\n').count() as u64, lines);
        assert_eq!(
            text.split_once(' ').unwrap().0,
            format!("{dropped:05}"),
            "the oldest were left out, and counted"
        );
        assert!(text.trim_end().ends_with("\nend"));
    }
}

#[test]
fn a_pattern_may_take_so_many_bytes_and_no_more() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let mut ask = |pattern: String, regex: bool| {
        mcp.call("search_panes", json!({ "pattern": pattern, "regex": regex }))["isError"].clone()
    };
    for regex in [false, true] {
        assert_eq!(ask("x".repeat(4096), regex), false);
        assert_eq!(ask("x".repeat(4097), regex), true);
        // Bytes, not characters.
        assert_eq!(ask("é".repeat(2048), regex), false);
        assert_eq!(ask("é".repeat(2049), regex), true);
    }
}

#[test]
fn a_pattern_that_would_take_for_ever_is_refused_or_answered() {
    let server = roomy();
    show(&server, &format!("{}\n", "a".repeat(90)).repeat(2000));
    let mut mcp = Mcp::start(&server);
    let reply = mcp.ok(
        "search_panes",
        json!({ "pattern": "(a+)+$b", "regex": true, "history": true }),
    );
    assert_eq!(reply["matches"], json!([]));
    let huge = json!({ "pattern": "(((a{100}){100}){100}){100}", "regex": true });
    assert_eq!(mcp.kind("search_panes", huge), "invalid_input");
}

#[test]
fn names_may_be_so_many_and_no_more() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let names = |count: usize| json!({ "names": vec!["pid"; count] });
    mcp.ok("get_tmux_variables", names(32));
    mcp.ok("get_tmux_variables", names(1));
    assert_eq!(mcp.kind("get_tmux_variables", names(33)), "invalid_input");
    assert_eq!(mcp.kind("get_tmux_variables", names(0)), "invalid_input");
}

#[test]
fn a_search_reads_so_many_panes_and_says_so() {
    let server = Server::quiet();
    server.open_windows(63);
    let mut mcp = Mcp::start(&server);
    let mut ask = |history: bool| {
        let reply = mcp.ok("search_panes", json!({ "pattern": "nowhere", "history": history }));
        (
            reply["panes_searched"].as_u64().unwrap(),
            reply["capped"] == true,
            reply["limit"].clone(),
        )
    };
    for history in [false, true] {
        assert_eq!(ask(history), (64, false, Value::Null));
    }
    server.open_windows(1);
    for history in [false, true] {
        assert_eq!(ask(history), (64, true, json!("panes")));
    }
}

#[test]
fn a_search_reads_so_many_lines_and_the_newest() {
    let ask = |lines: usize, pattern: &str| {
        // What stood in a pane before would stay in its history.
        let server = roomy();
        show(&server, &(0..lines).map(|n| format!("{n:05}\n")).collect::<String>());
        let search = json!({ "pattern": pattern, "regex": true, "history": true });
        let reply = Mcp::start(&server).ok("search_panes", search);
        (reply["matches"].as_array().unwrap().clone(), reply["limit"].clone())
    };
    let first = |(found, limit): (Vec<Value>, Value)| (found.first().map(|m| m["line"].clone()), limit);
    // Below the text are its last line and the row of the cursor.
    assert_eq!(first(ask(8190, "^00000$")), (Some(json!(0)), Value::Null));
    assert_eq!(
        first(ask(8191, "^00000$")),
        (None, json!("lines")),
        "the oldest is left out"
    );
    assert_eq!(first(ask(8191, "^00001$")), (Some(json!(0)), json!("lines")));
    let (found, limit) = ask(8000, "^0");
    assert_eq!((found.len(), limit), (1000, json!("matches")));
    let (found, limit) = ask(1000, "^0");
    assert_eq!((found.len(), limit), (1000, Value::Null));
}

#[test]
fn a_search_reads_so_many_bytes() {
    let config = "set -g history-limit 30000\nset -g default-size 200x50\nset -g default-command 'exec cat'\n";
    let server = Server::setup().config(config).start();
    server.run("resize-window -x 190 -y 50 -t work:0");
    show(&server, &format!("{}\n", "y".repeat(180)).repeat(7000));
    let reply = Mcp::start(&server).ok("search_panes", json!({ "pattern": "nowhere", "history": true }));
    assert_eq!((&reply["limit"], &reply["capped"]), (&json!("bytes"), &json!(true)));
}
