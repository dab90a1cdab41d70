//! Storms of events, helpers that are killed, and readers that never rest: the file is whole at every moment, and true in
//! the end.

mod support;

use serde_json::Value;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use support::{check_schema, now, shell_word, wait_for, Server, HELPER};

/// A server with the plugin, whose hooks run a helper that notes each run in the file returned.
fn with_counted_helper(script: &str) -> (Server, PathBuf) {
    let server = Server::quiet();
    let log = server.room().join("runs");
    let helper = server.write_script(
        "helper",
        &format!(
            "case $1 in refresh) echo \"$*\" >>{}; {script} ;; esac\nexec {} \"$@\"",
            shell_word(&log),
            shell_word(Path::new(HELPER))
        ),
    );
    // With a driver, hooks run none.
    server.run("set-option -g @tmux-status-watch off");
    server.use_helper(&helper);
    server.source();
    wait_for("the first status file", || server.try_status().is_some());
    wait_for_rest(&server);
    (server, log)
}

/// Waits until no hook's helper runs or is about to.
fn wait_for_rest(server: &Server) {
    wait_for("the end of all helpers", || {
        server.processes_with("refresh --hook ").is_empty()
    });
}

fn runs(log: &Path) -> usize {
    fs::read_to_string(log).unwrap_or_default().lines().count()
}

/// Every window as tmux lists it, and as the file does.
fn listed(server: &Server) -> Vec<String> {
    let windows = server.tmux(&[
        "list-windows",
        "-a",
        "-F",
        "#{session_name}:#{window_index} #{window_name} #{window_active}",
    ]);
    windows.lines().map(str::to_owned).collect()
}

fn filed(server: &Server) -> Vec<String> {
    let file = server.status();
    let windows = file["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|session| session["windows"].as_array().unwrap());
    let line = |window: &Value| {
        format!(
            "{} {} {}",
            window["target"].as_str().unwrap(),
            window["name"].as_str().unwrap(),
            u8::from(window["active"] == true)
        )
    };
    windows.map(line).collect()
}

/// Opens windows in a loop, and checks how many helpers that cost and what the file says in the end.
fn storm() {
    const WINDOWS: usize = 50;
    let (server, log) = with_counted_helper("");
    fs::remove_file(&log).unwrap();
    let start = Instant::now();
    for number in 0..WINDOWS {
        server.run(&format!("new-window -d -t work: -n storm-{number}"));
    }
    let lasted = start.elapsed();
    let expected = listed(&server);
    assert_eq!(expected.len(), WINDOWS + 1);
    wait_for("a true file", || filed(&server) == expected);
    wait_for_rest(&server);
    assert_eq!(filed(&server), expected);
    let runs = runs(&log);
    println!("{WINDOWS} windows in {lasted:?}: {runs} helpers");
    let most = 4 + usize::try_from(lasted.as_millis()).unwrap() / 50;
    assert!(
        (1..=most).contains(&runs),
        "{runs} helpers in {lasted:?}, at most {most}"
    );
    assert_eq!(server.panes_in_a_mode(), 0);
}

#[test]
fn fifty_windows_in_a_loop_cost_a_handful_of_helpers_and_end_in_a_true_file() {
    for _ in 0..3 {
        storm();
    }
}

#[test]
#[ignore = "long: twenty storms"]
fn twenty_storms_of_twenty_end_in_a_true_file() {
    for _ in 0..20 {
        storm();
    }
}

#[test]
fn killing_a_session_of_350_windows_ends_in_a_true_file() {
    let (server, log) = with_counted_helper("");
    server.run("new-session -d -s stays");
    server.open_windows(349);
    wait_for("all windows in the file", || filed(&server).len() == 351);
    wait_for_rest(&server);
    fs::remove_file(&log).unwrap();
    let start = Instant::now();
    server.run("kill-session -t work");
    let lasted = start.elapsed();
    wait_for("a true file", || filed(&server) == listed(&server));
    wait_for_rest(&server);
    assert_eq!(filed(&server).len(), 1);
    let runs = runs(&log);
    println!("350 windows killed in {lasted:?}: {runs} helpers");
    // session-closed has a helper of its own, which no guard keeps back.
    let most = 5 + usize::try_from(lasted.as_millis()).unwrap() / 50;
    assert!(
        (1..=most).contains(&runs),
        "{runs} helpers in {lasted:?}, at most {most}"
    );
}

#[test]
fn killing_a_hundred_sessions_costs_a_handful_of_helpers_and_ends_in_a_true_file() {
    let (server, log) = with_counted_helper("");
    let open = (0..100)
        .map(|n| format!("new-session -d -s s{n}\n"))
        .collect::<String>();
    let script = server.room().join("open.conf");
    fs::write(&script, open).unwrap();
    server.tmux(&["source-file", script.to_str().unwrap()]);
    wait_for("all sessions in the file", || filed(&server).len() == 101);
    wait_for_rest(&server);
    fs::remove_file(&log).unwrap();
    let start = Instant::now();
    server.run("kill-session -a -t =work");
    let lasted = start.elapsed();
    wait_for("the one session that is left", || filed(&server) == listed(&server));
    wait_for_rest(&server);
    let most = 4 + usize::try_from(lasted.as_millis() / 50).unwrap();
    assert!(runs(&log) <= most, "{} helpers in {lasted:?}, not {most}", runs(&log));
}

/// The epoch second since when a refresh is owed; 0 when none is.
fn owed_since(server: &Server) -> u64 {
    let line = server.run("show-environment -gh TMUX_STATUS_D");
    line.rsplit_once('=').unwrap().1.parse().unwrap()
}

#[test]
fn a_helper_killed_in_a_storm_makes_no_hook_deaf_for_longer_than_two_seconds() {
    let (server, log) = with_counted_helper("[ -e \"${0%/*}/deadly\" ] && kill -9 $$");
    let deadly = server.room().join("deadly");
    fs::write(&deadly, "").unwrap();
    fs::remove_file(&log).unwrap();
    for number in 0..10 {
        server.run(&format!("new-window -d -t work: -n lost-{number}"));
    }
    wait_for("a helper to be killed", || runs(&log) > 0);
    wait_for_rest(&server);
    assert_eq!(filed(&server).len(), 1);
    let since = owed_since(&server);
    assert_ne!(since, 0, "a helper that was killed has told nobody");
    fs::remove_file(&deadly).unwrap();
    wait_for("the note to grow old", || now() >= since + 2);
    server.run("new-window -d -t work: -n last");
    wait_for("a true file", || filed(&server) == listed(&server));
    assert_eq!(server.panes_in_a_mode(), 0);
}

#[test]
fn a_note_from_a_time_to_come_makes_no_hook_deaf() {
    let (server, _) = with_counted_helper("");
    server.run(&format!("set-environment -gh TMUX_STATUS_D {}", now() + 3600));
    server.run("new-window -d -t work: -n next");
    wait_for("a true file", || filed(&server) == listed(&server));
    wait_for_rest(&server);
    assert_eq!(owed_since(&server), 0);
}

#[test]
fn four_readers_that_never_rest_see_a_whole_file_at_every_one_of_five_hundred_writes() {
    const READS: usize = 10_000;
    let server = Server::quiet();
    for _ in 0..4 {
        server.run("new-window -d -t work:");
    }
    server.refresh();
    let (reads, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let files = [server.status_file(), server.state_file()];
    let read = || {
        while !done.load(Ordering::Relaxed) || reads.load(Ordering::Relaxed) < READS {
            for file in &files {
                let bytes = fs::read(file).expect("there is a file at every moment");
                serde_json::from_slice::<Value>(&bytes).expect("it is whole");
            }
            reads.fetch_add(1, Ordering::Relaxed);
            // Four that spin would leave the writer no processor.
            thread::sleep(Duration::from_micros(500));
        }
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(read);
        }
        // However this ends, the readers do.
        let _end = End(&done);
        for number in 0..500 {
            // Files of other lengths.
            if number % 10 == 0 {
                server.run(&format!("rename-window -t work:0 {}", "x".repeat(1 + number % 200)));
            }
            server.refresh_with(&["--full"]);
        }
    });
    println!(
        "{} reads of both files during 500 writes",
        reads.load(Ordering::Relaxed)
    );
}

struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn two_hundred_helpers_killed_at_any_moment_leave_a_whole_file_and_nothing_that_hinders() {
    let server = Server::quiet();
    server.refresh();
    let start = Instant::now();
    server.refresh_with(&["--full"]);
    // From its first moment to beyond its last.
    let span = start.elapsed().mul_f64(1.2).max(Duration::from_millis(30));
    let mut killed = 0;
    for number in 0_u32..200 {
        server.run(&format!("rename-window -t work:0 name-{number}"));
        let mut command = server.command(HELPER);
        let mut helper = command
            .args(["refresh", "--full"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(span.mul_f64(f64::from(number * 79 % 200) / 200.0));
        helper.kill().unwrap();
        killed += usize::from(helper.wait().unwrap().signal() == Some(9));
        check_schema(&server.status());
        assert!(server.state()["version"].is_u64());
        // The next one in line finds no lock, and no file, in its way.
        server.refresh();
        assert_eq!(server.names(), [format!("name-{number}")]);
    }
    println!("{killed} of 200 helpers were killed before they had ended");
    assert!(killed > 20, "only {killed} of 200 helpers were killed in time");
    assert_eq!(
        server.files(),
        ["tmux-status.json", "tmux-status.state.json", "tmux-status.write.lock"]
    );
}
