//! `run_shell_command` in each shell: what the command sees, and what the shell keeps of it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
#[path = "support/panes.rs"]
mod panes;
mod support;

use mcp::Mcp;
use panes::{nothing_left, reason, screen, shell, start, wait_for_screen, window, SHELLS};
use serde_json::json;
use std::fs;
use support::{wait_for, Server};

#[test]
fn a_command_tells_its_exit_status_and_output_in_every_shell() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    for name in SHELLS {
        let Some(pane) = shell(&server, name) else { continue };
        let mut run = |command: &str| {
            let reply = mcp.ok("run_shell_command", json!({ "pane": pane, "command": command }));
            assert_eq!(
                (&reply["outcome"], &reply["pane"], &reply["source"]),
                (&json!("completed"), &json!(pane), &json!("pipe")),
                "{name}: {command}: {reply}"
            );
            (
                reply["exit_status"].as_i64().unwrap(),
                reply["output"].as_str().unwrap().to_owned(),
            )
        };
        assert_eq!(
            run("echo hello; echo oops >&2; exit 3"),
            (3, "hello\noops".into()),
            "{name}"
        );
        assert_eq!(run("true"), (0, String::new()), "{name}");
        assert_eq!(run("printf 'no newline'"), (0, "no newline".into()), "{name}");
        assert_eq!(
            run("echo \"it's\" '$HOME' '#{pid}' \\\\ é 'a;'\necho two\n\n# comment\n").1,
            "it's $HOME #{pid} \\ é a;\ntwo",
            "{name}"
        );
        let (status, output) = run("if then; (");
        assert!(status != 0 && !output.is_empty(), "{name}: {status} {output}");
        assert_eq!(run("printf '\\033[31mred\\033[0m\\n'").1, "red", "{name}");
        // Of what was done nothing lasts, and the shell is the same.
        run("cd /; export GONE=1; trap 'echo trapped' EXIT; set -e; false");
        assert_eq!(
            run("echo ${GONE-none} $-x | tr -d eE; echo $PWD")
                .1
                .lines()
                .next()
                .unwrap()
                .split(' ')
                .next(),
            Some("non"),
            "{name}"
        );
        assert!(run("pwd").1 != "/", "{name}");
        assert_eq!(run("echo a; sh -c 'kill -9 $$'; echo b").0, 0, "{name}");
        let shown = screen(&server, &pane);
        assert!(
            !shown.contains("tmux-status-") && !shown.contains("7791") && !shown.contains("__ts"),
            "{name} left marks:\n{shown}"
        );
        // zsh puts its prompt into a row of its own.
        let end = if name == "zsh" { "" } else { "ready$" };
        assert!(
            shown.contains(&format!("ready$ printf 'no newline'\nno newline{end}")),
            "{name}: {shown}"
        );
    }
    nothing_left(&server, &folder);
}

#[test]
fn what_stood_at_the_prompt_is_no_part_of_the_command() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    for name in SHELLS {
        let Some(pane) = shell(&server, name) else { continue };
        server.tmux(&["send-keys", "-t", &pane, "-l", "echo spoilt; touch spoilt"]);
        wait_for_screen(&server, &pane, "touch spoilt");
        let reply = mcp.ok("run_shell_command", json!({ "pane": pane, "command": "echo clean" }));
        assert_eq!(
            (&reply["outcome"], &reply["output"]),
            (&json!("completed"), &json!("clean")),
            "{name}"
        );
    }
    assert!(!server.room().join("spoilt").exists());
}

#[test]
fn a_trace_shows_the_command_and_not_its_frame() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    for name in SHELLS {
        let Some(pane) = shell(&server, name) else { continue };
        server.tmux(&["send-keys", "-t", &pane, "-l", "PS4='+'; set -x\n"]);
        wait_for("the trace to begin", || {
            screen(&server, &pane)
                .lines()
                .filter(|line| line.contains("ready$"))
                .count()
                == 2
        });
        let reply = mcp.ok("run_shell_command", json!({ "pane": pane, "command": "echo traced" }));
        // bash shows its depth by the number of them.
        let output = reply["output"].as_str().unwrap();
        assert_eq!(
            output.trim_start_matches('+'),
            "echo traced\ntraced",
            "{name}: {output}"
        );
    }
}

#[test]
fn the_history_has_the_command_unless_it_is_suppressed() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    let Some(pane) = shell(&server, "bash") else { return };
    server.tmux(&["send-keys", "-t", &pane, "-l", "HISTCONTROL=ignorespace\n"]);
    let mut run = |command: &str, suppress: bool| {
        let arguments = json!({ "pane": pane, "command": command, "suppress_history": suppress });
        mcp.ok("run_shell_command", arguments)["output"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    run("echo first", false);
    run("echo second", true);
    let history = run("history", true);
    let lines: Vec<_> = history
        .lines()
        .map(|line| line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()))
        .collect();
    assert!(
        lines.contains(&"echo first") && lines.contains(&"HISTCONTROL=ignorespace"),
        "{history}"
    );
    assert!(!history.contains("second") && !history.contains("/run"), "{history}");
}

#[test]
fn a_command_that_is_interrupted_says_so() {
    let server = Server::quiet();
    let mut mcp = Mcp::start(&server);
    for name in SHELLS {
        let Some(pane) = shell(&server, name) else { continue };
        let id = mcp.send_call(
            "run_shell_command",
            json!({ "pane": pane, "command": "echo begun; sleep 600; echo never" }),
        );
        wait_for_screen(&server, &pane, "\nbegun");
        mcp.ok("send_keys", json!({ "pane": pane, "keys": ["C-c"] }));
        let reply = mcp.result(id, "run_shell_command")["structuredContent"].clone();
        assert_eq!(
            (&reply["outcome"], &reply["signal"]),
            (&json!("completed"), &json!(2)),
            "{name}: {reply}"
        );
        assert!(
            reply.get("exit_status").is_none() && !reply["output"].as_str().unwrap().contains("never"),
            "{name}: {reply}"
        );
        let reply = mcp.ok("run_shell_command", json!({ "pane": pane, "command": "echo again" }));
        assert_eq!(reply["output"], "again", "{name}");
    }
}

#[test]
fn only_a_shell_is_given_a_command() {
    let server = Server::quiet();
    let pane = window(&server, "exec cat");
    let mut mcp = Mcp::start(&server);
    let refused = mcp.problem("run_shell_command", json!({ "pane": pane, "command": "echo no" }));
    assert_eq!(reason(&refused), ("invalid_input", "not_a_shell"));
    assert!(screen(&server, &pane).trim().is_empty(), "nothing was typed");
    for command in ["", " \n", "a\u{0}b"] {
        assert_eq!(
            mcp.kind("run_shell_command", json!({ "pane": "%0", "command": command })),
            "invalid_input"
        );
    }
    let long = "#".repeat(256 * 1024 + 1);
    assert_eq!(
        mcp.kind("run_shell_command", json!({ "pane": "%0", "command": long })),
        "invalid_input"
    );
    assert_eq!(
        mcp.kind("run_shell_command", json!({ "pane": "%99", "command": "x" })),
        "object_gone"
    );
    let shell = window(&server, "");
    let reply = mcp.ok(
        "run_shell_command",
        json!({ "pane": shell, "command": long[1..].to_owned() }),
    );
    assert_eq!(reply["outcome"], "completed");
}

#[test]
fn a_shell_that_does_not_read_is_no_shell_and_never_runs_it_later() {
    let server = Server::quiet();
    let (mut mcp, folder) = start(&server);
    let pane = window(&server, "");
    server.tmux(&[
        "send-keys",
        "-t",
        &pane,
        "-l",
        "sh -c 'echo busy; while [ ! -e go ]; do sleep 0.1; done'\n",
    ]);
    wait_for_screen(&server, &pane, "\nbusy");
    // tmux calls what runs a shell, too.
    wait_for("sh in the foreground", || {
        server.run(&format!("display-message -p -t {pane} #{{pane_current_command}}")) == "sh"
    });
    let reply = mcp.ok(
        "run_shell_command",
        json!({ "pane": pane, "command": "touch ran", "seconds": 1 }),
    );
    assert_eq!(
        (&reply["outcome"], &reply["output"], &reply["effective_seconds"]),
        (&json!("no_shell"), &json!(""), &json!(1))
    );
    fs::write(server.room().join("go"), "").unwrap();
    wait_for_screen(&server, &pane, "/run");
    let reply = mcp.ok("run_shell_command", json!({ "pane": pane, "command": "echo free" }));
    assert_eq!(reply["output"], "free", "the pane is not reserved");
    assert!(!server.room().join("ran").exists());
    nothing_left(&server, &folder);
}
