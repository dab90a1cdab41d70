//! A place in a server that somebody names by a session and a window, and commands that run there.

use super::command::{Answer, Failure, Tmux};
use crate::model::{PaneId, SessionId, WindowId};
use std::ffi::OsString;

/// A place: the pane that a window shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The server's process.
    server: String,
    /// The session.
    pub session: SessionId,
    /// The window.
    pub window: WindowId,
    /// Its active pane.
    pub pane: PaneId,
}

/// Why there is no such place.
#[derive(Debug)]
pub enum Missing {
    /// There is no such session, or no such window in it; says so.
    Session(String),
    /// Nobody has said which one, and there are several; says so.
    Choice(String),
    /// tmux gave no answer.
    Answer(Failure),
}

/// A window of the server as it is listed.
#[derive(Debug)]
struct Row {
    spot: Spot,
    index: String,
    is_shown: bool,
    session_name: String,
    window_name: String,
}

/// Names stand at the end of lines of their own: they may hold whatever else separates.
const ROW: &str =
    "#{pid} #{session_id} #{window_id} #{pane_id} #{window_index} #{window_active}\n#{session_name}\n#{window_name}";

/// The place that `session` and `window` name: by name or id, a window by its index, too. Without a session it is `own`, the
/// one that this process runs in, else the only one; without a window the one that the session shows.
///
/// # Errors
/// When there is none, several could be meant, or tmux gives no answer.
pub fn find(
    tmux: &Tmux,
    session: Option<&str>,
    window: Option<&str>,
    own: (Option<SessionId>, Option<PaneId>),
) -> Result<Spot, Missing> {
    let answer = tmux
        .effect(&["list-windows", "-a", "-F", ROW])
        .map_err(Missing::Answer)?;
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let rows: Vec<Row> = lines.chunks(3).filter_map(Row::read).collect();
    let chosen = choose(&rows, session, own)?;
    let mut windows = rows.into_iter().filter(|row| row.spot.session == chosen);
    let fits = |row: &Row| match window {
        None => row.is_shown,
        Some(window) => row.spot.window.to_string() == window || row.index == window || row.window_name == window,
    };
    let found: Vec<Row> = windows.by_ref().filter(fits).collect();
    match (found.as_slice(), window) {
        ([only], _) => Ok(only.spot.clone()),
        ([], window) => Err(Missing::Session(format!(
            "that session has no window {}",
            window.unwrap_or("to show")
        ))),
        (_, window) => Err(Missing::Choice(format!(
            "several windows of that session are called {}: name its id",
            window.unwrap_or_default()
        ))),
    }
}

fn choose(rows: &[Row], name: Option<&str>, own: (Option<SessionId>, Option<PaneId>)) -> Result<SessionId, Missing> {
    let mut ids: Vec<SessionId> = rows.iter().map(|row| row.spot.session).collect();
    ids.dedup();
    if let Some(name) = name {
        let mut found = rows.iter();
        let found = found.find(|row| row.session_name == name || row.spot.session.to_string() == name);
        let missing = || Missing::Session(format!("there is no session called {name}"));
        return found.map(|row| row.spot.session).ok_or_else(missing);
    }
    let (here, pane) = own;
    let mine = here.filter(|here| ids.contains(here));
    let by_pane = || {
        rows.iter()
            .find(|row| Some(row.spot.pane) == pane)
            .map(|row| row.spot.session)
    };
    match (mine.or_else(by_pane), ids.as_slice()) {
        (Some(id), _) => Ok(id),
        (None, [only]) => Ok(*only),
        (None, []) => Err(Missing::Session("the server has no sessions".to_owned())),
        (None, _) => Err(Missing::Choice("there are several sessions: name one".to_owned())),
    }
}

impl Row {
    fn read(lines: &[&str]) -> Option<Self> {
        let [ids, session_name, window_name] = lines else {
            return None;
        };
        let mut ids = ids.split(' ');
        Some(Self {
            spot: Spot {
                server: ids.next()?.to_owned(),
                session: ids.next()?.parse().ok()?,
                window: ids.next()?.parse().ok()?,
                pane: ids.next()?.parse().ok()?,
            },
            index: ids.next()?.to_owned(),
            is_shown: ids.next()? == "1",
            session_name: (*session_name).to_owned(),
            window_name: (*window_name).to_owned(),
        })
    }
}

impl Spot {
    /// What `TMUX` is in a pane of that session.
    pub fn variable(&self, tmux: &Tmux) -> OsString {
        let mut value = tmux.socket().path().as_os_str().to_owned();
        let session = self.session.to_string();
        value.push(format!(",{},{}", self.server, session.trim_start_matches('$')));
        value
    }
}

/// Runs commands, written as in tmux.conf; where they name no target, that is the place. In a window that several sessions
/// share, a command that acts on a session takes the one of these that was used last, as in a pane of it.
///
/// # Errors
/// When tmux gives no answer; what it refuses is an answer.
pub fn run(tmux: &Tmux, spot: &Spot, commands: &str) -> Result<Answer, Failure> {
    let input = format!("{commands}\n").into_bytes();
    let (answer, ()) = tmux
        .clone()
        .within_pane(spot.pane)
        .call_while(&["source-file", "-"], Some(input), || ())?;
    Ok(answer)
}
