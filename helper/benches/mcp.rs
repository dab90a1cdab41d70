//! What a call of the MCP server costs beside the one tmux process that it needs, and what the server itself takes:
//! medians of one run, interleaved.
//!
//! `scripts/bench --mcp` runs it. The panes are shells with some text on a private server. Ends with 1 when a bound is
//! missed.

mod support;

use serde_json::{json, Value};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;
use support::{median, timed, Server};

/// A call may take this many times the bare tmux process.
const CALL_BOUND: f64 = 1.5;
/// Milliseconds from the start of the process to its list of tools.
const START_BOUND: f64 = 25.0;
/// Megabytes that the process may hold after some calls.
const MEMORY_BOUND: f64 = 12.0;
/// Bytes of the list of tools, all of them offered.
const LIST_BOUND: usize = 110_000;

/// The MCP server, and the other ends of its pipes.
struct Mcp {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Mcp {
    fn start(server: &Server) -> Self {
        let mut child = server
            .command(Path::new(env!("CARGO_BIN_EXE_tmux-status")))
            .arg("mcp")
            .env("LIBTMUX_TOOLSETS", "inspect,manage,execute,teardown")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the helper runs");
        let mut mcp = Self {
            input: child.stdin.take().expect("its input"),
            output: BufReader::new(child.stdout.take().expect("its output")),
            child,
            last: 0,
        };
        let client = json!({ "name": "bench", "version": "1" });
        mcp.request(
            "initialize",
            &json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client }),
        );
        mcp.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        mcp
    }

    fn write(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.input.write_all(line.as_bytes()).expect("it reads");
    }

    /// The line of the answer.
    fn request(&mut self, method: &str, params: &Value) -> String {
        self.last += 1;
        self.write(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }));
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it answers");
        line
    }

    fn call(&mut self, tool: &str, arguments: &Value) {
        let answer = self.request("tools/call", &json!({ "name": tool, "arguments": arguments }));
        assert!(answer.contains("\"isError\":false"), "{tool}: {answer}");
    }

    /// What it holds, in megabytes.
    fn memory(&self) -> f64 {
        let pid = self.child.id().to_string();
        let out = Command::new("ps")
            .args(["-o", "rss=", "-p", &pid])
            .output()
            .expect("ps");
        let kilobytes: f64 = String::from_utf8_lossy(&out.stdout).trim().parse().expect("a number");
        kilobytes / 1024.0
    }
}

impl Drop for Mcp {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The fields that `list_panes` tells.
const PANE: &str = "#{pane_id}\t#{window_id}\t#{pane_active}\t#{pid}\t#{pane_current_command}\t#{pane_current_path}";
/// Those that `snapshot_pane` tells beside them.
const STATE: &str =
    "#{pane_width}\t#{pane_height}\t#{cursor_x}\t#{cursor_y}\t#{pane_mode}\t#{scroll_position}\t#{pane_dead}";
/// All screens with the places of their panes.
const SCREENS: &str = "list-panes -a -F '##{session_id} ##{window_id} ##{pane_id} ##{pane_height} ##{history_size} \
     ##{session_name}' ; display-message -p 'x##{S:##{W:##{P:##{pane_id} }}}' ; \
     #{S:#{W:#{P:capture-pane -p -t #{pane_id} ; }}}";

/// A call, and the arguments of the tmux process that does as much.
fn pairs(pane: &str) -> [(&'static str, Value, Vec<String>); 4] {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let state = format!("{PANE}\t{STATE}");
    let display = [
        "display-message",
        "-p",
        "-t",
        pane,
        &state,
        ";",
        "capture-pane",
        "-p",
        "-t",
        pane,
    ];
    [
        ("list_panes", json!({}), words(&["list-panes", "-a", "-F", PANE])),
        (
            "capture_pane",
            json!({ "pane": pane }),
            words(&["capture-pane", "-p", "-t", pane]),
        ),
        ("snapshot_pane", json!({ "pane": pane }), words(&display)),
        (
            "search_panes",
            json!({ "pattern": "line 7 of" }),
            words(&["run-shell", "-C", SCREENS]),
        ),
    ]
}

/// Whether all bounds are held.
fn calls(panes: usize, rounds: usize) -> bool {
    let server = Server::start(panes);
    let pane = server.tmux(&["list-panes", "-F", "#{pane_id}"]);
    let mut mcp = Mcp::start(&server);
    let mut held = true;
    println!("{panes} panes (medians of {rounds}; x = times the bare tmux process)");
    for (tool, arguments, bare) in pairs(pane.trim()) {
        let bare: Vec<&str> = bare.iter().map(String::as_str).collect();
        let (mut ours, mut theirs) = (vec![], vec![]);
        for _ in 0..rounds {
            timed(&mut theirs, || server.tmux(&bare));
            timed(&mut ours, || mcp.call(tool, &arguments));
        }
        let (ours, theirs) = (median(&mut ours), median(&mut theirs));
        held &= row(
            tool,
            ours / theirs,
            CALL_BOUND,
            "x",
            &format!("{ours:.2} ms, bare {theirs:.2} ms"),
        );
    }
    held & row("resident memory", mcp.memory(), MEMORY_BOUND, "MB", "")
}

fn row(what: &str, value: f64, bound: f64, unit: &str, note: &str) -> bool {
    let held = value <= bound;
    let missed = if held { "" } else { "MISSED" };
    println!("  {what:<24} {value:>9.2} {unit:<2} of {bound:>6.1} {note} {missed}");
    held
}

fn start(rounds: usize) -> bool {
    let server = Server::start(1);
    let (mut ours, mut bare, mut bytes) = (vec![], vec![], 0);
    for _ in 0..rounds {
        timed(&mut bare, || Command::new("true").status().expect("true"));
        let began = Instant::now();
        let mut mcp = Mcp::start(&server);
        bytes = mcp.request("tools/list", &json!({})).len();
        ours.push(began.elapsed().as_secs_f64() * 1000.0);
    }
    println!(
        "the server (medians of {rounds}; spawn of true(1) {:.2} ms)",
        median(&mut bare)
    );
    let soon = row("start to tools/list", median(&mut ours), START_BOUND, "ms", "");
    soon & row("bytes of tools/list", bytes as f64, LIST_BOUND as f64, "B", "")
}

fn main() {
    // `cargo test --all-targets` runs benches, too; there is nothing to measure then.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let held = [start(21), calls(10, 101), calls(100, 101)];
    if held.contains(&false) {
        std::process::exit(1);
    }
}
