//! Whom to ask about, and when: windows at rest whose screen was never asked about, not too often.

use super::config::Config;
use super::exclude::Exclude;
use crate::model::{Need, StatusKind, WindowId};
use crate::status::answers::{self, Answers};
use crate::status::state::State;
use crate::status::window::{Evident, KnownWindow};

/// Whether a call may be made at the epoch second `now`.
pub fn may_call(config: &Config, state: &State, answers: &Answers, now: u64) -> bool {
    let ledger = &answers.ledger;
    let attached = state.sessions.iter().any(|session| session.attached > 0);
    // A call from a time to come is the clock set back.
    let last = ledger.recent.last().copied().unwrap_or(0);
    attached && (last > now || ledger.next_at(config.interval) <= now) && ledger.within_hour(now) < config.budget
}

/// The windows that a model may word, most pressing first.
pub fn windows(config: &Config, exclude: &Exclude, state: &State) -> Vec<WindowId> {
    let mut found: Vec<_> = state
        .windows
        .iter()
        .filter(|(_, window)| config.may_word(window))
        .collect();
    found.retain(|(id, window)| {
        let panes = window.panes.iter().filter_map(|pane| state.panes.get(pane));
        !exclude.covers(
            state.sessions_of(**id),
            &window.name,
            panes.map(|pane| pane.path.as_str()),
        )
    });
    found.sort_by_key(|(_, window)| window.urgency());
    found.into_iter().map(|(id, _)| *id).collect()
}

/// Whether one of `windows` is at rest and was never asked about, as far as the last look knows.
pub fn any_new(config: &Config, state: &State, answers: &Answers, windows: &[WindowId], now: u64) -> bool {
    windows.iter().any(|id| {
        let window = state.windows.get(id);
        let pane = window.and_then(|window| state.panes.get(&window.pane));
        let Some((window, pane)) = window.zip(pane) else {
            return false;
        };
        let memory = &pane.memory;
        let quiet = memory.activity.saturating_add(config.quiet) <= now;
        let key = answers::key(pane.content, &window.command, memory.verdict.kind, window.need);
        quiet && answers.get(key).is_none()
    })
}

impl Config {
    /// Whether a model may word this window's summary. What is asked of the user stays in the words of evidence, unless
    /// they want it otherwise: a screen could have the model say something else.
    pub fn may_word(&self, window: &KnownWindow) -> bool {
        self.questions || !matches!(window.need, Some(Need::Permission | Need::Question))
    }

    /// The kind to publish, where the rules say `ours` and the model says `theirs`. A need is not the model's to make or hide.
    pub fn kind(&self, ours: StatusKind, theirs: Option<StatusKind>, need: Option<Need>) -> StatusKind {
        let refines = |kind: StatusKind| !matches!(kind, StatusKind::Waiting | StatusKind::Error);
        match theirs {
            Some(theirs) if need.is_none() && (self.all_kinds || refines(ours) && refines(theirs)) => theirs,
            _ => ours,
        }
    }

    /// Puts the model's words for what this window shows in the place of the rules', where it has any.
    pub fn word(&self, window: &mut KnownWindow, content: u64, answers: &Answers) {
        if !self.may_word(window) {
            return;
        }
        let key = answers::key(content, &window.command, window.kind, window.need);
        let Some(answer) = answers.get(key) else { return };
        let kind = self.kind(window.kind, answer.kind, window.need);
        let summary = answer.summary.as_ref().unwrap_or(&window.summary).clone();
        window.by_rules = Some(Evident {
            kind: std::mem::replace(&mut window.kind, kind),
            summary: std::mem::replace(&mut window.summary, summary),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use StatusKind::{Active, Error, Idle, Running, Waiting};

    fn config() -> Config {
        Config::of("model", std::path::Path::new(""), "").unwrap().unwrap()
    }

    #[test]
    fn a_model_refines_what_calls_nobody_and_nothing_else() {
        let config = config();
        for ours in [Active, Running, Idle] {
            for theirs in [Active, Running, Idle] {
                assert_eq!(config.kind(ours, Some(theirs), None), theirs);
            }
            for theirs in [Waiting, Error] {
                assert_eq!(config.kind(ours, Some(theirs), None), ours);
                assert_eq!(config.kind(theirs, Some(ours), None), theirs);
            }
            for need in [Need::Permission, Need::Question, Need::Failed, Need::Done] {
                assert_eq!(config.kind(Waiting, Some(ours), Some(need)), Waiting);
            }
        }
        let trusting = Config {
            all_kinds: true,
            ..config
        };
        assert_eq!(trusting.kind(Active, Some(Waiting), None), Waiting);
        assert_eq!(trusting.kind(Waiting, Some(Idle), Some(Need::Permission)), Waiting);
        assert_eq!(trusting.kind(Idle, None, None), Idle);
    }

    #[test]
    fn calls_wait_for_a_client_the_interval_and_the_budget() {
        let (config, mut state, mut answers) = (config(), State::default(), Answers::default());
        assert!(!may_call(&config, &state, &answers, 5000), "nobody is attached");
        state.sessions.push(crate::status::state::KnownSession {
            id: crate::model::SessionId(1),
            name: "a".into(),
            attached: 1,
            activity: None,
            windows: Vec::new(),
        });
        assert!(may_call(&config, &state, &answers, 5000));
        answers.ledger.begin(5000, 1, 1);
        assert!(!may_call(&config, &state, &answers, 5029));
        assert!(may_call(&config, &state, &answers, 5030));
        assert!(may_call(&config, &state, &answers, 4000), "the clock was set back");
        for at in 0..59 {
            answers.ledger.begin(5030 + at * 30, 1, 1);
        }
        assert!(!may_call(&config, &state, &answers, 7000), "the hour's budget is spent");
        assert!(may_call(&config, &state, &answers, 5000 + answers::HOUR));
    }
}
