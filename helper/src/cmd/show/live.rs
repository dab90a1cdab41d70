//! `show --watch`: the table again whenever it changes.
//!
//! On a terminal it has the alternate screen for itself, which leaves the scrollback as it was, and gives the terminal back
//! however it ends. Its own output must not keep it going: tmux sees that as activity of its window. So it draws only when
//! something that it shows has changed, ages move once a minute, and its own window is not judged in it.

use super::seconds;
use super::table::{self, Style};
use crate::cli::ServerArgs;
use crate::output::{self, Size};
use crate::reader::{Files, Follow, Look};
use crate::terminal::{self, Before, Input, Screen};
use crate::theme::Theme;
use anyhow::Result;
use signal_hook::consts::SIGWINCH;
use signal_hook::low_level::emulate_default_handler;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often the file is looked at.
const INTERVAL: Duration = Duration::from_millis(500);

/// How often ages move, in seconds.
const AGES: u64 = 60;

/// Shows the table until its reader leaves or a signal ends it.
pub fn run(files: Files, server: &ServerArgs) -> Result<()> {
    let mut view = View::new(files, server)?;
    if output::size().is_some() {
        on_terminal(&mut view)
    } else {
        into_pipe(&mut view)
    }
}

/// For a reader that is no terminal: one table after the other.
fn into_pipe(view: &mut View) -> Result<()> {
    let mut read = output::print((view.drawn.clone() + "\n").as_bytes())?;
    while read {
        thread::sleep(INTERVAL);
        if view.changes(None)? {
            read = output::print((view.drawn.clone() + "\n").as_bytes())?;
        }
    }
    Ok(())
}

fn on_terminal(view: &mut View) -> Result<()> {
    let (send, signals) = mpsc::channel();
    terminal::signals(move |signal| send.send(signal).is_ok())?;
    let _screen = Screen::enter(Input::Silent, Before::Kept, b"")?;
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
                terminal::leave();
                // Ends this process as if it had never listened, or stops it until it is continued.
                emulate_default_handler(signal)?;
                terminal::enter(Input::Silent, Before::Kept, b"")?;
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

/// What is in sight, and what it was made of.
struct View {
    follow: Follow,
    theme: Theme,
    look: Look,
    clock: u64,
    drawn: String,
}

impl View {
    fn new(files: Files, server: &ServerArgs) -> Result<Self> {
        let mut view = Self {
            theme: files.theme(),
            look: files.look()?,
            follow: Follow::new(files, server.own_pane(), "this table"),
            clock: seconds(),
            drawn: String::new(),
        };
        view.changes(output::size())?;
        Ok(view)
    }

    /// Draws it anew; whether that differs from what was drawn before.
    fn changes(&mut self, size: Option<Size>) -> Result<bool> {
        match self.follow.news()? {
            Some(look) => self.look = look,
            None => self.look.ask_again(),
        }
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
