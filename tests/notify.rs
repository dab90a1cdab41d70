//! Notifications: who does not look at a window is told once of what it needs, and nothing that tells them does any harm.

mod support;

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use support::{program, runs, shell_word, signal, skip, tmux_data, wait_for, words, Server, HELPER};

/// What a window's program does to ask.
const ASKS: &str = "printf 'Delete all of it? [y/N] '; read x; exec cat";

/// Where a command of the user's leaves a line for each time it was run.
fn log(server: &Server) -> PathBuf {
    server.room().join("told")
}

/// The lines that the command has left.
fn told(server: &Server) -> Vec<String> {
    let text = fs::read_to_string(log(server)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// A server that tells by a command, which writes `NAME NEED COUNT`; with a driver, that has looked.
fn telling() -> Server {
    let server = Server::quiet();
    tells_by_command(&server);
    server.source_with_driver();
    wait_for_driver(&server);
    server
}

fn tells_by_command(server: &Server) {
    let line = "\"$TMUX_STATUS_WINDOW $TMUX_STATUS_NEED $TMUX_STATUS_COUNT\"";
    let command = format!("printf '%s\\n' {line} >>{}", shell_word(&log(server)));
    server.tmux(&["set-option", "-g", "@tmux-status-notify", "command"]);
    server.tmux(&["set-option", "-g", "@tmux-status-notify-command", &tmux_data(&command)]);
}

/// Waits until a driver drives.
#[track_caller]
fn wait_for_driver(server: &Server) {
    let drives = || {
        let told = server.run("show-environment -gh");
        let waiting = server.processes_with("wait-for tmux-status-");
        waiting.len() == 1 && told.contains("TMUX_STATUS_UNTIL=")
    };
    wait_for("a driver", drives);
}

/// Opens a window that nobody looks at.
#[track_caller]
fn open(server: &Server, name: &str, command: &str) -> String {
    server.tmux(&[
        "new-window",
        "-d",
        "-P",
        "-F",
        "#{window_id}",
        "-t",
        "work:",
        "-n",
        &tmux_data(name),
        command,
    ])
}

#[track_caller]
fn wait_until_told(server: &Server, line: &str) {
    wait_for(&format!("{line:?} to be told"), || {
        told(server).iter().any(|told| told == line)
    });
}

/// Another window asks, and is told of: what was due before it has been told by then.
#[track_caller]
fn let_pass(server: &Server, name: &str) {
    open(server, name, ASKS);
    wait_until_told(server, &format!("{name} question 1"));
}

/// What the state says of the window called `name`.
fn window(server: &Server, name: &str) -> Value {
    let state = server.state();
    let windows = state["windows"].as_object().cloned().unwrap_or_default();
    windows
        .into_iter()
        .map(|(_, window)| window)
        .find(|window| window["name"] == name)
        .unwrap_or_default()
}

/// The processes that tell somebody, and what they run.
fn tellers(server: &Server) -> Vec<u32> {
    server.processes_with("notify --deliver")
}

#[test]
fn a_question_in_a_window_that_nobody_looks_at_is_told_once() {
    let server = telling();
    open(&server, "asks", ASKS);
    wait_until_told(&server, "asks question 1");
    let_pass(&server, "later");
    let_pass(&server, "last");
    assert_eq!(
        told(&server),
        ["asks question 1", "later question 1", "last question 1"]
    );
    wait_for("the end of who told it", || tellers(&server).is_empty());
}

#[test]
fn a_window_that_is_looked_at_is_not_told_of() {
    let server = telling();
    let _terminal = server.attach();
    server.tmux(&["new-window", "-n", "seen", "-t", "work:", ASKS]);
    wait_for("the question", || window(&server, "seen")["need"] == "question");
    server.run("select-window -t work:0");
    let_pass(&server, "unseen");
    assert_eq!(told(&server), ["unseen question 1"]);
}

#[test]
fn parked_and_ignored_windows_are_not_told_of() {
    let server = telling();
    server.tmux(&["set-option", "-g", "@tmux-status-ignore", "mute*"]);
    open(&server, "mute-1", ASKS);
    let id = open(
        &server,
        "parked",
        "printf 'One? [y/N] '; read x; printf 'Two? [y/N] '; read x; exec cat",
    );
    wait_until_told(&server, "parked question 1");
    server.tmux(&["set-option", "-w", "-t", &id, "@tmux-status-parked", "1"]);
    wait_for("the window to be parked", || {
        window(&server, "parked")["parked"] == true
    });
    server.tmux(&["set-option", "-w", "-u", "-t", &id, "@tmux-status-parked"]);
    wait_for("the window to be called back", || {
        window(&server, "parked")["parked"] == false
    });
    let_pass(&server, "other");
    assert_eq!(told(&server), ["parked question 1", "other question 1"]);
    server.tmux(&["set-option", "-w", "-t", &id, "@tmux-status-parked", "2"]);
    wait_for("the window to be parked", || {
        window(&server, "parked")["parked"] == true
    });
    server.tmux(&["send-keys", "-t", &id, "y", "Enter"]);
    wait_for("another question to be told", || {
        told(&server).iter().filter(|line| *line == "parked question 1").count() == 2
    });
}

#[test]
fn every_need_is_told_of_unless_its_user_wants_only_some() {
    let server = telling();
    let report = |state: &str| format!("{} report {state}", shell_word(Path::new(HELPER)));
    let stays = |states: &str| format!("{states}; exec sleep 600");
    open(
        &server,
        "permission",
        &stays(&report("permission --summary 'Bash rm -rf build'")),
    );
    wait_until_told(&server, "permission permission 1");
    let works = format!("{}; sleep 1; {}", report("working"), report("done"));
    open(&server, "done", &stays(&works));
    wait_until_told(&server, "done done 1");
    open(&server, "failed", &stays(&report("error")));
    wait_until_told(&server, "failed failed 1");
    server.tmux(&["set-option", "-g", "@tmux-status-notify-on", "question"]);
    open(&server, "failed-again", &stays(&report("error")));
    wait_for("it to fail", || window(&server, "failed-again")["need"] == "failed");
    let_pass(&server, "question");
    assert_eq!(told(&server).len(), 4, "{:?}", told(&server));
}

#[test]
fn many_that_ask_at_once_are_told_as_one() {
    let server = telling();
    let gate = server.room().join("gate");
    assert!(server.command("mkfifo").arg(&gate).status().unwrap().success());
    for n in 0..20 {
        open(
            &server,
            &format!("job-{n}"),
            &format!("cat {}; {ASKS}", shell_word(&gate)),
        );
    }
    wait_for("twenty readers", || server.processes_with("cat /").len() >= 20);
    wait_for("the last window to be known", || !window(&server, "job-19").is_null());
    // All of them read to the end at once.
    drop(fs::OpenOptions::new().write(true).open(&gate).unwrap());
    wait_for("it to be told", || !told(&server).is_empty());
    let_pass(&server, "later");
    let lines = told(&server);
    assert_eq!(
        (lines.len(), lines[0].ends_with(" question 20")),
        (2, true),
        "{lines:?}"
    );
}

#[test]
fn a_question_that_flickers_is_told_once() {
    let server = telling();
    let script = "while :; do printf '\\033[2J\\033[HGo on? [y/N] '; read x; echo; echo working; sleep 1.5; done";
    let id = open(&server, "flickers", script);
    wait_until_told(&server, "flickers question 1");
    for _ in 0..2 {
        server.tmux(&["send-keys", "-t", &id, "Enter"]);
        wait_for("it to work", || window(&server, "flickers")["need"].is_null());
        wait_for("it to ask", || window(&server, "flickers")["need"] == "question");
    }
    let_pass(&server, "later");
    assert_eq!(told(&server), ["flickers question 1", "later question 1"]);
}

#[test]
fn what_a_server_asked_before_anybody_looked_is_no_news() {
    let server = Server::quiet();
    tells_by_command(&server);
    for n in 0..5 {
        open(&server, &format!("old-{n}"), ASKS);
    }
    server.source_with_driver();
    wait_for_driver(&server);
    wait_for("the questions", || window(&server, "old-4")["need"] == "question");
    let_pass(&server, "new");
    assert_eq!(told(&server), ["new question 1"]);
}

#[test]
fn a_driver_that_is_killed_and_one_that_finds_another_versions_state_tell_nothing_again() {
    let server = telling();
    open(&server, "asks", ASKS);
    wait_until_told(&server, "asks question 1");
    for (n, version) in [(1, None), (2, None), (3, Some(3))] {
        for pid in server.processes_with(" watch") {
            signal(pid, "KILL");
            wait_for("the end of the driver", || !runs(pid));
        }
        if let Some(version) = version {
            server.edit_state(|state| state["version"] = version.into());
        }
        server.refresh();
        wait_for("another driver", || {
            server.run("rename-window -t work:0 again");
            !server.processes_with(" watch").is_empty()
        });
        let_pass(&server, &format!("later-{n}"));
    }
    let later = [1, 2, 3].map(|n| format!("later-{n} question 1"));
    assert_eq!(told(&server)[0], "asks question 1");
    assert_eq!(told(&server)[1..], later);
}

#[test]
fn helpers_that_look_at_once_tell_it_once() {
    let server = telling();
    let refreshes = |server: &Server| -> Vec<Child> {
        (0..4)
            .map(|_| server.command(HELPER).args(["refresh", "--full"]).spawn().unwrap())
            .collect()
    };
    open(&server, "asks", ASKS);
    while told(&server).is_empty() {
        for mut child in refreshes(&server) {
            assert!(child.wait().unwrap().success());
        }
    }
    let_pass(&server, "later");
    let_pass(&server, "last");
    assert_eq!(
        told(&server),
        ["asks question 1", "later question 1", "last question 1"]
    );
}

#[test]
fn without_a_driver_the_helper_that_finds_a_need_stays_to_tell_it() {
    let server = Server::quiet();
    tells_by_command(&server);
    server.source_plugin();
    let report = format!(
        "{} report question --summary 'Which one?'; exec sleep 600",
        shell_word(Path::new(HELPER))
    );
    // The second comes too soon after the first to be told at once.
    for name in ["one", "two"] {
        open(&server, name, &report);
        wait_until_told(&server, &format!("{name} question 1"));
    }
    wait_for("the end of the helpers", || {
        server.processes_with("refresh --hook").is_empty()
    });
    assert_eq!(told(&server), ["one question 1", "two question 1"]);
}

#[test]
fn two_servers_do_not_tell_of_each_other() {
    let server = telling();
    server.run("-L other new-session -d -s elsewhere -n quiet cat");
    let command = format!("echo \"other $TMUX_STATUS_WINDOW\" >>{}", shell_word(&log(&server)));
    server.tmux(&["-L", "other", "set-option", "-g", "@tmux-status-notify", "command"]);
    server.tmux(&[
        "-L",
        "other",
        "set-option",
        "-g",
        "@tmux-status-notify-command",
        &tmux_data(&command),
    ]);
    let refresh = || assert!(server.helper(&["-L", "other", "refresh"]).status.success());
    refresh();
    open(&server, "here", ASKS);
    wait_until_told(&server, "here question 1");
    server.tmux(&["-L", "other", "new-window", "-d", "-n", "there", ASKS]);
    wait_for("the other to be told", || {
        refresh();
        told(&server).len() > 1
    });
    assert_eq!(told(&server), ["here question 1", "other there"]);
}

#[test]
fn a_command_that_hangs_fails_or_is_missing_harms_nothing_and_doctor_tells() {
    let server = telling();
    let command = |line: &str| server.tmux(&["set-option", "-g", "@tmux-status-notify-command", &tmux_data(line)]);
    command("sleep 7654 & sleep 7654");
    open(&server, "one", ASKS);
    let sleeps = || server.processes_with("sleep 7654");
    wait_for("the command to hang", || sleeps().len() >= 2);
    command("echo 'no such luck' >&2; exit 7");
    open(&server, "two", ASKS);
    let doctor = || words(&server.helper(&["doctor"])).0;
    wait_for("doctor to tell of a failure", || {
        doctor().contains("exited with 7: no such luck")
    });
    command("/nonexistent/ring \"$TMUX_STATUS_TEXT\"");
    open(&server, "three", ASKS);
    wait_for("doctor to tell of a missing program", || {
        doctor().contains("exited with 127")
    });
    wait_for("doctor to tell that it hung", || {
        doctor().contains("took longer than 10 s")
    });
    wait_for("the end of all of it", || {
        sleeps().is_empty() && tellers(&server).is_empty()
    });
    assert!(doctor().contains("ago a notification failed: command"), "{}", doctor());
    tells_by_command(&server);
    let_pass(&server, "later");
    assert_eq!(server.panes_in_a_mode(), 0);
}

#[test]
fn names_and_summaries_are_inert_wherever_they_go() {
    let server = telling();
    let terminal = server.attach();
    let raw = record(&server, &terminal.ask("#{socket_path}"));
    server.tmux(&[
        "set-option",
        "-g",
        "@tmux-status-notify",
        "message bell desktop command",
    ]);
    let out = shell_word(&log(&server));
    let all = format!("printf '%s\\n' \"$TMUX_STATUS_WINDOW\" \"$TMUX_STATUS_SUMMARY\" \"$TMUX_STATUS_TEXT\" >>{out}");
    server.tmux(&["set-option", "-g", "@tmux-status-notify-command", &tmux_data(&all)]);
    let name = "$(touch PWN)`touch PWN`';touch PWN;#(touch PWN)\u{1b}]0;x\u{7}\u{9b}31m";
    open(
        &server,
        name,
        "printf 'Run $(touch PWN) #(touch PWN) `touch PWN`? [y/N] '; read x",
    );
    wait_for("it to be told", || told(&server).len() == 3);
    terminal.wait_for("$(touch PWN)");
    wait_for("the bell", || fs::read(&raw).unwrap().contains(&7));
    let lines = told(&server);
    assert!(
        lines[0].starts_with("$(touch PWN)`touch PWN`';touch PWN;#(touch PWN)"),
        "{lines:?}"
    );
    assert!(
        lines[1].contains("Run $(touch PWN) #(touch PWN) `touch PWN`? [y/N]"),
        "{lines:?}"
    );
    assert!(
        !lines.iter().any(|line| line.chars().any(char::is_control)),
        "{lines:?}"
    );
    let raw = fs::read(&raw).unwrap();
    assert_eq!(
        raw.iter().filter(|byte| **byte == 7).count(),
        1,
        "one bell, and no end of a title"
    );
    let found = |place: &Path| place.join("PWN").exists();
    assert!(![
        server.room(),
        &server.room().join("home"),
        &server.room().join("state/thegrid")
    ]
    .map(found)
    .contains(&true));
}

/// Has the tmux at `socket` write all that its one pane prints from now on into a file.
fn record(server: &Server, socket: &str) -> PathBuf {
    let file = server.room().join("raw");
    fs::write(&file, "").unwrap();
    server.tmux(&[
        "-S",
        socket,
        "pipe-pane",
        "-o",
        &format!("exec cat >>{}", shell_word(&file)),
    ]);
    file
}

#[test]
fn a_bell_and_a_line_reach_every_terminal_and_no_bell_is_set_in_the_server() {
    let server = telling();
    server.run("new-session -d -s far -n far cat");
    let (one, two) = (server.attach(), server.terminal("exec tmux attach-session -t =far"));
    wait_for("two clients", || server.run("list-clients").lines().count() == 2);
    server.tmux(&["set-option", "-g", "@tmux-status-notify", "bell message"]);
    open(&server, "asks", ASKS);
    for terminal in [&one, &two] {
        terminal.wait_for("asks (question): ");
        wait_for("the bell", || terminal.ask("#{window_bell_flag}") == "1");
    }
    assert!(!server.run("list-windows -a -F #{window_bell_flag}").contains('1'));
}

/// A client in a terminal that is none of tmux: what is sent to it is kept, and it may say who it is.
struct Pty {
    child: Child,
    keys: ChildStdin,
    raw: PathBuf,
}

impl Pty {
    /// `None` where script(1) is missing.
    fn attach(server: &Server, term: &str, answer: &str) -> Option<Self> {
        program("script")?;
        let before = server.run("list-clients").lines().count();
        let raw = server.room().join(format!("raw-{before}"));
        let mut child = server
            .command("script")
            .args(["-qfc", "exec tmux attach-session -t =work", "/dev/null"])
            .env("TERM", term)
            .stdin(Stdio::piped())
            .stdout(fs::File::create(&raw).unwrap())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut keys = child.stdin.take().unwrap();
        wait_for("a client", || server.run("list-clients").lines().count() > before);
        if !answer.is_empty() {
            write!(keys, "\x1bP>|{answer}\x1b\\").unwrap();
            keys.flush().unwrap();
            let said = || server.tmux(&["list-clients", "-F", "#{client_termtype}"]);
            wait_for("the answer to be read", || said().lines().any(|line| line == answer));
        }
        Some(Self { child, keys, raw })
    }

    fn was_sent(&self, bytes: &str) -> bool {
        String::from_utf8_lossy(&fs::read(&self.raw).unwrap()).contains(bytes)
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.keys.flush();
        signal(self.child.id(), "KILL");
        let _ = self.child.wait();
    }
}

#[test]
fn a_terminal_shows_a_notification_in_the_way_that_it_understands() {
    let server = telling();
    server.tmux(&["set-option", "-g", "@tmux-status-notify", "desktop"]);
    let terminals = [
        (
            "xterm-256color",
            "kitty(0.36.4)",
            "\x1b]99;i=tmux-status:d=0;work:1 asks (question)\x1b\\",
        ),
        (
            "xterm-256color",
            "foot(1.16.2)",
            "\x1b]777;notify;work:1 asks (question);",
        ),
        ("xterm-256color", "iTerm2 3.5.0", "\x1b]9;work:1 asks (question): "),
        ("rxvt-unicode-256color", "", "\x1b]777;notify;work:1 asks (question);"),
        ("xterm-256color", "XTerm(390)", ""),
    ];
    let attached = terminals.map(|(term, answer, sequence)| (Pty::attach(&server, term, answer), sequence));
    if attached.iter().any(|(pty, _)| pty.is_none()) {
        return skip("a_terminal_shows_a_notification…", "script is not installed");
    }
    open(&server, "asks", ASKS);
    for (pty, sequence) in &attached {
        let pty = pty.as_ref().unwrap();
        wait_for(&format!("{sequence:?}"), || pty.was_sent(sequence));
    }
    let (plain, _) = &attached[4];
    assert!(!plain.as_ref().unwrap().was_sent("asks (question)"));
}

#[test]
fn a_desktop_without_such_a_terminal_is_told_by_its_own_program() {
    let server = Server::setup()
        .config("set -g default-command 'exec cat'\nset -g automatic-rename off\n")
        .env("DISPLAY", ":77")
        .prepare();
    let out = shell_word(&log(&server));
    server.write_script(
        "bin/notify-send",
        &format!("printf '%s\\n' \"$DISPLAY\" \"$@\" >>{out}"),
    );
    server.tmux(&["new-session", "-d", "-s", "-work", "-x", "100", "-y", "30"]);
    server.tmux(&["set-option", "-g", "@tmux-status-notify", "desktop"]);
    server.source_with_driver();
    wait_for_driver(&server);
    server.tmux(&["new-window", "-d", "-n", "<b>", ASKS]);
    wait_for("the program to be run", || told(&server).len() == 6);
    let lines = told(&server);
    assert_eq!(
        lines[..5],
        [":77", "--app-name", "tmux-status", "--", "-work:1 <b> (question)"]
    );
    assert!(lines[5].contains("Delete all of it?"), "{lines:?}");
}

#[test]
fn a_sample_is_sent_by_hand_and_doctor_says_who_would_be_told() {
    let server = Server::quiet();
    let run = |args: &[&str]| {
        let out = server.helper(&[&["notify"], args].concat());
        let (out, errors) = (out.status.code(), words(&out));
        (out, errors.0, errors.1)
    };
    server.refresh();
    let (code, _, errors) = run(&[]);
    assert_eq!(code, Some(1));
    assert!(
        errors.contains("@tmux-status-notify is off") && errors.contains("hint: "),
        "{errors}"
    );
    let (code, out, _) = run(&["bell", "message"]);
    assert_eq!(code, Some(1), "nobody is there");
    assert!(out.contains("nobody: no client is attached"), "{out}");
    assert_eq!(run(&["shout"]).0, Some(2));
    let terminal = server.attach();
    let (code, out, _) = run(&["message"]);
    assert_eq!(code, Some(0), "{out}");
    terminal.wait_for("tmux-status: a sample");
    let (code, out, _) = run(&["command"]);
    assert_eq!(code, Some(1));
    assert!(out.contains("@tmux-status-notify-command is not set"), "{out}");
    let doctor = || words(&server.helper(&["doctor"])).0;
    assert!(doctor().contains("ok   notifications are off"), "{}", doctor());
    tells_by_command(&server);
    assert_eq!(run(&[]).0, Some(0));
    assert_eq!(told(&server), ["quiet question 1"]);
    server.tmux(&["set-option", "-g", "@tmux-status-notify", "bell,command"]);
    let tty = server.run("list-clients -F #{client_tty}");
    let said = doctor();
    assert!(
        said.contains(&format!("bell, the bell of {tty}")) && said.contains("command, your own command"),
        "{said}"
    );
    server.tmux(&["set-option", "-g", "@tmux-status-notify", "beep"]);
    assert!(doctor().contains("\"beep\" is none of"), "{}", doctor());
}

#[test]
fn clients_are_asked_for_only_when_there_is_something_to_tell() {
    let server = Server::quiet();
    let calls = server.log_tmux_calls();
    let asked = || fs::read_to_string(&calls).unwrap().matches("list-clients").count();
    server.source_with_driver();
    wait_for_driver(&server);
    open(&server, "off", ASKS);
    wait_for("the question", || window(&server, "off")["need"] == "question");
    assert_eq!(asked(), 0);
    server.tmux(&["set-option", "-g", "@tmux-status-notify", "bell"]);
    open(&server, "on", ASKS);
    wait_for("the clients to be asked for", || asked() == 1);
    open(&server, "again", ASKS);
    wait_for("the clients to be asked for again", || asked() == 2);
    tells_by_command(&server);
    let_pass(&server, "command");
    assert_eq!(asked(), 2);
}
