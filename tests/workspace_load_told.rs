//! `workspace load`: what its user is told while it goes on, and when it does not.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/workspace.rs"]
mod workspace;

mod support;

use serde_json::{json, Value};
use std::os::unix::net::UnixListener;
use std::process::Stdio;
use std::time::{Duration, Instant};
use std::{fs, thread};
use support::{shell_word, signal, wait_for, words, Server, HELPER};
use workspace::{ask, lines, load, load_with, write};

/// What a person is told of a load without a terminal: the exit code, and both streams.
fn said(server: &Server, args: &[&str]) -> (i32, String) {
    let out = server.helper(&[&["workspace", "load"], args].concat());
    let (text, errors) = words(&out);
    (out.status.code().unwrap(), text + &errors)
}

#[test]
fn a_signal_among_many_windows_is_heeded_between_two_batches() {
    let server = Server::setup().prepare();
    let window = "  - panes: [{shell: exec sleep 600}]\n";
    let file = write(
        &server,
        "many",
        &format!("session_name: many\nwindows:\n{}", window.repeat(400)),
    );
    let mut command = server.command(HELPER);
    command.args(["workspace", "load", "-d", "--json", &file]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for("a window of it", || {
        server.try_tmux(&["has-session", "-t", "=many:3"]).status.success()
    });
    signal(child.id(), "INT");
    let out = child.wait_with_output().unwrap();
    let result: Value = serde_json::from_slice(&out.stdout).unwrap();
    let error = &result["errors"][0];
    assert_eq!(
        (out.status.code(), &error["effects"]["stage"]),
        (Some(130), &json!("windows"))
    );
    let told = error["effects"]["window_ids"].as_array().unwrap();
    let made = lines(&server, &["list-windows", "-t", "=many", "-F", "#{window_id}"]);
    assert_eq!(json!(made), json!(told), "and none that waits");
    assert!(told.len() % 25 == 0 && told.len() < 400, "{}", told.len());
}

#[test]
fn windows_come_in_batches_and_their_progress_with_them() {
    let server = Server::setup().prepare();
    let window = "  - panes: [{shell: exec cat}]\n";
    let file = write(
        &server,
        "some",
        &format!("session_name: some\nwindows:\n{}", window.repeat(60)),
    );
    let log = server.log_tmux_calls();
    assert_eq!(load(&server, &file)["status"], "ok");
    let calls = fs::read_to_string(log).unwrap();
    let scripts = calls.lines().filter(|line| line.contains("source-file")).count();
    assert_eq!(scripts, 3 + 2, "windows, and what comes before and after them: {calls}");
    let format = "#{window_index} #{window_active}";
    let all = lines(&server, &["list-windows", "-t", "some", "-F", format]);
    assert_eq!((all.len(), all[0].as_str(), all[59].as_str()), (60, "0 1", "59 0"));
}

#[test]
fn what_tmux_says_of_a_socket_is_passed_on() {
    let server = Server::setup().prepare();
    let file = write(&server, "s", "session_name: s\nwindows: [{}]\n");
    for server_args in [["-S", "/nonexistent/x/sock"], ["-L", "x/y"]] {
        let (code, told) = said(&server, &[&["-d"], &server_args[..], &[&file]].concat());
        assert!(
            code == 1 && told.contains("No such file or directory") && !told.contains("TMUX names"),
            "{told}"
        );
    }
    let mut command = server.command(HELPER);
    command.env("TMUX", "/nonexistent/x/sock,12,0");
    let out = command.args(["workspace", "load", "-d", &file]).output().unwrap();
    let (_, told) = words(&out);
    assert!(
        told.contains("No such file or directory") && told.contains("TMUX names a server that is gone"),
        "{told}"
    );
}

#[test]
fn a_dry_run_warns_as_a_load_does() {
    let server = Server::setup().prepare();
    let document = "session_name: s\nfoo: 1\nstart_directory: ./missing\nwindows:\n\
                    - {window_name: w, panes: [{shell: cat, start_directory: /}, {shell: cat}]}\n- panes: [{shell: cat}]\n";
    let file = write(&server, "s", document);
    let folder = "missing for panes w:2, 2:1 (window:pane), which start ";
    for flags in [&["--dry-run"][..], &["-d"]] {
        let args = [flags, &["--lenient", &file]].concat();
        let (code, told) = said(&server, &args);
        assert!(
            code == 0 && told.contains("foo is no key") && told.contains(folder),
            "{told}"
        );
        server.try_tmux(&["kill-server"]);
        let (_, result, _) = load_with(&server, &args);
        let warnings = result["results"][0]["warnings"].to_string();
        if flags == ["-d"] {
            wait_for("the pane to be somewhere", || {
                !ask(&server, "s:w.1", "#{pane_current_path}").is_empty()
            });
            let place = ask(&server, "s:w.1", "#{pane_current_path}");
            assert!(warnings.contains(&format!("in {place} instead")), "{warnings}");
        }
        assert!(
            warnings.contains("foo is no key") && warnings.contains(folder),
            "{warnings}"
        );
    }
}

#[test]
fn a_dry_run_refuses_what_no_tmux_takes() {
    let server = Server::setup().prepare();
    let layout = |name: &str| format!("session_name: s\nwindows: [{{layout: {name}, panes: [a]}}]\n");
    let file = write(&server, "s", &layout("main-verticl"));
    let (code, told) = said(&server, &["--dry-run", &file]);
    assert!(code == 1 && told.contains("windows[0].layout"), "{told}");
    let (code, result, _) = load_with(&server, &["--dry-run", &file]);
    assert_eq!((code, &result["errors"][0]["code"]), (1, &json!("invalid_workspace")));
    let file = write(&server, "s", &layout("main-vertical-mirrored"));
    assert_eq!(said(&server, &["--dry-run", &file]).0, 0, "a newer tmux takes it");
    let document = "session_name: s\nbefore_script: ./missing\nwindows: [{}]\n";
    let (code, told) = said(&server, &["--dry-run", &write(&server, "s", document)]);
    assert!(code == 0 && told.contains("there is no such program"), "{told}");
}

#[test]
fn what_is_left_after_ctrl_c_is_named_with_what_removes_it() {
    let server = Server::setup().prepare();
    let document = "session_name: my work\nbefore_script: sh -c 'echo started; exec sleep 600'\nwindows: [{}]\n";
    let file = write(&server, "s", document);
    let helper = shell_word(HELPER.as_ref());
    let terminal = server.terminal(&format!(
        "trap : INT; {helper} workspace -L one load -d {file}; exec cat"
    ));
    terminal.wait_for("started");
    terminal.press(&["C-c"]);
    terminal.wait_for("interrupted by SIGINT");
    let screen = terminal.screen().replace('\n', "");
    assert!(screen.contains("session my work ($0)"), "{screen}");
    assert!(screen.contains("tmux -L one kill-session -t '=my work'"), "{screen}");
    server.tmux(&["-L", "one", "kill-session", "-t", "=my work"]);
}

#[test]
fn an_option_that_is_misspelt_is_found() {
    let server = Server::setup().prepare();
    let cases = [
        ("options", "mian-pane-width", "did you mean main-pane-width?"),
        ("options_after", "mian-pane-width", "did you mean main-pane-width?"),
        ("options", "qqq", ""),
    ];
    for (key, option, hint) in cases {
        let document = format!("session_name: s\nwindows: [{{}}, {{{key}: {{{option}: 50}}}}]\n");
        let (code, told) = said(&server, &["-d", &write(&server, "s", &document)]);
        assert!(code == 1 && told.contains(hint), "{told}");
        let place = format!("windows[1].{key} of s: tmux: invalid option: {option}");
        assert!(told.contains(&place), "{told}");
    }
    let document = "session_name: s\noptions: {mouze: on}\nwindows: [{}]\n";
    let (_, told) = said(&server, &["-d", &write(&server, "s", document)]);
    assert!(
        told.contains("options of s: tmux: invalid option: mouze") && told.contains("did you mean mouse?"),
        "{told}"
    );
}

#[test]
fn of_operators_only_a_line_that_has_some_is_told() {
    let server = Server::setup().prepare();
    let told = |script: &str| {
        let document = format!("session_name: s\nbefore_script: {script}\nwindows: [{{}}]\n");
        said(&server, &["-d", &write(&server, "s", &document)]).1
    };
    for script in ["sh -c 'exit 3'", "no-such-program", "$UNSET_HERE/x"] {
        assert!(!told(script).contains("without a shell"), "{}", told(script));
    }
    assert!(told("no-such-program && echo").contains("without a shell"));
    assert!(told("$UNSET_HERE/x").contains("$UNSET_HERE is not set"));
}

#[test]
fn detached_goes_before_append_and_says_so() {
    let server = Server::setup().prepare();
    let file = write(&server, "s", "session_name: s\nwindows: [{}]\n");
    let (code, told) = said(&server, &["-d", "-a", &file]);
    assert!(code == 0 && told.contains("-d goes before -a"), "{told}");
}

#[test]
fn a_server_that_never_answers_is_not_waited_for_long() {
    let server = Server::setup().prepare();
    let path = server.room().join("deaf");
    let listener = UnixListener::bind(&path).unwrap();
    thread::spawn(move || {
        let mut all = Vec::new();
        while let Ok((stream, _)) = listener.accept() {
            all.push(stream);
        }
    });
    let file = write(&server, "s", "session_name: s\nwindows: [{}]\n");
    let start = Instant::now();
    let (code, told) = said(&server, &["-d", "-S", path.to_str().unwrap(), &file]);
    // Or whatever clears the room would wait for it.
    fs::remove_file(&path).unwrap();
    assert!(code == 1 && told.contains("no answer within 5 s"), "{told}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
