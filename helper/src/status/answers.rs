//! What a model has said of screens, and what asking it has cost: a file of its own, which only the asking writes.
//!
//! An answer belongs to what a window showed, not to the window: it holds for as long as that stands there, and again
//! when it comes back.

use super::{read, write};
use crate::classify::settle::Fnv;
use crate::model::{Need, StatusKind};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::rc::Rc;

/// Counted up when the file's shape changes.
const VERSION: u32 = 1;
/// How many answers are kept: the newest.
const KEPT: usize = 1000;
/// Seconds of the budget.
pub const HOUR: u64 = 3600;

/// Rows at the bottom of a screen that make it another one.
const ROWS: usize = 20;

/// A hash of what the end of a screen says. A terminal that was resized shows the same in other rows, and tells nobody that
/// it does: blanks and where rows end do not count.
pub fn content(screen: &[String]) -> u64 {
    let said = screen.iter().rev().filter(|row| !row.trim().is_empty()).take(ROWS);
    let mut hash = Fnv::default();
    let bytes = said.flat_map(|row| row.bytes().rev());
    bytes
        .filter(|byte| !byte.is_ascii_whitespace())
        .for_each(|byte| hash.write_u8(byte));
    hash.finish()
}

/// What a model was asked, as a hash: what stands in the pane that speaks for a window, which program runs there, and what
/// the rules make of it.
pub fn key(content: u64, command: &str, kind: StatusKind, need: Option<Need>) -> u64 {
    let mut hash = Fnv::default();
    (content, command, kind.as_str(), need.map(Need::as_str)).hash(&mut hash);
    hash.finish()
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Epoch seconds.
    pub at: u64,
    /// One line that fits into a summary; `None` where the model had none: it is not asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// What it takes the window to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<StatusKind>,
}

/// A model that runs, with what tells it from another process that got its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// Its process, which leads a group of its own.
    pub pid: u32,
    /// See [`crate::process::started`].
    pub started: Option<u64>,
}

/// What asking has cost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ledger {
    /// Calls ever made.
    pub calls: u64,
    /// Those without a usable answer.
    pub failures: u64,
    /// Bytes sent.
    pub sent: u64,
    /// Bytes of answers.
    pub received: u64,
    /// Windows asked about.
    pub windows: u64,
    /// Epoch seconds of the calls within the last hour.
    pub recent: Vec<u64>,
    /// Failures since the last success.
    pub failed_in_row: u32,
    /// Why the last call failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_failure: Option<String>,
    /// The model that is running now, or was left by an asker that was killed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running: Option<Running>,
}

/// The file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    version: u32,
    /// By [`key`].
    answers: BTreeMap<u64, Answer>,
    /// What it has cost.
    pub ledger: Ledger,
}

impl Answers {
    /// What is at `path`; nothing when it cannot be read.
    pub fn read(path: &Path) -> Self {
        read::bytes(path)
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok())
            .filter(|answers| answers.version == VERSION)
            .unwrap_or_default()
    }

    /// Writes it; the caller holds the asker's lock.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, path: &Path) -> Result<()> {
        self.version = VERSION;
        write::replace(path, &serde_json::to_vec(self)?)
    }

    /// What was answered, if it was asked.
    pub fn get(&self, key: u64) -> Option<&Answer> {
        self.answers.get(&key)
    }

    /// Keeps an answer, and of the old ones the newest.
    pub fn put(&mut self, key: u64, answer: Answer) {
        self.answers.insert(key, answer);
        if self.answers.len() > KEPT {
            let oldest = self
                .answers
                .iter()
                .min_by_key(|(_, answer)| answer.at)
                .map(|(key, _)| *key);
            oldest.and_then(|key| self.answers.remove(&key));
        }
    }
}

/// The file, read again only when it has changed.
#[derive(Debug, Default)]
pub struct Cached {
    stamp: Option<read::Stamp>,
    answers: Rc<Answers>,
}

impl Cached {
    /// What is at `path` now.
    pub fn read(&mut self, path: &Path) -> Rc<Answers> {
        let stamp = read::stamp(path);
        if stamp != self.stamp {
            self.answers = Rc::new(Answers::read(path));
            self.stamp = stamp;
        }
        Rc::clone(&self.answers)
    }
}

impl Ledger {
    /// Notes a call that begins at the epoch second `now`.
    pub fn begin(&mut self, now: u64, windows: usize, bytes: usize) {
        self.calls += 1;
        self.windows += windows as u64;
        self.sent += bytes as u64;
        self.recent.retain(|at| *at <= now && now - at < HOUR);
        self.recent.push(now);
    }

    /// Notes how the call ended: the bytes of a usable answer, or why there is none.
    pub fn end(&mut self, outcome: Result<usize, String>) {
        self.running = None;
        match outcome {
            Ok(bytes) => {
                self.received += bytes as u64;
                self.failed_in_row = 0;
                self.last_failure = None;
            }
            Err(why) => {
                self.failures += 1;
                self.failed_in_row = self.failed_in_row.saturating_add(1);
                self.last_failure = Some(why);
            }
        }
    }

    /// Calls in the hour before the epoch second `now`.
    pub fn within_hour(&self, now: u64) -> usize {
        self.recent.iter().filter(|at| **at <= now && now - **at < HOUR).count()
    }

    /// The epoch second from which on another call may be made: `interval` seconds after the last one, and twice as long for
    /// each failure in a row, up to an hour.
    pub fn next_at(&self, interval: u64) -> u64 {
        let last = self.recent.last().copied().unwrap_or(0);
        let times = 1_u64.checked_shl(self.failed_in_row.min(16)).unwrap_or(u64::MAX);
        last.saturating_add(interval.max(1).saturating_mul(times).min(HOUR.max(interval)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(at: u64) -> Answer {
        Answer {
            at,
            summary: Some("x".into()),
            kind: Some(StatusKind::Running),
        }
    }

    #[test]
    fn the_newest_answers_are_kept_and_come_back_from_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        let mut answers = Answers::read(&path);
        assert_eq!(answers, Answers::default());
        for at in 0..KEPT as u64 + 10 {
            answers.put(key(at, "make", StatusKind::Active, None), answer(at));
        }
        assert_eq!(answers.answers.len(), KEPT);
        assert_eq!(answers.get(key(9, "make", StatusKind::Active, None)), None);
        answers.ledger.begin(7, 2, 100);
        answers.write(&path).unwrap();
        assert_eq!(Answers::read(&path), answers);
        std::fs::write(&path, "{").unwrap();
        assert_eq!(Answers::read(&path), Answers::default());
    }

    #[test]
    fn a_screen_that_says_the_same_in_other_rows_is_the_same() {
        let screen = |rows: &[&str]| content(&rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>());
        let short = screen(&["$ make all", "done", "$"]);
        assert_eq!(screen(&["", "$ make all", "", "done", "$ ", "", ""]), short);
        assert_eq!(screen(&["$ make a", "ll", "done", "$"]), short);
        assert_ne!(screen(&["$ make all", "gone", "$"]), short);
        assert_eq!(screen(&[]), screen(&[" "]));
        let long = ["x"; 20];
        let longer = [["y"].as_slice(), &long].concat();
        assert_eq!(screen(&long), screen(&longer));
    }

    #[test]
    fn what_another_program_or_verdict_shows_is_another_question() {
        let keys = [
            key(1, "make", StatusKind::Active, None),
            key(2, "make", StatusKind::Active, None),
            key(1, "cargo", StatusKind::Active, None),
            key(1, "make", StatusKind::Idle, None),
            key(1, "make", StatusKind::Active, Some(Need::Done)),
        ];
        let distinct: std::collections::BTreeSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }

    #[test]
    fn calls_are_spaced_and_failures_space_them_further() {
        let mut ledger = Ledger::default();
        assert_eq!(ledger.next_at(30), 30);
        ledger.begin(1000, 1, 10);
        assert_eq!(ledger.next_at(30), 1030);
        ledger.end(Err("no".into()));
        assert_eq!(ledger.next_at(30), 1060);
        for _ in 0..100 {
            ledger.end(Err("no".into()));
        }
        assert_eq!(ledger.next_at(30), 1000 + HOUR);
        ledger.end(Ok(5));
        assert_eq!((ledger.next_at(30), ledger.failures, ledger.received), (1030, 101, 5));
        assert_eq!(
            (ledger.within_hour(1000 + HOUR - 1), ledger.within_hour(1000 + HOUR)),
            (1, 0)
        );
        ledger.begin(1000 + HOUR, 1, 10);
        assert_eq!(ledger.recent, [1000 + HOUR]);
    }
}
