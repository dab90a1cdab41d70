//! Notifications of the desktop: through a client's terminal where that understands one, else by the desktop's own program.

use crate::process;
use crate::text;
use crate::tmux::client::Client;
use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An escape sequence that makes a terminal show a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sequence {
    /// OSC 9: one text.
    Osc9,
    /// OSC 99: kitty's.
    Osc99,
    /// OSC 777: title and body.
    Osc777,
}

/// How terminals call themselves when they are asked (XTVERSION), or in TERM or TERM_PROGRAM, in small letters: the beginning.
const KNOWN: &[(&str, Sequence)] = &[
    ("foot", Sequence::Osc777),
    ("ghostty", Sequence::Osc777),
    ("iterm", Sequence::Osc9),
    ("kitty", Sequence::Osc99),
    ("rxvt-unicode", Sequence::Osc777),
    ("warp", Sequence::Osc9),
    ("wezterm", Sequence::Osc777),
    ("windows terminal", Sequence::Osc777),
    ("xterm-ghostty", Sequence::Osc777),
    ("xterm-kitty", Sequence::Osc99),
];

fn known(name: &str) -> Option<Sequence> {
    let name = name.to_ascii_lowercase();
    let found = KNOWN.iter().find(|(start, _)| name.starts_with(start));
    found.map(|(_, sequence)| *sequence)
}

impl Sequence {
    /// The one that the client's terminal understands. What it says of itself is certain: TERM may be inherited, or made up
    /// for a host that does not know the real one.
    pub fn of(client: &Client) -> Option<Self> {
        if !client.terminal.is_empty() {
            return known(&client.terminal);
        }
        known(&client.term).or_else(|| known(&client.program))
    }

    /// Its bytes. The terminal obeys nothing in the text: there are no control characters in it, and no semicolon, which
    /// would begin the next part.
    pub fn bytes(self, title: &str, body: &str) -> Vec<u8> {
        let inert = |text: &str| text::clean(text).replace(';', ",");
        let (title, body) = (inert(title), inert(body));
        let text = match self {
            Sequence::Osc9 => format!("\x1b]9;{title}: {body}\x1b\\"),
            Sequence::Osc99 => {
                let part = |more: &str, text: &str| format!("\x1b]99;i=tmux-status:{more};{text}\x1b\\");
                part("d=0", &title) + &part("p=body", &body)
            }
            Sequence::Osc777 => format!("\x1b]777;notify;{title};{body}\x1b\\"),
        };
        text.into_bytes()
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sequence::Osc9 => "OSC 9",
            Sequence::Osc99 => "OSC 99",
            Sequence::Osc777 => "OSC 777",
        })
    }
}

/// A desktop's own program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// freedesktop.org's, at this place.
    NotifySend(PathBuf),
    /// Apple's, at this place.
    OsaScript(PathBuf),
}

/// What this machine has.
#[derive(Debug, Clone, Default)]
pub struct Own {
    /// The program.
    pub program: Option<Program>,
    /// Whether there is a desktop even without a client.
    pub display: bool,
}

/// Texts come as arguments, so that none of them is read as a script.
const SCRIPT: &str = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";

impl Own {
    /// Looks.
    pub fn look() -> Self {
        let apple = cfg!(target_os = "macos");
        let program = match apple {
            true => on_path("osascript").map(Program::OsaScript),
            false => on_path("notify-send").map(Program::NotifySend),
        };
        let filled = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        Self {
            program,
            display: !filled("SSH_CONNECTION") && (apple || filled("DISPLAY") || filled("WAYLAND_DISPLAY")),
        }
    }

    /// Whether the client sits in front of this machine's desktop.
    pub fn is_before(&self, client: &Client) -> bool {
        let apple = matches!(self.program, Some(Program::OsaScript(_)));
        !client.remote && (apple || client.displays.iter().any(|display| !display.is_empty()))
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let mut places = env::split_paths(&path).filter(|folder| folder.is_absolute());
    places.find_map(|folder| Some(folder.join(name)).filter(|file| file.is_file() && process::may_run(file)))
}

impl Program {
    /// The command that shows a notification.
    pub fn command(&self, title: &str, body: &str) -> Command {
        let mut command = Command::new(self.path());
        match self {
            // A body may hold markup.
            Program::NotifySend(_) => command.args(["--app-name", "tmux-status", "--", title, &without_markup(body)]),
            Program::OsaScript(_) => command.args(["-e", SCRIPT, "--", title, body]),
        };
        command
    }

    fn path(&self) -> &Path {
        match self {
            Program::NotifySend(path) | Program::OsaScript(path) => path,
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path().display())
    }
}

fn without_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(term: &str, terminal: &str, program: &str) -> Client {
        Client {
            term: term.into(),
            terminal: terminal.into(),
            program: program.into(),
            ..Client::default()
        }
    }

    #[test]
    fn a_terminal_is_known_by_its_answer_then_by_term_then_by_its_program() {
        let of = |term, terminal, program| Sequence::of(&client(term, terminal, program));
        for (terminal, sequence) in [
            ("kitty(0.32.2)", Sequence::Osc99),
            ("foot(1.16.2)", Sequence::Osc777),
            ("WezTerm 20240203-110809-5046fc22", Sequence::Osc777),
            ("ghostty 1.1.0", Sequence::Osc777),
            ("iTerm2 3.5.0", Sequence::Osc9),
        ] {
            assert_eq!(of("xterm-256color", terminal, ""), Some(sequence), "{terminal}");
        }
        for (term, sequence) in [
            ("xterm-kitty", Sequence::Osc99),
            ("xterm-ghostty", Sequence::Osc777),
            ("foot-extra", Sequence::Osc777),
            ("rxvt-unicode-256color", Sequence::Osc777),
        ] {
            assert_eq!(of(term, "", ""), Some(sequence), "{term}");
        }
        assert_eq!(of("xterm-256color", "", "iTerm.app"), Some(Sequence::Osc9));
        assert_eq!(of("xterm-256color", "XTerm(390)", "iTerm.app"), None);
        assert_eq!(of("xterm-kitty", "tmux 3.5a", ""), None, "a tmux within");
        assert_eq!(of("xterm-256color", "", ""), None);
    }

    #[test]
    fn no_text_ends_a_sequence_or_begins_another() {
        let evil = "a\x1b\\\x07\u{9c}\n;4;1;b";
        for sequence in [Sequence::Osc9, Sequence::Osc99, Sequence::Osc777] {
            let text = String::from_utf8(sequence.bytes(evil, evil)).unwrap();
            let parts: Vec<&str> = text.split_terminator("\x1b\\").collect();
            assert_eq!(parts.len(), if sequence == Sequence::Osc99 { 2 } else { 1 });
            for part in parts {
                let inner = part.strip_prefix("\x1b]").unwrap();
                assert!(!inner.chars().any(char::is_control), "{inner:?}");
                let semicolons = if sequence == Sequence::Osc777 { 3 } else { 2 };
                let semicolons = if sequence == Sequence::Osc9 { 1 } else { semicolons };
                assert_eq!(inner.matches(';').count(), semicolons, "{inner:?}");
            }
        }
    }

    #[test]
    fn texts_are_arguments_that_are_no_options_and_no_markup() {
        let args = |program: Program| -> Vec<String> {
            let command = program.command("-t", "<b>&");
            command.get_args().map(|arg| arg.to_str().unwrap().to_owned()).collect()
        };
        let sent = args(Program::NotifySend("notify-send".into()));
        assert_eq!(sent, ["--app-name", "tmux-status", "--", "-t", "&lt;b&gt;&amp;"]);
        let scripted = args(Program::OsaScript("osascript".into()));
        assert_eq!(scripted, ["-e", SCRIPT, "--", "-t", "<b>&"]);
    }
}
