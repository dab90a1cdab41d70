//! Reads the status file back.

use super::schema::StatusFile;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fs, io};

/// The bytes of a regular file, or of what a link leads to: anything else (a pipe) could be waited on for ever.
///
/// # Errors
/// When it is missing, is not a regular file, or cannot be read.
pub fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    fs::read(path)
}

/// What tells that a file was replaced or written since: inode, size in bytes, time of the last change in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp(u64, u64, i64, i64);

impl Stamp {
    /// Whether the file was last changed longer ago than `age`, by the clock of the file system's machine.
    pub fn is_older_than(self, age: Duration) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let changed = Duration::from_secs(u64::try_from(self.2).unwrap_or(0));
        now.checked_sub(changed).is_some_and(|past| past > age)
    }
}

/// The stamp of the file at `path`; `None` when there is none.
pub fn stamp(path: &Path) -> Option<Stamp> {
    let meta = fs::metadata(path).ok()?;
    Some(Stamp(meta.ino(), meta.len(), meta.mtime(), meta.mtime_nsec()))
}

/// The status file at `path`; `None` when it is missing or is not one.
pub fn status_file(path: &Path) -> Option<StatusFile> {
    serde_json::from_slice(&bytes(path).ok()?).ok()
}

/// What is on disk, when it is what we write: the time it was written, and the bytes with that time cut out. Comparing
/// those is much cheaper than reading the file back.
pub fn written(path: &Path) -> Option<(u64, Vec<u8>)> {
    split(&bytes(path).ok()?)
}

/// A status file's time, and its bytes without it.
pub fn split(bytes: &[u8]) -> Option<(u64, Vec<u8>)> {
    let start = bytes.iter().position(u8::is_ascii_digit)?;
    let (head, rest) = bytes.split_at_checked(start)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (time, tail) = rest.split_at_checked(digits)?;
    let time = std::str::from_utf8(time).ok()?.parse().ok()?;
    Some((time, [head, tail].concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_time_of_writing_is_cut_out() {
        let at = |generated_at| {
            StatusFile {
                generated_at,
                sessions: Vec::new(),
            }
            .to_bytes()
            .unwrap()
        };
        let ((old, a), (new, b)) = (split(&at(1_718_500_000)).unwrap(), split(&at(9)).unwrap());
        assert_eq!((old, new), (1_718_500_000, 9));
        assert_eq!(a, b);
        assert_eq!(split(b""), None);
        assert_eq!(split(b"not a status file"), None);
    }
}
