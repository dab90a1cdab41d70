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
    /// The file's bytes. Names are verbatim in it, yet it may be printed to a terminal: what would act there or hide there
    /// is written as `\uXXXX`.
    ///
    /// # Errors
    /// None are expected: every field can be written as JSON.
    pub fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let json = serde_json::to_string_pretty(self)?;
        let mut out = String::with_capacity(json.len() + 1);
        for c in json.chars() {
            // JSON escapes C0 itself; outside of strings there is only ASCII.
            match c {
                '\u{7f}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                    out += &format!("\\u{:04x}", u32::from(c));
                }
                _ => out.push(c),
            }
        }
        out.push('\n');
        Ok(out.into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_acts_on_a_terminal_and_every_name_is_read_back() {
        let name = "a\u{9b}31m\u{7f}\u{202e}\u{1b}[0m\u{2028}é漢👩\u{200d}💻\\u009b";
        let session = SessionStatus {
            name: name.into(),
            attached: false,
            activity: None,
            windows: Vec::new(),
        };
        let bytes = StatusFile {
            generated_at: 1,
            sessions: vec![session],
        }
        .to_bytes()
        .unwrap();
        let text = std::str::from_utf8(&bytes).unwrap();
        assert!(
            !text
                .chars()
                .any(|c| c.is_control() && c != '\n' || matches!(c, '\u{202e}' | '\u{2028}')),
            "{text}"
        );
        let back: StatusFile = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(back.sessions[0].name, name);
    }
}
