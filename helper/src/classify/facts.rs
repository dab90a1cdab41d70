//! What is known of a pane besides its text, worked out once for all rules.

use super::format::{Input, When};
use super::input::{foreground, input};
use crate::model::{Change, Evidence, Process};
use std::fmt;

/// Share of one CPU, in percent, from which a pane counts as busy. Idle terminal programs written in JavaScript take
/// three to five.
const BUSY_PERCENT: u64 = 10;

/// Why a rule did not fire. Most rules are refused at every look, so the words are only made for `explain`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// A condition is this, and not what was wanted.
    Is(&'static str, bool),
    /// A condition is not known.
    Unknown(&'static str),
    /// How the program reads its terminal, and it is not what was wanted.
    Input(&'static str),
    /// What a probe says.
    Probe(&'static str),
    /// This pattern was not found.
    NotFound(&'static str),
    /// None of several patterns was found.
    NoneFound,
    /// This pattern was found.
    Found(&'static str),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Is(name, found) => write!(f, "{name} is {found}"),
            Refusal::Unknown(name) => write!(f, "{name} is not known"),
            Refusal::Input(found) => write!(f, "input is {found}"),
            Refusal::Probe(said) => f.write_str(said),
            Refusal::NotFound(pattern) => write!(f, "not found: {pattern}"),
            Refusal::NoneFound => f.write_str("none of its alternatives was found"),
            Refusal::Found(pattern) => write!(f, "found, and must not be: {pattern}"),
        }
    }
}

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

    /// The first condition that does not hold; `None` when all do.
    pub fn unmet(&self, when: &When, composer: bool) -> Option<Refusal> {
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
                (Some(wanted), Some(found)) if wanted != found => return Some(Refusal::Is(name, found)),
                (Some(_), None) => return Some(Refusal::Unknown(name)),
                _ => {}
            }
        }
        match (when.input, self.input) {
            (Some(wanted), found) if found != Some(wanted) => Some(match found {
                Some(found) => Refusal::Input(word(found)),
                None => Refusal::Unknown("input"),
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
