//! The documents that can be loaded, to choose from.

use super::draw::{Pen, BOLD, DIM, PLAIN};
use super::keys::Action;
use super::overlay::Lines;
use crate::text::one_line;
use std::path::{Path, PathBuf};

/// Documents to choose from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// Their paths; `None` until they are there.
    pub found: Option<Vec<PathBuf>>,
    /// Which one is selected.
    pub at: usize,
}

impl Choice {
    /// What a key does here; whether it does something.
    pub fn press(&mut self, action: Action) -> bool {
        let last = self.found.as_ref().map_or(0, |found| found.len().saturating_sub(1));
        self.at = match action {
            Action::Up => self.at.saturating_sub(1),
            Action::Down => (self.at + 1).min(last),
            Action::First | Action::PageUp => 0,
            Action::Last | Action::PageDown => last,
            _ => return false,
        };
        true
    }

    /// The selected one.
    pub fn chosen(&self) -> Option<PathBuf> {
        self.found.as_ref()?.get(self.at).cloned()
    }

    /// What is shown.
    pub fn lines(&self, pen: Pen<'_>, columns: usize) -> Lines {
        let room = columns.saturating_sub(4).max(1);
        let mut lines = vec![vec![(BOLD, one_line("load: enter, or esc", room))], Vec::new()];
        match self.found.as_deref() {
            None => lines.push(vec![(DIM, "looking …".to_owned())]),
            Some([]) => lines.push(vec![(
                DIM,
                one_line("no workspaces are found; w saves a session as one", room),
            )]),
            Some(found) => lines.extend(found.iter().enumerate().map(|(at, path)| {
                let (mark, style) = if at == self.at {
                    (pen.sign("▸", ">"), BOLD)
                } else {
                    (" ", PLAIN)
                };
                let (name, place) = named(path);
                let shown = one_line(&name, room);
                vec![(style, format!("{mark} {shown}  ")), (DIM, one_line(&place, room))]
            })),
        }
        lines
    }
}

/// A document's name, and where it is.
fn named(path: &Path) -> (String, String) {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().unwrap_or(path);
    match part(path.file_name()).starts_with('.') {
        // That of a project: its folder says more.
        true => (part(folder.file_name()), path.display().to_string()),
        false => (part(path.file_stem()), folder.display().to_string()),
    }
}
