//! What the dashboard costs: from its key to its first frame, beside an empty popup, and while it is open and nothing changes.
//!
//! `scripts/bench --dashboard` runs it. A real client is attached, in a terminal of the bench's own; both popups are opened by
//! keys that are pressed there, in turn.

mod support;

use rustix::pty::{grantpt, openpt, ptsname, unlockpt, OpenptFlags};
use rustix::termios::{tcsetwinsize, Winsize};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};
use support::{median, Server};

const WINDOWS: usize = 100;
const ROUNDS: usize = 41;
const IDLE: Duration = Duration::from_secs(20);

/// A terminal with a client attached.
struct Client {
    keys: File,
    shown: Receiver<(Instant, Vec<u8>)>,
    child: Child,
}

impl Client {
    fn attach(server: &Server) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&master).expect("it is ours");
        unlockpt(&master).expect("it can be opened");
        let size = Winsize {
            ws_col: 120,
            ws_row: 40,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&master, size).expect("its size");
        let name = ptsname(&master, Vec::new()).expect("its name");
        let path = PathBuf::from(name.to_str().expect("plain"));
        let end = || {
            OpenOptions::new()
                .read(true)
                .write(true)
                .open(&path)
                .expect("its other end")
        };
        let mut command = server.command(Path::new("tmux"));
        command.args(["-u", "attach-session", "-t", "bench"]);
        command.env("TERM", "xterm-256color");
        let child = command
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("a client");
        let keys = File::from(master);
        let mut output = keys.try_clone().expect("a copy");
        let (send, shown) = mpsc::channel();
        thread::spawn(move || {
            let mut chunk = [0; 65536];
            while let Ok(length @ 1..) = output.read(&mut chunk) {
                if send.send((Instant::now(), chunk[..length].to_vec())).is_err() {
                    return;
                }
            }
        });
        Self { keys, shown, child }
    }

    fn press(&mut self, keys: &[u8]) -> Instant {
        while self.shown.try_recv().is_ok() {}
        let at = Instant::now();
        self.keys.write_all(keys).expect("a terminal");
        at
    }

    /// Milliseconds from pressing these keys until `text` is shown.
    fn until(&mut self, keys: &[u8], text: &str) -> f64 {
        let start = self.press(keys);
        let mut seen = Vec::new();
        loop {
            let (at, chunk) = self
                .shown
                .recv_timeout(Duration::from_secs(10))
                .unwrap_or_else(|_| panic!("{text:?} is never shown: {}", String::from_utf8_lossy(&seen)));
            seen.extend(chunk);
            if String::from_utf8_lossy(&seen).contains(text) {
                return (at - start).as_secs_f64() * 1000.0;
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A `tmux` that notes each call of it in the file returned, for all that the server starts from now on.
fn note_calls(server: &Server) -> PathBuf {
    let log = server.socket().with_file_name("calls");
    let script = server.socket().with_file_name("noting-tmux");
    let body = format!("#!/bin/sh\necho x >>'{}'\nexec tmux \"$@\"\n", log.display());
    fs::write(&script, body).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("one that runs");
    server.tmux(&[
        "set-environment",
        "-g",
        "TMUX_STATUS_TMUX",
        script.to_str().expect("plain"),
    ]);
    log
}

fn calls(log: &Path) -> usize {
    fs::read_to_string(log).unwrap_or_default().lines().count()
}

/// CPU milliseconds of the dashboard that is open; `None` where there is no /proc.
fn cpu() -> Option<f64> {
    let entries = fs::read_dir("/proc").ok()?.flatten();
    let dashboard = entries.map(|entry| entry.path()).find(|path| {
        let line = fs::read(path.join("cmdline")).unwrap_or_default();
        line.starts_with(env!("CARGO_BIN_EXE_tmux-status").as_bytes())
            && line.windows(9).any(|part| part == b"dashboard")
    })?;
    // Nanoseconds of each thread.
    let threads = fs::read_dir(dashboard.join("task")).ok()?.flatten();
    let spent = threads.map(|thread| {
        let stat = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        stat.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap_or(0.0)
    });
    Some(spent.sum::<f64>() / 1e6)
}

fn main() {
    // `cargo test --all-targets` runs benches, too; there is nothing to measure then.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let server = Server::start(WINDOWS);
    let plugin = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("tmux-status.tmux");
    server.tmux(&[
        "set-option",
        "-g",
        "@tmux-status-bin",
        env!("CARGO_BIN_EXE_tmux-status"),
    ]);
    server.tmux(&["set-option", "-g", "display-time", "100"]);
    server.tmux(&["run-shell", plugin.to_str().expect("plain")]);
    server.tmux(&[
        "bind-key",
        "X",
        "display-popup -E -w 90% -h 90% true ; display-message done-and-gone",
    ]);
    // As much text as a dashboard shows, from a process that only writes it.
    let full = server.socket().with_file_name("full");
    let row = format!("\x1b[1m{}\x1b[0m{}\r\n", "a row ".repeat(5), "of text ".repeat(9));
    fs::write(&full, row.repeat(33) + "as-much-text").expect("a file");
    let show = format!("cat '{}' ; read x", full.display());
    server.tmux(&[
        "bind-key",
        "Y",
        &format!("display-popup -E -w 90% -h 90% sh -c \"{show}\""),
    ]);
    let mut client = Client::attach(&server);
    sleep(Duration::from_secs(3));
    let (mut empty, mut full, mut ours) = (vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        empty.push(client.until(b"\x02X", "done-and-gone"));
        sleep(Duration::from_millis(250));
        full.push(client.until(b"\x02Y", "as-much-text"));
        client.press(b"\r");
        sleep(Duration::from_millis(250));
        ours.push(client.until(b"\x02A", "leave"));
        client.press(b"q");
        sleep(Duration::from_millis(250));
    }
    println!("{WINDOWS} windows, a client of 120x40 ({ROUNDS} rounds, in turn)");
    println!("  {:<46}   median       best", "from a key");
    let base = (median(&mut empty), empty[0]);
    for (name, times) in [
        ("to the end of display-popup -E true", &mut empty),
        ("to a popup with as much text, by cat", &mut full),
        ("to the dashboard's first frame", &mut ours),
    ] {
        let (median, best) = (median(times), times[0]);
        let (of_median, of_best) = (median / base.0, best / base.1);
        println!("  {name:<46} {median:>6.2} ms  {best:>6.2} ms  {of_median:>5.2}x {of_best:>5.2}x");
    }
    let log = note_calls(&server);
    client.until(b"\x02A", "leave");
    sleep(Duration::from_secs(1));
    let (opened, before) = (calls(&log), cpu());
    let file = server.status_file();
    let start = Instant::now();
    sleep(IDLE);
    let spent = cpu().zip(before).map(|(after, before)| after - before);
    let wall = start.elapsed().as_secs_f64() * 1000.0;
    println!("  tmux processes to open it, with a preview   {opened}");
    println!(
        "  the same in {} s while nothing changes      {}",
        IDLE.as_secs(),
        calls(&log) - opened
    );
    let same = |a: &[u8], b: &[u8]| a.iter().skip(40).eq(b.iter().skip(40));
    assert!(same(&file, &server.status_file()), "the windows moved while measuring");
    if let Some(spent) = spent {
        println!(
            "  its CPU meanwhile {spent:.2} ms, {:.3} % of a core",
            spent * 100.0 / wall
        );
    }
    client.press(b"q");
}
