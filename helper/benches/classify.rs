//! What judging costs: one pane with all rules loaded, cold and warm, and one pass over a full process table.
//!
//! `scripts/bench` runs it, on the recorded screens of the tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tmux_status::classify::Rules;
use tmux_status::process::{self, Table};
use tmux_status::sample::Sample;

fn samples(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .expect("the samples")
        .map(|entry| entry.expect("an entry").path());
    let below = |path: PathBuf| if path.is_dir() { samples(&path) } else { vec![path] };
    entries
        .flat_map(below)
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect()
}

/// CPU time that `work` takes.
fn cpu(work: impl FnOnce()) -> Duration {
    let start = process::own_cpu();
    work();
    process::own_cpu().saturating_sub(start)
}

/// Children that sleep, gone with this value.
struct Sleepers(Vec<Child>);

impl Drop for Sleepers {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn main() {
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/samples");
    let samples: Vec<Sample> = samples(&folder)
        .iter()
        .map(|path| Sample::read(path).expect("a sample"))
        .collect();
    let start = Instant::now();
    let (rules, _) = Rules::load(None);
    println!("rules loaded in {:.0} us", start.elapsed().as_secs_f64() * 1e6);
    let cold = cpu(|| samples.iter().for_each(|sample| drop(rules.judge(&sample.evidence()))));
    let mut warm: Vec<Duration> = Vec::new();
    for sample in &samples {
        let times = (0..9).map(|_| {
            let start = Instant::now();
            drop(rules.judge(&sample.evidence()));
            start.elapsed()
        });
        warm.push(times.min().unwrap_or_default());
    }
    warm.sort();
    let us = |time: Duration| time.as_secs_f64() * 1e6;
    let at = |part: usize| us(warm[(warm.len() - 1) * part / 100]);
    println!("{} panes judged, each another screen:", samples.len());
    println!(
        "  first time, patterns compiled as they are reached   {:>8.1} us a pane (CPU)",
        us(cold) / samples.len() as f64
    );
    println!(
        "  patterns compiled    median {:.1} us, 95 % below {:.1} us, worst {:.1} us",
        at(50),
        at(95),
        at(100)
    );

    let sleep = || {
        Command::new("sleep")
            .arg("60")
            .stdin(Stdio::null())
            .spawn()
            .expect("sleep(1)")
    };
    let running = Table::read().len();
    let _sleepers = Sleepers((running..500).map(|_| sleep()).collect());
    let mut passes: Vec<Duration> = (0..21).map(|_| cpu(|| drop(Table::read()))).collect();
    passes.sort();
    println!(
        "one pass over {} processes    median {:.2} ms CPU",
        Table::read().len(),
        us(passes[10]) / 1000.0
    );
}
