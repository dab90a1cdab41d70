//! The MCP tool that follows a pane: what is new in it, told once and whole.

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
    let pane = window(&server, "");
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
