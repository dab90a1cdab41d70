//! What a user wants to be told of, and how: the words of `@tmux-status-notify` and `@tmux-status-notify-on`.

use crate::model::Need;
use serde::{Deserialize, Serialize};

/// A way to tell somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// The terminal's bell.
    Bell,
    /// A line in tmux.
    Message,
    /// A notification of the desktop.
    Desktop,
    /// A command of the user's own.
    Command,
}

impl Way {
    /// Every one.
    pub const ALL: [Way; 4] = [Way::Bell, Way::Message, Way::Desktop, Way::Command];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Way::Bell => "bell",
            Way::Message => "message",
            Way::Desktop => "desktop",
            Way::Command => "command",
        }
    }

    /// The way with that word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.as_str() == word)
    }
}

/// The word for no way at all.
const OFF: &str = "off";

/// The needs, most pressing first.
const NEEDS: [Need; 4] = [Need::Permission, Need::Question, Need::Failed, Need::Done];

/// What somebody wants to be told of, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wishes {
    /// How; empty: not at all.
    pub ways: Vec<Way>,
    /// Of what.
    pub needs: Vec<Need>,
}

impl Wishes {
    /// Reads the two options. A word that is none is passed over; without any, every need counts.
    pub fn read(ways: &str, needs: &str) -> Self {
        let mut needs: Vec<Need> = words(needs).filter_map(need).collect();
        if needs.is_empty() {
            needs = NEEDS.to_vec();
        }
        Self {
            ways: words(ways).filter_map(Way::of).collect(),
            needs,
        }
    }

    /// Whether a window that comes to have this need is worth telling.
    pub fn want(&self, need: Need) -> bool {
        !self.ways.is_empty() && self.needs.contains(&need)
    }
}

/// Why `value` says no ways: [`OFF`], or words of [`Way`].
pub fn ways_problem(value: &str) -> Option<String> {
    let off = words(value).any(|word| word == OFF);
    if off && words(value).count() > 1 {
        return Some("off stands alone".to_owned());
    }
    let wrong = words(value).find(|word| *word != OFF && Way::of(word).is_none());
    wrong.map(|word| format!("{word:?} is none of off, {}", Way::ALL.map(Way::as_str).join(", ")))
}

/// Why `value` says no needs.
pub fn needs_problem(value: &str) -> Option<String> {
    let wrong = words(value).find(|word| need(word).is_none());
    wrong.map(|word| format!("{word:?} is none of {}", NEEDS.map(Need::as_str).join(", ")))
}

fn need(word: &str) -> Option<Need> {
    NEEDS.into_iter().find(|need| need.as_str() == word)
}

/// Words with blanks or commas between them.
fn words(value: &str) -> impl Iterator<Item = &str> {
    value
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_and_needs_are_words_with_blanks_or_commas_between_them() {
        let wishes = Wishes::read("bell, command", "failed,question");
        assert_eq!(wishes.ways, [Way::Bell, Way::Command]);
        assert_eq!(wishes.needs, [Need::Failed, Need::Question]);
        assert!(wishes.want(Need::Failed) && !wishes.want(Need::Done));
    }

    #[test]
    fn nothing_is_wanted_unless_a_way_is_named_and_then_every_need() {
        for off in ["", "off", " , ", "offf"] {
            assert!(NEEDS.iter().all(|need| !Wishes::read(off, "").want(*need)), "{off}");
        }
        for all in ["", "every"] {
            assert!(NEEDS.iter().all(|need| Wishes::read("bell", all).want(*need)), "{all}");
        }
    }

    #[test]
    fn a_word_that_is_none_is_named() {
        assert_eq!(ways_problem("desktop bell"), None);
        assert_eq!(ways_problem("off"), None);
        assert!(ways_problem("off bell").is_some());
        assert!(ways_problem("bell,beep").unwrap().contains("\"beep\""));
        assert_eq!(needs_problem("done failed"), None);
        assert!(needs_problem("all").unwrap().contains("permission, question"));
    }
}
