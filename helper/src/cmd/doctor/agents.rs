//! The hooks of coding agents: whether those that are set call a helper that is there.

use super::{bad, good, note, Finding};
use crate::agents::install::AGENTS;
use std::path::Path;

pub fn findings() -> Vec<Finding> {
    let mut sound = Vec::new();
    let mut found = Vec::new();
    for agent in AGENTS {
        let id = agent.id;
        match agent.called() {
            Ok(None) => {}
            Ok(Some(helper)) if Path::new(&helper).is_file() => sound.push(id),
            Ok(Some(helper)) => found.push(bad(
                format!("the hooks of {id} call {helper}, which is gone: it reports nothing"),
                format!("tmux-status agents install {id}"),
            )),
            Err(fault) => found.push(note(
                format!("whether {id} reports what it does is unknown: {fault}"),
                fault.hint.unwrap_or_default(),
            )),
        }
    }
    if !sound.is_empty() {
        found.push(good(format!("these agents report what they do: {}", sound.join(" "))));
    }
    found
}
