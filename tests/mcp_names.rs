//! The MCP tools that name: text that a client writes is kept as it is, run by nobody, and has a longest.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::{nasty, nothing_ran, Mcp};
use serde_json::json;
use support::Server;

fn ask(server: &Server, target: &str, format: &str) -> String {
    server.tmux(&["display-message", "-p", "-t", target, format])
}

#[test]
fn a_session_is_renamed_to_just_that_name() {
    let server = Server::quiet();
    server.run("new-session -d -s other");
    let mut mcp = Mcp::start(&server);
    let row = mcp.ok("rename_session", json!({ "session": "work", "name": "new" }));
    assert_eq!(
        row,
        json!({ "id": "$0", "name": "new", "windows": 1, "attached": false })
    );
    for name in nasty(&server) {
        let row = mcp.ok("rename_session", json!({ "session": "$0", "name": name }));
        assert_eq!((&row["id"], &row["name"]), (&json!("$0"), &json!(name)));
        assert_eq!(
            mcp.ok("rename_session", json!({ "session": name, "name": "new" }))["id"],
            "$0"
        );
    }
    nothing_ran(&server);
    let row = mcp.ok("rename_session", json!({ "session": "$0", "name": "a:b.c" }));
    assert_eq!(row["name"], "a_b_c", "the name that tmux made of it");
    let row = mcp.ok("rename_session", json!({ "session": "$0", "name": "a\nb" }));
    assert_eq!(row["name"], ask(&server, "$0", "#{session_name}"));
    mcp.ok("rename_session", json!({ "session": "$0", "name": "same" }));
    mcp.ok("rename_session", json!({ "session": "$0", "name": "same" }));
    for refused in ["other", ""] {
        assert_eq!(
            mcp.kind("rename_session", json!({ "session": "$0", "name": refused })),
            "refused"
        );
    }
    assert_eq!(ask(&server, "$0", "#{session_name}"), "same");
}

#[test]
fn a_window_is_renamed_to_just_that_name() {
    let server = Server::quiet();
    server.run("new-session -d -s other");
    server.run("link-window -d -s work:0 -t other:7");
    server.run("set-option -w -t @0 automatic-rename on");
    let mut mcp = Mcp::start(&server);
    let row = mcp.ok("rename_window", json!({ "window": "@0", "name": "new" }));
    let first = mcp.ok("get_window_info", json!({ "window": "@0" }));
    assert_eq!((&row, &row["name"]), (&first, &json!("new")));
    assert_eq!(server.run("show-options -wv -t @0 automatic-rename"), "off");
    for name in nasty(&server) {
        let row = mcp.ok("rename_window", json!({ "window": "@0", "name": name }));
        assert_eq!(row["name"], name);
    }
    nothing_ran(&server);
    for name in ["a\nb", "a\tb", ""] {
        let row = mcp.ok("rename_window", json!({ "window": "@0", "name": name }));
        assert_eq!(row["name"], ask(&server, "@0", "#{window_name}"));
    }
}

#[test]
fn a_title_is_set_to_just_that_text() {
    let server = Server::quiet();
    server.run("split-window -d -t %0");
    let mut mcp = Mcp::start(&server);
    for title in nasty(&server).iter().map(String::as_str).chain(["", "a:b.c"]) {
        let row = mcp.ok("set_pane_title", json!({ "pane": "%1", "title": title }));
        assert_eq!((&row["id"], &row["title"]), (&json!("%1"), &json!(title)));
        assert_eq!(row["active"], false, "a title selects nothing");
        assert_eq!(ask(&server, "%1", "#{pane_title}"), title);
    }
    nothing_ran(&server);
    server.run("select-pane -t %1 -T kept");
    for odd in ["a\nb", "\u{1b}]0;x\u{7}", "\u{7f}", "\u{9b}x"] {
        assert_eq!(
            mcp.kind("set_pane_title", json!({ "pane": "%1", "title": odd })),
            "invalid_input"
        );
    }
    assert_eq!(ask(&server, "%1", "#{pane_title}"), "kept");
}

#[test]
fn text_has_a_longest() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let most = "#".repeat(4096);
    for (tool, mut arguments, argument) in [
        ("rename_session", json!({ "session": "$0" }), "name"),
        ("rename_window", json!({ "window": "@0" }), "name"),
        ("set_pane_title", json!({ "pane": "%0" }), "title"),
        ("signal_channel", json!({}), "channel"),
        ("wait_for_channel", json!({}), "channel"),
    ] {
        arguments[argument] = json!(most);
        mcp.ok(tool, arguments.clone());
        for odd in [format!("{most}x"), "a\0b".to_owned()] {
            arguments[argument] = json!(odd);
            assert_eq!(mcp.kind(tool, arguments.clone()), "invalid_input", "{tool}");
        }
    }
    assert_eq!(ask(&server, "%0", "#{pane_title}"), most);
}
