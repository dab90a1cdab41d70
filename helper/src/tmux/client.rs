//! What a user's client shows.

use super::command::{data, Failure, Tmux};
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
