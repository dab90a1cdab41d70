//! What a user's client shows.

use super::command::{data, Failure, Tmux};
use crate::model::{PaneId, SessionId, WindowId};
use crate::text;

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

/// Shows a client that pane, in that session; whether it is still there.
///
/// # Errors
/// See [`Failure`]: also when the client has left.
pub fn jump(tmux: &Tmux, client: &str, to: (SessionId, WindowId, PaneId)) -> Result<bool, Failure> {
    let target = format!("{}:{}.{}", to.0, to.1, to.2);
    // -Z: a zoomed window stays zoomed, on that pane.
    let answer = tmux.call(&["switch-client", "-Z", "-c", client, "-t", &target])?;
    let gone = ["session", "window", "pane"].map(|what| format!("can't find {what}"));
    match answer.success {
        true => Ok(true),
        false if gone.iter().any(|words| answer.stderr.starts_with(words)) => Ok(false),
        false => Err(Failure::Refused(answer.stderr)),
    }
}
