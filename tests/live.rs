//! Programs that no rule knows, started in real panes: small scripts that wait for a line, a key or a password, work, sleep,
//! print, ask in other languages, stop or die. The kernel and what moves must tell what they are doing.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mod.rs"]
mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};
use support::{program, skip, wait_for, Server};

/// A program: name, source, kind, need, a text in its summary.
struct Case(
    &'static str,
    &'static str,
    &'static str,
    Option<&'static str>,
    &'static str,
);

/// Shell scripts.
const SHELL: &[Case] = &[
    Case(
        "readline",
        "printf 'Name? '; read x",
        "waiting",
        Some("question"),
        "Name?",
    ),
    Case(
        "frage",
        "printf 'Wirklich löschen (j/n) '; read x",
        "waiting",
        Some("question"),
        "Wirklich löschen (j/n)",
    ),
    Case("mute", "read x", "waiting", Some("question"), "mute"),
    Case(
        "secret",
        "stty -echo; printf 'PIN: '; read x",
        "waiting",
        Some("question"),
        "PIN:",
    ),
    Case(
        "parent",
        "sh -c 'printf \"Overwrite? [y/N] \"; read x'",
        "waiting",
        Some("question"),
        "Overwrite? [y/N]",
    ),
    Case("sleeper", "echo started; sleep 600", "running", None, "started"),
    Case("silent", "sleep 600", "running", None, "silent"),
    Case(
        "pipe",
        "mkfifo fifo$$; echo waiting for data; cat fifo$$",
        "running",
        None,
        "waiting for data",
    ),
    Case("burn", "while :; do :; done", "active", None, "burn"),
    Case(
        "ticker",
        "i=0; while :; do i=$((i+1)); echo tick $i; sleep 0.3; done",
        "active",
        None,
        "tick",
    ),
    Case(
        "progress",
        "i=0; while :; do i=$((i+1)); printf '\\rcopied %d MB' $i; sleep 0.3; done",
        "active",
        None,
        "copied",
    ),
    Case(
        "tailer",
        "echo last line >log; exec tail -f log",
        "running",
        None,
        "last line",
    ),
    Case(
        "daemon",
        "(setsid sleep 601 >/dev/null 2>&1 &); echo up; sleep 600",
        "running",
        None,
        "up",
    ),
    // tmux scrolls the screen by a line to say below that the pane is dead.
    Case(
        "failing",
        "echo reading; echo bad input; exit 3",
        "error",
        Some("failed"),
        "exited with status 3 (pane is dead): bad input",
    ),
    Case("ending", "echo fine", "idle", None, "exited with status 0"),
    Case("killed", "kill -KILL $$", "error", Some("failed"), "killed by signal 9"),
    Case(
        "fake-prompt",
        "printf 'dev@box:~$ '; sleep 600",
        "running",
        None,
        "fake-prompt",
    ),
    Case(
        "fake-question",
        "echo 'Continue? [y/N]'; exec sleep 600",
        "running",
        None,
        "Continue",
    ),
];

/// Python scripts.
const PYTHON: &[Case] = &[
    Case("asker", "input('Deploy to prod? ')", "waiting", Some("question"), "Deploy to prod?"),
    Case("tokens", "import getpass; getpass.getpass('Token: ')", "waiting", Some("question"), "Token:"),
    Case("poller", "import socket, select\ns = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()\nprint('up'); select.select([s], [], [])", "running", None, "up"),
    Case("receiver", "import socket\na, b = socket.socketpair()\nprint('connected'); a.recv(1)", "running", None, "connected"),
    Case("connected-asker", "import socket\na, b = socket.socketpair()\ninput('Weiter? ')", "waiting", Some("question"), "Weiter?"),
    Case("onekey", "import tty, sys\ntty.setcbreak(0)\nprint('Press any key to go on...', end='', flush=True)\nsys.stdin.read(1)", "waiting", Some("question"), "Press any key to go on"),
    Case("menu", "import curses\ndef m(s):\n  curses.curs_set(0); s.addstr(1, 2, 'Choose a job to restart:'); s.addstr(3, 4, 'import'); s.addstr(4, 4, 'export'); s.getch()\ncurses.wrapper(m)", "idle|waiting", None, "Choose a job to restart"),
    Case("reader", "import sys; sys.stdin.read()", "waiting", Some("question"), "reader"),
    Case("repl", "import readline\nwhile True:\n  input('shop> ')", "waiting", None, "repl.py prompt shop>"),
    Case("stopper", "import os, signal, time\nsignal.signal(signal.SIGTTOU, signal.SIG_IGN)\nchild = os.fork()\nif not child:\n  os.setpgid(0, 0); time.sleep(0.3); os.kill(os.getpid(), signal.SIGSTOP)\nos.setpgid(child, child); os.tcsetpgrp(0, child); time.sleep(600)", "idle", None, "stopper.py stopped (Ctrl-Z)"),
    Case("thread-asker", "import threading\nt = threading.Thread(target=lambda: input('Release it? ')); t.start(); t.join()", "waiting", Some("question"), "Release it?"),
    Case("thread-worker", "import threading, time\nprint('Pulling layers:', end=' ', flush=True)\nt = threading.Thread(target=lambda: time.sleep(600)); t.start(); t.join()", "running", None, "Pulling layers"),
    Case("threads", "import threading, time\nthreading.Thread(target=lambda: [None for _ in iter(int, 1)]).start()", "active", None, "threads"),
];

#[test]
fn twenty_programs_without_any_rule_are_told_by_what_they_do() {
    let server = Server::setup().config("set -g remain-on-exit on\n").start();
    let python = program("python3");
    if python.is_none() {
        skip("live", "python3 is not installed; only the shell scripts are tried");
    }
    let mut cases: BTreeMap<String, &Case> = BTreeMap::new();
    for case in SHELL {
        let script = server.write_script(case.0, case.1);
        cases.insert(server.open(&format!("exec {}", script.display())), case);
    }
    for case in PYTHON.iter().filter(|_| python.is_some()) {
        let script = server.room().join(format!("{}.py", case.0));
        std::fs::write(&script, case.1).unwrap();
        cases.insert(server.open(&format!("exec python3 {}", script.display())), case);
    }
    wait_for("the programs that end", || {
        server
            .tmux(&["list-panes", "-a", "-F", "#{pane_dead}"])
            .matches('1')
            .count()
            == 3
    });
    let mut wrong = Vec::new();
    // What is seen first may be a program that is still starting: what counts is where the verdicts come to rest.
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        server.refresh_with(&["--full"]);
        thread::sleep(Duration::from_millis(1200));
        server.refresh_with(&["--full"]);
        wrong.clear();
        let state = server.state();
        for (pane, case) in &cases {
            if let Err(why) = check(&state, pane, case) {
                wrong.push(why);
            }
        }
        if wrong.is_empty() || Instant::now() > end {
            break;
        }
    }
    // Nothing ends it with its pane.
    server
        .processes_with("sleep 601")
        .into_iter()
        .for_each(|pid| support::signal(pid, "KILL"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(state: &Value, pane: &str, case: &Case) -> Result<(), String> {
    let found = find(state, pane).unwrap_or(&Value::Null);
    let text = |key: &str| found[key].as_str().unwrap_or_default();
    let right = case.2.split('|').any(|kind| kind == text("kind")) && found["need"].as_str() == case.3;
    if right && text("summary").contains(case.4) {
        return Ok(());
    }
    Err(format!(
        "{}: {} {:?} {:?} expected, {found}",
        case.0, case.2, case.3, case.4
    ))
}

/// The window of a pane, each of which has one of its own.
fn find<'v>(state: &'v Value, pane: &str) -> Option<&'v Value> {
    let windows = state["windows"].as_object()?;
    windows.values().find(|window| window["pane"] == pane)
}
