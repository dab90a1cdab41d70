//! Whether shells are at their prompts, as far as a cursor tells.

use super::super::command::{Failure, Tmux};
use super::super::drive::refused;
use crate::model::{PaneId, SessionId};
use std::collections::BTreeSet;

/// The panes of a session whose programs have printed nothing yet: their cursor is where it starts.
///
/// # Errors
/// See [`Failure`].
pub fn silent(tmux: &Tmux, session: SessionId) -> Result<BTreeSet<PaneId>, Failure> {
    let format = "#{?#{||:#{pane_dead},#{||:#{cursor_x},#{cursor_y}}},,#{pane_id}}";
    let answer = tmux.call(&["list-panes", "-s", "-t", &session.to_string(), "-F", format])?;
    if !answer.success {
        return Err(refused(tmux, answer));
    }
    let text = String::from_utf8_lossy(&answer.stdout);
    Ok(text.lines().filter_map(|line| line.parse().ok()).collect())
}
