//! What the MCP server must not tell, and what must not run: values of environment variables, and text that is a format.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Value};
use std::process::Stdio;
use support::{Server, HELPER};

const SECRET: &str = "hunter2";

/// A server whose environment holds secrets in odd shapes: of its own, of a session, hidden, of several lines.
fn guarded() -> Server {
    let lines =
        format!("-----BEGIN {SECRET}-----\n-{SECRET}\n{SECRET}={SECRET}\nunset {SECRET};\n\"; export {SECRET};\\");
    let config = "set -g automatic-rename off\nset -g default-command 'exec cat'\n";
    let server = Server::setup()
        .env("TS_TOKEN", SECRET)
        .env("TS_KEY", lines)
        .config(config)
        .start();
    server.tmux(&["set-environment", "-t", "work", "TS_SESSION", SECRET]);
    server.tmux(&["set-environment", "-g", "-h", "TS_HIDDEN", SECRET]);
    server.tmux(&["set-environment", "-h", "-t", "work", "TS_OWN_HIDDEN", SECRET]);
    server.tmux(&["set-environment", "-g", "-r", "TS_GONE"]);
    server
}

fn entry(reply: &Value, name: &str) -> Value {
    let entries = reply["entries"].as_array().unwrap();
    entries
        .iter()
        .find(|entry| entry["name"] == name)
        .cloned()
        .unwrap_or_default()
}

#[test]
fn an_environment_is_told_without_its_values() {
    let server = guarded();
    let mut mcp = Mcp::start(&server);
    let of_server = mcp.ok("show_environment", json!({}));
    let of_session = mcp.ok("show_environment", json!({ "session": "work" }));
    let withheld = |name: &str| json!({ "name": name, "state": "set", "withheld": true });
    assert_eq!(entry(&of_server, "TS_TOKEN"), withheld("TS_TOKEN"));
    assert_eq!(entry(&of_server, "TS_KEY"), withheld("TS_KEY"));
    assert_eq!(
        entry(&of_server, "TS_GONE"),
        json!({ "name": "TS_GONE", "state": "removed", "withheld": false })
    );
    assert_eq!(
        (&of_server["session"], &of_session["session"]),
        (&Value::Null, &json!("$0"))
    );
    assert_eq!(entry(&of_session, "TS_SESSION"), withheld("TS_SESSION"));
    assert_eq!(entry(&of_session, "TS_TOKEN"), Value::Null);
    for reply in [of_server, of_session] {
        assert!(!reply.to_string().contains(SECRET), "{reply}");
    }
}

#[test]
fn a_value_is_told_where_its_name_was_allowed_at_the_start() {
    let server = guarded();
    let mut mcp = Mcp::start_with(&server, &[], &[("LIBTMUX_ENVIRONMENT_VALUES", "TS_TOKEN, TS_NONE")]);
    let reply = mcp.ok("show_environment", json!({}));
    let told = json!({ "name": "TS_TOKEN", "state": "set", "value": SECRET, "withheld": false });
    assert_eq!(entry(&reply, "TS_TOKEN"), told);
    assert_eq!(entry(&reply, "TS_KEY")["withheld"], true);
    let reply = mcp.ok("get_tmux_variables", json!({ "names": ["TS_TOKEN"] }));
    assert_eq!(reply["values"]["TS_TOKEN"], SECRET);
}

#[test]
fn no_other_way_leads_to_a_value() {
    let server = guarded();
    let mut mcp = Mcp::start(&server);
    for name in [
        "TS_TOKEN",
        "TS_KEY",
        "TS_SESSION",
        "TS_HIDDEN",
        "TS_OWN_HIDDEN",
        "TS_GONE",
        "HOME",
    ] {
        for pane in [json!("%0"), Value::Null] {
            let problem = mcp.problem("get_tmux_variables", json!({ "names": ["pid", name], "pane": pane }));
            assert_eq!(
                (&problem["data"]["kind"], &problem["data"]["reason"]),
                (&json!("invalid_input"), &json!("withheld")),
                "{name}"
            );
            let text = problem.to_string();
            assert!(
                text.contains("LIBTMUX_ENVIRONMENT_VALUES") && !text.contains(SECRET),
                "{text}"
            );
        }
    }
    // Names that no environment holds are tmux's own to answer.
    mcp.ok("get_tmux_variables", json!({ "names": ["TS_NONE", "pid"] }));
    let attempts = [
        ("show_option", json!({ "name": "#{TS_TOKEN}" })),
        ("show_option", json!({ "name": "@#{TS_TOKEN}" })),
        ("show_option", json!({ "name": "$TS_TOKEN" })),
        ("get_session_info", json!({ "session": "#{TS_TOKEN}" })),
        ("search_panes", json!({ "pattern": "#{TS_TOKEN}" })),
        ("show_environment", json!({ "session": "$TS_TOKEN" })),
        ("list_sessions", json!({})),
        ("get_server_info", json!({})),
        ("show_hooks", json!({})),
    ];
    let batch: Vec<Value> = attempts
        .iter()
        .map(|(tool, args)| json!({ "tool": tool, "arguments": args }))
        .collect();
    for (tool, arguments) in attempts {
        let result = mcp.call(tool, arguments.clone());
        assert!(!result.to_string().contains(SECRET), "{tool} {arguments}: {result}");
    }
    let result = mcp.call(
        "call_read_tools_batch",
        json!({ "operations": batch, "on_error": "continue" }),
    );
    assert!(!result.to_string().contains(SECRET));
    let resource = mcp.request("resources/read", json!({ "uri": "tmux://capabilities" }));
    assert!(!resource.to_string().contains(SECRET));
}

#[test]
fn nothing_is_said_on_standard_error_while_it_serves() {
    let server = guarded();
    let mut command = server.command(HELPER);
    let mut child = command
        .arg("mcp")
        .env("RUST_LOG", "trace")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let call = |id: u32, tool: &str| {
        let params = json!({ "name": tool, "arguments": {} });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string() + "\nnonsense\n"
    };
    let input = call(1, "show_environment") + &call(2, "no_such_tool") + &call(3, "capture_pane");
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success() && out.stderr.is_empty(), "{out:?}");
    let stdout = String::from_utf8(out.stdout).unwrap();
    assert_eq!(stdout.lines().count(), 6);
    assert!(stdout
        .lines()
        .all(|line| serde_json::from_str::<Value>(line).unwrap()["jsonrpc"] == "2.0"));
    assert!(!stdout.contains(SECRET));
}

#[test]
fn an_option_name_is_no_format_and_no_flag() {
    let server = Server::quiet();
    let touched = server.room().join("touched");
    let mut mcp = Mcp::start(&server);
    server.run("set -g @a#b literal");
    for name in [
        format!("#(touch {})", touched.display()),
        format!("@x#(touch {})", touched.display()),
        format!("##(touch {})", touched.display()),
    ] {
        mcp.call("show_option", json!({ "name": name }));
    }
    for flag in [
        "-g",
        "-t",
        "-s",
        "--",
        "-A",
        ";",
        "a;",
        "kill-server",
        "status ; kill-server",
    ] {
        let problem = mcp.problem("show_option", json!({ "name": flag }));
        assert_eq!(problem["data"]["kind"], "refused", "{flag}");
        let says = format!("invalid option: {flag}");
        assert!(problem["message"].as_str().unwrap().ends_with(&says), "{problem}");
    }
    mcp.ok("show_option", json!({ "name": "status" }));
    // A job of the server would have run before this one ends.
    server.tmux(&["run-shell", "true"]);
    assert!(!touched.exists());
    let expected = server.tmux(&["show-options", "-gv", "@a##b"]);
    assert_eq!(mcp.ok("show_option", json!({ "name": "@a#b" }))["value"], expected);
}

#[test]
fn text_that_a_program_shows_is_data() {
    let server = Server::quiet();
    let touched = server.room().join("touched");
    let nasty = format!("#(touch {0})$(touch {0})`touch {0}`", touched.display());
    server.tmux(&["select-pane", "-t", "%0", "-T", &nasty.replace('#', "##")]);
    server.tmux(&["rename-window", "-t", "@0", &nasty.replace('#', "##")]);
    let mut mcp = Mcp::start(&server);
    let name = mcp.ok("list_windows", json!({}))["windows"][0]["name"].clone();
    assert!(name.as_str().unwrap().contains("touch"), "{name}");
    for (tool, arguments) in [
        ("get_server_info", json!({})),
        ("search_panes", json!({ "pattern": nasty })),
        ("search_panes", json!({ "pattern": nasty, "session": nasty })),
        ("get_session_info", json!({ "session": nasty })),
        (
            "get_tmux_variables",
            json!({ "names": ["pane_title", "window_name"], "pane": "%0" }),
        ),
    ] {
        mcp.call(tool, arguments);
    }
    server.tmux(&["run-shell", "true"]);
    assert!(!touched.exists());
}
