//! `get_status`: the truth of the status line, for programs.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Value};
use std::fs;
use support::{shell_word, wait_for, Server, HELPER};

fn windows(reply: &Value) -> Vec<Value> {
    let sessions = reply["sessions"].as_array().unwrap().iter();
    sessions
        .flat_map(|session| session["windows"].as_array().unwrap().clone())
        .collect()
}

#[test]
fn it_says_what_the_status_file_says_with_ids() {
    let server = Server::quiet();
    server.run("new-session -d -s other");
    server.run("link-window -d -s work:0 -t other:7");
    server.refresh();
    let status = server.status();
    let reply = Mcp::start(&server).ok("get_status", json!({}));
    assert_eq!(reply["generated_at"], status["generatedAt"]);
    assert_eq!(reply["windows"], 2);
    let expected = status["sessions"].as_array().unwrap();
    for (session, expected) in reply["sessions"].as_array().unwrap().iter().zip(expected) {
        assert_eq!(
            (&session["name"], &session["attached"]),
            (&expected["name"], &expected["attached"])
        );
        let (windows, expected) = (
            session["windows"].as_array().unwrap(),
            expected["windows"].as_array().unwrap(),
        );
        assert_eq!(windows.len(), expected.len());
        for (window, expected) in windows.iter().zip(expected) {
            assert_eq!(window["kind"], expected["statusKind"]);
            for key in ["index", "name", "command", "active", "summary", "target"] {
                assert_eq!(window[key], expected[key], "{key}");
            }
        }
    }
    let first = &reply["sessions"][1]["windows"][0];
    assert_eq!((&first["window_id"], &first["pane_id"]), (&json!("@0"), &json!("%0")));
    assert_eq!(reply["sessions"][1]["session_id"], "$0");
    assert!(
        first["since"].as_u64().unwrap() > 0 && first["source"].is_string(),
        "{first}"
    );
}

#[test]
fn what_needs_its_user_can_be_asked_for_alone() {
    let server = Server::start();
    server.tmux(&[
        "new-window",
        "-d",
        "-t",
        "work:5",
        "-n",
        "asks",
        "read -p 'Continue? [y/n] ' x",
    ]);
    wait_for("the question", || {
        server.tmux(&["capture-pane", "-p", "-t", "%1"]).contains("[y/n]")
    });
    let mut mcp = Mcp::start(&server);
    wait_for("the window that asks", || {
        server.refresh_with(&["--full"]);
        mcp.ok("get_status", json!({}))["needing"] == 1
    });
    let asks = windows(&mcp.ok("get_status", json!({ "needing": true, "evidence": true })));
    assert_eq!(asks.len(), 1);
    assert_eq!(
        (&asks[0]["name"], &asks[0]["need"], &asks[0]["kind"]),
        (&json!("asks"), &json!("question"), &json!("waiting"))
    );
    assert!(asks[0]["need_since"].is_u64() && !asks[0]["evidence"].as_array().unwrap().is_empty());
    let mut count = |kinds: Value| windows(&mcp.ok("get_status", json!({ "kinds": kinds }))).len();
    assert_eq!(count(json!(["waiting"])), 2);
    assert_eq!(count(json!(["active", "running", "idle", "error"])), 0);
    assert_eq!(count(json!([])), 0);
    assert_eq!(mcp.kind("get_status", json!({ "kinds": ["busy"] })), "invalid_input");
}

#[test]
fn a_session_can_be_asked_for_alone() {
    let server = Server::quiet();
    server.tmux(&["new-session", "-d", "-s", "$0"]);
    server.refresh();
    let mut mcp = Mcp::start(&server);
    let mut names = |session: &str| -> Vec<Value> {
        let reply = mcp.ok("get_status", json!({ "session": session }));
        reply["sessions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|session| session["name"].clone())
            .collect()
    };
    assert_eq!(names("work"), ["work"]);
    assert_eq!(names("$0"), ["work"], "an id goes before a name");
    assert_eq!(mcp.kind("get_status", json!({ "session": "wor" })), "object_gone");
}

#[test]
fn a_report_of_a_hook_is_told_as_one() {
    let server = Server::quiet();
    let body = format!(
        "{} report permission --summary 'may I?'\nexec cat",
        shell_word(HELPER.as_ref())
    );
    let script = server.write_script("agent", &body);
    server.tmux(&[
        "respawn-pane",
        "-k",
        "-t",
        "%0",
        &format!("exec {}", shell_word(&script)),
    ]);
    let mut mcp = Mcp::start(&server);
    wait_for("the report", || {
        server.refresh();
        let window = windows(&mcp.ok("get_status", json!({ "evidence": true }))).remove(0);
        window["source"] == "hook" && window["evidence"].to_string().contains("permission")
    });
}

#[test]
fn a_models_words_are_told_apart() {
    let server = Server::quiet();
    server.refresh();
    server.edit_state(|state| {
        state["windows"]["@0"]["by_rules"] = json!({ "kind": "running", "summary": "cat waits" });
        state["windows"]["@0"]["summary"] = json!("nothing to see");
    });
    let window = windows(&Mcp::start(&server).ok("get_status", json!({}))).remove(0);
    assert_eq!(
        (&window["summary"], &window["by_rules"]),
        (
            &json!("nothing to see"),
            &json!({ "kind": "running", "summary": "cat waits" })
        )
    );
}

#[test]
fn without_a_status_it_says_how_to_get_one() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let problem = mcp.problem("get_status", json!({}));
    assert_eq!(
        (&problem["data"]["kind"], &problem["data"]["retryable"]),
        (&json!("refused"), &json!(true))
    );
    assert!(
        problem["message"].as_str().unwrap().contains("tmux-status refresh"),
        "{problem}"
    );
    server.refresh();
    mcp.ok("get_status", json!({}));
    fs::write(server.state_file(), "{").unwrap();
    assert_eq!(mcp.kind("get_status", json!({})), "refused");
}

#[test]
fn the_status_of_a_server_that_has_ended_is_none() {
    let server = Server::quiet();
    server.refresh();
    let mut mcp = Mcp::start(&server);
    server.run("kill-server");
    let mut kind = String::new();
    wait_for("the end of the server", || {
        let result = mcp.call("get_status", json!({}));
        kind = result["structuredContent"]["data"]["kind"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        result["isError"] == true
    });
    assert_eq!(kind, "server_gone");
}
