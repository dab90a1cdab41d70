//! What a refresh costs beside the bare tmux calls it replaces: medians of one run, interleaved, at several sizes.
//!
//! `scripts/bench` runs it. The windows hold shells with some text on a private server; wall times are only comparable
//! within one run, so the table gives ratios.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The fields that a look lists, for the bare listing.
const FIELDS: &str = "#{session_id}\t#{window_id}\t#{pane_id}\t#{window_index}\t#{window_active}\t#{pane_index}\t\
     #{pane_active}\t#{pane_pid}\t#{pane_width}\t#{pane_height}\t#{cursor_x}\t#{cursor_y}\t#{cursor_flag}\t\
     #{alternate_on}\t#{pane_dead}\t#{pane_dead_status}\t#{pane_dead_signal}\t#{window_activity}\t#{window_bell_flag}\t\
     #{session_attached}\t#{session_activity}\t#{pane_mode}\t#{pane_tty}\t#{session_name}\t#{window_name}\t\
     #{pane_title}\t#{pane_start_command}\t#{pane_current_command}\t#{pane_current_path}";

struct Server {
    folder: tempfile::TempDir,
}

impl Server {
    /// A server of its own with `windows` windows, each a shell at its prompt with some output above it.
    fn start(windows: usize) -> Self {
        let server = Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        let shell = "PS1='dev@box:~$ ' exec bash --norc --noprofile -i";
        server.tmux(&["new-session", "-d", "-s", "bench", "-x", "120", "-y", "40", shell]);
        for _ in 1..windows {
            server.tmux(&["new-window", "-d", "-t", "bench:", shell]);
        }
        let text = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo line $i of some output in this window; done";
        let panes = server.tmux(&["list-panes", "-a", "-F", "#{pane_id}"]);
        for pane in panes.lines() {
            server.tmux(&["send-keys", "-t", pane, text, "Enter"]);
        }
        // Windows count as moved until the second of their last output is over.
        std::thread::sleep(Duration::from_secs(3));
        server
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .arg("-S")
            .arg(self.socket())
            .env_remove("TMUX")
            .env_remove("TMUX_PANE");
        command.env("XDG_STATE_HOME", self.folder.path()).stdin(Stdio::null());
        command
    }

    fn tmux(&self, args: &[&str]) -> String {
        let mut command = self.command(Path::new("tmux"));
        let out = command
            .args(["-u", "-f", "/dev/null"])
            .args(args)
            .output()
            .expect("tmux is installed");
        assert!(
            out.status.success(),
            "tmux {args:?}: {}",
            String::from_utf8_lossy(&out.stderr)
        );
        String::from_utf8_lossy(&out.stdout).into_owned()
    }

    /// A refresh; what it says of its own cost (CPU in microseconds, peak memory in KiB).
    fn refresh(&self, args: &[&str]) -> (u64, u64) {
        let mut command = self.command(Path::new(env!("CARGO_BIN_EXE_tmux-status")));
        let out = command
            .args(["refresh", "--stats"])
            .args(args)
            .output()
            .expect("the helper runs");
        assert!(
            out.status.success(),
            "refresh: {}",
            String::from_utf8_lossy(&out.stderr)
        );
        let stats: serde_json::Value = serde_json::from_slice(&out.stderr).expect("statistics");
        let number = |key: &str| stats[key].as_u64().unwrap_or(0);
        (number("cpuMicroseconds"), number("peakKiB"))
    }

    fn status_file(&self) -> Vec<u8> {
        let folder = self.folder.path().join("thegrid");
        let entries = fs::read_dir(folder)
            .expect("the folder")
            .map(|e| e.expect("an entry").path());
        let file = entries
            .into_iter()
            .find(|p| p.to_string_lossy().ends_with("socket.json"))
            .expect("the status file");
        fs::read(file).expect("the status file")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.command(Path::new("tmux")).arg("kill-server").output();
    }
}

fn timed<T>(times: &mut Vec<f64>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    times.push(start.elapsed().as_secs_f64() * 1000.0);
    result
}

fn median<T: Copy + PartialOrd>(values: &mut [T]) -> T {
    values.sort_by(|a, b| a.partial_cmp(b).expect("comparable"));
    values[values.len() / 2]
}

fn measure(windows: usize, rounds: usize) {
    let server = Server::start(windows);
    server.refresh(&["--full"]);
    let panes = server.tmux(&["list-panes", "-a", "-F", "#{pane_id}"]);
    let (mut spawn, mut listing, mut quiet, mut full, mut each) = (vec![], vec![], vec![], vec![], vec![]);
    let (mut quiet_cpu, mut full_cpu, mut peak) = (vec![], vec![], 0);
    let file = server.status_file();
    for round in 0..rounds {
        timed(&mut spawn, || Command::new("true").status().expect("true"));
        timed(&mut listing, || server.tmux(&["list-panes", "-a", "-F", FIELDS]));
        quiet_cpu.push(timed(&mut quiet, || server.refresh(&[])).0);
        let (cpu, memory) = timed(&mut full, || server.refresh(&["--full"]));
        full_cpu.push(cpu);
        peak = peak.max(memory);
        // One process a window is slow: a few rounds tell enough.
        if round < 3 {
            timed(&mut each, || {
                for pane in panes.lines() {
                    server.tmux(&["capture-pane", "-p", "-t", pane]);
                }
            });
        }
    }
    let same = |a: &[u8], b: &[u8]| a.iter().skip(40).eq(b.iter().skip(40));
    assert!(
        same(&file, &server.status_file()),
        "the windows moved while measuring: the figures are worth nothing"
    );
    let base = median(&mut listing);
    let row = |name: &str, ms: f64, note: String| println!("  {name:<34} {ms:>9.2} ms {:>8.2}x {note}", ms / base);
    println!("{windows} windows (medians of {rounds}; x = times the bare listing)");
    row("spawn of true(1)", median(&mut spawn), String::new());
    row("tmux list-panes -a, same fields", base, String::new());
    row(
        "refresh, nothing changed",
        median(&mut quiet),
        format!("helper's own CPU {:.2} ms", ms(median(&mut quiet_cpu))),
    );
    let own = format!(
        "helper's own CPU {:.2} ms, peak memory {:.1} MiB",
        ms(median(&mut full_cpu)),
        peak as f64 / 1024.0
    );
    let all = median(&mut full);
    row("refresh --full", all, own);
    let per_window = median(&mut each);
    row(
        "one capture process per window",
        per_window,
        format!("{:.0}x the full refresh", per_window / all),
    );
}

fn ms(microseconds: u64) -> f64 {
    microseconds as f64 / 1000.0
}

fn main() {
    // `cargo test --all-targets` runs benches, too; there is nothing to measure then.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    for (windows, rounds) in [(10, 31), (100, 31), (500, 11)] {
        measure(windows, rounds);
    }
}
