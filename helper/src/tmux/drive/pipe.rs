//! What a pane prints, as it prints it: through its one pipe, if nobody uses it, else by looking again and again.

use super::super::command::{sequence, Failure, Tmux};
use super::super::listing::nonce;
use super::{gone, one, record, refused};
use crate::model::PaneId;
use crate::process;
use std::path::Path;

/// A pane at one instant, and whether what it prints goes where it was asked to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    /// The process that tmux has started in it.
    pub pid: u32,
    /// Whether that has ended.
    pub dead: bool,
    /// Whether its pipe is in use.
    pub piped: bool,
    /// Columns.
    pub width: usize,
    /// Rows of the screen.
    pub height: usize,
    /// The cursor's column, from 0.
    pub cursor_x: usize,
    /// The row with the cursor, from the top of the screen.
    pub cursor_y: usize,
    /// Rows above the screen that are kept.
    pub history: usize,
    /// Whether a full-screen program shows.
    pub alternate: bool,
    /// The rows that were asked for, without blanks at their ends.
    pub rows: Vec<String>,
}

const STATE: [&str; 10] = [
    "#{pane_id}",
    "#{pane_pid}",
    "#{pane_dead}",
    "#{pane_pipe}",
    "#{pane_width}",
    "#{pane_height}",
    "#{cursor_x}",
    "#{cursor_y}",
    "#{history_size}",
    "#{alternate_on}",
];

/// The program that the server runs at the end of a pane's pipe: it hands on to the fifo at `path`, after a line with its
/// process id, which says that it is there.
fn relay(path: &str) -> String {
    format!("exec >{path} 2>/dev/null; echo $$; exec cat")
}

/// Whether `path` means itself in a shell and in tmux's formats, times included.
pub fn is_plain(path: &Path) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+@".contains(&byte);
    path.to_str().is_some_and(|path| path.bytes().all(plain))
}

/// The screen, from a number of rows above it on; and before that, in the same instant, what the pane prints is sent to the
/// fifo `into`, unless its pipe is in use. Whether that came to be, `Sight::piped` tells only where it was free: the fifo
/// tells for sure.
///
/// # Errors
/// See [`Failure`]; "can't find" when there is no such pane.
pub fn sight(tmux: &Tmux, id: PaneId, above: usize, into: Option<&Path>) -> Result<Sight, Failure> {
    let nonce = nonce();
    let target = id.to_string();
    let start = format!("-{above}");
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let mut commands = vec![
        words(&["display-message", "-p", "-t", &target, &record(&nonce, &STATE)]),
        words(&[
            "capture-pane",
            "-p",
            "-t",
            &target,
            "-S",
            if above == 0 { "0" } else { &start },
        ]),
    ];
    if let Some(path) = into.and_then(Path::to_str) {
        // Quoted for tmux's own parser; a plain path holds no quote.
        let open = format!("pipe-pane -O -t {target} '{}'", relay(path));
        let free = "#{&&:#{==:#{pane_pipe},0},#{==:#{pane_dead},0}}";
        commands.insert(1, words(&["if-shell", "-F", "-t", &target, free, &open]));
    }
    let answer = tmux.call(&sequence(commands))?;
    if !answer.success {
        return Err(refused(tmux, answer));
    }
    let all = String::from_utf8_lossy(&answer.stdout);
    let (mut fields, text) = one(&all, &nonce, STATE.len()).ok_or_else(|| super::odd(&all))?;
    if fields.maybe::<PaneId>()? != Some(id) {
        return Err(gone("pane", id));
    }
    Ok(Sight {
        pid: fields.parse()?,
        dead: fields.flag()?,
        piped: fields.flag()?,
        width: fields.parse()?,
        height: fields.parse()?,
        cursor_x: fields.maybe()?.unwrap_or(0),
        cursor_y: fields.maybe()?.unwrap_or(0),
        history: fields.maybe()?.unwrap_or(0),
        alternate: fields.flag()?,
        rows: text.lines().map(str::to_owned).collect(),
    })
}

/// Closes a pane's pipe, at whose end the process `relay` is. A pane that has gone has none; tmux does not close that of one
/// whose program has ended, so its relay is ended.
pub fn close(tmux: &Tmux, id: PaneId, relay: Option<u32>) {
    let closed = tmux.call(&["pipe-pane", "-t", &id.to_string()]);
    if let Some(relay) = relay.filter(|_| !closed.is_ok_and(|answer| answer.success)) {
        process::end(relay);
    }
}
