//! Why a workspace command did not do what it was asked to: a word for programs, a line for people, an exit code.

use crate::tmux::command::{Failure, Tmux};
use serde::Serialize;
use std::fmt;

/// The words that programs tell failures apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The document asked for was not found.
    WorkspaceNotFound,
    /// A document's shape, or one of its values, is wrong.
    InvalidWorkspace,
    /// A document has a key that is not known, or one that cannot be honoured here.
    UnsupportedKey,
    /// The session asked for does not run.
    SessionNotFound,
    /// The session that runs is not the one that the document describes.
    SessionMismatch,
    /// The session that was built has ended by itself.
    SessionGone,
    /// A file stands where one would be written, and nobody has allowed to replace it.
    DestinationExists,
    /// A file could not be read or written.
    FileFailed,
    /// tmux is missing, or its server does not answer.
    TmuxUnavailable,
    /// tmux refused to do something.
    TmuxFailed,
    /// This version of tmux cannot do it.
    TmuxUnsupported,
    /// The script that goes before the windows is missing, cannot be run, or failed.
    ScriptFailed,
    /// The arguments, or where the command is run, do not fit; nothing was done.
    Usage,
    /// A signal ended it.
    Interrupted,
}

impl Code {
    /// The exit code that goes with it.
    pub fn exit(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::Interrupted => 130,
            _ => 1,
        }
    }
}

impl From<&Failure> for Code {
    fn from(failure: &Failure) -> Self {
        match failure {
            Failure::NotInstalled | Failure::NoServer | Failure::Hangs(_) | Failure::Io(_) => Self::TmuxUnavailable,
            Failure::TooOld(_) => Self::TmuxUnsupported,
            Failure::Refused(_) => Self::TmuxFailed,
        }
    }
}

/// A refusal: what, on what, why; and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// For programs.
    pub code: Code,
    /// For people: one line.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Refusal {
    /// A refusal without advice.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            hint: None,
        }
    }

    /// That tmux gave no answer, or not the one that is needed.
    pub fn of_tmux(tmux: &Tmux, failure: &Failure) -> Self {
        Self::new(failure.into(), format!("tmux at {}: {failure}", tmux.socket()))
    }

    /// The same, with advice.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
