//! New sessions, windows and panes with the program that is configured, and that program again.
//!
//! Deliberately absent: any command of a caller. Folders and names have been made literal before they come here.

use super::super::command::{sequence, Failure, Tmux};
use super::super::listing::nonce;
use super::lists::{self, PaneRow, SessionRow, WindowRow};
use super::{ask, only, record};
use crate::model::{PaneId, SessionId, WindowId};
use std::collections::BTreeSet;

/// On which side of a pane a new one goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Above it.
    Above,
    /// Below it.
    Below,
    /// Left of it.
    Left,
    /// Right of it.
    Right,
}

/// A new session that nobody is attached to, and its pane. No server is started for it.
///
/// # Errors
/// See [`Failure`].
pub fn session(tmux: &Tmux, name: &str, folder: &str) -> Result<(SessionRow, PaneId), Failure> {
    if tmux.socket().nobody_listens() {
        return Err(Failure::NoServer);
    }
    let (id, pane) = made(tmux, &["new-session", "-d", "-s", name, "-c", folder], "#{session_id}")?;
    let rows = lists::sessions(tmux, &BTreeSet::new())?;
    let made = rows.into_iter().find(|row| row.id == id);
    Ok((made.ok_or_else(|| super::gone("session", id))?, pane))
}

/// A new window at the first free index, and its pane; nobody is taken to it.
///
/// # Errors
/// See [`Failure`].
pub fn window(
    tmux: &Tmux,
    session: SessionId,
    name: Option<&str>,
    folder: &str,
) -> Result<(WindowRow, PaneId), Failure> {
    let place = format!("{session}:");
    let mut args = vec!["new-window", "-d", "-t", &place, "-c", folder];
    if let Some(name) = name {
        args.extend(["-n", name]);
    }
    let (id, pane) = made(tmux, &args, "#{window_id}")?;
    let rows = lists::windows(tmux)?;
    let made = rows.into_iter().find(|row| (row.id, row.session) == (id, session));
    Ok((made.ok_or_else(|| super::gone("window", id))?, pane))
}

/// A new pane beside another; the one that was active stays so.
///
/// # Errors
/// See [`Failure`].
pub fn pane(tmux: &Tmux, beside: PaneId, side: Side, percent: Option<u32>, folder: &str) -> Result<PaneRow, Failure> {
    let (target, size) = (beside.to_string(), percent.map(|percent| format!("{percent}%")));
    let mut args = vec!["split-window", "-d", "-t", &target, "-c", folder];
    args.extend(match side {
        Side::Above => &["-v", "-b"][..],
        Side::Below => &["-v"],
        Side::Left => &["-h", "-b"],
        Side::Right => &["-h"],
    });
    if let Some(size) = &size {
        args.extend(["-l", size]);
    }
    let (_, id): (PaneId, _) = made(tmux, &args, "#{pane_id}")?;
    lists::one_pane(tmux, id)
}

/// Runs a command that makes something, and reads the id of it and of its pane.
fn made<T: std::str::FromStr>(tmux: &Tmux, args: &[&str], id: &str) -> Result<(T, PaneId), Failure> {
    let nonce = nonce();
    let format = record(&nonce, &[id, "#{pane_id}"]);
    let answer = ask(tmux, &[args, &["-P", "-F", &format]].concat())?;
    let mut fields = only(&answer, &nonce, 2)?;
    Ok((fields.parse()?, fields.parse()?))
}

/// Starts a pane's program again; one that still runs is killed first if so wanted, else tmux refuses.
///
/// # Errors
/// See [`Failure`].
pub fn respawn(tmux: &Tmux, id: PaneId, kill: bool) -> Result<PaneRow, Failure> {
    let target = id.to_string();
    let mut args = vec!["respawn-pane", "-t", &target];
    args.extend(kill.then_some("-k"));
    ask(tmux, &args)?;
    lists::one_pane(tmux, id)
}

/// Sets whether typing into one pane of a window types into all; panes may say otherwise for themselves.
///
/// # Errors
/// See [`Failure`].
pub fn synchronize(tmux: &Tmux, id: WindowId, enabled: bool) -> Result<String, Failure> {
    let target = id.to_string();
    let value = if enabled { "on" } else { "off" };
    let set = ["set-option", "-w", "-t", &target, "synchronize-panes", value].map(str::to_owned);
    let show = ["show-options", "-wv", "-t", &target, "synchronize-panes"].map(str::to_owned);
    let args = sequence(vec![set.to_vec(), show.to_vec()]);
    let answer = ask(tmux, &args.iter().map(String::as_str).collect::<Vec<_>>())?;
    Ok(answer.trim_end().to_owned())
}
