//! How true the verdicts are on recorded screens of ordinary programs (`tests/corpus/plain`, a recording a line), and how
//! much of what matters the summaries say. Prints a table by family: `cargo test --test corpus_plain -- --nocapture`.
//!
//! A recording holds the best `kind`, others that a fair judge accepts (`also`), texts a good summary mentions, and `pane`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use tmux_status::classify::Rules;
use tmux_status::model::Need;
use tmux_status::sample::Sample;
use tmux_status::text;

/// One recording, and its family.
fn recordings() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/plain");
    let mut found: Vec<(String, Value)> = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let family = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        found.extend(
            text.lines()
                .map(|line| (family.clone(), serde_json::from_str(line).unwrap())),
        );
    }
    found.sort_by(|(one, a), (other, b)| (one, a["id"].as_str()).cmp(&(other, b["id"].as_str())));
    found
}

/// Recordings as they were taken where `keys` are not to be had.
fn without(recording: &Value, keys: &[&str]) -> Value {
    let mut recording = recording.clone();
    let pane = recording["pane"].as_object_mut().unwrap();
    for key in keys {
        pane.remove(*key);
        for list in ["process_tree", "descendants"] {
            for row in pane.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
                row.as_object_mut().unwrap().remove(*key);
            }
        }
    }
    recording
}

/// What was right, of how many: in percent.
#[derive(Debug, Default)]
struct Score {
    kind: f64,
    exact: f64,
    balanced: f64,
    mention: f64,
    need: f64,
}

fn percent((right, all): (usize, usize)) -> f64 {
    100.0 * right as f64 / all.max(1) as f64
}

fn count(to: &mut (usize, usize), right: bool) {
    to.0 += usize::from(right);
    to.1 += 1;
}

fn score(drop: &[&str], print: bool) -> Score {
    let (rules, _) = Rules::load(None);
    let mut families: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut kinds: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut confused: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let (mut kind, mut exact, mut mention, mut need) = ((0, 0), (0, 0), (0, 0), (0, 0));
    for (family, recording) in recordings() {
        let recording = without(&recording, drop);
        let verdict = rules.judge(&Sample::from_json(&recording).unwrap().evidence());
        let id = recording["id"].as_str().unwrap();
        let best = recording["kind"].as_str().unwrap();
        let given = verdict.kind.as_str();
        let also = recording["also"].as_array().into_iter().flatten();
        let right = given == best || also.filter_map(Value::as_str).any(|kind| kind == given);
        count(families.entry(family.clone()).or_default(), right);
        count(kinds.entry(best.to_owned()).or_default(), right);
        count(&mut kind, right);
        count(&mut exact, given == best);
        if given != best {
            *confused.entry((best.to_owned(), given)).or_default() += 1;
        }
        if let Some(texts) = recording["mention"].as_array() {
            let summary = verdict.summary.to_lowercase();
            let all = texts
                .iter()
                .all(|text| summary.contains(&text.as_str().unwrap().to_lowercase()));
            count(&mut mention, all);
            if !all && print {
                println!("   {id}: {} does not mention {texts:?}", verdict.summary);
            }
        }
        // Nobody is asked for at a shell's prompt, or while something works.
        if family == "shell-prompt" || matches!(best, "active" | "running") {
            let urgent = matches!(verdict.need, Some(Need::Question | Need::Permission));
            count(&mut need, !urgent);
        }
        if !right && print {
            println!(
                "   {id}: {best} expected, {given} given by {} {:?}",
                verdict.rule, verdict.summary
            );
        }
        let clean = text::one_line(&verdict.summary, text::SUMMARY_LIMIT) == verdict.summary;
        let frames = verdict.summary.contains(|c| ('\u{2500}'..='\u{257f}').contains(&c));
        assert!(clean && !verdict.summary.is_empty(), "{id}: {:?}", verdict.summary);
        assert!(
            !frames || verdict.summary.contains("command: "),
            "{id}: frames in {:?}",
            verdict.summary
        );
    }
    if print {
        for (family, counts) in &families {
            println!(
                "   {family:16} {:3}/{:<3} {:5.1} %",
                counts.0,
                counts.1,
                percent(*counts)
            );
        }
        println!("   confused (expected, given): {confused:?}");
    }
    let large: Vec<f64> = kinds
        .values()
        .filter(|counts| counts.1 >= 10)
        .map(|c| percent(*c))
        .collect();
    let score = Score {
        kind: percent(kind),
        exact: percent(exact),
        balanced: large.iter().sum::<f64>() / large.len() as f64,
        mention: percent(mention),
        need: percent(need),
    };
    println!("without {drop:?}: {score:.1?}");
    score
}

#[test]
fn recorded_screens_are_judged_and_summed_up_well() {
    let whole = score(&[], true);
    assert!(
        whole.kind >= 96.0 && whole.exact >= 88.0 && whole.balanced >= 92.0,
        "{whole:?}"
    );
    assert!(whole.mention >= 92.0 && whole.need >= 97.0, "{whole:?}");
    // Another user's rights; another platform.
    let plain = score(&["syscall"], false);
    assert!(
        plain.kind >= whole.kind - 1.0 && plain.exact >= whole.exact - 1.0,
        "{plain:?}"
    );
    let bare = score(&["syscall", "wchan", "terminal"], false);
    assert!(
        bare.kind >= whole.kind - 3.0 && bare.exact >= whole.exact - 3.0,
        "{bare:?}"
    );
}
