//! Homes with the settings of coding agents, for tests of `agents`. No agent need be installed.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use super::support::{words, Server};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// A Claude Code that knows every event of ours.
pub const NEW: &str = "2.1.332";

/// A home without a tmux server, in which Claude Code says that it is of this version.
pub fn home(claude: &str) -> Server {
    let server = Server::setup().prepare();
    fake_claude(&server, claude);
    server
}

/// Has `claude --version` say so.
pub fn fake_claude(server: &Server, version: &str) {
    server.write_script("bin/claude", &format!("echo '{version} (Claude Code)'"));
}

/// Where each agent's hooks are, in the environment of a [`Server`].
pub const FILES: &[(&str, &str)] = &[
    ("claude", "home/.claude/settings.json"),
    ("codex", "home/.codex/hooks.json"),
    ("copilot", "home/.copilot/hooks/tmux-status.json"),
    ("gemini", "home/.gemini/settings.json"),
    ("opencode", "config/opencode/plugins/tmux-status.js"),
    ("qwen", "home/.qwen/settings.json"),
];
pub const EDITED: &[&str] = &["claude", "codex", "gemini", "qwen"];

pub fn file_of(server: &Server, agent: &str) -> PathBuf {
    let (_, file) = FILES.iter().find(|(id, _)| *id == agent).unwrap();
    server.room().join(file)
}

pub fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub fn agents(server: &Server, args: &[&str]) -> Output {
    server.helper(&[&["agents"], args].concat())
}

/// Runs it, has it succeed, and returns what it printed.
#[track_caller]
pub fn done(server: &Server, args: &[&str]) -> String {
    let out = agents(server, args);
    let (told, error) = words(&out);
    assert!(out.status.success() && error.is_empty(), "{args:?}: {told}{error}");
    told
}

/// Runs it, has it fail, and returns its errors.
#[track_caller]
pub fn failed(server: &Server, args: &[&str]) -> String {
    let out = agents(server, args);
    let (told, error) = words(&out);
    assert_eq!(out.status.code(), Some(1), "{args:?}: {told}{error}");
    error
}

/// Every file and link in the folder of `path`.
pub fn beside(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path.parent().unwrap()).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

pub fn commands(path: &Path) -> Vec<(String, String)> {
    let value: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let mut found = Vec::new();
    for (event, groups) in value["hooks"].as_object().unwrap() {
        for group in groups.as_array().unwrap() {
            let hooks = group["hooks"]
                .as_array()
                .cloned()
                .unwrap_or_else(|| vec![group.clone()]);
            for hook in hooks {
                let command = hook["command"].as_str().or(hook["bash"].as_str()).unwrap();
                found.push((event.clone(), command.to_owned()));
            }
        }
    }
    found
}
