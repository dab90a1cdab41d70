//! Whether shells are at their prompts, as far as a cursor tells; and where they are.

use super::super::command::{Failure, Tmux};
use super::super::drive::refused;
use crate::model::{PaneId, SessionId};
use std::collections::{BTreeMap, BTreeSet};

/// The panes of a session whose programs have printed nothing yet: their cursor is where it starts.
///
/// # Errors
/// See [`Failure`].
pub fn silent(tmux: &Tmux, session: SessionId) -> Result<BTreeSet<PaneId>, Failure> {
    let format = "#{?#{||:#{pane_dead},#{||:#{cursor_x},#{cursor_y}}},,#{pane_id}}";
    let text = listed(tmux, session, format)?;
    Ok(text.lines().filter_map(|line| line.parse().ok()).collect())
}

/// The folders in which the programs of a session's panes are, where tmux can tell.
///
/// # Errors
/// See [`Failure`].
pub fn places(tmux: &Tmux, session: SessionId) -> Result<BTreeMap<PaneId, String>, Failure> {
    let text = listed(tmux, session, "#{pane_id} #{pane_current_path}")?;
    let place = |line: &str| {
        let (pane, place) = line.split_once(' ')?;
        Some((pane.parse().ok()?, place.to_owned())).filter(|_| !place.is_empty())
    };
    Ok(text.lines().filter_map(place).collect())
}

fn listed(tmux: &Tmux, session: SessionId, format: &str) -> Result<String, Failure> {
    let answer = tmux.call(&["list-panes", "-s", "-t", &session.to_string(), "-F", format])?;
    match answer.success {
        true => Ok(String::from_utf8_lossy(&answer.stdout).into_owned()),
        false => Err(refused(tmux, answer)),
    }
}
