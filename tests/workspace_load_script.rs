//! `workspace load`: the script before the windows, and signals in the middle.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/workspace.rs"]
mod workspace;

mod support;

use serde_json::{json, Value};
use std::process::{Child, Stdio};
use support::{runs, shell_word, signal, wait_for, Server, HELPER};
use workspace::{lines, load, load_with, screen, write};

/// A session `s` with that script and one window.
fn with_script(server: &Server, script: &str) -> String {
    let document = json!({
        "session_name": "s",
        "start_directory": server.room().to_str().unwrap(),
        "before_script": script,
        "windows": [{ "window_name": "w", "panes": [{ "shell": "cat" }] }],
    });
    write(server, "s", &document.to_string())
}

fn exists(server: &Server, session: &str) -> bool {
    server.try_tmux(&["has-session", "-t", session]).status.success()
}

#[test]
fn a_script_runs_in_the_session_before_its_windows() {
    let server = Server::setup().prepare();
    let file = with_script(
        &server,
        "sh -c 'pwd; tmux list-windows -t s -F \"#{window_name}\"; cat; echo oops >&2'",
    );
    let result = load(&server, &file);
    let output = &result["results"][0]["script_output"];
    let room = server.room().display();
    assert_eq!(output["stdout"], format!("{room}\nloading\n"), "{result}");
    assert_eq!(
        (&output["stderr"], &output["child_status"]),
        (&json!("oops\n"), &json!(0))
    );
    let flags = ["truncated", "terminal", "encoding"].map(|name| output[name].clone());
    assert_eq!(flags, [json!(false), json!(false), json!("utf-8")]);
    assert_eq!(
        lines(&server, &["list-windows", "-t", "s", "-F", "#{window_name}"]),
        ["w"]
    );
}

#[test]
fn a_script_that_fails_takes_the_session_with_it() {
    let server = Server::setup().prepare();
    server.run("new-session -d -s mine");
    for (script, says) in [("sh -c 'exit 3'", "status 3"), ("sh -c 'kill -9 $$'", "status 137")] {
        let (code, result, errors) = load_with(&server, &["-d", &with_script(&server, script)]);
        assert_eq!(code, 1, "{result}");
        let error = &result["errors"][0];
        assert_eq!(
            (&error["code"], &error["effects"]["stage"]),
            (&json!("script_failed"), &json!("script"))
        );
        assert_eq!(error["effects"]["session_removed"], true);
        assert!(error["message"].as_str().unwrap().contains(says), "{error}");
        assert!(errors.contains("script_failed"));
        assert_eq!(lines(&server, &["list-sessions", "-F", "#{session_name}"]), ["mine"]);
    }
}

#[test]
fn no_shell_reads_the_script() {
    let server = Server::setup().prepare();
    let result = load(&server, &with_script(&server, "echo '$HOME;' ';' touch pwned '|' cat"));
    assert_eq!(
        result["results"][0]["script_output"]["stdout"],
        "$HOME; ; touch pwned | cat\n"
    );
}

#[test]
fn a_script_that_floods_goes_on_to_its_end() {
    let server = Server::setup().prepare();
    let script = server.write_script(
        "flood",
        "head -c 3000000 /dev/zero | tr '\\0' x; printf '\\377' >&2; echo $? >ended",
    );
    let result = load(&server, &with_script(&server, script.to_str().unwrap()));
    let output = &result["results"][0]["script_output"];
    assert_eq!(output["stdout"].as_str().unwrap().len(), 1024 * 1024);
    assert_eq!(
        (&output["truncated"], &output["encoding"]),
        (&json!(true), &json!("utf-8-lossy"))
    );
    assert_eq!(std::fs::read_to_string(server.room().join("ended")).unwrap(), "0\n");
}

#[test]
fn what_a_script_prints_comes_as_records_while_it_runs() {
    let server = Server::setup().prepare();
    let file = with_script(
        &server,
        "sh -c 'echo one; until [ -e go ]; do sleep 0.05; done; echo two >&2'",
    );
    let mut child = server.command(HELPER);
    child.args(["workspace", "load", "-d", "--ndjson", &file]);
    let out = std::fs::File::create(server.room().join("out")).unwrap();
    let mut child = child.stdout(out).spawn().unwrap();
    let text = || std::fs::read_to_string(server.room().join("out")).unwrap();
    wait_for("the first words", || text().contains("\"text\":\"one\\n\""));
    std::fs::write(server.room().join("go"), "").unwrap();
    assert!(child.wait().unwrap().success());
    assert!(
        text().contains("\"stream\":\"stderr\",\"text\":\"two\\n\""),
        "{}",
        text()
    );
}

#[test]
fn a_persons_script_has_the_terminal_and_can_be_suspended() {
    let server = Server::setup().prepare();
    let script = server.write_script(
        "asks",
        "stty -echo; echo asking; read answer; echo \"got $answer\"; exec sleep 0.1",
    );
    let file = with_script(&server, script.to_str().unwrap());
    let terminal = server.terminal("PS1='ready: ' exec bash --norc --noprofile -i");
    terminal.wait_for("ready:");
    terminal.press(&[&format!("{} workspace load -d {file}", shell_word(HELPER.as_ref()))]);
    terminal.press(&["Enter"]);
    terminal.wait_for("asking");
    terminal.press(&["C-z"]);
    terminal.wait_for("Stopped");
    assert_eq!(
        lines(&server, &["list-windows", "-t", "s", "-F", "#{window_name}"]),
        ["loading"]
    );
    terminal.press(&["fg"]);
    terminal.press(&["Enter"]);
    wait_for("the foreground", || terminal.ask("#{pane_current_command}") != "bash");
    terminal.press(&["hello"]);
    terminal.press(&["Enter"]);
    terminal.wait_for("got hello");
    terminal.wait_for("s: 1 window, 1 pane");
    // The script has left it without an echo.
    terminal.press(&["stty -a | tr ' ' '\\n' | grep -x -e -echo -e echo | sed s/^/mode:/"]);
    terminal.press(&["Enter"]);
    terminal.wait_for("mode:echo");
}

fn start(server: &Server, args: &[&str]) -> Child {
    let mut command = server.command(HELPER);
    command.args(["workspace", "load", "-d", "--json"]).args(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_signal_in_the_middle_leaves_what_there_is_and_tells_of_it() {
    let server = Server::setup().prepare();
    let first = write(
        &server,
        "first",
        "session_name: first\nwindows: [{panes: [{shell: cat}]}]\n",
    );
    let document = "session_name: s\nwindows: [{panes: [{shell: cat, shell_command: [{cmd: typed, sleep_after: 600}, never]}, {shell: cat}]}]\n";
    let file = write(&server, "s", document);
    for name in ["INT", "TERM"] {
        let child = start(&server, &[&first, &file]);
        wait_for("the first command", || {
            exists(&server, "s:0.1") && screen(&server, "s:0.0").contains("typed")
        });
        signal(child.id(), name);
        let out = child.wait_with_output().unwrap();
        assert_eq!(out.status.code(), Some(130));
        let result: Value = serde_json::from_slice(&out.stdout).unwrap();
        assert_eq!(result["results"][0]["session_name"], "first");
        let error = &result["errors"][0];
        assert_eq!(
            (&error["code"], &error["input_index"]),
            (&json!("interrupted"), &json!(1))
        );
        assert!(error["message"].as_str().unwrap().contains(name), "{error}");
        assert_eq!(
            (&error["outcome_unknown"], &error["partial_effects"]),
            (&json!(true), &json!(true))
        );
        let panes = lines(&server, &["list-panes", "-s", "-t", "s", "-F", "#{pane_id}"]);
        assert_eq!(error["effects"]["pane_ids"], json!(panes));
        let told: Value = serde_json::from_slice(&out.stderr).unwrap();
        assert_eq!(told["code"], "interrupted");
        server.run("kill-session -t s");
    }
}

#[test]
fn a_server_that_ends_in_the_middle_is_told_of() {
    let server = Server::setup().prepare();
    let document =
        "session_name: s\nwindows: [{panes: [{shell: cat, shell_command: [{cmd: typed, sleep_after: 3}, more]}]}]\n";
    let child = start(&server, &[&write(&server, "s", document)]);
    wait_for("the first command", || {
        exists(&server, "s:0.0") && screen(&server, "s:0.0").contains("typed")
    });
    server.run("kill-server");
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(1));
    let result: Value = serde_json::from_slice(&out.stdout).unwrap();
    let error = &result["errors"][0];
    assert_eq!(
        (&error["code"], &error["partial_effects"]),
        (&json!("tmux_unavailable"), &json!(false))
    );
}

#[test]
fn a_signal_ends_a_script_and_what_it_has_started() {
    let server = Server::setup().prepare();
    let file = with_script(&server, "sh -c 'sleep 600 & echo $! >child; wait'");
    let child = start(&server, &[&file]);
    let pid = server.room().join("child");
    wait_for("the script", || {
        std::fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n'))
    });
    let sleeper: u32 = std::fs::read_to_string(&pid).unwrap().trim().parse().unwrap();
    signal(child.id(), "INT");
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(130));
    wait_for("the end of its child", || !runs(sleeper));
    let result: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(result["errors"][0]["effects"]["stage"], "script");
    assert!(exists(&server, "s"), "nothing is taken back");
}
