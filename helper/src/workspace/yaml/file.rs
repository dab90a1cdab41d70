//! The bytes of a file that a user names: never waits, never reads without end, never mixes two states of it.

use super::SIZE_LIMIT;
use crate::workspace::refusal::{Code, Refusal};
use rustix::fs::{Mode, OFlags};
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// How often a file that changes while it is read is read again.
const TRIES: u32 = 3;

/// All of it, at most [`SIZE_LIMIT`] bytes.
pub fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    for _ in 0..TRIES {
        if let Some(bytes) = attempt(path)? {
            return Ok(bytes);
        }
    }
    Err(failed(path, "it changes while it is read; try again"))
}

/// None: it was changed in this moment.
fn attempt(path: &Path) -> Result<Option<Vec<u8>>, Refusal> {
    // Asked first, since opening a device may do something to it.
    check(path, &std::fs::metadata(path).map_err(|error| unread(path, &error))?)?;
    let mut file = open(path).map_err(|error| unread(path, &error))?;
    let before = file.metadata().map_err(|error| unread(path, &error))?;
    check(path, &before)?;
    let mut bytes = Vec::new();
    let read = file.by_ref().take(SIZE_LIMIT + 1).read_to_end(&mut bytes);
    let after = read
        .and_then(|_| file.metadata())
        .map_err(|error| unread(path, &error))?;
    let state = |meta: &Metadata| (meta.size(), meta.mtime(), meta.mtime_nsec());
    let same = state(&before) == state(&after) && before.size() == bytes.len() as u64;
    Ok(same.then_some(bytes))
}

fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

fn check(path: &Path, meta: &Metadata) -> Result<(), Refusal> {
    if meta.is_dir() {
        let hint = "name a file in it, or write it as a path that ends in a slash to use its .tmuxp.yaml";
        return Err(failed(path, "it is a directory").with_hint(hint));
    }
    if !meta.is_file() {
        let hint = "write what it holds to a file first, and name that";
        return Err(failed(path, "it is not a regular file").with_hint(hint));
    }
    if meta.len() > SIZE_LIMIT {
        let what = format!("{}: it is larger than {SIZE_LIMIT} bytes", path.display());
        return Err(Refusal::new(Code::InvalidWorkspace, what));
    }
    Ok(())
}

fn unread(path: &Path, error: &io::Error) -> Refusal {
    if error.kind() == ErrorKind::NotFound {
        let what = format!("{}: there is no such file", path.display());
        return Refusal::new(Code::WorkspaceNotFound, what);
    }
    failed(path, &error.to_string())
}

fn failed(path: &Path, why: &str) -> Refusal {
    Refusal::new(Code::FileFailed, format!("cannot read {}: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn a_file_that_is_replaced_meanwhile_is_read_as_one_or_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let (path, next) = (folder.path().join("w.yaml"), folder.path().join("next"));
        let states = ["a".repeat(100_000), "b".repeat(200_000)];
        fs::write(&path, &states[0]).unwrap();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for state in states.iter().cycle().take_while(|_| !done.load(Ordering::Relaxed)) {
                    fs::write(&next, state).unwrap();
                    fs::rename(&next, &path).unwrap();
                }
            });
            let is_one = |bytes: Vec<u8>| states.iter().any(|state| state.as_bytes() == bytes);
            let whole = (0..200).all(|_| read(&path).is_ok_and(is_one));
            done.store(true, Ordering::Relaxed);
            assert!(whole);
        });
    }

    #[test]
    fn the_largest_file_is_read_and_a_larger_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.yaml");
        fs::write(&path, vec![b'#'; 1 << 20]).unwrap();
        assert_eq!(read(&path).unwrap().len(), 1 << 20);
        fs::write(&path, vec![b'#'; (1 << 20) + 1]).unwrap();
        assert_eq!(read(&path).unwrap_err().code, Code::InvalidWorkspace);
        assert_eq!(
            read(&folder.path().join("none")).unwrap_err().code,
            Code::WorkspaceNotFound
        );
        assert_eq!(read(folder.path()).unwrap_err().code, Code::FileFailed);
    }
}
