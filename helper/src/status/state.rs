//! Our own memory between looks: ids, each pane's verdict and why, and since when.
//!
//! The status file is a projection of it for other programs; readers that act (jump, notify, serve) use this one. A file
//! that cannot be read, or is of another version, is forgotten without a word: the next look makes a new one.

use super::schema::StatusFile;
use super::window::KnownWindow;
use crate::classify::settle::Memory;
use crate::model::{Death, Link, PaneId, Server, SessionId, Snapshot, WindowId};
use crate::process;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Counted up when the file's shape changes.
const VERSION: u32 = 4;

/// The whole state of one server, with what is wanted of its panes: what a look remembers of them is two thirds of the file, and
/// views read it without.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State<P = KnownPane> {
    version: u32,
    /// The server that was looked at; `None` when there was none.
    pub server: Option<KnownServer>,
    /// Where the user wants the status file (`@tmux-status-file`), so that it can be found and emptied when the server, and
    /// with it the option, is gone; empty where it has its usual place.
    pub status_file: String,
    /// Epoch seconds at which this file was written.
    pub generated_at: u64,
    /// Epoch second read just before the look: what has moved since is looked at again.
    pub looked_at: u64,
    /// Epoch second of the last look that captured every pane.
    pub full_at: u64,
    /// Epoch milliseconds at which the user was last told of any window; 0 for never.
    pub told_ms: u64,
    /// Sessions in tmux's order.
    pub sessions: Vec<KnownSession>,
    /// Each window once.
    pub windows: BTreeMap<WindowId, KnownWindow>,
    /// Each pane.
    pub panes: BTreeMap<PaneId, P>,
}

impl<P> Default for State<P> {
    fn default() -> Self {
        Self {
            version: 0,
            server: None,
            status_file: String::new(),
            generated_at: 0,
            looked_at: 0,
            full_at: 0,
            told_ms: 0,
            sessions: Vec::new(),
            windows: BTreeMap::new(),
            panes: BTreeMap::new(),
        }
    }
}

/// A server, with what tells it from another process that got its pid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KnownServer {
    /// As tmux tells it.
    #[serde(flatten)]
    pub server: Server,
    /// The kernel's start mark of its process (see [`crate::process::started`]); `None` where the kernel tells none.
    pub started: Option<u64>,
}

impl KnownServer {
    /// Whether its process still runs.
    pub fn lives(&self) -> bool {
        match self.started {
            Some(started) => process::started(self.server.pid) == Some(started),
            None => process::lives(self.server.pid),
        }
    }
}

/// A session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KnownSession {
    /// Its id.
    pub id: SessionId,
    /// Its name, verbatim.
    pub name: String,
    /// Clients attached.
    pub attached: u32,
    /// Epoch seconds of its last activity.
    pub activity: Option<u64>,
    /// Its windows.
    pub windows: Vec<Link>,
}

/// A pane between two looks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KnownPane {
    /// tmux's word for its foreground program, when it was last asked for.
    pub command: String,
    /// Its directory, when it was last asked for.
    pub path: String,
    /// The process tmux started in it; `respawn-pane` makes a new one.
    pub pid: u32,
    /// How that process ended, when the pane remains.
    pub dead: Option<Death>,
    /// What stood in it when it was last captured (see [`super::answers::content`]). The fingerprint in its memory may be of an
    /// earlier look.
    pub content: u64,
    /// The classifier's memory of it.
    pub memory: Memory,
}

/// What views want of a pane.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SeenPane {
    /// See [`KnownPane::content`].
    pub content: u64,
}

/// A window where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The session.
    pub session: &'a KnownSession,
    /// Its place in it.
    pub link: &'a Link,
    /// The window.
    pub window: &'a KnownWindow,
}

impl<P: DeserializeOwned> State<P> {
    /// The state at `path`; an empty one when there is none that can be read.
    pub fn read(path: &Path) -> Self {
        super::read::bytes(path)
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok())
            .filter(|state| state.version == VERSION)
            .unwrap_or_default()
    }
}

impl State {
    /// A state of `snapshot` without windows and panes yet.
    pub fn of(snapshot: &Snapshot, started: Option<u64>) -> Self {
        let sessions = snapshot.sessions.iter().map(|s| KnownSession {
            id: s.id,
            name: s.name.clone(),
            attached: s.attached,
            activity: s.activity,
            windows: s.links.clone(),
        });
        Self {
            version: VERSION,
            server: Some(KnownServer {
                server: snapshot.server.clone(),
                started,
            }),
            sessions: sessions.collect(),
            ..Self::default()
        }
    }

    /// The state of a socket whose server is gone: its file is where it was `before`.
    pub fn without_server(before: &Self) -> Self {
        Self {
            version: VERSION,
            status_file: before.status_file.clone(),
            ..Self::default()
        }
    }

    /// The same for a look at `now_ms` after the clock was set back: what is remembered of panes is of no time to come. The
    /// times of the looks stay, to tell that.
    #[must_use]
    pub fn not_after(&self, now_ms: u64) -> Self {
        let mut state = self.clone();
        let now = now_ms / 1000;
        for pane in state.panes.values_mut() {
            pane.memory.not_after(now_ms);
        }
        for window in state.windows.values_mut() {
            for transition in &mut window.transitions {
                transition.at = transition.at.min(now);
            }
            window.notice.not_after(now_ms);
        }
        state.told_ms = state.told_ms.min(now_ms);
        state
    }

    /// The file's bytes.
    ///
    /// # Errors
    /// None are expected: every field can be written as JSON.
    pub fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(self)
    }

    /// Whether a reader of either file would see the same; times of looks, CPU ticks and the like do not count.
    pub fn same_to_a_reader(&self, other: &Self) -> bool {
        let panes = |a: &Self, b: &Self| {
            a.panes.len() == b.panes.len()
                && a.panes.iter().zip(&b.panes).all(|((a_id, a), (b_id, b))| {
                    a_id == b_id
                        && (&a.command, &a.path, a.pid, &a.dead) == (&b.command, &b.path, b.pid, &b.dead)
                        && a.memory.same_to_a_reader(&b.memory)
                })
        };
        self.version == other.version
            && self.status_file == other.status_file
            && self.server == other.server
            && self.sessions == other.sessions
            && self.windows == other.windows
            && panes(self, other)
    }
}

impl<P> State<P> {
    /// How many windows there are, and how many of them need their user.
    pub fn counts(&self) -> (usize, usize) {
        (
            self.windows.len(),
            self.windows.values().filter(|w| w.calls().is_some()).count(),
        )
    }

    /// Every window in every session, in tmux's order; a window that several sessions share comes once for each.
    pub fn places(&self) -> impl Iterator<Item = Place<'_>> {
        let links = self
            .sessions
            .iter()
            .flat_map(|session| session.windows.iter().map(move |link| (session, link)));
        links.filter_map(|(session, link)| {
            let window = self.windows.get(&link.window)?;
            Some(Place { session, link, window })
        })
    }

    /// The names of the sessions that a window is in.
    pub fn sessions_of(&self, window: WindowId) -> impl Iterator<Item = &str> {
        let holds = move |session: &&KnownSession| session.windows.iter().any(|link| link.window == window);
        self.sessions.iter().filter(holds).map(|session| session.name.as_str())
    }

    /// The status file: what other programs are told.
    pub fn project(&self) -> StatusFile {
        use super::schema::{SessionStatus, WindowStatus};
        let window = |session: &KnownSession, link: &Link| {
            let window = self.windows.get(&link.window)?;
            Some(WindowStatus {
                index: link.index,
                name: window.name.clone(),
                command: window.command.clone(),
                active: link.active,
                status_kind: window.kind,
                summary: window.summary.clone(),
                target: format!("{}:{}", session.name, link.index),
            })
        };
        let sessions = self.sessions.iter().map(|session| SessionStatus {
            name: session.name.clone(),
            attached: session.attached > 0,
            activity: session.activity,
            windows: session
                .windows
                .iter()
                .filter_map(|link| window(session, link))
                .collect(),
        });
        StatusFile {
            generated_at: self.generated_at,
            sessions: sessions.collect(),
        }
    }
}
