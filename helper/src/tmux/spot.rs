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

/// Runs commands, given as words with `;` between or behind them. Those that take a target and name none get the place as
/// theirs: which pane a tmux process is run in only tells it a session.
///
/// # Errors
/// When tmux gives no answer; what it refuses is an answer.
pub fn run(tmux: &Tmux, spot: &Spot, words: Vec<String>) -> Result<Answer, Failure> {
    let known = tmux.effect(&["list-commands"])?;
    let known = String::from_utf8_lossy(&known.stdout).into_owned();
    let pane = spot.pane.to_string();
    let mut commands = split(words);
    for command in &mut commands {
        let names = command.first().is_some_and(|name| takes_target(&known, name));
        if names && !command.iter().any(|word| is_target(word)) {
            command.splice(1..1, ["-t".to_owned(), pane.clone()]);
        }
    }
    tmux.call(&chain(&commands))
}

/// The commands that words are. As for tmux, a `;` at a word's end ends a command, and `\;` there is a semicolon.
fn split(words: Vec<String>) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    for word in words {
        let end = word.strip_suffix(';').filter(|rest| !rest.ends_with('\\'));
        if let Some(last) = commands.last_mut() {
            last.extend(Some(end.unwrap_or(&word).to_owned()).filter(|word| !word.is_empty() || end.is_none()));
        }
        if end.is_some() {
            commands.push(Vec::new());
        }
    }
    commands.retain(|command| !command.is_empty());
    commands
}

/// Whether a command takes a session, a window or a pane as its target, as tmux's list of commands says, a line each:
/// `split-window (splitw) [-bd] [-t target-pane]`. tmux takes the beginning of a name for the name.
fn takes_target(known: &str, name: &str) -> bool {
    let called = |line: &&str| {
        let mut words = line.split(' ');
        let alias = format!("({name})");
        words.next() == Some(name) || words.next() == Some(alias.as_str())
    };
    let line = known.lines().find(called);
    let line = line.or_else(|| known.lines().find(|line| line.starts_with(name)));
    let takes = |line: &str| {
        ["pane", "window", "session"]
            .iter()
            .any(|kind| line.contains(&format!("-t target-{kind}")))
    };
    line.is_some_and(takes)
}

/// Whether a word is `-t`, alone or behind other flags, or with its value.
fn is_target(word: &str) -> bool {
    let flags = word.strip_prefix('-').unwrap_or_default();
    flags.starts_with('t') || flags.ends_with('t') && flags.chars().all(|c| c.is_ascii_alphabetic())
}

/// The arguments of one tmux process; what was split at semicolons has none at its words' ends but those that are meant.
fn chain(commands: &[Vec<String>]) -> Vec<&str> {
    let mut args = Vec::new();
    for command in commands {
        if !args.is_empty() {
            args.push(";");
        }
        args.extend(command.iter().map(String::as_str));
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_tmux_splits_them() {
        let split = |words: &[&str]| split(words.iter().map(|word| (*word).to_owned()).collect());
        assert_eq!(
            split(&["a", "b;", "c", ";", ";", "d", r"e\;"]),
            [vec!["a", "b"], vec!["c"], vec!["d", r"e\;"]]
        );
        assert_eq!(split(&["a", ""]), [["a", ""]]);
        assert!(split(&[";"]).is_empty());
    }

    #[test]
    fn targets_are_added_where_they_are_taken_and_missing() {
        let known = "detach-client (detach) [-aP] [-t target-client]\nlist-keys (lsk) [-1]\nsplit-window (splitw) [-t target-pane]";
        let taken =
            ["splitw", "split-window", "split", "list-keys", "detach", "nosuch"].map(|name| takes_target(known, name));
        assert_eq!(taken, [true, true, true, false, false, false]);
        let targets = ["-t", "-t%3", "-dt", "-d", "work-t", "-", "t"].map(is_target);
        assert_eq!(targets, [true, true, true, false, false, false, false]);
    }
}
