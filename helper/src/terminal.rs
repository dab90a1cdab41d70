//! A terminal that a view has for itself, for a while: taken, given back however that ends, and what its user and the system
//! say meanwhile.
//!
//! The alternate screen leaves what was there as it was, where somebody comes back to it. Nothing here draws.

use crate::output;
use anyhow::{Context, Result};
use rustix::process::{getpgrp, getsid};
use rustix::termios::{self, LocalModes, OptionalActions, Termios};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use std::io::{stdin, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::{panic, thread};

/// What a view wants of its terminal's input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Nothing: what is typed is not shown, and Ctrl-C stays a signal.
    Silent,
    /// Every key, mouse buttons, and what is pasted as one piece.
    All,
}

/// What is on the terminal when it is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// What somebody comes back to: the alternate screen keeps it.
    Kept,
    /// Nothing, and nobody: the terminal ends with us, as that of a popup does. tmux (3.3a, 3.5a) draws a whole popup anew when
    /// the screen in it is changed for the other, which takes it longer than we take to start.
    Nothing,
}

/// The alternate screen.
const TAKE: &[u8] = b"\x1b[?1049h";
/// And back.
const GIVE: &[u8] = b"\x1b[?1049l";
/// Without a cursor.
const HIDE: &[u8] = b"\x1b[?25l";
/// What [`Input::All`] asks of the terminal. Movements of the mouse are left out: each would wake us.
const ASK: &[u8] = b"\x1b[?1000h\x1b[?1006h\x1b[?2004h";
/// Takes it back.
const UNASK: &[u8] = b"\x1b[?2004l\x1b[?1006l\x1b[?1000l";

/// What was taken.
#[derive(Debug)]
struct Taken {
    input: Input,
    before: Before,
    /// How the input was set before, where that was changed.
    modes: Option<Termios>,
}

/// The terminal while it is ours.
static TAKEN: Mutex<Option<Taken>> = Mutex::new(None);

/// Gives the terminal back when it is dropped.
#[derive(Debug)]
pub struct Screen;

impl Screen {
    /// Takes the terminal, and writes `first` with it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn enter(input: Input, before: Before, first: &[u8]) -> Result<Self> {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // The message would go with the alternate screen.
            leave();
            tell(info);
        }));
        enter(input, before, first)?;
        Ok(Self)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

/// Takes the screen, hides the cursor, and sets the input as wanted. All is written at once, with `first`.
///
/// # Errors
/// When the terminal cannot be written.
pub fn enter(input: Input, before: Before, first: &[u8]) -> Result<()> {
    let modes = set_input(input);
    *TAKEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(Taken { input, before, modes });
    let take = if before == Before::Kept { TAKE } else { b"" };
    let ask = if input == Input::All { ASK } else { b"" };
    output::print(&[take, HIDE, ask, first].concat())?;
    Ok(())
}

/// Gives back what [`enter`] has taken, once.
pub fn leave() {
    let taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(taken) = taken else { return };
    // A terminal that is gone needs nothing.
    if taken.input == Input::All {
        let _ = output::print(UNASK);
    }
    // A popup without -E stays when we end.
    let give: &[u8] = match taken.before {
        Before::Kept => GIVE,
        Before::Nothing => b"\x1b[H\x1b[2J",
    };
    let _ = output::print(&[b"\x1b[0m\x1b[?25h", give].concat());
    if let Some(modes) = taken.modes {
        let _ = termios::tcsetattr(stdin(), OptionalActions::Now, &modes);
    }
}

/// How the terminal was set before; `None` when it was left alone: one in the background would be stopped.
fn set_input(input: Input) -> Option<Termios> {
    let stdin = stdin();
    if !stdin.is_terminal() || termios::tcgetpgrp(&stdin).ok()? != getpgrp() {
        return None;
    }
    let before = termios::tcgetattr(&stdin).ok()?;
    let mut modes = before.clone();
    match input {
        Input::Silent => modes.local_modes.remove(LocalModes::ECHO),
        Input::All => modes.make_raw(),
    }
    termios::tcsetattr(&stdin, OptionalActions::Now, &modes).ok()?;
    Some(before)
}

/// Whether a shell waits for us, to which a user who suspends us comes back: then our process group is not the session's first.
pub fn has_shell() -> bool {
    getsid(None).is_ok_and(|session| session != getpgrp())
}

/// Hands each signal that ends, stops or resizes a view to `tell`, in a thread of its own, until that returns false.
///
/// # Errors
/// When the system refuses to tell of signals.
pub fn signals(mut tell: impl FnMut(i32) -> bool + Send + 'static) -> Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH])
        .context("cannot listen for the end of the terminal")?;
    thread::spawn(move || signals.forever().all(&mut tell));
    Ok(())
}
