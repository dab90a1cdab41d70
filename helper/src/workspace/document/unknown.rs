//! Keys that are not known: all of a document are told at once, the first with what may have been meant.

use crate::workspace::refusal::Refusal;
use crate::workspace::yaml::At;

/// How many are named beside the first.
const MOST: usize = 9;

/// Those that were seen so far.
#[derive(Debug, Default)]
pub struct Unknown {
    first: Option<Refusal>,
    others: Vec<String>,
    /// How many more there are.
    more: usize,
}

impl Unknown {
    /// One more: the way to it, where it stands, and what would be said of it alone.
    pub fn add(&mut self, path: &str, at: At, alone: impl FnOnce() -> Refusal) {
        if self.first.is_none() {
            self.first = Some(alone());
        } else if self.others.len() < MOST {
            let place = if at == At::default() {
                String::new()
            } else {
                format!(" ({at})")
            };
            self.others.push(format!("{path}{place}"));
        } else {
            self.more += 1;
        }
    }

    /// What is said of all of them.
    pub fn refusal(self) -> Option<Refusal> {
        let mut refusal = self.first?;
        if !self.others.is_empty() {
            refusal.message += &format!("; not known either: {}", self.others.join(", "));
        }
        if self.more > 0 {
            refusal.message += &format!(", and {} more", self.more);
        }
        Some(refusal)
    }
}
