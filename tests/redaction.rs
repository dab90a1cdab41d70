//! Secrets do not survive, and what only looks like one stays readable: the corpus in `tests/redaction`, one line at a time, as a
//! block, and as a narrow terminal shows it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use proptest::prelude::*;
use std::fs;
use std::path::Path;
use tmux_status::summary::redact::{redact, redact_lines};

/// Look-alikes that are known to be lost, and why that is right.
const LOST: &[&str] = &[];

/// A secret that is as long as this, or longer, must not survive in runs of this many characters either.
const RUN: usize = 5;

/// A screen of the corpus.
#[derive(Default)]
struct Case {
    title: String,
    lines: Vec<String>,
    /// What must not survive.
    secrets: Vec<String>,
    /// All else.
    open: String,
}

fn cases(file: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/redaction")
        .join(file);
    let text = fs::read_to_string(path).unwrap();
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("= ") {
            cases.push(Case {
                title: title.to_owned(),
                ..Case::default()
            });
            continue;
        }
        // Comments and blanks before the first case.
        let Some(case) = cases.last_mut() else { continue };
        let line = line.replace('¦', "");
        let line = if line == "⏎" { String::new() } else { line };
        case.secrets.extend(
            line.split('⟦')
                .skip(1)
                .map(|part| part.split('⟧').next().unwrap().to_owned()),
        );
        let outside = line.split('⟧').map(|part| part.split('⟦').next().unwrap());
        case.open.extend(outside.chain(["\n"]));
        case.lines.push(line.replace(['⟦', '⟧'], ""));
    }
    cases
}

/// What of `secret` is left in `out` that does not stand in `open`, too.
fn left(secret: &str, out: &str, open: &str) -> Option<String> {
    let chars: Vec<char> = secret.chars().collect();
    let runs = chars
        .windows(RUN.min(chars.len()))
        .map(|run| run.iter().collect::<String>());
    runs.into_iter()
        .find(|run| out.contains(run.as_str()) && !open.contains(run.as_str()))
}

/// `line` as a terminal of `width` cells shows it; tmux cuts blanks at the end of a row.
fn wrapped(lines: &[String], width: usize) -> Vec<String> {
    let rows = |line: &String| -> Vec<String> {
        let chars: Vec<char> = line.chars().collect();
        if chars.is_empty() {
            return vec![String::new()];
        }
        chars
            .chunks(width)
            .map(|row| row.iter().collect::<String>().trim_end().to_owned())
            .collect()
    };
    lines.iter().flat_map(rows).collect()
}

/// Which secrets survive what `clean` does with the lines of a case, `between` its rows.
fn leaks(clean: impl Fn(&[String]) -> Vec<String>, between: &str, among: impl Fn(&Case) -> bool) -> Vec<String> {
    let mut leaks = Vec::new();
    for case in cases("secrets.txt").iter().filter(|case| among(case)) {
        let out = clean(&case.lines).join(between);
        for secret in &case.secrets {
            if let Some(run) = left(secret, &out, &case.open) {
                leaks.push(format!("{}: {run:?} is left of {secret:?} in\n{out}", case.title));
            }
        }
    }
    leaks
}

#[track_caller]
fn none(leaks: &[String]) {
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n\n"));
}

#[test]
fn no_secret_survives_in_a_line() {
    let line = |lines: &[String]| lines.iter().map(|line| redact(line)).collect();
    none(&leaks(line, "\n", |case| case.lines.len() == 1));
}

#[test]
fn no_secret_survives_in_a_block() {
    none(&leaks(|lines| redact_lines(lines, 0), "\n", |_| true));
}

#[test]
fn no_secret_survives_in_a_block_of_a_terminal_that_is_wide_enough() {
    none(&leaks(|lines| redact_lines(lines, 200), "\n", |_| true));
}

#[test]
fn no_secret_survives_where_a_narrow_terminal_broke_it() {
    for width in [24, 33, 40, 57, 80, 120] {
        none(&leaks(
            |lines| redact_lines(&wrapped(lines, width), width),
            "",
            |_| true,
        ));
    }
}

/// Lines as a program shows them that draws a frame of `width` cells.
fn boxed(lines: &[String], width: usize) -> Vec<String> {
    let inside = width - 4;
    let framed = |row: String| format!("│ {row}{} │", " ".repeat(inside - row.chars().count()));
    wrapped(lines, inside).into_iter().map(framed).collect()
}

#[test]
fn no_secret_survives_where_a_frame_broke_it() {
    let unframed = |row: String| row.trim_matches(|c| c == '│' || c == ' ').to_owned();
    let clean = |lines: &[String]| redact_lines(&boxed(lines, 60), 80).into_iter().map(unframed).collect();
    none(&leaks(clean, "", |_| true));
}

#[test]
fn what_only_looks_like_a_secret_stays() {
    let mut lost = Vec::new();
    for case in cases("lookalikes.txt") {
        let line: Vec<String> = case.lines.iter().map(|line| redact(line)).collect();
        let ways = [line, redact_lines(&case.lines, 0), redact_lines(&case.lines, 200)];
        if let Some(out) = ways.iter().find(|out| **out != case.lines) {
            if !LOST.contains(&case.title.as_str()) {
                lost.push(format!("{}: {}", case.title, out.join("\n")));
            }
        }
    }
    assert!(lost.is_empty(), "{} are lost:\n{}", lost.len(), lost.join("\n"));
    assert!(LOST.len() <= 3);
}

#[test]
fn the_corpus_is_large() {
    let (secrets, lookalikes) = (cases("secrets.txt"), cases("lookalikes.txt"));
    assert!(secrets.len() >= 80 && lookalikes.len() >= 80);
    for case in &secrets {
        assert!(!case.secrets.is_empty(), "{} marks no secret", case.title);
    }
}

#[test]
fn rows_stay_as_many_as_they_were() {
    for case in cases("secrets.txt") {
        for width in [0, 1, 2, 20, 40] {
            let rows = wrapped(&case.lines, width.max(1));
            assert_eq!(redact_lines(&rows, width).len(), rows.len(), "{}", case.title);
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_taken(
        text in r#"(token|password: |key=|"|'|\\|-----BEGIN PRIVATE KEY-----|-----END |https://|:|=|-|@| |é|漢|│|[a-zA-Z0-9+/]{1,9}|\PC|\n){0,40}"#,
        width in 0usize..60,
    ) {
        let rows: Vec<String> = text.split('\n').map(str::to_owned).collect();
        prop_assert_eq!(redact_lines(&rows, width).len(), rows.len());
        for row in &rows {
            redact(row);
        }
    }
}
