//! What is typed to filter a list.

use crate::text;

/// Longest, in bytes.
const LONGEST: usize = 200;

/// Words, each of which an entry must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter(String);

impl Filter {
    /// As it was typed, without what cannot be shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether nothing was typed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds what was typed or pasted, unless that is too much.
    pub fn push(&mut self, typed: &str) {
        // A blank at the end is still being typed.
        let blank = |c: char| if c.is_whitespace() { ' ' } else { c };
        let clean: String = typed.chars().map(blank).filter(|&c| text::is_showable(c)).collect();
        if self.0.len() + clean.len() <= LONGEST {
            self.0 += &clean;
        }
    }

    /// Takes the last character away; whether there was one.
    pub fn pop(&mut self) -> bool {
        self.0.pop().is_some()
    }

    /// Takes all of it away.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The words, in small letters.
    pub fn words(&self) -> Vec<String> {
        self.0.split_whitespace().map(str::to_lowercase).collect()
    }
}

/// Whether the letters of `word` are in `name` in that order, next to each other or not; both in small letters. The order of a
/// list stays as it is, so that no more than yes or no is asked.
pub fn is_in(name: &str, word: &str) -> bool {
    let mut left = name.chars();
    word.chars().all(|wanted| left.any(|c| c == wanted))
}
