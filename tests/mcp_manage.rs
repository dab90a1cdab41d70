//! The MCP tools that arrange: what they change, what they leave alone.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Value};
use support::Server;

fn ask(server: &Server, target: &str, format: &str) -> String {
    server.tmux(&["display-message", "-p", "-t", target, format])
}

/// The ids of the windows that sessions show, by session.
fn shown(server: &Server) -> String {
    let format = "#{session_id} #{window_id}";
    server
        .tmux(&["list-windows", "-a", "-f", "#{window_active}", "-F", format])
        .replace('\n', " ")
}

#[test]
fn a_window_is_selected_by_id_or_from_where_it_is() {
    let server = Server::quiet();
    for index in [3, 5] {
        server.run(&format!("new-window -d -t work:{index}"));
    }
    server.run("new-session -d -s other");
    let mut mcp = Mcp::start(&server);
    let mut select = |window: &str, direction: Value| {
        let mut arguments = json!({ "window": window });
        if !direction.is_null() {
            arguments["direction"] = direction;
        }
        let reply = mcp.ok("select_window", arguments);
        let rows = reply["windows"].as_array().unwrap();
        assert!(rows.iter().all(|row| row["session_id"] == "$0"));
        let indexes: Vec<_> = rows.iter().map(|row| row["index"].as_i64().unwrap()).collect();
        assert_eq!(indexes, [0, 3, 5]);
        let mut active = rows.iter().filter(|row| row["active"] == true);
        let active = active.next().unwrap()["id"].as_str().unwrap().to_owned();
        assert_eq!(ask(&server, "work:", "#{window_id}"), active);
        active
    };
    assert_eq!(select("@1", Value::Null), "@1");
    assert_eq!(select("@1", json!("next")), "@2");
    assert_eq!(select("@1", json!("last")), "@1", "the one that was current before");
    assert_eq!(select("@2", json!("last")), "@2");
    assert_eq!(
        select("@0", json!("next")),
        "@1",
        "from that window, not from the current one"
    );
    assert_eq!(select("@2", json!("next")), "@0", "round the end");
    assert_eq!(select("@0", json!("previous")), "@2");
    assert_eq!(select("@002", json!("previous")), "@1");
    assert_eq!(
        mcp.kind("select_window", json!({ "window": "@3", "direction": "last" })),
        "refused"
    );
    let alone = mcp.ok("select_window", json!({ "window": "@3", "direction": "next" }));
    assert_eq!(alone["windows"][0]["id"], "@3");
    for odd in [json!("up"), json!(""), json!(1)] {
        let arguments = json!({ "window": "@0", "direction": odd });
        assert_eq!(mcp.kind("select_window", arguments), "invalid_input");
    }
}

#[test]
fn a_linked_window_is_selected_in_one_session_and_that_is_told() {
    let server = Server::quiet();
    server.run("new-session -d -s other");
    server.run("link-window -d -s work:0 -t other:7");
    server.run("new-window -t work:4");
    let mut mcp = Mcp::start(&server);
    for direction in [Value::Null, json!("next"), json!("previous")] {
        let reply = mcp.ok("select_window", json!({ "window": "@0", "direction": direction }));
        let rows = reply["windows"].as_array().unwrap();
        let active = rows.iter().find(|row| row["active"] == true).unwrap();
        let session = active["session_id"].as_str().unwrap();
        assert_eq!(active["id"], ask(&server, session, "#{window_id}"));
    }
}

#[test]
fn a_pane_is_selected_by_id_or_from_where_it_is() {
    let server = Server::quiet();
    server.run("split-window -d -h -t %0");
    server.run("split-window -d -v -t %1");
    let mut mcp = Mcp::start(&server);
    let mut select = |pane: &str, direction: Value| {
        let mut arguments = json!({ "pane": pane });
        if !direction.is_null() {
            arguments["direction"] = direction;
        }
        let row = mcp.ok("select_pane", arguments);
        assert_eq!((&row["active"], &row["window_id"]), (&json!(true), &json!("@0")));
        assert_eq!(ask(&server, "@0", "#{pane_id}"), row["id"].as_str().unwrap());
        row["id"].as_str().unwrap().to_owned()
    };
    assert_eq!(select("%1", Value::Null), "%1");
    assert_eq!(select("%1", json!("down")), "%2");
    assert_eq!(select("%0", json!("last")), "%1", "of the window, wherever one starts");
    assert_eq!(select("%2", json!("up")), "%1");
    assert_eq!(select("%2", json!("left")), "%0");
    assert_eq!(select("%0", json!("right")), "%1");
    assert_eq!(select("%1", json!("next")), "%2");
    assert_eq!(
        select("%0", json!("next")),
        "%1",
        "from that pane, not from the active one"
    );
    assert_eq!(select("%2", json!("next")), "%0", "round the end");
    assert_eq!(select("%00", json!("previous")), "%2");
    server.run("new-window -d -t work:1");
    assert_eq!(
        mcp.kind("select_pane", json!({ "pane": "%3", "direction": "last" })),
        "refused"
    );
    assert_eq!(
        mcp.ok("select_pane", json!({ "pane": "%3", "direction": "up" }))["id"],
        "%3"
    );
    assert_eq!(
        mcp.kind("select_pane", json!({ "pane": "%0", "direction": "below" })),
        "invalid_input"
    );
}

#[test]
fn layouts_are_taken_as_tmux_takes_them() {
    let server = Server::quiet();
    // tmux 3.3a would not survive to be asked for a layout that it does not know.
    let version = ask(&server, "@0", "#{version}");
    let later = !["3.2", "3.3", "3.4"].iter().any(|old| version.starts_with(old));
    for panes in 2..=3 {
        server.run("new-window -d -t work:");
        for _ in 1..panes {
            server.run(&format!("split-window -d -t @{}", panes - 1));
        }
    }
    let mut mcp = Mcp::start(&server);
    for case in include_str!("mcp/layouts.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let words: Vec<&str> = case.split(' ').collect();
        let window = format!("@{}", words[1].parse::<u32>().unwrap() - 1);
        let arguments = json!({ "window": window, "layout": words[0] });
        let result = mcp.call("select_layout", arguments);
        let taken = words[if later { 3 } else { 2 }] == "yes";
        let said = &result["structuredContent"];
        assert_eq!(result["isError"], !taken, "{case}: {said}");
        if taken {
            let now = ask(&server, &window, "#{window_layout}");
            assert_eq!(said, &json!({ "window": window, "layout": now }));
        } else if words[0].ends_with("mirrored") {
            let expected =
                json!({ "kind": "unsupported_version", "reason": "version", "retryable": false, "stale": false });
            assert_eq!(said["data"], expected, "{case}");
        } else {
            assert_eq!(said["data"]["kind"], "invalid_input", "{case}");
        }
        assert!(
            server.try_tmux(&["has-session", "-t", "work"]).status.success(),
            "{case}"
        );
    }
}

#[test]
fn a_layout_that_was_saved_comes_back() {
    let server = Server::quiet();
    server.run("split-window -d -h -t %0");
    server.run("split-window -d -v -t %1");
    let saved = ask(&server, "@0", "#{window_layout}");
    let mut mcp = Mcp::start(&server);
    let other = mcp.ok("select_layout", json!({ "window": "@0", "layout": "tiled" }));
    assert_ne!(other["layout"], saved);
    let back = mcp.ok("select_layout", json!({ "window": "@0", "layout": saved }));
    assert_eq!(back, json!({ "window": "@0", "layout": saved }));
    for odd in ["-o", "--", ";", "tiled ", "Tiled", "#{window_layout}"] {
        assert_eq!(
            mcp.kind("select_layout", json!({ "window": "@0", "layout": odd })),
            "invalid_input",
            "{odd}"
        );
        // It is not even looked whether there is such a window.
        assert_eq!(
            mcp.kind("select_layout", json!({ "window": "@9", "layout": odd })),
            "invalid_input",
            "{odd}"
        );
    }
    assert_eq!(
        mcp.kind("select_layout", json!({ "window": "@9", "layout": "tiled" })),
        "object_gone"
    );
    assert_eq!(ask(&server, "@0", "#{window_layout}"), saved);
}

#[test]
fn a_window_gets_an_exact_size() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let size = || ask(&server, "@0", "#{window_width}x#{window_height}");
    for (width, height) in [(90, 20), (1, 1), (10_000, 1), (1, 10_000)] {
        let row = mcp.ok(
            "resize_window",
            json!({ "window": "@0", "width": width, "height": height }),
        );
        assert_eq!((&row["id"], &row["name"]), (&json!("@0"), &json!("quiet")));
        assert_eq!(size(), format!("{width}x{height}"));
    }
    assert_eq!(server.run("show-options -wv -t @0 window-size"), "manual");
    for (width, height) in [(0, 5), (5, 0), (10_001, 5), (5, 10_001), (-1, 5)] {
        let arguments = json!({ "window": "@0", "width": width, "height": height });
        assert_eq!(
            mcp.kind("resize_window", arguments),
            "invalid_input",
            "{width}x{height}"
        );
    }
    assert_eq!(size(), "1x10000");
}

#[test]
fn a_panes_edge_is_moved() {
    let server = Server::quiet();
    server.run("split-window -d -h -t %0");
    server.run("split-window -d -v -t %0");
    let mut mcp = Mcp::start(&server);
    let mut resize = |direction: &str, cells: u32| {
        let before = ask(&server, "%0", "#{pane_width} #{pane_height}");
        let before: Vec<i64> = before.split(' ').map(|n| n.parse().unwrap()).collect();
        let reply = mcp.ok(
            "resize_pane",
            json!({ "pane": "%0", "direction": direction, "cells": cells }),
        );
        let now = [reply["width"].as_i64().unwrap(), reply["height"].as_i64().unwrap()];
        assert_eq!(
            ask(&server, "%0", "#{pane_width} #{pane_height}"),
            format!("{} {}", now[0], now[1])
        );
        assert_eq!(reply["pane"], "%0");
        (now[0] - before[0], now[1] - before[1])
    };
    assert_eq!(resize("right", 3), (3, 0));
    assert_eq!(resize("left", 1), (-1, 0));
    assert_eq!(resize("down", 2), (0, 2));
    assert_eq!(resize("up", 1), (0, -1));
    let (wider, _) = resize("right", 10_000);
    assert!(wider > 0, "as far as there is room");
    assert_eq!(resize("right", 1), (0, 0));
    for cells in [json!(0), json!(10_001), json!(-1), json!("1")] {
        let arguments = json!({ "pane": "%0", "direction": "up", "cells": cells });
        assert_eq!(mcp.kind("resize_pane", arguments), "invalid_input");
    }
    let arguments = json!({ "pane": "%0", "direction": "next", "cells": 1 });
    assert_eq!(mcp.kind("resize_pane", arguments), "invalid_input");
}

#[test]
fn a_window_is_moved_and_nobody_looks_elsewhere() {
    let server = Server::quiet();
    server.run("new-window -d -t work:1");
    server.run("new-window -d -t work:2");
    server.run("new-session -d -s other");
    let mut mcp = Mcp::start(&server);
    let mut place = |window: &str, session: &str, index: Value| {
        let arguments = json!({ "window": window, "destination_session": session, "destination_index": index });
        let result = mcp.call("move_window", arguments);
        let said = result["structuredContent"].clone();
        if result["isError"] == true {
            return said["data"]["kind"].clone();
        }
        json!([said["id"], said["session_id"], said["index"], said["active"]])
    };
    for window in ["@2", "@0"] {
        server.run(&format!("select-window -t {window}"));
    }
    assert_eq!(shown(&server), "$1 @3 $0 @0");
    assert_eq!(place("@1", "work", json!(7)), json!(["@1", "$0", 7, false]));
    assert_eq!(
        place("@0", "$0", json!(9)),
        json!(["@0", "$0", 9, true]),
        "what is shown is shown at its new place"
    );
    assert_eq!(
        place("@1", "other", json!(0x7fff_ffff)),
        json!(["@1", "$1", 0x7fff_ffff, false])
    );
    assert_eq!(shown(&server), "$1 @3 $0 @0");
    assert_eq!(place("@0", "$1", json!(5)), json!(["@0", "$1", 5, false]));
    assert_eq!(
        shown(&server),
        "$1 @3 $0 @2",
        "a session that loses what it shows shows another"
    );
    for taken in [5, 0] {
        assert_eq!(place("@2", "other", json!(taken)), "refused");
    }
    assert_eq!(place("@0", "other", json!(5)), "refused", "it is there");
    for odd in [json!(-1), json!(0x8000_0000_u32), json!("1"), json!("+1"), json!(null)] {
        assert_eq!(place("@2", "other", odd), "invalid_input");
    }
    assert_eq!(place("@9", "other", json!(8)), "object_gone");
    for gone in ["$9", "oth", "=other"] {
        assert_eq!(place("@2", gone, json!(8)), "object_gone");
    }
    assert_eq!(shown(&server), "$1 @3 $0 @2");
    assert_eq!(place("@2", "other", json!(8)), json!(["@2", "$1", 8, false]));
    assert_eq!(shown(&server), "$1 @3", "a session without windows has ended");
}

#[test]
fn two_panes_trade_places_and_the_active_ones_stay() {
    let server = Server::quiet();
    server.run("split-window -d -h -t %0");
    server.run("new-window -d -t work:1");
    server.run("split-window -d -h -t %2");
    let mut mcp = Mcp::start(&server);
    let state = || {
        let panes = server.run("list-panes -s -t work -F #{pane_id}#{?pane_active,*,}");
        panes.replace('\n', " ")
    };
    assert_eq!(state(), "%0* %1 %2* %3");
    let mut swap = |source: &str, target: &str| {
        let row = mcp.ok("swap_pane", json!({ "source_pane": source, "target_pane": target }));
        assert_eq!(row["id"], source);
        assert_eq!(row["window_id"], ask(&server, source, "#{window_id}"));
        state()
    };
    assert_eq!(swap("%0", "%1"), "%1 %0* %2* %3");
    assert_eq!(swap("%1", "%0"), "%0* %1 %2* %3");
    assert_eq!(swap("%1", "%2"), "%0* %2 %1* %3", "the place stays active");
    assert_eq!(swap("%0", "%3"), "%3* %2 %1* %0");
    assert_eq!(swap("%3", "%1"), "%1* %2 %3* %0");
    assert_eq!(swap("%1", "%1"), "%1* %2 %3* %0");
    server.run("resize-pane -Z -t %1");
    assert_eq!(swap("%2", "%1"), "%2 %1* %3* %0");
    assert_eq!(
        ask(&server, "%1", "#{window_zoomed_flag}"),
        "1",
        "nor does a zoomed pane lose its place"
    );
    for (source, target) in [("%9", "%0"), ("%0", "%9"), ("%9", "%9")] {
        let arguments = json!({ "source_pane": source, "target_pane": target });
        assert_eq!(mcp.kind("swap_pane", arguments), "object_gone", "{source} {target}");
    }
}

#[test]
fn the_mouse_is_set_for_one_session_or_all() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let reply = mcp.ok("set_mouse_enabled", json!({ "enabled": true }));
    assert_eq!(reply, json!({ "name": "mouse", "value": "on" }));
    assert_eq!(server.run("show-options -gv mouse"), "on");
    for named in ["work", "$0"] {
        let reply = mcp.ok("set_mouse_enabled", json!({ "enabled": false, "session": named }));
        assert_eq!(reply, json!({ "name": "mouse", "target": "$0", "value": "off" }));
    }
    assert_eq!(server.run("show-options -v -t work mouse"), "off");
    assert_eq!(server.run("show-options -gv mouse"), "on");
    for gone in ["$9", "wor"] {
        assert_eq!(
            mcp.kind("set_mouse_enabled", json!({ "enabled": true, "session": gone })),
            "object_gone"
        );
    }
    for odd in [json!("on"), json!(1), json!(null)] {
        assert_eq!(
            mcp.kind("set_mouse_enabled", json!({ "enabled": odd })),
            "invalid_input"
        );
    }
}
