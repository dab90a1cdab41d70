//! Which tmux is new enough.

use super::command::{Failure, Tmux};

/// The oldest tmux that can answer a look: 3.2 brought `run-shell -C`, hidden environment variables and arithmetic in
/// formats.
pub const OLDEST: (u32, u32) = (3, 2);

/// The refusal of a server whose version is too old, when it is.
pub fn refusal(version: &str) -> Option<Failure> {
    let (major, minor) = OLDEST;
    is_too_old(version)
        .then(|| Failure::TooOld(format!("tmux {version} is too old: it takes {major}.{minor} or newer")))
}

/// Whether the server has said that it is new enough. One that says nothing of it has not.
///
/// # Errors
/// [`Failure::TooOld`], or that it does not answer.
pub fn is_new_enough(tmux: &Tmux) -> Result<bool, Failure> {
    let answer = match tmux.call(&["display-message", "-p", "#{version}"]) {
        Ok(answer) => answer,
        Err(Failure::NoServer) => return Ok(false),
        Err(failure) => return Err(failure),
    };
    let version = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    refusal(&version).map_or(Ok(answer.success && !version.is_empty()), Err)
}

/// The same, for a server that has just refused a command: one that is too old parses the whole of a command before it
/// runs any of it, so that it has not even told its version.
pub fn refusal_of(tmux: &Tmux) -> Option<Failure> {
    let answer = tmux.call(&["display-message", "-p", "#{version}"]).ok()?;
    refusal(String::from_utf8_lossy(&answer.stdout).trim())
}

/// The version of the tmux program, whatever server runs: `3.3a`. None where it cannot be run.
pub fn of_program(tmux: &Tmux) -> Option<String> {
    let answer = tmux.call(&["-V"]).ok()?;
    let text = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    let version = text.strip_prefix("tmux ").unwrap_or(&text);
    (answer.success && !version.is_empty()).then(|| version.to_owned())
}

/// Whether `version` (as `#{version}` gives it) is certainly older than [`OLDEST`].
///
/// Only plain releases count (`2.9a`, `3.1c`, `3.10`): `next-3.8`, `master` and `openbsd-7.4` are development builds,
/// taken as new.
pub fn is_too_old(version: &str) -> bool {
    is_before(version, OLDEST)
}

/// The same for another version than [`OLDEST`].
pub fn is_before(version: &str, first: (u32, u32)) -> bool {
    release(version).is_some_and(|v| v < first)
}

fn release(version: &str) -> Option<(u32, u32)> {
    let (major, rest) = version.trim().split_once('.')?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((major.parse().ok()?, digits.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_ordered_by_number_and_builds_are_new() {
        for old in ["1.8", "2.9a", "3.0a", "3.1c"] {
            assert!(is_too_old(old), "{old}");
        }
        for new in [
            "3.2",
            "3.2a",
            "3.3a",
            "3.10",
            "4.0",
            "next-3.8",
            "master",
            "openbsd-7.4",
            "",
        ] {
            assert!(!is_too_old(new), "{new}");
        }
    }
}
