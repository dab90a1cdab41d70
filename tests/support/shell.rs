//! Shells that tell of their commands, in a real pane: for the tests of `tmux-status init`.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use crate::support::{program, skip, wait_for, words, Server, Setup, DEADLINE, HELPER};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Those that can be asked to tell.
pub const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// The line that the README names, with the helper under test.
pub fn line(shell: &str) -> String {
    match shell {
        "fish" => format!("{HELPER} init fish | source"),
        _ => format!("eval \"$({HELPER} init {shell})\""),
    }
}

/// A server whose first window runs `shell`, with `rc` as the whole of its start-up file; `None` where it is not installed.
pub fn start(test: &str, shell: &str, rc: &str) -> Option<Server> {
    start_with(test, shell, rc, Server::setup())
}

/// The same on a server that is not as usual.
pub fn start_with(test: &str, shell: &str, rc: &str, setup: Setup) -> Option<Server> {
    if program(shell).is_none() {
        skip(test, &format!("{shell} is not installed"));
        return None;
    }
    let server = setup.prepare();
    let (command, file) = match shell {
        "bash" => ("exec bash --noprofile --rcfile {room}/home/rc -i", "home/rc"),
        "zsh" => ("exec zsh -d -i", "home/.zshrc"),
        _ => ("exec fish -i", "config/fish/config.fish"),
    };
    let prompt = match shell {
        "bash" => "PS1='$ '; PS2='> '",
        "zsh" => "PROMPT='$ '; PROMPT2='> '; unsetopt prompt_cr prompt_sp",
        _ => "function fish_prompt; printf '$ '; end; function fish_greeting; end; function fish_right_prompt; end",
    };
    fs::create_dir_all(server.room().join("config/fish")).unwrap();
    fs::write(server.room().join(file), format!("{prompt}\n{rc}\n")).unwrap();
    let room = server.room().to_str().unwrap();
    let command = command.replace("{room}", room);
    server.tmux(&["new-session", "-d", "-s", "work", "-x", "100", "-y", "30", &command]);
    wait_for("the prompt", || screen(&server).trim_end().ends_with('$'));
    Some(server)
}

/// What the first window shows.
pub fn screen(server: &Server) -> String {
    server.tmux(&["capture-pane", "-p", "-t", "work:0"])
}

/// Types a line.
pub fn send(server: &Server, text: &str) {
    server.tmux(&["send-keys", "-t", "work:0", "-l", text]);
    server.tmux(&["send-keys", "-t", "work:0", "Enter"]);
}

/// What `explain` says of the first window.
pub fn explained(server: &Server) -> Value {
    let out = server.helper(&["explain", "--json", "-t", "work:0"]);
    serde_json::from_str(&words(&out).0).unwrap_or_default()
}

/// Types a line and waits for the summary that begins and ends so, which is returned whole.
#[track_caller]
pub fn says(server: &Server, typed: &str, starts: &str, ends: &str) -> Value {
    send(server, typed);
    waits_for(server, starts, ends)
}

/// Waits for the summary that begins and ends so.
#[track_caller]
pub fn waits_for(server: &Server, starts: &str, ends: &str) -> Value {
    let mut last = Value::Null;
    let end = std::time::Instant::now() + DEADLINE;
    loop {
        let told = explained(server);
        let summary = told["summary"].as_str().unwrap_or_default();
        if summary.starts_with(starts) && summary.ends_with(ends) {
            return told;
        }
        last = if told.is_null() { last } else { told };
        assert!(
            std::time::Instant::now() < end,
            "waited for {starts:?} … {ends:?}, in vain: {last}\n{}",
            screen(server)
        );
    }
}

/// Where the records are.
pub fn folder(server: &Server) -> PathBuf {
    server.room().join("state/thegrid/tmux-status.shells")
}

/// Runs a command that exits so, and has the shell say what it sees of that. What is on the screen then, without what the
/// prompt holds.
#[track_caller]
pub fn seen_status(server: &Server, shell: &str, command: &str) -> String {
    let rest = || wait_for("the prompt", || screen(server).trim_end().ends_with("\n$"));
    send(server, command);
    rest();
    let echo = if shell == "fish" { "$status" } else { "$?" };
    send(server, &format!("echo \"<{echo}>\""));
    wait_for("the status", || screen(server).contains("\n<"));
    rest();
    screen(server).trim_end().to_owned()
}

/// All records, joined.
pub fn records(server: &Server) -> String {
    let entries = fs::read_dir(folder(server)).into_iter().flatten().flatten();
    entries
        .map(|entry| fs::read_to_string(entry.path()).unwrap_or_default())
        .collect()
}

/// The record of the only shell.
pub fn record(server: &Server) -> PathBuf {
    fs::read_dir(folder(server)).unwrap().next().unwrap().unwrap().path()
}
