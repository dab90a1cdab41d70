//! What a shell says of its last command, where it says anything: exact, whatever its prompt looks like.
//!
//! The screen still tells what is typed, what was printed and why something failed; the shell tells which command it was,
//! how it ended, and that it has ended at all.

use super::prompt::Prompt;
use crate::model::{LastCommand, Progress};
use crate::text;
use rustix::process::Signal;

/// The prompt that the screen shows, with the shell's own word where that says more. A prompt that the screen does not
/// show as one is there all the same when the shell has said so.
pub fn heed(seen: Option<Prompt>, said: Option<&LastCommand>) -> Option<Prompt> {
    let Some(said) = said.filter(|said| said.progress != Progress::Running) else {
        return seen;
    };
    let mut prompt = seen.unwrap_or_else(|| Prompt {
        typed: String::new(),
        command: None,
        output: 0..0,
        status: None,
        fresh: false,
        continued: false,
        sure: false,
    });
    match said.progress {
        Progress::Fresh => {
            prompt.command = None;
            prompt.fresh = true;
        }
        Progress::Ended { status, .. } => {
            prompt.fresh = false;
            if let Some(command) = &said.command {
                prompt.command = Some(text::clean(command));
            }
            if let Some(status) = status {
                prompt.status = (status != 0 && by_user(status).is_none()).then_some(status);
            }
        }
        Progress::Running => {}
    }
    Some(prompt)
}

/// How the last command ended, when that is no failure: `exited 0`, `interrupted`.
pub fn ended(said: Option<&LastCommand>) -> Option<&'static str> {
    match said?.progress {
        Progress::Ended { status: Some(0), .. } => Some("exited 0"),
        Progress::Ended {
            status: Some(status), ..
        } => by_user(status),
        _ => None,
    }
}

/// The command that runs.
pub fn running(said: Option<&LastCommand>) -> Option<&str> {
    let said = said.filter(|said| said.progress == Progress::Running)?;
    said.command.as_deref()
}

/// Whether it is known that nothing has failed. The status of `a | b` and `a; b` is that of `b` alone: there the screen may
/// know better.
pub fn succeeded(said: Option<&LastCommand>, command: Option<&str>) -> bool {
    let whole = command.is_some_and(|command| !command.contains(['|', ';', '&']));
    match ended(said) {
        Some("exited 0") => whole,
        other => other.is_some(),
    }
}

/// How long the last command took, from a second on.
pub fn took(said: Option<&LastCommand>) -> Option<String> {
    let Progress::Ended {
        took_ms: Some(took_ms), ..
    } = said?.progress
    else {
        return None;
    };
    let seconds = took_ms / 1000;
    let parts = match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0) => return None,
        (0, 0, s) => format!("{s} s"),
        (0, m, 0) => format!("{m} min"),
        (0, m, s) => format!("{m} min {s} s"),
        (h, 0, _) => format!("{h} h"),
        (h, m, _) => format!("{h} h {m} min"),
    };
    Some(parts)
}

/// How evidence begins that is a shell's own record.
pub(super) const RECORD: &str = "the shell's own record: ";

/// The shell's word as evidence for people.
pub fn as_evidence(said: &LastCommand) -> String {
    let how = match said.progress {
        Progress::Fresh => "nothing was run yet".to_owned(),
        Progress::Running => "it runs".to_owned(),
        Progress::Ended { status: Some(n), .. } => format!("it exited {n}"),
        Progress::Ended { status: None, .. } => "it has ended".to_owned(),
    };
    format!("{RECORD}{how}")
}

/// What the user did to a command with a key, by its status.
fn by_user(status: u32) -> Option<&'static str> {
    let of = |signal: Signal| u32::try_from(signal.as_raw()).map(|number| 128 + number);
    if of(Signal::INT) == Ok(status) {
        return Some("interrupted");
    }
    (of(Signal::TSTP) == Ok(status)).then_some("stopped")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(status: u32, took_ms: u64, command: &str) -> LastCommand {
        LastCommand {
            progress: Progress::Ended {
                status: Some(status),
                took_ms: Some(took_ms),
            },
            command: Some(command.into()),
        }
    }

    #[test]
    fn durations_are_told_from_a_second_on() {
        for (ms, told) in [
            (999, None),
            (1000, Some("1 s")),
            (3999, Some("3 s")),
            (60_000, Some("1 min")),
            (125_000, Some("2 min 5 s")),
            (3_600_000, Some("1 h")),
            (90_061_000, Some("25 h 1 min")),
        ] {
            assert_eq!(took(Some(&said(0, ms, "x"))).as_deref(), told);
        }
        assert_eq!(took(None), None);
    }

    #[test]
    fn the_status_of_a_list_tells_of_its_end_alone() {
        let known = |status, command: &str| succeeded(Some(&said(status, 0, command)), Some(command));
        assert!(known(0, "make") && known(130, "make | tee log") && !known(2, "make"));
        assert!(!known(0, "make | tee log") && !known(0, "make; date"));
        assert!(!succeeded(Some(&said(0, 0, "")), None) && !succeeded(None, Some("make")));
    }

    #[test]
    fn a_prompt_that_nobody_would_know_is_one_when_the_shell_says_so() {
        let prompt = heed(None, Some(&said(2, 0, "make\nall"))).unwrap();
        assert_eq!((prompt.command.as_deref(), prompt.status), (Some("make all"), Some(2)));
        assert_eq!(heed(Some(prompt.clone()), None), Some(prompt));
        let fresh = LastCommand {
            progress: Progress::Fresh,
            command: None,
        };
        assert!(heed(None, Some(&fresh)).unwrap().fresh);
        let running = LastCommand {
            progress: Progress::Running,
            command: None,
        };
        assert_eq!(heed(None, Some(&running)), None);
    }
}
