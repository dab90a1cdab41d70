//! What kind of evidence a verdict rests on, in a word.

use super::{history, report};
use crate::model::Verdict;

/// What kind of evidence a verdict rests on, the most telling first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// An agent's hook has reported it.
    Hook,
    /// An agent keeps a record of it.
    Record,
    /// The shell has said how its last command went.
    Shell,
    /// A rule knows the program's screen.
    Screen,
    /// No rule does: what its processes and its terminal do.
    Process,
}

impl Source {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hook => "hook",
            Self::Record => "record",
            Self::Shell => "shell",
            Self::Screen => "screen",
            Self::Process => "process",
        }
    }

    /// That of `verdict`.
    pub fn of(verdict: &Verdict) -> Self {
        let first = verdict.evidence.first().map_or("", String::as_str);
        let shell = |clause: &String| clause.starts_with(history::RECORD);
        if first.starts_with(report::REPORT) {
            Self::Hook
        } else if first.starts_with(report::RECORD) {
            Self::Record
        } else if verdict.evidence.iter().any(shell) {
            Self::Shell
        } else if verdict.rule.starts_with("fallback:") {
            Self::Process
        } else {
            Self::Screen
        }
    }
}
