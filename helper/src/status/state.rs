//! Our own memory between looks: ids, each pane's verdict and why, and since when.
//!
//! The status file is a projection of it for other programs; readers that act (jump, notify, serve) use this one. A file
//! that cannot be read, or is of another version, is forgotten without a word: the next look makes a new one.

use super::notice::Notice;
use super::schema::StatusFile;
use crate::classify::settle::Memory;
use crate::model::{Death, Link, Need, PaneId, Server, SessionId, Snapshot, StatusKind, WindowId};
use crate::process;
use crate::theme::Face;
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

/// How many transitions of a window are kept.
pub const TRANSITIONS: usize = 8;

/// A window's kind or need became another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transition {
    /// When, in epoch seconds.
    pub at: u64,
    /// The kind from then on.
    pub kind: StatusKind,
    /// The need from then on.
    pub need: Option<Need>,
}

/// A window's verdict: that of the pane that speaks for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KnownWindow {
    /// Its name, verbatim.
    pub name: String,
    /// The foreground program as a person names it.
    pub command: String,
    /// What it is doing.
    pub kind: StatusKind,
    /// What it needs its user for.
    pub need: Option<Need>,
    /// Epoch seconds at which its kind began.
    pub since: u64,
    /// Epoch seconds at which its need came up, while there is one.
    pub need_since: Option<u64>,
    /// Whether it was in front of somebody since its kind or its need last changed.
    pub visited: bool,
    /// Epoch second at which its user parked it last, and whether it has not changed since: then it needs nobody.
    pub parked_at: Option<u64>,
    /// See there.
    pub parked: bool,
    /// Whether its user has said that it never needs anyone.
    pub ignored: bool,
    /// What it did before, oldest first, up to what it does now: at most [`TRANSITIONS`].
    pub transitions: Vec<Transition>,
    /// What its user is to be told, and was.
    #[serde(default, skip_serializing_if = "Notice::is_empty")]
    pub notice: Notice,
    /// One line.
    pub summary: String,
    /// What the rules say, where a model's words have taken its place.
    pub by_rules: Option<Evident>,
    /// The pane that speaks for it.
    pub pane: PaneId,
    /// All its panes, in tmux's order.
    pub panes: Vec<PaneId>,
}

/// What the rules say of a window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evident {
    /// What it is doing.
    pub kind: StatusKind,
    /// In one line.
    pub summary: String,
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

impl KnownWindow {
    /// When what it shows now began, in epoch seconds: its need where it has one, else its kind.
    pub fn began(&self) -> u64 {
        self.need_since.unwrap_or(self.since)
    }

    /// What the rules say of it: its kind, and one line.
    pub fn evident(&self) -> (StatusKind, &str) {
        match &self.by_rules {
            Some(Evident { kind, summary }) => (*kind, summary),
            None => (self.kind, &self.summary),
        }
    }

    /// What it needs its user for, unless it is parked or never needs anyone: what jumps, counts and notifications heed.
    pub fn calls(&self) -> Option<Need> {
        self.need.filter(|_| !self.parked && !self.ignored)
    }

    /// Orders windows by who needs its user first: by need, then the longest waiting; those that call nobody come last.
    pub fn urgency(&self) -> (bool, Option<Need>, u64) {
        let calls = self.calls();
        (calls.is_none(), calls, calls.map_or(0, |_| self.began()))
    }

    /// What it shows its user.
    pub fn face(&self) -> Face {
        match self.parked && !self.ignored {
            true => Face::Parked,
            false => Face::of(self.kind, self.calls()),
        }
    }

    /// The same with its history, given what was known of the window `before` this look at the epoch second `now`, in
    /// which somebody had it in front of them or not.
    #[must_use]
    pub fn after(mut self, before: Option<&Self>, watched: bool, now: u64) -> Self {
        let transition = Transition {
            at: now,
            kind: self.kind,
            need: self.need,
        };
        self.transitions = before.map(|window| window.transitions.clone()).unwrap_or_default();
        let last = self.transitions.last();
        if last.is_none_or(|last| (last.kind, last.need) != (self.kind, self.need)) {
            self.transitions.push(transition);
            let over = self.transitions.len().saturating_sub(TRANSITIONS);
            self.transitions.drain(..over);
        }
        // A question may follow another within one look.
        let asks = |window: &Self| matches!(window.need, Some(Need::Permission | Need::Question));
        let changed = |before: &Self| {
            let (was, is) = (before.evident(), self.evident());
            (was.0, before.need) != (is.0, self.need) || asks(&self) && was != is
        };
        self.parked = match before {
            Some(before) if before.parked_at == self.parked_at => before.parked && !changed(before),
            _ => self.parked_at.is_some(),
        };
        // A need that is gone, most likely for the visit, is nothing new to see.
        let news = |window: &Self| window.kind != self.kind || self.need.is_some() && window.need != self.need;
        self.visited = watched || before.is_some_and(|window| window.visited && !news(window));
        self
    }
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn window(kind: StatusKind, need: Option<Need>) -> KnownWindow {
        KnownWindow {
            name: "w".into(),
            command: "claude".into(),
            kind,
            need,
            since: 0,
            need_since: None,
            visited: false,
            parked_at: None,
            parked: false,
            ignored: false,
            transitions: Vec::new(),
            notice: Notice::default(),
            summary: String::new(),
            by_rules: None,
            pane: PaneId(1),
            panes: vec![PaneId(1)],
        }
    }

    #[test]
    fn a_window_remembers_its_last_transitions_and_not_more() {
        let mut known: Option<KnownWindow> = None;
        for second in 0..40 {
            let kind = if second / 2 % 2 == 0 {
                StatusKind::Active
            } else {
                StatusKind::Waiting
            };
            known = Some(window(kind, None).after(known.as_ref(), false, second));
        }
        let known = known.unwrap();
        let times: Vec<u64> = known.transitions.iter().map(|t| t.at).collect();
        assert_eq!(times, [24, 26, 28, 30, 32, 34, 36, 38]);
        assert_eq!(known.transitions.last().unwrap().kind, known.kind);
    }

    #[test]
    fn a_visit_counts_until_there_is_something_new_to_see() {
        let step = |before: &KnownWindow, kind, need, watched| window(kind, need).after(Some(before), watched, 9);
        let done = window(StatusKind::Waiting, Some(Need::Done)).after(None, false, 1);
        assert!(!done.visited);
        let seen = step(&done, StatusKind::Waiting, None, true);
        assert!(seen.visited);
        let left = step(&seen, StatusKind::Waiting, None, false);
        assert!(left.visited, "nothing has changed since");
        let asks = step(&left, StatusKind::Waiting, Some(Need::Question), false);
        assert!(!asks.visited, "a need came up");
        assert!(
            !step(&left, StatusKind::Active, None, false).visited,
            "it began to work"
        );
    }

    #[test]
    fn a_parked_window_calls_nobody_until_it_changes() {
        let asks = |before: Option<&KnownWindow>, at, summary: &str| {
            let mut now = window(StatusKind::Waiting, Some(Need::Question));
            (now.parked_at, now.summary) = (at, summary.to_owned());
            now.after(before, false, 5)
        };
        let first = asks(None, None, "one?");
        assert_eq!((first.calls(), first.face()), (Some(Need::Question), Face::Question));
        let parked = asks(Some(&first), Some(4), "one?");
        assert_eq!((parked.calls(), parked.face()), (None, Face::Parked));
        let still = asks(Some(&parked), Some(4), "one?");
        assert!(still.parked);
        let other = asks(Some(&still), Some(4), "two?");
        assert_eq!(other.calls(), Some(Need::Question), "another question");
        assert!(!asks(Some(&other), Some(4), "two?").parked, "it stays so");
        assert!(asks(Some(&other), Some(6), "two?").parked, "parked again");
        let works = window(StatusKind::Active, None).after(Some(&still), false, 6);
        assert!(!works.parked);
        let unparked = asks(Some(&still), None, "one?");
        assert_eq!(unparked.calls(), Some(Need::Question));
    }

    #[test]
    fn the_most_pressing_and_longest_waiting_comes_first_and_the_ignored_last() {
        let of = |need, at| KnownWindow {
            since: at,
            ..window(StatusKind::Waiting, need)
        };
        let ignored = KnownWindow {
            ignored: true,
            ..of(Some(Need::Permission), 1)
        };
        let mut windows = [
            of(None, 0),
            ignored,
            of(Some(Need::Done), 1),
            of(Some(Need::Question), 9),
            of(Some(Need::Question), 3),
            of(Some(Need::Permission), 20),
        ];
        windows.sort_by_key(KnownWindow::urgency);
        let order = windows.map(|window| (window.calls(), window.since));
        let need = |need, at| (Some(need), at);
        let calling = [
            need(Need::Permission, 20),
            need(Need::Question, 3),
            need(Need::Question, 9),
            need(Need::Done, 1),
        ];
        assert_eq!(order[..4], calling);
    }
}
