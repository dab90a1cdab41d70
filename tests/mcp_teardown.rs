//! The MCP tools that take away: what goes, what must stay.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Value};
use std::fs;
use support::{wait_for, Server};

const TOOLSETS: (&str, &str) = ("LIBTMUX_TOOLSETS", "inspect,teardown");

fn start(server: &Server) -> Mcp {
    Mcp::start_with(server, &[], &[TOOLSETS])
}

fn panes(server: &Server) -> String {
    server.run("list-panes -a -F #{pane_id}").replace('\n', " ")
}

#[test]
fn panes_windows_and_sessions_are_killed() {
    let server = Server::quiet();
    server.run("split-window -d -t %0");
    server.run("new-window -d -t work:1");
    server.run("new-session -d -s other");
    server.run("new-session -d -s third");
    let mut mcp = start(&server);
    assert_eq!(mcp.ok("kill_pane", json!({ "pane": "%0" })), json!({ "id": "%0" }));
    assert_eq!(panes(&server), "%3 %4 %1 %2");
    assert_eq!(mcp.ok("kill_pane", json!({ "pane": "%001" })), json!({ "id": "%1" }));
    assert_eq!(panes(&server), "%3 %4 %2", "with its last pane a window closes");
    assert_eq!(
        mcp.ok("kill_session", json!({ "session": "other" })),
        json!({ "id": "$1" })
    );
    assert_eq!(
        mcp.ok("kill_session", json!({ "session": "$2" })),
        json!({ "id": "$2" })
    );
    assert_eq!(panes(&server), "%2");
    for (tool, argument, id) in [
        ("kill_pane", "pane", "%0"),
        ("kill_window", "window", "@0"),
        ("kill_session", "session", "$1"),
        ("kill_session", "session", "other"),
        ("kill_session", "session", "wor"),
        ("clear_pane_scrollback", "pane", "%0"),
    ] {
        assert_eq!(mcp.kind(tool, json!({ argument: id })), "object_gone", "{tool} {id}");
    }
    // With its last session, the server ends.
    assert_eq!(mcp.ok("kill_window", json!({ "window": "@1" })), json!({ "id": "@1" }));
    wait_for("the end of the server", || {
        !server.try_tmux(&["list-sessions"]).status.success()
    });
    assert_eq!(mcp.kind("kill_window", json!({ "window": "@1" })), "server_gone");
}

#[test]
fn a_window_closes_in_every_session() {
    let server = Server::quiet();
    server.run("new-session -d -s other");
    server.run("link-window -d -s other:0 -t work:7");
    server.run("new-window -d -t other:5");
    let mut mcp = start(&server);
    mcp.ok("kill_window", json!({ "window": "@1" }));
    assert_eq!(
        server.run("list-windows -a -F #{session_name}:#{window_index}"),
        "other:5\nwork:0"
    );
}

#[test]
fn a_linked_window_outlives_a_session() {
    let server = Server::quiet();
    server.run("new-session -d -s other");
    server.run("link-window -d -s other:0 -t work:7");
    start(&server).ok("kill_session", json!({ "session": "other" }));
    assert_eq!(panes(&server), "%0 %1");
}

#[test]
fn the_pane_of_this_process_and_all_that_holds_it_stay() {
    let server = Server::quiet();
    server.run("split-window -d -t %0");
    server.run("new-window -d -t work:1");
    server.run("new-session -d -s other");
    server.run("link-window -d -s work:0 -t other:7");
    server.run("new-session -d -s third");
    let socket = server.run("display-message -p #{socket_path}");
    let tmux = format!("{socket},{},0", server.pid());
    let mut mcp = Mcp::start_with(
        &server,
        &["-S", &socket],
        &[TOOLSETS, ("TMUX", &tmux), ("TMUX_PANE", "%1")],
    );
    let before = panes(&server);
    for (tool, argument, id) in [
        ("kill_pane", "pane", "%1"),
        ("kill_window", "window", "@0"),
        ("kill_session", "session", "work"),
        ("kill_session", "session", "$1"),
    ] {
        let problem = mcp.problem(tool, json!({ argument: id }));
        let expected = json!({ "kind": "self_protection", "reason": "caller", "retryable": false, "stale": false });
        assert_eq!(problem["data"], expected, "{tool} {id}");
        assert!(
            problem["message"].as_str().unwrap().contains("this MCP server"),
            "{problem}"
        );
    }
    assert_eq!(panes(&server), before);
    assert_eq!(mcp.kind("kill_pane", json!({ "pane": "%9" })), "object_gone");
    assert_eq!(mcp.kind("kill_window", json!({ "window": "@9" })), "object_gone");
    assert_eq!(mcp.kind("kill_session", json!({ "session": "$9" })), "object_gone");
    for (tool, argument, id) in [
        ("kill_pane", "pane", "%0"),
        ("kill_window", "window", "@1"),
        ("kill_session", "session", "third"),
    ] {
        mcp.ok(tool, json!({ argument: id }));
    }
    assert_eq!(panes(&server), "%3 %1 %1");
}

#[test]
fn what_runs_in_another_server_protects_nothing_and_what_makes_no_sense_all() {
    let server = Server::quiet();
    server.run("split-window -d -t %0");
    server.run("split-window -d -t %0");
    let socket = server.run("display-message -p #{socket_path}");
    let here = format!("{socket},{},0", server.pid());
    let earlier = format!("{socket},1,0");
    let kill = |tmux: &str, pane: &str, kill: &str| {
        let env = [TOOLSETS, ("TMUX", tmux), ("TMUX_PANE", pane)];
        let mut mcp = Mcp::start_with(&server, &["-S", &socket], &env);
        mcp.call("kill_pane", json!({ "pane": kill }))["structuredContent"].clone()
    };
    for (tmux, pane) in [(here.as_str(), ""), ("", "%2"), (&here, "2"), ("garbage", "%2")] {
        let data = kill(tmux, pane, "%2")["data"].clone();
        assert_eq!(
            (&data["kind"], &data["reason"]),
            (&json!("self_protection"), &json!("caller")),
            "{tmux} {pane}"
        );
    }
    assert_eq!(kill("/elsewhere,1,0", "%2", "%2"), json!({ "id": "%2" }));
    assert_eq!(
        kill(&earlier, "%1", "%1"),
        json!({ "id": "%1" }),
        "an earlier server's pane"
    );
    assert_eq!(panes(&server), "%0");
}

#[test]
fn scrollback_is_forgotten_and_the_screen_stays() {
    let server = Server::quiet();
    let command = "exec sh -c 'i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo line $i; done; exec cat'";
    server.tmux(&["respawn-pane", "-k", "-t", "%0", command]);
    let screen = || server.tmux(&["capture-pane", "-p", "-t", "%0"]);
    wait_for("the lines", || screen().contains("line 60"));
    let kept = || server.run("display-message -p -t %0 #{history_size}");
    assert_ne!(kept(), "0");
    let before = screen();
    let mut mcp = start(&server);
    server.run("copy-mode -t %0");
    let problem = mcp.problem("clear_pane_scrollback", json!({ "pane": "%0" }));
    assert_eq!(
        (&problem["data"]["kind"], &problem["data"]["reason"]),
        (&json!("invalid_input"), &json!("mode"))
    );
    assert_eq!(server.run("display-message -p -t %0 #{pane_in_mode}"), "1");
    assert_ne!(kept(), "0");
    server.run("send-keys -t %0 -X cancel");
    assert_eq!(
        mcp.ok("clear_pane_scrollback", json!({ "pane": "%0" })),
        json!({ "pane": "%0" })
    );
    assert_eq!((kept().as_str(), screen()), ("0", before));
    mcp.ok("clear_pane_scrollback", json!({ "pane": "%0" }));
}

#[test]
fn the_history_limit_is_set_for_one_session_or_all() {
    let server = Server::quiet();
    let mut mcp = start(&server);
    for limit in [0_u32, 5000, 0x7fff_ffff] {
        let reply = mcp.ok("set_history_limit", json!({ "limit": limit }));
        assert_eq!(reply, json!({ "name": "history-limit", "value": limit.to_string() }));
        assert_eq!(server.run("show-options -gv history-limit"), limit.to_string());
    }
    for named in ["work", "$0"] {
        let reply = mcp.ok("set_history_limit", json!({ "limit": 300, "session": named }));
        assert_eq!(
            reply,
            json!({ "name": "history-limit", "target": "$0", "value": "300" })
        );
    }
    assert_eq!(server.run("show-options -v -t work history-limit"), "300");
    for odd in [json!(0x8000_0000_u32), json!(-1), json!("5"), json!(1.5), json!(null)] {
        assert_eq!(mcp.kind("set_history_limit", json!({ "limit": odd })), "invalid_input");
    }
    assert_eq!(
        mcp.kind("set_history_limit", json!({ "limit": 1, "session": "$9" })),
        "object_gone"
    );
    assert_eq!(server.run("show-options -gv history-limit"), 0x7fff_ffff.to_string());
}

#[test]
fn only_ids_are_taken() {
    let server = Server::quiet();
    let mut mcp = start(&server);
    for (tool, argument) in [
        ("kill_pane", "pane"),
        ("kill_window", "window"),
        ("clear_pane_scrollback", "pane"),
    ] {
        for odd in [
            json!("0"),
            json!("work"),
            json!(":"),
            json!("-a"),
            json!(""),
            json!(0),
            Value::Null,
        ] {
            assert_eq!(
                mcp.kind(tool, json!({ argument: odd })),
                "invalid_input",
                "{tool} {odd}"
            );
        }
        assert_eq!(mcp.kind(tool, json!({})), "invalid_input", "{tool}");
    }
    for odd in ["", "=work", "work:", "w*", "-a", "{last}"] {
        assert_eq!(
            mcp.kind("kill_session", json!({ "session": odd })),
            "object_gone",
            "{odd}"
        );
    }
    assert_eq!(panes(&server), "%0");
}

#[test]
fn a_missing_server_is_told_and_not_started() {
    let server = Server::setup().prepare();
    let mut mcp = start(&server);
    for (tool, arguments) in [
        ("kill_pane", json!({ "pane": "%0" })),
        ("kill_window", json!({ "window": "@0" })),
        ("kill_session", json!({ "session": "$0" })),
        ("kill_session", json!({ "session": "work" })),
        ("clear_pane_scrollback", json!({ "pane": "%0" })),
        ("set_history_limit", json!({ "limit": 1 })),
    ] {
        assert_eq!(mcp.kind(tool, arguments), "server_gone", "{tool}");
    }
    let mut folder = fs::read_dir(server.room()).unwrap().flatten();
    assert!(folder.all(|entry| !entry.file_name().to_str().unwrap().starts_with("tmux-")));
}

#[test]
fn teardown_is_not_offered_unasked() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let error = mcp.error(
        "tools/call",
        json!({ "name": "kill_pane", "arguments": { "pane": "%0" } }),
    );
    assert_eq!(error["code"], -32602);
    assert!(
        error["message"].as_str().unwrap().contains("LIBTMUX_TOOLSETS"),
        "{error}"
    );
    assert_eq!(panes(&server), "%0");
}

#[test]
fn each_call_takes_few_tmux_processes() {
    let server = Server::quiet();
    server.run("split-window -d -t %0");
    server.run("new-window -d -t work:1");
    server.run("new-session -d -s other");
    let socket = server.run("display-message -p #{socket_path}");
    let tmux = format!("{socket},{},0", server.pid());
    let log = server.log_tmux_calls();
    let mut mcp = Mcp::start_with(
        &server,
        &["-S", &socket],
        &[TOOLSETS, ("TMUX", &tmux), ("TMUX_PANE", "%1")],
    );
    mcp.first_call();
    for (processes, tool, arguments) in [
        (1, "set_history_limit", json!({ "limit": 100 })),
        (1, "clear_pane_scrollback", json!({ "pane": "%0" })),
        (1, "kill_pane", json!({ "pane": "%0" })),
        (1, "kill_window", json!({ "window": "@1" })),
        (2, "kill_session", json!({ "session": "$1" })),
    ] {
        fs::write(&log, "").unwrap();
        mcp.ok(tool, arguments);
        assert_eq!(fs::read_to_string(&log).unwrap().lines().count(), processes, "{tool}");
    }
}
