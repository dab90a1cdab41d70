//! What a refresh costs beside the bare tmux calls it replaces: medians of one run, interleaved, at several sizes.
//!
//! `scripts/bench` runs it. The windows hold shells with some text on a private server; wall times are only comparable
//! within one run, so the table gives ratios.

mod support;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use support::{median, timed, Server};

/// The fields that a look lists, for the bare listing.
const FIELDS: &str = "#{session_id}\t#{window_id}\t#{pane_id}\t#{window_index}\t#{window_active}\t#{pane_index}\t\
     #{pane_active}\t#{pane_pid}\t#{pane_width}\t#{pane_height}\t#{cursor_x}\t#{cursor_y}\t#{cursor_flag}\t\
     #{alternate_on}\t#{pane_dead}\t#{pane_dead_status}\t#{pane_dead_signal}\t#{window_activity}\t#{window_bell_flag}\t\
     #{session_attached}\t#{session_activity}\t#{pane_mode}\t#{pane_tty}\t#{session_name}\t#{window_name}\t\
     #{pane_title}\t#{pane_start_command}\t#{pane_current_command}\t#{pane_current_path}";

/// A refresh; what it says of its own cost (CPU in microseconds, peak memory in KiB).
fn refresh(server: &Server, args: &[&str]) -> (u64, u64) {
    let mut command = server.command(Path::new(env!("CARGO_BIN_EXE_tmux-status")));
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

/// The option that names a model, and a model that takes its time.
const MODEL: &str = "@tmux-status-ai-command";
const SLOW: &str = "sleep 50";

/// A process that asks it about every window.
fn ask_slow_model(server: &Server) -> Child {
    server.tmux(&["set-option", "-g", MODEL, SLOW]);
    let mut command = server.command(Path::new(env!("CARGO_BIN_EXE_tmux-status")));
    let command = command.arg("summarise").stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the helper runs")
}

fn measure(windows: usize, rounds: usize) {
    let server = Server::start(windows);
    refresh(&server, &["--full"]);
    let panes = server.tmux(&["list-panes", "-a", "-F", "#{pane_id}"]);
    let (mut spawn, mut listing, mut quiet, mut full, mut each) = (vec![], vec![], vec![], vec![], vec![]);
    let (mut quiet_cpu, mut full_cpu, mut peak) = (vec![], vec![], 0);
    let mut asking = vec![];
    let file = server.status_file();
    let mut asker = ask_slow_model(&server);
    for round in 0..rounds {
        server.tmux(&["set-option", "-g", MODEL, SLOW]);
        timed(&mut asking, || refresh(&server, &[]));
        server.tmux(&["set-option", "-g", MODEL, "off"]);
        timed(&mut spawn, || Command::new("true").status().expect("true"));
        timed(&mut listing, || server.tmux(&["list-panes", "-a", "-F", FIELDS]));
        quiet_cpu.push(timed(&mut quiet, || refresh(&server, &[])).0);
        let (cpu, memory) = timed(&mut full, || refresh(&server, &["--full"]));
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
    let asked = asker.try_wait().expect("its state").is_none();
    assert!(
        asked,
        "the model answered while measuring: the figures are worth nothing"
    );
    // It takes its model with it.
    let pid = asker.id().to_string();
    Command::new("kill").arg(pid).status().expect("kill");
    asker.wait().expect("its end");
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
    row(
        "the same while a slow model is asked",
        median(&mut asking),
        String::new(),
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
