//! Names, places and sizes: changes that can be taken back, each with what came of it, in one process where that can be.

use super::super::command::{sequence, Failure, Tmux};
use super::super::listing::nonce;
use super::lists::{self, PaneRow, SessionRow, WindowRow, PANE};
use super::{all, ask, gone, odd, only, record, records, Fields};
use crate::model::{PaneId, SessionId, WindowId};
use std::collections::BTreeSet;

/// Where to go from a window or a pane in the order of the list it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The one after it; the first after the last.
    Next,
    /// The one before it; the last before the first.
    Previous,
}

impl Step {
    fn from<T: Copy + PartialEq>(self, here: T, all: &[T]) -> Option<T> {
        let at = all.iter().position(|one| *one == here)?;
        let to = match self {
            Step::Next => at + 1,
            Step::Previous => at + all.len() - 1,
        };
        all.get(to % all.len()).copied()
    }
}

/// A side of a pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Above.
    Up,
    /// Below.
    Down,
    /// Left.
    Left,
    /// Right.
    Right,
}

impl Side {
    fn flag(self) -> &'static str {
        match self {
            Side::Up => "-U",
            Side::Down => "-D",
            Side::Left => "-L",
            Side::Right => "-R",
        }
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn run(tmux: &Tmux, commands: Vec<Vec<String>>) -> Result<String, Failure> {
    let args = sequence(commands);
    ask(tmux, &args.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Prints `fields` at `target`.
fn tell(target: &str, nonce: &str, fields: &[&str]) -> Vec<String> {
    owned(&["display-message", "-p", "-t", target, &record(nonce, fields)])
}

/// Runs `change` and lists all windows.
fn windows_after(tmux: &Tmux, change: Vec<String>) -> Result<Vec<WindowRow>, Failure> {
    let nonce = nonce();
    let answer = run(tmux, vec![change, lists::list_windows(&nonce)])?;
    lists::read_windows(&answer, &nonce)
}

/// Renames a session, to a name that is literal already; its row then. Clients with the process ids `ours` do not count.
///
/// # Errors
/// See [`Failure`]; a name that another session has is refused.
pub fn rename_session(tmux: &Tmux, id: SessionId, name: &str, ours: &BTreeSet<u32>) -> Result<SessionRow, Failure> {
    let (mark, nonce) = (nonce(), nonce());
    let rename = owned(&["rename-session", "-t", &id.to_string(), "--", name]);
    let answer = run(tmux, vec![rename, lists::list_sessions(&mark, &nonce)])?;
    let rows = lists::read_sessions(&answer, &mark, &nonce, ours)?;
    rows.into_iter()
        .find(|row| row.id == id)
        .ok_or_else(|| gone("session", id))
}

/// Renames a window, to a name that is literal already; its row then, at the first of its places.
///
/// # Errors
/// See [`Failure`].
pub fn rename_window(tmux: &Tmux, id: WindowId, name: &str) -> Result<WindowRow, Failure> {
    let rename = owned(&["rename-window", "-t", &id.to_string(), "--", name]);
    first(windows_after(tmux, rename)?, id)
}

fn first(rows: Vec<WindowRow>, id: WindowId) -> Result<WindowRow, Failure> {
    rows.into_iter()
        .find(|row| row.id == id)
        .ok_or_else(|| gone("window", id))
}

/// Makes a window the current one of its session; of several sessions, of the one that was used last. The windows of that
/// session then.
///
/// # Errors
/// See [`Failure`].
pub fn select_window(tmux: &Tmux, id: WindowId) -> Result<Vec<WindowRow>, Failure> {
    let target = id.to_string();
    select_window_by(tmux, id, owned(&["select-window", "-t", &target]))
}

/// Goes to the first of two indexes in each session, then to the second, which is the current window then, and the first its
/// last one. What is not there is passed over.
///
/// # Errors
/// See [`Failure`].
pub fn visit(tmux: &Tmux, ways: &[(SessionId, u32, u32)]) -> Result<(), Failure> {
    if ways.is_empty() {
        return Ok(());
    }
    // Of a file, each line runs whatever became of the one before it.
    let go = |session: &SessionId, index: &u32| format!("select-window -t '{session}:{index}'\n");
    let lines = ways
        .iter()
        .map(|(session, first, then)| go(session, first) + &go(session, then));
    let script = lines.collect::<String>().into_bytes();
    tmux.call_while(&["source-file", "-"], Some(script), || ())?;
    Ok(())
}

/// Makes the window that was current before the current one again, in the session of `id`.
///
/// # Errors
/// See [`Failure`]; refused where there was none.
pub fn select_last_window(tmux: &Tmux, id: WindowId) -> Result<Vec<WindowRow>, Failure> {
    let target = id.to_string();
    select_window_by(tmux, id, owned(&["select-window", "-l", "-t", &target]))
}

/// Makes the window beside `id` the current one.
///
/// # Errors
/// See [`Failure`].
pub fn step_window(tmux: &Tmux, id: WindowId, step: Step) -> Result<Vec<WindowRow>, Failure> {
    // Alone, tmux steps from the current window.
    let rows = session_of(tmux, id, Vec::new())?;
    let session = rows.first().map(|row| row.session);
    // A window may be there twice: steps go from one place to another.
    let here = rows.iter().find(|row| row.id == id).map(|row| row.index);
    let places: Vec<i32> = rows.iter().map(|row| row.index).collect();
    let to = here.and_then(|here| step.from(here, &places));
    let (Some(session), Some(to)) = (session, to) else {
        return Err(gone("window", id));
    };
    let target = format!("{session}:{to}");
    select_window_by(tmux, id, owned(&["select-window", "-t", &target]))
}

fn select_window_by(tmux: &Tmux, id: WindowId, select: Vec<String>) -> Result<Vec<WindowRow>, Failure> {
    session_of(tmux, id, vec![select])
}

/// The windows of the session that tmux finds for `id`, after `changes`.
fn session_of(tmux: &Tmux, id: WindowId, mut changes: Vec<Vec<String>>) -> Result<Vec<WindowRow>, Failure> {
    let (mark, nonce) = (nonce(), nonce());
    changes.push(tell(&id.to_string(), &mark, &["#{session_id}"]));
    changes.push(lists::list_windows(&nonce));
    let answer = run(tmux, changes)?;
    let (mut told, rest) = records(&answer, &mark, 1)?;
    let session = told.first_mut().ok_or_else(|| odd(&answer))?.maybe::<SessionId>()?;
    let session = session.ok_or_else(|| gone("window", id))?;
    let mut rows = lists::read_windows(rest, &nonce)?;
    rows.retain(|row| row.session == session);
    if rows.iter().all(|row| row.id != id) {
        return Err(gone("window", id));
    }
    Ok(rows)
}

/// Makes a pane its window's active one; the pane that is active then.
///
/// # Errors
/// See [`Failure`].
pub fn select_pane(tmux: &Tmux, id: PaneId) -> Result<PaneRow, Failure> {
    select_pane_by(tmux, id, &[])
}

/// The same of the pane on that side of it.
///
/// # Errors
/// See [`Failure`].
pub fn select_pane_beside(tmux: &Tmux, id: PaneId, side: Side) -> Result<PaneRow, Failure> {
    select_pane_by(tmux, id, &[side.flag()])
}

/// The same of the pane of its window that was active before.
///
/// # Errors
/// See [`Failure`]; refused where there was none.
pub fn select_last_pane(tmux: &Tmux, id: PaneId) -> Result<PaneRow, Failure> {
    select_pane_by(tmux, id, &["-l"])
}

/// The same of the pane before or after it.
///
/// # Errors
/// See [`Failure`].
pub fn step_pane(tmux: &Tmux, id: PaneId, step: Step) -> Result<PaneRow, Failure> {
    let nonce = nonce();
    let list = list_panes(id, &nonce, &["#{pane_id}"]);
    let answer = run(tmux, vec![list])?;
    let mut rows = all(&answer, &nonce, 1)?;
    let panes = rows.iter_mut().map(Fields::parse).collect::<Result<Vec<PaneId>, _>>()?;
    let to = step.from(id, &panes).ok_or_else(|| gone("pane", id))?;
    select_pane(tmux, to)
}

fn list_panes(id: PaneId, nonce: &str, fields: &[&str]) -> Vec<String> {
    owned(&["list-panes", "-t", &id.to_string(), "-F", &record(nonce, fields)])
}

fn select_pane_by(tmux: &Tmux, id: PaneId, flags: &[&str]) -> Result<PaneRow, Failure> {
    let (nonce, target) = (nonce(), id.to_string());
    let select = owned(&[&["select-pane"], flags, &["-t", &target]].concat());
    let answer = run(tmux, vec![select, list_panes(id, &nonce, &PANE)])?;
    for mut fields in all(&answer, &nonce, PANE.len())? {
        let row = lists::pane(&mut fields)?;
        if row.active {
            return Ok(row);
        }
    }
    Err(gone("pane", id))
}

/// What matters for a layout of a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrangeable {
    /// Panes in it.
    pub panes: usize,
    /// The version of the server.
    pub version: String,
}

/// Looks whether there is such a window.
///
/// # Errors
/// See [`Failure`].
pub fn arrangeable(tmux: &Tmux, id: WindowId) -> Result<Arrangeable, Failure> {
    let nonce = nonce();
    let fields = ["#{window_id}", "#{window_panes}", "#{version}"];
    let answer = run(tmux, vec![tell(&id.to_string(), &nonce, &fields)])?;
    let mut told = only(&answer, &nonce, fields.len())?;
    if told.maybe::<WindowId>()? != Some(id) {
        return Err(gone("window", id));
    }
    Ok(Arrangeable {
        panes: told.parse()?,
        version: told.owned()?,
    })
}

/// Gives a window a layout, which has been checked and holds no quote; the layout that it has then. `None` if it has not
/// `panes` panes any more: what was checked then says nothing, and some versions do not survive a layout that does not do.
///
/// # Errors
/// See [`Failure`].
pub fn set_layout(tmux: &Tmux, id: WindowId, layout: &str, panes: usize) -> Result<Option<String>, Failure> {
    let (nonce, target) = (nonce(), id.to_string());
    let still = format!("#{{==:#{{window_panes}},{panes}}}");
    let set = format!("select-layout -t '{id}' -- '{layout}'");
    let change = owned(&[
        "if-shell",
        "-F",
        "-t",
        &target,
        &still,
        &set,
        "display-message -p changed",
    ]);
    let answer = run(tmux, vec![change, tell(&target, &nonce, &["#{window_layout}"])])?;
    if answer.starts_with("changed\n") {
        return Ok(None);
    }
    only(&answer, &nonce, 1)?.owned().map(Some)
}

/// Gives a window that many columns and rows; its row then, at the first of its places.
///
/// # Errors
/// See [`Failure`].
pub fn resize_window(tmux: &Tmux, id: WindowId, width: u32, height: u32) -> Result<WindowRow, Failure> {
    let (target, width, height) = (id.to_string(), width.to_string(), height.to_string());
    let resize = owned(&["resize-window", "-t", &target, "-x", &width, "-y", &height]);
    first(windows_after(tmux, resize)?, id)
}

/// Moves an edge of a pane by that many cells; how many columns and rows it has then.
///
/// # Errors
/// See [`Failure`].
pub fn resize_pane(tmux: &Tmux, id: PaneId, side: Side, cells: u32) -> Result<(u32, u32), Failure> {
    let (nonce, target) = (nonce(), id.to_string());
    let resize = owned(&["resize-pane", side.flag(), "-t", &target, "--", &cells.to_string()]);
    let size = ["#{pane_width}", "#{pane_height}"];
    let answer = run(tmux, vec![resize, tell(&target, &nonce, &size)])?;
    let mut told = only(&answer, &nonce, size.len())?;
    Ok((told.parse()?, told.parse()?))
}

/// Moves a window to that place; its row there. No session shows another window for it, but those that lose theirs.
///
/// # Errors
/// See [`Failure`]; a place that is taken is refused.
pub fn move_window(tmux: &Tmux, id: WindowId, session: SessionId, index: u32) -> Result<WindowRow, Failure> {
    let target = id.to_string();
    // A session that shows the window goes on showing it at its new place.
    let shown = format!("#{{&&:#{{window_active}},#{{==:#{{session_id}},{session}}}}}");
    let by = |flag: &str| format!("move-window {flag} -s '{id}' -t '{session}:{index}'");
    let change = owned(&["if-shell", "-F", "-t", &target, &shown, &by(""), &by("-d")]);
    let rows = windows_after(tmux, change)?;
    // With -s, tmux gives no window another index, whatever renumber-windows says.
    let there = |row: &WindowRow| (row.session, i64::from(row.index)) == (session, i64::from(index));
    rows.into_iter()
        .find(|row| row.id == id && there(row))
        .ok_or_else(|| gone("window", id))
}

/// Has two panes trade places, and the active pane of a window of both stay the active one; `source` then.
///
/// # Errors
/// See [`Failure`].
pub fn swap_panes(tmux: &Tmux, source: PaneId, target: PaneId) -> Result<PaneRow, Failure> {
    let nonce = nonce();
    let (from, to) = (source.to_string(), target.to_string());
    // Of two panes in one window, tmux leaves the source active but not the target.
    let swap = |from: &str, to: &str| format!("swap-pane -d -Z -s '{from}' -t '{to}'");
    let change = owned(&[
        "if-shell",
        "-F",
        "-t",
        &to,
        "#{pane_active}",
        &swap(&to, &from),
        &swap(&from, &to),
    ]);
    let answer = run(tmux, vec![change, tell(&from, &nonce, &PANE)])?;
    lists::found(&mut only(&answer, &nonce, PANE.len())?, source)
}

/// Gives a pane a title that is literal already; the pane, and the title that it has then.
///
/// # Errors
/// See [`Failure`].
pub fn set_title(tmux: &Tmux, id: PaneId, title: &str) -> Result<(PaneRow, String), Failure> {
    let (nonce, target) = (nonce(), id.to_string());
    let set = owned(&["select-pane", "-t", &target, "-T", title]);
    let fields = [&PANE[..], &["#{pane_title}"]].concat();
    let answer = run(tmux, vec![set, tell(&target, &nonce, &fields)])?;
    let mut told = only(&answer, &nonce, fields.len())?;
    let row = lists::pane(&mut told)?;
    Ok((row, told.owned()?))
}

/// Sets a session option, for one session or for all that have none of their own; its value then.
///
/// # Errors
/// See [`Failure`].
pub fn set_option(tmux: &Tmux, session: Option<SessionId>, name: &str, value: &str) -> Result<String, Failure> {
    let session = session.map(|id| id.to_string());
    let scope: &[&str] = match &session {
        Some(id) => &["-t", id],
        None => &["-g"],
    };
    let set = owned(&[&["set-option"], scope, &["--", name, value]].concat());
    let show = owned(&[&["show-options", "-v"], scope, &["--", name]].concat());
    let answer = run(tmux, vec![set, show])?;
    Ok(answer.strip_suffix('\n').unwrap_or(&answer).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_round() {
        let all = [3, 5, 9];
        assert_eq!([3, 5, 9].map(|at| Step::Next.from(at, &all).unwrap()), [5, 9, 3]);
        assert_eq!([3, 5, 9].map(|at| Step::Previous.from(at, &all).unwrap()), [9, 3, 5]);
        assert_eq!(Step::Next.from(7, &[7]), Some(7));
        assert_eq!(Step::Next.from(7, &all), None);
    }
}
