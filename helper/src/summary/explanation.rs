//! An explanation as people read it.

use crate::classify::Explanation;
use crate::text;
use crate::theme::Face;
use std::fmt::Write as _;

/// An explanation in one line: the program, what its state means, and where that stands on its screen, or what else told.
pub fn plain(rows: &[String], explanation: &Explanation) -> String {
    let verdict = &explanation.verdict;
    let means = Face::of(verdict.kind, verdict.need).meaning();
    let shown = |row: &usize| rows.get(*row).map(|row| text::one_line(row, 100));
    let row = explanation.rows.iter().filter_map(shown).find(|row| !row.is_empty());
    let why = match (row, verdict.evidence.first()) {
        (Some(row), _) => format!(". On its screen: {row}"),
        (None, Some(fact)) => format!(": {}", text::clean(fact)),
        (None, None) => String::new(),
    };
    format!("{}: {means}{why}", text::clean(&verdict.command))
}

/// An explanation for people: the verdict, what it rests on, the rows it was seen on, and what was tried before.
pub fn readable(id: &str, rows: &[String], explanation: &Explanation) -> String {
    let verdict = &explanation.verdict;
    let mut out = format!("{}: {}", text::clean(id), verdict.kind.as_str());
    if let Some(need) = verdict.need {
        let _ = write!(out, ", needs you: {}", need.as_str());
    }
    let _ = write!(
        out,
        "\n  summary     {}\n  rule        {}",
        verdict.summary, verdict.rule
    );
    let _ = write!(
        out,
        "\n  program     {} (from {})",
        verdict.command,
        text::clean(&explanation.identified)
    );
    for fact in &verdict.evidence {
        let _ = write!(out, "\n  evidence    {}", text::clean(fact));
    }
    for &row in &explanation.rows {
        if let Some(text) = rows.get(row).filter(|text| !text.trim().is_empty()) {
            let _ = write!(out, "\n  row {row:<7} {}", text::one_line(text, 100));
        }
    }
    for tried in &explanation.tried {
        if let Some(refused) = &tried.refused {
            let _ = write!(out, "\n  not         {}: {}", tried.rule, text::one_line(refused, 100));
        }
    }
    out
}
