//! What an agent says of itself, against what its screen shows.
//!
//! Its record is exact about whether it works or waits, and says nothing of what is asked or what went wrong: those words
//! come from the screen. The screen alone can be wrong where a transcript quotes a dialog, or where an agent that streams
//! looks like one at its prompt.

use super::engine::{finish, Case};
use super::format::Region;
use crate::model::{AgentState, Need, StatusKind, Verdict};
use crate::summary::template::fill;

/// The verdict, with the agent's own word where the screen says otherwise.
pub fn heed(case: &Case<'_>, seen: Verdict) -> Verdict {
    let Some(state) = case.evidence.agent_state.filter(|_| seen.agent) else {
        return seen;
    };
    let asked = matches!(seen.need, Some(Need::Permission | Need::Question));
    let (agrees, kind, need, id, words) = match state {
        AgentState::Busy => (
            seen.kind == StatusKind::Active,
            StatusKind::Active,
            None,
            "busy",
            "{name} working[: {said}]",
        ),
        // An error stays on the screen of an agent that rests after it. A question there is one that the record does not
        // count among its dialogs: it is only shown while no input box is.
        AgentState::Resting => (
            matches!(seen.kind, StatusKind::Waiting | StatusKind::Error),
            StatusKind::Waiting,
            None,
            "resting",
            "{name} waiting for input at prompt[: {said}]",
        ),
        AgentState::Background => (
            matches!(seen.kind, StatusKind::Waiting | StatusKind::Error),
            StatusKind::Waiting,
            None,
            "background",
            "{name} waiting for input at prompt, background work runs[: {said}]",
        ),
        // The approval of a plan is kept as a permission, and is a question to a reader.
        AgentState::Permission => (
            seen.kind == StatusKind::Waiting && asked,
            StatusKind::Waiting,
            Some(Need::Permission),
            "permission",
            "{name} waits for permission",
        ),
        AgentState::Question => (
            seen.need == Some(Need::Question),
            StatusKind::Waiting,
            Some(Need::Question),
            "question",
            "{name} asks",
        ),
        AgentState::Dialog => (
            seen.kind == StatusKind::Waiting,
            StatusKind::Waiting,
            None,
            "dialog",
            "{name} waiting for input, a dialog is open",
        ),
    };
    let says = format!("its own record: {id}");
    if agrees {
        let mut evidence = seen.evidence;
        evidence.insert(0, says);
        return Verdict { evidence, ..seen };
    }
    let summary = fill(words, |key| match key {
        "name" => Some(case.subject.name.clone()),
        _ => said(case),
    });
    finish(case, kind, need, format!("record:{id}"), summary, vec![says])
}

/// The newest entry of the transcript that begins with a bullet.
fn said(case: &Case<'_>) -> Option<String> {
    let above = case.view.text(Region::AboveComposer(12));
    let entry = |line: &str| {
        let mut chars = line.chars();
        let bullet = chars
            .next()
            .filter(|c| !c.is_ascii() && !matches!(c, '❯' | '─' | '│' | '⎿'))?;
        let rest = line.strip_prefix(bullet)?.strip_prefix(' ')?;
        rest.starts_with(char::is_alphabetic).then(|| rest.to_owned())
    };
    above.plain.lines().rev().find_map(entry)
}
