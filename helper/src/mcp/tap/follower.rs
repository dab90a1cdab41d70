//! Reads what one pane prints until nothing more comes.

use super::news::news;
use super::{lock, Ended, Output, Piped, Source};
use crate::mcp::limits::TAP_BYTES;
use crate::mcp::outcome::{Kind, Problem};
use crate::model::PaneId;
use crate::process;
use crate::tmux::command::{Failure, Tmux};
use crate::tmux::drive::pipe::{self, Sight};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::unix::pipe::Receiver;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

/// How often it is looked whether a pane's process lives. That is no tmux process.
const PULSE: Duration = Duration::from_millis(200);
/// How often tmux is asked all the same.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// How often a screen is looked at where there is no pipe.
const GLANCE: Duration = Duration::from_millis(200);
/// Rows above the screen that are looked at then.
const ABOVE: usize = 500;

/// Follows one pane, beside everything else.
pub(super) struct Follower {
    pub(super) tmux: Tmux,
    pub(super) piped: Piped,
    pub(super) pane: PaneId,
    pub(super) pid: u32,
    /// The kernel's start mark of that process.
    pub(super) started: Option<u64>,
    pub(super) output: Arc<Mutex<Output>>,
    pub(super) wake: watch::Sender<()>,
    pub(super) seen: Sight,
}

impl Follower {
    pub(super) async fn follow(mut self, source: Option<Receiver>, stop: CancellationToken) {
        if let Some(receiver) = source {
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.read(&receiver) => {}
            }
            // Closed already where the pane is gone or somebody else has taken it.
            let relay = lock(&self.piped).remove(&self.pane);
            if let Some(relay) = relay {
                let (tmux, pane) = (self.tmux.clone(), self.pane);
                let _ = tokio::task::spawn_blocking(move || pipe::close(&tmux, pane, relay)).await;
            }
        }
        if lock(&self.output).ended.is_none() && !stop.is_cancelled() {
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.look() => {}
            }
        }
    }

    /// Whether the pane's process runs; its id alone may have gone to another.
    fn lives(&self) -> bool {
        match self.started {
            Some(_) => process::started(self.pid) == self.started,
            None => process::lives(self.pid),
        }
    }

    /// Reads the pipe until it closes or the pane's program has ended.
    async fn read(&mut self, receiver: &Receiver) {
        let mut buffer = vec![0; 64 * 1024];
        let mut asked = Instant::now();
        loop {
            match receiver.try_read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => self.push(buffer.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if timeout(PULSE, receiver.readable()).await.is_ok() {
                        continue;
                    }
                    let due = asked.elapsed() >= HEARTBEAT;
                    if due {
                        asked = Instant::now();
                    }
                    if (due || !self.lives()) && !self.still_open().await {
                        return;
                    }
                }
                Err(_) => break,
            }
            // A pane that prints without end must not keep the others from their turn.
            tokio::task::yield_now().await;
        }
        // Not ours any more: the pane is gone, or its user wants the pipe.
        lock(&self.piped).remove(&self.pane);
        if self.still_open().await {
            let mut output = lock(&self.output);
            output.source = Source::Screen;
            output.gap = output.end;
        }
    }

    /// Looks at the screen until the pane has ended.
    async fn look(&mut self) {
        loop {
            sleep(GLANCE).await;
            if !self.still_open().await {
                return;
            }
        }
    }

    /// Whether the pane still has a program; what its screen shows anew is taken where there is no pipe.
    async fn still_open(&mut self) -> bool {
        let (tmux, pane) = (self.tmux.clone(), self.pane);
        let sight = tokio::task::spawn_blocking(move || pipe::sight(&tmux, pane, ABOVE, None)).await;
        let sight = sight.unwrap_or_else(|error| Err(Failure::Refused(format!("the look broke off: {error}"))));
        let ended = match sight {
            Ok(sight) => {
                if sight.pid != self.pid {
                    self.pid = sight.pid;
                    self.started = process::started(sight.pid);
                    lock(&self.output).respawns += 1;
                }
                if lock(&self.output).source == Source::Screen {
                    let news = news(&self.seen, &sight);
                    self.push(news.as_bytes());
                }
                let dead = sight.dead;
                self.seen = sight;
                dead.then_some(Ended::Closed)
            }
            Err(failure) => {
                let problem = Problem::from(failure);
                Some(match problem.kind {
                    Kind::ObjectGone => Ended::Closed,
                    _ => Ended::Lost(problem),
                })
            }
        };
        let open = ended.is_none();
        lock(&self.output).ended = ended;
        let _ = self.wake.send(());
        open
    }

    fn push(&self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        {
            let mut output = lock(&self.output);
            output.end += u64::try_from(bytes.len()).unwrap_or(0);
            output.bytes.extend(bytes);
            let old = output.bytes.len().saturating_sub(TAP_BYTES);
            output.bytes.drain(..old);
        }
        let _ = self.wake.send(());
    }
}
