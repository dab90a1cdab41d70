//! A window between looks: its verdict, since when, and whether it calls its user.

use super::notice::Notice;
use crate::model::{Need, PaneId, StatusKind};
use crate::theme::Face;
use serde::{Deserialize, Serialize};

/// How many transitions of a window are kept.
pub const TRANSITIONS: usize = 8;

/// A window's kind or need became another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transition {
    /// When, in epoch seconds.
    pub at: u64,
    /// The kind from then on.
    pub kind: StatusKind,
    /// The need from then on.
    pub need: Option<Need>,
}

/// A window's verdict: that of the pane that speaks for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KnownWindow {
    /// Its name, verbatim.
    pub name: String,
    /// The foreground program as a person names it.
    pub command: String,
    /// What it is doing.
    pub kind: StatusKind,
    /// What it needs its user for.
    pub need: Option<Need>,
    /// Epoch seconds at which its kind began.
    pub since: u64,
    /// Epoch seconds at which its need came up, while there is one.
    pub need_since: Option<u64>,
    /// Whether it was in front of somebody since its kind or its need last changed.
    pub visited: bool,
    /// Epoch second at which its user parked it last, and whether it has not changed since: then it needs nobody.
    pub parked_at: Option<u64>,
    /// See there.
    pub parked: bool,
    /// Whether its user has said that it never needs anyone.
    pub ignored: bool,
    /// What it did before, oldest first, up to what it does now: at most [`TRANSITIONS`].
    pub transitions: Vec<Transition>,
    /// What its user is to be told, and was.
    #[serde(default, skip_serializing_if = "Notice::is_empty")]
    pub notice: Notice,
    /// One line.
    pub summary: String,
    /// What the rules say, where a model's words have taken its place.
    pub by_rules: Option<Evident>,
    /// The pane that speaks for it.
    pub pane: PaneId,
    /// All its panes, in tmux's order.
    pub panes: Vec<PaneId>,
}

/// What the rules say of a window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evident {
    /// What it is doing.
    pub kind: StatusKind,
    /// In one line.
    pub summary: String,
}

impl KnownWindow {
    /// When what it shows now began, in epoch seconds: its need where it has one, else its kind.
    pub fn began(&self) -> u64 {
        self.need_since.unwrap_or(self.since)
    }

    /// What the rules say of it: its kind, and one line.
    pub fn evident(&self) -> (StatusKind, &str) {
        match &self.by_rules {
            Some(Evident { kind, summary }) => (*kind, summary),
            None => (self.kind, &self.summary),
        }
    }

    /// What it needs its user for, unless it is parked or never needs anyone: what jumps, counts and notifications heed.
    pub fn calls(&self) -> Option<Need> {
        self.need.filter(|_| !self.parked && !self.ignored)
    }

    /// Orders windows by who needs its user first: by need, then the longest waiting; those that call nobody come last.
    pub fn urgency(&self) -> (bool, Option<Need>, u64) {
        let calls = self.calls();
        (calls.is_none(), calls, calls.map_or(0, |_| self.began()))
    }

    /// What it shows its user.
    pub fn face(&self) -> Face {
        match self.parked && !self.ignored {
            true => Face::Parked,
            false => Face::of(self.kind, self.calls()),
        }
    }

    /// The same with its history, given what was known of the window `before` this look at the epoch second `now`, in
    /// which somebody had it in front of them or not.
    #[must_use]
    pub fn after(mut self, before: Option<&Self>, watched: bool, now: u64) -> Self {
        let transition = Transition {
            at: now,
            kind: self.kind,
            need: self.need,
        };
        self.transitions = before.map(|window| window.transitions.clone()).unwrap_or_default();
        let last = self.transitions.last();
        if last.is_none_or(|last| (last.kind, last.need) != (self.kind, self.need)) {
            self.transitions.push(transition);
            let over = self.transitions.len().saturating_sub(TRANSITIONS);
            self.transitions.drain(..over);
        }
        // A question may follow another within one look.
        let asks = |window: &Self| matches!(window.need, Some(Need::Permission | Need::Question));
        let changed = |before: &Self| {
            let (was, is) = (before.evident(), self.evident());
            (was.0, before.need) != (is.0, self.need) || asks(&self) && was != is
        };
        self.parked = match before {
            Some(before) if before.parked_at == self.parked_at => before.parked && !changed(before),
            _ => self.parked_at.is_some(),
        };
        // A need that is gone, most likely for the visit, is nothing new to see.
        let news = |window: &Self| window.kind != self.kind || self.need.is_some() && window.need != self.need;
        self.visited = watched || before.is_some_and(|window| window.visited && !news(window));
        self
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn window(kind: StatusKind, need: Option<Need>) -> KnownWindow {
        KnownWindow {
            name: "w".into(),
            command: "claude".into(),
            kind,
            need,
            since: 0,
            need_since: None,
            visited: false,
            parked_at: None,
            parked: false,
            ignored: false,
            transitions: Vec::new(),
            notice: Notice::default(),
            summary: String::new(),
            by_rules: None,
            pane: PaneId(1),
            panes: vec![PaneId(1)],
        }
    }

    #[test]
    fn a_window_remembers_its_last_transitions_and_not_more() {
        let mut known: Option<KnownWindow> = None;
        for second in 0..40 {
            let kind = if second / 2 % 2 == 0 {
                StatusKind::Active
            } else {
                StatusKind::Waiting
            };
            known = Some(window(kind, None).after(known.as_ref(), false, second));
        }
        let known = known.unwrap();
        let times: Vec<u64> = known.transitions.iter().map(|t| t.at).collect();
        assert_eq!(times, [24, 26, 28, 30, 32, 34, 36, 38]);
        assert_eq!(known.transitions.last().unwrap().kind, known.kind);
    }

    #[test]
    fn a_visit_counts_until_there_is_something_new_to_see() {
        let step = |before: &KnownWindow, kind, need, watched| window(kind, need).after(Some(before), watched, 9);
        let done = window(StatusKind::Waiting, Some(Need::Done)).after(None, false, 1);
        assert!(!done.visited);
        let seen = step(&done, StatusKind::Waiting, None, true);
        assert!(seen.visited);
        let left = step(&seen, StatusKind::Waiting, None, false);
        assert!(left.visited, "nothing has changed since");
        let asks = step(&left, StatusKind::Waiting, Some(Need::Question), false);
        assert!(!asks.visited, "a need came up");
        assert!(
            !step(&left, StatusKind::Active, None, false).visited,
            "it began to work"
        );
    }

    #[test]
    fn a_parked_window_calls_nobody_until_it_changes() {
        let asks = |before: Option<&KnownWindow>, at, summary: &str| {
            let mut now = window(StatusKind::Waiting, Some(Need::Question));
            (now.parked_at, now.summary) = (at, summary.to_owned());
            now.after(before, false, 5)
        };
        let first = asks(None, None, "one?");
        assert_eq!((first.calls(), first.face()), (Some(Need::Question), Face::Question));
        let parked = asks(Some(&first), Some(4), "one?");
        assert_eq!((parked.calls(), parked.face()), (None, Face::Parked));
        let still = asks(Some(&parked), Some(4), "one?");
        assert!(still.parked);
        let other = asks(Some(&still), Some(4), "two?");
        assert_eq!(other.calls(), Some(Need::Question), "another question");
        assert!(!asks(Some(&other), Some(4), "two?").parked, "it stays so");
        assert!(asks(Some(&other), Some(6), "two?").parked, "parked again");
        let works = window(StatusKind::Active, None).after(Some(&still), false, 6);
        assert!(!works.parked);
        let unparked = asks(Some(&still), None, "one?");
        assert_eq!(unparked.calls(), Some(Need::Question));
    }

    #[test]
    fn the_most_pressing_and_longest_waiting_comes_first_and_the_ignored_last() {
        let of = |need, at| KnownWindow {
            since: at,
            ..window(StatusKind::Waiting, need)
        };
        let ignored = KnownWindow {
            ignored: true,
            ..of(Some(Need::Permission), 1)
        };
        let mut windows = [
            of(None, 0),
            ignored,
            of(Some(Need::Done), 1),
            of(Some(Need::Question), 9),
            of(Some(Need::Question), 3),
            of(Some(Need::Permission), 20),
        ];
        windows.sort_by_key(KnownWindow::urgency);
        let order = windows.map(|window| (window.calls(), window.since));
        let need = |need, at| (Some(need), at);
        let calling = [
            need(Need::Permission, 20),
            need(Need::Question, 3),
            need(Need::Question, 9),
            need(Need::Done, 1),
        ];
        assert_eq!(order[..4], calling);
    }
}
