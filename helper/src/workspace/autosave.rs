//! Saving all sessions of a server now and then, by itself: for after a reboot.
//!
//! A save is a folder of its own, named after its time, and is there whole or not at all. Nothing is written when nothing has
//! changed, when there are no sessions, or when the server is about to end.

use super::freeze::{self, Source};
use super::refusal::{Code, Refusal};
use super::server_save::{self, Index, INDEX};
use crate::model::{SessionId, WindowId};
use crate::status::lock::Lock;
use crate::status::paths::{self, Paths};
use crate::tmux::command::Tmux;
use crate::tmux::drive::inventory::{Inventory, Session};
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

/// How long sessions and windows must be the same for a save of them to be kept.
const STEADY: Duration = Duration::from_millis(1500);

/// The link to the newest save.
const LATEST: &str = "latest";

/// The file whose time is that of the last save that was done, whether there was anything new or not.
const DONE: &str = "done";

/// What the folder of a save begins with while it is made.
const UNFINISHED: &str = ".new-";

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

/// How long a save may take until it counts as failed. Then it is due again.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// When to save: told of what there is with each look, it says when a save is due.
#[derive(Debug, Default)]
pub struct Clock {
    /// What there was at the last look, and since when.
    seen: Option<(u64, Instant)>,
    /// What there was at the last save, when that was, and what [`done`] said before it.
    saved: Option<(u64, Instant, Option<SystemTime>)>,
}

impl Clock {
    /// Whether a save is due, `seen` being a number for what there is, and `done` what [`done`] says. It counts as made then, and
    /// as failed if it is not done by and by.
    pub fn is_due(&mut self, seen: u64, now: Instant, done: Option<SystemTime>) -> bool {
        let since = match self.seen {
            Some((known, since)) if known == seen => since,
            _ => now,
        };
        self.seen = Some((seen, since));
        let settled = now.duration_since(since) >= SETTLED;
        let old = self.saved.is_none_or(|(known, at, before)| {
            let passed = now.duration_since(at);
            known != seen || passed >= INTERVAL || passed >= PATIENCE && before == done
        });
        let due = settled && old;
        if due {
            self.saved = Some((seen, now, done));
        }
        due
    }
}

/// When a save within `folder` was last done, also one that has found nothing new.
pub fn done(folder: &Path) -> Option<SystemTime> {
    fs::metadata(folder.join(DONE)).ok()?.modified().ok()
}

/// Saves the server's sessions in a new folder within `folder`; its path, or `None` when nothing has changed since the
/// newest one, the server is losing its sessions, or another process does the same just now.
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
    remove_unfinished(folder);
    let source = Source::read(tmux)?;
    let (files, _) = server_save::files(&source)?;
    let new = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempdir_in(folder)
        .map_err(|error| failed(&error))?;
    server_save::write(&files, new.path(), false)?;
    let place = if newest(folder).is_some_and(|last| same(&last, new.path())) {
        None
    } else if stays(tmux, &source.inventory)? {
        Some(keep(new, folder).map_err(|error| failed(&error))?)
    } else {
        return Ok(None);
    };
    fs::write(folder.join(DONE), "").map_err(|error| failed(&error))?;
    Ok(place)
}

/// Whether the server still has the same sessions and windows a little later. The driver has looked some time ago, and this may
/// be the middle of its end.
fn stays(tmux: &Tmux, before: &Inventory) -> Result<bool, Refusal> {
    std::thread::sleep(STEADY);
    let after = freeze::look(tmux)?;
    let what_there_is = |inventory: &Inventory| -> Vec<(SessionId, Vec<(WindowId, u32)>)> {
        let places = |session: &Session| session.places.iter().map(|place| (place.window, place.index)).collect();
        let sessions = inventory.sessions.iter();
        sessions.map(|session| (session.id, places(session))).collect()
    };
    let same_server = server_save::mark(before) == server_save::mark(&after);
    Ok(same_server && what_there_is(before) == what_there_is(&after))
}

/// Removes what saves have left that were killed; who holds the lock is the only one that saves.
fn remove_unfinished(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Gives a save its name, has `latest` lead to it, and removes those that are too many.
fn keep(new: tempfile::TempDir, folder: &Path) -> io::Result<PathBuf> {
    let mut name = stamp(now());
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
    remove_old(folder, now());
    Ok(place)
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

/// All saves in a folder, the oldest first. One from the future was made while the clock was wrong: it is older than all that
/// were made since.
fn saves(folder: &Path, now: u64) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_save = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        is_stamp(name) && path.join(INDEX).is_file()
    };
    let mut saves: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_save).collect();
    let now = stamp(now);
    saves.sort_by_cached_key(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        (name.trim_end_matches('+') <= now.as_str(), name.to_owned())
    });
    saves
}

/// The newest save in a folder.
pub fn newest(folder: &Path) -> Option<PathBuf> {
    newest_first(folder).next()
}

/// All saves, the newest first: that is what the link says, whatever the clock was.
fn newest_first(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let linked = fs::read_link(folder.join(LATEST)).ok().map(|name| folder.join(name));
    let linked = linked.filter(|path| path.join(INDEX).is_file());
    let mut others = saves(folder, now());
    others.retain(|path| Some(path) != linked.as_ref());
    linked.into_iter().chain(others.into_iter().rev())
}

/// The newest save of a server that has ended: not of the one with the mark `running` ([`server_save::mark`]). `passed_over`
/// gets why newer ones cannot be read.
pub fn newest_before(folder: &Path, running: Option<&str>, passed_over: &mut Vec<Refusal>) -> Option<(PathBuf, Index)> {
    newest_first(folder).find_map(|save| match server_save::read(&save) {
        Ok(index) => index
            .filter(|index| running.is_none_or(|running| running != index.server))
            .map(|index| (save, index)),
        Err(refusal) => {
            passed_over.push(refusal);
            None
        }
    })
}

/// Removes saves beyond [`KEPT`], the oldest first; the last one of another server than the newest's stays.
fn remove_old(folder: &Path, now: u64) {
    let all = saves(folder, now);
    let started = |save: &PathBuf| server_save::read(save).ok().flatten().map(|index| index.server);
    let newest = newest(folder);
    let running = newest.as_ref().and_then(started);
    // One that cannot be read is nobody's.
    let is_before = |save: &&PathBuf| started(save).is_some_and(|server| Some(server) != running);
    let before = all.iter().rev().find(is_before).cloned();
    let many = all.len().saturating_sub(KEPT);
    let stays = |save: &PathBuf| Some(save) == before.as_ref() || Some(save) == newest.as_ref();
    for old in all.into_iter().take(many).filter(|save| !stays(save)) {
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
        let done = |number| Some(SystemTime::UNIX_EPOCH + Duration::from_secs(number));
        let mut due = |seen, seconds, saves| clock.is_due(seen, start + Duration::from_secs(seconds), done(saves));
        assert!(!due(1, 0, 0) && !due(1, 29, 0));
        assert!(due(1, 30, 0), "the first");
        assert!(!due(1, 31, 0) && !due(1, 900, 1));
        assert!(due(1, 931, 1), "time has passed");
        assert!(!due(2, 932, 2) && !due(3, 960, 2), "it changes on");
        assert!(due(3, 990, 2) && !due(3, 991, 2));
        assert!(due(3, 1050, 2), "the last one has failed");
        assert!(!due(3, 1051, 2) && !due(3, 1110, 3));
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

    /// A save within `folder`, of the server with that mark.
    fn put(folder: &Path, name: &str, server: u64) {
        let place = folder.join(name);
        fs::create_dir(&place).unwrap();
        fs::write(place.join(INDEX), format!("sessions: []\nserver: {server}\n")).unwrap();
    }

    fn day(day: usize) -> String {
        format!("2026-10-{day:02}T00.00.00Z")
    }

    /// Behind all the days, whatever today's clock says.
    const LATER: u64 = 1_900_000_000;

    #[test]
    fn old_saves_go_but_the_last_of_the_server_before_stays() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for number in 1..=3 {
            put(folder, &day(number), 1);
        }
        for number in 4..=30 {
            put(folder, &day(number), 2);
        }
        fs::create_dir(folder.join("mine")).unwrap();
        remove_old(folder, LATER);
        let left = saves(folder, LATER);
        assert_eq!(left.len(), KEPT + 1);
        assert!(left[0].ends_with(day(3)) && folder.join("mine").exists());
        let mut bad = Vec::new();
        let (place, index) = newest_before(folder, Some("2"), &mut bad).unwrap();
        assert!(place.ends_with(day(3)) && index.server == "1");
        let (place, _) = newest_before(folder, Some("3"), &mut bad).unwrap();
        assert!(place.ends_with(day(30)) && bad.is_empty());
        assert_eq!(newest(folder), saves(folder, LATER).pop());
    }

    #[test]
    fn one_that_cannot_be_read_is_passed_over_and_told() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        put(folder, &day(1), 1);
        put(folder, &day(2), 1);
        fs::write(folder.join(day(2)).join(INDEX), "{").unwrap();
        let mut bad = Vec::new();
        let (place, _) = newest_before(folder, Some("9"), &mut bad).unwrap();
        assert!(place.ends_with(day(1)) && bad.len() == 1);
        assert!(bad[0].message.contains(&day(2)), "{bad:?}");
    }

    #[test]
    fn saves_from_the_future_are_the_oldest_but_for_the_one_that_the_link_names() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for number in 1..=KEPT + 2 {
            put(folder, &day(number), 2);
        }
        for name in ["2099-01-01T00.00.00Z", "2099-01-02T00.00.00Z"] {
            put(folder, name, 1);
        }
        std::os::unix::fs::symlink(day(3), folder.join(LATEST)).unwrap();
        let newest = |running| newest_before(folder, running, &mut Vec::new()).unwrap().0;
        assert!(newest(None).ends_with(day(3)), "what the link names");
        assert!(newest(Some("2")).ends_with("2099-01-02T00.00.00Z"));
        remove_old(folder, LATER);
        let left = saves(folder, LATER);
        assert!(
            left[0].ends_with("2099-01-02T00.00.00Z"),
            "the last of the server before: {left:?}"
        );
        assert!(left.last().unwrap().ends_with(day(KEPT + 2)));
        assert!(left.iter().any(|save| save.ends_with(day(3))));
        assert!(!folder.join("2099-01-01T00.00.00Z").exists() && !folder.join(day(1)).exists());
    }

    #[test]
    fn what_killed_saves_have_left_goes() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".new-abc")).unwrap();
        fs::write(folder.path().join(".new-abc/x"), "").unwrap();
        fs::create_dir(folder.path().join("mine")).unwrap();
        remove_unfinished(folder.path());
        assert!(!folder.path().join(".new-abc").exists() && folder.path().join("mine").exists());
    }
}
