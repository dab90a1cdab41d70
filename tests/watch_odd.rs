//! The driver where something is odd: a helper that is a script, a tmux that fails, slow reporters, a clock that was set back,
//! files that cannot be written for a while, two servers with one place for their files.

mod support;

use std::fs;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;
use support::{now, runs, shell_word, signal, wait_for, Server, HELPER};

fn driver(server: &Server) -> Option<u32> {
    server.processes_with(" watch").first().copied()
}

#[track_caller]
fn wait_for_driver(server: &Server) -> u32 {
    wait_for("a driver", || {
        let lives = server.run("show-environment -gh").contains("TMUX_STATUS_UNTIL=");
        lives && driver(server).is_some()
    });
    driver(server).unwrap()
}

fn watch(server: &Server) -> Child {
    let mut command = server.command(HELPER);
    command.arg("watch").stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn lines(path: &std::path::Path) -> usize {
    fs::read_to_string(path).unwrap_or_default().lines().count()
}

#[test]
fn a_helper_that_is_a_script_starts_one_driver_which_stays() {
    let server = Server::quiet();
    let log = server.room().join("starts");
    let body = format!(
        "case \" $* \" in *' watch '*) echo x >>{} ;; esac\nexec {} \"$@\"",
        shell_word(&log),
        shell_word(HELPER.as_ref())
    );
    let script = server.write_script("bin/wrapper", &body);
    let past = std::time::SystemTime::now() - Duration::from_secs(60);
    fs::File::open(&script).unwrap().set_modified(past).unwrap();
    server.use_helper(&script);
    server.source();
    let pid = wait_for_driver(&server);
    for n in 0..5 {
        let name = format!("name-{n}");
        server.tmux(&["rename-window", "-t", "work:0", &name]);
        wait_for("the new name", || server.names() == [name.as_str()]);
    }
    assert_eq!((lines(&log), driver(&server)), (1, Some(pid)));
    // One that is replaced later runs in its place, once.
    let new = server.write_script("bin/new", &format!("{body}\n# new"));
    fs::File::open(&new).unwrap().set_modified(past).unwrap();
    fs::rename(&new, &script).unwrap();
    wait_for("the new one", || lines(&log) == 2);
    server.tmux(&["rename-window", "-t", "work:0", "last"]);
    wait_for("the new name", || server.names() == ["last"]);
    assert_eq!(lines(&log), 2);
}

#[test]
fn a_tmux_that_fails_at_once_is_tried_a_few_times_not_without_end() {
    let server = Server::quiet();
    let (log, broken) = (server.log_tmux_calls(), server.room().join("broken"));
    let script = server.room().join("bin/tmux");
    let body = fs::read_to_string(&script).unwrap();
    let body = body.replacen(
        "exec ",
        &format!("[ ! -e {} ] || exit 1; exec ", shell_word(&broken)),
        1,
    );
    fs::write(&script, body).unwrap();
    let mut driver = watch(&server);
    wait_for("a look", || server.try_status().is_some());
    fs::write(&broken, "").unwrap();
    fs::write(&log, "").unwrap();
    for pid in server.processes_with("wait-for tmux-status-") {
        signal(pid, "KILL");
    }
    wait_for("calls that fail", || lines(&log) >= 4);
    // Each second a look, which is two or three calls, and a try to wait. A driver that spins makes hundreds.
    let before = lines(&log);
    thread::sleep(Duration::from_secs(2));
    let calls = lines(&log) - before;
    assert!(calls <= 30, "{calls} calls in about two seconds");
    fs::remove_file(&broken).unwrap();
    server.run("rename-window -t work:0 again");
    wait_for("the new name", || server.names() == ["again"]);
    signal(driver.id(), "TERM");
    driver.wait().unwrap();
}

#[test]
fn what_could_not_be_written_is_written_as_soon_as_it_can_be() {
    // A folder in the way of the new file stops root, too.
    let server = Server::quiet();
    server.run("split-window -d -t work:0");
    server.source_with_driver();
    wait_for_driver(&server);
    wait_for("two panes", || panes(&server) == 2);
    wait_until_quiet(&server);
    let ways = ["tmux-status.json.tmp", "tmux-status.state.json.tmp"];
    for way in ways {
        let folder = server.status_file().with_file_name(way);
        fs::create_dir_all(folder.join("in-the-way")).unwrap();
    }
    server.run("kill-pane -t work:0.1");
    let log = server.status_file().with_file_name("tmux-status.errors.log");
    wait_for("a look to fail", || lines(&log) > 0);
    for way in ways {
        fs::remove_dir_all(server.status_file().with_file_name(way)).unwrap();
    }
    wait_for("one pane", || panes(&server) == 1);
}

/// Waits until nothing has moved for so long that looks have nothing to capture.
#[track_caller]
fn wait_until_quiet(server: &Server) {
    wait_for("quiet windows", || {
        let times = server.run("list-windows -a -F #{window_activity}");
        times.lines().all(|time| time.parse::<u64>().unwrap() + 4 < now())
    });
}

fn panes(server: &Server) -> usize {
    server.state()["panes"].as_object().map_or(0, serde_json::Map::len)
}

#[test]
fn a_report_is_of_the_second_in_which_the_server_has_it() {
    let server = Server::quiet();
    server.source_plugin();
    let tmux = fs::read_link(server.room().join("bin/tmux")).unwrap();
    let at = server.room().join("at");
    let body = format!(
        "sleep 1.2; date +%s >{}; exec {} \"$@\"",
        shell_word(&at),
        shell_word(&tmux)
    );
    let slow = server.write_script("slow-tmux", &body);
    let body = format!(
        "TMUX_STATUS_TMUX={} {} report question --summary 'Which way?'\nexec cat",
        shell_word(&slow),
        shell_word(HELPER.as_ref())
    );
    let script = server.write_script("reports", &body);
    server.tmux(&["new-window", "-d", "-n", "reports", &shell_word(&script)]);
    let reported = || server.tmux(&["show-options", "-wqv", "-t", "work:reports", "@tmux-status-reported-at"]);
    wait_for("the report", || !reported().is_empty());
    let second = |text: String| text.trim().parse::<u64>().unwrap();
    let served = second(fs::read_to_string(at).unwrap());
    assert!(
        second(reported()) >= served,
        "a look of second {served} would pass it over"
    );
}

#[test]
fn a_report_from_a_time_to_come_does_not_beat_the_screen() {
    let server = Server::start();
    let line = format!("{} report working --summary hello", shell_word(HELPER.as_ref()));
    server.tmux(&["send-keys", "-t", "work:0", &line, "Enter"]);
    let value = || server.tmux(&["show-options", "-pqv", "-t", "work:0", "@tmux-status-report"]);
    wait_for("the report", || !value().is_empty());
    let words: Vec<String> = value().split(' ').map(str::to_owned).collect();
    let later = (now() + 3600) * 1000;
    let ahead = [&words[..2], &[later.to_string()], &words[3..]].concat().join(" ");
    server.tmux(&["set-option", "-p", "-t", "work:0", "@tmux-status-report", &ahead]);
    wait_for("the prompt", || {
        server.refresh_with(&["--full"]);
        server.status()["sessions"][0]["windows"][0]["statusKind"] == "waiting"
    });
}

#[test]
fn a_driver_by_hand_without_the_plugin_sees_panes_go() {
    let server = Server::quiet();
    server.run("split-window -d -t work:0");
    let mut driver = watch(&server);
    wait_for("two panes", || server.state_file().exists() && panes(&server) == 2);
    wait_until_quiet(&server);
    server.run("kill-pane -t work:0.1");
    wait_for("one pane", || panes(&server) == 1);
    signal(driver.id(), "TERM");
    driver.wait().unwrap();
}

#[test]
fn a_driver_ends_with_its_server_though_the_files_are_anothers() {
    let one = Server::quiet();
    one.refresh();
    // Another default server, with a TMUX_TMPDIR of its own and the same place for its files.
    let other = Server::setup()
        .env("XDG_STATE_HOME", one.room().join("state"))
        .config("set -g default-command 'exec cat'\n")
        .start();
    let mut driver = watch(&other);
    let log = |server: &Server| server.processes_with("wait-for tmux-status-").len();
    wait_for("its driver", || log(&other) == 1);
    let pid = driver.id();
    other.tmux(&["kill-server"]);
    wait_for("the driver's end", || {
        let _ = driver.try_wait();
        !runs(pid)
    });
    one.refresh();
    assert_eq!(one.names(), ["quiet"]);
}
