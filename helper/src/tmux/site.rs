//! A place in a server that somebody names by a session and a window, and commands that run there.

use super::command::{Answer, Failure, Tmux};
use crate::model::{PaneId, SessionId, WindowId};
use std::ffi::OsString;

/// A place: the pane that a window shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The server's process.
    server: String,
    /// The session.
    pub session: SessionId,
    /// The window.
    pub window: WindowId,
    /// Its active pane.
    pub pane: PaneId,
    /// The names of the session and the window, as tmux prints them, with a colon between.
    pub name: String,
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
    site: Site,
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
) -> Result<Site, Missing> {
    let answer = tmux
        .effect(&["list-windows", "-a", "-F", ROW])
        .map_err(Missing::Answer)?;
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let rows: Vec<Row> = lines.chunks(3).filter_map(Row::read).collect();
    let chosen = choose(&rows, session, own)?;
    let mut windows = rows.into_iter().filter(|row| row.site.session == chosen);
    let fits = |row: &Row| match window {
        None => row.is_shown,
        Some(window) => row.site.window.to_string() == window || row.index == window || row.window_name == window,
    };
    let found: Vec<Row> = windows.by_ref().filter(fits).collect();
    match (found.as_slice(), window) {
        ([only], _) => Ok(only.site.clone()),
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
    let mut ids: Vec<SessionId> = rows.iter().map(|row| row.site.session).collect();
    ids.dedup();
    if let Some(name) = name {
        let mut found = rows.iter();
        let found = found.find(|row| row.session_name == name || row.site.session.to_string() == name);
        let missing = || Missing::Session(format!("there is no session called {name}"));
        return found.map(|row| row.site.session).ok_or_else(missing);
    }
    let (here, pane) = own;
    let mine = here.filter(|here| ids.contains(here));
    let by_pane = || {
        rows.iter()
            .find(|row| Some(row.site.pane) == pane)
            .map(|row| row.site.session)
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
            site: Site {
                server: ids.next()?.to_owned(),
                session: ids.next()?.parse().ok()?,
                window: ids.next()?.parse().ok()?,
                pane: ids.next()?.parse().ok()?,
                name: format!("{session_name}:{window_name}"),
            },
            index: ids.next()?.to_owned(),
            is_shown: ids.next()? == "1",
            session_name: (*session_name).to_owned(),
            window_name: (*window_name).to_owned(),
        })
    }
}

impl Site {
    /// What `TMUX` is in a pane of that session.
    pub fn variable(&self, tmux: &Tmux) -> OsString {
        let mut value = tmux.socket().path().as_os_str().to_owned();
        let session = self.session.to_string();
        value.push(format!(",{},{}", self.server, session.trim_start_matches('$')));
        value
    }

    /// The flags that name the place to a command, by what tmux says of it, and by the words behind its name.
    fn flags(&self, usage: &str, words: &[String]) -> Vec<String> {
        let session = format!("{}:", self.session);
        let window = format!("{session}{}", self.window);
        let pane = format!("{window}.{}", self.pane);
        let name = usage.split(' ').next().unwrap_or_default();
        let takes = |what: &str| {
            ["target", "dst"]
                .iter()
                .any(|role| usage.contains(&format!("[-t {role}-{what}]")))
        };
        let target = match name {
            // The session that it names is one to share all windows with, not one to be in. The other has no target, whatever
            // the list says.
            "new-session" | "server-access" => None,
            // They name an index, which has to be free, unless it is to come beside a window.
            "new-window" | "break-pane" | "link-window" | "move-window"
                if !given(usage, words).contains(['a', 'b']) =>
            {
                Some(&session)
            }
            _ if takes("pane") => Some(&pane),
            _ if takes("window") => Some(&window),
            _ if takes("session") => Some(&session),
            _ => None,
        };
        // Where other commands take a source, it is the marked pane.
        let source = match name {
            "break-pane" => Some(&pane),
            "link-window" | "move-window" => Some(&window),
            _ => None,
        };
        let flags = [("-s", source), ("-t", target)];
        let named = flags
            .iter()
            .filter_map(|(flag, place)| Some([*flag, place.as_deref()?]));
        named.flatten().map(str::to_owned).collect()
    }
}

/// Runs commands, given as words with `;` between or behind them, as if they were called in that place: those that take a
/// target or a source get the place as theirs, unless they name another.
///
/// # Errors
/// When tmux gives no answer; what it refuses is an answer.
pub fn run(tmux: &Tmux, site: &Site, words: Vec<String>) -> Result<Answer, Failure> {
    let known = tmux.effect(&["list-commands"])?;
    let known = String::from_utf8_lossy(&known.stdout).into_owned();
    let mut commands = split(words);
    for command in &mut commands {
        let place = match command.split_first() {
            Some((name, rest)) => usage(&known, name).map(|usage| site.flags(usage, rest)),
            None => None,
        };
        // Of a flag that stands twice tmux takes the last one, so a place that is named wins.
        command.splice(1..1, place.unwrap_or_default());
    }
    tmux.clone().called_from(site.pane).call(&chain(&commands))
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

/// What tmux's list of commands says of one, a line each: `split-window (splitw) [-bd] [-t target-pane] [shell-command]`.
/// tmux takes the beginning of a name for the name.
fn usage<'a>(known: &'a str, name: &str) -> Option<&'a str> {
    let called = |line: &&str| {
        let mut words = line.split(' ');
        let alias = format!("({name})");
        words.next() == Some(name) || words.next() == Some(alias.as_str())
    };
    let line = known.lines().find(called);
    line.or_else(|| known.lines().find(|line| line.starts_with(name)))
}

/// The flags that a command is given, by what tmux says of it: up to the first word that is none, without their values.
fn given(usage: &str, words: &[String]) -> String {
    let mut found = String::new();
    let mut words = words.iter();
    while let Some(flags) = words.next().and_then(|word| word.strip_prefix('-')) {
        if flags.is_empty() || flags == "-" {
            break;
        }
        for (at, flag) in flags.char_indices() {
            found.push(flag);
            if usage.contains(&format!("[-{flag} ")) {
                if at + flag.len_utf8() == flags.len() {
                    words.next();
                }
                break;
            }
        }
    }
    found
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
    fn a_command_gets_the_place_in_the_way_that_it_takes_it() {
        let known = "detach-client (detach) [-aP] [-t target-client]\n\
            display-popup (popup) [-BCE] [-t target-pane][-T title] [shell-command]\n\
            kill-session [-aC] [-t target-session]\n\
            list-keys (lsk) [-1]\n\
            move-window (movew) [-abdkr] [-s src-window] [-t dst-window]\n\
            new-session (new) [-AdDEPX] [-s session-name] [-t target-session] [shell-command]\n\
            new-window (neww) [-abdkPS] [-n window-name] [-t target-window] [shell-command]\n\
            rename-window (renamew) [-t target-window] new-name\n\
            split-window (splitw) [-bd] [-t target-pane][shell-command]\n\
            swap-pane (swapp) [-dDUZ] [-s src-pane] [-t dst-pane]";
        let site = Site {
            server: "1".to_owned(),
            session: SessionId(1),
            window: WindowId(2),
            pane: PaneId(3),
            name: String::new(),
        };
        let flags = |command: &str| {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            let usage = usage(known, &words[0]).unwrap_or_default();
            site.flags(usage, &words[1..]).join(" ")
        };
        for (command, expected) in [
            ("splitw", "-t $1:@2.%3"),
            ("split -d echo -t", "-t $1:@2.%3"),
            ("popup", "-t $1:@2.%3"),
            ("swapp -U", "-t $1:@2.%3"),
            ("rename-window -- -start", "-t $1:@2"),
            ("kill-session", "-t $1:"),
            ("new-window", "-t $1:"),
            ("neww -d -n a sh -a", "-t $1:"),
            ("neww -na", "-t $1:"),
            ("neww -dn x -b", "-t $1:@2"),
            ("movew -t 9", "-s $1:@2 -t $1:"),
            ("new -d -s foo", ""),
            ("detach", ""),
            ("lsk", ""),
            ("nosuch", ""),
        ] {
            assert_eq!(flags(command), expected, "{command}");
        }
    }
}
