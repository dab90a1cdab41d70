//! Folders that panes should start in and that are not there: tmux says nothing of them, and takes the user's home.

use super::spec::Session;
use crate::text;
use std::collections::BTreeMap;
use std::path::Path;

/// What programs call a warning of one.
pub const CODE: &str = "directory_missing";

/// The panes that are named of those that should start in one; there may be hundreds.
const MOST: usize = 5;

/// Those that are not there, a line each, with the panes that should start in them.
pub fn missing(session: &Session) -> Vec<String> {
    let mut folders: BTreeMap<&Path, Vec<String>> = BTreeMap::new();
    for (at, window) in session.windows.iter().enumerate() {
        let name = window.name.clone().unwrap_or_else(|| (at + 1).to_string());
        for (number, pane) in window.panes.iter().enumerate() {
            let panes = folders.entry(&pane.start_directory).or_default();
            panes.push(format!("{name}:{}", number + 1));
        }
    }
    let missing = folders.into_iter().filter(|(folder, _)| !folder.is_dir());
    missing.map(|(folder, panes)| line(folder, &panes)).collect()
}

fn line(folder: &Path, panes: &[String]) -> String {
    let (noun, verb) = if panes.len() == 1 {
        ("pane", "starts")
    } else {
        ("panes", "start")
    };
    let named: Vec<&str> = panes.iter().take(MOST).map(String::as_str).collect();
    let more = match panes.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {}", text::count(more, "other")),
    };
    format!(
        "there is no folder {}: {noun} {}{more} (window:pane) {verb} in the home directory instead",
        folder.display(),
        named.join(", ")
    )
}
