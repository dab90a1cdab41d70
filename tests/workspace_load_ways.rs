//! `workspace load`: where one ends up, and whose session is touched.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/workspace.rs"]
mod workspace;

mod support;

use serde_json::json;
use support::{shell_word, wait_for, words, Server, Terminal, HELPER};
use workspace::{ask, lines, load, load_with, screen, write};

/// A session with one window that prints its name.
fn plain(server: &Server, name: &str) -> String {
    let document = format!(
        "session_name: {name}\nwindows:\n  - window_name: w-{name}\n    panes: [{{shell: 'echo this is {name}; exec cat'}}]\n"
    );
    write(server, name, &document)
}

fn sessions(server: &Server) -> Vec<String> {
    let mut names = lines(server, &["list-sessions", "-F", "#{session_name}"]);
    names.sort();
    names
}

fn shown(server: &Server) -> String {
    server.tmux(&["list-clients", "-F", "#{session_name}"])
}

/// The command line that loads within a pane.
fn line(args: &str) -> String {
    format!("{} workspace load {args}", shell_word(HELPER.as_ref()))
}

/// Types it at the prompt of the client's pane.
fn run_in(terminal: &Terminal<'_>, line: &str) {
    terminal.press(&[line, "Enter"]);
}

#[test]
fn a_terminal_is_attached_to_what_was_loaded() {
    let server = Server::setup().prepare();
    let (a, b) = (plain(&server, "a"), plain(&server, "b"));
    let terminal = server.terminal(&format!("exec {}", line(&format!("{a} {b}"))));
    terminal.wait_for("this is b");
    assert_eq!(
        (sessions(&server), shown(&server)),
        (vec!["a".to_owned(), "b".to_owned()], "b".to_owned())
    );
    assert_eq!(ask(&server, "a", "#{window_width}"), "100", "as wide as the terminal");
}

#[test]
fn without_a_terminal_nothing_is_built() {
    let server = Server::setup().prepare();
    let a = plain(&server, "a");
    let out = server.helper(&["workspace", "load", &a]);
    let (_, errors) = words(&out);
    assert_eq!(out.status.code(), Some(2));
    assert!(
        errors.contains("attaching requires a terminal") && errors.contains("use -d"),
        "{errors}"
    );
    for args in [&[a.as_str()][..], &["-a", &a]] {
        let (code, _, errors) = load_with(&server, args);
        assert!(
            code == 2 && errors.contains("\"usage\"") && errors.contains("-d"),
            "{errors}"
        );
    }
    let out = server.helper(&["workspace", "load", "-8", "-d", &a]);
    assert_eq!(out.status.code(), Some(2));
    assert!(!server.try_tmux(&["has-session"]).status.success());
}

#[test]
fn a_session_that_runs_is_taken_as_it_is() {
    let server = Server::setup().prepare();
    let again = server.room().join("ran");
    let document = format!(
        "session_name: s\nbefore_script: sh -c 'echo x >>{}'\noptions: {{status: off}}\nwindows: [{{window_name: w, panes: [null]}}]\n",
        again.display()
    );
    let file = write(&server, "s", &document);
    assert_eq!(load(&server, &file)["status"], "ok");
    server.run("set-option -t s status on");
    server.run("new-window -d -t s -n more");
    let result = load(&server, &file);
    let reused = &result["results"][0];
    assert_eq!((&reused["reused"], &reused["stage"]), (&json!(true), &json!("reused")));
    assert_eq!(
        (&reused["pane_ids"], &reused["owned_session"]),
        (&json!([]), &json!(false))
    );
    assert_eq!(
        std::fs::read_to_string(&again).unwrap(),
        "x\n",
        "the script did not run again"
    );
    assert_eq!(server.run("show-options -vt s status"), "on");
    server.run("rename-window -t s:w other");
    let (code, result, _) = load_with(&server, &["-d", &file]);
    assert_eq!((code, &result["errors"][0]["code"]), (1, &json!("session_mismatch")));
    assert_eq!(
        lines(&server, &["list-windows", "-t", "s", "-F", "#{window_name}"]),
        ["other", "more"]
    );
}

#[test]
fn the_client_within_tmux_is_switched_and_its_user_asked() {
    let server = Server::start();
    let terminal = server.attach();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| plain(&server, name));
    let question = "switch (y), load detached (n), or append (a)?";
    run_in(&terminal, &line(&a));
    terminal.wait_for(question);
    assert_eq!(sessions(&server), ["work"], "nothing is built before the answer");
    run_in(&terminal, "n");
    wait_for("the session", || sessions(&server) == ["a", "work"]);
    run_in(&terminal, "clear");
    terminal.wait_until_gone(question);
    run_in(&terminal, &line(&format!("{b} {c}")));
    terminal.wait_for(question);
    run_in(&terminal, "a");
    wait_for("the window", || {
        lines(&server, &["list-windows", "-t", "work", "-F", "#{window_name}"]).contains(&"w-c".to_owned())
    });
    assert_eq!(
        (sessions(&server), shown(&server)),
        (["a", "b", "work"].map(str::to_owned).to_vec(), "work".to_owned())
    );
    run_in(&terminal, &line(&d));
    terminal.wait_for(question);
    run_in(&terminal, "y");
    terminal.wait_for("this is d");
    assert_eq!(shown(&server), "d");
}

#[test]
fn one_that_runs_is_gone_to_when_its_user_says_so() {
    let server = Server::start();
    let terminal = server.attach();
    let a = plain(&server, "a");
    load(&server, &a);
    run_in(&terminal, &line(&a));
    terminal.wait_for("a is already running. Attach?");
    run_in(&terminal, "n");
    terminal.wait_for("a: left alone");
    assert_eq!(shown(&server), "work");
    run_in(&terminal, &line(&format!("-y {a}")));
    terminal.wait_for("this is a");
}

#[test]
fn windows_are_appended_and_the_client_stays_unless_one_wants_to_be_shown() {
    let server = Server::start();
    let terminal = server.attach();
    let two = "session_name: ignored\nwindows:\n  - {window_name: x, window_index: 7, panes: [{shell: cat}, {shell: cat}]}\n  - {window_name: y, panes: [{shell: cat}]}\n";
    let file = write(&server, "two", two);
    let windows = || {
        lines(
            &server,
            &[
                "list-windows",
                "-t",
                "work",
                "-F",
                "#{window_index} #{window_name} #{window_panes} #{window_active}",
            ],
        )
    };
    run_in(
        &terminal,
        &line(&format!("--append --json {file} >{}/out", server.room().display())),
    );
    wait_for("the windows", || windows().len() == 3);
    assert_eq!(windows()[1..], ["1 y 1 0", "7 x 2 0"]);
    wait_for("the result", || {
        std::fs::read_to_string(server.room().join("out")).is_ok_and(|text| text.ends_with("}\n"))
    });
    let text = std::fs::read_to_string(server.room().join("out")).unwrap();
    let result: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&result["status"], &result["results"][0]["owned_session"]),
        (&json!("ok"), &json!(false))
    );
    assert_eq!(result["results"][0]["session_name"], "work", "the one that they are in");
    // Its index is taken now: nothing is touched.
    run_in(
        &terminal,
        &format!("clear; {}; echo \"code $?\"", line(&format!("-a {file}"))),
    );
    terminal.wait_for("code 1");
    assert_eq!(windows().len(), 3);
    let file = write(
        &server,
        "one",
        "session_name: i\nwindows: [{window_name: z, focus: true, panes: [{shell: 'echo zzz; cat'}]}]\n",
    );
    run_in(&terminal, &line(&format!("-a {file}")));
    terminal.wait_for("zzz");
    assert_eq!(sessions(&server), ["work"]);
}

#[test]
fn an_append_leaves_the_windows_that_were_there_alone() {
    let server = Server::start();
    let terminal = server.attach();
    let file = write(
        &server,
        "s",
        "session_name: i\noptions: {pane-base-index: 4, status-left: x}\nwindows: [{window_name: n, panes: [{shell: cat}]}]\n",
    );
    run_in(&terminal, &line(&format!("-a {file}")));
    terminal.wait_for("1 window, 1 pane appended");
    let base = |window: &str| server.run(&format!("show-options -wv -t work:{window} pane-base-index"));
    assert_eq!((base("0"), base("n")), (String::new(), "4".to_owned()));
    assert_eq!(server.run("show-options -v -t work status-left"), "x");
}

#[test]
fn ctrl_c_at_a_question_ends_it() {
    let server = Server::start();
    let terminal = server.attach();
    let a = plain(&server, "a");
    run_in(&terminal, &format!("{}; echo \"ended\" $?", line(&a)));
    terminal.wait_for("append (a)?");
    terminal.press(&["C-c"]);
    wait_for("the prompt", || terminal.screen().lines().any(|line| line == "$"));
    run_in(&terminal, "echo now: $?");
    terminal.wait_for("now: 130");
    assert_eq!(sessions(&server), ["work"]);
}

#[test]
fn an_append_that_fails_says_what_it_keeps() {
    let server = Server::start();
    let terminal = server.attach();
    let file = write(&server, "bad", "session_name: i\nwindows: [{window_name: good, panes: [{shell: cat}]}, {options: {nonsense: 1}, panes: [{shell: cat}]}]\n");
    run_in(&terminal, &format!("{}; echo \"code $?\"", line(&format!("-a {file}"))));
    terminal.wait_for("code 1");
    let screen = terminal.screen().replace('\n', "");
    assert!(
        screen.contains("left as it is: session work ($0), with 2 windows and 2 panes"),
        "{screen}"
    );
    assert_eq!(sessions(&server), ["work"]);
    assert_eq!(
        lines(&server, &["list-windows", "-t", "work", "-F", "#{window_name}"])[1],
        "good"
    );
}

#[test]
fn another_server_is_not_reached_from_within_one() {
    let server = Server::start();
    let terminal = server.attach();
    let a = plain(&server, "a");
    for flags in ["", "--append"] {
        run_in(
            &terminal,
            &format!(
                "clear; {} -L other workspace load {flags} {a}; echo \"code $?\"",
                shell_word(HELPER.as_ref())
            ),
        );
        terminal.wait_for("code 2");
        terminal.wait_for("use -d");
        run_in(&terminal, "clear");
        terminal.wait_until_gone("code 2");
    }
    run_in(
        &terminal,
        &format!("{} -L other workspace load -d -a {a}", shell_word(HELPER.as_ref())),
    );
    terminal.wait_for("a: 1 window, 1 pane");
    assert_eq!(sessions(&server), ["work"]);
    assert!(server
        .try_tmux(&["-L", "other", "has-session", "-t", "a"])
        .status
        .success());
}

#[test]
fn without_a_client_nothing_is_appended() {
    let server = Server::start();
    let a = plain(&server, "a");
    let command = format!("{}; echo \"code $?\"", line(&format!("-a {a}")));
    server.tmux(&["send-keys", "-t", "work", "-l", &command]);
    server.run("send-keys -t work Enter");
    wait_for("its end", || screen(&server, "work").contains("code 2"));
    assert_eq!(lines(&server, &["list-windows", "-t", "work"]).len(), 1);
}

#[test]
fn progress_is_shown_to_a_person_and_gone_afterwards() {
    let server = Server::setup().prepare();
    let wait = server.room().join("go");
    let document = format!(
        "session_name: long\nbefore_script: sh -c 'echo script-speaks; until [ -e {} ]; do sleep 0.05; done'\n\
         windows: [{{window_name: only, panes: [{{shell: cat, shell_command: {{cmd: x, sleep_after: 600}}}}]}}]\n",
        wait.display()
    );
    let file = write(&server, "long", &document);
    let format = "--progress-format '<{session} {session_pane_progress}>'";
    let terminal = server.terminal(&format!(
        "trap : INT; {}; exec cat",
        line(&format!("-d {format} {file}"))
    ));
    terminal.wait_for("script-speaks");
    assert!(!terminal.screen().contains("<long"), "the terminal is the script's");
    std::fs::write(&wait, "").unwrap();
    terminal.wait_for("<long 1/1>");
    terminal.wait_for("window 1 only");
    terminal.press(&["C-c"]);
    terminal.wait_for("interrupted by SIGINT");
    assert!(!terminal.screen().contains("<long"), "{}", terminal.screen());
    let quiet = server.terminal(&format!(
        "TMUXP_PROGRESS=0 {}; exec cat",
        line(&format!("-d -s other {file}"))
    ));
    wait_for("the window", || {
        server.try_tmux(&["has-session", "-t", "other:only"]).status.success()
            && screen(&server, "other:only").contains('x')
    });
    assert_eq!(quiet.screen().trim(), "script-speaks");
    let out = server.helper(&["workspace", "load", "-d", "--progress-format", "{nonsense}", &file]);
    assert_eq!(out.status.code(), Some(2));
}
