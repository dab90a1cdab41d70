//! When a window's need is to be told, and that it is told once: a decision over two looks, without tmux and without a clock.
//!
//! What is remembered stands in the state, which is written under the writers' lock before anybody is told. So it holds
//! whoever looks, and a helper that is killed in between tells nothing rather than the same again.

use super::state::State;
use super::window::KnownWindow;
use crate::model::{Need, WindowId};
use crate::wish::Wishes;
use serde::{Deserialize, Serialize};

/// How long a need must have stood before it is told, in milliseconds.
const STANDS_MS: u64 = 1000;

/// How long others that come up meanwhile are waited for, so that all are told as one, in milliseconds.
const GATHERS_MS: u64 = 2000;

/// How long after telling of anything the next may be told, in milliseconds.
const SPACING_MS: u64 = 5000;

/// How long after telling of a window its next need may be told, in milliseconds; and how long a need that went away is
/// remembered, so that it is not told again when it comes back.
const AGAIN_MS: u64 = 10_000;

/// What is remembered of a window.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Notice {
    /// Epoch milliseconds at which the need came up that its user is still to be told of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since_ms: Option<u64>,
    /// Epoch milliseconds at which its user was told of it last, unless they were there since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told_ms: Option<u64>,
    /// The last need that went away after its user knew of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub past: Option<Past>,
}

/// A need that has gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Past {
    need: Need,
    summary: String,
    gone_ms: u64,
}

/// The circumstances of a look.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// Epoch milliseconds.
    pub now_ms: u64,
    /// Whether nothing was known of the server: what it shows then is no news.
    pub first: bool,
    /// Whether somebody has the window in front of them.
    pub watched: bool,
    /// What the user wants to be told of.
    pub wishes: &'a Wishes,
}

impl Notice {
    /// Whether there is nothing to remember.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What is remembered of `window` after a look, given what was known `before`.
    pub fn after(window: &KnownWindow, before: Option<&KnownWindow>, moment: &Moment<'_>) -> Self {
        let Moment {
            now_ms,
            first,
            watched,
            wishes,
        } = *moment;
        let mut notice = before.map(|known| known.notice.clone()).unwrap_or_default();
        if watched {
            (notice.since_ms, notice.told_ms) = (None, None);
        }
        let (was, is) = (before.and_then(KnownWindow::calls), window.calls());
        if was != is {
            let knew = before.zip(was).filter(|_| notice.since_ms.is_none());
            let back = notice.past.as_ref().is_some_and(|past| {
                (Some(past.need), past.summary.as_str()) == (is, window.evident().1)
                    && now_ms.saturating_sub(past.gone_ms) < AGAIN_MS
            });
            if let Some((before, need)) = knew {
                notice.past = Some(Past {
                    need,
                    summary: before.evident().1.to_owned(),
                    gone_ms: now_ms,
                });
            }
            // One that its user had set aside and calls again stood there all the time.
            let revived = before.is_some_and(|before| {
                before.need == window.need && (before.ignored || before.parked_at != window.parked_at)
            });
            let news = is.is_some() && !(first || watched || revived || back);
            notice.since_ms = news.then_some(now_ms);
        }
        notice.since_ms = notice.since_ms.filter(|_| is.is_some_and(|need| wishes.want(need)));
        notice
    }

    /// When it may be told, in epoch milliseconds.
    fn ready_ms(&self) -> Option<u64> {
        let stands = self.since_ms?.saturating_add(STANDS_MS);
        Some(
            self.told_ms
                .map_or(stands, |told| stands.max(told.saturating_add(AGAIN_MS))),
        )
    }

    /// Nothing is remembered of times to come, after the clock was set back.
    pub(super) fn not_after(&mut self, now_ms: u64) {
        let times = [&mut self.since_ms, &mut self.told_ms];
        let past = self.past.as_mut().map(|past| &mut past.gone_ms);
        for time in times.into_iter().flatten().chain(past) {
            *time = now_ms.min(*time);
        }
    }
}

/// When what waits is to be told, in epoch milliseconds; `None` when nothing waits.
pub fn tell_at(state: &State) -> Option<u64> {
    let ready = || state.windows.values().filter_map(|window| window.notice.ready_ms());
    let first = ready().min()?;
    let together = ready().filter(|at| *at <= first.saturating_add(GATHERS_MS)).max();
    let spaced = state.told_ms.saturating_add(SPACING_MS);
    Some(together.unwrap_or(first).max(spaced))
}

/// The windows to be told of at `now_ms`, the most pressing first. From now on they have been told.
pub fn take_due(state: &mut State, now_ms: u64) -> Vec<WindowId> {
    if tell_at(state).is_none_or(|at| now_ms < at) {
        return Vec::new();
    }
    let ready = |window: &KnownWindow| window.notice.ready_ms().is_some_and(|at| at <= now_ms);
    let mut due: Vec<_> = state.windows.iter().filter(|(_, window)| ready(window)).collect();
    due.sort_by_key(|(_, window)| window.urgency());
    let due: Vec<WindowId> = due.into_iter().map(|(id, _)| *id).collect();
    for id in &due {
        if let Some(window) = state.windows.get_mut(id) {
            (window.notice.since_ms, window.notice.told_ms) = (None, Some(now_ms));
        }
    }
    state.told_ms = now_ms;
    due
}

#[cfg(test)]
#[path = "notice_tests.rs"]
mod tests;
