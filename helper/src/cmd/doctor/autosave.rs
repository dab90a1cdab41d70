//! Whether sessions are saved by themselves, and when they last were.

use super::{bad, good, note, Finding};
use crate::status::paths::Paths;
use crate::text;
use crate::tmux::command::Tmux;
use crate::tmux::inquiry::Inquiry;
use crate::tmux::option;
use crate::workspace::autosave;
use std::path::Path;
use std::time::SystemTime;

pub fn findings(tmux: &Tmux, inquiry: &Inquiry) -> Option<Finding> {
    let value = inquiry.option(option::AUTOSAVE).unwrap_or_default();
    let folder = autosave::folder(value, &Paths::of(tmux.socket()).ok()?)?;
    let place = folder.display();
    if inquiry.option(option::WATCH) == Some(option::OFF) {
        let name = option::WATCH;
        return Some(bad(
            format!(
                "sessions are not saved: {} is {value}, but no driver may run",
                option::AUTOSAVE
            ),
            format!("set {name} on: it is the driver that saves"),
        ));
    }
    let minutes = autosave::INTERVAL.as_secs() / 60;
    Some(match autosave::newest(&folder).as_deref().and_then(age) {
        Some(age) => good(format!("sessions are saved in {place}; they last changed at the save {age} ago")),
        None => note(
            format!("sessions are to be saved in {place}, and none were yet"),
            format!("the first save comes half a minute after the driver has started, the next after each change and each {minutes} minutes"),
        ),
    })
}

fn age(save: &Path) -> Option<String> {
    let made = std::fs::metadata(save).ok()?.modified().ok()?;
    Some(text::ago(
        SystemTime::now().duration_since(made).unwrap_or_default().as_secs(),
    ))
}
