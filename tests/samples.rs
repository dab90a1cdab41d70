//! Every recorded screen below `tests/samples` gets the verdict written in it, from the rule named in it.
//!
//! A sample's `expect` holds `kind`, `need`, `rule` and `mention` (texts that the summary contains).

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tmux_status::classify::Rules;
use tmux_status::sample::Sample;
use tmux_status::text;

fn samples() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/samples")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "json") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_sample_gets_its_verdict() {
    let (rules, _) = Rules::load(None);
    let mut wrong = Vec::new();
    let files = samples();
    assert!(files.len() > 20);
    for path in files {
        let value: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let expect = &value["expect"];
        let sample = Sample::from_json(&value).unwrap();
        let verdict = rules.judge(&sample.evidence());
        let got = (
            verdict.kind.as_str(),
            verdict.need.map(|n| n.as_str()),
            verdict.rule.as_str(),
        );
        let wanted = (
            expect["kind"].as_str().unwrap(),
            expect["need"].as_str(),
            expect["rule"].as_str().unwrap(),
        );
        let missing: Vec<&str> = expect["mention"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .filter(|part| !verdict.summary.contains(part))
            .collect();
        if got != wanted || !missing.is_empty() {
            wrong.push(format!(
                "{}: wanted {wanted:?} {missing:?}, got {got:?} {:?}",
                path.display(),
                verdict.summary
            ));
        }
        assert!(text::width(&verdict.summary) <= 80 && !verdict.summary.contains('\n'));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Deleting any rule turns the test above red, because each of them is named by a sample.
#[test]
fn every_rule_is_fired_by_a_sample() {
    let (rules, _) = Rules::load(None);
    let mut fired = BTreeSet::new();
    for path in samples() {
        let sample = Sample::read(&path).unwrap();
        fired.insert(rules.judge(&sample.evidence()).rule);
    }
    let all = rules
        .programs()
        .flat_map(|p| p.rules.iter().map(move |r| format!("{}/{}:{}", p.family, p.id, r.id)));
    let silent: Vec<String> = all.filter(|rule| !fired.contains(rule)).collect();
    assert!(silent.is_empty(), "no sample fires {silent:#?}");
}
