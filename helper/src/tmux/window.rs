//! What a user asks of one window, by id: to see it, and to have it parked.

use super::command::{sequence, Failure, Tmux};
use super::hook;
use super::option::PARKED;
use crate::model::{PaneId, WindowId};

/// What is on a pane's screen, with the escape sequences of its colours; raw, as its programs have written it.
///
/// # Errors
/// See [`Failure`].
pub fn picture(tmux: &Tmux, pane: PaneId) -> Result<Vec<u8>, Failure> {
    let answer = tmux.effect(&["capture-pane", "-e", "-p", "-t", &pane.to_string()])?;
    Ok(answer.stdout)
}

/// Parks a window at this epoch second, or unparks it, and has whoever refreshes look; in one tmux process.
///
/// # Errors
/// See [`Failure`].
pub fn park(tmux: &Tmux, window: WindowId, at: Option<u64>) -> Result<(), Failure> {
    let window = window.to_string();
    let set = match at {
        Some(second) => vec!["set-option", "-w", "-t", &window, PARKED, &second.to_string()]
            .into_iter()
            .map(str::to_owned)
            .collect(),
        None => ["set-option", "-w", "-u", "-t", &window, PARKED]
            .map(str::to_owned)
            .to_vec(),
    };
    tmux.effect(&sequence(vec![set, hook::owe("parked")])).map(drop)
}
