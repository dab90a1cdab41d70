//! What we have typed into panes ourselves, so that a wait for text does not take its echo for an answer.
//!
//! A line is remembered for some seconds after it was submitted. A key that nobody here can follow (history, completion)
//! makes the line unknown: rather too little is discounted than an answer missed.

use crate::model::PaneId;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a submitted line is remembered.
const MEMORY: Duration = Duration::from_secs(10);
/// Lines of a pane that are remembered.
const LINES: usize = 64;

/// The lines of all panes.
#[derive(Debug, Default)]
pub struct Typed(Mutex<BTreeMap<PaneId, Lines>>);

#[derive(Debug, Default)]
struct Lines {
    /// What stands in the line that is being typed; `None` when nobody knows.
    line: Option<String>,
    submitted: Vec<(Instant, String)>,
}

/// What of a pane's text is ours.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ours {
    /// What was typed and not submitted.
    pub pending: String,
    /// What was submitted lately, oldest first, each with when.
    pub submitted: Vec<(Instant, String)>,
}

impl Typed {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<PaneId, Lines>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that `text` and then `keys` have gone into these panes.
    pub fn note(&self, panes: impl Iterator<Item = PaneId>, text: &str, keys: &[String]) {
        let mut all = self.lock();
        all.retain(|_, lines| lines.is_fresh());
        for pane in panes {
            let lines = all.entry(pane).or_insert_with(|| Lines {
                line: Some(String::new()),
                submitted: Vec::new(),
            });
            text.chars().for_each(|c| lines.character(c));
            keys.iter().for_each(|key| lines.key(key));
        }
    }

    /// What of a pane's text is ours.
    pub fn of(&self, pane: PaneId) -> Ours {
        let all = self.lock();
        let Some(lines) = all.get(&pane) else {
            return Ours::default();
        };
        let fresh = |(at, _): &&(Instant, String)| at.elapsed() < MEMORY;
        Ours {
            pending: lines.line.clone().unwrap_or_default(),
            submitted: lines.submitted.iter().filter(fresh).cloned().collect(),
        }
    }
}

impl Lines {
    fn is_fresh(&self) -> bool {
        let typing = self.line.as_ref().is_none_or(|line| !line.is_empty());
        typing || self.submitted.iter().any(|(at, _)| at.elapsed() < MEMORY)
    }

    fn submit(&mut self) {
        if let Some(line) = self.line.replace(String::new()).filter(|line| !line.trim().is_empty()) {
            self.submitted.push((Instant::now(), line));
            let old = self.submitted.len().saturating_sub(LINES);
            self.submitted.drain(..old);
        }
    }

    fn character(&mut self, c: char) {
        match c {
            '\n' | '\r' => self.submit(),
            '\u{8}' | '\u{7f}' => self.back(),
            '\u{3}' | '\u{15}' => self.line = Some(String::new()),
            c if c.is_control() => self.line = None,
            c => self.line.iter_mut().for_each(|line| line.push(c)),
        }
    }

    fn back(&mut self) {
        if let Some(line) = &mut self.line {
            line.pop();
        }
    }

    fn key(&mut self, key: &str) {
        let mut characters = key.chars();
        match (key.to_ascii_lowercase().as_str(), characters.next(), characters.next()) {
            ("enter" | "c-m" | "c-j" | "kpenter" | "^m" | "^j", ..) => self.submit(),
            ("space", ..) => self.character(' '),
            ("bspace" | "c-h" | "^h", ..) => self.back(),
            ("c-c" | "c-u" | "^c" | "^u" | "c-\\", ..) => self.line = Some(String::new()),
            (_, Some(c), None) => self.character(c),
            _ => self.line = None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, keys: &[&str]) -> (String, Vec<String>) {
        let typed = Typed::default();
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        typed.note([PaneId(1)].into_iter(), text, &keys);
        let ours = typed.of(PaneId(1));
        (ours.pending, ours.submitted.into_iter().map(|(_, line)| line).collect())
    }

    #[test]
    fn what_is_edited_is_followed_and_what_cannot_be_followed_is_forgotten() {
        let of = |pending: &str, lines: &[&str]| (pending.to_owned(), lines.iter().map(|l| (*l).to_owned()).collect());
        assert_eq!(lines("echo hi", &[]), of("echo hi", &[]));
        assert_eq!(lines("one\ntwo", &["Enter"]), of("", &["one", "two"]));
        assert_eq!(lines("abc", &["BSpace", "x", "Space", "C-m"]), of("", &["abx "]));
        assert_eq!(lines("abc", &["C-u", "z"]), of("z", &[]));
        assert_eq!(lines("abc", &["Up", "Enter"]), of("", &[]));
        assert_eq!(lines("abc", &["Tab", "C-c", "d"]), of("d", &[]));
    }
}
