//! Directories, absolute and without `.` and `..`.

use super::expand;
use super::fields::Fields;
use crate::workspace::refusal::Refusal;
use std::path::{Component, Path, PathBuf};

/// The `start_directory` of a session, window or pane: what is relative begins at `parent`, the nearest one above that says
/// something, or else at the document's directory. None: it says nothing.
pub fn read(fields: &Fields<'_>, parent: Option<&Path>) -> Result<Option<PathBuf>, Refusal> {
    let Some((node, place)) = fields.get("start_directory") else {
        return Ok(None);
    };
    let reading = place.reading;
    let written = place.text(node)?;
    if written.is_empty() {
        return Ok(None);
    }
    let base = parent.unwrap_or_else(|| reading.directory());
    if reading.literal {
        return Ok(Some(tidy(&base.join(written))));
    }
    let expanded = expand::expand(written, reading.source.env);
    place.spend(node.at, expanded.len())?;
    if expanded.starts_with("~/") || expanded == "~" {
        return Err(place.wrong(
            node.at,
            "begins at the home directory, and HOME does not say where that is",
        ));
    }
    if expanded.contains('$') {
        reading.warn(
            node.at,
            &format!("a variable of “{expanded}” is not set; it is taken as written"),
        );
    }
    Ok(Some(tidy(&base.join(expanded))))
}

/// A path without `.` and `..`, by its words alone, as a shell's `cd` has it.
pub fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            _ => out.push(component),
        }
    }
    out
}
