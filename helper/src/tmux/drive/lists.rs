//! What there is: sessions, windows, panes.

use super::super::command::{sequence, Failure, Tmux};
use super::super::listing::nonce;
use super::{all, ask, gone, list, only, record, records, Fields};
use crate::model::{PaneId, SessionId, WindowId};
use std::collections::{BTreeMap, BTreeSet};

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// Its id.
    pub id: SessionId,
    /// Its name, verbatim.
    pub name: String,
    /// Windows in it; one that is linked twice counts twice.
    pub windows: u32,
    /// Whether a client is attached that is none of ours.
    pub attached: bool,
}

/// A window at one of its places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowRow {
    /// Its id.
    pub id: WindowId,
    /// The session of this place.
    pub session: SessionId,
    /// Its index there.
    pub index: i32,
    /// Its name, verbatim.
    pub name: String,
    /// Panes in it.
    pub panes: u32,
    /// Whether it is the session's current one.
    pub active: bool,
    /// Whether it is in more than one session.
    pub linked: bool,
}

/// A pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaneRow {
    /// Its id.
    pub id: PaneId,
    /// Its window.
    pub window: WindowId,
    /// Whether it is its window's active one.
    pub active: bool,
    /// The server's process id.
    pub server: u32,
    /// tmux's word for its foreground program; `None` where it has none.
    pub command: Option<String>,
    /// Its directory; `None` where tmux cannot tell.
    pub path: Option<String>,
}

/// A session with all that is in it.
#[derive(Debug, Clone)]
pub struct Branch {
    /// The session.
    pub session: SessionRow,
    /// Its windows, each with its panes.
    pub windows: Vec<(WindowRow, Vec<PaneRow>)>,
}

const SESSION: [&str; 3] = ["#{session_id}", "#{session_windows}", "#{session_name}"];
const WINDOW: [&str; 6] = [
    "#{window_id}",
    "#{session_id}",
    "#{window_index}",
    "#{window_panes}",
    "#{window_active}",
    "#{window_name}",
];
/// What [`pane`] reads.
pub(super) const PANE: [&str; 6] = [
    "#{pane_id}",
    "#{window_id}",
    "#{pane_active}",
    "#{pid}",
    "#{pane_current_command}",
    "#{pane_current_path}",
];
/// A client of a session. The letter tells it from a session's own record, which has another number of fields.
const CLIENT: [&str; 2] = ["#{session_id}", "#{client_pid}"];

fn session(fields: &mut Fields<'_>, attached: &BTreeSet<SessionId>) -> Result<SessionRow, Failure> {
    let id = fields.parse()?;
    Ok(SessionRow {
        id,
        windows: fields.parse()?,
        name: fields.owned()?,
        attached: attached.contains(&id),
    })
}

fn window(fields: &mut Fields<'_>) -> Result<WindowRow, Failure> {
    Ok(WindowRow {
        id: fields.parse()?,
        session: fields.parse()?,
        index: fields.parse()?,
        panes: fields.parse()?,
        active: fields.flag()?,
        name: fields.owned()?,
        linked: false,
    })
}

pub(super) fn pane(fields: &mut Fields<'_>) -> Result<PaneRow, Failure> {
    let text = |fields: &mut Fields<'_>| Ok(Some(fields.owned()?).filter(|text| !text.is_empty()));
    Ok(PaneRow {
        id: fields.parse()?,
        window: fields.parse()?,
        active: fields.flag()?,
        server: fields.parse()?,
        command: text(fields)?,
        path: text(fields)?,
    })
}

/// Lists clients, then what `rest` lists.
fn after_clients(nonce: &str, rest: [&str; 4]) -> Vec<String> {
    let clients = ["list-clients", "-F", &record(nonce, &CLIENT)].map(str::to_owned);
    let rest = rest.into_iter().filter(|word| !word.is_empty()).map(str::to_owned);
    sequence(vec![clients.to_vec(), rest.collect()])
}

/// Sessions that somebody is attached to, with other clients than `ours`, and what follows.
fn attached<'a>(text: &'a str, nonce: &str, ours: &BTreeSet<u32>) -> Result<(BTreeSet<SessionId>, &'a str), Failure> {
    let (clients, rest) = records(text, nonce, CLIENT.len())?;
    let mut sessions = BTreeSet::new();
    for mut client in clients {
        let (session, pid) = (client.maybe::<SessionId>()?, client.parse::<u32>()?);
        if !ours.contains(&pid) {
            sessions.extend(session);
        }
    }
    Ok((sessions, rest))
}

/// Every session, in tmux's order. Clients with the process ids `ours` are not counted as attached.
///
/// # Errors
/// See [`Failure`].
pub fn sessions(tmux: &Tmux, ours: &BTreeSet<u32>) -> Result<Vec<SessionRow>, Failure> {
    let (mark, nonce) = (nonce(), nonce());
    let args = list_sessions(&mark, &nonce);
    let answer = list(tmux, &args.iter().map(String::as_str).collect::<Vec<_>>())?;
    read_sessions(&answer, &mark, &nonce, ours)
}

/// The commands that list sessions.
pub(super) fn list_sessions(mark: &str, nonce: &str) -> Vec<String> {
    after_clients(mark, ["list-sessions", "-F", &record(nonce, &SESSION), ""])
}

/// What they print.
pub(super) fn read_sessions(
    answer: &str,
    mark: &str,
    nonce: &str,
    ours: &BTreeSet<u32>,
) -> Result<Vec<SessionRow>, Failure> {
    let (attached, rest) = attached(answer, mark, ours)?;
    all(rest, nonce, SESSION.len())?
        .iter_mut()
        .map(|fields| session(fields, &attached))
        .collect()
}

/// Every window, once for each place that it has.
///
/// # Errors
/// See [`Failure`].
pub fn windows(tmux: &Tmux) -> Result<Vec<WindowRow>, Failure> {
    let nonce = nonce();
    let args = list_windows(&nonce);
    let answer = list(tmux, &args.iter().map(String::as_str).collect::<Vec<_>>())?;
    read_windows(&answer, &nonce)
}

/// The command that lists windows.
pub(super) fn list_windows(nonce: &str) -> Vec<String> {
    ["list-windows", "-a", "-F", &record(nonce, &WINDOW)]
        .map(str::to_owned)
        .to_vec()
}

/// What it prints.
pub(super) fn read_windows(answer: &str, nonce: &str) -> Result<Vec<WindowRow>, Failure> {
    let mut rows = all(answer, nonce, WINDOW.len())?
        .iter_mut()
        .map(window)
        .collect::<Result<Vec<_>, _>>()?;
    mark_linked(&mut rows);
    Ok(rows)
}

/// Tells windows that are in more than one session. tmux's own flag leaves sessions of one group out.
fn mark_linked(rows: &mut [WindowRow]) {
    let mut sessions: BTreeMap<WindowId, BTreeSet<SessionId>> = BTreeMap::new();
    for row in rows.iter() {
        sessions.entry(row.id).or_default().insert(row.session);
    }
    for row in rows {
        row.linked = sessions.get(&row.id).is_some_and(|sessions| sessions.len() > 1);
    }
}

/// Every pane, once, in the order in which tmux lists it first.
///
/// # Errors
/// See [`Failure`].
pub fn panes(tmux: &Tmux) -> Result<Vec<PaneRow>, Failure> {
    let nonce = nonce();
    let answer = list(tmux, &["list-panes", "-a", "-F", &record(&nonce, &PANE)])?;
    let mut rows = all(&answer, &nonce, PANE.len())?
        .iter_mut()
        .map(pane)
        .collect::<Result<Vec<_>, _>>()?;
    let mut seen = BTreeSet::new();
    rows.retain(|row| seen.insert(row.id));
    Ok(rows)
}

/// One pane.
///
/// # Errors
/// See [`Failure`]; "can't find" when there is none with that id.
pub fn one_pane(tmux: &Tmux, id: PaneId) -> Result<PaneRow, Failure> {
    let nonce = nonce();
    let target = id.to_string();
    let answer = ask(tmux, &["display-message", "-p", "-t", &target, &record(&nonce, &PANE)])?;
    found(&mut only(&answer, &nonce, PANE.len())?, id)
}

/// The pane of a record that tmux fills with nothing when it has no such pane.
pub(super) fn found(fields: &mut Fields<'_>, id: PaneId) -> Result<PaneRow, Failure> {
    let mut look = Fields(fields.0.clone());
    if look.maybe::<PaneId>()? != Some(id) {
        return Err(gone("pane", id));
    }
    pane(fields)
}

/// The whole server in one reading.
///
/// # Errors
/// See [`Failure`].
pub fn tree(tmux: &Tmux, ours: &BTreeSet<u32>) -> Result<Vec<Branch>, Failure> {
    let (mark, nonce) = (nonce(), nonce());
    let fields = [&SESSION[..], &WINDOW, &PANE].concat();
    let format = record(&nonce, &fields);
    let args = after_clients(&mark, ["list-panes", "-a", "-F", &format]);
    let answer = list(tmux, &args.iter().map(String::as_str).collect::<Vec<_>>())?;
    let (attached, rest) = attached(&answer, &mark, ours)?;
    let mut branches: Vec<Branch> = Vec::new();
    for mut fields in all(rest, &nonce, fields.len())? {
        let session = session(&mut fields, &attached)?;
        let window = window(&mut fields)?;
        let pane = pane(&mut fields)?;
        if branches.last().is_none_or(|branch| branch.session.id != session.id) {
            branches.push(Branch {
                session,
                windows: Vec::new(),
            });
        }
        let Some(branch) = branches.last_mut() else { continue };
        // A window may be linked twice into one session, at two indexes.
        let same = |(last, _): &(WindowRow, Vec<PaneRow>)| (last.id, last.index) == (window.id, window.index);
        match branch.windows.last_mut().filter(|last| same(last)) {
            Some((_, panes)) => panes.push(pane),
            None => branch.windows.push((window, vec![pane])),
        }
    }
    let windows = branches.iter_mut().flat_map(|branch| &mut branch.windows);
    let mut rows: Vec<_> = windows.map(|(window, _)| window).collect();
    let mut linked: Vec<WindowRow> = rows.iter().map(|row| (**row).clone()).collect();
    mark_linked(&mut linked);
    for (row, linked) in rows.iter_mut().zip(linked) {
        row.linked = linked.linked;
    }
    Ok(branches)
}

/// A corner of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Corner {
    /// Top, not bottom.
    pub top: bool,
    /// Left, not right.
    pub left: bool,
}

/// The pane that is in that corner of what the window shows. A zoomed pane is all that it shows.
///
/// # Errors
/// See [`Failure`]; "can't find" when there is no such window.
pub fn at_corner(tmux: &Tmux, id: WindowId, corner: Corner) -> Result<PaneRow, Failure> {
    let nonce = nonce();
    let vertical = if corner.top {
        "#{pane_at_top}"
    } else {
        "#{pane_at_bottom}"
    };
    let horizontal = if corner.left {
        "#{pane_at_left}"
    } else {
        "#{pane_at_right}"
    };
    let fields = [&["#{window_zoomed_flag}", vertical, horizontal][..], &PANE].concat();
    let target = id.to_string();
    let answer = ask(tmux, &["list-panes", "-t", &target, "-F", &record(&nonce, &fields)])?;
    for mut fields in all(&answer, &nonce, fields.len())? {
        let (zoomed, vertical, horizontal) = (fields.flag()?, fields.flag()?, fields.flag()?);
        let pane = pane(&mut fields)?;
        if if zoomed { pane.active } else { vertical && horizontal } {
            return Ok(pane);
        }
    }
    Err(gone("pane in that corner of", id))
}
