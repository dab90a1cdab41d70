//! The model that words summaries: whether one is asked, what that has cost, and what went wrong.

use super::{bad, good, note, Finding};
use crate::status::answers::Answers;
use crate::status::paths::Paths;
use crate::status::settings;
use crate::summary::ai::config::Model;
use crate::text;
use crate::tmux::command::Tmux;
use crate::tmux::inquiry::Inquiry;
use crate::tmux::option;

pub fn findings(tmux: &Tmux, inquiry: &Inquiry, now: u64) -> Vec<Finding> {
    let command = inquiry.option(option::AI_COMMAND).unwrap_or_default();
    let config = match settings::model(command) {
        Ok(Some(config)) => config,
        Ok(None) => return vec![good("no model is asked for summaries")],
        Err(why) => {
            return vec![bad(
                format!("no model can be asked: {} is {command:?}: {why}", option::AI_COMMAND),
                "correct it; the rules' own summaries stand meanwhile",
            )]
        }
    };
    let mut found = vec![match missing(&config.model) {
        Some(program) => bad(
            format!("the model cannot be asked: there is no {program} on PATH"),
            "install it, or name it by its path; the server's PATH may differ from this shell's",
        ),
        None => good(format!("summaries are worded by {}", config.model)),
    }];
    let Ok(paths) = Paths::of(tmux.socket()) else {
        return found;
    };
    let ledger = Answers::read(&paths.answers).ledger;
    let kib = |bytes: u64| format!("{} KiB", bytes.div_ceil(1024));
    found.push(good(format!(
        "asked {} about {}, {} of {} in the last hour; {} sent, {} answered, {}",
        times(ledger.calls),
        text::count(usize::try_from(ledger.windows).unwrap_or(usize::MAX), "window"),
        ledger.within_hour(now),
        config.budget,
        kib(ledger.sent),
        kib(ledger.received),
        text::count(usize::try_from(ledger.failures).unwrap_or(usize::MAX), "failure"),
    )));
    if let Some(why) = &ledger.last_failure {
        let wait = ledger.next_at(config.interval).saturating_sub(now);
        found.push(note(
            format!("the model gave no answer last time: {why}"),
            format!(
                "it is asked again in {} at the earliest; tmux-status summarise asks now",
                text::ago(wait)
            ),
        ));
    }
    found
}

fn times(calls: u64) -> String {
    match calls {
        1 => "once".to_owned(),
        calls => format!("{calls} times"),
    }
}

/// The program that cannot be found.
fn missing(model: &Model) -> Option<String> {
    let program = match model {
        Model::Command(words) => words.first().cloned().unwrap_or_default(),
        Model::Endpoint { .. } => "curl".to_owned(),
    };
    (!super::is_there(&program)).then_some(program)
}
