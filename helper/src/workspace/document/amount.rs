//! How much a document may come to. What is inherited stands once in the file and again in every pane, so that a small file
//! could ask for more than a machine has.

use std::cell::Cell;

/// The most panes of a session: each costs the server a terminal and a process, and tmux takes ever longer for one more.
const MOST_PANES: usize = 1_000;

/// The most bytes that all that is typed, set and named may have together: four times what a file may have.
pub const MOST_BYTES: usize = 4 << 20;

/// What a command or a variable counts beside its text.
pub const EACH: usize = 64;

/// What is said of a value that makes it too much.
pub const TOO_MUCH: &str =
    "makes it more than 4 MiB of commands, environments and directories, which no workspace needs";

/// What was read so far.
#[derive(Debug, Default)]
pub struct Amount {
    panes: Cell<usize>,
    bytes: Cell<usize>,
}

impl Amount {
    /// One pane more.
    pub fn add_pane(&self) -> Result<(), &'static str> {
        self.panes.set(self.panes.get() + 1);
        match self.panes.get() <= MOST_PANES {
            true => Ok(()),
            false => Err("is one pane more than the 1000 that a session may have"),
        }
    }

    /// That many bytes more.
    pub fn add(&self, bytes: usize) -> Result<(), &'static str> {
        self.bytes.set(self.bytes.get().saturating_add(bytes));
        match self.bytes.get() <= MOST_BYTES {
            true => Ok(()),
            false => Err(TOO_MUCH),
        }
    }
}
