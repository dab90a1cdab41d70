//! `x-tmux-status`: what only this program says, where other readers of the same file pass it over. At the root, `literal` has
//! names, directories and values taken as they are written, and `notes` are for whoever reads the file; a window may be `zoomed`.

use super::fields::{Fields, Place};
use super::Reading;
use crate::workspace::refusal::Refusal;
use crate::workspace::yaml::{Node, Value};

/// The key.
pub const KEY: &str = "x-tmux-status";

/// Whether nothing of a document is expanded; what else it says at its root is checked, too.
pub fn is_literal(document: &Node, reading: &Reading<'_>) -> Result<bool, Refusal> {
    let root = Place::root(reading);
    let Some(fields) = fields(document, &root, &["literal", "notes"])? else {
        return Ok(false);
    };
    if let Some((notes, place)) = fields.get("notes") {
        for (index, note) in place.items(notes)?.iter().enumerate() {
            place.item(index).text(note)?;
        }
    }
    Ok(fields.flag("literal")?.unwrap_or(false))
}

/// Whether a pane is to fill a window.
pub fn is_zoomed(window: &Node, place: &Place<'_>) -> Result<bool, Refusal> {
    match fields(window, place, &["zoomed"])? {
        Some(fields) => Ok(fields.flag("zoomed")?.unwrap_or(false)),
        None => Ok(false),
    }
}

fn fields<'a>(node: &'a Node, place: &Place<'a>, known: &[&str]) -> Result<Option<Fields<'a>>, Refusal> {
    let own = node.get(KEY).filter(|own| own.value != Value::Null);
    own.map(|own| Fields::of(own, place.key(KEY), KEY, known)).transpose()
}
