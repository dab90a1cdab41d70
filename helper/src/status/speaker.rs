//! Which of a window's panes speaks for it.

use super::notice::Notice;
use super::state::KnownPane;
use super::window::KnownWindow;
use crate::model::{Need, Pane, PaneId, Window};
use crate::text;
use std::collections::BTreeMap;

/// `@tmux-status-panes` when only the active pane may speak.
const ACTIVE_ONLY: &str = "active";

/// How much a pane has to say, least first: a question for the user, then a coding agent, then being active.
fn rank(pane: &Pane, known: Option<&KnownPane>) -> (u8, bool, bool) {
    let question = match known.and_then(|known| known.memory.verdict.need) {
        Some(Need::Permission) => 0,
        Some(Need::Question) => 1,
        Some(Need::Failed | Need::Done) | None => 2,
    };
    (
        question,
        !known.is_some_and(|known| known.memory.verdict.agent),
        !pane.active,
    )
}

/// The window's verdict: its active pane's, unless another pane holds a question for the user or a coding agent and
/// `panes` (the option) allows it. Then the summary says which pane speaks.
pub fn verdict(window: &Window, known: &BTreeMap<PaneId, KnownPane>, panes: &str) -> Option<KnownWindow> {
    let active = window
        .panes
        .iter()
        .find(|pane| pane.active)
        .or_else(|| window.panes.first())?;
    let most = window.panes.iter().min_by_key(|pane| rank(pane, known.get(&pane.id)));
    let speaker = most.filter(|_| panes != ACTIVE_ONLY).unwrap_or(active);
    let KnownPane { memory, command, .. } = known.get(&speaker.id)?;
    let verdict = &memory.verdict;
    let summary = if speaker.id == active.id {
        verdict.summary.clone()
    } else {
        text::one_line(
            &format!("pane {}: {}", speaker.index, verdict.summary),
            text::SUMMARY_LIMIT,
        )
    };
    let names = [&verdict.command, command, &window.name];
    Some(KnownWindow {
        name: window.name.clone(),
        command: names
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or(&window.name)
            .clone(),
        kind: verdict.kind,
        need: verdict.need,
        since: memory.since,
        need_since: memory.need_since,
        visited: false,
        parked_at: window.parked_at,
        parked: false,
        ignored: false,
        transitions: Vec::new(),
        notice: Notice::default(),
        summary,
        by_rules: None,
        pane: speaker.id,
        panes: window.panes.iter().map(|pane| pane.id).collect(),
    })
}
