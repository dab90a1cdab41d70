//! What users' clients are and show, and where they go. A client goes only where its user has asked for, in that moment.

use super::command::{data, sequence, Failure, Tmux};
use super::listing;
use crate::fault::Fault;
use crate::model::{PaneId, SessionId, WindowId};
use crate::text;
use std::io;
use std::path::PathBuf;

/// A client with a terminal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Client {
    /// Its name to tmux.
    pub name: String,
    /// Its terminal.
    pub tty: PathBuf,
    /// The window that it shows.
    pub window: Option<WindowId>,
    /// TERM, when it attached.
    pub term: String,
    /// How its terminal answers when it is asked who it is (XTVERSION); empty when it does not.
    pub terminal: String,
    /// TERM_PROGRAM, as its session has it, or what WT_SESSION stands for. Where that has none it is the server's own: no more
    /// than a guess.
    pub program: String,
    /// Whether it came by ssh.
    pub remote: bool,
    /// DISPLAY and WAYLAND_DISPLAY, as its session has them.
    pub displays: [String; 2],
}

/// Formats fall back to the session's environment, and then to the server's.
const FIELDS: [&str; 9] = [
    "#{client_name}",
    "#{client_tty}",
    "#{window_id}",
    "#{client_termname}",
    "#{client_termtype}",
    "#{?WT_SESSION,Windows Terminal,#{TERM_PROGRAM}}",
    "#{SSH_CONNECTION}",
    "#{DISPLAY}",
    "#{WAYLAND_DISPLAY}",
];

/// Every attached client that draws on a terminal: none in control mode.
///
/// # Errors
/// See [`Failure`].
pub fn list(tmux: &Tmux) -> Result<Vec<Client>, Failure> {
    let nonce = listing::nonce();
    let fields = FIELDS.map(|field| format!("{field}{nonce}")).concat();
    let format = format!("#{{?client_control_mode,,{fields}}}");
    let answer = tmux.effect(&["list-clients", "-F", &format])?;
    let text = String::from_utf8_lossy(&answer.stdout);
    let fields: Vec<&str> = text.split(&nonce).collect();
    Ok(fields.chunks_exact(FIELDS.len()).filter_map(client).collect())
}

fn client(fields: &[&str]) -> Option<Client> {
    let [name, tty, window, term, terminal, program, ssh, x, wayland] = fields else {
        return None;
    };
    Some(Client {
        // What ends the record before comes first.
        name: name.trim_start_matches('\n').to_owned(),
        tty: PathBuf::from(tty),
        window: window.parse().ok(),
        term: (*term).to_owned(),
        terminal: (*terminal).to_owned(),
        program: (*program).to_owned(),
        remote: !ssh.is_empty(),
        displays: [x, wayland].map(|display| (*display).to_owned()),
    })
}

/// A pane where it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// The session, which a window may share with others.
    pub session: SessionId,
    /// The window.
    pub window: WindowId,
    /// The pane.
    pub pane: PaneId,
}

/// Moves the client named `name` to `spot`: its session, the window and the pane, which stays zoomed where it was.
///
/// # Errors
/// When there is no such client (an empty name: none is known), or no such pane there any more.
pub fn jump(tmux: &Tmux, name: &str, spot: Spot) -> Result<(), Fault> {
    let fail = |why: &str, hint: &str| Fault::new(format!("cannot go there: {why}"), hint);
    if name.is_empty() {
        let why = "no tmux client is known that could go there";
        return Err(fail(why, "attach one: tmux attach-session; or press the key in tmux"));
    }
    match reach(tmux, name, spot) {
        Ok(true) => Ok(()),
        Ok(false) => Err(fail("it is not there any more", "look again: tmux-status refresh")),
        Err(failure) => Err(fail(&failure.to_string(), "tmux list-clients names the clients")),
    }
}

/// The same for one who knows where to go otherwise; whether the pane is still there.
///
/// # Errors
/// See [`Failure`]: also when there is no such client.
pub fn reach(tmux: &Tmux, name: &str, spot: Spot) -> Result<bool, Failure> {
    let target = format!("{}:{}.{}", spot.session, spot.window, spot.pane);
    let answer = tmux.call(&["switch-client", "-Z", "-c", &data(name), "-t", &target])?;
    let gone = ["session", "window", "pane"].map(|what| format!("can't find {what}"));
    match answer.success {
        true => Ok(true),
        false if gone.iter().any(|words| answer.stderr.starts_with(words)) => Ok(false),
        false => Err(Failure::Refused(answer.stderr)),
    }
}

/// Has the client named `name` show a session, with the window that is current there.
///
/// # Errors
/// See [`Failure`].
pub fn show_session(tmux: &Tmux, name: &str, session: SessionId) -> Result<(), Failure> {
    let target = format!("{session}:");
    tmux.effect(&["switch-client", "-c", &data(name), "-t", &target])
        .map(drop)
}

/// Makes this process a client that shows a session, on the terminal that it has; it comes back only to say why not.
pub fn attach(tmux: &Tmux, session: SessionId) -> io::Error {
    tmux.become_client(&["attach-session", "-t", &session.to_string()])
}

/// Shows `line` on the status line of the client named `name` (empty: tmux's choice). The line is inert in formats.
///
/// # Errors
/// See [`Failure`]; a client that has left meanwhile is none.
pub fn message(tmux: &Tmux, name: &str, line: &str) -> Result<(), Failure> {
    tmux.call(&show(name, line)).map(drop)
}

/// The same on each of several clients, in one tmux process.
///
/// # Errors
/// See [`Failure`]; clients that have left meanwhile are none.
pub fn message_all(tmux: &Tmux, names: &[&str], line: &str) -> Result<(), Failure> {
    tmux.call(&sequence(names.iter().map(|name| show(name, line)).collect()))
        .map(drop)
}

fn show(name: &str, line: &str) -> Vec<String> {
    let line = data(&text::for_format(&text::one_line(line, 200)));
    let mut args = vec!["display-message".to_owned()];
    if !name.is_empty() {
        args.extend(["-c", name].map(str::to_owned));
    }
    args.push(line);
    args
}
