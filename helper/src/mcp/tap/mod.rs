//! Follows what panes print: through a pane's pipe where nobody uses it, else by looking at its screen again and again.
//!
//! A pane has one pipe, so all who follow a pane share one tap; it is closed when the last one goes. What is kept is
//! bounded: those who come too late are told so.
//!
//! `taps` keeps the panes that are followed, `source` gets a pane's pipe, `follower` reads one, `news` tells what a screen
//! shows anew.

mod follower;
mod news;
mod source;
mod taps;

pub use taps::{Opened, Tail, Taps};

use super::outcome::Problem;
use crate::model::PaneId;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::DropGuard;

/// How long the program at the end of a pipe may take to start.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where output comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// All that is printed, as it is printed.
    Pipe,
    /// Rows of the screen that have changed, between one look and the next.
    Screen,
}

impl Source {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pipe => "pipe",
            Self::Screen => "screen",
        }
    }
}

/// Why nothing more comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// The pane is gone, or its program has ended and the pane remains.
    Closed,
    /// Its server is gone, or does not answer.
    Lost(Problem),
}

/// What a pane has printed.
#[derive(Debug)]
struct Output {
    bytes: VecDeque<u8>,
    /// How many bytes have come so far.
    end: u64,
    ended: Option<Ended>,
    source: Source,
    /// How often its program was started again.
    respawns: u32,
    /// Before this offset something is missing.
    gap: u64,
}

/// A pane that is followed. The last one who lets go of it ends that.
#[derive(Debug)]
pub struct Tap {
    output: Arc<Mutex<Output>>,
    changed: watch::Receiver<()>,
    _stop: DropGuard,
}

/// What has come since an offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The offset behind them.
    pub end: u64,
    /// Whether some are missing before them.
    pub missed: bool,
    /// Whether nothing will follow them.
    pub ended: Option<Ended>,
    /// How often the pane's program was started again since it is followed.
    pub respawns: u32,
    /// Where they come from.
    pub source: Source,
}

impl Tap {
    /// What has come since `offset`.
    pub fn since(&self, offset: u64) -> News {
        let output = lock(&self.output);
        let kept = u64::try_from(output.bytes.len()).unwrap_or(u64::MAX);
        let first = output.end.saturating_sub(kept);
        let from = usize::try_from(offset.max(first) - first).unwrap_or(usize::MAX);
        News {
            bytes: output.bytes.range(from.min(output.bytes.len())..).copied().collect(),
            end: output.end,
            missed: offset < first || offset < output.gap,
            ended: output.ended.clone(),
            respawns: output.respawns,
            source: output.source,
        }
    }

    /// A listener; whatever comes after this call wakes it.
    pub fn listen(&self) -> watch::Receiver<()> {
        let mut listener = self.changed.clone();
        listener.mark_unchanged();
        listener
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Bytes and ids are whole whatever broke off beside them.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Panes whose pipe is ours, each with the process at its end.
type Piped = Arc<Mutex<BTreeMap<PaneId, Option<u32>>>>;
