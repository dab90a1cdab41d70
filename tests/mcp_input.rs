//! Typing and pasting: what arrives, what is refused, and what is left behind.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
#[path = "support/panes.rs"]
mod panes;
mod support;

use mcp::Mcp;
use panes::{reason, screen, start, wait_for_screen, window};
use serde_json::{json, Value};
use std::fs;
use support::{shell_word, wait_for, Server};

#[test]
fn text_is_typed_as_it_is_then_keys_then_enter() {
    let server = Server::quiet();
    let pane = window(&server, "exec cat -v");
    let mut mcp = Mcp::start(&server);
    let text = "a;b \"c\" 'd' $HOME #(x) C-c -t é漢;";
    let sent = mcp.ok(
        "send_keys",
        json!({ "pane": pane, "text": text, "keys": ["x", "BSpace", "y"], "enter": true }),
    );
    assert_eq!(sent, json!({ "pane": pane, "panes": [pane] }));
    wait_for_screen(&server, &pane, "-t é漢;y\n");
    assert!(
        screen(&server, &pane).starts_with(&format!("{text}y\n")),
        "{}",
        screen(&server, &pane)
    );
    mcp.ok("send_keys", json!({ "pane": pane, "keys": ["C-d"] }));
    wait_for("the program to end", || {
        !server
            .tmux(&["list-panes", "-a", "-F", "#{pane_id}"])
            .lines()
            .any(|id| id == pane)
    });
}

#[test]
fn a_key_that_tmux_does_not_know_is_refused_and_nothing_is_typed() {
    let server = Server::quiet();
    let pane = window(&server, "exec cat");
    let mut mcp = Mcp::start(&server);
    for key in ["NotAKey", "Ctrl-c", "", "C-", "MouseDown1Pane", "hello world"] {
        let arguments = json!({ "pane": pane, "text": "typed", "keys": ["a", key] });
        assert_eq!(
            reason(&mcp.problem("send_keys", arguments)),
            ("invalid_input", ""),
            "{key}"
        );
    }
    mcp.ok("send_keys", json!({ "pane": pane, "text": "end", "enter": true }));
    wait_for_screen(&server, &pane, "end\nend");
    assert!(
        screen(&server, &pane).starts_with("end\nend"),
        "{}",
        screen(&server, &pane)
    );
}

#[test]
fn keys_that_are_taken_are_keys_to_this_tmux() {
    let server = Server::quiet();
    let pane = window(&server, "stty raw -echo; exec cat -v");
    let mut mcp = Mcp::start(&server);
    let keys = [
        "Up", "Escape", "F1", "F12", "Home", "PageUp", "NPage", "IC", "DC", "BTab", "C-Left", "M-x", "KP5", "C-\\",
        "Tab", "^b", "Space", "Insert", "Delete", "M-C-a", "S-F5", "KPEnter", "PgDn",
    ];
    for key in keys {
        mcp.ok("send_keys", json!({ "pane": pane, "keys": [key] }));
    }
    mcp.ok("send_keys", json!({ "pane": pane, "text": "!" }));
    wait_for_screen(&server, &pane, "!");
    // One that tmux does not know stands there as it was spelled.
    let shown = screen(&server, &pane);
    let typed: Vec<_> = keys
        .iter()
        .filter(|key| key.len() > 2 && shown.contains(**key))
        .collect();
    assert!(typed.is_empty(), "{typed:?} in {shown}");
}

#[test]
fn what_may_be_typed_is_bounded() {
    let server = Server::quiet();
    let pane = window(&server, "stty -icanon -echo; exec cat >typed");
    let mut mcp = Mcp::start(&server);
    let file = server.room().join("typed");
    wait_for("the program", || file.exists());
    mcp.ok("send_keys", json!({ "pane": pane, "text": "x".repeat(8192) }));
    wait_for("all of the text", || fs::read(&file).unwrap().len() == 8192);
    for arguments in [
        json!({ "pane": pane, "text": "x".repeat(8193) }),
        json!({ "pane": pane, "text": "a\u{0}b" }),
        json!({ "pane": pane, "keys": vec!["a"; 65] }),
        json!({ "pane": "0", "text": "x" }),
        json!({ "pane": pane, "text": "x", "socket": "y" }),
        json!({ "text": "x" }),
    ] {
        assert_eq!(mcp.kind("send_keys", arguments), "invalid_input");
    }
    assert_eq!(
        mcp.kind("send_keys", json!({ "pane": "%99", "text": "x" })),
        "object_gone"
    );
    mcp.ok("send_keys", json!({ "pane": pane, "keys": vec!["a"; 64] }));
    wait_for("the keys", || fs::read(&file).unwrap().len() == 8192 + 64);
}

#[test]
fn send_keys_takes_two_tmux_processes() {
    let server = Server::quiet();
    let pane = window(&server, "exec cat");
    let log = server.log_tmux_calls();
    let mut mcp = Mcp::start(&server);
    mcp.first_call();
    let before = fs::read_to_string(&log).unwrap_or_default().lines().count();
    mcp.ok(
        "send_keys",
        json!({ "pane": pane, "text": "x", "keys": ["Up"], "enter": true }),
    );
    assert_eq!(fs::read_to_string(&log).unwrap().lines().count() - before, 2);
}

#[test]
fn a_batch_of_keys_goes_in_order_and_stops_or_goes_on() {
    let server = Server::quiet();
    let pane = window(&server, "exec cat");
    let mut mcp = Mcp::start(&server);
    let row = |text: &str| json!({ "pane": pane, "text": text, "enter": true });
    let bad = json!({ "pane": "%99", "text": "x" });
    let stopped = mcp.ok(
        "send_keys_batch",
        json!({ "operations": [row("one"), bad, row("two")] }),
    );
    assert_eq!(
        (&stopped["succeeded"], &stopped["failed"], &stopped["stoppedAt"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!(stopped["results"].as_array().unwrap().len(), 2);
    assert_eq!(
        stopped["results"][1]["result"]["structuredContent"]["data"]["kind"],
        "object_gone"
    );
    let all = mcp.ok(
        "send_keys_batch",
        json!({ "operations": [bad, row("two"), row("three")], "on_error": "continue" }),
    );
    assert_eq!(
        (&all["succeeded"], &all["failed"], &all["stoppedAt"]),
        (&json!(2), &json!(1), &Value::Null)
    );
    wait_for_screen(&server, &pane, "three\nthree");
    let shown = screen(&server, &pane);
    assert!(shown.starts_with("one\none\ntwo\ntwo\nthree\nthree"), "{shown}");
    for count in [0, 65] {
        let operations = vec![row("no"); count];
        assert_eq!(
            mcp.kind("send_keys_batch", json!({ "operations": operations })),
            "invalid_input"
        );
    }
    let operations = vec![json!({ "pane": pane, "text": "." }); 64];
    assert_eq!(
        mcp.ok("send_keys_batch", json!({ "operations": operations }))["succeeded"],
        64
    );
}

#[test]
fn a_paste_is_a_block_and_leaves_no_buffer() {
    let server = Server::quiet();
    let got = server.room().join("got");
    let program = server.write_script(
        "paste",
        &format!(
            "stty raw -echo; printf '\\033[?2004h'; echo ready; exec cat >{}",
            shell_word(&got)
        ),
    );
    let pane = window(&server, program.to_str().unwrap());
    wait_for_screen(&server, &pane, "ready");
    server.run("set-buffer -b mine kept");
    let (mut mcp, _) = start(&server);
    let pasted = mcp.ok(
        "paste_text",
        json!({ "pane": pane, "text": "a;\n#{pid} é;", "enter": true }),
    );
    assert_eq!(pasted, json!({ "pane": pane, "bytes": 13 }));
    let block = "\u{1b}[200~a;\r#{pid} é;\u{1b}[201~\r";
    wait_for("the block and Enter", || fs::read_to_string(&got).unwrap() == block);
    let nothing = mcp.ok("paste_text", json!({ "pane": pane, "text": "" }));
    assert_eq!(nothing["bytes"], 0);
    mcp.ok("paste_text", json!({ "pane": pane, "text": "", "enter": true }));
    wait_for("Enter alone", || {
        fs::read_to_string(&got).unwrap() == format!("{block}\r")
    });
    assert_eq!(server.tmux(&["list-buffers", "-F", "#{buffer_name}"]), "mine");
}

#[test]
fn what_may_be_pasted_is_bounded() {
    let server = Server::quiet();
    let got = server.room().join("got");
    let program = server.write_script(
        "paste",
        &format!("stty raw -echo; echo ready; exec cat >{}", shell_word(&got)),
    );
    let pane = window(&server, program.to_str().unwrap());
    wait_for_screen(&server, &pane, "ready");
    let mut mcp = Mcp::start(&server);
    assert_eq!(
        mcp.ok("paste_text", json!({ "pane": pane, "text": "x".repeat(1 << 20) }))["bytes"],
        1 << 20
    );
    wait_for("all of it", || fs::metadata(&got).unwrap().len() == 1 << 20);
    for text in ["x".repeat((1 << 20) + 1), "a\u{0}".to_owned()] {
        assert_eq!(
            mcp.kind("paste_text", json!({ "pane": pane, "text": text })),
            "invalid_input"
        );
    }
    assert_eq!(
        mcp.kind("paste_text", json!({ "pane": "%99", "text": "x" })),
        "object_gone"
    );
    assert_eq!(server.tmux(&["list-buffers"]), "");
}
