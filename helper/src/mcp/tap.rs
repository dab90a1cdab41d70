//! Follows what panes print: through a pane's pipe where nobody uses it, else by looking at its screen again and again.
//!
//! A pane has one pipe, so all who follow a pane share one tap; it is closed when the last one goes. What is kept is
//! bounded: those who come too late are told so.

use super::host::Host;
use super::limits::{TAILS, TAIL_TIME, TAP_BYTES};
use super::outcome::{Kind, Problem};
use crate::model::PaneId;
use crate::process::{self, child};
use crate::tmux::command::{Failure, Tmux};
use crate::tmux::drive::pipe::{self, Sight};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::net::unix::pipe::{OpenOptions, Receiver};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};

/// How long the program at the end of a pipe may take to start.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it is looked whether a pane's process lives. That is no tmux process.
const PULSE: Duration = Duration::from_millis(200);
/// How often tmux is asked all the same.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// How often a screen is looked at where there is no pipe.
const GLANCE: Duration = Duration::from_millis(200);
/// Rows above the screen that are looked at then.
const ABOVE: usize = 500;

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

/// All panes that are followed.
#[derive(Debug, Default)]
pub struct Taps {
    open: tokio::sync::Mutex<BTreeMap<PaneId, Open>>,
    /// Panes whose pipe is ours.
    piped: Piped,
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
        let (source, sight) = start(host, pane).await?;
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

/// Has the pane print into a pipe of ours, if its own is free.
async fn start(host: &Arc<Host>, pane: PaneId) -> Result<(Option<Receiver>, Sight), Problem> {
    let fifo = host.ask(|_| Ok(fifo())).await?;
    let path = fifo.as_ref().map(|(_, path)| path.clone());
    let receiver = path
        .as_ref()
        .and_then(|path| OpenOptions::new().open_receiver(path).ok());
    let into = path.filter(|_| receiver.is_some());
    if into.is_some() {
        // Before it is ours, so that it is given back whenever this ends.
        lock(&host.taps.piped).insert(pane, None);
    }
    let sight = host
        .ask(move |host| Ok(pipe::sight(&host.tmux, pane, 0, into.as_deref())?))
        .await;
    let used = sight.as_ref().map_or(true, |sight| sight.piped || sight.dead);
    if used {
        lock(&host.taps.piped).remove(&pane);
        return Ok((None, sight?));
    }
    let relay = match &receiver {
        Some(receiver) => timeout(PATIENCE, greeting(receiver)).await.ok().flatten(),
        None => None,
    };
    match relay {
        Some(relay) => drop(lock(&host.taps.piped).insert(pane, Some(relay))),
        None if lock(&host.taps.piped).remove(&pane).is_some() => {
            host.ask(move |host| {
                pipe::close(&host.tmux, pane, None);
                Ok(())
            })
            .await?;
        }
        None => {}
    }
    drop(fifo);
    Ok((receiver.filter(|_| relay.is_some()), sight?))
}

/// A fifo that only its user can open; `None` where there is no place for one whose name means itself everywhere.
fn fifo() -> Option<(TempDir, PathBuf)> {
    let folders = [std::env::temp_dir(), PathBuf::from("/tmp")];
    let folder = folders
        .iter()
        .find(|folder| folder.is_absolute() && pipe::is_plain(folder))?;
    let folder = tempfile::Builder::new()
        .prefix("tmux-status-")
        .tempdir_in(folder)
        .ok()?;
    let path = folder.path().join("out");
    make_fifo(&path)?;
    Some((folder, path))
}

fn make_fifo(path: &Path) -> Option<()> {
    // A program, since not every system lets it be done by a call that is safe.
    let mut command = Command::new("mkfifo");
    command.args(["-m", "600"]).arg(path);
    let made = child::run(&mut command, None, PATIENCE, || ()).ok()??;
    made.0.success.then_some(())
}

/// Waits for the line with which the program at the other end says that it is there. Until then the fifo looks closed.
async fn greeting(receiver: &Receiver) -> Option<u32> {
    let (mut byte, mut line) = ([0; 1], Vec::new());
    loop {
        match receiver.try_read(&mut byte) {
            Ok(1) if byte == *b"\n" => return std::str::from_utf8(&line).ok()?.trim().parse().ok(),
            Ok(1) => line.extend(byte),
            Ok(_) => sleep(Duration::from_millis(2)).await,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                // With a writer that has not written yet.
                let _ = timeout(Duration::from_millis(20), receiver.readable()).await;
            }
            Err(_) => return None,
        }
    }
}

/// Follows one pane, beside everything else.
struct Follower {
    tmux: Tmux,
    piped: Piped,
    pane: PaneId,
    pid: u32,
    /// The kernel's start mark of that process.
    started: Option<u64>,
    output: Arc<Mutex<Output>>,
    wake: watch::Sender<()>,
    seen: Sight,
}

impl Follower {
    async fn follow(mut self, source: Option<Receiver>, stop: CancellationToken) {
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

/// The rows that show something else than before, a line each. Rows are told apart by how many have scrolled away.
fn news(before: &Sight, now: &Sight) -> String {
    let first = |sight: &Sight| (sight.history + sight.height).saturating_sub(sight.rows.len());
    let scrolled = now.alternate == before.alternate && now.history >= before.history && now.width == before.width;
    // Where what was above has been thrown away, only the texts can be compared.
    let is_old = |at: usize, row: &String| match scrolled {
        true => at < before.history || at >= first(before) && before.rows.get(at - first(before)) == Some(row),
        false => before.rows.contains(row),
    };
    let rows = now.rows.iter().enumerate();
    rows.filter(|(at, row)| !row.trim().is_empty() && !is_old(first(now) + at, row))
        .map(|(_, row)| format!("{row}\r\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight(history: usize, rows: &[&str]) -> Sight {
        Sight {
            pid: 1,
            dead: false,
            piped: true,
            width: 80,
            height: 3,
            cursor_x: 0,
            cursor_y: 0,
            history,
            alternate: false,
            rows: rows.iter().map(|row| (*row).to_owned()).collect(),
        }
    }

    #[test]
    fn rows_that_have_scrolled_are_told_once() {
        let before = sight(0, &["$ a", "", ""]);
        assert_eq!(news(&before, &before), "");
        assert_eq!(news(&before, &sight(0, &["$ a", "x", "$ "])), "x\r\n$ \r\n");
        assert_eq!(
            news(&before, &sight(2, &["$ a", "x", "y", "z", "$"])),
            "x\r\ny\r\nz\r\n$\r\n"
        );
        let scrolled = sight(2, &["$ a", "x", "y", "z", "$"]);
        assert_eq!(news(&scrolled, &scrolled), "");
        assert_eq!(
            news(&scrolled, &sight(0, &["z", "new", ""])),
            "new\r\n",
            "history was cleared"
        );
    }
}
