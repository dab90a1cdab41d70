//! What an agent says of itself, against what its screen shows.
//!
//! A record that it keeps is exact about whether it works or waits, and says nothing of what is asked or what went wrong: those words
//! come from the screen. The screen alone can be wrong where a transcript quotes a dialog, or where an agent that streams
//! looks like one at its prompt.

use super::engine::{finish, Case};
use super::format::Region;
use crate::model::{AgentState, Need, Reported, StatusKind, Told, Verdict};
use crate::summary::template::fill;

/// How evidence begins that is an agent's own record.
pub(super) const RECORD: &str = "its own record: ";
/// How evidence begins that was reported.
pub(super) const REPORT: &str = "its hook reported: ";

/// The verdict, with the agent's own word where the screen says otherwise.
pub fn heed(case: &Case<'_>, seen: Verdict) -> Verdict {
    match (case.evidence.agent_state.filter(|_| seen.agent), &case.evidence.told) {
        (Some(state), _) => heed_record(case, seen, state),
        (None, Some(told)) => heed_report(case, seen, told),
        (None, None) => seen,
    }
}

fn heed_record(case: &Case<'_>, seen: Verdict, state: AgentState) -> Verdict {
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
    let says = format!("{RECORD}{id}");
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

/// What was reported, by a hook, at one moment: the screen may have gone on since, without any hook (Esc, an approval, a
/// dialog that was refused). So a report holds where the screen says the same or nothing, and for a moment where it has
/// not followed yet. A question on the screen holds against any report.
fn heed_report(case: &Case<'_>, seen: Verdict, told: &Told) -> Verdict {
    let report = &told.report;
    let moves = case
        .evidence
        .change
        .is_some_and(|change| change.screen || change.output);
    let shown = !seen.rule.starts_with("fallback:");
    let works = seen.kind == StatusKind::Active;
    let pressing = matches!(seen.need, Some(Need::Permission | Need::Question));
    let rests = !pressing && matches!(seen.kind, StatusKind::Waiting | StatusKind::Idle | StatusKind::Error);
    let (kind, need, agrees, holds, words) = match report.state {
        Reported::Working => (
            StatusKind::Active,
            None,
            works && shown,
            // A composer at rest below output that flows is that of an agent that streams.
            !pressing && (told.fresh || moves || !(shown && rests)),
            "{name} working[: {text}]",
        ),
        Reported::Waiting | Reported::Done => (
            StatusKind::Waiting,
            None,
            rests && shown && seen.kind == StatusKind::Waiting,
            !pressing && (told.fresh || !works) && seen.kind != StatusKind::Error,
            "{name} waiting for input at prompt[: {text}]",
        ),
        Reported::Permission => (
            StatusKind::Waiting,
            Some(Need::Permission),
            pressing,
            told.fresh || !(shown || works && moves),
            "{name} waits for permission[: {text}]",
        ),
        Reported::Question => (
            StatusKind::Waiting,
            Some(Need::Question),
            pressing,
            told.fresh || !(shown || works && moves),
            "{name} asks[: {text}]",
        ),
        Reported::Error => (
            StatusKind::Error,
            Some(Need::Failed),
            seen.kind == StatusKind::Error,
            !pressing && (told.fresh || !works),
            "{name} failed[: {text}]",
        ),
    };
    let says = format!("{REPORT}{}", report.state.as_str());
    let text = Some(report.text.clone()).filter(|text| !text.is_empty());
    if agrees {
        let mut evidence = seen.evidence;
        evidence.insert(0, says);
        // The screen's own words are newer; the report's fill in where it has none.
        let bare = !seen.summary.contains(": ");
        let summary = fill("{summary}[: {text}]", |key| match key {
            "summary" => Some(seen.summary.clone()),
            _ => text.clone().filter(|_| bare),
        });
        return Verdict {
            evidence,
            summary,
            ..seen
        };
    }
    if !holds {
        let mut evidence = seen.evidence;
        evidence.push(format!("{says}, which the screen has overtaken"));
        return Verdict { evidence, ..seen };
    }
    let summary = fill(words, |key| match key {
        "name" => Some(case.subject.name.clone()),
        _ => text.clone(),
    });
    let id = format!("report:{}", report.state.as_str());
    let verdict = finish(case, kind, need, id, summary, vec![says]);
    Verdict {
        // What only holds for being new must be looked at again.
        volatile: true,
        ..verdict
    }
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
