//! Takes secrets out of several lines of a pane: what one line does not tell, since it was broken at the pane's edge or is a part
//! of something that spans lines.

use super::name::{secrecy, Secrecy};
use super::{below, find, key, starred, Found};
use crate::text;
use std::ops::Range;

/// How many cells short of its edge a program may break a line.
const FOLD_MARGIN: usize = 4;

/// A line as the program printed it, and the rows of the pane that it takes.
pub struct Line {
    pub text: String,
    /// Where each row begins in the text, and how long it is.
    rows: Vec<Range<usize>>,
}

impl Line {
    fn of(row: &str) -> Line {
        Line {
            text: row.to_owned(),
            rows: std::iter::once(0..row.len()).collect(),
        }
    }

    fn go_on(&mut self, between: &str, row: &str) {
        self.text.push_str(between);
        let start = self.text.len();
        self.text.push_str(row);
        self.rows.push(start..self.text.len());
    }

    /// What it says, without what is drawn around it.
    pub fn content(&self) -> &str {
        self.text.get(content(&self.text)).unwrap_or_default()
    }
}

/// `rows` of a pane of `width` cells (0: unknown) without secrets, as many as came. Rows that fill the width are taken for parts
/// of one line.
///
/// More is starred than [`super::redact`] does: what leaves the machine is better unreadable than read.
pub fn redact_lines(rows: &[String], width: usize) -> Vec<String> {
    let rows: Vec<&str> = rows.iter().map(|row| row.trim_end_matches(['\n', '\r'])).collect();
    let joined = joined(&rows, width);
    let mut found = in_rows(&joined, width);
    if joined.len() < rows.len() {
        // Two lines that fill the width by chance have been taken for one.
        let single: Vec<Line> = rows.iter().map(|row| Line::of(row)).collect();
        let more = in_rows(&single, width);
        found
            .iter_mut()
            .zip(more)
            .for_each(|(found, more)| found.0.extend(more.0));
    }
    rows.iter().zip(found).map(|(row, found)| starred(row, found)).collect()
}

/// The secrets of lines, for each row that they take.
fn in_rows(lines: &[Line], width: usize) -> Vec<Found> {
    let mut found: Vec<Found> = vec![Found::default(); lines.len()];
    for (line, found) in lines.iter().zip(&mut found) {
        find(&line.text, true, found);
    }
    folded(lines, width, &mut found);
    key::find(lines, &mut found);
    below::find(lines, &mut found);
    let mut rows = Vec::new();
    for (line, found) in lines.iter().zip(found) {
        let ranges = found.merged();
        for row in &line.rows {
            let mut here = Found::default();
            ranges.iter().for_each(|range| here.add_part(range, row, 0));
            rows.push(here);
        }
    }
    rows
}

/// Joins rows that fill the width with what follows. One cell less was a blank at the edge, or a wide character that did not fit.
fn joined(rows: &[&str], width: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut goes_on = None;
    for row in rows {
        match lines.last_mut() {
            Some(line) if !row.is_empty() => match goes_on.or_else(|| between_columns(&line.text, row)) {
                Some(between) => line.go_on(between, row),
                None => lines.push(Line::of(row)),
            },
            _ => lines.push(Line::of(row)),
        }
        let cells = if row.len() + 1 < width { 0 } else { text::width(row) };
        goes_on = match cells {
            _ if width < 2 => None,
            cells if cells >= width => Some(""),
            cells if cells + 1 == width => Some(if row.is_ascii() { " " } else { "" }),
            _ => None,
        };
    }
    lines
}

/// A row that was broken among the blanks of a column: `master_password` and, in the next, `= "x"`.
fn between_columns(line: &str, row: &str) -> Option<&'static str> {
    let name = line.rsplit(' ').next().unwrap_or_default();
    let bare = name
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"_-.\"'".contains(&b));
    (bare && row.trim_start().starts_with(['=', ':']) && secrecy(name) == Secrecy::Strong).then_some(" ")
}

/// The part of a line between frames, if it has them, and blanks.
pub fn framed(line: &str) -> Range<usize> {
    let edge = |c: char| c.is_whitespace() || c == '│' || c == '┃';
    let start = line.len() - line.trim_start_matches(edge).len();
    start..line.trim_end_matches(edge).len().max(start)
}

/// Secrets that a program broke itself, at a blank or not: inside of a frame, or with its lines indented.
fn folded(lines: &[Line], width: usize, found: &mut [Found]) {
    if width < 20 {
        return;
    }
    let goes_on = |line: &Line, next: &Line, glue: &str| {
        let (inner, below) = (
            framed(&line.text),
            next.text.get(framed(&next.text)).unwrap_or_default(),
        );
        let cells = text::width(line.text.get(..inner.end).unwrap_or_default());
        let framed = line.text.trim_end().ends_with(['│', '┃']);
        let edge = if framed {
            text::width(line.text.trim_end()).saturating_sub(1)
        } else {
            width
        };
        let word = below.split(' ').next().unwrap_or_default();
        let reaches = if glue.is_empty() {
            cells + FOLD_MARGIN
        } else {
            cells + text::width(word) + FOLD_MARGIN
        };
        line.rows.len() == 1 && next.rows.len() == 1 && !inner.is_empty() && !below.is_empty() && reaches >= edge
    };
    for glue in ["", " "] {
        let mut at = 0;
        while at < lines.len() {
            let rest = lines.get(at..).unwrap_or_default();
            let chain = 1 + rest
                .windows(2)
                .take_while(|pair| matches!(pair, [line, next] if goes_on(line, next, glue)))
                .count();
            if chain > 1 {
                in_chain(
                    rest.get(..chain).unwrap_or_default(),
                    glue,
                    found.get_mut(at..at + chain).unwrap_or_default(),
                );
            }
            at += chain;
        }
    }
}

/// The secrets of several lines, read as one.
fn in_chain(lines: &[Line], glue: &str, found: &mut [Found]) {
    let (mut text, mut parts) = (String::new(), Vec::new());
    for line in lines {
        if !text.is_empty() {
            text.push_str(glue);
        }
        let inner = framed(&line.text);
        let start = text.len();
        text.push_str(line.text.get(inner.clone()).unwrap_or_default());
        parts.push((start..text.len(), inner.start));
    }
    let mut here = Found::default();
    find(&text, true, &mut here);
    for range in here.0 {
        for ((part, inner), found) in parts.iter().zip(found.iter_mut()) {
            found.add_part(&range, part, *inner);
        }
    }
}

/// The part of a line that is text: without frames, line numbers and marks of a diff before it, and frames and quotes behind.
pub fn content(line: &str) -> Range<usize> {
    let lead = |c: char| c.is_whitespace() || "│┃|>\"'`,".contains(c);
    let mut rest = line.trim_start_matches(lead);
    let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if number.len() < rest.len() && number.starts_with([' ', ':', '\t', '|', '│']) {
        rest = number.trim_start_matches(|c: char| lead(c) || c == ':');
    }
    if let Some(marked) = rest.strip_prefix(['+', '-']).filter(|marked| marked.starts_with(' ')) {
        rest = marked.trim_start_matches(lead);
    }
    let start = line.len() - rest.len();
    let end = start
        + rest
            .trim_end_matches(|c: char| c.is_whitespace() || "│┃|\"'`,\\".contains(c))
            .len();
    start..end.max(start)
}

/// Takes all that line number `at` says.
pub fn take(lines: &[Line], found: &mut [Found], at: usize) {
    if let (Some(line), Some(found)) = (lines.get(at), found.get_mut(at)) {
        found.add(content(&line.text));
    }
}
