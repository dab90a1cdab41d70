//! The MCP tools that list: sessions, windows, panes, by what names one is meant, and which are not there.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Value};
use support::Server;

fn ids(rows: &Value) -> Vec<&str> {
    let rows = rows.as_array().unwrap();
    rows.iter().map(|row| row["id"].as_str().unwrap()).collect()
}

#[test]
fn lists_tell_sessions_windows_and_panes_in_order() {
    let server = Server::quiet();
    server.run("split-window -d -t work:0");
    server.run("new-session -d -s other -n second");
    server.run("link-window -d -s work:0 -t other:7");
    let mut mcp = Mcp::start(&server);
    let sessions = mcp.ok("list_sessions", json!({}));
    let row =
        |id: &str, name: &str, windows: u32| json!({ "id": id, "name": name, "windows": windows, "attached": false });
    assert_eq!(
        sessions["sessions"],
        json!([row("$1", "other", 2), row("$0", "work", 1)])
    );
    let windows = mcp.ok("list_windows", json!({}));
    let seen: Vec<_> = windows["windows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| {
            json!([
                w["session_id"],
                w["id"],
                w["index"],
                w["name"],
                w["panes"],
                w["active"],
                w["linked"]
            ])
        })
        .collect();
    assert_eq!(
        seen,
        [
            json!(["$1", "@1", 0, "second", 1, true, false]),
            json!(["$1", "@0", 7, "quiet", 2, false, true]),
            json!(["$0", "@0", 0, "quiet", 2, true, true]),
        ]
    );
    let panes = mcp.ok("list_panes", json!({}));
    let mut listed = ids(&panes["panes"]);
    listed.sort_unstable();
    assert_eq!(listed, ["%0", "%1", "%2"], "once each, though a window is linked");
    let first = panes["panes"]
        .as_array()
        .unwrap()
        .iter()
        .find(|pane| pane["id"] == "%0")
        .unwrap();
    let room = server.room().to_str().unwrap();
    assert_eq!((&first["command"], &first["path"]), (&json!("cat"), &json!(room)));
    assert_eq!(
        (&first["window_id"], &first["caller"]),
        (&json!("@0"), &json!("unknown"))
    );
}

#[test]
fn the_whole_server_comes_in_one_reply() {
    let server = Server::quiet();
    server.run("split-window -d -t work:0");
    server.run("new-session -d -s other");
    server.run("link-window -d -s work:0 -t other:7");
    let tree = Mcp::start(&server).ok("get_server_info", json!({}));
    let shape: Vec<Value> = tree["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|session| {
            let windows = session["windows"].as_array().unwrap().iter();
            let windows: Vec<_> = windows
                .map(|w| json!([w["id"], w["index"], w["linked"], ids(&w["panes"])]))
                .collect();
            json!([session["name"], windows])
        })
        .collect();
    assert_eq!(
        shape,
        [
            json!(["other", [["@1", 0, false, ["%2"]], ["@0", 7, true, ["%0", "%1"]]]]),
            json!(["work", [["@0", 0, true, ["%0", "%1"]]]]),
        ]
    );
}

#[test]
fn an_attached_client_shows() {
    let server = Server::quiet();
    let _terminal = server.attach();
    let mut mcp = Mcp::start(&server);
    assert_eq!(mcp.ok("list_sessions", json!({}))["sessions"][0]["attached"], true);
    assert_eq!(mcp.ok("get_server_info", json!({}))["sessions"][0]["attached"], true);
}

#[test]
fn names_that_hold_anything_come_as_tmux_has_them() {
    let server = Server::quiet();
    // From 3.8 on tmux refuses the first.
    for name in ["a\tb\nc ##(x) \u{1f600}", "a b ##(x) \u{1f600}"] {
        server.try_tmux(&["new-window", "-d", "-t", "work:", "-n", name]);
    }
    let windows = Mcp::start(&server).ok("list_windows", json!({}));
    let windows = windows["windows"].as_array().unwrap();
    assert!(windows.len() > 1);
    for window in &windows[1..] {
        let id = window["id"].as_str().unwrap();
        let shown = server.tmux(&["display-message", "-p", "-t", id, "#{window_name}"]);
        assert_eq!(window["name"], shown);
        assert!(shown.ends_with(" #(x) \u{1f600}"), "{shown}");
    }
}

#[test]
fn one_object_is_told_as_its_list_tells_it() {
    let server = Server::quiet();
    server.run("new-session -d -s other");
    let mut mcp = Mcp::start(&server);
    let sessions = mcp.ok("list_sessions", json!({}))["sessions"].clone();
    for named in ["work", "$0", "$000"] {
        assert_eq!(mcp.ok("get_session_info", json!({ "session": named })), sessions[1]);
    }
    let windows = mcp.ok("list_windows", json!({}))["windows"].clone();
    assert_eq!(mcp.ok("get_window_info", json!({ "window": "@01" })), windows[0]);
    let panes = mcp.ok("list_panes", json!({}))["panes"].clone();
    assert_eq!(mcp.ok("get_pane_info", json!({ "pane": "%001" })), panes[0]);
}

#[test]
fn a_session_is_named_whole_and_an_id_goes_before_a_name() {
    let server = Server::quiet();
    server.tmux(&["new-session", "-d", "-s", "$0"]);
    server.tmux(&["new-session", "-d", "-s", "$9x"]);
    let mut mcp = Mcp::start(&server);
    let id = |mcp: &mut Mcp, named: &str| mcp.ok("get_session_info", json!({ "session": named }))["id"].clone();
    assert_eq!(id(&mut mcp, "$0"), "$0", "the session of that id, not of that name");
    assert_eq!(id(&mut mcp, "$9x"), "$2");
    server.tmux(&["new-session", "-d", "-s", "$77"]);
    assert_eq!(id(&mut mcp, "$77"), "$3", "a name, as there is no such id");
    assert_eq!(mcp.ok("show_environment", json!({ "session": "$77" }))["session"], "$3");
    for no_name in ["wor", "w*", "=work", "work:", "work:0", "", "$9", "%0"] {
        let problem = mcp.problem("get_session_info", json!({ "session": no_name }));
        assert_eq!(
            (&problem["data"]["kind"], &problem["data"]["stale"]),
            (&json!("object_gone"), &json!(true))
        );
    }
}

#[test]
fn what_is_gone_or_no_id_is_told_apart() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    for (tool, argument, gone) in [
        ("get_pane_info", "pane", "%9"),
        ("capture_pane", "pane", "%9"),
        ("snapshot_pane", "pane", "%9"),
        ("get_window_info", "window", "@9"),
        ("get_session_info", "session", "none"),
        ("show_environment", "session", "$9"),
        ("show_hooks", "session", "$9"),
        ("show_environment", "session", "none"),
        ("show_hooks", "session", "none"),
    ] {
        assert_eq!(
            mcp.kind(tool, json!({ argument: gone })),
            "object_gone",
            "{tool} {gone}"
        );
    }
    let more = [
        ("find_pane_by_position", json!({ "window": "@9", "corner": "top-left" })),
        ("search_panes", json!({ "pattern": "x", "window": "@9" })),
        (
            "search_panes",
            json!({ "pattern": "x", "session": "none", "history": true }),
        ),
        ("get_tmux_variables", json!({ "names": ["pid"], "pane": "%9" })),
        (
            "show_option",
            json!({ "name": "status", "scope": "session", "target": "$9" }),
        ),
        (
            "show_option",
            json!({ "name": "mode-keys", "scope": "window", "target": "@9" }),
        ),
        ("show_option", json!({ "name": "@x", "scope": "pane", "target": "%9" })),
    ];
    for (tool, arguments) in more {
        assert_eq!(mcp.kind(tool, arguments.clone()), "object_gone", "{tool} {arguments}");
    }
    for (tool, argument) in [
        ("get_pane_info", "pane"),
        ("capture_pane", "pane"),
        ("snapshot_pane", "pane"),
        ("get_window_info", "window"),
    ] {
        for odd in [
            json!("1"),
            json!("work"),
            json!("$0"),
            json!("%+0"),
            json!("@4294967296"),
            json!(0),
            json!(null),
            json!(""),
        ] {
            assert_eq!(
                mcp.kind(tool, json!({ argument: odd })),
                "invalid_input",
                "{tool} {odd}"
            );
        }
        assert_eq!(mcp.kind(tool, json!({})), "invalid_input", "{tool}");
    }
    for tool in ["list_sessions", "list_windows", "list_panes", "get_server_info"] {
        assert_eq!(mcp.kind(tool, json!({ "x": 1 })), "invalid_input", "{tool}");
    }
}

#[test]
fn a_pane_is_found_by_its_corner() {
    let server = Server::quiet();
    server.run("split-window -d -h -t %0");
    server.run("split-window -d -v -t %1");
    let mut mcp = Mcp::start(&server);
    let mut at = |corner: &str| {
        let pane = mcp.ok("find_pane_by_position", json!({ "window": "@0", "corner": corner }));
        pane["id"].as_str().unwrap().to_owned()
    };
    let corners = ["top-left", "bottom-left", "top-right", "bottom-right"];
    assert_eq!(corners.map(&mut at), ["%0", "%0", "%1", "%2"]);
    // With a line of their own above them, panes do not begin at row 0.
    server.run("set -g pane-border-status top");
    assert_eq!(corners.map(&mut at), ["%0", "%0", "%1", "%2"]);
    server.run("select-pane -t %2");
    server.run("resize-pane -Z -t %2");
    assert_eq!(
        corners.map(&mut at),
        ["%2"; 4],
        "a zoomed pane is all that the window shows"
    );
    assert_eq!(
        mcp.kind("find_pane_by_position", json!({ "window": "@0", "corner": "middle" })),
        "invalid_input"
    );
}

#[test]
fn the_pane_of_this_process_is_told_where_it_is_proved() {
    let server = Server::quiet();
    server.run("split-window -d -t work:0");
    let socket = server.run("display-message -p #{socket_path}");
    let here = format!("{socket},{},0", server.pid());
    let relation = |env: &[(&str, &str)]| {
        let panes = Mcp::start_with(&server, &["-S", &socket], env).ok("list_panes", json!({}));
        let panes = panes["panes"].as_array().unwrap().iter();
        panes
            .map(|pane| pane["caller"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(relation(&[]), ["unknown"; 2]);
    assert_eq!(relation(&[("TMUX", &here), ("TMUX_PANE", "%1")]), ["other", "self"]);
    let before = format!("{socket},1,0");
    assert_eq!(
        relation(&[("TMUX", &before), ("TMUX_PANE", "%1")]),
        ["other"; 2],
        "an earlier server's"
    );
    assert_eq!(
        relation(&[("TMUX", "/elsewhere,1,0"), ("TMUX_PANE", "%1")]),
        ["other"; 2]
    );
    assert_eq!(relation(&[("TMUX_PANE", "%1")]), ["other"; 2]);
}

#[test]
fn a_server_without_sessions_has_empty_lists() {
    let server = Server::setup().config("set -s exit-empty off\n").start();
    server.run("kill-session -t work");
    let mut mcp = Mcp::start(&server);
    assert_eq!(mcp.ok("list_sessions", json!({})), json!({ "sessions": [] }));
    assert_eq!(mcp.ok("list_windows", json!({})), json!({ "windows": [] }));
    assert_eq!(mcp.ok("list_panes", json!({})), json!({ "panes": [] }));
    assert_eq!(mcp.ok("get_server_info", json!({})), json!({ "sessions": [] }));
    for history in [true, false] {
        let found = mcp.ok("search_panes", json!({ "pattern": "x", "history": history }));
        assert_eq!(found, json!({ "matches": [], "panes_searched": 0, "capped": false }));
    }
    for (tool, argument, id) in [
        ("capture_pane", "pane", "%0"),
        ("snapshot_pane", "pane", "%0"),
        ("get_window_info", "window", "@0"),
    ] {
        assert_eq!(mcp.kind(tool, json!({ argument: id })), "object_gone", "{tool}");
    }
}
