//! What stands in many panes.

use super::super::command::{Failure, Tmux};
use super::super::listing::nonce;
use super::{odd, record, records, refused, NO_SESSIONS};
use crate::model::{PaneId, SessionId, WindowId};
use std::collections::{BTreeSet, HashMap};

/// Where to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scope {
    /// In this session alone.
    pub session: Option<SessionId>,
    /// In this window alone.
    pub window: Option<WindowId>,
}

/// A pane that could be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The session under which it is listed first.
    pub session: SessionId,
    /// That session's name.
    pub session_name: String,
    /// Its window.
    pub window: WindowId,
    /// The pane.
    pub pane: PaneId,
    /// Rows.
    pub height: u32,
    /// Lines above them.
    pub history: u32,
}

const PLACE: [&str; 6] = [
    "#{session_id}",
    "#{window_id}",
    "#{pane_id}",
    "#{pane_height}",
    "#{history_size}",
    "#{session_name}",
];

impl Scope {
    /// `inner` for each window in it.
    fn each_window(self, inner: &str) -> String {
        let only = |name: &str, id: Option<String>, inner: String| match id {
            Some(id) => format!("#{{?#{{==:#{{{name}}},{id}}},{inner},}}"),
            None => inner,
        };
        let window = only("window_id", self.window.map(|id| id.to_string()), inner.to_owned());
        let windows = format!("#{{W:{window}}}");
        format!(
            "#{{S:{}}}",
            only("session_id", self.session.map(|id| id.to_string()), windows)
        )
    }
}

/// Every place of every pane in tmux's order, and the visible rows of the panes in `scope`, each ended by a newline, at one
/// instant.
///
/// # Errors
/// See [`Failure`].
pub fn screens(tmux: &Tmux, scope: Scope) -> Result<(Vec<Place>, HashMap<PaneId, String>), Failure> {
    let nonce = nonce();
    let defer = |format: &str| format.replace("#{", "##{");
    let list = defer(&record(&nonce, &PLACE));
    let ids = defer(&scope.each_window("#{P:#{pane_id} }"));
    let captures = scope.each_window("#{P:capture-pane -p -t #{pane_id} ; }");
    let script = format!("list-panes -a -F '{list}' ; display-message -p 'x{nonce}{ids}' ; {captures}");
    let answer = tmux.call(&["run-shell", "-C", &script])?;
    if !answer.success && answer.stderr == NO_SESSIONS {
        return Ok((Vec::new(), HashMap::new()));
    }
    if !answer.success {
        return Err(refused(tmux, answer));
    }
    let text = String::from_utf8_lossy(&answer.stdout);
    let (places, rest) = places(&text, &nonce)?;
    let (ids, mut rest) = rest
        .strip_prefix('x')
        .and_then(|rest| rest.strip_prefix(&nonce))
        .and_then(|rest| rest.split_once('\n'))
        .ok_or_else(|| odd(rest))?;
    let heights: HashMap<PaneId, u32> = places.iter().map(|place| (place.pane, place.height)).collect();
    let mut screens = HashMap::new();
    // In the order of the ids, which need not be that of the list.
    for id in ids.split_whitespace() {
        let id: PaneId = id.parse().map_err(|_| odd(id))?;
        let height = heights.get(&id).ok_or_else(|| odd(ids))?;
        let rows = (0..*height).try_fold(0, |end, _| {
            let row = rest.get(end..)?.find('\n')?;
            Some(end + row + 1)
        });
        let (rows, after) = rows
            .and_then(|end| rest.split_at_checked(end))
            .ok_or_else(|| odd(rest))?;
        screens.insert(id, rows.to_owned());
        rest = after;
    }
    Ok((places, screens))
}

/// Every place of every pane, in tmux's order.
///
/// # Errors
/// See [`Failure`].
pub fn all_places(tmux: &Tmux) -> Result<Vec<Place>, Failure> {
    let nonce = nonce();
    let answer = super::list(tmux, &["list-panes", "-a", "-F", &record(&nonce, &PLACE)])?;
    match places(&answer, &nonce)? {
        (places, "") => Ok(places),
        (_, rest) => Err(odd(rest)),
    }
}

fn places<'a>(text: &'a str, nonce: &str) -> Result<(Vec<Place>, &'a str), Failure> {
    let (records, rest) = records(text, nonce, PLACE.len())?;
    let mut seen = BTreeSet::new();
    let mut places = Vec::new();
    for mut fields in records {
        let place = Place {
            session: fields.parse()?,
            window: fields.parse()?,
            pane: fields.parse()?,
            height: fields.parse()?,
            history: fields.parse()?,
            session_name: fields.owned()?,
        };
        // A window may be linked into one session twice.
        if seen.insert((place.session, place.pane)) {
            places.push(place);
        }
    }
    Ok((places, rest))
}

/// The newest lines of each of `panes`: its screen and as many above it as are said. One that is gone is left out.
///
/// # Errors
/// See [`Failure`].
pub fn histories(tmux: &Tmux, panes: &[(PaneId, u32)]) -> Result<HashMap<PaneId, String>, Failure> {
    let nonce = nonce();
    // One line is one group of commands: a pane that is gone costs only its own.
    let line = |(id, above): &(PaneId, u32)| {
        format!(
            "display-message -p '{nonce}{}' ; capture-pane -p -t {id} -S -{above}\n",
            id.0
        )
    };
    let script: String = panes.iter().map(line).collect();
    let (answer, ()) = tmux.call_while(&["source-file", "-"], Some(script.into_bytes()), || ())?;
    if !answer.success && answer.stdout.is_empty() {
        return Err(refused(tmux, answer));
    }
    let text = String::from_utf8_lossy(&answer.stdout);
    let frame = |frame: &str| {
        let (id, lines) = frame.split_once('\n')?;
        Some((PaneId(id.parse().ok()?), lines.to_owned()))
    };
    Ok(text
        .split(&nonce)
        .filter_map(frame)
        .filter(|(_, lines)| !lines.is_empty())
        .collect())
}
