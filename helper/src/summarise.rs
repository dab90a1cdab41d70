//! Asks a model for sentences, and keeps them for the looks to come.
//!
//! A process of its own does it: a model takes seconds, and neither the driver nor a hook may wait for it. One asks at a
//! time, whoever started it. What it leaves behind is a file; the looks take their words from there.

mod model;

use crate::classify::{self, Rules};
use crate::fault::Fault;
use crate::model::{PaneId, Window, WindowId};
use crate::process::{self, child};
use crate::refresh::{self, aside, now_ms, How, Outcome, Pipeline};
use crate::status::answers::{self, Answer, Answers};
use crate::status::lock::Lock;
use crate::status::paths::Paths;
use crate::status::settings;
use crate::status::state::State;
use crate::summary::ai::config::Config;
use crate::summary::ai::exclude::Exclude;
use crate::summary::ai::request::{self, Entry, Request};
use crate::summary::ai::{answer, due};
use crate::tmux::command::Tmux;
use crate::tmux::option::{self, Options};
use crate::tmux::snapshot::{self, Ask, Look};
use crate::tmux::{inquiry, listing};
use anyhow::{Context, Result};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A second far ahead: nothing is captured for having moved since then.
const NEVER: u64 = 99_999_999_999;

/// When this process last started one that asks. One that finds nothing to ask leaves no trace of its own.
static STARTED: Mutex<Option<Instant>> = Mutex::new(None);

/// A server whose windows a model may word, while this process alone asks.
pub struct Asker {
    tmux: Tmux,
    paths: Paths,
    /// How the model is asked.
    pub config: Config,
    answers: Answers,
    _lock: Lock,
}

/// What became of a request.
pub struct Told {
    /// The windows asked about, each with the words for it.
    pub windows: Vec<(WindowId, Option<answer::Said>)>,
    /// Bytes of the answer.
    pub bytes: usize,
}

/// The settings of the server at `tmux`.
pub fn options(tmux: &Tmux) -> Options {
    inquiry::reading(tmux).options
}

/// How the model is asked, by these options and the user's file.
///
/// # Errors
/// What is wrong with them; `None` when no model is wanted.
pub fn config(options: &Options) -> Result<Option<Config>> {
    let command = options.get(option::AI_COMMAND);
    settings::model(command).map_err(|why| {
        Fault::new(
            format!("cannot ask a model: {} is {command:?}: {why}", option::AI_COMMAND),
            "the README's section on summaries has lines to copy",
        )
        .into()
    })
}

/// Whether, after a look, a model should be asked: whoever starts the process asks this first.
pub fn is_due(pipeline: &mut Pipeline, outcome: &Outcome) -> bool {
    let (Some(config), true) = (&outcome.model, outcome.server) else {
        return false;
    };
    let last = *STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    if last.is_some_and(|at| at.elapsed() < Duration::from_secs(config.interval)) {
        return false;
    }
    let answers = pipeline.answers(&outcome.paths.answers);
    let (state, now) = (&outcome.state, now_ms() / 1000);
    if answers.ledger.running.is_some() {
        // It is still at it, or it was killed and has left its model behind: that one is cleared away.
        let last = answers.ledger.recent.last().copied().unwrap_or(0);
        return last.saturating_add(config.deadline + 5) < now;
    }
    if !due::may_call(config, state, &answers, now) {
        return false;
    }
    let exclude = exclude(&outcome.settings.options);
    let windows = due::windows(config, &exclude, state);
    due::any_new(config, state, &answers, &windows, now)
}

/// Starts a process that asks, and leaves it to itself. See [`aside::start`] for `helper`.
pub fn start(tmux: &Tmux, helper: &str) {
    *STARTED.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    // One that cannot be started leaves the rules' words, and is tried again.
    let _ = aside::start(tmux, helper, &["summarise", "--background"], &[]);
}

fn exclude(options: &Options) -> Exclude {
    let home = std::env::var("HOME").unwrap_or_default();
    Exclude::new(options.get(option::AI_EXCLUDE), &home)
}

/// What a model may be asked about now, whatever it was asked before. Nothing is written.
///
/// # Errors
/// When tmux gives no answer.
pub fn windows(tmux: &Tmux, config: &Config, options: &Options) -> Result<Vec<(WindowId, Entry)>> {
    let (state, look) = look(tmux, &Paths::of(tmux.socket())?, config, options)?;
    Ok(entries(config, &state, &look, None))
}

fn look(tmux: &Tmux, paths: &Paths, config: &Config, options: &Options) -> Result<(State, Look)> {
    let state = State::read(&paths.state);
    let refused = |failure| refresh::refusal(tmux, &failure);
    let ask = Ask {
        since: Some(NEVER),
        also: due::windows(config, &exclude(options), &state),
        ..Ask::default()
    };
    let (look, ()) = snapshot::take(tmux, &ask, || ()).map_err(refused)?;
    Ok((state, look))
}

/// The windows to ask about, as they are now; of those at rest alone, when `quiet_at` says at which second that counts.
fn entries(config: &Config, state: &State, look: &Look, quiet_at: Option<u64>) -> Vec<(WindowId, Entry)> {
    let snapshot = &look.snapshot;
    let entry = |id: &WindowId| {
        let (known, window) = (state.windows.get(id)?, snapshot.windows.get(id)?);
        let rows = snapshot.captures.get(&known.pane)?;
        let verdict = &state.panes.get(&known.pane)?.memory.verdict;
        let rests = quiet_at.is_none_or(|now| window.activity.saturating_add(config.quiet) <= now);
        let content = answers::content(rows);
        let entry = Entry {
            key: answers::key(content, &known.command, verdict.kind, known.need),
            name: window.name.clone(),
            command: known.command.clone(),
            kind: verdict.kind,
            summary: known.evident().1.to_owned(),
            screen: rows.clone(),
            width: pane_width(window, known.pane),
        };
        rests.then_some((*id, entry))
    };
    let exclude = exclude(&look.settings.options);
    due::windows(config, &exclude, state).iter().filter_map(entry).collect()
}

fn pane_width(window: &Window, id: PaneId) -> usize {
    let pane = window.panes.iter().find(|pane| pane.id == id);
    pane.map_or(0, |pane| pane.width as usize)
}

/// A request about the first of these windows that fit into one, and which they are.
pub fn request(config: &Config, windows: &[(WindowId, Entry)]) -> Option<Request> {
    let entries: Vec<Entry> = windows.iter().map(|(_, entry)| entry.clone()).collect();
    request::build(&entries, config.lines, config.bytes, &listing::nonce())
}

impl Asker {
    /// Takes the turn to ask; `None` when another process has it. A model that was left behind by one that was killed is
    /// cleared away.
    ///
    /// # Errors
    /// When the files have no place or cannot be written.
    pub fn take_turn(tmux: &Tmux, config: Config) -> Result<Option<Self>> {
        let paths = Paths::of(tmux.socket())?;
        let unwritten = |error: anyhow::Error| Fault::unwritten(&error);
        paths.make_folders().map_err(unwritten)?;
        let Some(lock) = Lock::try_take(&paths.answers_lock).map_err(unwritten)? else {
            return Ok(None);
        };
        let mut answers = Answers::read(&paths.answers);
        if let Some(left) = answers.ledger.running.take() {
            if process::started(left.pid) == left.started && left.started.is_some() {
                child::kill_group(left.pid);
            }
            answers.ledger.end(Err("whoever asked was killed".to_owned()));
            answers.write(&paths.answers).map_err(unwritten)?;
        }
        model::sweep(&paths.model_folder);
        Ok(Some(Self {
            tmux: tmux.clone(),
            paths,
            config,
            answers,
            _lock: lock,
        }))
    }

    /// Leaves those whose screen was never asked about.
    pub fn unasked(&self, mut windows: Vec<(WindowId, Entry)>) -> Vec<(WindowId, Entry)> {
        windows.retain(|(_, entry)| self.answers.get(entry.key).is_none());
        windows
    }

    /// Asks about the windows in `request`, which are the first of `windows`, and keeps the answer.
    ///
    /// # Errors
    /// Why there is no answer that can be used; it is kept, too, and spaces the calls to come.
    pub fn ask(&mut self, request: &Request, windows: &[(WindowId, Entry)]) -> Result<Told> {
        let now = now_ms() / 1000;
        self.answers.ledger.begin(now, request.keys.len(), request.text.len());
        self.save()?;
        let answered = model::run(&self.config, &self.paths.model_folder, &request.text, |running| {
            self.answers.ledger.running = Some(running);
            // Written for whoever finds it left behind; that it cannot be written stops nobody now.
            let _ = self.answers.write(&self.paths.answers);
        });
        model::sweep(&self.paths.model_folder);
        let read = answered.and_then(|bytes| {
            let start = || String::from_utf8_lossy(bytes.get(..200).unwrap_or(&bytes)).into_owned();
            match answer::read(&bytes, request.keys.len()) {
                Some(said) => Ok((said, bytes.len())),
                None if bytes.iter().all(u8::is_ascii_whitespace) => Err("it answered nothing".to_owned()),
                None => Err(format!("it answered without any words for a window: {}", start())),
            }
        });
        let outcome = read.as_ref().map(|(_, bytes)| *bytes).map_err(|why| model::told(why));
        self.answers.ledger.end(outcome);
        let at = now_ms() / 1000;
        let told = read.map(|(said, bytes)| {
            let words = |index: usize| said.iter().find(|said| said.index == index).cloned();
            let windows = windows.iter().take(request.keys.len()).enumerate();
            let windows: Vec<_> = windows.map(|(index, (id, _))| (*id, words(index))).collect();
            for (key, (_, said)) in request.keys.iter().zip(&windows) {
                let answer = Answer {
                    at,
                    summary: said.as_ref().map(|said| said.summary.clone()),
                    kind: said.as_ref().and_then(|said| said.kind),
                };
                self.answers.put(*key, answer);
            }
            Told { windows, bytes }
        });
        self.save()?;
        told.map_err(|why| {
            Fault::new(
                format!("cannot ask {}: {}", self.config.model, model::told(&why)),
                "try the command by hand; the rules' own summaries stand meanwhile",
            )
            .into()
        })
    }

    fn save(&mut self) -> Result<()> {
        let written = self.answers.write(&self.paths.answers);
        Ok(written.map_err(|error| Fault::unwritten(&error))?)
    }

    /// Has the files say what was answered.
    ///
    /// # Errors
    /// Those of a refresh.
    pub fn publish(&self) -> Result<Outcome> {
        let (rules, _) = Rules::load(classify::user_folder().as_deref());
        Pipeline::new(self.tmux.clone(), rules).refresh(How::default())
    }
}

/// Asks once, if it is time, for nobody who waits. Another one that asks already is as good.
///
/// # Errors
/// Why there is no answer.
pub fn in_background(tmux: &Tmux) -> Result<()> {
    // Fails for the leader of a process group, which has a session of its own.
    let _ = rustix::process::setsid();
    let options = options(tmux);
    let Some(config) = config(&options)? else {
        return Ok(());
    };
    let Some(mut asker) = Asker::take_turn(tmux, config)? else {
        return Ok(());
    };
    let (state, look) = look(tmux, &asker.paths, &asker.config, &options)?;
    let now = now_ms() / 1000;
    if !due::may_call(&asker.config, &state, &asker.answers, now) {
        return Ok(());
    }
    let windows = asker.unasked(entries(&asker.config, &state, &look, Some(now)));
    let Some(request) = request(&asker.config, &windows) else {
        return Ok(());
    };
    asker.ask(&request, &windows)?;
    asker.publish().context("cannot publish what the model said")?;
    Ok(())
}
