//! A client of `tmux-status mcp` that speaks bare lines of JSON, so that a test sees what is on the wire.
//!
//! ```ignore
//! let server = Server::quiet();
//! let mut mcp = Mcp::start(&server);                       // the server's own socket, initialized
//! assert_eq!(mcp.ok("list_sessions", json!({}))["sessions"][0]["name"], "work");
//! assert_eq!(mcp.problem("get_pane_info", json!({ "pane": "%9" }))["data"]["kind"], "object_gone");
//! let wait = mcp.send("tools/call", json!({ "name": "wait_for_text", "arguments": { "pane": "%0" } }));
//! mcp.notify("notifications/cancelled", json!({ "requestId": wait }));
//! ```
//!
//! Every reply of a tool is held against the schema that the server publishes for it.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use crate::support::{Server, DEADLINE, HELPER};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Instant;

/// Names that a careless caller would have tmux run, expand, or take for flags or ends of commands.
pub const NASTY: [&str; 14] = [
    "#(touch {room}/pwned)",
    "#{pid}",
    "##{pid}",
    "#[fg=red]#(touch {room}/pwned)",
    "##[x]###",
    "#,#}",
    "$(touch {room}/pwned)",
    "`touch {room}/pwned`",
    "-t",
    "--",
    "-",
    "a;",
    "; kill-server ;",
    "%H %% ~ \"q\" 'q' \u{1f600} 漢字",
];

/// The same, with commands that would leave a trace in the server's room.
pub fn nasty(server: &Server) -> Vec<String> {
    let room = server.room().to_str().unwrap();
    NASTY.iter().map(|name| name.replace("{room}", room)).collect()
}

/// Looks that none of them ran.
#[track_caller]
pub fn nothing_ran(server: &Server) {
    assert!(!server.room().join("pwned").exists());
}

/// A running `tmux-status mcp`, and the other end of its pipes.
pub struct Mcp {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Lines that came while another was waited for.
    kept: Vec<Value>,
    last: u64,
    schemas: BTreeMap<String, Value>,
}

impl Mcp {
    /// Starts one for `server`, and shakes hands.
    pub fn start(server: &Server) -> Self {
        Self::start_with(server, &[], &[])
    }

    /// The same with arguments and variables.
    #[track_caller]
    pub fn start_with(server: &Server, args: &[&str], env: &[(&str, &str)]) -> Self {
        let mut command = server.command(HELPER);
        command.arg("mcp").args(args).envs(env.iter().copied());
        let mut mcp = Self::spawn(&mut command);
        mcp.initialize("2025-11-25");
        mcp
    }

    /// Starts `command` without a word.
    pub fn spawn(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines() {
                if send.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
            kept: Vec::new(),
            last: 0,
            schemas: BTreeMap::new(),
        }
    }

    /// Shakes hands; what the server says of itself.
    #[track_caller]
    pub fn initialize(&mut self, version: &str) -> Value {
        let client = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client });
        let answer = self.request("initialize", params);
        self.notify("notifications/initialized", json!({}));
        answer["result"].clone()
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Writes bytes and a newline. A server that has gone is no error.
    pub fn send_line(&mut self, line: &[u8]) {
        let mut input = self.input.as_ref().expect("the input is open");
        let _ = input.write_all(line).and_then(|()| input.write_all(b"\n"));
    }

    /// Sends a request; its id.
    pub fn send(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        self.send_line(message.to_string().as_bytes());
        self.last
    }

    /// Sends the request of a call; its id.
    pub fn send_call(&mut self, tool: &str, arguments: Value) -> u64 {
        self.send("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.send_line(message.to_string().as_bytes());
    }

    /// The next line, as it stands; `None` at the end.
    ///
    /// # Panics
    /// After [`DEADLINE`].
    #[track_caller]
    pub fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(DEADLINE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("waited {DEADLINE:?} for a line, in vain"),
        }
    }

    /// The next message.
    #[track_caller]
    pub fn message(&mut self) -> Value {
        if !self.kept.is_empty() {
            return self.kept.remove(0);
        }
        let line = self.line().expect("the server has ended");
        serde_json::from_str(&line).expect("a line is JSON")
    }

    /// The answer to the request with that id. Others are kept.
    #[track_caller]
    pub fn answer(&mut self, id: u64) -> Value {
        if let Some(at) = self.kept.iter().position(|message| message["id"] == id) {
            return self.kept.remove(at);
        }
        loop {
            let line = self.line().expect("the server has ended");
            let message: Value = serde_json::from_str(&line).expect("a line is JSON");
            if message["id"] == id {
                return message;
            }
            self.kept.push(message);
        }
    }

    /// Asks, and waits for the answer.
    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// The list of tools.
    #[track_caller]
    pub fn tools(&mut self) -> Vec<Value> {
        let answer = self.request("tools/list", json!({}));
        answer["result"]["tools"].as_array().unwrap().clone()
    }

    /// Calls a tool; its whole result.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.send_call(tool, arguments);
        self.result(id, tool)
    }

    /// The result of a call that was sent before.
    #[track_caller]
    pub fn result(&mut self, id: u64, tool: &str) -> Value {
        let answer = self.answer(id);
        let result = answer["result"].clone();
        assert!(result.is_object(), "{tool}: {answer}");
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"], "text and data say the same");
        if result["isError"] == false {
            self.check_schema(tool, &text);
        }
        result
    }

    #[track_caller]
    fn check_schema(&mut self, tool: &str, reply: &Value) {
        if self.schemas.is_empty() {
            let tools = self.tools();
            let schema = |tool: Value| (tool["name"].as_str().unwrap().to_owned(), tool["outputSchema"].clone());
            self.schemas = tools.into_iter().map(schema).collect();
        }
        let validator = jsonschema::validator_for(&self.schemas[tool]).unwrap();
        let errors: Vec<String> = validator.iter_errors(reply).map(|error| error.to_string()).collect();
        assert!(
            errors.is_empty(),
            "{tool} does not reply as it says: {errors:?} in {reply}"
        );
    }

    /// What a call that succeeds replies.
    #[track_caller]
    pub fn ok(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{tool}: {}", result["structuredContent"]);
        result["structuredContent"].clone()
    }

    /// What a call that fails says: `message` and `data`.
    #[track_caller]
    pub fn problem(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {}", result["structuredContent"]);
        result["structuredContent"].clone()
    }

    /// Has it ask tmux for its version, which is done once, so that the processes of later calls can be counted.
    #[track_caller]
    pub fn first_call(&mut self) {
        self.ok("list_sessions", json!({}));
    }

    /// The kind of that.
    #[track_caller]
    pub fn kind(&mut self, tool: &str, arguments: Value) -> String {
        let problem = self.problem(tool, arguments);
        problem["data"]["kind"].as_str().unwrap().to_owned()
    }

    /// The JSON-RPC error of a request.
    #[track_caller]
    pub fn error(&mut self, method: &str, params: Value) -> Value {
        let answer = self.request(method, params);
        assert!(answer["error"].is_object(), "{answer}");
        answer["error"].clone()
    }

    /// Closes its input and waits for its end.
    #[track_caller]
    pub fn close(mut self) -> ExitStatus {
        self.end_input();
        self.wait()
    }

    /// Closes its input; all messages that nobody has read, up to its end.
    #[track_caller]
    pub fn rest(&mut self) -> Vec<Value> {
        self.end_input();
        let mut rest = std::mem::take(&mut self.kept);
        while let Some(line) = self.line() {
            rest.push(serde_json::from_str(&line).expect("a line is JSON"));
        }
        rest
    }

    /// Closes its input.
    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// Waits for its end.
    #[track_caller]
    pub fn wait(&mut self) -> ExitStatus {
        let end = Instant::now() + DEADLINE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < end, "the server does not end");
            thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}

impl Drop for Mcp {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
