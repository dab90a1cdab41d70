//! Who holds a lock, without touching it: one who tried to take it would be in the way of a program that starts just then.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Whether the system tells who holds a lock.
pub const TELLS: bool = true;

/// The process that holds the flock on the file at `path`, as `/proc/locks` tells; `None` when nobody does.
pub fn holder(path: &Path) -> Option<u32> {
    let meta = fs::metadata(path).ok()?;
    let device = (rustix::fs::major(meta.dev()), rustix::fs::minor(meta.dev()));
    let table = fs::read_to_string("/proc/locks").ok()?;
    let locks = table.lines().filter_map(parse).filter(|lock| lock.inode == meta.ino());
    // Some file systems (btrfs, overlays) name another device here than in a file's own data.
    let mut ours = locks.filter(|lock| lock.device == device || has_open(lock.pid, path));
    ours.next().map(|lock| lock.pid)
}

#[derive(Debug, PartialEq, Eq)]
struct Held {
    pid: u32,
    device: (u32, u32),
    inode: u64,
}

/// `3: FLOCK  ADVISORY  WRITE 4711 08:01:131 0 EOF`. A line of one who waits has `->` after its number.
fn parse(line: &str) -> Option<Held> {
    let mut words = line.split_whitespace().skip(1);
    (words.next()? == "FLOCK").then_some(())?;
    let pid = words.nth(2)?.parse().ok()?;
    let mut file = words.next()?.split(':');
    let mut number = || u32::from_str_radix(file.next()?, 16).ok();
    let device = (number()?, number()?);
    let inode = file.next()?.parse().ok()?;
    Some(Held { pid, device, inode })
}

fn has_open(pid: u32, path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let open = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    open.filter_map(|file| fs::read_link(file.path()).ok())
        .any(|file| file == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_locks_that_are_held_count() {
        let held = Held {
            pid: 4711,
            device: (8, 0x1f),
            inode: 131,
        };
        assert_eq!(
            parse("3: FLOCK  ADVISORY  WRITE 4711 08:1f:131 0 EOF").as_ref(),
            Some(&held)
        );
        for other in [
            "3: -> FLOCK  ADVISORY  WRITE 4711 08:1f:131 0 EOF",
            "1: POSIX  ADVISORY  WRITE 4711 08:1f:131 0 EOF",
            "1: FLOCK  ADVISORY  WRITE -1 08:1f:131 0 EOF",
            "",
        ] {
            assert_eq!(parse(other), None, "{other}");
        }
    }

    #[test]
    fn the_holder_of_a_lock_is_found_and_of_a_free_one_none() {
        use rustix::fs::{flock, FlockOperation};
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(holder(file.path()), None);
        flock(&file, FlockOperation::NonBlockingLockExclusive).unwrap();
        assert_eq!(holder(file.path()), Some(std::process::id()));
    }
}
