//! What tmux itself shows of the state: the line that `#{tmux_status}` stands for, and options of each window.
//!
//! What is published is not expanded when it is drawn, but for styles. `#{tmux_status}` is no format of tmux's own: it reads what is
//! neither a format nor an option from its environment, wherever a format stands (format_find in tmux's format.c, seen on
//! 3.3a). So the line lies there, hidden from what runs in panes, and a redraw starts no process.

use super::option::{LINE, LINE_OPTION, WINDOW};
use crate::model::WindowId;

/// The tmux commands that publish the line. The environment comes first: it is the option that has tmux draw again.
pub fn line(text: &str) -> [Vec<String>; 2] {
    let environment = ["set-environment", "-gh", LINE, text];
    let option = ["set-option", "-g", LINE_OPTION, text];
    [environment, option].map(|words| words.map(str::to_owned).to_vec())
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
