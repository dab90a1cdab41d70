//! The commands that build sessions from files, pure, so that a plan can be made of them; and how they are run.
//!
//! They go through tmux's standard input (`source-file -`): a process's arguments can be read by everyone and are limited to
//! 16 KiB together. Names and folders, which tmux expands as formats, are made literal here; all else is data by itself.

pub mod ready;
pub mod run;
pub mod scene;

use super::command::data;
use super::literal::in_format;
use crate::model::{PaneId, SessionId, WindowId};
use std::fmt;

/// One tmux command: its name and its arguments.
pub type Words = Vec<String>;

/// Commands that belong together: where one fails, those after it in the group are not run.
pub type Group = Vec<Words>;

/// Where a window stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// In which session.
    pub session: SessionId,
    /// At which index.
    pub index: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.session, self.index)
    }
}

/// What a pane starts with.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// The folder.
    pub folder: &'a str,
    /// What it has beside the session's environment.
    pub environment: &'a [(String, String)],
    /// The shell command that runs in it; `None`: what is configured.
    pub shell: Option<&'a str>,
}

/// What was made: by the numbers that the plan gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Made {
    /// The number of the window.
    pub window: usize,
    /// The number of the pane in it.
    pub pane: usize,
    /// The window.
    pub window_id: WindowId,
    /// The pane.
    pub pane_id: PaneId,
}

/// The name of the window that only waits.
pub const WAITING: &str = "loading";

/// The word that starts a line about something made.
const MADE: &str = "made";

/// The word that starts a line about something set.
const SET: &str = "set";

/// The word that starts the line with a session's indexes.
const INDEXES: &str = "indexes";

/// The line behind which the server's options are.
const SERVER: &str = "server";

/// The word that starts the line about a session that is there.
const LIVES: &str = "lives";

fn words(words: &[&str]) -> Words {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The arguments that make a session with a window that only waits, and print its id and the window's. They start a server where
/// none runs.
pub fn new_session(name: &str, folder: &str, size: Option<(u32, u32)>) -> Words {
    let (name, folder) = (data(&in_format(name)), data(&in_format(folder)));
    let ids = "#{session_id} #{window_id}";
    let mut args = words(&[
        "new-session",
        "-d",
        "-P",
        "-F",
        ids,
        "-s",
        &name,
        "-n",
        WAITING,
        "-c",
        &folder,
    ]);
    if let Some((columns, rows)) = size {
        args.extend(words(&["-x", &columns.to_string(), "-y", &rows.to_string()]));
    }
    // More than one word is run without a shell, so no profile is read for it.
    args.extend(words(&["--", "tail", "-f", "/dev/null"]));
    args
}

/// The arguments that make a session with the windows of another, and print its id. `folder` is where its new windows start.
pub fn sharing_session(with: SessionId, name: &str, folder: &str) -> Words {
    let (name, folder) = (data(&in_format(name)), data(&in_format(folder)));
    let (format, with) = ("#{session_id}", with.to_string());
    words(&[
        "new-session",
        "-d",
        "-P",
        "-F",
        format,
        "-t",
        &with,
        "-s",
        &name,
        "-c",
        &folder,
    ])
}

/// Sets a variable of a session.
pub fn set_environment(session: SessionId, name: &str, value: &str) -> Words {
    words(&["set-environment", "-t", &session.to_string(), "--", name, value])
}

/// Sets an option of a session, or of the server where it is one of those.
pub fn set_option(session: SessionId, name: &str, value: &str) -> Words {
    words(&["set-option", "-t", &session.to_string(), "--", name, value])
}

/// Has a session follow the global value of an option again.
pub fn unset_option(session: SessionId, name: &str) -> Words {
    words(&["set-option", "-u", "-t", &session.to_string(), "--", name])
}

/// Sets an option for everybody.
pub fn set_global_option(name: &str, value: &str) -> Words {
    words(&["set-option", "-g", "--", name, value])
}

/// Sets an option of a window.
pub fn set_window_option(place: Place, name: &str, value: &str) -> Words {
    words(&["set-option", "-w", "-t", &place.to_string(), "--", name, value])
}

/// Makes a window at a place that is free, without showing it.
pub fn new_window(place: Place, name: Option<&str>, start: &Start<'_>, window: usize) -> Words {
    let mut command = words(&[
        "new-window",
        "-d",
        "-P",
        "-F",
        &made(window, 0),
        "-t",
        &place.to_string(),
    ]);
    if let Some(name) = name {
        command.extend(words(&["-n", &in_format(name)]));
    }
    command.extend(begin(start));
    command
}

/// Splits the active pane of a window; the new one is active then.
pub fn split(place: Place, start: &Start<'_>, window: usize, pane: usize) -> Words {
    let mut command = words(&[
        "split-window",
        "-P",
        "-F",
        &made(window, pane),
        "-t",
        &place.to_string(),
    ]);
    command.extend(begin(start));
    command
}

fn made(window: usize, pane: usize) -> String {
    format!("{MADE} {window} {pane} #{{window_id}} #{{pane_id}}")
}

fn begin(start: &Start<'_>) -> Words {
    let mut arguments = words(&["-c", &in_format(start.folder)]);
    for (name, value) in start.environment {
        arguments.extend(words(&["-e", &format!("{name}={value}")]));
    }
    if let Some(shell) = start.shell {
        arguments.extend(words(&["--", shell]));
    }
    arguments
}

/// Gives a window a layout, which has been checked for its panes.
pub fn arrange(place: Place, layout: &str) -> Words {
    words(&["select-layout", "-t", &place.to_string(), "--", layout])
}

/// Puts a window at a place that is free.
pub fn move_window(window: WindowId, place: Place) -> Words {
    words(&["move-window", "-d", "-s", &window.to_string(), "-t", &place.to_string()])
}

/// Ends a window.
pub fn kill_window(window: WindowId) -> Words {
    words(&["kill-window", "-t", &window.to_string()])
}

/// Types into a pane, and presses Enter if so wanted; nothing where there is nothing to do.
pub fn send(pane: PaneId, text: &str, enter: bool) -> Group {
    let pane = pane.to_string();
    let typed = (!text.is_empty()).then(|| words(&["send-keys", "-t", &pane, "-l", "--", text]));
    let pressed = enter.then(|| words(&["send-keys", "-t", &pane, "Enter"]));
    typed.into_iter().chain(pressed).collect()
}

/// Makes a pane the active one of its window.
pub fn select_pane(pane: PaneId) -> Words {
    words(&["select-pane", "-t", &pane.to_string()])
}

/// Has the active pane of a window, which is not zoomed, fill it.
pub fn zoom(place: Place) -> Words {
    words(&["resize-pane", "-Z", "-t", &place.to_string()])
}

/// Has a session show the window that stands there.
pub fn show(place: Place) -> Words {
    words(&["select-window", "-t", &place.to_string()])
}

/// Has a session show one of its windows.
pub fn select_window(session: SessionId, window: WindowId) -> Words {
    words(&["select-window", "-t", &format!("{session}:{window}")])
}

/// Prints a line about a session.
fn tell(session: SessionId, line: &str) -> Words {
    words(&["display-message", "-p", "-t", &format!("{session}:"), line])
}

/// Prints that the setting with that number was made.
pub fn tell_set(session: SessionId, number: usize) -> Words {
    tell(session, &format!("{SET} {number}"))
}

/// Prints a session's id, or an empty line where it is no more.
pub fn tell_life(session: SessionId) -> Words {
    tell(session, &format!("{LIVES} #{{session_id}}"))
}

/// Whether [`tell_life`] has printed it.
pub fn lives(text: &str, session: SessionId) -> bool {
    text.lines().any(|line| line == format!("{LIVES} {session}"))
}

/// Prints the index that a session's first window gets, that of the window it shows, and the names of all options that windows
/// have, and of those that the server has.
pub fn tell_settings(session: SessionId) -> Group {
    let indexes = tell(session, &format!("{INDEXES} #{{base-index}} #{{window_index}}"));
    let server = tell(session, SERVER);
    vec![
        indexes,
        words(&["show-options", "-gw"]),
        server,
        words(&["show-options", "-s"]),
    ]
}

/// Prints the names and values of all options.
pub fn list_options() -> Group {
    let of = |flag| words(&["show-options", flag]);
    vec![of("-g"), of("-gw"), of("-s")]
}

/// Reads the names that [`list_options`] has printed.
pub fn read_options(text: &str) -> Vec<String> {
    text.lines().map(name_of).collect()
}

/// The name at the start of a line about an option.
fn name_of(line: &str) -> String {
    line.split([' ', '[']).next().unwrap_or_default().to_owned()
}

/// What [`tell_set`] and [`tell_settings`] print.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// The lowest index that a window gets by itself.
    pub base_index: u32,
    /// The index of the window that the session shows.
    pub shown_index: Option<u32>,
    /// Names of options that windows have.
    pub window_options: Vec<String>,
    /// Names of options that the server has.
    pub server_options: Vec<String>,
    /// The numbers of the settings that were made.
    pub set: Vec<usize>,
}

impl Settings {
    /// Whether windows have that option.
    pub fn is_of_windows(&self, option: &str) -> bool {
        self.window_options.iter().any(|known| known == of_array(option))
    }

    /// Whether the server has it.
    pub fn is_of_server(&self, option: &str) -> bool {
        self.server_options.iter().any(|known| known == of_array(option))
    }
}

/// The name of an option, of which this may be an item.
fn of_array(option: &str) -> &str {
    option.split('[').next().unwrap_or_default()
}

/// Reads what [`tell_set`] and [`tell_settings`] have printed.
pub fn read_settings(text: &str) -> Settings {
    let mut lines = text.lines();
    let mut settings = Settings::default();
    for line in lines.by_ref() {
        let (word, rest) = line.split_once(' ').unwrap_or_default();
        match word {
            SET => settings.set.extend(rest.parse::<usize>()),
            INDEXES => {
                let (base, shown) = rest.split_once(' ').unwrap_or_default();
                (settings.base_index, settings.shown_index) = (base.parse().unwrap_or(0), shown.parse().ok());
                break;
            }
            _ => {}
        }
    }
    let windows = lines.by_ref().take_while(|line| *line != SERVER);
    settings.window_options = windows.map(name_of).collect();
    settings.server_options = lines.map(name_of).collect();
    settings
}

/// What was made, as the commands have printed it.
pub fn read_made(text: &str) -> Vec<Made> {
    text.lines().filter_map(read_line).collect()
}

fn read_line(line: &str) -> Option<Made> {
    let mut fields = line.strip_prefix(MADE)?.split_whitespace();
    Some(Made {
        window: fields.next()?.parse().ok()?,
        pane: fields.next()?.parse().ok()?,
        window_id: fields.next()?.parse().ok()?,
        pane_id: fields.next()?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place {
        session: SessionId(1),
        index: 4,
    };

    #[test]
    fn names_and_folders_are_literal_and_commands_are_data() {
        let environment = [("A".to_owned(), "x y;#{pid}".to_owned())];
        let start = Start {
            folder: "/a #(b)",
            environment: &environment,
            shell: Some("exec vi; echo '#{pid}'"),
        };
        let window = new_window(PLACE, Some("n #{pid};"), &start, 3);
        assert_eq!(
            run::line(&vec![window, arrange(PLACE, "tiled")]),
            "'new-window' '-d' '-P' '-F' 'made 3 0 #{window_id} #{pane_id}' '-t' '$1:4' '-n' 'n ##{pid};' \
             '-c' '/a ##(b)' '-e' 'A=x y;#{pid}' '--' 'exec vi; echo '\\''#{pid}'\\''' ; \
             'select-layout' '-t' '$1:4' '--' 'tiled'\n"
        );
    }

    #[test]
    fn what_stands_in_arguments_is_no_end_of_a_command() {
        let args = new_session("a;", "/b;", Some((80, 24)));
        assert!(args.contains(&"a\\;".to_owned()) && args.contains(&"/b\\;".to_owned()));
    }

    #[test]
    fn typing_is_as_much_as_there_is() {
        assert_eq!(send(PaneId(1), "", false).len(), 0);
        assert_eq!(send(PaneId(1), "", true).len(), 1);
        assert_eq!(send(PaneId(1), "-x", true)[0].last().unwrap(), "-x");
    }

    #[test]
    fn what_was_made_is_read_among_other_lines() {
        let made = read_made("a hook says hello\nmade 1 2 @3 %4\nmade 1 x\n");
        assert_eq!(made.len(), 1);
        assert_eq!((made[0].window, made[0].pane_id), (1, PaneId(4)));
    }

    #[test]
    fn settings_are_a_number_and_names() {
        let text = "set 0\na hook says hello\nset 2\nindexes 1 3\npane-base-index 0\npane-colours[0] red\n\
                    server\nescape-time 10\nuser-keys[0] a\n";
        let settings = read_settings(text);
        assert_eq!((settings.base_index, settings.shown_index), (1, Some(3)));
        assert_eq!(settings.window_options, ["pane-base-index", "pane-colours"]);
        assert!(settings.is_of_server("user-keys[3]") && !settings.is_of_server("pane-colours"));
        assert_eq!(settings.set, [0, 2]);
    }
}
