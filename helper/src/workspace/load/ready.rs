//! Waits until the shells have something on their screens, all of them together.

use super::{id, typed, Builder, Built};
use crate::model::PaneId;
use crate::tmux::build::ready;
use crate::workspace::refusal::Refusal;
use crate::workspace::spec::{Readiness, Session};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How long all of them have together.
const PATIENCE: Duration = Duration::from_secs(2);

/// The first pause between two looks. Each is longer than the one before, as each costs a process.
const FIRST: Duration = Duration::from_millis(15);

/// The longest.
const LONGEST: Duration = Duration::from_millis(250);

impl Builder<'_> {
    /// Waits for the panes that are typed to, and unless the document wants all of them, that run what is configured: a program of a
    /// document's own may paint nothing.
    pub(super) fn wait_for_shells(&mut self, session: &Session, built: &mut Built) -> Result<(), Refusal> {
        if session.readiness == Readiness::Never {
            return Ok(());
        }
        let mut waited: BTreeSet<PaneId> = typed(session, &built.made)
            .filter(|(_, pane)| !pane.commands.is_empty())
            .filter(|(_, pane)| pane.shell.is_none() || session.readiness == Readiness::Always)
            .map(|(made, _)| made.pane_id)
            .collect();
        let all = waited.len();
        let (id, end, mut pause) = (id(built)?, Instant::now() + PATIENCE, FIRST);
        while !waited.is_empty() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let message = format!(
                    "{} of {} shells showed no prompt within {} s; their commands are typed all the same",
                    waited.len(),
                    all,
                    PATIENCE.as_secs()
                );
                self.warn(built, "pane_readiness_timeout", message);
                return Ok(());
            }
            self.stop.sleep(pause.min(left))?;
            pause = (pause * 8 / 5).min(LONGEST);
            let silent = ready::silent(self.tmux, id).map_err(|failure| Refusal::of_tmux(self.tmux, &failure))?;
            waited.retain(|pane| silent.contains(pane));
        }
        Ok(())
    }
}
