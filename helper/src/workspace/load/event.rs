//! What happens while a session is built, for those who follow it.

use crate::model::SessionId;
use crate::tmux::build::Made;
use serde::Serialize;

/// Something that has happened.
#[derive(Debug)]
pub enum Event<'a> {
    /// The session was made.
    Session {
        /// Its id.
        id: SessionId,
        /// Its name, as the document has it.
        name: &'a str,
    },
    /// The script starts; it may have the terminal.
    ScriptStarted {
        /// The program and its arguments, as they were written.
        arguments: &'a [String],
    },
    /// A captured script has printed something.
    ScriptPrinted {
        /// Whether on standard error.
        is_error: bool,
        /// What; what is no UTF-8 is replaced.
        text: &'a str,
    },
    /// The script has ended.
    ScriptEnded {
        /// Its exit code, 128 and more for a signal.
        status: i32,
    },
    /// A window was made, with its first pane.
    Window {
        /// Which.
        made: &'a Made,
        /// Its name, if the document has one.
        name: Option<&'a str>,
    },
    /// A pane was made.
    Pane {
        /// Which.
        made: &'a Made,
    },
    /// A pane has got all that is typed into it.
    PaneDone {
        /// Which.
        made: &'a Made,
    },
    /// All panes of a window have; of the last of them.
    WindowDone {
        /// Which.
        made: &'a Made,
    },
    /// Something is not as it should be, and nothing fails for it.
    Warning(&'a Warning),
    /// All of the document is there.
    WorkspaceBuilt {
        /// The session.
        session: SessionId,
        /// Whether one of its windows wants to be shown.
        focused: bool,
    },
}

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// For programs.
    pub code: &'static str,
    /// For people: one line.
    pub message: String,
}

/// What a script has printed, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScriptOutput {
    /// Its exit code, 128 and more for a signal.
    pub child_status: i32,
    /// Standard output; nothing where the terminal had it.
    pub stdout: String,
    /// Standard error, likewise.
    pub stderr: String,
    /// Whether it has printed more than is kept.
    pub truncated: bool,
    /// Whether it had the terminal.
    pub terminal: bool,
    /// How its bytes became text: `utf-8`, or `utf-8-lossy` where some were no UTF-8 and were replaced.
    pub encoding: &'static str,
}
