//! How far the status file lags behind a server with a hundred windows, and what keeping it fresh costs.
//!
//! `scripts/bench --watch` runs it; it takes some minutes. Processor time is what the kernel counted; lags are wall time
//! from the end of the tmux call that made the event to the status file that tells it.

mod support;

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use support::Server;

const WINDOWS: usize = 100;
const EVENTS: usize = 200;
/// How long an event may take before it counts as lost.
const LOST: Duration = Duration::from_secs(10);

/// Loads the plugin, which starts the driver; the driver's process.
fn drive(server: &Server) -> u32 {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    server.tmux(&[
        "set-option",
        "-g",
        "@tmux-status-bin",
        env!("CARGO_BIN_EXE_tmux-status"),
    ]);
    server.tmux(&["run-shell", &format!("'{}'", root.join("tmux-status.tmux").display())]);
    let mark = format!("{}\0watch", server.socket().display());
    for _ in 0..500 {
        thread::sleep(Duration::from_millis(20));
        if let Some(pid) = pids().find(|pid| command_line(*pid).contains(&mark)) {
            thread::sleep(Duration::from_secs(3));
            return pid;
        }
    }
    panic!("the plugin has started no driver");
}

fn pids() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn command_line(pid: u32) -> String {
    String::from_utf8_lossy(&fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default()).into_owned()
}

/// A number below `end`, any.
fn random(end: u64) -> u64 {
    RandomState::new().build_hasher().finish() % end
}

/// Waits until the status file holds `text`; how long that took.
fn lag(server: &Server, text: &str) -> Option<Duration> {
    let start = Instant::now();
    while start.elapsed() < LOST {
        let file = server.status_file();
        if file.windows(text.len()).any(|part| part == text.as_bytes()) {
            return Some(start.elapsed());
        }
        thread::sleep(Duration::from_millis(4));
    }
    None
}

fn told(what: &str, lags: Vec<Option<Duration>>) {
    let lost = lags.iter().filter(|lag| lag.is_none()).count();
    let mut ms: Vec<f64> = lags.iter().flatten().map(|lag| lag.as_secs_f64() * 1000.0).collect();
    ms.sort_by(f64::total_cmp);
    let at = |part: f64| ms[((ms.len() - 1) as f64 * part) as usize];
    println!(
        "  {what:<44} median {:>5.0} ms, 95 % within {:>5.0} ms, all within {:>5.0} ms; lost {lost} of {}",
        at(0.5),
        at(0.95),
        at(1.0),
        lags.len()
    );
}

/// What no hook tells: a shell begins to ask, at any moment of a second.
fn screen_changes(server: &Server) -> Vec<Option<Duration>> {
    let worker = |worker: usize| {
        (0..EVENTS / 4)
            .map(|n| {
                thread::sleep(Duration::from_millis(random(1000)));
                let target = format!("bench:{}", worker * 20 + n % 20);
                let question = format!("Take {worker}x{n}?");
                server.tmux(&[
                    "send-keys",
                    "-t",
                    &target,
                    &format!(" read -p '{question} ' x"),
                    "Enter",
                ]);
                let seen = lag(server, &format!("asks: {question}"));
                server.tmux(&["send-keys", "-t", &target, "Enter"]);
                seen
            })
            .collect::<Vec<_>>()
    };
    let worker = &worker;
    thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|n| scope.spawn(move || worker(n))).collect();
        workers.into_iter().flat_map(|w| w.join().expect("a worker")).collect()
    })
}

fn hook_events(server: &Server) -> Vec<Option<Duration>> {
    let event = |n: usize| {
        thread::sleep(Duration::from_millis(random(200)));
        let name = format!("named-{n}-");
        server.tmux(&["rename-window", "-t", &format!("bench:{}", n % WINDOWS), &name]);
        lag(server, &name)
    };
    (0..EVENTS).map(event).collect()
}

/// Output of any length at any moment, ending in a state that must not be lost.
fn bursts(server: &Server) -> Vec<Option<Duration>> {
    let burst = |n: usize| {
        let target = format!("bench:{}", 80 + n % 20);
        let (lines, pause) = (random(200), random(40));
        let question = format!("Burst {n}?");
        let script = format!(" for i in {{1..{lines}}}; do echo $i; done; sleep 0.{pause:02}; read -p '{question} ' x");
        server.tmux(&["send-keys", "-t", &target, &script, "Enter"]);
        let seen = lag(server, &format!("asks: {question}"));
        server.tmux(&["send-keys", "-t", &target, "Enter"]);
        seen
    };
    (0..EVENTS).map(burst).collect()
}

/// Processor time that the kernel has counted: of a process, and of its children that have ended.
fn cpu(pid: u32) -> (f64, f64) {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("it runs");
    let fields: Vec<&str> = stat.rsplit_once(") ").expect("a stat line").1.split(' ').collect();
    let ticks = |n: usize| fields[n].parse::<f64>().expect("a number") / 100.0;
    (ticks(11) + ticks(12), ticks(13) + ticks(14))
}

/// Percent of one core, over that many seconds: of the server, the driver, and the tmux processes that it has run.
fn cost(server: u32, driver: Option<u32>, seconds: u64) -> (f64, f64, f64) {
    let now = || (cpu(server).0, driver.map_or((0.0, 0.0), cpu));
    let (server_before, driver_before) = now();
    thread::sleep(Duration::from_secs(seconds));
    let (server_after, driver_after) = now();
    let part = |before: f64, after: f64| (after - before) / seconds as f64 * 100.0;
    (
        part(server_before, server_after),
        part(driver_before.0, driver_after.0),
        part(driver_before.1, driver_after.1),
    )
}

fn memory(pid: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
}

fn main() {
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let server = Server::start(WINDOWS);
    let pid: u32 = server
        .tmux(&["display-message", "-p", "#{pid}"])
        .trim()
        .parse()
        .expect("a pid");
    let busy = |server: &Server| {
        for n in 0..20 {
            server.tmux(&[
                "send-keys",
                "-t",
                &format!("bench:{n}"),
                " while sleep 0.5; do date; done",
                "Enter",
            ]);
        }
        thread::sleep(Duration::from_secs(3));
    };
    let calm = |server: &Server| {
        for n in 0..20 {
            server.tmux(&["send-keys", "-t", &format!("bench:{n}"), "C-c"]);
        }
        thread::sleep(Duration::from_secs(3));
    };
    busy(&server);
    let without = cost(pid, None, 30).0;
    calm(&server);
    let driver = drive(&server);
    println!("{WINDOWS} windows, driver at one look a second (percent of one core)");
    let row = |what: &str, (server, driver, children): (f64, f64, f64)| {
        println!(
            "  {what:<44} tmux server {server:.2} %, driver {driver:.2} %, together {:.2} %; its tmux processes {children:.2} %",
            server + driver
        );
    };
    row("idle, over a minute", cost(pid, Some(driver), 62));
    busy(&server);
    let (all, own, children) = cost(pid, Some(driver), 30);
    row(
        "20 windows that print twice a second, more",
        (all - without, own, children),
    );
    calm(&server);
    told("a question on a screen is in the file", screen_changes(&server));
    told("a window's new name is in the file", hook_events(&server));
    told("the last of a burst of output is in the file", bursts(&server));
    let before = memory(driver);
    let storm: PathBuf = server.socket().with_file_name("storm");
    let lines: String = (0..50_000)
        .map(|n| format!("rename-window -t bench:1 n{n}\n"))
        .collect();
    fs::write(&storm, lines).expect("a script");
    server.tmux(&["source-file", &storm.display().to_string()]);
    told("after 50000 events, the last of them", vec![lag(&server, "n49999")]);
    println!(
        "  driver's memory {before:.1} MiB, after 50000 events {:.1} MiB",
        memory(driver)
    );
}
