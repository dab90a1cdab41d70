//! Advisory locks (flock) that end with the process that holds them, however it ends.

use anyhow::{bail, Context, Result};
use rustix::fs::{flock, FlockOperation};
use rustix::io::Errno;
use std::fs::{File, Metadata, OpenOptions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Lock {
    /// Takes the lock at `path` if it is free; `None` when another process holds it.
    ///
    /// # Errors
    /// When the file cannot be opened or locked.
    pub fn try_take(path: &Path) -> Result<Option<Self>> {
        Self::try_to(path, FlockOperation::NonBlockingLockExclusive)
    }

    fn try_to(path: &Path, operation: FlockOperation) -> Result<Option<Self>> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)
            .with_context(|| format!("cannot open the lock {}", path.display()))?;
        match flock(&file, operation) {
            Ok(()) => Ok(Some(Self { file })),
            Err(Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot lock {}", path.display())),
        }
    }

    /// Whether the file that is locked still is the one at `path`: others lock that one.
    pub fn is_at(&self, path: &Path) -> bool {
        let same = |a: Metadata, b: Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
        let (own, there) = (self.file.metadata(), std::fs::metadata(path));
        own.ok().zip(there.ok()).is_some_and(|(own, there)| same(own, there))
    }

    /// Takes the lock at `path`, waiting up to `patience` for its holder.
    ///
    /// # Errors
    /// As [`Lock::try_take`], and when the holder keeps it longer.
    pub fn take(path: &Path, patience: Duration) -> Result<Self> {
        Self::wait_to(path, FlockOperation::NonBlockingLockExclusive, patience)
    }

    /// The same for a lock that many may hold at once, unless one has taken it for itself.
    ///
    /// # Errors
    /// As [`Lock::take`].
    pub fn share(path: &Path, patience: Duration) -> Result<Self> {
        Self::wait_to(path, FlockOperation::NonBlockingLockShared, patience)
    }

    fn wait_to(path: &Path, operation: FlockOperation, patience: Duration) -> Result<Self> {
        let end = Instant::now() + patience;
        loop {
            if let Some(lock) = Self::try_to(path, operation)? {
                return Ok(lock);
            }
            if Instant::now() >= end {
                bail!(
                    "{} is held by another process for more than {} s",
                    path.display(),
                    patience.as_secs()
                );
            }
            // Not a blocking flock: a holder that was stopped (SIGSTOP) must not stop everyone else for ever.
            thread::sleep(Duration::from_millis(3));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time_and_free_again_when_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.lock");
        let held = Lock::try_take(&path).unwrap().unwrap();
        assert!(Lock::try_take(&path).unwrap().is_none());
        let error = Lock::take(&path, Duration::ZERO).unwrap_err().to_string();
        assert!(
            error.contains("x.lock") && error.contains("held by another process"),
            "{error}"
        );
        drop(held);
        let held = Lock::try_take(&path).unwrap().unwrap();
        assert!(held.is_at(&path));
        std::fs::remove_file(&path).unwrap();
        assert!(!held.is_at(&path));
        std::fs::write(&path, "").unwrap();
        assert!(!held.is_at(&path), "another file of that name");
    }

    #[test]
    fn a_lock_that_cannot_be_made_says_where() {
        let error = Lock::try_take(Path::new("/nonexistent/x.lock")).unwrap_err();
        assert!(format!("{error:#}").contains("/nonexistent/x.lock"));
    }
}
