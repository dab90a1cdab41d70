//! When somebody is told: once of each need of a window that they do not look at.

#[path = "support/notify.rs"]
mod notified;
mod support;

use notified::{
    let_pass, log, open, tellers, telling, tells_by_command, told, wait_for_driver, wait_until_told, window, ASKS,
};
use std::fs;
use std::path::Path;
use std::process::Child;
use support::{runs, shell_word, signal, tmux_data, wait_for, Server, HELPER};

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
