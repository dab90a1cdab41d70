//! The command line of workspaces: its names, what it makes for other programs, colours, and mistakes.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Output};
use support::{repository, skip, words, Server, HELPER};
use tmux_status::workspace::document::{self, Source};
use tmux_status::workspace::env::Env;
use tmux_status::workspace::schema;
use tmux_status::workspace::yaml;

fn room() -> Server {
    let server = Server::setup().prepare();
    fs::create_dir_all(server.room().join("config/tmuxp")).unwrap();
    fs::write(
        server.room().join("config/tmuxp/work.yaml"),
        "session_name: w\nwindows: [{}]\n",
    )
    .unwrap();
    symlink(HELPER, server.room().join("bin/tmux-workspace")).unwrap();
    server
}

fn linked(server: &Server) -> Command {
    server.command(server.room().join("bin/tmux-workspace"))
}

fn subcommand(server: &Server) -> Command {
    let mut command = server.command(HELPER);
    command.arg("workspace");
    command
}

/// The record that a program is told of a mistake.
#[track_caller]
fn usage(out: &Output) -> String {
    let (text, errors) = words(out);
    let record: Value = serde_json::from_str(&errors).unwrap_or_else(|error| panic!("{error}: {errors}"));
    assert_eq!((out.status.code(), text.as_str()), (Some(2), ""));
    assert_eq!(
        (&record["schema_version"], &record["code"]),
        (&Value::from(1), &Value::from("usage"))
    );
    record["message"].as_str().unwrap().to_owned()
}

#[test]
fn under_its_own_name_it_is_the_same() {
    let server = room();
    for args in [["ls", "--json"], ["search", "w"], ["debug-info", "--ndjson"]] {
        let one = linked(&server).args(args).output().unwrap();
        let other = subcommand(&server).args(args).output().unwrap();
        assert!(one.status.success());
        assert_eq!(words(&one), words(&other), "{args:?}");
    }
    let (text, _) = words(&linked(&server).arg("--version").output().unwrap());
    assert_eq!(text, format!("tmux-workspace {}\n", env!("CARGO_PKG_VERSION")));
    let (text, _) = words(&linked(&server).arg("-h").output().unwrap());
    assert!(text.contains("Usage: tmux-workspace "), "{text}");
    let (text, _) = words(&subcommand(&server).args(["ls", "-h"]).output().unwrap());
    assert!(text.contains("Usage: tmux-status workspace ls "), "{text}");
    let (_, errors) = words(&linked(&server).args(["load", "-d", "nosuch"]).output().unwrap());
    assert!(
        errors.starts_with("tmux-workspace: ") && errors.contains("hint: tmux-workspace ls shows"),
        "{errors}"
    );
    let (_, errors) = words(&subcommand(&server).args(["load", "-d", "nosuch"]).output().unwrap());
    assert!(errors.contains("hint: tmux-status workspace ls shows"), "{errors}");
}

#[test]
fn a_mistake_is_a_record_for_programs() {
    let server = room();
    let told = |args: &[&str]| usage(&subcommand(&server).args(args).output().unwrap());
    assert!(told(&["--json", "nosuch"]).contains("nosuch"));
    assert!(told(&["ls", "--nosuch", "--ndjson"]).contains("--nosuch"));
    assert!(told(&["--json"]).contains("no command"));
    assert!(told(&["--json", "--color", "blue", "ls"]).contains("blue"));
    assert!(told(&["load", "--json", "-8", "x"]).contains("-8"));
    assert!(told(&["--json", "--generate", "man", "ls"]).contains("--generate"));
    let out = subcommand(&server).args(["ls", "--nosuch"]).output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    assert!(words(&out).1.contains("Usage: "), "people are told in words");
}

#[test]
fn a_socket_is_named_before_or_behind_and_smart_case_is_none() {
    let server = Server::start();
    let file = server.room().join("x.yaml");
    fs::write(&file, "session_name: other\nwindows: [{}]\n").unwrap();
    let file = file.to_str().unwrap();
    let tmux = |name: &str, args: &[&str]| {
        let out = server.command("tmux").args(["-L", name]).args(args).output().unwrap();
        words(&out).0
    };
    for (name, args) in [
        ("one", vec!["workspace", "load", "-L", "one", "-d", file]),
        ("two", vec!["-L", "two", "workspace", "load", "-d", file]),
        ("three", vec!["workspace", "-L", "three", "load", "-d", file]),
    ] {
        let out = server.helper(&args);
        let sessions = tmux(name, &["list-sessions", "-F", "#{session_name}"]);
        tmux(name, &["kill-server"]);
        assert_eq!(sessions, "other\n", "{args:?}: {}", words(&out).1);
    }
    let out = server.helper(&["workspace", "search", "-S", "x", "--json"]);
    assert_eq!((out.status.code(), words(&out).0.as_str()), (Some(0), "[]\n"));
    assert_eq!(
        server.helper(&["workspace", "ls", "-L", "x"]).status.code(),
        Some(2),
        "it asks no server"
    );
}

#[test]
fn colours_are_given_as_they_are_wanted() {
    let server = room();
    let coloured = |args: &[&str], set: &[(&str, &str)]| {
        let mut command = subcommand(&server);
        command
            .args(args)
            .env_remove("NO_COLOR")
            .env_remove("FORCE_COLOR")
            .envs(set.iter().copied());
        let (text, _) = words(&command.output().unwrap());
        assert!(text.contains("work"), "{text}");
        text.contains('\u{1b}')
    };
    assert!(!coloured(&["ls"], &[]));
    assert!(coloured(&["ls", "--color", "always"], &[]));
    assert!(coloured(&["--color=always", "ls"], &[("NO_COLOR", "")]));
    assert!(!coloured(&["ls", "--color", "always"], &[("NO_COLOR", "1")]));
    assert!(coloured(&["ls"], &[("FORCE_COLOR", "1")]));
    assert!(!coloured(&["ls"], &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&["ls", "--color", "never"], &[("FORCE_COLOR", "1")]));
    assert!(!coloured(&["ls", "--color", "always", "--json"], &[]));
}

#[test]
fn completions_know_the_subcommands_under_either_name() {
    let server = room();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (own, _) = words(&linked(&server).args(["--generate", shell]).output().unwrap());
        assert!(own.contains("tmux-workspace") && own.contains("debug-info"), "{shell}");
        let (whole, _) = words(&subcommand(&server).args(["--generate", shell]).output().unwrap());
        let (usual, _) = words(&server.helper(&["completions", shell]));
        assert_eq!(whole, usual);
        assert!(usual.contains("debug-info") && usual.contains("smart-case"), "{shell}");
    }
    let out = linked(&server).args(["--json", "--generate", "bash"]).output().unwrap();
    let record: Value = serde_json::from_str(&words(&out).0).unwrap();
    let (plain, _) = words(&linked(&server).args(["--generate", "bash"]).output().unwrap());
    assert_eq!(record["artifact"]["content"], plain);
}

/// What bash offers for the last of these words.
fn offered(server: &Server, script: &str, line: &[&str]) -> Option<String> {
    let ask = r#"
        source /dev/stdin
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        [[ $(complete -p "$1") =~ -F\ ([^ ]+) ]]
        "${BASH_REMATCH[1]}" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let file = server.room().join("completions.bash");
    fs::write(&file, script).unwrap();
    let mut bash = server.command("bash");
    bash.args(["--norc", "-c", ask, "bash"]).args(line);
    let out = bash.stdin(fs::File::open(file).unwrap()).output().ok()?;
    assert!(out.status.success(), "{out:?}");
    Some(words(&out).0)
}

#[test]
fn bash_completes_the_flags_of_subcommands() {
    let server = room();
    let (own, _) = words(&linked(&server).args(["--generate", "bash"]).output().unwrap());
    let (whole, _) = words(&server.helper(&["completions", "bash"]));
    let Some(flags) = offered(&server, &own, &["tmux-workspace", "load", "--pr"]) else {
        return skip("bash_completes_the_flags_of_subcommands", "there is no bash");
    };
    assert_eq!(flags, "--progress-format\n--progress-lines\n");
    let offered = |line: &[&str]| offered(&server, &whole, line).unwrap();
    assert_eq!(offered(&["tmux-status", "refresh", "--fu"]), "--full\n");
    assert_eq!(offered(&["tmux-status", "workspace", "load", "--dry"]), "--dry-run\n");
    assert_eq!(offered(&["tmux-status", "dash"]), "dashboard\n");
}

#[test]
fn the_manual_is_that_of_the_snapshot() {
    let server = room();
    let (text, _) = words(&linked(&server).args(["--generate", "man"]).output().unwrap());
    insta::assert_snapshot!(text.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

/// Whether the schema takes a document, and whether we do.
fn judged(text: &str) -> (bool, bool) {
    let schema: Value = serde_json::from_str(schema::TEXT).unwrap();
    let node = yaml::read(text.as_bytes(), yaml::Format::Yaml, "x").unwrap();
    let env = Env::new([("HOME", "/home/me")], "/here");
    let source = Source {
        path: "/here/x.yaml".as_ref(),
        env: &env,
        session_name: None,
        lenient: false,
    };
    let taken = document::session(&node, &source).is_ok();
    (jsonschema::is_valid(&schema, &node.to_json()), taken)
}

#[test]
fn the_schema_takes_what_the_reader_takes() {
    let server = room();
    let (text, _) = words(&linked(&server).args(["--generate", "schema"]).output().unwrap());
    assert_eq!(text, schema::TEXT);
    let folder = repository().join("tests/workspace/tmuxp/examples");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            let (valid, taken) = judged(&fs::read_to_string(&path).unwrap());
            assert_eq!(valid, taken, "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 10);
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    for pane in [
        "null",
        "''",
        "ls",
        "3",
        "[]",
        "{}",
        "[a, {cmd: b, enter: no, sleep_before: 0.5}]",
        "{shell_command: [a]}",
        "{focus: on, x-mine: [1]}",
        "{environment: {A: 1}}",
        "{shell_command: {cmd: a}}",
    ] {
        let text = format!("session_name: a\nwindows: [{{panes: [{pane}]}}]");
        assert_eq!(judged(&text), (true, true), "{text}");
    }
    for text in [
        "session_name: a\nwindows: [{x-tmux-status: {zoomed: yes}, x-mine: 1}]",
        "session_name: a\nwindows: [{}]\nx-tmux-status: {literal: true, notes: [a, b]}\nx-mine: 1",
        "session_name: a\nwindows: [{}]\nx-tmux-status:",
    ] {
        assert_eq!(judged(text), (true, true), "{text}");
    }
    for pane in [
        "{nosuch: 1}",
        "{focus: perhaps}",
        "{shell_command: {enter: no}}",
        "[[a]]",
        "{environment: [A]}",
    ] {
        let text = format!("session_name: a\nwindows: [{{panes: [{pane}]}}]");
        assert_eq!(judged(&text), (false, false), "{text}");
    }
    for text in [
        "session_name: a",
        "windows: [{}]",
        "session_name: a\nwindows: []",
        "session_name: a\nwindows: [{nosuch: 1}]",
        "session_name: a\nwindows: [{window_index: -1}]",
        "session_name: a\nwindows: [{}]\nplugins: [a]",
        "[]",
        "session_name: a\nwindows: [{}]\nconfig: x",
        "session_name: a\nwindows: [{}]\nx-tmux-status: {zoomed: true}",
        "session_name: a\nwindows: [{}]\nx-tmux-status: {literal: perhaps}",
        "session_name: a\nwindows: [{}]\nx-tmux-status: {notes: [[]]}",
        "session_name: a\nwindows: [{x-tmux-status: {literal: true}}]",
        "session_name: a\nwindows: [{panes: [{x-tmux-status: {}}]}]",
    ] {
        assert_eq!(judged(text), (false, false), "{text}");
    }
}

#[test]
fn errors_and_warnings_are_said_under_one_name() {
    let server = room();
    let folder = server.room().join("saved");
    fs::create_dir(&folder).unwrap();
    let index = "sessions: [{session_name: a, file: a.yaml}]\n";
    fs::write(folder.join("tmux-server.yaml"), index).unwrap();
    let place = format!("{}/", folder.display());
    for (mut command, name) in [
        (linked(&server), "tmux-workspace"),
        (subcommand(&server), "tmux-status"),
    ] {
        let out = command.args(["load", "-d", &place]).output().unwrap();
        let told = words(&out).1;
        let mut lines = told.lines();
        let mut begins = |words: &str| lines.next().unwrap().starts_with(&format!("{name}: {words}"));
        assert!(
            begins("the session a is left out") && begins("none of the sessions"),
            "{told}"
        );
    }
}
