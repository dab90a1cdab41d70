//! `show --watch`: the table again whenever it changes.
//!
//! On a terminal it has the alternate screen for itself, which leaves the scrollback as it was, and gives the terminal back
//! however it ends. Its own output must not keep it going: tmux sees that as activity of its window. So it draws only when
//! something that it shows has changed, ages move once a minute, and its own window is not judged in it.

use super::seconds;
use super::table::{self, Style};
use crate::cli::ServerArgs;
use crate::model::{PaneId, StatusKind};
use crate::output::{self, Size};
use crate::reader::{Files, Look};
use crate::status::read::{self, Stamp};
use crate::theme::Theme;
use anyhow::{Context, Result};
use rustix::process::getpgrp;
use rustix::termios::{self, LocalModes, OptionalActions, Termios};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::io::{stdin, IsTerminal};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{panic, thread};

/// How often the file is looked at.
const INTERVAL: Duration = Duration::from_millis(500);

/// How often ages move, in seconds.
const AGES: u64 = 60;

/// Shows the table until its reader leaves or a signal ends it.
pub fn run(files: &Files, server: &ServerArgs) -> Result<()> {
    let mut view = View::new(files, server)?;
    if output::size().is_some() {
        on_terminal(&mut view)
    } else {
        into_pipe(&mut view)
    }
}

/// For a reader that is no terminal: one table after the other.
fn into_pipe(view: &mut View<'_>) -> Result<()> {
    let mut read = output::print((view.drawn.clone() + "\n").as_bytes())?;
    while read {
        thread::sleep(INTERVAL);
        if view.changes(None)? {
            read = output::print((view.drawn.clone() + "\n").as_bytes())?;
        }
    }
    Ok(())
}

fn on_terminal(view: &mut View<'_>) -> Result<()> {
    let signals = signals()?;
    let _screen = Screen::enter()?;
    let mut due = true;
    loop {
        // A terminal that is gone has no size.
        let Some(size) = output::size() else { return Ok(()) };
        if (view.changes(Some(size))? || due) && !paint(&view.drawn)? {
            return Ok(());
        }
        due = match signals.recv_timeout(INTERVAL) {
            Ok(SIGWINCH) => true,
            Ok(signal) => {
                leave();
                // Ends this process as if it had never listened, or stops it until it is continued.
                emulate_default_handler(signal)?;
                enter()?;
                true
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
    }
}

/// Each line is cleared before it is written: one that fills its row would lose its last cell to a clearing afterwards.
fn paint(lines: &str) -> Result<bool> {
    let lines = lines.replace('\n', "\r\n\x1b[K");
    Ok(output::print(format!("\x1b[H\x1b[K{lines}\x1b[J").as_bytes())?)
}

fn signals() -> Result<Receiver<i32>> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH])
        .context("cannot listen for the end of the terminal")?;
    let (send, receive) = mpsc::channel();
    thread::spawn(move || signals.forever().try_for_each(|signal| send.send(signal)));
    Ok(receive)
}

/// What is in sight, and what it was made of.
struct View<'a> {
    files: &'a Files,
    theme: Theme,
    /// The pane that this runs in, when it is one of the server shown.
    own: Option<PaneId>,
    look: Look,
    stamp: Option<Stamp>,
    clock: u64,
    drawn: String,
}

impl<'a> View<'a> {
    fn new(files: &'a Files, server: &ServerArgs) -> Result<Self> {
        let here = server.socket() == ServerArgs::default().socket();
        let pane = std::env::var("TMUX_PANE").ok();
        let mut view = Self {
            files,
            theme: files.theme(),
            own: pane.filter(|_| here).and_then(|pane| pane.parse().ok()),
            look: files.look()?,
            stamp: None,
            clock: seconds(),
            drawn: String::new(),
        };
        view.look()?;
        view.changes(output::size())?;
        Ok(view)
    }

    /// Reads the files again when they have been written.
    fn look(&mut self) -> Result<()> {
        let stamp = read::stamp(&self.files.state);
        if stamp == self.stamp && stamp.is_some() {
            self.look.ask_again();
            return Ok(());
        }
        self.look = self.files.look()?;
        self.stamp = stamp;
        let own = self.own;
        let windows = self.look.state.windows.values_mut();
        for window in windows.filter(|window| own == Some(window.pane)) {
            window.kind = StatusKind::Running;
            window.need = None;
            window.summary = "this table".to_owned();
            window.since = self.clock;
        }
        Ok(())
    }

    /// Draws it anew; whether that differs from what was drawn before.
    fn changes(&mut self, size: Option<Size>) -> Result<bool> {
        self.look()?;
        let style = Style {
            size,
            live: true,
            ..Style::of_output(&self.theme)
        };
        let now = seconds();
        let mut drawn = table::draw(&self.look, self.clock, style);
        if drawn != self.drawn || now.abs_diff(self.clock) >= AGES {
            self.clock = now;
            drawn = table::draw(&self.look, now, style);
        }
        let changed = drawn != self.drawn;
        self.drawn = drawn;
        Ok(changed)
    }
}

/// The terminal while it is ours: how its input was set before, where that was changed.
static TAKEN: Mutex<Option<Option<Termios>>> = Mutex::new(None);

/// Gives the terminal back when it is dropped.
struct Screen;

impl Screen {
    fn enter() -> Result<Self> {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // The message would go with the alternate screen.
            leave();
            before(info);
        }));
        enter()?;
        Ok(Self)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

/// Takes the alternate screen, hides the cursor, and has no typing shown on it.
fn enter() -> Result<()> {
    let modes = without_echo();
    *TAKEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(modes);
    output::print(b"\x1b[?1049h\x1b[?25l")?;
    Ok(())
}

/// Gives back what [`enter`] has taken, once.
fn leave() {
    let taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(modes) = taken else { return };
    // A terminal that is gone needs nothing.
    let _ = output::print(b"\x1b[?25h\x1b[?1049l");
    if let Some(modes) = modes {
        let _ = termios::tcsetattr(stdin(), OptionalActions::Now, &modes);
    }
}

/// How the terminal was set before; `None` when it was left alone: one in the background would be stopped.
fn without_echo() -> Option<Termios> {
    let input = stdin();
    if !input.is_terminal() || termios::tcgetpgrp(&input).ok()? != getpgrp() {
        return None;
    }
    let before = termios::tcgetattr(&input).ok()?;
    let mut modes = before.clone();
    modes.local_modes.remove(LocalModes::ECHO);
    termios::tcsetattr(&input, OptionalActions::Now, &modes).ok()?;
    Some(before)
}
