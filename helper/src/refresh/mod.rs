//! The pipeline: one look, judged, settled and written.
//!
//! tmux answers in one process; the process table is read meanwhile. Only what moved is captured and judged again; what
//! was quiet keeps its verdict. The writers' lock is held from the look to the rename, so that files appear in the order
//! of looks.

pub mod aside;
mod look;

pub use look::with_evidence;

use crate::classify::Rules;
use crate::fault::Fault;
use crate::model::WindowId;
use crate::status::answers::{Answers, Cached};
use crate::status::lock::Lock;
use crate::status::notice;
use crate::status::paths::Paths;
use crate::status::state::{KnownServer, State};
use crate::status::{read, write};
use crate::summary::ai::config::Config;
use crate::tmux::command::{Failure, Tmux, ENDING};
use crate::tmux::option;
use crate::tmux::outline::{self, Outline};
use crate::tmux::snapshot::Settings;
use anyhow::Result;
use std::path::Path;
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A file older than this is written again although nothing changed, and every pane is captured again.
pub const FULL_INTERVAL: Duration = Duration::from_secs(60);

/// How long a refresh waits for another one. A storm's refreshes take milliseconds each.
const PATIENCE: Duration = Duration::from_secs(10);

/// How to refresh.
#[derive(Debug, Clone, Copy, Default)]
pub struct How {
    /// Capture every pane, and write even if nothing changed.
    pub full: bool,
    /// Note in the server that a driver lives, for this many seconds.
    pub driver_for: Option<u64>,
    /// First glance whether there is anything to look at.
    pub glance: bool,
}

/// What a refresh found and did.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The state after it.
    pub state: Rc<State>,
    /// Where the files are, with the user's option applied.
    pub paths: Paths,
    /// What the server's options said; defaults when there is no server.
    pub settings: Settings,
    /// Whether a server answered.
    pub server: bool,
    /// Windows that the user must be told of now, the most pressing first: nobody else will.
    pub due: Vec<WindowId>,
    /// Whether something waits to be told since this look.
    pub raised: bool,
    /// The state before it.
    pub before: Rc<State>,
    /// How a model is asked for summaries, when one is wanted.
    pub model: Option<Config>,
}

/// Epoch milliseconds.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Refreshes one server's files, once or again and again; what it wrote itself it need not read back.
pub struct Pipeline {
    tmux: Tmux,
    rules: Rules,
    /// What the last refresh found, and the stamp of the state's file then.
    known: Option<(read::Stamp, Outcome)>,
    /// The outline before the last look.
    outline: Option<Outline>,
    /// The status file's stamp and time of writing, when it last agreed with the state.
    agreed: Option<(read::Stamp, u64)>,
    /// What a model has said.
    answers: Cached,
    /// A server that lives and does not answer.
    out_of_reach: Option<KnownServer>,
}

impl Pipeline {
    /// A pipeline that knows nothing yet.
    pub fn new(tmux: Tmux, rules: Rules) -> Self {
        Self {
            tmux,
            rules,
            known: None,
            outline: None,
            agreed: None,
            answers: Cached::default(),
            out_of_reach: None,
        }
    }

    /// The server it looks at.
    pub fn tmux(&self) -> &Tmux {
        &self.tmux
    }

    /// What a model has said so far, by the file at `path`.
    pub fn answers(&mut self, path: &Path) -> Rc<Answers> {
        self.answers.read(path)
    }

    /// Judges by other rules from now on.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Looks at the server and brings both files up to date.
    ///
    /// # Errors
    /// When tmux gives no answer, when the files belong to another server that lives, or when they cannot be written. The
    /// old files stay in every such case.
    pub fn refresh(&mut self, how: How) -> Result<Outcome> {
        if let Some(outcome) = self.nothing_moved(how) {
            return Ok(outcome);
        }
        let outcome = self.look(how);
        if outcome.is_err() {
            // What it saw is nowhere.
            self.look_again();
        }
        outcome
    }

    /// Has the next glance be followed by a look, whatever it sees.
    pub fn look_again(&mut self) {
        self.outline = None;
    }

    fn look(&mut self, how: How) -> Result<Outcome> {
        let paths = Paths::of(self.tmux.socket())?;
        paths.make_folders().map_err(|e| Fault::unwritten(&e))?;
        let _lock = Lock::take(&paths.write_lock, PATIENCE).map_err(|e| Fault::unwritten(&e))?;
        let stamp = read::stamp(&paths.state);
        let before = match &self.known {
            Some((known, outcome)) if Some(*known) == stamp => Rc::clone(&outcome.state),
            _ => Rc::new(State::read(&paths.state)),
        };
        let now = now_ms();
        let remembered = match before.looked_at > now / 1000 {
            true => &before.not_after(now),
            false => &*before,
        };
        let answers = || self.answers.read(&paths.answers);
        let seen = look::look(&self.tmux, &self.rules, how, remembered, answers)?;
        let (mut state, settings, server, model) = match seen {
            Some(seen) => {
                let mut state = seen.state;
                seen.settings
                    .options
                    .get(option::FILE)
                    .clone_into(&mut state.status_file);
                (state, seen.settings, true, seen.model)
            }
            None if self.owner_stays(&before) => {
                // The server is out of reach, not gone: its file still holds.
                return Ok(Outcome {
                    state: Rc::clone(&before),
                    paths,
                    settings: Settings::default(),
                    server: false,
                    due: Vec::new(),
                    raised: false,
                    before,
                    model: None,
                });
            }
            None => (State::without_server(&before), Settings::default(), false, None),
        };
        let paths = paths.with_status_file(&state.status_file);
        let raised = notice::tell_at(&before).is_none() && notice::tell_at(&state).is_some();
        let due = notice::take_due(&mut state, now_ms());
        self.store(&mut state, &before, &paths, how)?;
        let outcome = Outcome {
            state: Rc::new(state),
            paths,
            settings,
            server,
            due: Vec::new(),
            raised: false,
            before,
            model,
        };
        self.known = read::stamp(&outcome.paths.state).map(|stamp| (stamp, outcome.clone()));
        Ok(Outcome { due, raised, ..outcome })
    }

    /// See [`owner_stays`]; a server that was waited for already is not waited for again.
    fn owner_stays(&mut self, before: &State) -> bool {
        if self.out_of_reach.is_some() && self.out_of_reach == before.server {
            return before.server.as_ref().is_some_and(KnownServer::lives);
        }
        let stays = owner_stays(&self.tmux, before);
        self.out_of_reach = before.server.clone().filter(|_| stays);
        stays
    }

    /// What the last refresh found, when a glance says that it still holds. Whatever is odd is left to a look.
    fn nothing_moved(&mut self, how: How) -> Option<Outcome> {
        let seconds = how.driver_for.filter(|_| how.glance && !how.full)?;
        // What may change without output must be looked at in any case; and without hooks nothing tells of panes.
        let restless = |state: &State| state.panes.values().any(|pane| pane.memory.verdict.volatile);
        if self
            .known
            .as_ref()
            .is_none_or(|(_, outcome)| restless(&outcome.state) || !outcome.settings.plugin_loaded)
        {
            self.outline = None;
            return None;
        }
        let now = now_ms() / 1000;
        let outline = outline::take(&self.tmux, now + seconds).ok();
        let same = outline.is_some() && outline == self.outline;
        self.outline = outline;
        let (stamp, outcome) = self.known.as_ref()?;
        let state = &outcome.state;
        let since = state.looked_at;
        let quiet = same
            && self
                .outline
                .as_ref()
                .is_some_and(|outline| outline.is_quiet_since(since));
        // The files must be there and young, whoever else may have had them in hand.
        let (written, at) = self.agreed?;
        let files = read::stamp(&outcome.paths.state) == Some(*stamp)
            && read::stamp(&outcome.paths.status) == Some(written)
            && [at, state.full_at]
                .iter()
                .all(|at| *at <= now && now - at < FULL_INTERVAL.as_secs());
        let tells = notice::tell_at(state).is_some_and(|at| at <= now_ms());
        (quiet && files && since <= now && !tells).then(|| outcome.clone())
    }

    /// Writes what changed for a reader: nothing, the state, or both.
    fn store(&mut self, state: &mut State, before: &State, paths: &Paths, how: How) -> Result<()> {
        let now = now_ms() / 1000;
        state.generated_at = now;
        // A time to come is the clock set back: such a file would never age.
        let is_fresh = |written_at: u64| written_at <= now && now - written_at < FULL_INTERVAL.as_secs();
        let same_to_a_reader = state.same_to_a_reader(before);
        // A look that was taken whole since it was time must be remembered, or the next one would be whole, too.
        let whole = state.full_at.saturating_sub(before.full_at) >= FULL_INTERVAL.as_secs();
        let agreed = self
            .agreed
            .filter(|(stamp, _)| read::stamp(&paths.status) == Some(*stamp));
        if same_to_a_reader && !how.full && !whole && agreed.is_some_and(|(_, at)| is_fresh(at)) {
            return Ok(());
        }
        let file = state.project().to_bytes()?;
        let on_disk = read::written(&paths.status);
        let mut written_at = on_disk.as_ref().map(|(at, _)| *at);
        let same = on_disk.map(|(_, rest)| rest) == read::split(&file).map(|(_, rest)| rest);
        let due = how.full || !written_at.is_some_and(is_fresh);
        let unwritten = |error: anyhow::Error| Fault::unwritten(&error);
        if due || !same {
            paths.make_folders().map_err(unwritten)?;
            write::replace(&paths.status, &file).map_err(unwritten)?;
            written_at = Some(now);
        }
        self.agreed = read::stamp(&paths.status).zip(written_at);
        if due || !same || whole || !same_to_a_reader {
            write::replace(&paths.state, &state.to_bytes()?).map_err(unwritten)?;
        }
        Ok(())
    }
}

/// Whether the server that `state` names lives, and not just for the moment that it takes to end: nobody would look again
/// after that. One at this very socket is waited for longer than one elsewhere, which most likely just lives.
fn owner_stays(tmux: &Tmux, state: &State) -> bool {
    let Some(known) = &state.server else { return false };
    let here = known.server.socket == tmux.socket().to_string();
    let end = Instant::now() + if here { ENDING } else { ENDING / 10 };
    while known.lives() {
        if Instant::now() >= end {
            return true;
        }
        thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Says what tmux would not do, and what to do about it.
pub fn refusal(tmux: &Tmux, failure: &Failure) -> Fault {
    let hint = match failure {
        Failure::NotInstalled | Failure::TooOld(_) => {
            "install tmux 3.2 or newer (Debian, Ubuntu: apt install tmux; macOS: brew install tmux)"
        }
        Failure::Hangs(_) => "the server or the terminal it draws on hangs; the next refresh will look again",
        _ => "tmux-status doctor shows what is wrong",
    };
    Fault::new(
        format!("cannot look at the tmux server at {}: {failure}", tmux.socket()),
        hint,
    )
}
