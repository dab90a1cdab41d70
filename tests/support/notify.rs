//! Windows that come to need somebody, and a command that is told: for the tests of notifications.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use crate::support::{shell_word, tmux_data, wait_for, Server};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// What a window's program does to ask.
pub const ASKS: &str = "printf 'Delete all of it? [y/N] '; read x; exec cat";

/// Where a command of the user's leaves a line for each time it was run.
pub fn log(server: &Server) -> PathBuf {
    server.room().join("told")
}

/// The lines that the command has left.
pub fn told(server: &Server) -> Vec<String> {
    let text = fs::read_to_string(log(server)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// A server that tells by a command, which writes `NAME NEED COUNT`; with a driver, that has looked.
pub fn telling() -> Server {
    let server = Server::quiet();
    tells_by_command(&server);
    server.source_with_driver();
    wait_for_driver(&server);
    server
}

pub fn tells_by_command(server: &Server) {
    let line = "\"$TMUX_STATUS_WINDOW $TMUX_STATUS_NEED $TMUX_STATUS_COUNT\"";
    let command = format!("printf '%s\\n' {line} >>{}", shell_word(&log(server)));
    server.tmux(&["set-option", "-g", "@tmux-status-notify", "command"]);
    server.tmux(&["set-option", "-g", "@tmux-status-notify-command", &tmux_data(&command)]);
}

/// Waits until a driver drives.
#[track_caller]
pub fn wait_for_driver(server: &Server) {
    let drives = || {
        let told = server.run("show-environment -gh");
        let waiting = server.processes_with("wait-for tmux-status-");
        waiting.len() == 1 && told.contains("TMUX_STATUS_UNTIL=")
    };
    wait_for("a driver", drives);
}

/// Opens a window that nobody looks at.
#[track_caller]
pub fn open(server: &Server, name: &str, command: &str) -> String {
    server.tmux(&[
        "new-window",
        "-d",
        "-P",
        "-F",
        "#{window_id}",
        "-t",
        "work:",
        "-n",
        &tmux_data(name),
        command,
    ])
}

#[track_caller]
pub fn wait_until_told(server: &Server, line: &str) {
    wait_for(&format!("{line:?} to be told"), || {
        told(server).iter().any(|told| told == line)
    });
}

/// Another window asks, and is told of: what was due before it has been told by then.
#[track_caller]
pub fn let_pass(server: &Server, name: &str) {
    open(server, name, ASKS);
    wait_until_told(server, &format!("{name} question 1"));
}

/// What the state says of the window called `name`.
pub fn window(server: &Server, name: &str) -> Value {
    let state = server.state();
    let windows = state["windows"].as_object().cloned().unwrap_or_default();
    windows
        .into_iter()
        .map(|(_, window)| window)
        .find(|window| window["name"] == name)
        .unwrap_or_default()
}

/// The processes that tell somebody, and what they run.
pub fn tellers(server: &Server) -> Vec<u32> {
    server.processes_with("notify --deliver")
}
