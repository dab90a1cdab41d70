//! The only place that knows time: what was published before decides what may be published now.
//!
//! A look is judged without a clock; here its verdict meets the memory of the looks before. A working agent does not read
//! as waiting because one look caught it between two repaints, an error stands until the agent's next turn, and
//! `failed` and `done` are raised when something ends and cleared by a visit.

use super::memo::Memo;
use crate::model::{Change, Need, StatusKind, Verdict};
use serde::{Deserialize, Serialize};

/// How long a working agent's rest must last before it counts: just under the second between two looks of a driver.
pub const GRACE_MS: u64 = 900;
/// Looks closer together than this say nothing about movement: programs paint a few times a second.
pub const SHORTEST_MS: u64 = 700;
/// A window without output for this many seconds is still, whatever its screen looked like at an earlier look.
pub const STILL_S: u64 = 3;
/// How long a report holds against a screen that has not followed it yet.
pub const FRESH_MS: u64 = 1000;
/// How long a command must have run for its end to be worth telling.
pub const LONG_MS: u64 = 10_000;

/// One look at a pane, as far as time is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// When, in epoch milliseconds.
    pub at_ms: u64,
    /// The pane's first process; another one means another life of the pane.
    pub pane_pid: u32,
    /// What the screen looked like.
    pub fingerprint: Fingerprint,
    /// Epoch seconds of the window's last output (`#{window_activity}`).
    pub activity: u64,
    /// [`crate::process::cpu_ticks`] of its processes.
    pub cpu_ticks: Option<u64>,
    /// Whether somebody is looking at it: it is the current window of an attached session.
    pub visited: bool,
    /// When its agent last reported that its turn has ended, in epoch milliseconds, where that still holds.
    pub turn_ended_ms: Option<u64>,
}

/// What is kept of a pane between two looks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// The published verdict; its need is the published one.
    pub verdict: Verdict,
    /// Epoch seconds at which the published kind began.
    pub since: u64,
    /// Epoch seconds at which the published need came up, while there is one.
    pub need_since: Option<u64>,
    /// When the last look that counts for movement was, in epoch milliseconds.
    pub at_ms: u64,
    /// The pane's first process.
    pub pane_pid: u32,
    /// What the screen looked like then.
    pub fingerprint: Fingerprint,
    /// The window's last output then.
    pub activity: u64,
    /// CPU ticks then.
    pub cpu_ticks: Option<u64>,
    /// What moved before that look.
    pub change: Option<Change>,
    /// When a rest that is not published yet was first seen, in epoch milliseconds.
    pub resting_since_ms: Option<u64>,
    /// When the pane began to be active or running, in epoch milliseconds.
    pub busy_since_ms: Option<u64>,
    /// The last end of a turn that was reported: it raises `done` once.
    pub turn_ended_ms: Option<u64>,
    /// `failed` or `done` that nobody has looked at yet.
    pub raised: Option<Need>,
    /// What the verdict was judged from, to know it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memo: Option<Memo>,
    /// The failure that was looked at, as its summary: it is not raised again while it stays on the screen.
    pub visited_failure: Option<String>,
}

/// What moved since the look before; `None` at a first look, and when the pane began a new life.
///
/// A look that follows too soon compares with the same earlier one and keeps what had moved before it, so that two
/// refreshes in a row agree.
pub fn change(previous: Option<&Memory>, look: &Look) -> Option<Change> {
    let before = previous.filter(|memory| memory.pane_pid == look.pane_pid)?;
    let elapsed_ms = look.at_ms.saturating_sub(before.at_ms);
    let (old, new) = (before.fingerprint, look.fingerprint);
    // A memory is not written while nothing visible changes, so it may be older than the last movement.
    let moves = look.at_ms / 1000 < look.activity + STILL_S;
    let now = Change {
        elapsed_ms,
        screen: moves && old.content != new.content,
        above: moves && old.above != new.above,
        cursor: moves && old.cursor != new.cursor,
        output: moves && look.activity > before.activity,
        cpu_ticks: before
            .cpu_ticks
            .zip(look.cpu_ticks)
            .map(|(old, new)| new.saturating_sub(old)),
    };
    match before.change {
        _ if elapsed_ms >= SHORTEST_MS => Some(now),
        None => Some(now).filter(|change| change.screen || change.output),
        Some(earlier) => Some(Change {
            elapsed_ms: earlier.elapsed_ms.saturating_add(elapsed_ms),
            screen: now.screen || earlier.screen,
            above: now.above || earlier.above,
            cursor: now.cursor || earlier.cursor,
            output: now.output || earlier.output,
            cpu_ticks: now.cpu_ticks.zip(earlier.cpu_ticks).map(|(a, b)| a.saturating_add(b)),
        }),
    }
}

/// What may be published of `verdict`, given what was published before. `change` is what it was judged with.
pub fn settle(previous: Option<&Memory>, verdict: Verdict, change: Option<Change>, look: &Look) -> Memory {
    let before = previous.filter(|memory| memory.pane_pid == look.pane_pid);
    let mut resting_since_ms = None;
    let mut publish = verdict;
    if let Some(memory) = before {
        let old = &memory.verdict;
        if old.kind == StatusKind::Active && needs_confirmation(old, &publish) {
            let since = memory.resting_since_ms.unwrap_or(look.at_ms);
            let gap = look.at_ms.saturating_sub(memory.at_ms);
            // Two looks far apart saw no flicker; only what changed a moment ago may change back.
            if gap < GRACE_MS * 2 && look.at_ms.saturating_sub(since) < GRACE_MS {
                resting_since_ms = Some(since);
                publish = Verdict {
                    volatile: true,
                    ..old.clone()
                };
            }
        } else if old.kind == StatusKind::Error && old.agent && same_program(old, &publish) && rests(&publish) {
            // An agent's error stands until its next turn, even when its text has scrolled away.
            publish = old.clone();
        }
    }
    let screen_need = publish.need;
    let failure_seen = before
        .and_then(|m| m.visited_failure.clone())
        .filter(|seen| *seen == publish.summary);
    let mut raised = raise(before, &publish, failure_seen.is_some(), look).or(before.and_then(|m| m.raised));
    let mut visited_failure = failure_seen;
    if look.visited {
        raised = None;
        if publish.kind == StatusKind::Error {
            visited_failure = Some(publish.summary.clone());
        }
    }
    let pressing = screen_need.filter(is_pressing);
    let at_rest = !matches!(publish.kind, StatusKind::Active | StatusKind::Running);
    publish.need = pressing.or(raised.filter(|_| at_rest));

    let same_kind = before.filter(|m| m.verdict.kind == publish.kind);
    let same_need = before.filter(|m| m.verdict.need == publish.need);
    let now = look.at_ms / 1000;
    let busy = matches!(publish.kind, StatusKind::Active | StatusKind::Running);
    let too_soon = before.filter(|m| look.at_ms.saturating_sub(m.at_ms) < SHORTEST_MS);
    Memory {
        since: same_kind.map_or(now, |m| m.since),
        need_since: publish
            .need
            .map(|_| same_need.and_then(|m| m.need_since).unwrap_or(now)),
        // A look that came too soon leaves the earlier one in place to compare with.
        at_ms: too_soon.map_or(look.at_ms, |m| m.at_ms),
        fingerprint: too_soon.map_or(look.fingerprint, |m| m.fingerprint),
        activity: too_soon.map_or(look.activity, |m| m.activity),
        cpu_ticks: too_soon.map_or(look.cpu_ticks, |m| m.cpu_ticks),
        change: too_soon.map_or(change, |m| m.change),
        pane_pid: look.pane_pid,
        resting_since_ms,
        busy_since_ms: busy.then(|| before.and_then(|m| m.busy_since_ms).unwrap_or(look.at_ms)),
        turn_ended_ms: look.turn_ended_ms.or(before.and_then(|m| m.turn_ended_ms)),
        raised,
        visited_failure,
        memo: None,
        verdict: publish,
    }
}

/// What stays of `memory` when the pane was not looked at, since it was quiet: everything, but a visit counts.
pub fn keep(memory: &Memory, visited: bool) -> Memory {
    let mut kept = memory.clone();
    if visited {
        let verdict = &mut kept.verdict;
        verdict.need = verdict.need.filter(is_pressing);
        kept.need_since = kept.need_since.filter(|_| verdict.need.is_some());
        kept.raised = None;
        if verdict.kind == StatusKind::Error {
            kept.visited_failure = Some(verdict.summary.clone());
        }
    }
    kept
}

impl Memory {
    /// When a rest that is not published yet will have lasted long enough to be, in epoch milliseconds.
    pub fn confirmed_at_ms(&self) -> Option<u64> {
        Some(self.resting_since_ms? + GRACE_MS)
    }

    /// Makes every time in it at most `now_ms`. With the clock set back, time since would else stand still until the old
    /// time is reached again, and with it all that waits for some time to pass.
    pub fn not_after(&mut self, now_ms: u64) {
        self.at_ms = self.at_ms.min(now_ms);
        self.since = self.since.min(now_ms / 1000);
        self.need_since = self.need_since.map(|at| at.min(now_ms / 1000));
        self.activity = self.activity.min(now_ms / 1000);
        for time in [&mut self.resting_since_ms, &mut self.busy_since_ms] {
            *time = time.map(|ms| ms.min(now_ms));
        }
    }

    /// Whether a reader of the state would see the same: what a look measured and when do not count.
    pub fn same_to_a_reader(&self, other: &Self) -> bool {
        self.verdict == other.verdict
            && self.since == other.since
            && self.need_since == other.need_since
            && self.pane_pid == other.pane_pid
            && self.raised == other.raised
            && self.visited_failure == other.visited_failure
    }
}

/// A dialog or a question on the screen: a visit alone does not answer it.
fn is_pressing(need: &Need) -> bool {
    matches!(need, Need::Permission | Need::Question)
}

/// Whether a rest after work must last a moment before it counts: agents repaint, and the fallback only infers. A
/// question, an error and a shell's prompt are positive evidence and count at once.
fn needs_confirmation(old: &Verdict, new: &Verdict) -> bool {
    let inferred = new.rule.starts_with("fallback:");
    let quiet = rests(new) && (new.agent || inferred) || new.kind == StatusKind::Running && inferred;
    quiet && same_program(old, new)
}

/// At rest without a question.
fn rests(verdict: &Verdict) -> bool {
    matches!(verdict.kind, StatusKind::Waiting | StatusKind::Idle) && verdict.need.is_none()
}

fn same_program(a: &Verdict, b: &Verdict) -> bool {
    a.program == b.program && a.command == b.command
}

/// The need that this look raises, when something ended since the one before.
fn raise(before: Option<&Memory>, now: &Verdict, failure_seen: bool, look: &Look) -> Option<Need> {
    if now.need == Some(Need::Failed) {
        let known = before.is_some_and(|m| m.verdict.kind == StatusKind::Error && m.verdict.summary == now.summary);
        return (!known && !failure_seen).then_some(Need::Failed);
    }
    let old = before?;
    let ended = matches!(old.verdict.kind, StatusKind::Active | StatusKind::Running) && rests(now);
    let turn = old.verdict.agent && now.agent && old.verdict.kind == StatusKind::Active;
    let lasted = old
        .busy_since_ms
        .is_some_and(|since| look.at_ms.saturating_sub(since) >= LONG_MS);
    let command = !now.agent && lasted && !same_program(&old.verdict, now);
    // A turn may be shorter than the time between two looks.
    let reported = look.turn_ended_ms.is_some() && look.turn_ended_ms != old.turn_ended_ms && rests(now);
    (ended && (turn || command) || reported).then_some(Need::Done)
}

/// What a screen looked like, small enough to keep, and the same in every run of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Of every row.
    pub content: u64,
    /// Of the rows above the cursor's.
    pub above: u64,
    /// Where the cursor was: column and row.
    pub cursor: (u32, u32),
}

impl Fingerprint {
    /// The fingerprint of a screen.
    pub fn of(rows: &[String], cursor: (u32, u32)) -> Fingerprint {
        let (mut hash, mut above) = (FNV_START, None);
        for (row, text) in rows.iter().enumerate() {
            if row == cursor.1 as usize {
                above = Some(hash);
            }
            hash = fnv(hash, text.trim_end().as_bytes());
            hash = fnv(hash, b"\n");
        }
        Fingerprint {
            content: hash,
            above: above.unwrap_or(hash),
            cursor,
        }
    }
}

// FNV-1a: the standard library's hashers promise no stable value, and this one is kept in a file.
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// The same as a hasher.
#[derive(Debug, Clone, Copy)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(FNV_START)
    }
}

impl std::hash::Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = fnv(self.0, bytes);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

fn fnv(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
#[path = "settle_tests.rs"]
mod tests;
