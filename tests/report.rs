//! `report`, by hand and by agents' hooks, in panes of real servers.

#[path = "support/mod.rs"]
mod support;

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{now, program, repository, runs, shell_word, signal, skip, wait_for, words, Server, DEADLINE, HELPER};
use tmux_status::agents::report::decode;
use tmux_status::model::{Report, Reported};
use tmux_status::process;

const OPTION: &str = "@tmux-status-report";

/// What a program in a new window prints, once it has written all of it. `{helper}` stands for the helper, and the program
/// is what the pane runs in its foreground.
fn in_a_pane(server: &Server, body: &str) -> (String, String) {
    let out = server.room().join("out");
    let _ = fs::remove_file(&out);
    let body = body.replace("{helper}", &shell_word(Path::new(HELPER)));
    let script = server.write_script(
        "agent",
        &format!(
            "cd {room}\n{{\n{body}\n}} >out.part 2>&1\nmv out.part out\nexec cat",
            room = shell_word(server.room())
        ),
    );
    let word = shell_word(&script);
    let pane = server.open(&format!("exec {word}"));
    wait_for("the end of the program in the pane", || out.exists());
    (pane, fs::read_to_string(out).unwrap())
}

fn stored(server: &Server, pane: &str) -> Option<Report> {
    let value = server.tmux(&["show-options", "-pqv", "-t", pane, OPTION]);
    (!value.is_empty()).then(|| decode(&value).unwrap_or_else(|| panic!("{value:?} is no report")))
}

fn pane_pid(server: &Server, pane: &str) -> u32 {
    server
        .tmux(&["display-message", "-p", "-t", pane, "#{pane_pid}"])
        .parse()
        .unwrap()
}

/// The `tmux` to ask without leaving a trace in the log of calls.
fn real_tmux() -> PathBuf {
    let named = std::env::var_os("TEST_TMUX").map(PathBuf::from);
    named.or_else(|| program("tmux")).unwrap()
}

#[test]
fn a_report_by_hand_is_kept_by_the_pane_and_speaks_for_its_program() {
    let server = Server::start();
    let before = now();
    let (pane, out) = in_a_pane(
        &server,
        "{helper} report permission --summary 'Bash rm -rf build; #{x} 100%'; echo $?",
    );
    assert_eq!(out, "0\n");
    let report = stored(&server, &pane).unwrap();
    assert_eq!(
        (report.state, report.text.as_str()),
        (Reported::Permission, "Bash rm -rf build; #{x} 100%")
    );
    assert_eq!(report.pid, pane_pid(&server, &pane));
    assert!(report.started.is_some() && report.started == process::started(report.pid));
    assert!((before..=now()).contains(&(report.at_ms / 1000)), "{report:?}");
    let at = server.tmux(&["show-options", "-wqv", "-t", &pane, "@tmux-status-reported-at"]);
    assert_eq!(at, (report.at_ms / 1000).to_string());
    let other = server.tmux(&["show-options", "-pqv", "-t", "work:0", OPTION]);
    assert_eq!(other, "", "the other window's pane");
}

#[test]
fn what_is_typed_at_a_prompt_speaks_for_the_shell_and_can_be_taken_back() {
    let server = Server::start();
    let pane = server.tmux(&["display-message", "-p", "-t", "work:0", "#{pane_id}"]);
    let type_in = |line: &str| server.tmux(&["send-keys", "-t", &pane, line, "Enter"]);
    let helper = shell_word(Path::new(HELPER));
    type_in(&format!("{helper} report working"));
    wait_for("the report", || stored(&server, &pane).is_some());
    assert_eq!(stored(&server, &pane).unwrap().pid, pane_pid(&server, &pane));
    type_in(&format!("{helper} report clear"));
    wait_for("its end", || stored(&server, &pane).is_none());
}

#[test]
fn recorded_payloads_of_each_agent_are_stored_as_what_they_say_by_one_tmux_process() {
    let server = Server::start();
    let log = server.log_tmux_calls();
    let tmux = shell_word(&real_tmux());
    for file in fs::read_dir(repository().join("tests/payloads")).unwrap() {
        let file = file.unwrap().path();
        let agent = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let cases: Vec<Value> = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let mut body = String::new();
        for (at, case) in cases.iter().enumerate() {
            let payload = format!("{agent}-{at}.json");
            fs::write(server.room().join(&payload), case["payload"].to_string()).unwrap();
            let event = if agent == "copilot" {
                format!("--event {}", case["event"].as_str().unwrap())
            } else {
                String::new()
            };
            // What stood there before tells an event that says nothing from one that clears.
            body += &format!(
                "{tmux} set-option -p -t $TMUX_PANE {OPTION} before\n: >tmux.log\n\
                 printf '[%s]' \"$({{helper}} report --hook {agent} {event} <{payload} 2>&1)\"; printf '%s|' $? $(grep -c '' tmux.log)\n\
                 {tmux} show-options -pqv -t $TMUX_PANE {OPTION}; echo\n"
            );
        }
        fs::write(&log, "").unwrap();
        let (pane, out) = in_a_pane(&server, &body);
        let lines: Vec<&str> = out.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines.len(), cases.len(), "{agent}: {out}");
        for (line, case) in lines.iter().zip(&cases) {
            let (name, says) = (&case["event"], case["says"].as_str());
            let (ended, value) = line.rsplit_once('|').unwrap();
            assert_eq!(
                ended,
                format!("[]0|{}", u32::from(says.is_some())),
                "{agent} {name}: printed, code, tmux calls"
            );
            let told = match value {
                "before" => None,
                "" => Some("clear".to_owned()),
                value => {
                    let report = decode(value).unwrap_or_else(|| panic!("{agent} {name}: {value}"));
                    assert_eq!(report.pid, pane_pid(&server, &pane), "{agent} {name}");
                    Some(
                        format!("{} {}", report.state.as_str(), report.text)
                            .trim_end()
                            .to_owned(),
                    )
                }
            };
            assert_eq!(told.as_deref(), says, "{agent} {name}");
        }
    }
}

#[test]
fn a_hook_in_a_session_of_its_own_speaks_for_the_agent_and_a_daemon_for_nobody() {
    if program("setsid").is_none() {
        return skip("a_hook_in_a_session_of_its_own_…", "setsid is not installed");
    }
    let server = Server::start();
    let payload = server.room().join("payload");
    fs::write(&payload, r#"{"hook_event_name":"UserPromptSubmit"}"#).unwrap();
    let (pane, out) = in_a_pane(
        &server,
        "setsid -w sh -c '\"$1\" report --hook claude <payload; echo $?' x {helper}",
    );
    assert_eq!(out, "0\n");
    assert_eq!(stored(&server, &pane).unwrap().pid, pane_pid(&server, &pane));

    let (pane, out) = in_a_pane(
        &server,
        "setsid -w sh -c '\"$1\" report --hook codex <payload; echo $?' x {helper} app-server",
    );
    assert_eq!(out, "0\n");
    assert_eq!(
        stored(&server, &pane),
        None,
        "a server that is the child of one of its clients"
    );

    let daemon = "setsid -f sh -c 'sleep 0.1; \"$1\" report --hook claude <payload; echo $? >ended' x {helper}; \
                  until test -s ended; do sleep 0.05; done; cat ended";
    let (pane, out) = in_a_pane(&server, daemon);
    assert_eq!(out, "0\n");
    assert_eq!(stored(&server, &pane), None, "a daemon");
}

#[test]
fn a_hook_whose_standard_input_stays_open_reports_all_the_same() {
    let server = Server::start();
    let body = "mkfifo pipe; exec 3<>pipe; printf '%s' '{\"hook_event_name\":\"Stop\",\"last_assistant_message\":\"ok\"}' >&3\n\
                {helper} report --hook claude <pipe; echo $?";
    let (pane, out) = in_a_pane(&server, body);
    assert_eq!(out, "0\n");
    let report = stored(&server, &pane).unwrap();
    assert_eq!((report.state, report.text.as_str()), (Reported::Done, "ok"));
}

#[test]
fn a_hook_that_is_told_nothing_or_garbage_ends_silently() {
    let server = Server::start();
    let half = r#"{"hook_event_name":"St"#;
    let deep = "[".repeat(100_000);
    let long = format!("{{\"x\": \"{}\"}}", "y".repeat(12_000_000));
    for input in ["", half, "garbage", "[]", "null", "\u{feff}{}", &deep, &long] {
        let mut child = server
            .command(HELPER)
            .args(["report", "--hook", "claude"])
            .envs([
                ("TMUX", format!("{}/s,1,0", server.room().display())),
                ("TMUX_PANE", "%0".into()),
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .as_mut()
            .unwrap()
            .write_all(input.as_bytes())
            .expect("all of it is read");
        // It is never told the end.
        let open = child.stdin.take();
        let start = Instant::now();
        let out = child.wait_with_output().unwrap();
        assert!(start.elapsed() < DEADLINE);
        assert_eq!(
            (out.status.code(), words(&out)),
            (Some(0), (String::new(), String::new())),
            "{input:.20}"
        );
        drop(open);
    }
}

#[test]
fn a_hook_outside_tmux_leaves_no_broken_pipe() {
    let server = Server::start();
    for input in [
        r#"{"hook_event_name":"Stop"}"#.to_owned(),
        format!("{{\"x\": \"{}\"}}", "y".repeat(1_000_000)),
    ] {
        let mut hook = server.command(HELPER);
        hook.args(["report", "--hook", "claude"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = hook.spawn().unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .expect("all of it is read");
        let out = child.wait_with_output().unwrap();
        assert_eq!((out.status.code(), words(&out).0), (Some(0), String::new()));
    }
}

#[test]
fn outside_tmux_a_hook_does_nothing_and_a_person_is_told() {
    let server = Server::start();
    let log = server.log_tmux_calls();
    let socket = server.tmux(&["display-message", "-p", "#{socket_path},#{pid},0"]);
    let run = |args: &[&str], tmux: Option<&str>, pane: Option<&str>| {
        let mut command: Command = server.command(HELPER);
        command.args(args);
        command
            .envs(tmux.map(|value| ("TMUX", value)))
            .envs(pane.map(|value| ("TMUX_PANE", value)));
        command.output().unwrap()
    };
    let tmux = Some(socket.as_str());
    for (tmux, pane, why) in [
        (None, None, "$TMUX is not set"),
        (None, Some("%0"), "$TMUX is not set"),
        (Some(""), Some("%0"), "$TMUX is not set"),
        (tmux, None, "$TMUX_PANE is not set"),
        (tmux, Some(""), "$TMUX_PANE is not set"),
        (tmux, Some("0"), "names no pane"),
        (tmux, Some("%"), "names no pane"),
        (tmux, Some("%0;kill-server"), "names no pane"),
        (tmux, Some("#{pane_id}"), "names no pane"),
        (tmux, Some("%99999999999"), "names no pane"),
    ] {
        let out = run(&["report", "--hook", "claude"], tmux, pane);
        assert_eq!(
            (out.status.code(), words(&out)),
            (Some(0), (String::new(), String::new())),
            "{pane:?}"
        );
        let out = run(&["report", "working"], tmux, pane);
        let (told, error) = words(&out);
        assert_eq!((out.status.code(), told.as_str()), (Some(1), ""), "{pane:?}");
        assert!(error.contains(why) && error.contains("\nhint: "), "{error}");
    }
    assert_eq!(fs::read_to_string(&log).unwrap_or_default(), "", "tmux was called");
    for wrong in [
        &["report"][..],
        &["report", "sleeping"],
        &["report", "working", "--hook", "claude"],
        &["report", "--event", "x"],
    ] {
        assert_eq!(run(wrong, tmux, Some("%0")).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_pane_that_is_gone_is_an_error_to_a_person_and_nothing_to_a_hook() {
    let server = Server::start();
    let body = "export TMUX_PANE=%99\n{helper} report working; echo $?\n\
                echo '{\"hook_event_name\":\"Stop\"}' | {helper} report --hook claude; echo $?";
    let (_, out) = in_a_pane(&server, body);
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines[0].starts_with("tmux-status: cannot report to the tmux server at ") && lines[0].contains("%99"),
        "{out}"
    );
    assert!(lines[1].starts_with("hint: "), "{out}");
    assert_eq!(lines[2..], ["1", "0"], "{out}");
}

#[test]
fn a_server_that_hangs_holds_no_agent_up() {
    let server = Server::start();
    let (room, helper) = (shell_word(server.room()), shell_word(Path::new(HELPER)));
    let payload = "{\"hook_event_name\":\"Stop\"}";
    let script = server.write_script(
        "agent",
        &format!("cd {room}; : >ready; until test -e go; do sleep 0.02; done\n\
                  echo '{payload}' | {helper} report --hook claude >out.part 2>&1; echo $? >>out.part; mv out.part out; exec cat"),
    );
    server.tmux(&[
        "new-window",
        "-d",
        "-t",
        "work:",
        &format!("exec {}", shell_word(&script)),
    ]);
    wait_for("the agent", || server.room().join("ready").exists());
    let pid = server.pid();
    signal(pid, "STOP");
    let start = Instant::now();
    fs::write(server.room().join("go"), "").unwrap();
    wait_for("the end of the hook", || server.room().join("out").exists());
    let took = start.elapsed();
    signal(pid, "CONT");
    assert!(runs(pid));
    assert_eq!(fs::read_to_string(server.room().join("out")).unwrap(), "0\n");
    assert!(
        (Duration::from_secs(1)..Duration::from_secs(8)).contains(&took),
        "{took:?}"
    );
}

#[test]
fn a_report_has_the_server_look_as_its_hooks_do() {
    let server = Server::start();
    let log = server.room().join("helper.log");
    let helper = shell_word(Path::new(HELPER));
    let script = server.write_script(
        "helper",
        &format!("echo \"$*\" >>{}\nexec {helper} \"$@\"", shell_word(&log)),
    );
    // With a driver, hooks run no helper.
    server.run("set-option -g @tmux-status-watch off");
    server.use_helper(&script);
    server.source();
    wait_for("the first status file", || server.try_status().is_some());
    let pane = server.tmux(&["display-message", "-p", "-t", "work:0", "#{pane_id}"]);
    // A refresh that is owed for another event already would do as well, and would hide that this one asks for it.
    let owed = || server.tmux(&["show-environment", "-gh", "TMUX_STATUS_D"]);
    wait_for("quiet", || owed().ends_with("=0"));
    let line = format!("{helper} report question --summary 'Which one?'");
    server.tmux(&["send-keys", "-t", &pane, &line, "Enter"]);
    wait_for("a refresh by the report", || {
        let calls = fs::read_to_string(&log).unwrap();
        calls.lines().any(|line| line == "refresh --hook report")
    });
    wait_for("its end", || owed().ends_with("=0"));
    assert_eq!(stored(&server, &pane).unwrap().text, "Which one?");
}
