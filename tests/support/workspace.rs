//! Documents in a room, and what comes of loading them.

#![allow(dead_code, clippy::unwrap_used)]

use crate::support::{wait_for, words, Server};
use serde_json::Value;
use std::fs;

/// Writes a document; its path.
pub fn write(server: &Server, name: &str, document: &str) -> String {
    let path = server.room().join(format!("{name}.yaml"));
    fs::write(&path, document).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Loads a document without attaching; what a program is told.
#[track_caller]
pub fn load(server: &Server, file: &str) -> Value {
    load_with(server, &["-d", file]).1
}

/// The same with other arguments: the exit code, the document, and what was told beside it.
#[track_caller]
pub fn load_with(server: &Server, args: &[&str]) -> (i32, Value, String) {
    let out = server.helper(&[&["workspace", "load", "--json"], args].concat());
    let (text, errors) = words(&out);
    let document = serde_json::from_str(&text).unwrap_or_default();
    (out.status.code().unwrap_or(-1), document, errors)
}

/// The value of a format.
#[track_caller]
pub fn ask(server: &Server, target: &str, format: &str) -> String {
    server.tmux(&["display-message", "-p", "-t", target, format])
}

/// What tmux prints, a line each.
#[track_caller]
pub fn lines(server: &Server, args: &[&str]) -> Vec<String> {
    server.tmux(args).lines().map(str::to_owned).collect()
}

/// What is on a pane's screen.
#[track_caller]
pub fn screen(server: &Server, target: &str) -> String {
    server.tmux(&["capture-pane", "-p", "-t", target])
}

/// A session as a document.
#[track_caller]
pub fn frozen(server: &Server, session: &str) -> Value {
    let out = server.helper(&["workspace", "freeze", "--json", session]);
    assert!(out.status.success(), "{out:?}");
    serde_json::from_slice(&out.stdout).unwrap()
}

/// Waits until all programs are where they were started: before, nobody can tell where they are.
#[track_caller]
pub fn starts(server: &Server) {
    let format = "#{||:#{pane_dead},#{==:#{pane_current_path},#{pane_start_path}}}";
    wait_for("all programs to start", || {
        server
            .tmux(&["list-panes", "-a", "-F", format])
            .lines()
            .all(|there| there == "1")
    });
}

/// A server whose session `work` was made by these lines of a tmux configuration.
pub fn made_by(config: &str, lines: &str) -> Server {
    let server = Server::setup().config(config).start();
    let script = server.room().join("script");
    let room = server.room().to_str().unwrap();
    fs::write(&script, lines.replace("{room}", room)).unwrap();
    server.tmux(&["source-file", script.to_str().unwrap()]);
    server
}
