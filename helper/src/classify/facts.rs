//! What is known of a pane besides its text, worked out once for all rules.

use super::format::{Input, When};
use super::input::{foreground, input};
use crate::model::{Change, Evidence, Process};

/// Share of one CPU, in percent, from which a pane counts as busy. Idle terminal programs written in JavaScript take
/// three to five.
const BUSY_PERCENT: u64 = 10;

/// Facts that conditions ask for. `None` is evidence that was not taken.
pub struct Facts {
    /// How the foreground program reads its terminal.
    pub input: Option<Input>,
    /// Whether the CPU moved noticeably; at a first look whether a foreground process is on it right now.
    pub busy: Option<bool>,
    /// What moved since the look before.
    pub change: Option<Change>,
    /// Whether the foreground group is stopped.
    pub stopped: bool,
    /// Whether the alternate screen is on.
    pub alternate: bool,
    cursor: bool,
}

impl Facts {
    /// The facts of one pane.
    pub fn of(evidence: &Evidence<'_>) -> Facts {
        let group: Vec<&Process> = evidence
            .processes
            .map_or_else(Vec::new, |all| foreground(all).collect());
        let running_now = evidence.processes.map(|_| group.iter().any(|p| p.state == 'R'));
        let moved = evidence
            .change
            .and_then(|change| Some((change.elapsed_ms, change.cpu_ticks?)));
        // A tick is 10 ms: the share is ticks * 10 / elapsed.
        let busy = moved
            .map(|(elapsed, ticks)| ticks >= 2 && ticks.saturating_mul(1000) >= elapsed.saturating_mul(BUSY_PERCENT))
            .or(running_now);
        Facts {
            input: input(evidence.processes, evidence.terminal, evidence.pane.cursor_x > 0),
            busy,
            change: evidence.change,
            stopped: !group.is_empty() && group.iter().all(|p| p.state == 'T'),
            alternate: evidence.pane.alternate,
            cursor: evidence.pane.cursor_visible,
        }
    }

    /// Whether the screen changed or output came since the look before.
    pub fn output_moves(&self) -> bool {
        self.change.is_some_and(|change| change.screen || change.output)
    }

    /// The first condition that does not hold, in words; `None` when all do.
    pub fn unmet(&self, when: &When, composer: bool) -> Option<String> {
        let change = self.change;
        let asked = [
            (
                "changed",
                when.changed,
                change.map(|c| c.screen || c.cursor || c.output),
            ),
            ("changed-above", when.changed_above, change.map(|c| c.above)),
            (
                "still",
                when.still,
                Some(change.is_some_and(|c| !(c.screen || c.cursor || c.output))),
            ),
            ("composer", when.composer, Some(composer)),
            ("busy", when.busy, self.busy),
            ("alternate", when.alternate, Some(self.alternate)),
            ("cursor", when.cursor, Some(self.cursor)),
        ];
        for (name, wanted, found) in asked {
            match (wanted, found) {
                (Some(wanted), Some(found)) if wanted != found => return Some(format!("{name} is {found}")),
                (Some(_), None) => return Some(format!("{name} is not known")),
                _ => {}
            }
        }
        match (when.input, self.input) {
            (Some(wanted), found) if found != Some(wanted) => Some(match found {
                Some(found) => format!("input is {}", word(found)),
                None => "input is not known".to_owned(),
            }),
            _ => None,
        }
    }

    /// The conditions that a rule asked for and that held, as evidence for people.
    pub fn said(&self, when: &When) -> Vec<String> {
        let mut said = Vec::new();
        if let Some(input) = when.input {
            said.push(said_of_input(input).to_owned());
        }
        let flags = [
            (when.composer, "its input box is shown", "its input box is not shown"),
            (when.changed, "the screen moves", "the screen is unchanged"),
            (when.changed_above, "output moves", "output is unchanged"),
            (when.busy, "its processes use the CPU", "its processes use no CPU"),
            (
                when.alternate,
                "the alternate screen is on",
                "the alternate screen is off",
            ),
            (when.cursor, "the cursor is shown", "the cursor is hidden"),
        ];
        said.extend(
            flags
                .iter()
                .filter_map(|(asked, yes, no)| asked.map(|on| if on { *yes } else { *no }.to_owned())),
        );
        said
    }
}

fn word(input: Input) -> &'static str {
    match input {
        Input::Line => "line",
        Input::Password => "password",
        Input::Raw => "raw",
        Input::Nothing => "nothing",
    }
}

/// What the kernel says about input, as evidence for people.
pub fn said_of_input(input: Input) -> &'static str {
    match input {
        Input::Line => "the kernel: it is blocked reading a line",
        Input::Password => "the kernel: its terminal collects a line without echo",
        Input::Raw => "the kernel: its terminal is in raw mode",
        Input::Nothing => "the kernel: it does not read its terminal",
    }
}
