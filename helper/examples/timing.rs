#![allow(missing_docs, clippy::all, clippy::unwrap_used, clippy::indexing_slicing)]
use std::time::Instant;
use tmux_status::{classify::Rules, cmd::explain::Sample, process};
fn main() {
    let files: Vec<std::path::PathBuf> = std::env::args().skip(1).map(Into::into).collect();
    let samples: Vec<Sample> = files.iter().map(|f| Sample::read(f).unwrap()).collect();
    let t = Instant::now();
    let (rules, _) = Rules::load(None);
    let load = t.elapsed();
    let t = Instant::now();
    let mut worst = (std::time::Duration::ZERO, 0);
    for (i, s) in samples.iter().enumerate() {
        let t = Instant::now();
        std::hint::black_box(rules.judge(&s.evidence()));
        if t.elapsed() > worst.0 {
            worst = (t.elapsed(), i);
        }
    }
    let cold = t.elapsed();
    let mut each: Vec<_> = samples
        .iter()
        .map(|s| {
            let t = Instant::now();
            std::hint::black_box(rules.judge(&s.evidence()));
            t.elapsed()
        })
        .collect();
    let warm: std::time::Duration = each.iter().sum();
    each.sort();
    println!(
        "{} panes: load {load:?} cold {cold:?} (worst {:?} {}) warm {warm:?} median {:?} max {:?}",
        samples.len(),
        worst.0,
        samples[worst.1].id,
        each[each.len() / 2],
        each[each.len() - 1]
    );
    let t = Instant::now();
    let table = process::Table::read();
    let read = t.elapsed();
    let t = Instant::now();
    let mine = table.of_pane(std::process::id(), "");
    println!(
        "table {} processes {read:?}, of_pane {} {:?}",
        table.len(),
        mine.len(),
        t.elapsed()
    );
}
