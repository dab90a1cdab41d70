//! Has all sessions saved now and then, by a process of its own, where the user wants that.

use crate::refresh::{aside, Outcome};
use crate::status::state::State;
use crate::tmux::command::Tmux;
use crate::tmux::option;
use crate::workspace::autosave::{self, Clock};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::time::Instant;

/// Knows when the last save was.
#[derive(Debug, Default)]
pub struct Autosave {
    clock: Clock,
}

impl Autosave {
    /// Starts a save if one is due after this look.
    pub fn after(&mut self, tmux: &Tmux, outcome: &Outcome) {
        let value = outcome.settings.options.get(option::AUTOSAVE);
        let folder = autosave::folder(value, &outcome.paths).filter(|_| !outcome.state.sessions.is_empty());
        let Some(folder) = folder else { return };
        let done = autosave::done(&folder);
        if self.clock.is_due(what_there_is(&outcome.state), Instant::now(), done) {
            // One that cannot be started is not done, and so comes again.
            let _ = aside::start(
                tmux,
                &outcome.settings.helper,
                &["workspace", "save", "--background"],
                &[],
            );
        }
    }
}

/// A number for the sessions and their windows. Names of windows are not in it: tmux gives them new ones all the time.
fn what_there_is(state: &State) -> u64 {
    let mut hasher = DefaultHasher::new();
    for session in &state.sessions {
        (session.id, &session.name, session.windows.len()).hash(&mut hasher);
        for link in &session.windows {
            (link.window, link.index).hash(&mut hasher);
        }
    }
    hasher.finish()
}
