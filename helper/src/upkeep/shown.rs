//! What tmux draws of the state, brought up to date. Setting options has every client drawn anew, so that words alone that
//! change all the time wait for each other.

use crate::model::WindowId;
use crate::refresh::Outcome;
use crate::segment::{self, Segment};
use crate::status::window::KnownWindow;
use crate::theme::Theme;
use crate::tmux::{option, publish};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How long after the last time summaries alone wait: a bit less than the second between two looks.
const SPACING: Duration = Duration::from_millis(900);

/// What is kept between refreshes by one who refreshes again and again.
#[derive(Debug, Default)]
pub struct Pace {
    /// When something was shown last.
    shown: Option<Instant>,
    /// Windows whose words wait.
    held: BTreeSet<WindowId>,
}

impl Pace {
    /// Whether something waits to be shown.
    pub fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// Whether what has changed may be shown at `now`; what is `urgent` may at any time. What may not waits.
    fn admits(&mut self, changed: impl Iterator<Item = WindowId>, urgent: bool, now: Instant) -> bool {
        let early = self.shown.is_some_and(|at| now.duration_since(at) < SPACING);
        self.held = changed.collect();
        if early && !urgent {
            return false;
        }
        if urgent || self.holds() {
            self.shown = Some(now);
        }
        self.held.clear();
        true
    }
}

/// The tmux commands that bring up to date what tmux draws.
pub(super) fn commands(outcome: &Outcome, pace: &mut Pace) -> Vec<Vec<String>> {
    let settings = &outcome.settings;
    let options = &settings.options;
    let theme = Theme::read(options.get(option::ICONS), options.get(option::COLOURS), false);
    let (changed, signs) = changed(outcome, &theme, pace);
    let line = Segment::of(&outcome.state, theme).for_tmux();
    let another = settings.line.iter().any(|told| *told != line);
    let ids = changed.iter().map(|(id, _)| *id);
    if !pace.admits(ids, signs || another, Instant::now()) {
        return Vec::new();
    }
    let mut commands: Vec<_> = changed
        .iter()
        .flat_map(|(id, words)| publish::window(*id, words))
        .collect();
    if another {
        commands.extend(publish::line(&line));
    }
    commands
}

/// The windows whose options are to be set, with their words; and whether more than a summary has changed of any.
fn changed(outcome: &Outcome, theme: &Theme, pace: &Pace) -> (Vec<(WindowId, [String; 5])>, bool) {
    let settings = &outcome.settings;
    let words = |window: &KnownWindow| match settings.options.get(option::WINDOW_OPTIONS) {
        option::OFF => Default::default(),
        _ => segment::window(window, theme),
    };
    let (mut changed, mut signs) = (Vec::new(), false);
    for (id, window) in &outcome.state.windows {
        let before = outcome.before.windows.get(id);
        let read = settings.windows.get(id);
        let held = pace.held.contains(id);
        if read.is_none() && before == Some(window) && !held {
            continue;
        }
        let wanted = words(window);
        // Of what was not read, the last look has told.
        let shown = read.cloned().or_else(|| Some(words(before?).join("\t")));
        let same = shown.as_ref().is_some_and(|shown| *shown == wanted.join("\t"));
        if same && (read.is_some() || !held) {
            continue;
        }
        signs |= shown.is_none_or(|shown| signs_of(&shown) != signs_of(&wanted.join("\t")));
        changed.push((*id, wanted));
    }
    (changed, signs)
}

/// A window's words without its summary, which is the last.
fn signs_of(words: &str) -> &str {
    words.rsplit_once('\t').map_or("", |(signs, _)| signs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_alone_wait_and_what_is_urgent_takes_them_along() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        let at = |ms| start + Duration::from_millis(ms);
        let one = || [WindowId(1)].into_iter();
        assert!(pace.admits(one(), false, at(0)), "nothing was shown before");
        for ms in [1, 200, 899] {
            assert!(!pace.admits(one(), false, at(ms)), "{ms}");
            assert!(pace.holds());
        }
        assert!(pace.admits(one(), false, at(900)) && !pace.holds());
        assert!(!pace.admits(one(), false, at(1000)));
        assert!(pace.admits(one(), true, at(1001)) && !pace.holds());
        assert!(!pace.admits(one(), false, at(1850)), "it counts from then on");
        assert!(pace.admits(one(), false, at(1950)));
    }

    #[test]
    fn a_look_without_news_holds_up_none() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        assert!(pace.admits([].into_iter(), false, start));
        assert!(pace.admits([WindowId(1)].into_iter(), false, start + Duration::from_millis(1)));
    }
}
