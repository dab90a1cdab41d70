//! `workspace load`: what is built of a document, and that all of it is data.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/workspace.rs"]
mod workspace;

mod support;

use serde_json::{json, Value};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use support::{wait_for, Server};
use workspace::{ask, lines, load, load_with, screen, write};

/// Six windows with eleven panes, with all that costs tmux processes.
const SIX: &str = r#"
session_name: six
before_script: "true"
environment: {FOO: bar}
options: {pane-base-index: 1}
windows:
  - {window_name: one, layout: main-vertical, options: {main-pane-width: 50}, panes: [echo 1, echo 2, echo 3]}
  - {window_name: two, panes: [echo 1, echo 2]}
  - {window_name: three, panes: [echo 1, echo 2]}
  - {window_name: four, focus: true, panes: [{shell_command: [{cmd: echo 1, sleep_after: 0.1}, echo 2], focus: true}, echo 3]}
  - {window_name: five, panes: [echo 1]}
  - {window_name: six, window_index: 12, options_after: {synchronize-panes: on}, panes: [echo 1]}
"#;

#[test]
fn a_session_is_built_in_few_processes() {
    let server = Server::setup().prepare();
    let log = server.log_tmux_calls();
    let result = load(&server, &write(&server, "six", SIX));
    let calls = fs::read_to_string(log).unwrap();
    // Each look for prompts is one, and a machine that is busy takes more of them.
    let looks = calls.lines().filter(|line| line.contains("list-panes")).count();
    let others = calls.lines().count() - looks;
    assert_eq!(others, 7, "{calls}");
    assert_eq!(result["status"], "ok", "{result}");
    let built = &result["results"][0];
    assert_eq!(
        (built["owned_session"].as_bool(), built["stage"].as_str()),
        (Some(true), Some("completed"))
    );
    assert_eq!(built["window_ids"].as_array().unwrap().len(), 6);
    assert_eq!(built["pane_ids"].as_array().unwrap().len(), 11);
    let format = "#{window_index} #{window_name} #{window_panes} #{window_active}";
    assert_eq!(
        lines(&server, &["list-windows", "-t", "six", "-F", format]),
        [
            "0 one 3 0",
            "1 two 2 0",
            "2 three 2 0",
            "3 four 2 1",
            "4 five 1 0",
            "12 six 1 0"
        ]
    );
    assert_eq!(
        ask(&server, "six:four", "#{pane_index}"),
        "1",
        "the one that wants to be"
    );
    assert_eq!(ask(&server, "six:two", "#{pane_index}"), "2", "the last that was made");
    assert_eq!(ask(&server, "six:one.1", "#{pane_width}"), "50");
    assert_eq!(ask(&server, "six:six", "#{pane_synchronized}"), "1");
    let panes = lines(&server, &["list-panes", "-s", "-t", "six", "-F", "#{pane_id}"]);
    assert_eq!(json!(panes), built["pane_ids"], "in the order of the document");
    wait_for("what was typed", || screen(&server, "six:four.1").contains("\n2"));
    wait_for("the rest", || screen(&server, "six:one.3").contains("\n3"));
}

#[test]
fn names_folders_and_values_are_data() {
    let server = Server::setup().prepare();
    let odd = "a #(touch pwned) $(touch pwned) `touch pwned`; 漢字 '\"\\ #{pid} %H #[x] ;";
    let folder = server.room().join(odd);
    fs::create_dir(&folder).unwrap();
    let document = json!({
        "session_name": "s #(touch pwned) $(touch pwned) 漢字 '\";",
        "start_directory": folder.to_str().unwrap(),
        "environment": { "VALUE": odd },
        "windows": [{
            "window_name": odd,
            "panes": [
                { "environment": { "OWN": odd }, "shell_command": "printf '<%s>\\n' \"$VALUE\" \"$OWN\"" },
                { "shell": "printf '<%s>\\n' 'a;b #{pid}'; exec cat" },
            ],
        }],
    });
    let result = load(&server, &write(&server, "odd", &document.to_string()));
    let built = &result["results"][0];
    assert_eq!(result["status"], "ok", "{result}");
    let pane = built["pane_ids"][0].as_str().unwrap();
    assert_eq!(
        ask(&server, pane, "#{session_name}"),
        "s #(touch pwned) $(touch pwned) 漢字 '\";"
    );
    assert_eq!(ask(&server, pane, "#{window_name}"), odd);
    wait_for("its folder", || {
        ask(&server, pane, "#{pane_current_path}") == folder.to_str().unwrap()
    });
    let other = built["pane_ids"][1].as_str().unwrap();
    wait_for("what the shell prints", || {
        screen(&server, other).contains("<a;b #{pid}>")
    });
    let joined = || server.tmux(&["capture-pane", "-p", "-J", "-t", pane]);
    wait_for("both values", || joined().matches(&format!("<{odd}>")).count() == 2);
    assert!(!server.room().join("pwned").exists() && !folder.join("pwned").exists());
    let again = load(&server, &write(&server, "odd", &document.to_string()));
    assert_eq!(again["results"][0]["reused"], true, "{again}");
}

#[test]
fn options_and_environment_reach_where_they_belong() {
    let server = Server::setup()
        .config("set -g renumber-windows on\nset -g base-index 3\n")
        .prepare();
    let document = r#"
session_name: s
environment: {WHOSE: session}
options: {status: off, pane-base-index: 2, history-limit: 1234}
global_options: {display-time: 321}
windows:
  - window_name: a
    environment: {WHAT: window}
    panes:
      - echo "$WHOSE-$WHAT"
      - environment: {OTHER: pane}
        shell_command: echo "$WHOSE-$WHAT-$OTHER"
  - {window_name: b, window_index: 9, options: {pane-base-index: 5}, panes: [null]}
"#;
    assert_eq!(load(&server, &write(&server, "s", document))["status"], "ok");
    let option = |flags: &str, name: &str| server.run(&format!("show-options {flags} {name}"));
    assert_eq!(option("-vt s", "status"), "off");
    assert_eq!(option("-vt s", "history-limit"), "1234");
    assert_eq!(option("-gv", "display-time"), "321");
    assert_eq!(option("-wvt s:a", "pane-base-index"), "2");
    assert_eq!(option("-wvt s:b", "pane-base-index"), "5");
    assert_eq!(option("-gwv", "pane-base-index"), "0");
    assert_eq!(option("-t s", "renumber-windows"), "", "as it was");
    let format = "#{window_index} #{window_name} #{window_active}";
    assert_eq!(
        lines(&server, &["list-windows", "-t", "s", "-F", format]),
        ["3 a 1", "9 b 0"]
    );
    wait_for("the variables", || {
        screen(&server, "s:a.2").contains("\nsession-window") && screen(&server, "s:a.3").contains("\nsession--pane")
    });
}

#[test]
fn what_is_typed_is_what_the_document_says() {
    let server = Server::setup().prepare();
    let document = r#"
session_name: typed
windows:
  - window_name: a
    panes:
      - shell: cat
        shell_command:
          - "two\n   # lines"
          - ""
          - cmd: -l unsent
            enter: false
  - window_name: b
    window_shell: exec cat
    suppress_history: false
    panes: [plain]
"#;
    assert_eq!(load(&server, &write(&server, "typed", document))["status"], "ok");
    wait_for("all of it", || screen(&server, "typed:a").contains(" -l unsent"));
    wait_for("both echoes", || {
        screen(&server, "typed:a").matches("   # lines").count() == 2
    });
    assert!(
        screen(&server, "typed:a").starts_with(" two\n   # lines"),
        "{}",
        screen(&server, "typed:a")
    );
    assert_eq!(
        screen(&server, "typed:a").matches("-l unsent").count(),
        1,
        "Enter was not pressed"
    );
    wait_for("the other window", || {
        screen(&server, "typed:b").starts_with("plain\nplain")
    });
}

#[test]
fn a_sleep_holds_up_its_own_pane_alone() {
    let server = Server::setup().prepare();
    let document = r#"
session_name: slow
windows:
  - panes:
      - shell: cat
        shell_command: [{cmd: first, sleep_after: 600}, second]
      - {shell: cat, shell_command: other}
"#;
    let file = write(&server, "slow", document);
    let mut child = server
        .command(support::HELPER)
        .args(["workspace", "load", "-d", &file])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for("the other pane", || {
        server.try_tmux(&["has-session", "-t", "slow"]).status.success()
            && screen(&server, "slow:0.{bottom}").contains("other")
    });
    assert!(!screen(&server, "slow:0.{top}").contains("second"));
    assert!(child.try_wait().unwrap().is_none(), "the first pane still sleeps");
    support::signal(child.id(), "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_program_that_shows_no_prompt_is_told_of_and_typed_to() {
    let server = Server::setup().config("set -g default-command 'exec cat'\n").prepare();
    let panes = "windows: [{panes: [typed, typed]}]\n";
    let result = load(
        &server,
        &write(&server, "silent", &format!("session_name: silent\n{panes}")),
    );
    let built = &result["results"][0];
    assert_eq!(built["warnings"].as_array().unwrap().len(), 1, "{result}");
    assert_eq!(built["warnings"][0]["code"], "pane_readiness_timeout");
    let pane = built["pane_ids"][1].as_str().unwrap();
    wait_for("what was typed", || screen(&server, pane).contains("typed"));
    let never = format!("session_name: never\nworkspace_builder_options: {{pane_readiness: never}}\n{panes}");
    let result = load(&server, &write(&server, "never", &never));
    assert_eq!(
        (&result["status"], &result["results"][0]["warnings"]),
        (&json!("ok"), &json!([]))
    );
}

#[test]
fn a_pane_that_has_ended_before_it_is_typed_to_fails_nothing() {
    let server = Server::setup().prepare();
    let document = "session_name: brief\nwindows: [{panes: [{shell: exec cat}, {shell: 'true', shell_command: x, sleep_before: 1}]}]\n";
    let result = load(&server, &write(&server, "brief", document));
    assert_eq!(
        (&result["status"], &result["results"][0]["warnings"][0]["code"]),
        (&json!("ok"), &json!("pane_gone"))
    );
}

#[test]
fn a_folder_that_is_not_there_is_told_of() {
    let server = Server::setup().prepare();
    let document = "session_name: s\nstart_directory: ./missing\nwindows: [{panes: [{shell: cat}]}]\n";
    let result = load(&server, &write(&server, "s", document));
    let warning = &result["results"][0]["warnings"][0];
    assert_eq!(
        (&result["status"], &warning["code"]),
        (&json!("ok"), &json!("directory_missing"))
    );
}

#[test]
fn layouts_are_checked_as_this_tmux_takes_them() {
    let server = Server::quiet();
    let version = server.run("display-message -p #{version}");
    // As tmux up to 3.4 takes them, or as one from 3.5 on.
    let column = if ["3.2", "3.3", "3.4"].iter().any(|old| version.starts_with(old)) {
        2
    } else {
        3
    };
    let cases = include_str!("mcp/layouts.txt")
        .lines()
        .filter(|line| !line.starts_with('#'));
    for (number, case) in cases.enumerate() {
        let words: Vec<&str> = case.split(' ').collect();
        let panes = vec![json!({ "shell": "exec cat" }); words[1].parse().unwrap()];
        let document =
            json!({ "session_name": format!("l{number}"), "windows": [{ "layout": words[0], "panes": panes }] });
        let result = load(&server, &write(&server, "layout", &document.to_string()));
        let taken = result["status"] == "ok";
        assert_eq!(taken, words[column] == "yes", "{case}: {result}");
        assert_eq!(
            server
                .try_tmux(&["has-session", "-t", &format!("=l{number}")])
                .status
                .success(),
            taken
        );
    }
    assert!(
        server.try_tmux(&["has-session", "-t", "=work"]).status.success(),
        "the server lives"
    );
}

#[test]
fn all_documents_are_looked_at_before_the_first_is_built() {
    let server = Server::setup().prepare();
    let good = write(&server, "good", "session_name: good\nwindows: [{panes: [null]}]\n");
    for (name, bad) in [
        ("layout", "session_name: bad\nwindows: [{layout: nonsense}]\n"),
        (
            "index",
            "session_name: bad\nwindows: [{window_index: 1}, {window_index: 1}]\n",
        ),
        ("key", "session_name: bad\nwindows: [{nonsense: 1}]\n"),
    ] {
        let bad = write(&server, name, bad);
        let (code, result, _) = load_with(&server, &["-d", &good, &bad]);
        assert_eq!((code, &result["results"]), (1, &json!([])), "{result}");
        assert_eq!(result["errors"][0]["input_index"], 1);
        assert_eq!(result["errors"][0]["partial_effects"], false);
        assert!(!server.try_tmux(&["has-session"]).status.success(), "{name}");
    }
}

#[test]
fn panes_without_a_layout_all_fit() {
    let server = Server::setup().prepare();
    let panes = vec![json!({ "shell": "exec cat" }); 8];
    let document = json!({ "session_name": "many", "windows": [{ "panes": panes }] });
    let result = load(&server, &write(&server, "many", &document.to_string()));
    assert_eq!(
        result["results"][0]["pane_ids"].as_array().unwrap().len(),
        8,
        "{result}"
    );
    assert_eq!(ask(&server, "many", "#{window_width}x#{window_height}"), "80x24");
}

#[test]
fn what_fails_is_removed_and_what_was_there_before_stays() {
    let server = Server::setup().prepare();
    let good = write(&server, "good", "session_name: good\nwindows: [{panes: [null]}]\n");
    let bad = write(
        &server,
        "bad",
        "session_name: bad\nwindows: [{options: {nonsense: 1}}, {panes: [null]}]\n",
    );
    let (code, result, errors) = load_with(&server, &["-d", &good, &bad]);
    assert_eq!((code, &result["results"][0]["session_name"]), (1, &json!("good")));
    let error = &result["errors"][0];
    assert_eq!(
        (&error["code"], &error["input_index"]),
        (&json!("tmux_failed"), &json!(1))
    );
    assert!(error["message"].as_str().unwrap().contains("nonsense"), "{error}");
    assert_eq!(
        (&error["effects"]["session_removed"], &error["partial_effects"]),
        (&json!(true), &json!(false))
    );
    let told: Value = serde_json::from_str(&errors).unwrap();
    assert_eq!(
        (&told["code"], &told["schema_version"]),
        (&json!("tmux_failed"), &json!(1))
    );
    assert_eq!(
        told["retained_state"]["completed_sessions"],
        json!([result["results"][0]["session_id"]])
    );
    assert_eq!(lines(&server, &["list-sessions", "-F", "#{session_name}"]), ["good"]);
    let out = server.helper(&["workspace", "load", "-d", &bad]);
    let (_, errors) = support::words(&out);
    assert!(
        errors.contains("the session that was made for it was removed"),
        "{errors}"
    );
}

#[test]
fn the_size_comes_from_the_environment_where_there_is_no_terminal() {
    let server = Server::setup().prepare();
    let file = |name: &str| {
        write(
            &server,
            name,
            &format!("session_name: {name}\nwindows: [{{panes: [{{shell: cat}}]}}]\n"),
        )
    };
    let run = |name: &str, set: (&str, &str)| {
        let file = file(name);
        let mut command = server.command(support::HELPER);
        command.args(["workspace", "load", "-d", &file]).env(set.0, set.1);
        command.output().unwrap().status.code().unwrap()
    };
    assert_eq!(run("wide", ("TMUXP_DEFAULT_COLUMNS", "133")), 0);
    assert_eq!(ask(&server, "wide", "#{window_width}x#{window_height}"), "133x24");
    assert_eq!(run("odd", ("ROWS", "0")), 2);
    assert!(!server.try_tmux(&["has-session", "-t", "odd"]).status.success());
}

#[test]
fn a_dry_run_needs_no_tmux_and_tells_no_values() {
    let server = Server::setup().prepare();
    let file = write(&server, "six", &SIX.replace("FOO: bar", "TOKEN: hidden-value"));
    let dry = |more: &[&str]| {
        let mut command = server.command(support::HELPER);
        command.env("TMUX_STATUS_TMUX", "/nonexistent");
        let args = [&["workspace", "load", "--dry-run", &file], more].concat();
        let out = command.args(args).output().unwrap();
        assert!(out.status.success(), "{out:?}");
        support::words(&out).0
    };
    let told: Value = serde_json::from_str(&dry(&["--json"])).unwrap();
    assert_eq!(told["status"], "dry_run");
    let session = &told["results"][0]["session"];
    assert_eq!(session["environment"], json!(["TOKEN"]));
    assert_eq!(session["windows"][3]["panes"][0]["commands"][0]["sleep_after"], 0.1);
    assert_eq!(session["windows"].as_array().unwrap().len(), 6);
    assert!(!told.to_string().contains("hidden-value"));
    assert!(dry(&[]).contains("one, main-vertical"));
    assert_eq!(dry(&["--ndjson"]).lines().count(), 1);
}

#[test]
fn records_tell_what_happens_in_order() {
    let server = Server::setup().prepare();
    let file = write(&server, "six", SIX);
    let log = server.room().join("log");
    let out = server.helper(&[
        "workspace",
        "load",
        "-d",
        "--ndjson",
        "--log-file",
        log.to_str().unwrap(),
        &file,
    ]);
    let (text, errors) = support::words(&out);
    assert_eq!(errors, "");
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (at, record) in records.iter().enumerate() {
        assert_eq!(
            (&record["sequence"], &record["schema_version"]),
            (&json!(at), &json!(1))
        );
    }
    let events: Vec<&str> = records.iter().map(|record| record["event"].as_str().unwrap()).collect();
    let start = [
        "started",
        "workspace-started",
        "session-created",
        "script-started",
        "script-completed",
        "window-created",
    ];
    assert_eq!(events[..6], start);
    let count = |name: &str| events.iter().filter(|event| **event == name).count();
    assert_eq!((count("window-created"), count("window-completed")), (6, 6));
    assert_eq!((count("pane-created"), count("pane-completed")), (11, 11));
    assert_eq!(events[events.len() - 2..], ["workspace-completed", "completed"]);
    assert_eq!(records.last().unwrap()["results"][0]["stage"], "completed");
    assert!(!text.contains('\u{1b}'));
    assert_eq!(log.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let logged = fs::read_to_string(&log).unwrap();
    assert!(
        logged.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()),
        "{logged}"
    );
    assert!(logged.contains("workspace-completed"));
}

#[test]
fn a_log_that_is_a_link_stops_it_before_tmux_runs() {
    let server = Server::setup().prepare();
    let file = write(&server, "six", SIX);
    let (target, link) = (server.room().join("target"), server.room().join("link"));
    fs::write(&target, "kept").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let out = server.helper(&["workspace", "load", "-d", "--log-file", link.to_str().unwrap(), &file]);
    assert_eq!(out.status.code(), Some(1));
    assert_eq!(fs::read_to_string(target).unwrap(), "kept");
    assert!(!server.try_tmux(&["has-session"]).status.success());
}

#[test]
fn another_name_is_that_of_the_last_document() {
    let server = Server::setup().prepare();
    let plain = |name: &str| {
        write(
            &server,
            name,
            &format!("session_name: {name}\nwindows: [{{panes: [{{shell: cat}}]}}]\n"),
        )
    };
    let (a, b) = (plain("a"), plain("b"));
    let (code, result, _) = load_with(&server, &["-d", "-s", "other", &a, &b]);
    assert_eq!(code, 0, "{result}");
    assert_eq!(
        lines(&server, &["list-sessions", "-F", "#{session_name}"]),
        ["a", "other"]
    );
}

#[test]
fn a_server_is_started_with_the_configuration_that_is_named_and_where_it_is_named() {
    let server = Server::setup().prepare();
    let file = write(&server, "s", "session_name: s\nwindows: [{panes: [{shell: cat}]}]\n");
    let config = server.room().join("own.conf");
    fs::write(&config, "set -g @own yes\n").unwrap();
    let mut command = server.command(support::HELPER);
    command.env("LIBTMUX_SOCKET", "elsewhere");
    let out = command
        .args(["workspace", "load", "-d", "-f", config.to_str().unwrap(), &file])
        .output()
        .unwrap();
    assert!(out.status.success(), "{out:?}");
    assert_eq!(server.tmux(&["-L", "elsewhere", "show-options", "-gv", "@own"]), "yes");
    assert!(
        !server.try_tmux(&["has-session"]).status.success(),
        "the default server was not asked for"
    );
    let mut command = server.command(support::HELPER);
    command.env("TMUX", "nonsense");
    let out = command
        .args(["workspace", "load", "-d", "--json", &file])
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(2));
}
