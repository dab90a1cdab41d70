//! The dashboard over windows of a test.

#![allow(dead_code, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use crate::support::{shell_word, wait_for, Server, Terminal, HELPER};
use std::path::Path;

/// A program that asks something.
pub const ASKS: &str = "printf 'Deploy now? [y/N] '; read x; exec cat";

/// A server with the plugin, in which `ops:1` asks something and `work:0` is a shell.
pub fn with_a_question() -> Server {
    let server = Server::start();
    server.tmux(&["rename-window", "-t", "work:0", "home"]);
    server.tmux(&[
        "new-session",
        "-d",
        "-s",
        "ops",
        "-n",
        "logs",
        "-x",
        "100",
        "-y",
        "30",
        "sh",
    ]);
    server.tmux(&["new-window", "-d", "-t", "ops:", "-n", "ask", ASKS]);
    server.source_plugin();
    wait_for("a question", || {
        server.refresh_with(&["--full"]);
        server.state()["windows"].to_string().contains("\"need\":\"question\"")
    });
    server
}

/// Presses the dashboard's key and waits for its first frame.
#[track_caller]
pub fn open<'a>(terminal: &'a Terminal<'_>) -> &'a Terminal<'a> {
    terminal.press(&["C-b", "A"]);
    terminal.wait_for("SUMMARY");
    terminal
}

/// The session and window that a client shows.
pub fn shown(server: &Server, client: &str) -> String {
    let list = server.tmux(&["list-clients", "-F", "#{client_name} #{session_name}:#{window_name}"]);
    let found = list
        .lines()
        .find_map(|line| line.strip_prefix(client)?.strip_prefix(' '));
    found.unwrap_or_default().to_owned()
}

/// The clients' names.
pub fn clients(server: &Server) -> Vec<String> {
    let names = server.tmux(&["list-clients", "-F", "#{client_name}"]);
    names.lines().map(str::to_owned).collect()
}

/// The dashboards that run.
pub fn dashboards(server: &Server) -> Vec<u32> {
    server.processes_with(&format!("{HELPER} dashboard"))
}

/// A shell in a terminal that is no tmux, with the dashboard in it.
pub fn in_a_shell<'a>(server: &'a Server, flags: &str) -> Terminal<'a> {
    let terminal = server.terminal("PS1='$ ' exec sh -i");
    terminal.wait_for("$");
    terminal.press(&[
        &format!(
            "{} {flags} dashboard; echo \"ended with $?\"",
            shell_word(Path::new(HELPER))
        ),
        "Enter",
    ]);
    terminal
}
