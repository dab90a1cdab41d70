//! `workspace load`: tmuxp's examples, on a real tmux.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

mod support;

use serde_json::Value;
use std::fs;
use support::{wait_for, Server};

/// Loads tmuxp's examples that end so, each into a server of its own, with what they need around them.
fn examples_load(extension: &str) {
    let server = Server::setup().prepare();
    let from = support::repository().join("tests/workspace/tmuxp/examples");
    let folder = server.room().join("docs");
    fs::create_dir_all(folder.join("test")).unwrap();
    server.write_script("test3.sh", "exit 0");
    let mut loaded = 0;
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ends| ends != extension) {
            continue;
        }
        let file = folder.join(path.file_name().unwrap());
        fs::copy(&path, &file).unwrap();
        let run = |flag: &str| {
            let mut command = server.command(support::HELPER);
            command.args(["workspace", "load", "--json", flag]).arg(&file);
            command.env("PWD", &folder).env("MY_ENV_VAR", server.room());
            command.env("MAIN_PANE_HEIGHT", "8").env("USER", "me");
            let out = command.output().unwrap();
            serde_json::from_slice::<Value>(&out.stdout).unwrap()
        };
        let result = run("-d");
        if path.file_stem().is_some_and(|stem| stem == "plugin-system") {
            assert_eq!(result["errors"][0]["code"], "unsupported_key");
            continue;
        }
        assert_eq!(result["status"], "ok", "{}: {result}", path.display());
        let meant = run("--dry-run")["results"][0]["session"]["windows"].clone();
        let panes = |window: &Value| window["panes"].as_array().unwrap().len();
        let meant: Vec<usize> = meant.as_array().unwrap().iter().map(panes).collect();
        let built = &result["results"][0];
        let made = ["window_ids", "pane_ids"].map(|name| built[name].as_array().unwrap().len());
        assert_eq!(made, [meant.len(), meant.iter().sum()], "{}", path.display());
        loaded += 1;
        let _ = server.try_tmux(&["kill-server"]);
        wait_for("the server's end", || {
            !server.try_tmux(&["has-session"]).status.success()
        });
    }
    assert!(loaded >= 15, "{loaded}");
}

#[test]
fn examples_in_yaml_load() {
    examples_load("yaml");
}

#[test]
fn examples_in_json_load() {
    examples_load("json");
}
