//! Panes for tests of MCP tools that give input to them.

#![allow(dead_code, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use crate::mcp::Mcp;
use crate::support::{program, skip, wait_for, Server};
use serde_json::{json, Value};
use std::fs;
use std::path::Path;

/// What a pane shows.
pub fn screen(server: &Server, pane: &str) -> String {
    server.tmux(&["capture-pane", "-p", "-t", pane])
}

/// Waits until a pane shows that.
#[track_caller]
pub fn wait_for_screen(server: &Server, pane: &str, text: &str) {
    wait_for(&format!("{text:?} in {pane}"), || screen(server, pane).contains(text));
}

/// A window with `command` in it, or a shell at its prompt; the pane's id.
pub fn window(server: &Server, command: &str) -> String {
    let shell = "exec env PS1='$ ' sh -i";
    let command = Some(command).filter(|command| !command.is_empty());
    let pane = server.open(command.unwrap_or(shell));
    if command.is_none() {
        wait_for_screen(server, &pane, "$");
    }
    pane
}

/// Types a line by hand.
pub fn type_line(server: &Server, pane: &str, line: &str) {
    server.tmux(&["send-keys", "-t", pane, "-l", "--", line]);
    server.tmux(&["send-keys", "-t", pane, "Enter"]);
}

/// Waits until a pane's pipe is in use (`1`), or no longer (`0`).
#[track_caller]
pub fn wait_for_pipe(server: &Server, pane: &str, state: &str) {
    wait_for(&format!("the pipe of {pane} to be {state}"), || {
        server.tmux(&["display-message", "-p", "-t", pane, "#{pane_pipe}"]) == state
    });
}

/// Kind and reason of a problem.
pub fn reason(problem: &Value) -> (&str, &str) {
    let word = |key: &str| problem["data"][key].as_str().unwrap_or_default();
    (word("kind"), word("reason"))
}

/// Nothing of ours is in use any more: pipes, buffers, files.
#[track_caller]
pub fn nothing_left(server: &Server, folder: &Path) {
    wait_for("pipes to be given back", || {
        // tmux does not close that of a dead pane; nothing reads it any more.
        !server
            .tmux(&["list-panes", "-a", "-F", "#{pane_pipe}#{pane_dead}"])
            .contains("10")
            && server.processes_with("exec cat").is_empty()
    });
    assert_eq!(server.tmux(&["list-buffers"]), "");
    wait_for("files to be gone", || fs::read_dir(folder).unwrap().next().is_none());
}

/// An MCP server whose temporary files are in a folder of their own.
pub fn start(server: &Server) -> (Mcp, std::path::PathBuf) {
    let folder = server.room().join("tmp");
    fs::create_dir(&folder).unwrap();
    let mcp = Mcp::start_with(server, &[], &[("TMPDIR", folder.to_str().unwrap())]);
    (mcp, folder)
}

/// Every way to give input to a pane.
pub fn inputs(pane: &str) -> [(&'static str, Value); 3] {
    [
        ("send_keys", json!({ "pane": pane, "text": "no" })),
        ("paste_text", json!({ "pane": pane, "text": "no" })),
        ("run_shell_command", json!({ "pane": pane, "command": "no" })),
    ]
}

/// Input of every kind is refused for that.
#[track_caller]
pub fn all_refused(mcp: &mut Mcp, pane: &str, expected: (&str, &str)) {
    for (tool, arguments) in inputs(pane) {
        assert_eq!(reason(&mcp.problem(tool, arguments)), expected, "{tool}");
    }
}

/// A window with that shell at its prompt; `None` where it is not installed.
pub fn shell(server: &Server, name: &str) -> Option<String> {
    let Some(path) = program(name) else {
        skip("run_shell_command", &format!("{name} is not installed"));
        return None;
    };
    let flags = match name {
        "bash" => "--norc --noprofile",
        "zsh" => "-f",
        _ => "",
    };
    let pane = window(server, &format!("exec env PS1='ready$ ' {} {flags} -i", path.display()));
    wait_for_screen(server, &pane, "ready$");
    wait_for("the shell in the foreground", || {
        server.run(&format!("display-message -p -t {pane} #{{pane_current_command}}")) == name
    });
    Some(pane)
}

/// Those that commands are run in.
pub const SHELLS: [&str; 3] = ["dash", "bash", "zsh"];
