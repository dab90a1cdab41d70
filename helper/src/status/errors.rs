//! The last errors of runs that nobody saw: hooks are silent, so `doctor` shows what went wrong in them.

use super::write;
use crate::text;
use std::path::Path;

/// How many are kept.
const KEPT: usize = 20;

/// Adds an error to the log at `path`, with its time in epoch seconds; the oldest goes.
///
/// A log that cannot be written is not worth another error.
pub fn note(path: &Path, now: u64, error: &str) {
    let mut lines = last(path);
    lines.push(format!("{now} {}", text::one_line(error, 300)));
    let start = lines.len().saturating_sub(KEPT);
    let kept = lines.split_off(start).join("\n") + "\n";
    let _ = write::replace(path, kept.as_bytes());
}

/// The lines kept, oldest first: epoch seconds, a blank, the error.
pub fn last(path: &Path) -> Vec<String> {
    std::fs::read(path)
        .map(|b| String::from_utf8_lossy(&b).lines().map(str::to_owned).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_errors_are_kept_each_on_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("e.log");
        assert!(last(&path).is_empty());
        for n in 0..30 {
            note(&path, n, "a\nb\x1b[0m");
        }
        let lines = last(&path);
        assert_eq!(lines.len(), KEPT);
        assert_eq!(lines[0], "10 a b [0m");
    }
}
