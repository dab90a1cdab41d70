//! Saving all sessions of a server now and then, by itself: for after a reboot.
//!
//! A save is a folder of its own, named after its time, and is there whole or not at all. Nothing is written when nothing has
//! changed, when there are no sessions, or when the server is about to end.

use super::freeze::Source;
use super::refusal::{Code, Refusal};
use super::save::Destination;
use super::server_save::{self, Index, INDEX};
use super::yaml::Format;
use crate::status::lock::Lock;
use crate::status::paths::{self, Paths};
use crate::tmux::command::Tmux;
use crate::tmux::option;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// How often sessions are saved while their windows stay the same: directories and programs change without a sign.
pub const INTERVAL: Duration = Duration::from_secs(15 * 60);

/// How long sessions and windows must have stayed the same before they are saved after a change. A server that ends loses
/// them one by one, within a second.
pub const SETTLED: Duration = Duration::from_secs(30);

/// How many saves are kept.
pub const KEPT: usize = 20;

/// The link to the newest save.
const LATEST: &str = "latest";

/// The folder for the server of `paths` as the option says; `None` when nothing is to be saved.
pub fn folder(value: &str, paths: &Paths) -> Option<PathBuf> {
    match value {
        "" | option::OFF => None,
        "on" => Some(paths.sessions.clone()),
        // Each server has its own, by the name that its other files have.
        place if place.starts_with('/') => Some(Path::new(place).join(paths.sessions.file_name()?)),
        _ => None,
    }
}

/// When to save: told of what there is with each look, it says when a save is due.
#[derive(Debug, Default)]
pub struct Clock {
    /// What there was at the last look, and since when.
    seen: Option<(u64, Instant)>,
    /// What there was at the last save, and when that was.
    saved: Option<(u64, Instant)>,
}

impl Clock {
    /// Whether a save is due, `seen` being a number for what there is. It is taken for done then.
    pub fn is_due(&mut self, seen: u64, now: Instant) -> bool {
        let since = match self.seen {
            Some((known, since)) if known == seen => since,
            _ => now,
        };
        self.seen = Some((seen, since));
        let settled = now.duration_since(since) >= SETTLED;
        let old = self
            .saved
            .is_none_or(|(known, at)| known != seen || now.duration_since(at) >= INTERVAL);
        let due = settled && old;
        if due {
            self.saved = Some((seen, now));
        }
        due
    }
}

/// Saves the server's sessions in a new folder within `folder`; its path, or `None` when nothing has changed since the
/// newest one, or another process does the same just now.
///
/// # Errors
/// When the server cannot be asked, has no sessions, or the files cannot be written: then there is no new save, and the old
/// ones stay.
pub fn save(tmux: &Tmux, folder: &Path) -> Result<Option<PathBuf>, Refusal> {
    let failed = |error: &dyn std::fmt::Display| {
        Refusal::new(
            Code::FileFailed,
            format!("cannot save the sessions in {}: {error:#}", folder.display()),
        )
    };
    paths::make_folder(folder).map_err(|error| failed(&format!("{error:#}")))?;
    let lock = Lock::try_take(&folder.join("lock")).map_err(|error| failed(&format!("{error:#}")))?;
    let Some(_lock) = lock else { return Ok(None) };
    let source = Source::read(tmux)?;
    let (files, _) = server_save::files(&source)?;
    let new = tempfile::Builder::new()
        .prefix(".new-")
        .tempdir_in(folder)
        .map_err(|error| failed(&error))?;
    for (name, comments, document) in &files {
        let to = Destination {
            path: new.path().join(name),
            format: Format::Yaml,
            force: false,
        };
        to.write_below(comments, document)?;
    }
    if newest(folder).is_some_and(|last| same(&last, new.path())) {
        return Ok(None);
    }
    keep(new, folder).map(Some).map_err(|error| failed(&error))
}

/// Gives a save its name, has `latest` lead to it, and removes those that are too many.
fn keep(new: tempfile::TempDir, folder: &Path) -> io::Result<PathBuf> {
    let seconds = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    let mut name = stamp(seconds);
    while folder.join(&name).exists() {
        // A clock that was set back, or two saves in a second.
        name.push('+');
    }
    let place = folder.join(&name);
    fs::rename(new.path(), &place)?;
    // It is not temporary any more.
    let _ = new.keep();
    let link = folder.join(".latest");
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink(&name, &link)?;
    fs::rename(&link, folder.join(LATEST))?;
    remove_old(folder);
    Ok(place)
}

/// All saves in a folder, the oldest first.
fn saves(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_save = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        is_stamp(name) && path.join(INDEX).is_file()
    };
    let mut saves: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_save).collect();
    saves.sort();
    saves
}

/// The newest save in a folder.
pub fn newest(folder: &Path) -> Option<PathBuf> {
    let linked = fs::read_link(folder.join(LATEST)).ok().map(|name| folder.join(name));
    linked
        .filter(|path| path.join(INDEX).is_file())
        .or_else(|| saves(folder).pop())
}

/// The newest save of a server that has ended: not of the one with the mark `running` ([`server_save::mark`]).
///
/// # Errors
/// When an index cannot be read.
pub fn newest_before(folder: &Path, running: Option<&str>) -> Result<Option<(PathBuf, Index)>, Refusal> {
    for save in saves(folder).into_iter().rev() {
        let Some(index) = server_save::read(&save)? else {
            continue;
        };
        if running.is_none_or(|running| running != index.server) {
            return Ok(Some((save, index)));
        }
    }
    Ok(None)
}

/// Removes saves beyond [`KEPT`], the oldest first; the last one of another server than the newest's stays.
fn remove_old(folder: &Path) {
    let all = saves(folder);
    let started = |save: &PathBuf| server_save::read(save).ok().flatten().map(|index| index.server);
    let running = all.last().and_then(started);
    let before = all.iter().rev().find(|save| started(save) != running).cloned();
    let many = all.len().saturating_sub(KEPT);
    for old in all.into_iter().take(many).filter(|save| Some(save) != before.as_ref()) {
        // What cannot be removed now can be later.
        let _ = fs::remove_dir_all(old);
    }
}

/// Whether two saves hold the same files.
fn same(one: &Path, other: &Path) -> bool {
    let files = |folder: &Path| -> Option<Vec<(std::ffi::OsString, Vec<u8>)>> {
        let entries = fs::read_dir(folder).ok()?.flatten();
        let read = |entry: fs::DirEntry| Some((entry.file_name(), fs::read(entry.path()).ok()?));
        let mut files: Vec<_> = entries.map(read).collect::<Option<_>>()?;
        files.sort();
        Some(files)
    };
    files(one).is_some_and(|files_of_one| files(other) == Some(files_of_one))
}

/// A time as a folder's name, in UTC, so that names sort as times do: `2026-12-01T12.48.54Z`.
fn stamp(seconds: u64) -> String {
    let (days, second) = (seconds / 86400, seconds % 86400);
    // Howard Hinnant's civil_from_days, from 1970 on.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let (hours, minutes) = (second / 3600, second / 60 % 60);
    let year = year + era * 400 + next;
    format!(
        "{year:04}-{month:02}-{date:02}T{hours:02}.{minutes:02}.{:02}Z",
        second % 60
    )
}

/// Whether a name is one that [`stamp`] gives, or was made another by a `+`.
fn is_stamp(name: &str) -> bool {
    let shape = |c: char| if c.is_ascii_digit() { '0' } else { c };
    name.trim_end_matches('+')
        .chars()
        .map(shape)
        .eq("0000-00-00T00.00.00Z".chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_names_that_sort() {
        for (seconds, name) in [
            (0, "1970-01-01T00.00.00Z"),
            (951_782_399, "2000-02-28T23.59.59Z"),
            (951_868_800, "2000-03-01T00.00.00Z"),
            (1_796_129_334, "2026-12-01T12.48.54Z"),
            (4_107_542_399, "2100-02-28T23.59.59Z"),
        ] {
            assert_eq!(stamp(seconds), name);
            assert!(is_stamp(name));
        }
        assert!(is_stamp("2026-12-01T12.48.54Z+") && !is_stamp("latest") && !is_stamp("2026-12-01"));
    }

    #[test]
    fn a_save_is_due_after_a_change_that_lasts_and_now_and_then() {
        let (mut clock, start) = (Clock::default(), Instant::now());
        let mut due = |seen, seconds| clock.is_due(seen, start + Duration::from_secs(seconds));
        assert!(!due(1, 0) && !due(1, 29));
        assert!(due(1, 30), "the first");
        assert!(!due(1, 31) && !due(1, 900));
        assert!(due(1, 931), "time has passed");
        assert!(!due(2, 932) && !due(3, 960), "it changes on");
        assert!(due(3, 990) && !due(3, 991));
    }

    #[test]
    fn the_option_says_where() {
        let paths = Paths::of(&crate::tmux::server::Socket::resolve(
            Some(Path::new("/nowhere/x")),
            None,
        ));
        let Ok(paths) = paths else { return };
        assert_eq!(folder("off", &paths), None);
        assert_eq!(folder("", &paths), None);
        assert_eq!(folder("backup", &paths), None);
        assert_eq!(folder("on", &paths), Some(paths.sessions.clone()));
        let own = folder("/backup", &paths).unwrap();
        assert!(own.starts_with("/backup") && own.ends_with(paths.sessions.file_name().unwrap()));
    }

    #[test]
    fn old_saves_go_but_the_last_of_the_server_before_stays() {
        let folder = tempfile::tempdir().unwrap();
        let save = |day: usize, started: u64| {
            let place = folder.path().join(format!("2026-12-{day:02}T00.00.00Z"));
            fs::create_dir(&place).unwrap();
            fs::write(place.join(INDEX), format!("sessions: []\nserver: {started}\n")).unwrap();
        };
        for day in 1..=3 {
            save(day, 1);
        }
        for day in 4..=30 {
            save(day, 2);
        }
        fs::create_dir(folder.path().join("mine")).unwrap();
        remove_old(folder.path());
        let left = saves(folder.path());
        assert_eq!(left.len(), KEPT + 1);
        assert!(left[0].ends_with("2026-12-03T00.00.00Z") && folder.path().join("mine").exists());
        let (place, index) = newest_before(folder.path(), Some("2")).unwrap().unwrap();
        assert!(place.ends_with("2026-12-03T00.00.00Z") && index.server == "1");
        let (place, _) = newest_before(folder.path(), Some("3")).unwrap().unwrap();
        assert!(place.ends_with("2026-12-30T00.00.00Z"));
        assert_eq!(newest(folder.path()), saves(folder.path()).pop());
    }
}
