//! `wait_for_attention`: returns when a window needs its user, and did not before.

use crate::classify::{self, Rules};
use crate::mcp::host::Host;
use crate::mcp::id::{number, SessionArg};
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{self, schema, Call, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::wait;
use crate::model::{Link, Need, WindowId};
use crate::process::locks;
use crate::reader::Files;
use crate::refresh::{How, Pipeline};
use crate::status::paths::Paths;
use crate::status::read::{self, Stamp};
use crate::status::state::{KnownSession, State};
use crate::status::window::KnownWindow;
use crate::tmux::command::{Failure, Tmux};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{sleep, Instant};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "wait_for_attention",
    title: "Wait For Attention",
    description:
        "Wait until a window needs its user: permission, question, failed, done. Give the cursor of the last reply as since, \
        and needs that came up between two calls are told, none twice. present_at_entry: without since, they were there \
        already; changed: they are new; server_gone: the server has ended. Parked and ignored windows never count.",
    toolset: Toolset::Inspect,
    hints: Hints::READ,
    capability: Capability::SCREEN,
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Waits(|host, arguments, call| Box::pin(run(host, arguments, call))),
};

/// How often it is looked.
const LOOK: Duration = Duration::from_secs(1);
/// How often the state's file is looked at where a driver keeps it up to date.
const GLANCE: Duration = Duration::from_millis(200);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Only this session: `$` id or exact name.
    #[serde(default)]
    session: Option<SessionArg>,
    /// Only these needs.
    #[serde(default)]
    kinds: Option<Vec<NeedArg>>,
    /// The cursor of the last reply.
    #[serde(default)]
    since: Option<String>,
    /// 30 when omitted, at most 600; 0 looks once.
    #[serde(default)]
    seconds: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum NeedArg {
    Permission,
    Question,
    Failed,
    Done,
}

impl From<Need> for NeedArg {
    fn from(need: Need) -> Self {
        match need {
            Need::Permission => Self::Permission,
            Need::Question => Self::Question,
            Need::Failed => Self::Failed,
            Need::Done => Self::Done,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Outcome {
    PresentAtEntry,
    Changed,
    Deadline,
    ServerGone,
    Cancelled,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    outcome: Outcome,
    /// Those that need their user, the most urgent first.
    windows: Vec<Row>,
    /// For the next call.
    cursor: String,
    /// The deadline that was kept.
    effective_seconds: u64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Row {
    session_id: String,
    window_id: String,
    /// The pane that speaks for it.
    pane_id: String,
    /// `session:index`.
    target: String,
    name: String,
    need: NeedArg,
    /// Epoch seconds at which it came up.
    need_since: u64,
    summary: String,
}

/// What is looked at, between two looks.
struct Watch {
    tmux: Tmux,
    pipeline: Option<Pipeline>,
    paths: Paths,
    state: PathBuf,
    known: Option<(Stamp, Arc<State>)>,
    looked: Option<Instant>,
}

async fn run(host: Arc<Host>, arguments: JsonObject, call: Call) -> Result<Value, Problem> {
    let args: Args = registry::read(arguments)?;
    let since = args.since.as_deref().map(Cursor::read);
    if since.as_ref().is_some_and(Option::is_none) {
        return Err(Problem::input("since is no cursor that wait_for_attention gave"));
    }
    let had_cursor = since.is_some();
    let mut seen = since.flatten().unwrap_or_default();
    let (seconds, end) = (
        wait::seconds(args.seconds),
        Instant::now() + wait::duration(args.seconds),
    );
    let mut looks = host.ask(Watch::start).await?;
    let reply = |outcome, windows, seen: &Cursor| {
        registry::reply(Reply {
            outcome,
            windows,
            cursor: seen.write(),
            effective_seconds: seconds,
        })
    };
    let mut first = true;
    loop {
        let seen_last = looks.borrow_and_update().clone();
        let Some(look) = seen_last else {
            let cancelled = call.cancelled.cancelled();
            tokio::select! {
                changed = looks.changed() => changed.map_err(|_| Problem::refused("the look broke off"))?,
                () = cancelled => return reply(Outcome::Cancelled, Vec::new(), &seen),
            }
            continue;
        };
        let Some(state) = look? else {
            return reply(Outcome::ServerGone, Vec::new(), &seen);
        };
        if first {
            if let Some(named) = args.session.as_ref().filter(|named| session(&state, named).is_none()) {
                return Err(Problem::gone(format!("there is no session {}", named.shown())));
            }
        }
        let rows = seen.take(&state, &args);
        if !rows.is_empty() {
            let entry = first && !had_cursor;
            let outcome = if entry {
                Outcome::PresentAtEntry
            } else {
                Outcome::Changed
            };
            return reply(outcome, rows, &seen);
        }
        first = false;
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return reply(Outcome::Deadline, Vec::new(), &seen);
        }
        tokio::select! {
            () = sleep(left) => {}
            changed = looks.changed() => changed.map_err(|_| Problem::refused("the looks broke off"))?,
            () = call.cancelled.cancelled() => return reply(Outcome::Cancelled, Vec::new(), &seen),
        }
    }
}

/// What a look has seen: nothing when the server has ended.
type Seen = Result<Option<Arc<State>>, Problem>;

impl Watch {
    /// Looks, in a thread of its own, until nobody listens any more. What it keeps between two looks is no other thread's.
    fn start(host: &Host) -> Result<watch::Receiver<Option<Seen>>, Problem> {
        let (tmux, paths, state) = Self::find(host)?;
        let (tell, looks) = watch::channel(None);
        let looking = move || {
            let mut watch = Self {
                tmux,
                pipeline: None,
                paths,
                state,
                known: None,
                looked: None,
            };
            loop {
                let seen = watch.look();
                let last = !matches!(seen, Ok(Some(_)));
                if tell.send(Some(seen)).is_err() || last {
                    break;
                }
                // Nobody wakes it: it is over within that time.
                thread::sleep(GLANCE);
            }
        };
        let started = thread::Builder::new().name("attention".to_owned()).spawn(looking);
        started.map_err(|error| Problem::refused(format!("cannot look: {error}")))?;
        Ok(looks)
    }

    fn find(host: &Host) -> Result<(Tmux, Paths, PathBuf), Problem> {
        if host.tmux.socket().nobody_listens() {
            return Err(Failure::NoServer.into());
        }
        let odd = |error: anyhow::Error| Problem::refused(format!("{error:#}"));
        let files = Files::find(&host.tmux, host.flag()).map_err(odd)?;
        let paths = Paths::of(host.tmux.socket()).map_err(odd)?;
        Ok((host.tmux.clone(), paths, files.state))
    }

    /// What the server's windows need now; nothing when it has ended.
    fn look(&mut self) -> Seen {
        // Where nothing tells whether a driver lives, a look of our own does no harm.
        let driven = locks::holder(&self.paths.driver_lock).is_some();
        let due = self.looked.is_none_or(|at| at.elapsed() >= LOOK);
        if !driven && due {
            self.looked = Some(Instant::now());
            let tmux = self.tmux.clone();
            let pipeline = self
                .pipeline
                .get_or_insert_with(|| Pipeline::new(tmux, Rules::load(classify::user_folder().as_deref()).0));
            let outcome = pipeline.refresh(How::default()).map_err(|error| {
                let mut problem = Problem::refused(format!("{error:#}"));
                problem.retryable = true;
                problem
            })?;
            self.state.clone_from(&outcome.paths.state);
            if !outcome.server {
                return Ok(None);
            }
        }
        let stamp = read::stamp(&self.state);
        match (&self.known, stamp) {
            (Some((known, _)), Some(stamp)) if *known == stamp => {}
            (_, Some(stamp)) => self.known = Some((stamp, Arc::new(State::read(&self.state)))),
            (_, None) => self.known = None,
        }
        let state = self.known.as_ref().map(|(_, state)| Arc::clone(state));
        let lives = |state: &Arc<State>| state.server.as_ref().is_some_and(|server| server.lives());
        match state {
            Some(state) if lives(&state) => Ok(Some(state)),
            // The driver may not have looked yet.
            _ if driven && !self.tmux.socket().nobody_listens() => Ok(Some(Arc::default())),
            _ => Ok(None),
        }
    }
}

/// The session that was named. An id goes before a name.
fn session<'s>(state: &'s State, named: &SessionArg) -> Option<&'s KnownSession> {
    let by_id = state.sessions.iter().find(|session| Some(session.id) == named.id());
    by_id.or_else(|| state.sessions.iter().find(|session| session.name == named.0))
}

/// Needs that were told: of which server, and since when.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Cursor {
    server: Option<(u32, u64)>,
    told: BTreeMap<WindowId, (Need, u64)>,
}

const NEEDS: [(Need, char); 4] = [
    (Need::Permission, 'p'),
    (Need::Question, 'q'),
    (Need::Failed, 'f'),
    (Need::Done, 'd'),
];

impl Cursor {
    /// The needs that were not told yet; from now on they are.
    fn take(&mut self, state: &State, args: &Args) -> Vec<Row> {
        let server = state
            .server
            .as_ref()
            .map(|known| (known.server.pid, known.started.unwrap_or(0)));
        if self.server != server {
            // Ids of another server mean nothing here.
            self.told.clear();
            self.server = server;
        }
        let calls = |window: &KnownWindow| {
            window
                .calls()
                .map(|need| (need, window.need_since.unwrap_or(window.since)))
        };
        self.told
            .retain(|id, told| state.windows.get(id).and_then(calls) == Some(*told));
        let named = args
            .session
            .as_ref()
            .and_then(|named| session(state, named))
            .map(|session| session.id);
        let wanted = |need: Need| args.kinds.as_ref().is_none_or(|kinds| kinds.contains(&need.into()));
        let mut found: Vec<(&KnownSession, &Link, &KnownWindow, (Need, u64))> = Vec::new();
        for session in state
            .sessions
            .iter()
            .filter(|session| args.session.is_none() || Some(session.id) == named)
        {
            for link in &session.windows {
                let window = state.windows.get(&link.window);
                let Some((window, calls)) = window.and_then(|window| Some((window, calls(window)?))) else {
                    continue;
                };
                let known = self.told.contains_key(&link.window) || found.iter().any(|one| one.1.window == link.window);
                if wanted(calls.0) && !known {
                    found.push((session, link, window, calls));
                }
            }
        }
        found.sort_by_key(|(_, _, window, _)| window.urgency());
        let rows = found.into_iter().map(|(session, link, window, (need, since))| {
            self.told.insert(link.window, (need, since));
            Row {
                session_id: session.id.to_string(),
                window_id: link.window.to_string(),
                pane_id: window.pane.to_string(),
                target: format!("{}:{}", session.name, link.index),
                name: window.name.clone(),
                need: need.into(),
                need_since: since,
                summary: window.summary.clone(),
            }
        });
        rows.collect()
    }

    fn write(&self) -> String {
        let (pid, started) = self.server.unwrap_or_default();
        let told = self.told.iter().map(|(id, (need, since))| {
            let letter = NEEDS
                .iter()
                .find(|(known, _)| known == need)
                .map_or('d', |(_, letter)| *letter);
            format!(";{id}{letter}{since}")
        });
        std::iter::once(format!("{pid}.{started}")).chain(told).collect()
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(';');
        let (pid, started) = parts.next()?.split_once('.')?;
        let server = (pid.parse().ok()?, started.parse().ok()?);
        let told = parts.map(|part| {
            let at = part.find(|c: char| c.is_ascii_lowercase())?;
            let (id, rest) = part.split_at(at);
            let mut rest = rest.chars();
            let letter = rest.next()?;
            let need = NEEDS.iter().find(|(_, known)| *known == letter)?.0;
            Some((WindowId(number(id, "@")?), (need, rest.as_str().parse().ok()?)))
        });
        Some(Self {
            server: Some(server).filter(|server| *server != (0, 0)),
            told: told.collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_went() {
        let mut cursor = Cursor {
            server: Some((42, 7)),
            told: BTreeMap::new(),
        };
        assert_eq!(Cursor::read(&cursor.write()), Some(cursor.clone()));
        cursor.told.insert(WindowId(3), (Need::Permission, 1_700_000_000));
        cursor.told.insert(WindowId(12), (Need::Done, 5));
        assert_eq!(cursor.write(), "42.7;@3p1700000000;@12d5");
        assert_eq!(Cursor::read(&cursor.write()), Some(cursor));
        for odd in [
            "",
            "x",
            "42",
            "42.7;",
            "42.7;@3",
            "42.7;3p5",
            "42.7;@3x5",
            "42.7;@3p",
            "42.7;@3p-1",
        ] {
            assert_eq!(Cursor::read(odd), None, "{odd:?}");
        }
    }
}
