//! What went wrong, for the person who has to mend it.

use std::fmt;

/// An error with advice. Wrapped in [`anyhow::Error`] like any other; `main` prints the hint below the error.
#[derive(Debug)]
pub struct Fault {
    /// What failed on what, and why.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Whether it is told on standard output: the status file's contract asks for that when a write fails.
    pub on_stdout: bool,
    /// The exit code.
    pub code: u8,
}

impl Fault {
    /// A failure (exit code 1) with advice.
    pub fn new(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            hint: Some(hint.into()),
            on_stdout: false,
            code: 1,
        }
    }

    /// A file that could not be written: the old one stays.
    pub fn unwritten(error: &anyhow::Error) -> Self {
        Self {
            what: format!("{error:#}; the old file stays"),
            hint: None,
            on_stdout: true,
            code: 1,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Fault {}
