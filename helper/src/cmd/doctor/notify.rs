//! Notifications: who would be told now, and how.

use super::{bad, good, note, Advice, Finding};
use crate::notify::{self, Step};
use crate::tmux::command::Tmux;
use crate::tmux::inquiry::Inquiry;
use crate::tmux::option;
use crate::wish::{Way, Wishes};

pub fn findings(tmux: &Tmux, inquiry: &Inquiry, advice: &Advice) -> Vec<Finding> {
    let value = |name| inquiry.option(name).unwrap_or_default();
    let ways = Wishes::read(value(option::NOTIFY), "").ways;
    let command = !value(option::NOTIFY_COMMAND).is_empty();
    let mut found = Vec::new();
    if command && !ways.contains(&Way::Command) {
        found.push(note(
            format!("{} is set and never run", option::NOTIFY_COMMAND),
            advice.tmux(&match ways.is_empty() {
                true => format!("set -g {} command", option::NOTIFY),
                false => format!("set -ag {} ' command'", option::NOTIFY),
            }),
        ));
    }
    if ways.is_empty() {
        found.push(good(format!("notifications are off ({})", option::NOTIFY)));
        return found;
    }
    let clients = match notify::clients(tmux, &ways) {
        Ok(clients) => clients,
        Err(failure) => {
            found.push(bad(
                format!("cannot ask who would be notified: {failure}"),
                "the next notification will ask again",
            ));
            return found;
        }
    };
    found.extend(notify::plan_now(&ways, &clients).into_iter().map(|step| {
        let what = format!("you are told by {}: {step}", step.way().as_str());
        match step {
            Step::Nobody(way, why) => note(
                format!("nobody is told by {} now: {why}", way.as_str()),
                format!("name another way, too: {} may hold several", option::NOTIFY),
            ),
            Step::Command if !command => bad(
                format!("{} names command, and there is none", option::NOTIFY),
                advice.tmux(&format!("set -g {} '…'", option::NOTIFY_COMMAND)),
            ),
            _ => good(what),
        }
    }));
    found
}
