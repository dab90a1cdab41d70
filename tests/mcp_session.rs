//! A day's work of an agent, as a client sees it: it finds the pane with the failing test, runs a command, waits for a server,
//! and answers a prompt. No call is there only to prepare another.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Value};
use support::{wait_for, Server};

/// What answers may take at most, in bytes: a model reads all of it.
const FEW: usize = 1_500;

/// A client that looks at how much it is told.
struct Agent {
    mcp: Mcp,
}

impl Agent {
    #[track_caller]
    fn ask(&mut self, tool: &str, arguments: Value) -> Value {
        let reply = self.mcp.ok(tool, arguments);
        Self::short(tool, &reply);
        reply
    }

    #[track_caller]
    fn short(tool: &str, reply: &Value) {
        let size = reply.to_string().len();
        assert!(size <= FEW, "{tool} takes {size} bytes: {reply}");
    }
}

fn window(server: &Server, name: &str, script: &str) {
    let script = server.write_script(name, script);
    server.tmux(&["new-window", "-d", "-t", "work:", "-n", name, script.to_str().unwrap()]);
}

/// Windows as people have them: some that work, one in which a test has failed.
fn office() -> Server {
    let server = Server::start();
    let shell = "exec env PS1='$ ' sh -i";
    server.tmux(&["set-option", "-g", "default-command", shell]);
    window(&server, "editor", "stty -echo; echo 'fn parse() {'; exec sleep 1000");
    window(
        &server,
        "passing",
        "i=0; while [ $i -lt 30 ]; do echo \"test case_$i ... ok\"; i=$((i+1)); done; exec env PS1='$ ' sh -i",
    );
    window(
        &server,
        "failing",
        "i=0; while [ $i -lt 30 ]; do echo \"test date_$i ... ok\"; i=$((i+1)); done; echo 'test leap_year ... FAILED'; \
         echo 'assertion failed: 28 != 29'; exec env PS1='$ ' sh -i",
    );
    wait_for("the windows", || {
        let all = server.tmux(&["list-panes", "-a", "-F", "#{pane_id}"]);
        let screens = all.lines().map(|pane| server.tmux(&["capture-pane", "-p", "-t", pane]));
        let all: String = screens.collect();
        all.contains("28 != 29") && all.contains("case_29") && all.contains("parse()")
    });
    // As its user has it.
    server.source_with_driver();
    server
}

#[test]
fn an_agent_finds_a_failure_runs_a_command_waits_for_a_server_and_answers_a_prompt() {
    let server = office();
    let mut agent = Agent {
        mcp: Mcp::start(&server),
    };

    // Where does a test fail, and why?
    let found = agent.ask("search_panes", json!({ "pattern": "FAILED", "match_case": true }));
    assert_eq!(found["matches"].as_array().unwrap().len(), 1, "{found}");
    let failing = found["matches"][0]["pane"].clone();
    assert!(found["matches"][0]["text"].as_str().unwrap().contains("leap_year"));
    let why = agent.ask("capture_pane", json!({ "pane": failing, "max_lines": 6 }));
    assert!(why["text"].as_str().unwrap().contains("28 != 29"), "{why}");

    // A pane of its own, and a command in it: two calls, since what is made says which pane it has.
    let made = agent.ask("create_window", json!({ "session": "work", "name": "agent" }));
    let own = made["pane"].clone();
    let ran = agent.ask(
        "run_shell_command",
        json!({ "pane": own, "command": "echo checked; exit 3" }),
    );
    assert_eq!(
        (&ran["outcome"], &ran["exit_status"], &ran["output"]),
        (&json!("completed"), &json!(3), &json!("checked"))
    );

    // A server in the same pane, which takes a while until it listens.
    let serve = server.write_script("serve", "sleep 0.5; echo 'Listening on port 8080'; exec sleep 1000");
    agent.ask(
        "send_keys",
        json!({ "pane": own, "text": serve.to_str().unwrap(), "enter": true }),
    );
    let listens = agent.ask(
        "wait_for_text",
        json!({ "pane": own, "patterns": ["Listening on"], "stop": ["EADDRINUSE", "not found"] }),
    );
    let outcome = listens["outcome"].as_str().unwrap();
    assert!(["matched", "present_at_entry"].contains(&outcome), "{listens}");

    // Somewhere a prompt comes up while it waits for that; it answers.
    let before = agent.ask("wait_for_attention", json!({ "seconds": 0 }));
    let wait = agent.mcp.send_call(
        "wait_for_attention",
        json!({ "since": before["cursor"], "kinds": ["question"], "seconds": 600 }),
    );
    window(
        &server,
        "deploy",
        "printf 'Deploy to production? [y/N] '; read answer; echo \"got $answer\"; exec sleep 1000",
    );
    let asked = agent.mcp.result(wait, "wait_for_attention")["structuredContent"].clone();
    Agent::short("wait_for_attention", &asked);
    assert_eq!(asked["outcome"], "changed");
    let row = &asked["windows"][0];
    assert_eq!((&row["name"], &row["need"]), (&json!("deploy"), &json!("question")));
    assert!(
        row["summary"].as_str().unwrap().contains("Deploy to production"),
        "{row}"
    );
    agent.ask(
        "send_keys",
        json!({ "pane": row["pane_id"], "text": "y", "enter": true }),
    );
    agent.ask(
        "wait_for_text",
        json!({ "pane": row["pane_id"], "patterns": ["got y"] }),
    );

    // And then that window needs nobody any more.
    wait_for("the prompt to be gone from the status", || {
        let status = agent.mcp.ok("get_status", json!({ "needing": true }));
        !status.to_string().contains("deploy")
    });
}
