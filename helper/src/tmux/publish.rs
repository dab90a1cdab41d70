//! What tmux itself shows of the state: the line that `#{tmux_status}` stands for, and options of each window.
//!
//! Values of options are not expanded when they are drawn, but for styles. `#{tmux_status}` is no format of tmux's: it is
//! replaced once by a reference to an option, so that a redraw starts no process.

use super::command::{Failure, Tmux};
use super::listing;
use super::option::{LINE, WINDOW};
use super::snapshot::NOWHERE;
use crate::model::WindowId;

/// What users write.
const PLACEHOLDER: &str = "#{tmux_status}";

/// Where they write it: status lines may be five.
const PLACES: [&str; 7] = [
    "status-left",
    "status-right",
    "status-format[0]",
    "status-format[1]",
    "status-format[2]",
    "status-format[3]",
    "status-format[4]",
];

/// A format that is the names of the options in which the placeholder stands, each followed by a blank.
pub(super) fn unreplaced_format() -> String {
    // Options' values are not expanded in it, and `?` stands for what the pattern may not hold.
    let one = |name: &str| format!("#{{?#{{m:*#?tmux_status?*,#{{{name}}}}},{name} ,}}");
    PLACES.map(one).concat()
}

/// The tmux commands that put the line into the options that [`unreplaced_format`] has named, in place of the placeholder.
/// Their values are read first, with a process.
///
/// # Errors
/// See [`Failure`].
pub fn replace(tmux: &Tmux, unreplaced: &[String]) -> Result<Vec<Vec<String>>, Failure> {
    let nonce = listing::nonce();
    let format: String = unreplaced.iter().map(|name| format!("#{{{name}}}{nonce}")).collect();
    let answer = tmux.effect(&["display-message", "-p", "-t", NOWHERE, &format])?;
    let text = String::from_utf8_lossy(&answer.stdout);
    let line = format!("#{{{LINE}}}");
    let set = |(name, value): (&String, &str)| {
        let value = value.replace(PLACEHOLDER, &line);
        ["set-option", "-g", name, &value].map(str::to_owned).to_vec()
    };
    Ok(unreplaced.iter().zip(text.split(&nonce)).map(set).collect())
}

/// The tmux command that publishes the line.
pub fn line(text: &str) -> Vec<String> {
    ["set-option", "-g", LINE, text].map(str::to_owned).to_vec()
}

/// The tmux commands that set a window's options; empty ones are unset. A window that has vanished is none of their business.
pub fn window(id: WindowId, values: &[String; 5]) -> Vec<Vec<String>> {
    let id = id.to_string();
    let set = |(name, value): (&&str, &String)| {
        let words: &[&str] = match value.as_str() {
            "" => &["set-option", "-wqu", "-t", &id, name],
            value => &["set-option", "-wq", "-t", &id, name, value],
        };
        words.iter().map(|word| (*word).to_owned()).collect()
    };
    WINDOW.iter().zip(values).map(set).collect()
}
