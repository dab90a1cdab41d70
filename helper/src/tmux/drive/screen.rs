//! What stands in a pane.

use super::super::command::{sequence, Failure, Tmux};
use super::super::listing::nonce;
use super::lists::{self, PaneRow};
use super::{ask, one, record, refused};
use crate::model::PaneId;

/// Which lines: 0 is the top of the screen, negative ones lie above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lines {
    /// All that is kept.
    pub history: bool,
    /// From there on, instead of from the top.
    pub start: Option<i32>,
    /// To there, instead of to the bottom.
    pub end: Option<i32>,
}

impl Lines {
    fn command(self, id: PaneId) -> Vec<String> {
        let mut args = vec![
            "capture-pane".to_owned(),
            "-p".to_owned(),
            "-t".to_owned(),
            id.to_string(),
        ];
        // Of a larger number tmux makes the top of the screen.
        let bounded = |line: i32| line.min(i32::from(i16::MAX)).to_string();
        let start = self.start.map(bounded);
        if let Some(start) = start.or_else(|| self.history.then(|| "-".to_owned())) {
            args.extend(["-S".to_owned(), start]);
        }
        if let Some(end) = self.end {
            args.extend(["-E".to_owned(), bounded(end)]);
        }
        args
    }
}

/// A pane, what it shows, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The pane.
    pub pane: PaneRow,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The cursor's column, from 0.
    pub cursor_x: Option<u32>,
    /// The cursor's row, from 0.
    pub cursor_y: Option<u32>,
    /// The mode that covers it.
    pub mode: Option<String>,
    /// How many lines it is scrolled back in that mode.
    pub scrolled: Option<i32>,
    /// Whether its program has ended.
    pub dead: bool,
    /// Its lines.
    pub text: String,
}

const STATE: [&str; 7] = [
    "#{pane_width}",
    "#{pane_height}",
    "#{cursor_x}",
    "#{cursor_y}",
    "#{pane_mode}",
    "#{scroll_position}",
    "#{pane_dead}",
];

/// The lines of a pane, without blanks at their ends, each ended by a newline.
///
/// # Errors
/// See [`Failure`].
pub fn capture(tmux: &Tmux, id: PaneId, lines: Lines) -> Result<String, Failure> {
    let args = lines.command(id);
    ask(tmux, &args.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A pane's state and lines, of one instant.
///
/// # Errors
/// See [`Failure`].
pub fn snapshot(tmux: &Tmux, id: PaneId, history: bool) -> Result<Snapshot, Failure> {
    let nonce = nonce();
    let fields = [&lists::PANE[..], &STATE].concat();
    let format = record(&nonce, &fields);
    let target = id.to_string();
    let state = ["display-message", "-p", "-t", &target, &format].map(str::to_owned);
    let lines = Lines {
        history,
        ..Lines::default()
    };
    let answer = tmux.call(&sequence(vec![state.to_vec(), lines.command(id)]))?;
    if !answer.success {
        return Err(refused(tmux, answer));
    }
    let all = String::from_utf8_lossy(&answer.stdout);
    let (mut fields, text) = one(&all, &nonce, fields.len()).ok_or_else(|| super::odd(&all))?;
    let pane = lists::found(&mut fields, id)?;
    Ok(Snapshot {
        pane,
        width: fields.parse()?,
        height: fields.parse()?,
        cursor_x: fields.maybe()?,
        cursor_y: fields.maybe()?,
        mode: Some(fields.owned()?).filter(|mode| !mode.is_empty()),
        scrolled: fields.maybe()?,
        dead: fields.flag()?,
        text: text.to_owned(),
    })
}

/// Whether a shell marks where the output of its last command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    /// It does.
    Present,
    /// It does not.
    Absent,
    /// tmux cannot tell.
    Unsupported,
}

/// What the last command of a shell has printed; the visible screen where nothing tells where that begins.
///
/// # Errors
/// See [`Failure`].
pub fn last_command(tmux: &Tmux, id: PaneId) -> Result<(String, Marks), Failure> {
    let target = id.to_string();
    let marked = tmux.call(&["capture-pane", "-p", "-F", "-t", &target, "-S", "-"])?;
    let screen = || capture(tmux, id, Lines::default());
    if !marked.success {
        // A server that does not know the flag says so; for all else the plain capture fails alike.
        return Ok((screen()?, Marks::Unsupported));
    }
    match after_last_mark(&String::from_utf8_lossy(&marked.stdout)) {
        Some(text) => Ok((text, Marks::Present)),
        None => Ok((screen()?, Marks::Absent)),
    }
}

/// The lines from the last one that is marked as the start of output to the prompt after it. Each line begins with its
/// flags (a line without any has `-`) and a blank.
fn after_last_mark(text: &str) -> Option<String> {
    let lines: Vec<(&str, &str)> = text
        .lines()
        .map(|line| line.split_once(' ').unwrap_or((line, "")))
        .collect();
    let marked = lines.iter().rposition(|(flags, _)| flags.contains('O'))?;
    // Some shells mark the end of the row in which the command was typed.
    let typed = lines.get(marked).is_some_and(|(flags, _)| flags.contains('P'));
    let output = lines.get(marked + usize::from(typed)..)?.iter();
    let output = output.take_while(|(flags, _)| !flags.contains('P'));
    Some(output.map(|(_, line)| format!("{line}\n")).collect())
}

#[cfg(test)]
mod tests {
    use super::after_last_mark;

    #[test]
    fn the_last_output_ends_at_the_next_prompt() {
        let text = "P $ one\nO first\n- old\nPO $ two\n- a  b\nW \nP $ \n- \n";
        assert_eq!(after_last_mark(text).as_deref(), Some("a  b\n\n"));
        assert_eq!(
            after_last_mark("P $ x\nO out\n- more\n").as_deref(),
            Some("out\nmore\n")
        );
        assert_eq!(after_last_mark("- a\nP b\n"), None);
    }
}
