//! The documents that can be loaded, to choose from.

use super::draw::{Pen, BOLD, DIM, PLAIN};
use super::filter::{self, Filter};
use super::keys::Action;
use super::overlay::Lines;
use crate::text::one_line;
use std::path::PathBuf;

/// A document that can be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its path.
    pub path: PathBuf,
    /// What it is called.
    pub name: String,
    /// Where it is, as it is shown.
    pub place: String,
}

/// Documents to choose from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// `None` until they are there.
    pub found: Option<Vec<Document>>,
    filter: Filter,
    /// Which of those that the filter lets through is selected.
    at: usize,
}

/// Lines above the first document.
const HEADING: usize = 2;

impl Choice {
    /// What a key does here; whether it does something.
    pub fn press(&mut self, action: Action) -> bool {
        let last = self.shown().count().saturating_sub(1);
        self.at = match action {
            Action::Up => self.at.saturating_sub(1),
            Action::Down => (self.at + 1).min(last),
            Action::First | Action::PageUp => 0,
            Action::Last | Action::PageDown => last,
            Action::Erase => {
                self.at = 0;
                return self.filter.pop();
            }
            Action::Back | Action::Clear if !self.filter.is_empty() => {
                self.filter.clear();
                0
            }
            _ => return false,
        };
        true
    }

    /// Filters by what was typed, too.
    pub fn type_in(&mut self, typed: &str) {
        self.filter.push(typed);
        self.at = 0;
    }

    /// The selected one.
    pub fn chosen(&self) -> Option<PathBuf> {
        self.shown().nth(self.at).map(|document| document.path.clone())
    }

    /// The line of the selected one.
    pub fn line(&self) -> usize {
        HEADING + self.at
    }

    fn shown(&self) -> impl Iterator<Item = &Document> {
        let words = self.filter.words();
        self.found.iter().flatten().filter(move |document| {
            let (name, place) = (document.name.to_lowercase(), document.place.to_lowercase());
            let holds = |word: &String| filter::is_in(&name, word) || place.contains(word);
            words.iter().all(holds)
        })
    }

    /// What is shown.
    pub fn lines(&self, pen: Pen<'_>, columns: usize) -> Lines {
        let room = columns.saturating_sub(4).max(1);
        let dim = |text: &str| vec![(DIM, one_line(text, room))];
        let heading = match self.filter.as_str() {
            "" => "load: type to filter, enter, or esc".to_owned(),
            typed => format!("load: {typed}{}", pen.sign("▏", "_")),
        };
        let mut lines = vec![vec![(BOLD, one_line(&heading, room))], Vec::new()];
        lines.extend(self.shown().enumerate().map(|(at, document)| {
            let (mark, style) = if at == self.at {
                (pen.sign("▸", ">"), BOLD)
            } else {
                (" ", PLAIN)
            };
            let name = one_line(&document.name, room);
            vec![
                (style, format!("{mark} {name}  ")),
                (DIM, one_line(&document.place, room)),
            ]
        }));
        if lines.len() == HEADING {
            lines.push(match self.found.as_deref() {
                None => dim("looking …"),
                Some([]) => dim("no workspaces are found; w saves a session as one"),
                Some(_) => dim("none has that in its name; esc shows all"),
            });
        }
        lines
    }
}
