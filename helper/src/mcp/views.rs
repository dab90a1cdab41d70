//! The rows that several tools reply with.

use super::caller::Relation;
use super::host::Host;
use crate::model::PaneId;
use crate::tmux::drive::lists::{PaneRow, SessionRow, WindowRow};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::Value;

/// Takes the descriptions out of a row's schema: it comes with many tools, and its names speak for themselves.
fn plain(schema: &mut Schema) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(|properties| properties.values_mut()) {
        if let Some(property) = property.as_object_mut() {
            property.remove("description");
        }
    }
}

/// A session.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(inline, transform = plain)]
pub struct SessionView {
    /// `$` id.
    pub id: String,
    /// Name.
    pub name: String,
    /// How many windows it has.
    pub windows: u32,
    /// Whether a client shows it.
    pub attached: bool,
}

impl From<SessionRow> for SessionView {
    fn from(row: SessionRow) -> Self {
        Self {
            id: row.id.to_string(),
            name: row.name,
            windows: row.windows,
            attached: row.attached,
        }
    }
}

/// What was made, and the pane in it, so that it can be used without another call.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Made<T> {
    /// What was made.
    #[serde(flatten)]
    pub row: T,
    /// Its pane.
    pub pane: String,
}

impl<T> Made<T> {
    /// The reply about what tmux has made.
    pub fn of((row, pane): (impl Into<T>, PaneId)) -> Self {
        Self {
            row: row.into(),
            pane: pane.to_string(),
        }
    }
}

/// A window at one of its places.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(inline, transform = plain)]
pub struct WindowView {
    /// `@` id.
    pub id: String,
    /// The session of this place.
    pub session_id: String,
    /// Index in that session.
    pub index: i32,
    /// Name.
    pub name: String,
    /// How many panes it has.
    pub panes: u32,
    /// Whether it is that session's current window.
    pub active: bool,
    /// Whether it is in several sessions.
    pub linked: bool,
}

impl From<WindowRow> for WindowView {
    fn from(row: WindowRow) -> Self {
        Self {
            id: row.id.to_string(),
            session_id: row.session.to_string(),
            index: row.index,
            name: row.name,
            panes: row.panes,
            active: row.active,
            linked: row.linked,
        }
    }
}

/// A pane.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(inline, transform = plain)]
pub struct PaneView {
    /// `%` id.
    pub id: String,
    /// Its window.
    pub window_id: String,
    /// Whether it is its window's active pane.
    pub active: bool,
    /// Foreground program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Working directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// `self`: this MCP server runs in it, proved; `unknown`: this server runs in no tmux.
    pub caller: Relation,
}

impl PaneView {
    /// As seen from `host`.
    pub fn of(host: &Host, row: PaneRow) -> Self {
        Self {
            caller: host.caller.relation(row.server, row.id),
            id: row.id.to_string(),
            window_id: row.window.to_string(),
            active: row.active,
            command: row.command,
            path: row.path,
        }
    }
}

/// The newest lines of `text` that fit: at most `most_lines` and `most_bytes`, and how many older ones were left out. A
/// single line that is too long loses its start.
pub fn newest(text: &str, most_lines: Option<usize>, most_bytes: usize) -> Kept {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let all: Vec<&str> = if text.is_empty() {
        Vec::new()
    } else {
        text.split('\n').collect()
    };
    let (mut lines, mut bytes) = (0, 0);
    for line in all.iter().rev().take(most_lines.unwrap_or(usize::MAX)) {
        bytes += line.len() + 1;
        if bytes > most_bytes + 1 && lines > 0 {
            break;
        }
        lines += 1;
    }
    let dropped = all.len() - lines;
    let mut text = all.get(dropped..).unwrap_or_default().join("\n");
    if text.len() > most_bytes {
        let start = (text.len() - most_bytes..text.len()).find(|at| text.is_char_boundary(*at));
        text = text.split_off(start.unwrap_or_default());
    }
    Kept { text, lines, dropped }
}

/// See [`newest`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The lines that were kept, separated by newlines.
    pub text: String,
    /// How many they are.
    pub lines: usize,
    /// How many were not kept.
    pub dropped: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str, lines: Option<usize>, bytes: usize) -> (String, usize, usize) {
        let Kept { text, lines, dropped } = newest(text, lines, bytes);
        (text, lines, dropped)
    }

    #[test]
    fn the_newest_lines_are_kept() {
        assert_eq!(kept("a\nb\n\nc\n", None, 100), ("a\nb\n\nc".into(), 4, 0));
        assert_eq!(kept("a\nb\n\nc\n", Some(2), 100), ("\nc".into(), 2, 2));
        assert_eq!(kept("a\nb\nc\n", Some(0), 100), (String::new(), 0, 3));
        assert_eq!(kept("aa\nbb\ncc\n", None, 5), ("bb\ncc".into(), 2, 1));
        assert_eq!(kept("aa\nbb\ncc\n", None, 4), ("cc".into(), 1, 2));
        assert_eq!(kept("", None, 4), (String::new(), 0, 0));
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_between_characters() {
        assert_eq!(kept("漢字\n", None, 4), ("字".into(), 1, 0));
    }
}
