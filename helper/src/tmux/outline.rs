//! A glance at a whole server that costs it a fraction of a look: which windows there are, where, and how long quiet.
//!
//! A driver that sees the same outline again, with no window in it that moved, has nothing to look at. What changes
//! without changing it fires a hook (panes, layouts), or comes with output (titles, deaths, directories).

use super::command::{Failure, Tmux};
use super::option::Options;
use super::snapshot::{refusal, NOWHERE};
use super::{hook, listing, option};

/// What is seen at a glance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The server, its options, and its hooks of ours.
    server: String,
    /// Whether a refresh is owed.
    owed: bool,
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
    let mut parts = text.splitn(4, &nonce).map(str::to_owned);
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(server), Some(owed), Some(sessions), Some(names)) if answer.success => Ok(Outline {
            server,
            owed: !matches!(owed.as_str(), "" | "0"),
            sessions,
            names,
        }),
        _ => Err(refusal(&answer, "tmux gave no outline")),
    }
}

fn format(nonce: &str) -> String {
    let options = Options::format(" ");
    let (bin, owed) = (option::RESOLVED_BIN, option::OWED);
    let windows = format!("#{{W:\t{WINDOW} #{{{}}}}}", option::REPORTED_AT);
    format!(
        "#{{pid}} #{{start_time}} {options} #{{{bin}}} {}{nonce}#{{{owed}}}{nonce}#{{S:{SESSION}{windows}\n}}{nonce}#{{S:#{{session_name}} #{{W:#{{window_name}} #{{{}}} }}}}",
        hook::missing_format(),
        option::PARKED
    )
}

impl Outline {
    /// Whether no window in it moved, or had a report, in or after that epoch second, and no refresh is owed.
    pub fn is_quiet_since(&self, second: u64) -> bool {
        let windows = self.sessions.lines().flat_map(|line| line.split('\t').skip(1));
        let mut times = windows
            .flat_map(|window| window.split(' ').skip(1))
            .filter_map(|time| time.parse::<u64>().ok());
        !self.owed && times.all(|time| time < second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_times_of_windows_count_as_movement() {
        let mut outline = Outline {
            server: "1 2000".into(),
            owed: false,
            sessions: "$0 1 2000\t@1.2000.1 1000 \t@2.1.0 900 1500\n$1 0 2000\t@3000.0.1 10 \n".into(),
            names: "a 2000 ".into(),
        };
        assert!(!outline.is_quiet_since(1000) && !outline.is_quiet_since(1500));
        assert!(outline.is_quiet_since(1501));
        outline.owed = true;
        assert!(!outline.is_quiet_since(1501), "a hook asked for a look");
    }
}
