//! Puts a report into the options of its pane, and has whoever refreshes look.

use super::command::{sequence, Failure, Tmux};
use super::hook;
use super::option::{NOW, REPORT, REPORTED_AT};
use crate::model::PaneId;

/// Stores `value` (`None`: nothing any more) as the report of `pane`, in one tmux process. `now` is the epoch second.
///
/// # Errors
/// See [`Failure`].
pub fn store(tmux: &Tmux, pane: PaneId, value: Option<&str>, now: u64) -> Result<(), Failure> {
    let pane = pane.to_string();
    let command = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let report = match value {
        Some(value) => command(&["set-option", "-p", "-t", &pane, REPORT, value]),
        None => command(&["set-option", "-p", "-u", "-t", &pane, REPORT]),
    };
    // By the server's clock at that moment: a look may come between asking and being served.
    let second = format!("#{{?{NOW},#{{T:{NOW}}},{now}}}");
    let at = command(&["set-option", "-wF", "-t", &pane, REPORTED_AT, &second]);
    tmux.effect(&sequence(vec![report, at, hook::owe("report")])).map(drop)
}
