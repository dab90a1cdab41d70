//! Recorded looks at agents, taken apart so that a test can change what a screen shows without changing what it means.

#![allow(dead_code, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use serde_json::{json, Map, Value};
use std::ops::Range;
use tmux_status::classify::Rules;
use tmux_status::sample::Sample;
use tmux_status::text;

/// One look: rows, cursor, title.
#[derive(Debug, Clone)]
pub struct Look {
    pub rows: Vec<String>,
    pub x: usize,
    pub y: usize,
    pub title: String,
}

/// A sample with one look or two, and what is said of it.
#[derive(Debug, Clone)]
pub struct Subject {
    pub agent: String,
    pub id: String,
    pub pane: Map<String, Value>,
    pub looks: Vec<Look>,
    pub said: Said,
}

/// What the rules say of a sample.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    pub kind: &'static str,
    pub need: Option<&'static str>,
    pub rule: String,
    pub rows: Vec<usize>,
    pub by_title: bool,
}

impl Subject {
    pub fn of(agent: &str, value: &Value, rules: &Rules) -> Subject {
        let pane = value["pane"].as_object().unwrap().clone();
        let number = |value: Option<&Value>| -> Option<usize> {
            let value = value?;
            value
                .as_u64()
                .map(|n| n as usize)
                .or_else(|| value.as_str()?.parse().ok())
        };
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        let rows = |key: &str| -> Option<Vec<String>> {
            let rows = pane.get(key)?.as_array()?.iter();
            Some(rows.map(|row| row.as_str().unwrap().trim_end().to_owned()).collect())
        };
        let first = Look {
            rows: rows("screen").unwrap(),
            x: number(pane.get("cursor_x")).unwrap_or(0),
            y: number(pane.get("cursor_y")).unwrap_or(0),
            title: text(pane.get("pane_title")).unwrap_or_default(),
        };
        let mut looks = vec![first.clone()];
        if let Some(rows) = rows("screen_next") {
            let next = pane.get("next");
            let cursor = pane.get("cursor_next");
            let place = |at: usize, key: &str| {
                let recorded = cursor.and_then(|c| c.get(at));
                number(recorded.or_else(|| next.and_then(|n| n.get(key))))
            };
            looks.push(Look {
                rows,
                x: place(0, "cursor_x").unwrap_or(first.x),
                y: place(1, "cursor_y").unwrap_or(first.y),
                title: text(next.and_then(|n| n.get("pane_title"))).unwrap_or(first.title),
            });
        }
        let mut subject = Subject {
            agent: agent.to_owned(),
            id: value["id"].as_str().unwrap_or("?").to_owned(),
            pane,
            looks,
            said: Said::default(),
        };
        subject.said = subject.judge(rules);
        subject
    }

    /// What the rules say of it as it is now.
    pub fn judge(&self, rules: &Rules) -> Said {
        let mut pane = self.pane.clone();
        let first = &self.looks[0];
        let mut set = |key: &str, value: Value| pane.insert(key.to_owned(), value);
        set("screen", json!(first.rows));
        set("cursor_x", json!(first.x));
        set("cursor_y", json!(first.y));
        set("pane_title", json!(first.title));
        if let Some(second) = self.looks.get(1) {
            set("screen_next", json!(second.rows));
            set("cursor_next", json!([second.x, second.y]));
            let mut next = self.pane.get("next").cloned().unwrap_or(json!({}));
            next["pane_title"] = json!(second.title);
            set("next", next);
        }
        let sample = Sample::from_json(&json!({"id": self.id, "pane": pane})).unwrap();
        let told = rules.explain(&sample.evidence());
        Said {
            kind: told.verdict.kind.as_str(),
            need: told.verdict.need.map(|need| need.as_str()),
            by_title: told.identified.starts_with("the title"),
            rule: told.verdict.rule,
            rows: told.rows,
        }
    }

    pub fn height(&self) -> usize {
        let value = &self.pane["pane_height"];
        let number = value.as_u64().or_else(|| value.as_str()?.parse().ok());
        number.unwrap() as usize
    }

    pub fn width(&self) -> usize {
        let value = &self.pane["pane_width"];
        let number = value.as_u64().or_else(|| value.as_str()?.parse().ok());
        number.unwrap() as usize
    }

    /// Whether a dialog stands where the input box would.
    pub fn asks(&self) -> bool {
        matches!(self.said.need, Some("permission" | "question"))
    }

    pub fn rests(&self) -> bool {
        self.said.kind == "waiting" && self.said.need.is_none()
    }

    /// Changes every look; `None` when one of them has nothing to change.
    pub fn each(&self, change: impl Fn(&mut Look) -> Option<()>) -> Option<Subject> {
        let mut changed = self.clone();
        let height = self.height();
        for look in &mut changed.looks {
            change(look)?;
            look.fit(height);
        }
        Some(changed)
    }
}

impl Look {
    pub fn insert(&mut self, at: usize, lines: &[String]) {
        self.rows.splice(at..at, lines.iter().cloned());
        if self.y >= at {
            self.y += lines.len();
        }
    }

    pub fn remove(&mut self, range: Range<usize>) {
        let lines = range.len();
        if self.y >= range.end {
            self.y -= lines;
        }
        self.rows.drain(range);
    }

    /// As tall as the pane: blank rows go from the bottom, then rows scroll away at the top.
    fn fit(&mut self, height: usize) {
        while self.rows.len() > height && self.rows.last().is_some_and(|row| row.trim().is_empty()) {
            self.rows.pop();
        }
        while self.rows.len() > height {
            self.rows.remove(0);
            self.y = self.y.saturating_sub(1);
        }
    }

    /// The rows of the input box, frames included.
    pub fn composer(&self, agent: &str) -> Option<Range<usize>> {
        let rows = &self.rows;
        let row = |at: usize| rows.get(at).map_or("", |row| row.trim());
        match agent {
            "claude" | "cline" | "copilot" | "qwen" => {
                let start = (0..rows.len()).rev().find(|&at| {
                    let sign = row(at + 1).chars().next();
                    is_rule(row(at)) && matches!(sign, Some('❯' | '>' | '!' | '*')) && !is_choice(row(at + 1))
                })?;
                let end = (start + 2..rows.len()).find(|&at| is_rule(row(at)))?;
                Some(start..end + 1)
            }
            "codex" => {
                let start = (0..rows.len())
                    .rev()
                    .find(|&at| rows[at].starts_with("› ") && !is_choice(&rows[at]))?;
                Some(start..start + 1)
            }
            "gemini" => {
                let at = (0..rows.len()).rev().find(|&at| {
                    [" > ", " * ", " ! "].iter().any(|sign| rows[at].starts_with(sign)) || row(at) == ">"
                })?;
                let start = (at.saturating_sub(3)..at).rev().find(|&at| is_rule(row(at)))?;
                Some(start..at + 1)
            }
            "opencode" => {
                let end = (0..rows.len()).rev().find(|&at| row(at).starts_with("╹▀"))?;
                let start = (0..end).rev().find(|&at| !row(at).starts_with('┃'))? + 1;
                Some(start..end + 1)
            }
            _ => None,
        }
    }

    /// The row above which the transcript ends: above the box (or `at`), over blanks, hints at the right and frames.
    pub fn end_of_transcript(&self, at: usize) -> usize {
        let mut at = at;
        while at > 0 {
            let above = &self.rows[at - 1];
            let hint = above.starts_with(&" ".repeat(20)) || above.trim().starts_with("? for shortcuts");
            if !(above.trim().is_empty() || hint || is_rule(above.trim())) {
                break;
            }
            at -= 1;
        }
        at
    }
}

pub fn is_rule(row: &str) -> bool {
    row.chars().count() >= 8
        && row
            .chars()
            .take(8)
            .all(|c| matches!(c, '─' | '━' | '▀' | '▄' | '▔' | '╌'))
}

/// `❯ 1. Yes`
fn is_choice(row: &str) -> bool {
    let rest = row.trim_start_matches(|c: char| !c.is_alphanumeric());
    rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(". ")
        && rest.starts_with(|c: char| c.is_ascii_digit())
}

/// Lines that users let a command print below the input box.
pub const STATUS_LINES: &[&str] = &[
    "  ~/src/app   main ±3 │ Opus 5.5 │ ctx 42% │ $0.12 │ 5h 17%",
    "  [Opus] ████░░░░░░ 43% · 86k tokens · 3 files · 12 min",
    "  ⎇ feat/x-1 ● 2 ✚ 4 … (3m 12s since commit)",
    "  dev@devbox:~/project$ node v22 · python 3.12 · docker ✓",
    "  ✻ style: explanatory · vim: NORMAL · 2 todos open",
    "  cost: $1.25 (14m 2s) | tests: ok | errors: 0",
];

/// What stands between an activity line and the input box.
pub const IN_BETWEEN: &[&[&str]] = &[
    &[
        "  ⎿  ☒ Read the parser",
        "     ☐ Fix quoted input",
        "     ☐ Run the tests",
    ],
    &[
        "  ⎿  ✔ Read the parser",
        "     ◼ Fix quoted input",
        "     ◻ Run the tests",
        "      … +4 pending, 2 completed",
    ],
    &["  ⎿  Tip: Use /memory to view and manage memory"],
    &["  ⎿  Next: Run the tests", "", "  ❯ and then update the changelog"],
    &[
        "     ☐ Why does it ask \"Do you want to proceed?\"",
        "     ☐ Find the Error: in the log",
        "     ☐ 1. first, 2. second",
    ],
];

/// What an answer may say about such tools.
pub const MISLEADING: &[&[&str]] = &[
    &[
        "  Press esc to interrupt while it works, it says so (12s · ↓ 1.2k tokens).",
        "  Do you want to proceed? [y/N]",
    ],
    &["  Do you want to proceed?", "  ❯ 1. Yes", "    2. No (esc to cancel)"],
    &[
        "  1. Read the file",
        "  2. Edit it",
        "  3. Run the tests",
        "",
        "  Shall I go on?",
    ],
    &[
        "  Error: connection refused (ECONNREFUSED)",
        "  Allow once   Allow always   Reject",
    ],
    &[
        "    ✻ Working… (12s · esc to interrupt)",
        "",
        "  is what busy agents print.",
    ],
    &[
        "  Waiting for user confirmation...",
        "  Press enter to confirm or esc to cancel",
        "  Enter to select · ↑/↓ to navigate · Esc to cancel",
    ],
    &[
        "  It was retrying in 5 seconds; 2 tasks and 1 shell were left.",
        "  API Error: 529 Overloaded was the cause.",
    ],
    &[
        "  Would you like to run the following command?",
        "    $ rm -rf build",
        "  › 1. Yes, proceed (y)",
        "    2. No (esc)",
    ],
    &[
        "    ⠏ Thinking... (esc to cancel, 3s)",
        "    ⠏ Just a sec... (3s · esc to cancel)",
        "  is what such a tool prints.",
    ],
    &[
        "  Permission required",
        "  [y] Approve   [n] Deny",
        "  (Y)es/(N)o [Yes]:",
    ],
];

/// What somebody types while they look at the screen.
pub const TYPED: &[&[&str]] = &[
    &["fix the parser"],
    &["why does it say esc to interrupt?"],
    &["Do you want to proceed? [y/N]"],
    &["first this", "then that", "- and last: Error: boom"],
    &["in 3 files: a, b and c"],
    &["1. do this", "2. then that"],
    &["! make test"],
    &["/model"],
    &["Allow once, then", "", "press enter to confirm"],
];

/// A row in as many rows as it takes: words move, indents and frames stay.
pub fn wrapped(row: &str, width: usize) -> Vec<String> {
    if text::width(row) <= width {
        return vec![row.to_owned()];
    }
    // Columns move together before anything wraps.
    if let Some(gap) = row.trim_end().rfind("    ").filter(|_| !row.trim().is_empty()) {
        let (left, right) = (row[..gap].trim_end(), row[gap..].trim_start());
        let room = text::width(left) + text::width(right) + 2;
        if !left.is_empty() && room <= width {
            return vec![format!("{left}{}{right}", " ".repeat(width + 2 - room))];
        }
    }
    let lead = row.find(|c: char| !(c == ' ' || matches!(c, '│' | '┃'))).unwrap_or(0);
    let (prefix, rest) = row.split_at(lead);
    let framed = rest.ends_with(['│', '┃']);
    let rest = rest.trim_end_matches(['│', '┃', ' ']);
    let hanging = if rest.starts_with(|c: char| !c.is_ascii_alphanumeric()) && rest.chars().nth(1) == Some(' ') {
        "  "
    } else {
        ""
    };
    let mut lines = vec![prefix.to_owned()];
    for word in rest.split_inclusive(' ') {
        let room = width.saturating_sub(if framed { 2 } else { 0 });
        let line = lines.last_mut().unwrap();
        if text::width(line) + text::width(word.trim_end()) > room && line.len() > prefix.len() + hanging.len() {
            *line = line.trim_end().to_owned();
            lines.push(format!("{prefix}{hanging}{word}"));
        } else {
            line.push_str(word);
        }
    }
    if framed {
        for line in &mut lines {
            let pad = width.saturating_sub(text::width(line) + 1);
            *line = format!("{line}{}│", " ".repeat(pad));
        }
    }
    lines
}
