//! What a user's client shows, and where it goes. A client goes only where its user has asked for, in that moment.

use super::command::{data, Failure, Tmux};
use crate::fault::Fault;
use crate::model::{PaneId, SessionId, WindowId};
use crate::text;

/// A pane where it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// The session, which a window may share with others.
    pub session: SessionId,
    /// The window.
    pub window: WindowId,
    /// The pane.
    pub pane: PaneId,
}

/// Moves the client named `name` to `spot`: its session, the window and the pane, which stays zoomed where it was.
///
/// # Errors
/// When there is no such client (an empty name: none is known), or no such pane there any more.
pub fn jump(tmux: &Tmux, name: &str, spot: Spot) -> Result<(), Fault> {
    let fail = |why: &str, hint: &str| Fault::new(format!("cannot go there: {why}"), hint);
    if name.is_empty() {
        let why = "no tmux client is known that could go there";
        return Err(fail(why, "attach one: tmux attach-session; or press the key in tmux"));
    }
    match reach(tmux, name, spot) {
        Ok(true) => Ok(()),
        Ok(false) => Err(fail("it is not there any more", "look again: tmux-status refresh")),
        Err(failure) => Err(fail(&failure.to_string(), "tmux list-clients names the clients")),
    }
}

/// The same for one who knows where to go otherwise; whether the pane is still there.
///
/// # Errors
/// See [`Failure`]: also when there is no such client.
pub fn reach(tmux: &Tmux, name: &str, spot: Spot) -> Result<bool, Failure> {
    let target = format!("{}:{}.{}", spot.session, spot.window, spot.pane);
    let answer = tmux.call(&["switch-client", "-Z", "-c", &data(name), "-t", &target])?;
    let gone = ["session", "window", "pane"].map(|what| format!("can't find {what}"));
    match answer.success {
        true => Ok(true),
        false if gone.iter().any(|words| answer.stderr.starts_with(words)) => Ok(false),
        false => Err(Failure::Refused(answer.stderr)),
    }
}

/// The name of the client that shows the session of `pane`, the last used one of several; empty when there is none.
///
/// # Errors
/// See [`Failure`].
pub fn showing(tmux: &Tmux, pane: PaneId) -> Result<String, Failure> {
    // Without the condition tmux names a client of another session where this one has none.
    let format = "#{?session_attached,#{client_name},}";
    let answer = tmux.effect(&["display-message", "-p", "-t", &pane.to_string(), format])?;
    Ok(String::from_utf8_lossy(&answer.stdout)
        .trim_end_matches('\n')
        .to_owned())
}

/// Shows `line` on the status line of the client named `name` (empty: tmux's choice). The line is inert in formats.
///
/// # Errors
/// See [`Failure`]; a client that has left meanwhile is none.
pub fn message(tmux: &Tmux, name: &str, line: &str) -> Result<(), Failure> {
    let line = data(&text::for_format(&text::one_line(line, 200)));
    let mut args = vec!["display-message"];
    if !name.is_empty() {
        args.extend(["-c", name]);
    }
    args.push(&line);
    tmux.call(&args).map(drop)
}
