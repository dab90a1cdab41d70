//! The status file: exactly the keys that its readers know, in their order.

use crate::model::StatusKind;
use serde::{Deserialize, Serialize};

/// The whole file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusFile {
    /// Epoch seconds at which the file was written.
    #[serde(rename = "generatedAt")]
    pub generated_at: u64,
    /// All sessions, in tmux's order; empty when no server runs.
    pub sessions: Vec<SessionStatus>,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionStatus {
    /// Its name, as tmux holds it.
    pub name: String,
    /// Whether a client is attached.
    pub attached: bool,
    /// Epoch seconds of its last activity; absent only when tmux does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activity: Option<u64>,
    /// Its windows, in tmux's order.
    pub windows: Vec<WindowStatus>,
}

/// One window in one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindowStatus {
    /// Its index in the session.
    pub index: u32,
    /// Its name, as tmux holds it.
    pub name: String,
    /// The foreground program as a person names it.
    pub command: String,
    /// Whether it is its session's current window.
    pub active: bool,
    /// What it is doing.
    #[serde(rename = "statusKind")]
    pub status_kind: StatusKind,
    /// One line, at most 80 cells and 80 characters.
    pub summary: String,
    /// `session:index`.
    pub target: String,
}

impl StatusFile {
    /// The file's bytes.
    ///
    /// # Errors
    /// None are expected: every field can be written as JSON.
    pub fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}
