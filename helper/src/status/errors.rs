//! The last errors of runs that nobody saw: hooks are silent, so `doctor` shows what went wrong in them.

use super::lock::Lock;
use super::paths::Paths;
use super::{read, write};
use crate::text;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// How many are kept when the log is cut.
const KEPT: usize = 20;

/// Bytes from which on the log is cut.
const LONGEST: u64 = 16 * 1024;

/// Adds an error to the log, with its time in epoch seconds.
///
/// A log that cannot be written is not worth another error.
pub fn note(paths: &Paths, now: u64, error: &str) {
    let line = format!("{now} {}\n", text::one_line(error, 300));
    let log = OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(&paths.errors);
    let Ok(mut log) = log else { return };
    // One write of a short line: hooks that fail together do not mix theirs.
    let written = log.write_all(line.as_bytes()).and_then(|()| log.metadata());
    if written.is_ok_and(|log| log.len() > LONGEST) {
        cut(paths);
    }
}

/// How an error of a notification begins.
pub const NOTIFY: &str = "notify: ";

/// Adds an error unless it is among the last ones: what fails each time is told once.
pub fn note_new(paths: &Paths, now: u64, error: &str) {
    let line = text::one_line(error, 300);
    let known = last(&paths.errors);
    let same = |told: &String| told.split_once(' ').is_some_and(|(_, told)| told == line);
    if !known.iter().rev().take(KEPT).any(same) {
        note(paths, now, error);
    }
}

/// Keeps the last errors. Another writer is not waited for: the next error cuts as well.
fn cut(paths: &Paths) {
    if let Ok(Some(_lock)) = Lock::try_take(&paths.write_lock) {
        let mut lines = last(&paths.errors);
        let kept = lines.split_off(lines.len().saturating_sub(KEPT));
        let _ = write::replace(&paths.errors, (kept.join("\n") + "\n").as_bytes());
    }
}

/// The lines kept, oldest first: epoch seconds, a blank, the error.
pub fn last(path: &Path) -> Vec<String> {
    let text = read::bytes(path).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_stays_short_and_each_error_on_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::within(folder.path().to_owned(), None);
        assert!(last(&paths.errors).is_empty());
        for n in 0..500 {
            note(&paths, n, &format!("{}\na\x1b[0m", "x".repeat(100)));
        }
        let lines = last(&paths.errors);
        assert!(lines.len() >= KEPT && lines.len() < 200, "{}", lines.len());
        assert!(lines.last().unwrap().starts_with("499 x") && lines.last().unwrap().ends_with("x a [0m"));
    }
}
