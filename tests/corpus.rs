//! The recorded screens of real programs, judged as a whole: how often is the answer right, by family?
//!
//! `cargo test --test corpus -- --nocapture` prints the table. The bounds are those that the project promises.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/corpus.rs"]
mod corpus;

use std::collections::BTreeMap;
use tmux_status::classify::Rules;
use tmux_status::sample::Sample;
use tmux_status::text;

/// Hits and tries.
#[derive(Default, Clone, Copy)]
struct Share(usize, usize);

impl Share {
    fn add(&mut self, hit: bool) {
        self.0 += usize::from(hit);
        self.1 += 1;
    }

    fn percent(self) -> f64 {
        100.0 * self.0 as f64 / self.1.max(1) as f64
    }
}

#[test]
fn agents_are_judged_as_promised() {
    let (rules, _) = Rules::load(None);
    let (mut kind, mut exact, mut recall, mut told) = Default::default();
    let (kind, exact, recall, told): (&mut Share, &mut Share, &mut Share, &mut Share) =
        (&mut kind, &mut exact, &mut recall, &mut told);
    let mut by_kind: BTreeMap<String, Share> = BTreeMap::new();
    let mut table: BTreeMap<(String, String), BTreeMap<&str, usize>> = BTreeMap::new();
    let mut hidden_work = Vec::new();
    let mut wrong = Vec::new();
    for sample in corpus::read("agents") {
        let verdict = rules.judge(&Sample::from_json(&sample.value).unwrap().evidence());
        assert!(text::width(&verdict.summary) <= 80 && !verdict.summary.trim().is_empty());
        let (got, wanted) = (verdict.kind.as_str(), sample.kind().to_owned());
        let fits = sample.accepts(got);
        kind.add(fits);
        exact.add(got == wanted);
        by_kind.entry(wanted.clone()).or_default().add(fits);
        *table
            .entry((sample.group.clone(), wanted.clone()))
            .or_default()
            .entry(got)
            .or_default() += 1;
        if wanted == "waiting" {
            recall.add(fits);
        }
        if matches!(wanted.as_str(), "active" | "running") && !fits && matches!(got, "waiting" | "idle") {
            hidden_work.push(sample.id().to_owned());
        }
        let need = verdict.need.map(|need| need.as_str());
        let urgent = matches!(need, Some("permission" | "question"));
        match sample.state() {
            "waiting_permission" => told.add(need == Some("permission")),
            "waiting_question" => told.add(urgent),
            "waiting_prompt" | "working" | "tool_running" => told.add(!urgent),
            _ => {}
        }
        if !fits {
            wrong.push(format!(
                "{}: wanted {wanted}, got {got} by {}",
                sample.id(),
                verdict.rule
            ));
        }
    }
    for ((group, wanted), given) in &table {
        println!("{group:14} {wanted:8} -> {given:?}");
    }
    println!("wrong: {wrong:#?}");
    let balanced = by_kind.values().map(|share| share.percent()).sum::<f64>() / by_kind.len() as f64;
    println!(
        "kind {:.1} %, exact {:.1} %, balanced {balanced:.1} %, waiting {:.1} %, need {:.1} %",
        kind.percent(),
        exact.percent(),
        recall.percent(),
        told.percent()
    );
    assert!(
        kind.1 > 800 && hidden_work.is_empty(),
        "work shown as rest: {hidden_work:?}"
    );
    assert!(kind.percent() >= 98.0 && exact.percent() >= 93.0 && balanced >= 94.0);
    assert!(recall.percent() >= 99.0 && told.percent() >= 97.0);
}
