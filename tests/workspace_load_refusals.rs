//! `workspace load`: what can be refused is refused before anything is changed, and what is told of the rest is true.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/workspace.rs"]
mod workspace;

mod support;

use serde_json::{json, Value};
use std::fs;
use support::{shell_word, wait_for, words, Server, Terminal, HELPER};
use workspace::{lines, load, load_with, write};

/// A document with one quiet window; `more` are lines of the root.
fn plain(server: &Server, file: &str, session: &str, window: &str, more: &str) -> String {
    let document = format!(
        "session_name: {session}\n{more}windows:\n  - window_name: {window}\n    panes: [{{shell: exec cat}}]\n"
    );
    write(server, file, &document)
}

/// A folder of saved sessions, a document each; its path.
fn saved(server: &Server, documents: &[(&str, &str)]) -> String {
    let folder = server.room().join("saved");
    fs::create_dir_all(&folder).unwrap();
    let mut index = "sessions:\n".to_owned();
    for (name, document) in documents {
        fs::write(folder.join(format!("{name}.yaml")), document).unwrap();
        index += &format!("  - {{session_name: {name}, file: {name}.yaml}}\n");
    }
    fs::write(folder.join("tmux-server.yaml"), index).unwrap();
    format!("{}/", folder.display())
}

fn quiet(name: &str) -> String {
    format!("session_name: {name}\nwindows: [{{window_name: w, panes: [{{shell: exec cat}}]}}]\n")
}

fn runs(server: &Server) -> bool {
    server.try_tmux(&["list-sessions"]).status.success()
}

fn sessions(server: &Server) -> Vec<String> {
    let mut names = lines(server, &["list-sessions", "-F", "#{session_name}"]);
    names.sort();
    names
}

/// What a person is told when a load fails.
#[track_caller]
fn fails(server: &Server, args: &[&str]) -> String {
    let out = server.helper(&[&["workspace", "load", "-d"], args].concat());
    assert!(!out.status.success(), "{out:?}");
    words(&out).1
}

/// Loads at the prompt of a client's pane.
fn type_load(terminal: &Terminal<'_>, args: &str) {
    let helper = shell_word(HELPER.as_ref());
    terminal.press(&["clear", "Enter"]);
    terminal.wait_until_gone("is over");
    let line = format!("{helper} workspace load {args} 2>&1 | tr '\\n' ' '; echo it \"is over\"");
    terminal.press(&[&line, "Enter"]);
    terminal.wait_for("it is over");
}

#[test]
fn a_folder_with_a_bad_document_says_what_is_wrong_with_it() {
    let server = Server::setup().prepare();
    let bad = "session_name: b\nwindows: [{layout: bogus, panes: [null]}]\n";
    let folder = saved(&server, &[("a", &quiet("a")), ("b", bad)]);
    let told = fails(&server, &[&folder]);
    assert!(
        told.contains("windows[0].layout of b") && told.contains("nothing was changed"),
        "{told}"
    );
    let (code, result, errors) = load_with(&server, &["-d", &folder]);
    assert_eq!(code, 1);
    assert_eq!(
        (&result["errors"][0]["code"], &result["errors"][0]["input_index"]),
        (&json!("invalid_workspace"), &json!(1))
    );
    assert!(errors.contains("layout of b"), "{errors}");
    assert!(!runs(&server));
}

#[test]
fn a_server_without_sessions_is_one_to_build_on() {
    let server = Server::setup().prepare();
    server.tmux(&["start-server", ";", "set", "-g", "exit-empty", "off"]);
    let file = plain(&server, "s", "s", "w", "");
    let (code, result, errors) = load_with(&server, &["-d", &file]);
    assert_eq!((code, &result["status"]), (0, &json!("ok")), "{errors}");
    server.run("kill-session -t s");
    let (code, result, errors) = load_with(&server, &["-d", &saved(&server, &[("a", &quiet("a"))])]);
    assert_eq!((code, &result["status"]), (0, &json!("ok")), "{errors}");
    assert_eq!(sessions(&server), ["a"]);
}

#[test]
fn two_files_with_one_session_and_other_windows_are_refused_beforehand() {
    let server = Server::setup().prepare();
    let (a, b) = (plain(&server, "a", "s", "one", ""), plain(&server, "b", "s", "two", ""));
    let (code, result, _) = load_with(&server, &["-d", &a, &b]);
    assert_eq!((code, &result["results"]), (1, &json!([])));
    assert_eq!(result["errors"][0]["code"], "session_mismatch");
    assert!(!runs(&server));
    let told = fails(&server, &[&a, &b]);
    assert_eq!(told.matches("nothing was changed").count(), 1, "{told}");
    let (code, result, _) = load_with(&server, &["-d", &a, &a]);
    assert_eq!((code, &result["results"][1]["reused"]), (0, &json!(true)));
}

#[test]
fn scripts_of_all_files_are_looked_for_beforehand() {
    let server = Server::setup().prepare();
    let good = plain(&server, "a", "a", "w", "");
    fs::write(server.room().join("no-program"), "").unwrap();
    for (script, says) in [
        ("./missing --flag", "no such program"),
        ("./no-program", "may not be run"),
        ("no-such-program-anywhere", "no such program"),
    ] {
        let bad = plain(&server, "b", "b", "w", &format!("before_script: {script}\n"));
        let (code, result, errors) = load_with(&server, &["-d", &good, &bad]);
        assert_eq!((code, &result["results"]), (1, &json!([])));
        let error = &result["errors"][0];
        assert_eq!(
            (&error["code"], &error["input_index"], &error["effects"]["stage"]),
            (&json!("script_failed"), &json!(1), &json!("preflight"))
        );
        assert!(errors.contains(says), "{errors}");
        assert!(!runs(&server));
    }
}

#[test]
fn indexes_of_all_files_are_taken_into_account_before_the_first_is_appended() {
    let server = Server::start();
    let terminal = server.attach();
    let fixed = write(
        &server,
        "fixed",
        "session_name: x\nwindows: [{window_name: seven, window_index: 7, panes: [{shell: exec cat}]}]\n",
    );
    let free = plain(&server, "free", "y", "next", "");
    let taken = write(
        &server,
        "taken",
        "session_name: z\nwindows: [{window_index: 1, panes: [null]}]\n",
    );
    for (files, index) in [([&fixed, &fixed], 7), ([&free, &taken], 1)] {
        type_load(&terminal, &format!("-a {} {}", files[0], files[1]));
        let screen = terminal.screen().replace('\n', "");
        assert!(
            screen.contains(&format!("index {index} is taken in session work; nothing was changed")),
            "{screen}"
        );
        assert_eq!(lines(&server, &["list-windows", "-t", "work"]).len(), 1);
    }
    type_load(&terminal, &format!("-a {}", saved(&server, &[("a", &quiet("a"))])));
    assert!(terminal.screen().contains("a folder of them"), "{}", terminal.screen());
    type_load(&terminal, &format!("-a {free} {fixed}"));
    let names = lines(
        &server,
        &["list-windows", "-t", "work", "-F", "#{window_index} #{window_name}"],
    );
    assert_eq!(names[1..], ["1 next", "7 seven"]);
}

#[test]
fn a_folder_of_sessions_has_no_one_name() {
    let server = Server::setup().prepare();
    let folder = saved(&server, &[("a", &quiet("a")), ("b", &quiet("b"))]);
    let (code, result, _) = load_with(&server, &["-d", "-s", "other", &folder]);
    assert_eq!((code, &result["errors"][0]["code"]), (2, &json!("usage")));
    assert!(!runs(&server));
}

#[test]
fn of_a_later_file_it_is_not_said_that_nothing_was_changed() {
    let server = Server::setup().prepare();
    let script = "before_script: tmux new-session -d -s second -n other\n";
    let first = plain(&server, "first", "first", "w", script);
    let told = fails(&server, &[&first, &plain(&server, "second", "second", "w", "")]);
    assert!(
        told.contains("nothing of this file was built") && !told.contains("nothing was changed"),
        "{told}"
    );
    assert_eq!(sessions(&server), ["first", "second"]);
}

#[test]
fn what_was_set_for_all_and_stays_is_named() {
    let server = Server::setup().prepare();
    let more = "options: {status: off, escape-time: 77}\nglobal_options: {display-time: 321, nonsense: 1}\n";
    let file = plain(&server, "s", "s", "w", more);
    server.run("new-session -d -s mine");
    let (code, result, _) = load_with(&server, &["-d", &file]);
    let error = &result["errors"][0];
    assert_eq!((code, &error["effects"]["session_removed"]), (1, &json!(true)));
    assert_eq!(
        error["effects"]["settings"],
        json!([{ "scope": "server", "name": "escape-time" }, { "scope": "global", "name": "display-time" }])
    );
    assert_eq!(error["partial_effects"], true);
    let told = fails(&server, &[&file]);
    assert!(
        told.contains("was removed; what it has set stays: server option escape-time, global option display-time"),
        "{told}"
    );
    assert_eq!(server.run("show-options -gv display-time"), "321");
}

#[test]
fn what_was_set_in_a_borrowed_session_is_named() {
    let server = Server::start();
    let terminal = server.attach();
    let more = "options: {history-limit: 1234}\nenvironment: {COLOUR: blue}\n";
    let document =
        format!("session_name: x\n{more}windows: [{{panes: [{{shell: exec cat}}], options: {{nonsense: 1}}}}]\n");
    type_load(&terminal, &format!("-a {}", write(&server, "x", &document)));
    let screen = terminal.screen().replace('\n', "");
    assert!(
        screen.contains("file; what it has set stays: option history-limit, variable COLOUR"),
        "{screen}"
    );
}

#[test]
fn a_configuration_that_is_not_there_is_refused_and_one_that_is_wrong_told_of() {
    let server = Server::setup().prepare();
    let file = plain(&server, "s", "s", "w", "");
    let (code, _, errors) = load_with(&server, &["-d", "-f", "missing.conf", &file]);
    assert_eq!(code, 2);
    assert!(
        errors.contains("missing.conf") && errors.contains("\"usage\""),
        "{errors}"
    );
    assert!(!runs(&server));
    let config = server.room().join("own.conf");
    let config = config.to_str().unwrap();
    fs::write(config, "set -g display-time 5\nfrobnicate now\n").unwrap();
    let (code, result, _) = load_with(&server, &["-d", "-f", config, &file]);
    assert_eq!(code, 0, "{result}");
    let warnings = &result["warnings"];
    assert_eq!(
        (warnings.as_array().unwrap().len(), &warnings[0]["code"]),
        (1, &json!("config"))
    );
    let message = warnings[0]["message"].as_str().unwrap();
    assert!(
        message.starts_with(&format!("{config}:2:")) && message.contains("frobnicate"),
        "{message}"
    );
    let other = plain(&server, "t", "t", "w", "");
    let out = server.helper(&["workspace", "load", "-d", "-f", config, &other]);
    assert!(out.status.success());
    assert!(words(&out).1.contains("a server runs already"), "{out:?}");
}

#[test]
fn a_session_that_has_ended_is_no_success() {
    let server = Server::setup().prepare();
    let panes = "panes: [{shell_command: [{cmd: x, sleep_before: 0.7}]}]";
    let ends = |more: &str| {
        let document = format!("session_name: s\nwindows: [{{window_shell: 'true', {more}{panes}}}]\n");
        write(&server, "s", &document)
    };
    for more in ["", "focus: true, ", "options_after: {synchronize-panes: on}, "] {
        let (code, result, errors) = load_with(&server, &["-d", &ends(more)]);
        assert_eq!((code, &result["status"]), (1, &json!("error")), "{errors}");
        assert!(
            errors.contains("tmux_unavailable") && errors.contains("its last") && !errors.contains("was removed"),
            "{errors}"
        );
    }
    server.run("new-session -d -s mine");
    for more in ["", "focus: true, ", "options_after: {synchronize-panes: on}, "] {
        let (code, result, errors) = load_with(&server, &["-d", &ends(more)]);
        assert_eq!(
            (code, &result["errors"][0]["code"]),
            (1, &json!("session_gone")),
            "{errors}"
        );
        assert_eq!(result["errors"][0]["partial_effects"], false);
    }
    let told = fails(&server, &[&ends("")]);
    assert!(
        told.contains("the session s has ended") && !told.contains("removed"),
        "{told}"
    );
}

#[test]
fn what_the_environment_says_of_progress_fails_nothing() {
    let server = Server::setup()
        .env("TMUXP_PROGRESS_FORMAT", "{bogus}")
        .env("TMUXP_PROGRESS_LINES", "-7")
        .prepare();
    let file = plain(&server, "s", "s", "w", "");
    let out = server.helper(&["workspace", "load", "-d", &file]);
    assert!(out.status.success() && words(&out).1.is_empty(), "{out:?}");
    let helper = shell_word(HELPER.as_ref());
    let shown = |name: &str, environment: &str, flags: &str| {
        let line = format!("{environment} {helper} workspace load -d {flags} -s {name} {file}; echo code $?; exec cat");
        let terminal = server.terminal(&line);
        terminal.wait_for("code ");
        let screen = terminal.screen();
        terminal.close();
        screen
    };
    let screen = shown("a", "", "");
    assert!(
        screen.contains("TMUXP_PROGRESS_FORMAT: there is no token {bogus}") && screen.contains("TMUXP_PROGRESS_LINES"),
        "{screen}"
    );
    assert!(screen.contains("code 0"), "{screen}");
    for (name, flags) in [("b", "--progress-lines 0"), ("c", "--progress-lines -1")] {
        let screen = shown(name, "TMUXP_PROGRESS_FORMAT='{session}'", flags);
        assert!(screen.contains("code 0") && !screen.contains("TMUXP"), "{screen}");
    }
    let screen = shown("d", "TMUXP_PROGRESS_LINES=2", "--progress-format '{bogus}'");
    assert!(
        screen.contains("--progress-format: there is no token") && screen.contains("code 2"),
        "{screen}"
    );
    let screen = shown("e", "TMUXP_PROGRESS=0", "");
    assert!(screen.contains("code 0") && !screen.contains("TMUXP"), "{screen}");
}

#[test]
fn values_in_a_script_are_told_to_nobody() {
    let server = Server::setup().env("HIDDEN", "very-secret").prepare();
    let file = plain(&server, "s", "s", "w", "before_script: sh -c 'exit 3' $HIDDEN\n");
    let log = server.room().join("log");
    let log = log.to_str().unwrap();
    for args in [
        &["-d", "--log-file", log][..],
        &["-d", "--json"],
        &["-d", "--ndjson"],
        &["--dry-run", "--json"],
    ] {
        let out = server.helper(&[&["workspace", "load", &file], args].concat());
        let (text, errors) = words(&out);
        assert!(!format!("{text}{errors}").contains("very-secret"), "{text}{errors}");
        assert!(format!("{text}{errors}").contains("$HIDDEN"), "{text}{errors}");
    }
    let log = fs::read_to_string(log).unwrap();
    assert!(log.contains("$HIDDEN") && !log.contains("very-secret"), "{log}");
}

#[test]
fn only_panes_that_are_waited_for_count_and_all_are_where_that_is_wanted() {
    let server = Server::setup().config("set -g default-command 'exec cat'\n").prepare();
    let panes = "windows: [{panes: [typed, null, {shell: exec cat, shell_command: typed}]}]\n";
    for (when, says) in [("auto", "1 of 1 shells"), ("always", "2 of 2 shells")] {
        let options = format!("workspace_builder_options: {{pane_readiness: {when}}}\n");
        let document = format!("session_name: {when}\n{options}{panes}");
        let result = load(&server, &write(&server, when, &document));
        let warning = result["results"][0]["warnings"][0]["message"].as_str().unwrap();
        assert!(warning.starts_with(says), "{warning}");
    }
}

#[test]
fn of_a_folder_a_program_is_told_what_was_passed_over_and_what_was_wrong() {
    let server = Server::setup().prepare();
    let folder = saved(&server, &[("a", &quiet("a")), ("b", &quiet("b"))]);
    assert_eq!(load(&server, &plain(&server, "a", "a", "w", ""))["status"], "ok");
    let dry = |args: &[&str]| -> Value {
        let out = server.helper(&[&["workspace", "load", "--dry-run", "--json"], args].concat());
        serde_json::from_slice(&out.stdout).unwrap()
    };
    assert_eq!(
        dry(&[&folder])["results"].as_array().unwrap().len(),
        2,
        "all that is there"
    );
    let (code, result, _) = load_with(&server, &["-d", &folder]);
    assert_eq!((code, result["results"].as_array().unwrap().len()), (0, 1));
    assert_eq!(
        result["warnings"],
        json!([{ "code": "session_runs", "message": "a: runs already, and is left as it is" }])
    );
    let (code, result, errors) = load_with(&server, &["-d", &folder]);
    assert_eq!(
        (code, &result["status"], &result["errors"][0]["code"]),
        (1, &json!("error"), &json!("session_mismatch"))
    );
    assert!(errors.contains("session_mismatch"), "{errors}");
    fs::write(server.room().join("saved/tmux-server.yaml"), "sessions: 3\n").unwrap();
    let (code, result, _) = load_with(&server, &["-d", &folder]);
    assert_eq!((code, &result["errors"][0]["code"]), (1, &json!("invalid_workspace")));
}

#[test]
fn who_comes_second_takes_the_session_that_was_made_meanwhile() {
    let server = Server::setup().prepare();
    let (marker, tmux) = (server.room().join("raced"), support::program("tmux").unwrap());
    let (marker, tmux) = (shell_word(&marker), shell_word(&tmux));
    // One that is built just then has the window that waits for the others, and no more.
    let race = format!(
        "case \" $* \" in *\" new-session \"*) [ -e {marker} ] || {{ touch {marker}; {tmux} new-session -d -s s -n loading cat; }};; esac\n\
         exec {tmux} \"$@\""
    );
    let wrapper = server.write_script("race", &race);
    let out = server
        .command(HELPER)
        .env("TMUX_STATUS_TMUX", wrapper)
        .args(["workspace", "load", "-d", "--json", &plain(&server, "s", "s", "w", "")])
        .output()
        .unwrap();
    let result: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(
        (&result["status"], &result["results"][0]["reused"]),
        (&json!("ok"), &json!(true)),
        "{out:?}"
    );
    wait_for("the session", || sessions(&server) == ["s"]);
}
