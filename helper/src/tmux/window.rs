//! What a user asks of one window, by id: to see it, and to have it parked.

use super::command::{sequence, Failure, Tmux};
use super::hook;
use super::option::PARKED;
use crate::model::{PaneId, WindowId};

/// What is on a pane's screen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Picture {
    /// Its rows, with the escape sequences of its colours; raw, as its programs have written them.
    pub rows: Vec<u8>,
    /// The row that the cursor is in, from 0; `None` where it is hidden.
    pub cursor: Option<usize>,
}

/// Takes a picture of a pane, in one tmux process.
///
/// # Errors
/// See [`Failure`].
pub fn picture(tmux: &Tmux, pane: PaneId) -> Result<Picture, Failure> {
    let pane = pane.to_string();
    let cursor = "#{?cursor_flag,#{cursor_y},}";
    let answer = tmux.effect(&[
        "display-message",
        "-p",
        "-t",
        &pane,
        cursor,
        ";",
        "capture-pane",
        "-e",
        "-p",
        "-t",
        &pane,
    ])?;
    let mut lines = answer.stdout.splitn(2, |byte| *byte == b'\n');
    let cursor = lines
        .next()
        .and_then(|line| std::str::from_utf8(line).ok()?.parse().ok());
    let rows = lines.next().unwrap_or_default().to_vec();
    Ok(Picture { rows, cursor })
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
