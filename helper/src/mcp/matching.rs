//! Finds text that is waited for, and leaves out what we have typed ourselves.

use super::limits::{PATTERNS, PATTERN_BYTES};
use super::outcome::Problem;
use super::typed::Ours;
use regex::{Regex, RegexBuilder};
use std::time::Instant;

/// What is waited for.
#[derive(Debug)]
pub struct Patterns {
    list: Vec<(String, Regex)>,
}

impl Patterns {
    /// Of the argument `name`.
    ///
    /// # Errors
    /// When they are too many, too long, or no regular expressions.
    pub fn compile(name: &str, patterns: Vec<String>, regex: bool, match_case: bool) -> Result<Self, Problem> {
        let count = patterns.len();
        if count > PATTERNS {
            return Err(Problem::input(format!(
                "{name} takes {PATTERNS} patterns; these are {count}"
            )));
        }
        let one = |pattern: String| {
            let bytes = pattern.len();
            if bytes == 0 || bytes > PATTERN_BYTES {
                let what = format!("{name}: a pattern takes 1 to {PATTERN_BYTES} bytes; this one takes {bytes}");
                return Err(Problem::input(what));
            }
            let source = if regex {
                pattern.clone()
            } else {
                regex::escape(&pattern)
            };
            let built = RegexBuilder::new(&source).case_insensitive(!match_case).build();
            let built = built.map_err(|error| Problem::input(format!("{name}: no regular expression: {error}")));
            Ok((pattern, built?))
        };
        let list = patterns.into_iter().map(one).collect::<Result<_, _>>()?;
        Ok(Self { list })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The first pattern that is found in `line` where it is not `old`.
    pub fn find(&self, line: &str, old: &Old) -> Option<(usize, &str)> {
        let found = |regex: &Regex| {
            regex
                .find_iter(line)
                .any(|found| !old.covers(found.start(), found.end()))
        };
        let at = self.list.iter().position(|(_, regex)| found(regex))?;
        self.list.get(at).map(|(pattern, _)| (at, pattern.as_str()))
    }
}

/// Bytes of a line that do not count: its start was there before, its end has been typed by us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Old {
    before: usize,
    typed: usize,
}

impl Old {
    /// Nothing of it.
    pub const NONE: Old = Old {
        before: 0,
        typed: usize::MAX,
    };

    /// The first `before` bytes, and all from `typed` on.
    pub fn new(before: usize, typed: Option<usize>) -> Self {
        Self {
            before,
            typed: typed.unwrap_or(usize::MAX),
        }
    }

    fn covers(&self, start: usize, end: usize) -> bool {
        end <= self.before || end > self.typed && (start < end || start >= self.typed)
    }

    /// Whether something in the line counts that can be seen.
    pub fn leaves_any(&self, line: &str) -> bool {
        let end = self.typed.min(line.len());
        line.get(self.before.min(end)..end)
            .is_some_and(|rest| !rest.trim().is_empty())
    }
}

/// Lines of ours whose echo has not come by yet. Each is left out once: a program may print the same words.
#[derive(Debug, Default)]
pub struct Echoes {
    seen: Vec<(Instant, String)>,
}

impl Echoes {
    /// Where our own text begins in a line that was ended, if it is one of ours.
    pub fn ended(&mut self, line: &str, ours: &Ours) -> Option<usize> {
        let line = line.trim_end();
        let is = |(_, typed): &&(Instant, String)| line.ends_with(typed.trim_end());
        let of = ours
            .submitted
            .iter()
            .filter(|one| !self.seen.contains(one))
            .find(is)?
            .clone();
        let at = line.len() - of.1.trim_end().len();
        self.seen.push(of);
        Some(at)
    }

    /// The same of a line that is not ended: as much as there is yet of what we have typed.
    pub fn open(&self, line: &str, ours: &Ours) -> Option<usize> {
        let submitted = ours
            .submitted
            .iter()
            .filter(|one| !self.seen.contains(one))
            .map(|(_, typed)| typed);
        submitted
            .chain([&ours.pending])
            .filter_map(|typed| overlap(line.trim_end(), typed))
            .min()
    }

    /// Which of the rows on a screen, from its top, are lines of ours: each line once, the row nearest to the bottom that has
    /// something like a prompt before it, else the first row that is nothing else, else the nearest with anything before it.
    /// (To the question `Go on? y` a program may say `got y`.)
    pub fn on_screen(&mut self, rows: &[String], ours: &Ours) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for one in ours.submitted.iter().rev() {
            let typed = one.1.trim_end();
            let free = |at: usize| !found.iter().any(|(row, _)| *row == at);
            let ends = |(at, row): &(usize, &String)| free(*at) && row.trim_end().ends_with(typed);
            let candidates: Vec<(usize, usize)> = rows
                .iter()
                .enumerate()
                .filter(ends)
                .map(|(at, row)| (at, row.trim_end().len() - typed.len()))
                .collect();
            let before =
                |(at, start): &(usize, usize)| rows.get(*at).and_then(|row| row.get(..*start)).unwrap_or_default();
            let prompted = candidates.iter().rev().find(|row| ends_as_a_prompt(before(row)));
            let alone = || candidates.iter().find(|(_, start)| *start == 0);
            if let Some(row) = prompted.or_else(alone).or_else(|| candidates.last()) {
                found.push(*row);
                self.seen.push(one.clone());
            }
        }
        found
    }
}

/// Whether somebody may be asked to type behind this.
fn ends_as_a_prompt(text: &str) -> bool {
    text.trim_end().ends_with(|c: char| !c.is_alphanumeric())
}

/// Where in `line` the longest start of `typed` begins that `line` ends with.
fn overlap(line: &str, typed: &str) -> Option<usize> {
    let starts = typed.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
    let longest = starts
        .filter_map(|end| typed.get(..end))
        .find(|start| line.ends_with(start.trim_end()))?;
    let longest = longest.trim_end();
    (!longest.is_empty()).then(|| line.len() - longest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(pending: &str, submitted: &[&str]) -> Ours {
        Ours {
            pending: pending.to_owned(),
            submitted: submitted
                .iter()
                .map(|line| (Instant::now(), (*line).to_owned()))
                .collect(),
        }
    }

    fn found(pattern: &str, line: &str, old: &Old) -> bool {
        let patterns = Patterns::compile("patterns", vec![pattern.to_owned()], true, false).unwrap();
        patterns.find(line, old).is_some()
    }

    #[test]
    fn an_echo_is_left_out_once_and_only_where_it_is() {
        let mut echoes = Echoes::default();
        let ours = ours("", &["echo done"]);
        let at = echoes.ended("done> echo done", &ours);
        assert_eq!(at, Some(6));
        assert!(
            found("done", "done> echo done", &Old::new(0, at)),
            "the prompt is not ours"
        );
        assert!(!found("echo", "done> echo done", &Old::new(0, at)));
        assert_eq!(echoes.ended("done> echo done", &ours), None, "that is somebody else");
    }

    #[test]
    fn a_line_that_is_being_typed_is_known_by_its_start() {
        let echoes = Echoes::default();
        assert_eq!(echoes.open("$ ec", &ours("echo hi", &[])), Some(2));
        assert_eq!(echoes.open("$ echo hi", &ours("", &["echo hi"])), Some(2));
        assert_eq!(echoes.open("Password: ", &ours("", &[])), None);
        assert_eq!(echoes.open("$ ", &ours("echo", &[])), None);
    }

    #[test]
    fn on_a_screen_the_row_with_a_prompt_is_the_echo() {
        let rows = |rows: &[&str]| rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>();
        let of = |all: &[&str]| Echoes::default().on_screen(&rows(all), &ours("", &["say hi"]));
        assert_eq!(of(&["say hi", "$ say hi", "say hi"]), [(1, 2)]);
        assert_eq!(of(&["say hi", "say hi"]), [(0, 0)]);
        assert_eq!(of(&["ask> say hi", "I say hi"]), [(0, 5)]);
        assert_eq!(of(&["I say hi"]), [(0, 2)]);
        assert_eq!(of(&["nothing"]), []);
    }
}
