//! Agents that keep a record of their state, live: a script that stands in for one, and real processes that come and go.
#![cfg(target_os = "linux")]

mod support;

use serde_json::Value;
use std::fs;
use support::{runs, signal, wait_for, words, Server};

/// Draws a screen at rest, and writes into its record what it is told on its input.
const AGENT: &str = r#"
folder=${CLAUDE_CONFIG_DIR:-$HOME/.claude}
mkdir -p "$folder/sessions"
start=$(cut -d' ' -f22 "/proc/$$/stat")
say() { printf '{"pid":%s,"procStart":"%s","status":%s}' "$$" "$start" "$1" >"$folder/sessions/$$.json"; }
say '"busy"'
stty -icanon -echo
printf '\033[2J\033[H\342\227\217 Looking at it\n\n'
printf '\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\n'
printf '\342\235\257\302\240\n'
printf '\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\n  ? for shortcuts'
while read -r line; do say "$line"; done
"#;

fn explained(server: &Server) -> Value {
    let out = server.helper(&["explain", "--json", "-t", "work:0"]);
    serde_json::from_str(&words(&out).0).unwrap_or_default()
}

fn wait_for_rule(server: &Server, kind: &str, rule: &str) {
    wait_for(&format!("{kind} by {rule}: {}", explained(server)), || {
        let told = explained(server);
        told["statusKind"] == kind && told["rule"] == rule
    });
}

fn start(server: &Server, before: &str) -> u32 {
    wait_for("the shell", || {
        explained(server)["summary"].to_string().contains("prompt")
    });
    let script = server.write_script("claude", AGENT);
    server.tmux(&[
        "send-keys",
        "-t",
        "work:0",
        &format!("{before}{}", script.display()),
        "Enter",
    ]);
    wait_for("the agent", || explained(server)["command"] == "claude");
    let pids = server.processes_with("claude");
    pids[0]
}

fn tell(server: &Server, status: &str) {
    server.tmux(&["send-keys", "-t", "work:0", "-l", status]);
    server.tmux(&["send-keys", "-t", "work:0", "Enter"]);
}

#[test]
fn the_record_of_a_living_agent_decides_and_that_of_a_dead_one_does_not() {
    let server = Server::start();
    let pid = start(&server, "");
    wait_for_rule(&server, "active", "record:busy");
    assert_eq!(explained(&server)["summary"], "claude working: Looking at it");
    tell(&server, r#""idle""#);
    wait_for_rule(&server, "waiting", "agents/claude:prompt");
    tell(&server, r#""waiting","waitingFor":"permission prompt""#);
    wait_for_rule(&server, "waiting", "record:permission");
    assert_eq!(explained(&server)["need"], "permission");
    // An old record is no worse than a new one.
    tell(&server, r#""busy""#);
    wait_for_rule(&server, "active", "record:busy");
    server.refresh();
    let record = server.room().join(format!("home/.claude/sessions/{pid}.json"));
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    fs::File::options()
        .write(true)
        .open(&record)
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    assert_eq!(explained(&server)["statusKind"], "active");
    signal(pid, "KILL");
    wait_for("its end", || !runs(pid));
    assert!(record.exists());
    wait_for("the shell's own verdict", || {
        let told = explained(&server);
        // Which may well be that the last command was killed.
        told["rule"].as_str().unwrap().starts_with("shells/") && told["command"] != "claude"
    });
}

#[test]
fn the_record_is_looked_for_where_the_agent_keeps_it() {
    let server = Server::start();
    let folder = server.room().join("elsewhere");
    start(&server, &format!("CLAUDE_CONFIG_DIR='{}' ", folder.display()));
    wait_for_rule(&server, "active", "record:busy");
    assert!(!server.room().join("home/.claude").exists());
}

#[test]
fn a_recorded_look_says_nothing_of_whose_it_was() {
    let home = "/home/anastasia";
    let server = Server::setup().env("USER", "anastasia").env("HOME", home).start();
    wait_for("the shell", || {
        explained(&server)["summary"].to_string().contains("prompt")
    });
    let type_in = "PS1='anastasia:$ '; clear; echo /home/anastasia/src API_TOKEN=hunter2hunter2";
    server.tmux(&["send-keys", "-t", "work:0", type_in, "Enter"]);
    wait_for("the prompt", || {
        explained(&server)["summary"].to_string().contains("API_TOKEN")
    });
    let file = server.room().join("sample.json");
    let live = explained(&server);
    let out = server.helper(&["explain", "-t", "work:0", "--record", file.to_str().unwrap()]);
    assert!(out.status.success(), "{out:?}");
    let text = fs::read_to_string(&file).unwrap();
    for private in ["anastasia", "hunter2"] {
        assert!(!text.contains(private), "{private} is in {text}");
    }
    let again = server.helper(&["explain", "--json", "--sample", file.to_str().unwrap()]);
    let again: Value = serde_json::from_str(&words(&again).0).unwrap();
    assert_eq!(
        (&again["statusKind"], &again["rule"]),
        (&live["statusKind"], &live["rule"])
    );
    // What is expected of it is what the tests over samples ask for.
    let expect = &serde_json::from_str::<Value>(&text).unwrap()["expect"];
    assert_eq!((&expect["kind"], &expect["rule"]), (&live["statusKind"], &live["rule"]));
    assert_eq!(expect["mention"], serde_json::json!([again["summary"]]));
}
