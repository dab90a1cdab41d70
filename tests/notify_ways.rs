//! How somebody is told: every way reaches those whom it should, and whatever goes wrong in it does no harm.

#[path = "support/notify.rs"]
mod notified;
mod support;

use notified::{let_pass, log, open, tellers, telling, tells_by_command, told, wait_for_driver, window, ASKS};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use support::{program, shell_word, signal, skip, tmux_data, wait_for, words, Server};

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
        said.contains(&format!("you are told by bell: the bell of {tty}"))
            && said.contains("you are told by command: your own command"),
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
