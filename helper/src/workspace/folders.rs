//! Folders that panes should start in and that are not there: tmux says nothing of them, and takes another.

use super::spec::Session;
use crate::text;
use std::collections::BTreeMap;
use std::path::Path;

/// What programs call a warning of one.
pub const CODE: &str = "directory_missing";

/// The panes that are named of those that should start in one; there may be hundreds.
const MOST: usize = 5;

/// One that is not there.
#[derive(Debug)]
pub struct Missing<'a> {
    folder: &'a Path,
    /// The panes that should start in it: the number of the window, and of the pane in it.
    pub panes: Vec<(usize, usize)>,
}

/// Those of a session, by their paths.
pub fn missing(session: &Session) -> Vec<Missing<'_>> {
    let mut folders: BTreeMap<&Path, Vec<(usize, usize)>> = BTreeMap::new();
    for (at, window) in session.windows.iter().enumerate() {
        for (number, pane) in window.panes.iter().enumerate() {
            folders.entry(&pane.start_directory).or_default().push((at, number));
        }
    }
    let missing = folders.into_iter().filter(|(folder, _)| !folder.is_dir());
    missing.map(|(folder, panes)| Missing { folder, panes }).collect()
}

impl Missing<'_> {
    /// A line about it; `instead` is where the panes are, if that is known.
    pub fn line(&self, session: &Session, instead: Option<&str>) -> String {
        let name = |(at, number): &(usize, usize)| {
            let name = session.windows.get(*at).and_then(|window| window.name.clone());
            format!("{}:{}", name.unwrap_or_else(|| (at + 1).to_string()), number + 1)
        };
        let noun = if self.panes.len() == 1 { "pane" } else { "panes" };
        let named: Vec<String> = self.panes.iter().take(MOST).map(name).collect();
        let more = match self.panes.len().saturating_sub(MOST) {
            0 => String::new(),
            more => format!(" and {}", text::count(more, "other")),
        };
        let place = instead.map_or_else(|| "elsewhere".to_owned(), |place| format!("in {place} instead"));
        format!(
            "there is no folder {} for {noun} {}{more} (window:pane), which {} {place}",
            self.folder.display(),
            named.join(", "),
            if self.panes.len() == 1 { "starts" } else { "start" },
        )
    }
}
