//! Fills a summary's template from what a rule found, and makes the result fit and safe.
//!
//! `{name}` is a value; `[…]` is a part that is left out when a value in it is absent. A line that is too long loses cells
//! from its longest value, not its end, so that the part that tells the most survives.

use crate::text;

/// The line for `template`; `value` gives the values by name.
pub fn fill(template: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut parts: Vec<Part> = Vec::new();
    let mut rest = template;
    while !rest.is_empty() {
        let optional = rest.starts_with('[');
        let (segment, after) = match optional {
            true => rest.get(1..).unwrap_or_default().split_once(']').unwrap_or((rest, "")),
            false => rest.split_at(rest.find('[').unwrap_or(rest.len())),
        };
        let (filled, whole) = segment_parts(segment, &value);
        if whole || !optional {
            parts.extend(filled);
        }
        rest = after;
    }
    fit(parts)
}

enum Part {
    Word(String),
    Value(String),
}

impl Part {
    fn text(&self) -> &str {
        match self {
            Part::Word(text) | Part::Value(text) => text,
        }
    }
}

/// The parts of a segment, and whether every value in it was there.
fn segment_parts(segment: &str, value: &impl Fn(&str) -> Option<String>) -> (Vec<Part>, bool) {
    let (mut parts, mut whole, mut rest) = (Vec::new(), true, segment);
    while let Some((before, after)) = rest.split_once('{') {
        parts.push(Part::Word(before.to_owned()));
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        match value(name).map(|v| tidy(&v)).filter(|v| !v.is_empty()) {
            Some(found) => parts.push(Part::Value(found)),
            None => whole = false,
        }
        rest = after;
    }
    parts.push(Part::Word(rest.to_owned()));
    (parts, whole)
}

fn fit(mut parts: Vec<Part>) -> String {
    for _ in 0..5 {
        let line: String = parts.iter().map(Part::text).collect();
        // Neither cells nor characters can be more than bytes.
        if line.len() <= text::SUMMARY_LIMIT {
            break;
        }
        let over = text::width(&line)
            .max(line.chars().count())
            .saturating_sub(text::SUMMARY_LIMIT);
        if over == 0 {
            break;
        }
        let longest = parts
            .iter_mut()
            .filter(|p| matches!(p, Part::Value(_)))
            .max_by_key(|p| text::width(p.text()));
        let Some(Part::Value(long)) = longest else { break };
        let keep = text::width(long).saturating_sub(over).max(16);
        if let Some(shorter) = last_clause(long, keep) {
            *long = shorter;
            continue;
        }
        if keep >= text::width(long) {
            break;
        }
        *long = text::one_line(long, keep);
    }
    let line: String = parts.iter().map(Part::text).collect();
    text::one_line(&line, text::SUMMARY_LIMIT)
}

/// The end of a reason that says enough by itself: `Connection refused` of `Failed to connect to … after 0 ms: Connection
/// refused`. A command has no clauses.
fn last_clause(reason: &str, most: usize) -> Option<String> {
    let command = reason.contains(['|', ';', '{']) || reason.contains(" -") || reason.contains("://");
    let ends = reason.match_indices(": ").filter_map(|(at, _)| reason.get(at + 2..));
    let telling = |clause: &&str| {
        clause.split_whitespace().count() >= 2
            && clause.starts_with(|c: char| c.is_alphabetic())
            && text::width(clause) >= 12
    };
    let mut clauses = ends.filter(|_| !command).filter(telling).peekable();
    let first = *clauses.peek()?;
    let fits = clauses.clone().find(|clause| text::width(clause) <= most);
    Some(fits.or(clauses.last()).unwrap_or(first).to_owned())
}

/// A captured text for people: one line, no frames around it, home as `~`, no secrets.
pub fn tidy(raw: &str) -> String {
    let line = text::clean(raw);
    let line = line.trim_matches(|c: char| c == ' ' || is_frame(c));
    home(&super::redact::redact(line))
}

/// A line of progress without its bar: `Building ━━━━╺━━━ 8% 0:56` says `Building 8% 0:56`. Brackets that hold nothing but a
/// bar go with it.
pub fn without_bar(line: &str) -> String {
    let bar = |c: char| {
        matches!(
            c,
            '#' | '=' | '-' | '>' | '.' | '_' | '·' | '•' | '●' | '○' | '*' | '+' | '~'
        ) || is_frame(c)
            || ('\u{2800}'..='\u{28ff}').contains(&c)
    };
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let close = match first {
            '[' => Some(']'),
            '|' => Some('|'),
            '(' => Some(')'),
            _ => None,
        };
        let inside = close.and_then(|close| rest.get(1..)?.split_once(close));
        let drawn = |text: &str| text.len() > 1 && text.chars().all(|c| bar(c) || c == ' ');
        if let Some((_, after)) = inside.filter(|(inside, _)| drawn(inside)) {
            out.push(' ');
            rest = after;
            continue;
        }
        let run = rest.find(|c: char| !bar(c)).unwrap_or(rest.len());
        let frames = rest.get(..run).unwrap_or_default();
        let long = frames.chars().count() >= 4 || frames.chars().next().is_some_and(is_frame);
        if run > 0 && long && (out.is_empty() || out.ends_with(' ')) {
            out.push(' ');
            rest = rest.get(run..).unwrap_or_default();
        } else {
            let step = run.max(first.len_utf8());
            out.push_str(rest.get(..step).unwrap_or_default());
            rest = rest.get(step..).unwrap_or_default();
        }
    }
    text::clean(&out)
}

/// Box drawing and block elements: frames, rules and bars, never text.
fn is_frame(c: char) -> bool {
    matches!(c, '\u{2500}'..='\u{259f}')
}

/// Home directories as `~`.
pub fn home(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = ["/home/", "/Users/"].iter().filter_map(|root| rest.find(root)).min() {
        let (before, from) = rest.split_at(at);
        let starts_path = !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '~' | '/'));
        let root_len = if from.starts_with("/home/") { 6 } else { 7 };
        let user = from.get(root_len..).unwrap_or_default();
        let end = user
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-')))
            .unwrap_or(user.len());
        out.push_str(before);
        if starts_path && end > 0 {
            out.push('~');
            rest = user.get(end..).unwrap_or_default();
        } else {
            out.push_str(from.get(..root_len).unwrap_or_default());
            rest = user;
        }
    }
    out.push_str(rest);
    out
}

/// `vim stopped (Ctrl-Z)`.
pub fn stopped(what: &str) -> String {
    fill("{what} stopped (Ctrl-Z)", |_| Some(what.to_owned()))
}

/// `make exited with status 2 (pane is dead)`.
pub fn exited(program: &str, status: i32) -> String {
    fill(
        "[{program} ]exited with status {status} (pane is dead)",
        |name| match name {
            "program" => Some(program.to_owned()),
            _ => Some(status.to_string()),
        },
    )
}

/// `make killed by signal 9 (pane is dead)`.
pub fn killed(program: &str, signal: &str) -> String {
    fill(
        "[{program} ]killed by signal {signal} (pane is dead)",
        |name| match name {
            "program" => Some(program.to_owned()),
            _ => Some(signal.to_owned()),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(name: &str) -> Option<String> {
        match name {
            "program" => Some("codex".into()),
            "long" => Some("x".repeat(90)),
            "path" => Some("│ /home/dev/code/a.rs │".into()),
            _ => None,
        }
    }

    #[test]
    fn optional_parts_go_with_their_values() {
        assert_eq!(fill("{program} working[ {elapsed}][: {tool}]", values), "codex working");
        assert_eq!(fill("{program} edits[ {path}]", values), "codex edits ~/code/a.rs");
    }

    #[test]
    fn a_long_value_is_cut_and_the_rest_kept() {
        let line = fill("{program} runs {long} (failed)", values);
        assert!(line.ends_with("… (failed)") && text::width(&line) <= 80, "{line}");
    }

    #[test]
    fn bars_are_no_text() {
        for (line, said) in [
            ("Building ━━━╺━━━━━━ 8% 0:00:56", "Building 8% 0:00:56"),
            ("i.iso  8%[=>        ]  35.49M  5.00MB/s", "i.iso 8% 35.49M 5.00MB/s"),
            ("45%|████▌     | 45/100 [00:03<00:04]", "45% 45/100 [00:03<00:04]"),
            ("[#####.....] 50%", "50%"),
            ("2026-11-30 a->b --check ./x...", "2026-11-30 a->b --check ./x..."),
            ("Receiving objects: 45% (45/100)", "Receiving objects: 45% (45/100)"),
        ] {
            assert_eq!(without_bar(line), said);
        }
    }

    #[test]
    fn a_long_reason_is_cut_to_its_last_clause() {
        let value = |_: &str| Some("Failed to connect to 127.0.0.1 port 9 after 0 ms: Connection refused".to_owned());
        let line = fill("bash prompt, last command: curl x (failed: {reason})", value);
        assert_eq!(line, "bash prompt, last command: curl x (failed: Connection refused)");
    }

    #[test]
    fn home_is_a_tilde_only_where_a_path_starts() {
        assert_eq!(home("vim /home/dev/x /Users/ann"), "vim ~/x ~");
        assert_eq!(home("see /srv/home/dev/x"), "see /srv/home/dev/x");
    }

    #[test]
    fn deaths_are_said_in_fixed_words() {
        assert_eq!(exited("make", 3), "make exited with status 3 (pane is dead)");
        assert_eq!(killed("", "9"), "killed by signal 9 (pane is dead)");
    }
}
