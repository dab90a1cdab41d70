//! The MCP server on the wire: lines that are no requests, lines without end, ids without end, and the end of the pipe.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Value};
use std::fs;
use support::{wait_for, Server, HELPER};

/// The longest id that is answered with, as it stands in a line.
const ID_BYTES: usize = 524_288;
/// The longest line.
const LINE_BYTES: usize = 16 * 1024 * 1024;

fn silent(server: &Server) -> Mcp {
    let mut command = server.command(HELPER);
    command.arg("mcp");
    Mcp::spawn(&mut command)
}

#[test]
fn the_handshake_names_this_server_and_the_clients_version() {
    let server = Server::quiet();
    for (asked, spoken) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2024-11-05", "2024-11-05"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let mut mcp = silent(&server);
        let said = mcp.initialize(asked);
        assert_eq!(said["protocolVersion"], spoken);
        assert_eq!(said["serverInfo"]["name"], "tmux-status");
        assert_eq!(said["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(said["capabilities"], json!({ "tools": {}, "resources": {} }));
        let instructions = said["instructions"].as_str().unwrap();
        assert!(
            instructions.len() < 2048 && instructions.contains("%3"),
            "{instructions}"
        );
    }
}

#[test]
fn lines_that_are_no_requests_are_answered_and_survived() {
    let server = Server::quiet();
    let mut mcp = silent(&server);
    // Before the handshake, too.
    for (line, code, id) in [
        ("{", -32700, Value::Null),
        ("\u{fffd}nonsense", -32700, Value::Null),
        ("[]", -32600, Value::Null),
        ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600, Value::Null),
        ("1", -32600, Value::Null),
        ("{}", -32600, Value::Null),
        ("{\"jsonrpc\":\"2.0\",\"id\":7}", -32600, Value::Null),
        ("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", -32600, Value::Null),
        ("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600, Value::Null),
        ("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", -32600, Value::Null),
        ("{\"jsonrpc\":\"2.0\",\"id\":18446744073709551615,\"method\":\"ping\"}", -32600, Value::Null),
        ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"no/such\"}", -32601, json!(7)),
        ("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":5}", -32601, json!("a")),
        ("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\"}", -32602, json!(8)),
        ("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":1}}", -32602, json!(9)),
        ("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"list_panes\",\"arguments\":[]}}", -32602, json!(9)),
        ("{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"resources/read\",\"params\":{}}", -32602, json!(10)),
    ] {
        mcp.send_line(line.as_bytes());
        let answer = mcp.message();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{line}: {answer}");
        assert_eq!(answer["jsonrpc"], "2.0");
    }
    // These want no answer.
    for line in [
        &b""[..],
        b"   ",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"no/such\"}",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}",
        b"{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}",
    ] {
        mcp.send_line(line);
    }
    mcp.send_line(b"\xff\xfe");
    assert_eq!(mcp.message()["error"]["code"], -32700);
    let deep = "[".repeat(100_000);
    mcp.send_line(deep.as_bytes());
    assert_eq!(mcp.message()["error"]["code"], -32700);
    mcp.initialize("2025-11-25");
    mcp.ok("list_panes", json!({}));
}

#[test]
fn a_line_with_a_carriage_return_is_a_line() {
    let server = Server::quiet();
    let mut mcp = silent(&server);
    mcp.send_line(b"{\"jsonrpc\":\"2.0\",\"id\":\"\\u0061\",\"method\":\"ping\"}\r");
    let answer = mcp.message();
    assert_eq!((&answer["id"], &answer["result"]), (&json!("a"), &json!({})));
}

#[test]
fn a_line_may_be_long_and_not_longer() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let line = |bytes: usize| {
        let start = "{\"jsonrpc\":\"2.0\",\"id\":\"long\",\"method\":\"ping\",\"params\":{\"x\":\"";
        let end = "\"}}";
        format!("{start}{}{end}", "x".repeat(bytes - start.len() - end.len()))
    };
    mcp.send_line(line(LINE_BYTES).as_bytes());
    assert_eq!(mcp.message()["id"], "long");
    mcp.send_line(line(LINE_BYTES + 1).as_bytes());
    let answer = mcp.message();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&Value::Null, &json!(-32600))
    );
    mcp.ok("list_panes", json!({}));
}

#[test]
fn an_id_may_be_long_and_not_longer() {
    let server = Server::quiet();
    let log = server.log_tmux_calls();
    let mut mcp = Mcp::start(&server);
    let request = |id: &str| {
        let params = json!({ "name": "list_panes", "arguments": {} });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
    };
    // Its quotes count, too; so do the escapes that it takes in a line.
    let longest = "i".repeat(ID_BYTES - 2);
    mcp.send_line(request(&longest).as_bytes());
    let answer = mcp.message();
    assert_eq!(
        (&answer["id"], &answer["result"]["isError"]),
        (&json!(longest), &json!(false))
    );
    fs::write(&log, "").unwrap();
    for id in ["i".repeat(ID_BYTES - 1), "\n".repeat(ID_BYTES / 2)] {
        mcp.send_line(request(&id).as_bytes());
        let answer = mcp.message();
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&Value::Null, &json!(-32602))
        );
        assert_eq!(answer["error"]["data"]["kind"], "invalid_input");
    }
    assert_eq!(fs::read_to_string(&log).unwrap(), "", "a tool was run");
    mcp.ok("list_panes", json!({}));
}

/// A tmux that stops at `list-windows` until the file `go` is there.
fn with_a_slow_call(server: &Server) -> Mcp {
    let (go, slow) = (server.room().join("go"), server.room().join("slow"));
    let real = fs::canonicalize(server.room().join("bin/tmux")).unwrap();
    let body = format!(
        "case \"$*\" in *list-windows*) echo x >>'{}'; while [ ! -e '{}' ]; do sleep 0.02; done;; esac\nexec '{}' \"$@\"",
        slow.display(),
        go.display(),
        real.display()
    );
    let script = server.write_script("slow-tmux", &body);
    let mcp = Mcp::start_with(server, &[], &[("TMUX_STATUS_TMUX", script.to_str().unwrap())]);
    let _ = fs::remove_file(slow);
    mcp
}

fn wait_until_slow(server: &Server, calls: usize) {
    let file = server.room().join("slow");
    wait_for("the slow calls", || {
        fs::read_to_string(&file).unwrap_or_default().lines().count() == calls
    });
}

fn go(server: &Server) {
    fs::write(server.room().join("go"), "").unwrap();
}

#[test]
fn a_slow_call_holds_up_no_other() {
    let server = Server::quiet();
    let mut mcp = with_a_slow_call(&server);
    let slow = mcp.send_call("list_windows", json!({}));
    wait_until_slow(&server, 1);
    mcp.ok("list_panes", json!({}));
    assert_eq!(mcp.request("ping", json!({}))["result"], json!({}));
    go(&server);
    assert_eq!(mcp.result(slow, "list_windows")["isError"], false);
}

#[test]
fn a_call_that_is_withdrawn_is_not_answered() {
    let server = Server::quiet();
    let mut mcp = with_a_slow_call(&server);
    let slow = mcp.send_call("list_windows", json!({}));
    wait_until_slow(&server, 1);
    mcp.notify(
        "notifications/cancelled",
        json!({ "requestId": slow, "reason": "enough" }),
    );
    mcp.ok("list_panes", json!({}));
    go(&server);
    // It would come before this one's answer, as it is ready; and its id is free again.
    wait_for("the end of the slow call", || {
        server.processes_with("slow-tmux").is_empty()
    });
    mcp.ok("list_windows", json!({}));
    assert_eq!(mcp.rest(), Vec::<Value>::new(), "something else was said");
}

#[test]
fn an_id_that_is_under_way_is_not_taken_twice() {
    let server = Server::quiet();
    let mut mcp = with_a_slow_call(&server);
    let slow = mcp.send_call("list_windows", json!({}));
    wait_until_slow(&server, 1);
    let again = json!({ "jsonrpc": "2.0", "id": slow, "method": "ping" });
    mcp.send_line(again.to_string().as_bytes());
    assert_eq!(mcp.message()["error"]["code"], -32600);
    go(&server);
    assert_eq!(mcp.result(slow, "list_windows")["isError"], false);
}

#[test]
fn so_many_requests_may_be_under_way_and_no_more() {
    let server = Server::quiet();
    let mut mcp = with_a_slow_call(&server);
    let calls: Vec<u64> = (0..1024).map(|_| mcp.send_call("list_windows", json!({}))).collect();
    let error = mcp.error("ping", json!({}));
    assert_eq!(
        (&error["code"], &error["data"]["retryable"]),
        (&json!(-32000), &json!(true))
    );
    mcp.notify("notifications/cancelled", json!({ "requestId": calls[0] }));
    assert_eq!(mcp.request("ping", json!({}))["result"], json!({}), "one was withdrawn");
    mcp.end_input();
    assert!(mcp.wait().success());
    go(&server);
}

#[test]
fn what_was_asked_before_the_end_is_answered() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let ids: Vec<u64> = (0..50).map(|_| mcp.send_call("list_panes", json!({}))).collect();
    mcp.end_input();
    for id in ids {
        assert_eq!(mcp.answer(id)["result"]["isError"], false);
    }
    assert!(mcp.wait().success());
    assert_eq!(mcp.line(), None);
}

#[test]
fn the_end_of_the_pipe_is_the_end_of_all() {
    let server = Server::quiet();
    let mut mcp = with_a_slow_call(&server);
    mcp.send_call("list_windows", json!({}));
    wait_until_slow(&server, 1);
    mcp.end_input();
    assert!(mcp.wait().success(), "what takes long is not waited for");
    go(&server);
    wait_for("the end of what it has started", || {
        server.processes_with("slow-tmux").is_empty()
    });
}

#[test]
fn a_client_that_goes_away_without_reading_ends_it() {
    let server = Server::quiet();
    let mut command = server.command(HELPER);
    let mut child = command
        .arg("mcp")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let _ = std::io::Write::write_all(&mut input, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
    drop(input);
    wait_for("the end of the server", || child.try_wait().unwrap().is_some());
}
