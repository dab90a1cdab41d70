//! What tmux itself shows of the state: the line that `#{tmux_status}` stands for, and options of each window.
//!
//! tmux looks up a name that it does not know in its environment, so `#{tmux_status}` is a variable there, hidden from the
//! programs that it starts. Values of variables and options are not expanded when they are drawn, but for styles.

use super::option::{LINE, VARIABLE, WINDOW};
use crate::model::WindowId;

/// The tmux commands that publish the line. The option has every client drawn anew, which the variable does not.
pub fn line(text: &str) -> Vec<Vec<String>> {
    let commands: [&[&str]; 2] = [
        &["set-environment", "-gh", VARIABLE, text],
        &["set-option", "-g", LINE, text],
    ];
    let owned = |words: &&[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    commands.iter().map(owned).collect()
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
