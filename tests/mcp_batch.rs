//! `call_read_tools_batch`: rows, rules, and the length that its line never passes.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Value};
use std::fs;
use support::{shell_word, wait_for, Server};

/// The longest line of a reply.
const MOST: usize = 1_000_000;

fn call(tool: &str, arguments: Value) -> Value {
    json!({ "tool": tool, "arguments": arguments })
}

fn alone(server: &Server, exclude: &str) -> Mcp {
    let env = [
        ("LIBTMUX_TOOLSETS", ""),
        ("LIBTMUX_TOOLS", "call_read_tools_batch"),
        ("LIBTMUX_EXCLUDE_TOOLS", exclude),
    ];
    Mcp::start_with(server, &[], &env)
}

fn batch(mcp: &mut Mcp, operations: Value) -> Value {
    mcp.ok(
        "call_read_tools_batch",
        json!({ "operations": operations, "on_error": "continue" }),
    )
}

#[test]
fn calls_are_made_in_order_and_reply_as_they_would_alone() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let operations = json!([
        { "tool": "list_sessions" },
        call("get_pane_info", json!({ "pane": "%9" })),
        call("get_pane_info", json!({ "pane": "%0", "x": 1 })),
        call("get_pane_info", json!({ "pane": "%0" })),
    ]);
    let reply = batch(&mut mcp, operations);
    assert_eq!(
        (&reply["succeeded"], &reply["failed"], &reply["onError"]),
        (&json!(2), &json!(2), &json!("continue"))
    );
    assert_eq!(
        (&reply["stoppedAt"], &reply["truncated"], &reply["truncatedBytes"]),
        (&Value::Null, &json!(false), &json!(0))
    );
    let rows = reply["results"].as_array().unwrap();
    assert_eq!(
        rows.iter()
            .map(|row| row["index"].as_u64().unwrap())
            .collect::<Vec<_>>(),
        [0, 1, 2, 3]
    );
    assert_eq!(
        rows.iter().map(|row| row["success"] == true).collect::<Vec<_>>(),
        [true, false, false, true]
    );
    for (row, (tool, arguments)) in rows.iter().zip([
        ("list_sessions", json!({})),
        ("get_pane_info", json!({ "pane": "%9" })),
        ("get_pane_info", json!({ "pane": "%0", "x": 1 })),
        ("get_pane_info", json!({ "pane": "%0" })),
    ]) {
        assert_eq!(
            (&row["tool"], &row["error"], &row["resultTruncated"]),
            (&json!(tool), &Value::Null, &json!(false))
        );
        assert_eq!(row["result"], mcp.call(tool, arguments));
    }
}

#[test]
fn the_first_that_fails_ends_it_unless_the_others_are_wanted() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let bad = call("get_pane_info", json!({ "pane": "%9" }));
    let good = call("list_panes", json!({}));
    let arguments = json!({ "operations": [good, bad, good] });
    let reply = mcp.ok("call_read_tools_batch", arguments);
    assert_eq!((&reply["stoppedAt"], &reply["onError"]), (&json!(1), &json!("stop")));
    assert_eq!((&reply["succeeded"], &reply["failed"]), (&json!(1), &json!(1)));
    assert_eq!(reply["results"].as_array().unwrap().len(), 2);
}

#[test]
fn it_takes_one_to_sixteen_calls() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let one = call("list_sessions", json!({}));
    let reply = batch(&mut mcp, json!(vec![one.clone(); 16]));
    assert_eq!(reply["succeeded"], 16);
    for odd in [
        json!({ "operations": [] }),
        json!({ "operations": vec![one.clone(); 17] }),
        json!({}),
        json!({ "operations": [one], "on_error": "never" }),
        json!({ "operations": [{ "tool": "list_panes", "args": {} }] }),
        json!({ "operations": [{ "arguments": {} }] }),
    ] {
        assert_eq!(mcp.kind("call_read_tools_batch", odd), "invalid_input");
    }
}

#[test]
fn it_runs_what_reads_whether_that_is_offered_or_not() {
    let server = Server::quiet();
    let mut mcp = alone(&server, "list_panes");
    let operations = json!([
        call("list_sessions", json!({})),
        call("list_panes", json!({})),
        call(
            "call_read_tools_batch",
            json!({ "operations": [{ "tool": "list_sessions" }] })
        ),
        call("get_status", json!({})),
        call("no_such_tool", json!({})),
    ]);
    let rows = batch(&mut mcp, operations)["results"].clone();
    assert_eq!(rows[0]["success"], true);
    let excluded = &rows[1]["result"]["structuredContent"];
    assert_eq!(excluded["data"]["kind"], "invalid_input");
    assert!(excluded["message"].as_str().unwrap().contains("LIBTMUX_EXCLUDE_TOOLS"));
    for row in [&rows[2], &rows[3], &rows[4]] {
        assert_eq!(
            (&row["success"], &row["result"]),
            (&json!(false), &Value::Null),
            "{row}"
        );
        assert_eq!(
            (&row["error"]["code"], &row["error"]["data"]["kind"]),
            (&json!(-32602), &json!("invalid_input"))
        );
    }
}

#[test]
fn its_schema_and_its_row_name_what_it_may_run() {
    let server = Server::quiet();
    let known: Value = serde_json::from_str(include_str!("mcp/tools.json")).unwrap();
    let known = known["tools"]
        .as_array()
        .unwrap()
        .iter()
        .find(|tool| tool["name"] == "call_read_tools_batch")
        .unwrap();
    let tool = |exclude: &str| alone(&server, exclude).tools().remove(0);
    let meta = |tool: &Value| tool["_meta"].as_object().unwrap().values().next().unwrap().clone();
    let whole = tool("");
    assert_eq!(meta(&whole)["nestedAuthority"], known["nestedTools"]);
    assert_eq!(
        meta(&whole)["outputClasses"],
        json!([
            "tmux-metadata",
            "terminal-content",
            "configured-command",
            "process-environment"
        ])
    );
    let names = |tool: &Value| -> Vec<String> {
        let operations = &tool["inputSchema"]["properties"]["operations"]["items"]["oneOf"];
        let calls = operations.as_array().unwrap().iter();
        calls
            .map(|call| call["properties"]["tool"]["const"].as_str().unwrap().to_owned())
            .collect()
    };
    assert!(names(&whole).contains(&"show_environment".to_owned()));
    let less = tool("show_environment,capture_pane");
    assert!(!names(&less)
        .iter()
        .any(|name| name == "show_environment" || name == "capture_pane"));
    assert!(!meta(&less)["outputClasses"].to_string().contains("process-environment"));
    let schema = &whole["inputSchema"];
    let validator = jsonschema::validator_for(schema).unwrap();
    let takes = |operation: Value| validator.is_valid(&json!({ "operations": [operation] }));
    assert!(takes(call("get_pane_info", json!({ "pane": "%0" }))) && takes(json!({ "tool": "list_panes" })));
    for odd in [
        call("get_pane_info", json!({ "window": "@0" })),
        call("get_pane_info", json!({})),
        call("send_keys", json!({})),
        json!({}),
    ] {
        assert!(!takes(odd.clone()), "{odd}");
    }
    let nested: Vec<String> = serde_json::from_value(known["nestedTools"].clone()).unwrap();
    let nothing = tool(
        &nested
            .into_iter()
            .filter(|name| name != "capture_since")
            .collect::<Vec<_>>()
            .join(","),
    );
    let validator = jsonschema::validator_for(&nothing["inputSchema"]).unwrap();
    assert!(!validator.is_valid(&json!({ "operations": [{ "tool": "list_panes" }] })));
}

/// Fills the history of the first pane with `lines` lines of `width` signs that take an escape in JSON.
fn fill(server: &Server, lines: usize, width: usize) {
    let file = server.room().join("text");
    fs::write(&file, format!("{}\n", "\"".repeat(width)).repeat(lines) + "end\n").unwrap();
    server.run("set -g history-limit 20000");
    let pane = server.run("new-window -d -P -F #{pane_id} -t work:9 cat");
    assert_eq!(pane, "%1");
    let command = format!("exec cat {} -", shell_word(&file));
    server.tmux(&["respawn-pane", "-k", "-t", "%1", &command]);
    wait_for("the text", || {
        server.tmux(&["capture-pane", "-p", "-t", "%1"]).contains("end")
    });
}

#[test]
fn its_line_is_never_too_long() {
    let server = Server::quiet();
    fill(&server, 300, 90);
    let mut mcp = Mcp::start(&server);
    let big = call("capture_pane", json!({ "pane": "%1", "history": true }));
    let small = call("list_sessions", json!({}));
    let operations = json!([big, small, big, big, small, big, big]);
    let params = json!({ "name": "call_read_tools_batch", "arguments": { "operations": operations } });
    let line = |mcp: &mut Mcp, id: &str| {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        mcp.send_line(request.to_string().as_bytes());
        mcp.line().unwrap()
    };
    let whole = line(&mut mcp, "short");
    assert!(whole.len() < MOST, "{}", whole.len());
    let reply: Value = serde_json::from_str(&whole).unwrap();
    let reply = &reply["result"]["structuredContent"];
    let rows = reply["results"].as_array().unwrap();
    let cut: Vec<bool> = rows.iter().map(|row| row["resultTruncated"] == true).collect();
    assert_eq!(
        cut,
        [false, false, false, true, false, true, true],
        "those that come later"
    );
    assert_eq!((&reply["truncated"], &reply["succeeded"]), (&json!(true), &json!(7)));
    let mut bytes = 0;
    for row in rows.iter().filter(|row| row["resultTruncated"] == true) {
        assert_eq!((&row["result"], &row["success"]), (&Value::Null, &json!(true)));
        bytes += rows[0]["result"].to_string().len();
    }
    assert_eq!(reply["truncatedBytes"], bytes);
    assert_eq!(line(&mut mcp, "short"), whole, "the same each time");
    // An id takes its part of the line.
    for length in [20_000, 300_000, 500_000] {
        let with_id = line(&mut mcp, &"i".repeat(length));
        assert!(with_id.len() < MOST && with_id.len() > length, "{}", with_id.len());
        let reply: Value = serde_json::from_str(&with_id).unwrap();
        assert_eq!(
            reply["result"]["structuredContent"]["results"]
                .as_array()
                .unwrap()
                .len(),
            7
        );
    }
}

#[test]
fn a_line_that_just_fits_is_whole() {
    let server = Server::quiet();
    fill(&server, 300, 90);
    let mut mcp = Mcp::start(&server);
    let operations = json!([call("capture_pane", json!({ "pane": "%1", "history": true }))]);
    let params = json!({ "name": "call_read_tools_batch", "arguments": { "operations": operations } });
    let ask = |mcp: &mut Mcp, length: usize| {
        let id = "i".repeat(length);
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        mcp.send_line(request.to_string().as_bytes());
        let line = mcp.line().unwrap();
        // Its newline counts.
        let bytes = line.len() + 1;
        let reply: Value = serde_json::from_str(&line).unwrap();
        (bytes, reply["result"]["structuredContent"]["truncated"] == true)
    };
    let (bytes, truncated) = ask(&mut mcp, 1);
    assert!(!truncated && bytes > MOST - 520_000, "{bytes}");
    // The id grows until the line would be a byte too long; a few bytes are kept for the count of what is left out.
    let (mut fits, mut not) = (1, MOST - bytes + 300);
    assert!(ask(&mut mcp, not).1);
    while fits + 1 < not {
        let middle = (fits + not) / 2;
        match ask(&mut mcp, middle) {
            (bytes, false) => {
                assert!(bytes <= MOST);
                fits = middle;
            }
            (bytes, true) => {
                assert!(bytes <= MOST);
                not = middle;
            }
        }
    }
    let (bytes, _) = ask(&mut mcp, fits);
    assert!(bytes > MOST - 100, "{bytes}");
}
