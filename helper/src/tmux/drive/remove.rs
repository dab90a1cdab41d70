//! What cannot be had back: killing, and forgetting what was printed. A condition in the server guards each, in the same
//! instant.

use super::super::command::{Failure, Tmux};
use super::super::listing::nonce;
use super::ask;
use crate::model::{PaneId, SessionId, WindowId};
use std::fmt::Display;

/// A pane of a server with that process id that must live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spared {
    /// The server's process id; another server at the same socket has another pane of that id.
    pub server: u32,
    /// The pane.
    pub pane: PaneId,
}

impl Spared {
    /// True in that server, if `inside` is.
    fn condition(self, inside: &dyn Fn(&str) -> String) -> String {
        let is_it = format!("#{{==:#{{pane_id}},{}}}", self.pane);
        format!("#{{&&:#{{==:#{{pid}},{}}},{}}}", self.server, inside(&is_it))
    }
}

/// Kills a pane, unless it is the spared one; whether it did.
///
/// # Errors
/// See [`Failure`].
pub fn kill_pane(tmux: &Tmux, id: PaneId, spared: Option<Spared>) -> Result<bool, Failure> {
    let condition = spared.map(|spared| spared.condition(&str::to_owned));
    kill(tmux, "kill-pane", id, condition)
}

/// The same of a window that does not hold it.
///
/// # Errors
/// See [`Failure`].
pub fn kill_window(tmux: &Tmux, id: WindowId, spared: Option<Spared>) -> Result<bool, Failure> {
    let condition = spared.map(|spared| spared.condition(&|is_it| any_pane(is_it)));
    kill(tmux, "kill-window", id, condition)
}

/// The same of a session.
///
/// # Errors
/// See [`Failure`].
pub fn kill_session(tmux: &Tmux, id: SessionId, spared: Option<Spared>) -> Result<bool, Failure> {
    let condition = spared.map(|spared| spared.condition(&|is_it| format!("#{{W:{}}}", any_pane(is_it))));
    kill(tmux, "kill-session", id, condition)
}

/// A mark for each pane of a window that it is; nothing is false.
fn any_pane(is_it: &str) -> String {
    format!("#{{P:#{{?{is_it},x,}}}}")
}

fn kill(tmux: &Tmux, command: &str, id: impl Display, unless: Option<String>) -> Result<bool, Failure> {
    let there = !tmux.socket().nobody_listens();
    match run(tmux, command, id, unless) {
        // With its last session, a server ends; whether it still says so is a matter of luck.
        Err(Failure::NoServer) if there => Ok(true),
        answer => answer,
    }
}

/// Forgets what has scrolled off a pane's screen, unless the pane is in a mode; whether it did.
///
/// # Errors
/// See [`Failure`].
pub fn clear_scrollback(tmux: &Tmux, id: PaneId) -> Result<bool, Failure> {
    run(tmux, "clear-history", id, Some("#{pane_in_mode}".to_owned()))
}

fn run(tmux: &Tmux, command: &str, id: impl Display, unless: Option<String>) -> Result<bool, Failure> {
    let target = id.to_string();
    let Some(condition) = unless else {
        return ask(tmux, &[command, "-t", &target]).map(|_| true);
    };
    let refusal = nonce();
    let say = format!("display-message -p {refusal}");
    let command = format!("{command} -t '{target}'");
    let answer = ask(tmux, &["if-shell", "-F", "-t", &target, &condition, &say, &command])?;
    Ok(answer.trim() != refusal)
}
