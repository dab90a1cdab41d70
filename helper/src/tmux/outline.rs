//! A glance at a whole server that costs it a fraction of a look: which windows there are, where, and how long quiet.
//!
//! A driver that sees the same outline again, with no window in it that moved, has nothing to look at. What changes
//! without changing it fires a hook (panes, layouts), or comes with output (titles, deaths, directories).

use super::command::{Failure, Tmux};
use super::option::Options;
use super::snapshot::{refusal, NOWHERE};
use super::{hook, listing, option, publish};

/// What is seen at a glance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The server, its options, its hooks of ours, where our placeholder stands, and whether a refresh is owed.
    server: String,
    /// A line for each session: its own facts, then those of its windows, each after a tab.
    sessions: String,
    /// Names, and when windows were parked, only to tell that one has changed.
    names: String,
}

/// Facts of a session.
const SESSION: &str = "#{session_id} #{session_attached} #{session_activity}";
/// Facts of a window; what follows the first blank is when it moved.
const WINDOW: &str = "#{window_id}.#{window_index}.#{window_active} #{window_activity}";

/// Takes an outline, and notes that a driver lives until the epoch second `driver_until`.
///
/// # Errors
/// See [`Failure`].
pub fn take(tmux: &Tmux, driver_until: u64) -> Result<Outline, Failure> {
    let nonce = listing::nonce();
    let mut args = ["display-message", "-p", "-t", NOWHERE, &format(&nonce), ";"]
        .map(str::to_owned)
        .to_vec();
    args.extend(hook::driver_lives(driver_until));
    let answer = tmux.call(&args)?;
    let text = String::from_utf8_lossy(&answer.stdout);
    let mut parts = text.splitn(3, &nonce).map(str::to_owned);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(server), Some(sessions), Some(names)) if answer.success => Ok(Outline {
            server,
            sessions,
            names,
        }),
        _ => Err(refusal(&answer, "tmux gave no outline")),
    }
}

fn format(nonce: &str) -> String {
    let ours = [option::OWED, option::RESOLVED_BIN]
        .map(|name| format!(" #{{{name}}}"))
        .concat();
    let options = Options::format(" ") + &ours;
    let windows = format!("#{{W:\t{WINDOW} #{{{}}}}}", option::REPORTED_AT);
    format!(
        "#{{pid}} #{{start_time}} {options} {}{}{nonce}#{{S:{SESSION}{windows}\n}}{nonce}#{{S:#{{session_name}} #{{W:#{{window_name}} #{{{}}} }}}}",
        hook::missing_format(),
        publish::unreplaced_format(),
        option::PARKED
    )
}

impl Outline {
    /// Whether any window in it moved, or had a report, in or after that epoch second.
    pub fn moved_since(&self, second: u64) -> bool {
        let windows = self.sessions.lines().flat_map(|line| line.split('\t').skip(1));
        windows
            .flat_map(|window| window.split(' ').skip(1))
            .filter_map(|time| time.parse::<u64>().ok())
            .any(|time| time >= second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_times_of_windows_count_as_movement() {
        let outline = Outline {
            server: "1 2000".into(),
            sessions: "$0 1 2000\t@1.2000.1 1000 \t@2.1.0 900 1500\n$1 0 2000\t@3000.0.1 10 \n".into(),
            names: "a 2000 ".into(),
        };
        assert!(outline.moved_since(1000) && outline.moved_since(1500));
        assert!(!outline.moved_since(1501));
    }
}
