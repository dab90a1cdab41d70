//! Calls that nobody would write by hand: what the server's own schemas allow and what they do not, many at a time, against a
//! real tmux. Each gets one answer that keeps its promise; nothing is left behind.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{json, Map, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use support::{wait_for, Server};

/// Rounds, and the calls of each, which are all under way at once.
const ROUNDS: u32 = 50;
const CALLS: usize = 40;

/// What a call's problem may be.
const KINDS: [&str; 8] = [
    "invalid_input",
    "object_gone",
    "refused",
    "server_gone",
    "unresponsive",
    "unsupported_version",
    "self_protection",
    "partial_effect",
];

/// Strings that are taken for something else where somebody is careless. None hurts if a shell gets it.
const ODD: [&str; 20] = [
    "",
    " ",
    "-t",
    "--",
    ";",
    "a;",
    "0",
    "%",
    "@999999999999999999999",
    "%4294967296",
    "$-1",
    "=work",
    "wor*",
    "#{pid}",
    "#(touch pwned)",
    "a\u{0}b",
    "\u{1b}[31m\r\n\t",
    "\u{202e}é漢\u{1f600}\u{301}",
    "(((",
    "main-horizontal",
];

/// Values of every type.
fn of_any_type(choice: u32) -> Value {
    let values = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(u64::MAX),
        json!(1e300),
        json!("x"),
        json!([]),
        json!([[["deep"]]]),
        json!({}),
        json!({ "pane": { "pane": "%1" } }),
        json!("x".repeat(20_000)),
    ];
    values[choice as usize % values.len()].clone()
}

/// A call that is not built yet: which tool, and a number for each choice on the way.
#[derive(Debug, Clone)]
struct Plan {
    tool: u32,
    choices: Vec<u32>,
}

fn plan() -> impl Strategy<Value = Plan> {
    (any::<u32>(), prop::collection::vec(any::<u32>(), 24)).prop_map(|(tool, choices)| Plan { tool, choices })
}

/// Builds arguments from a schema; all that is left open is decided by the numbers, and then by none.
struct Builder<'a> {
    choices: std::slice::Iter<'a, u32>,
    /// Ids and names that are there, by what they are of.
    there: &'a BTreeMap<&'static str, Vec<String>>,
}

impl Builder<'_> {
    fn choice(&mut self, of: usize) -> usize {
        self.choices.next().copied().unwrap_or(0) as usize % of
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.choice(many) == many - 1
    }

    fn object(&mut self, schema: &Value) -> Value {
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let mut object = Map::new();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            // A wait without a time lasts for half a minute.
            let needed = name == "seconds" || required.contains(&json!(name));
            let given = if needed { !self.one_in(50) } else { self.one_in(2) };
            if given || name == "seconds" {
                let value = self.value(name, property);
                object.insert(name.clone(), value);
            }
        }
        if self.one_in(30) {
            object.insert("socket".to_owned(), json!("other"));
        }
        Value::Object(object)
    }

    fn value(&mut self, name: &str, schema: &Value) -> Value {
        if name == "seconds" {
            let times = [json!(0), json!(0), json!(1), json!(-1), json!("1"), json!(0.5)];
            return times[self.choice(times.len())].clone();
        }
        if self.one_in(30) {
            let choice = self.choice(usize::MAX);
            return of_any_type(u32::try_from(choice).unwrap_or(0));
        }
        if let Some(words) = schema["enum"].as_array() {
            return words[self.choice(words.len())].clone();
        }
        if let Some(schemas) = schema["oneOf"].as_array() {
            let schema = &schemas[self.choice(schemas.len())];
            return self.value("", schema);
        }
        if let Some(word) = schema.get("const") {
            return word.clone();
        }
        let kind = &schema["type"];
        match kind.as_str().or_else(|| kind[0].as_str()).unwrap_or("string") {
            "boolean" => json!(self.choice(2) == 1),
            "integer" => [json!(0), json!(1), json!(5), json!(10_000), json!(2_147_483_647)][self.choice(5)].clone(),
            "array" => {
                let items = (0..self.choice(4)).map(|_| self.value(name, &schema["items"]));
                Value::Array(items.collect())
            }
            "object" => self.object(schema),
            _ => json!(self.text(name)),
        }
    }

    fn text(&mut self, name: &str) -> String {
        let known = match name {
            "pane" | "source_pane" | "target_pane" | "target" => "pane",
            "window" => "window",
            "session" | "destination_session" => "session",
            "keys" => return ["Up", "C-c", "x", "NotAKey", ""][self.choice(5)].to_owned(),
            // A shell runs it.
            "command" => return ["true", "echo a; exit 3", "sleep 0.1", "(", "\u{0}"][self.choice(5)].to_owned(),
            _ => "",
        };
        let there = self.there.get(known).filter(|there| !there.is_empty());
        match there {
            Some(there) if !self.one_in(10) => there[self.choice(there.len())].clone(),
            _ => ODD[self.choice(ODD.len())].to_owned(),
        }
    }
}

/// The server that is called at random, and one session of it that no call names.
struct Room<'a> {
    server: &'a Server,
    mcp: Mcp,
    tools: Vec<Value>,
}

impl Room<'_> {
    /// What can be named: something of every kind, made anew where calls have taken it away.
    fn there(&self) -> BTreeMap<&'static str, Vec<String>> {
        let sessions = self.server.tmux(&["list-sessions", "-F", "#{session_name}"]);
        if !sessions.lines().any(|name| name == "target") {
            let shell = "exec env PS1='$ ' sh -i";
            let size = ["-x", "80", "-y", "24"];
            let new = [&["new-session", "-d", "-s", "target"], &size[..], &[shell]].concat();
            self.server.tmux(&new);
            self.server.run("split-window -d -t target:");
        }
        let list = |command: &str, format: &str| -> Vec<String> {
            let filter = "#{!=:#{session_name},work}";
            let lines = self.server.tmux(&[command, "-a", "-f", filter, "-F", format]);
            lines.lines().take(12).map(str::to_owned).collect()
        };
        let sessions = self.server.tmux(&["list-sessions", "-F", "#{session_id}"]);
        let sessions = sessions.lines().filter(|id| *id != "$0").map(str::to_owned);
        [
            ("pane", list("list-panes", "#{pane_id}")),
            ("window", list("list-windows", "#{window_id}")),
            ("session", sessions.take(12).chain(["target".to_owned()]).collect()),
        ]
        .into()
    }

    fn build(&self, plan: &Plan, there: &BTreeMap<&'static str, Vec<String>>) -> (String, Value) {
        let mut builder = Builder {
            choices: plan.choices.iter(),
            there,
        };
        // One more than there are: a tool that there is not.
        let Some(tool) = self.tools.get(plan.tool as usize % (self.tools.len() + 1)) else {
            return ("kill_server".to_owned(), json!({}));
        };
        let name = tool["name"].as_str().unwrap().to_owned();
        (name, builder.object(&tool["inputSchema"]))
    }

    /// Makes all calls at once, and takes their answers.
    fn round(&mut self, plans: &[Plan]) {
        let there = self.there();
        let calls: Vec<_> = plans.iter().map(|plan| self.build(plan, &there)).collect();
        let sent: Vec<_> = calls
            .iter()
            .map(|(name, arguments)| self.mcp.send_call(name, arguments.clone()))
            .collect();
        for (id, (name, arguments)) in sent.into_iter().zip(&calls) {
            self.check(id, name, arguments);
        }
        // Few enough that tmux stays quick.
        self.server.run("kill-session -a -t work:");
    }

    fn check(&mut self, id: u64, name: &str, arguments: &Value) {
        if name == "kill_server" {
            assert_eq!(self.mcp.answer(id)["error"]["code"], -32602);
            return;
        }
        let result = self.mcp.result(id, name);
        if result["isError"] == true {
            let problem = &result["structuredContent"];
            let kind = problem["data"]["kind"].as_str().unwrap_or_default();
            assert!(KINDS.contains(&kind), "{name} {arguments}: {problem}");
            assert!(
                problem["message"].as_str().is_some_and(|message| !message.is_empty()),
                "{name} {arguments}: {problem}"
            );
        }
    }
}

#[test]
fn random_calls_are_all_answered_and_leave_nothing() {
    let server = Server::quiet();
    server.tmux(&["set-option", "-g", "default-command", "exec cat"]);
    let folder = server.room().join("tmp");
    fs::create_dir(&folder).unwrap();
    let all = [
        ("TMPDIR", folder.to_str().unwrap()),
        ("LIBTMUX_TOOLSETS", "inspect,manage,execute,teardown"),
    ];
    let mut mcp = Mcp::start_with(&server, &[], &all);
    let tools = mcp.tools();
    let room = RefCell::new(Room {
        server: &server,
        mcp,
        tools,
    });
    let config = Config {
        cases: ROUNDS,
        failure_persistence: None,
        // A round is no pure function: what fails once may not fail again.
        max_shrink_iters: 20,
        ..Config::default()
    };
    let strategy = prop::collection::vec(plan(), CALLS);
    let result = TestRunner::new(config).run(&strategy, |plans| {
        room.borrow_mut().round(&plans);
        Ok(())
    });
    result.unwrap();
    let Room { mut mcp, .. } = room.into_inner();
    assert_eq!(mcp.ok("list_sessions", json!({}))["sessions"][0]["name"], "work");
    assert!(!server.room().join("pwned").exists());
    assert_eq!(server.tmux(&["list-buffers"]), "");
    assert!(mcp.close().success());
    wait_for("files to be gone", || fs::read_dir(&folder).unwrap().next().is_none());
    // The server, and what runs in the pane that no call named.
    let pane = server.tmux(&["display-message", "-p", "-t", "%0", "#{pane_pid}"]);
    let mut stay = [server.pid(), pane.parse().unwrap()];
    stay.sort_unstable();
    wait_for("all other processes to be gone", || {
        let mut left = server.processes_with("");
        left.sort_unstable();
        left == stay
    });
}
