//! The panes that are followed: each by one tap, whoever asks for it.

use super::follower::Follower;
use super::{lock, source, Ended, Output, Piped, Source, Tap};
use crate::mcp::host::Host;
use crate::mcp::limits::{TAILS, TAIL_TIME};
use crate::mcp::outcome::Problem;
use crate::model::PaneId;
use crate::process;
use crate::tmux::command::Tmux;
use crate::tmux::drive::pipe::{self, Sight};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// All panes that are followed.
#[derive(Debug, Default)]
pub struct Taps {
    open: tokio::sync::Mutex<BTreeMap<PaneId, Open>>,
    /// Panes whose pipe is ours.
    pub(super) piped: Piped,
    /// Panes that are followed between calls, the one that was asked for last at the end.
    tails: Mutex<Vec<Tail>>,
}

/// A pane that is followed between calls.
#[derive(Debug, Clone)]
pub struct Tail {
    /// What nobody else's cursor holds.
    pub id: String,
    /// The pane.
    pub pane: PaneId,
    /// Its tap.
    pub tap: Arc<Tap>,
    /// When it was asked for last.
    pub asked: Instant,
}

#[derive(Debug)]
struct Open {
    tap: Weak<Tap>,
    /// Closes when the pipe has been given back.
    over: watch::Receiver<()>,
}

/// A pane that is followed from now on.
#[derive(Debug)]
pub struct Opened {
    /// Its tap.
    pub tap: Arc<Tap>,
    /// What comes behind this is news.
    pub offset: u64,
    /// The pane at that instant.
    pub sight: Sight,
}

impl Taps {
    /// Follows a pane.
    ///
    /// # Errors
    /// When there is no such pane, or no server.
    pub async fn open(host: &Arc<Host>, pane: PaneId) -> Result<Opened, Problem> {
        let mut open = host.taps.open.lock().await;
        if let Some(known) = open.get_mut(&pane) {
            let live = known.tap.upgrade().filter(|tap| lock(&tap.output).ended.is_none());
            if let Some(tap) = live {
                // Before the look: what comes between is told twice rather than never.
                let offset = lock(&tap.output).end;
                let sight = host
                    .ask(move |host| Ok(pipe::sight(&host.tmux, pane, 0, None)?))
                    .await?;
                return Ok(Opened { tap, offset, sight });
            }
            // An error is its end: nobody holds the other side any more.
            while known.over.changed().await.is_ok() {}
        }
        open.retain(|_, known| known.over.has_changed().is_ok());
        let (source, sight) = source::start(host, pane).await?;
        let output = Arc::new(Mutex::new(Output {
            bytes: VecDeque::new(),
            end: 0,
            ended: sight.dead.then_some(Ended::Closed),
            source: if source.is_some() { Source::Pipe } else { Source::Screen },
            respawns: 0,
            gap: 0,
        }));
        let (wake, changed) = watch::channel(());
        let (running, over) = watch::channel(());
        let stop = CancellationToken::new();
        let tap = Arc::new(Tap {
            output: Arc::clone(&output),
            changed,
            _stop: stop.clone().drop_guard(),
        });
        open.insert(
            pane,
            Open {
                tap: Arc::downgrade(&tap),
                over,
            },
        );
        let follower = Follower {
            tmux: host.tmux.clone(),
            piped: Arc::clone(&host.taps.piped),
            pane,
            pid: sight.pid,
            started: process::started(sight.pid),
            output,
            wake,
            seen: sight.clone(),
        };
        tokio::spawn(async move {
            follower.follow(source, stop).await;
            drop(running);
        });
        Ok(Opened { tap, offset: 0, sight })
    }

    /// Goes on following a pane, for calls to come. The one that nobody has asked for for longest gives way.
    pub fn keep(&self, tail: Tail) {
        let mut tails = lock(&self.tails);
        tails.retain(|known| known.id != tail.id);
        tails.push(tail);
        let surplus = tails.len().saturating_sub(TAILS);
        tails.drain(..surplus);
    }

    /// A pane that is followed between calls, if it still is.
    pub fn kept(&self, id: &str) -> Option<Tail> {
        lock(&self.tails).iter().find(|tail| tail.id == id).cloned()
    }

    /// Lets go of those that nobody has asked for for long; in how much time to come again, if any are left.
    pub fn let_go(&self) -> Option<Duration> {
        let mut tails = lock(&self.tails);
        tails.retain(|tail| tail.asked.elapsed() < TAIL_TIME);
        tails
            .iter()
            .map(|tail| TAIL_TIME.saturating_sub(tail.asked.elapsed()))
            .min()
    }

    /// Gives back all pipes that are in use, when nothing runs any more.
    pub fn close_all(&self, tmux: &Tmux) {
        for (pane, relay) in std::mem::take(&mut *lock(&self.piped)) {
            pipe::close(tmux, pane, relay);
        }
    }
}
