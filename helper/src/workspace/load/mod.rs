//! Builds a session: a few tmux processes, whatever it holds.
//!
//! Made first is a session with a window that only waits; the script goes next; then settings, then windows and panes, some
//! windows in one process; then all shells are waited for together, and typed to; then comes what the document wants at the end. What fails on
//! the way takes the session with it, if it was made here.

mod built;
pub mod event;
mod option;
mod ready;
pub mod script;
pub mod stop;

use super::folders;
use super::plan::{self, Scope};
use super::refusal::{Code, Refusal};
use super::spec::{Pane, Session};
use crate::model::{PaneId, SessionId};
use crate::tmux::build::scene::Running;
use crate::tmux::build::{self, ready as panes, run, Group, Made, Settings};
use crate::tmux::command::{Answer, Failure, Tmux};
pub use built::{Built, Stage, Target};
use event::{Event, Warning};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use stop::Stop;

/// How many commands are typed in one process; what the server does in one pass nobody can interrupt.
const AT_ONCE: usize = 250;

/// Builds sessions.
pub struct Builder<'a> {
    /// The server.
    pub tmux: &'a Tmux,
    /// Whether somebody wants to stop.
    pub stop: &'a Stop,
    /// Who is told what happens.
    pub tell: &'a mut dyn FnMut(&Event<'_>),
    /// Whether scripts get our terminal; else what they print is captured.
    pub terminal: bool,
}

impl Builder<'_> {
    /// Builds one; what there is of it in any case, and why it was not all.
    pub fn build(&mut self, session: &Session, target: Target) -> (Built, Result<(), Refusal>) {
        let mut built = Built::default();
        let done = self.steps(session, target, &mut built);
        let done = done.map_err(|refusal| self.with_place(refusal, session));
        match &done {
            Ok(()) => built.stage = Stage::Completed,
            // Whoever stops it may want to look at what there is.
            Err(refusal) if refusal.code == Code::Interrupted => {}
            Err(_) => self.remove(&mut built),
        }
        let is_alone = built.owned && built.stage > Stage::Windows && self.tmux.socket().nobody_listens();
        let done = done.map_err(|refusal| match refusal.code {
            Code::TmuxUnavailable if is_alone => {
                refusal.with_hint("a server ends with its last session, and a session with its last program")
            }
            _ => refusal,
        });
        (built, done)
    }

    fn remove(&self, built: &mut Built) {
        if let Some(id) = built.session.filter(|_| built.owned) {
            built.removed = match run::kill_session(self.tmux, id) {
                Ok(()) | Err(Failure::NoServer) => true,
                // It has gone by itself when its last window did.
                Err(failure) => failure.to_string().contains("can't find"),
            };
        }
    }

    fn steps(&mut self, session: &Session, target: Target, built: &mut Built) -> Result<(), Refusal> {
        self.stop.check()?;
        let borrowed = self.begin(session, target, built)?;
        self.script(session, built)?;
        self.windows(session, borrowed.as_ref(), built)?;
        self.stop.check()?;
        built.stage = Stage::Readiness;
        self.wait_for_shells(session, built)?;
        self.warn_of_folders(session, built);
        built.stage = Stage::Commands;
        self.commands(session, built)?;
        built.stage = Stage::Finish;
        let id = id(built)?;
        let groups = plan::finish(id, session, &built.indexes, &built.made);
        let told = self.run_where_there(&groups, built)?;
        if !build::lives(&told, id) {
            return Err(gone(session));
        }
        let focused = session.windows.iter().any(|window| window.focus);
        (self.tell)(&Event::WorkspaceBuilt { session: id, focused });
        Ok(())
    }

    /// Makes the session, or takes the one that is there; that.
    fn begin(&mut self, session: &Session, target: Target, built: &mut Built) -> Result<Option<Running>, Refusal> {
        built.stage = Stage::Session;
        let (id, borrowed) = match target {
            Target::Into(running) => (running.id, Some(running)),
            Target::New(size) => {
                let folder = session.start_directory.to_string_lossy();
                let arguments = build::new_session(&session.name, &folder, size);
                let made =
                    run::create(self.tmux, &arguments).map_err(|failure| Refusal::of_tmux(self.tmux, &failure))?;
                built.owned = true;
                built.waiting = Some(made.1);
                (made.0, None)
            }
        };
        built.session = Some(id);
        if built.owned {
            let name = &session.name;
            (self.tell)(&Event::Session { id, name });
        }
        self.stop.check()?;
        Ok(borrowed)
    }

    fn windows(&mut self, session: &Session, borrowed: Option<&Running>, built: &mut Built) -> Result<(), Refusal> {
        built.stage = Stage::Settings;
        let id = id(built)?;
        let settings = self.settings(id, session, built)?;
        let taken = borrowed.map(Running::indexes).unwrap_or_default();
        let name = borrowed.map_or(&session.name, |running| &running.name);
        built.indexes = plan::indexes(&session.windows, settings.base_index, &taken, name)?;
        self.stop.check()?;
        built.stage = Stage::Windows;
        let room = built
            .waiting
            .map(|waiting| plan::make_room(id, waiting, settings.shown_index, &built.indexes));
        let windows = plan::windows(id, session, &built.indexes, &settings);
        let end = built
            .waiting
            .map(|waiting| plan::drop_waiting(id, session, waiting, &built.indexes));
        let mut batches = plan::batches(windows, &session.windows);
        if let Some(first) = batches.first_mut() {
            first.splice(0..0, room);
        }
        if let Some(last) = batches.last_mut() {
            last.extend(end);
        }
        for batch in batches {
            self.go_on(session, id, built)?;
            let answer = self.run(&batch)?;
            let made = build::read_made(&String::from_utf8_lossy(&answer.stdout));
            self.tell_made(session, &made);
            built.made.extend(made);
            if !answer.success {
                return Err(refused(&answer.stderr));
            }
        }
        let wanted: usize = session.windows.iter().map(|window| window.panes.len()).sum();
        if built.made.len() == wanted {
            Ok(())
        } else {
            Err(refused("not all panes were made, though it did not say why"))
        }
    }

    /// Goes on with more windows, unless a signal has come. What was made until then is a session like any other, without the window
    /// that waits: that would tell other loads that more is to come.
    fn go_on(&self, session: &Session, id: SessionId, built: &Built) -> Result<(), Refusal> {
        self.stop.check().inspect_err(|_| {
            if let Some(waiting) = built.waiting.filter(|_| !built.made.is_empty()) {
                // Its user is told of the signal, whatever comes of this.
                let _ = self.run(&[plan::drop_waiting(id, session, waiting, &built.indexes)]);
            }
        })
    }

    /// Sets what the session itself is to have; what must be known of it for its windows.
    fn settings(&self, id: SessionId, session: &Session, built: &mut Built) -> Result<Settings, Refusal> {
        // What is an option of windows would be set on the one that the session shows. In a new one that is of no matter.
        let before = match built.owned {
            true => Settings::default(),
            false => build::read_settings(&accepted(&self.run(&[build::tell_settings(id)])?)?),
        };
        let (wanted, groups) = plan::settings(id, session, &before);
        let answer = self.run(&groups)?;
        let settings = build::read_settings(&String::from_utf8_lossy(&answer.stdout));
        built.set = settings
            .set
            .iter()
            .filter_map(|number| wanted.get(*number).cloned())
            .collect();
        for setting in &mut built.set {
            if setting.scope == Scope::Session && settings.is_of_server(&setting.name) {
                setting.scope = Scope::Server;
            }
        }
        accepted(&answer)?;
        Ok(settings)
    }

    /// Where panes are whose folders are not there: which place tmux takes depends on its version.
    fn warn_of_folders(&mut self, session: &Session, built: &mut Built) {
        let missing = folders::missing(session);
        let Some(id) = built.session.filter(|_| !missing.is_empty()) else {
            return;
        };
        let places = panes::places(self.tmux, id).unwrap_or_default();
        for folder in missing {
            let is_first = |made: &&Made| folder.panes.first() == Some(&(made.window, made.pane));
            let place = built
                .made
                .iter()
                .find(is_first)
                .and_then(|made| places.get(&made.pane_id));
            let message = folder.line(session, place.map(String::as_str));
            self.warn(built, folders::CODE, message);
        }
    }

    fn tell_made(&mut self, session: &Session, all: &[Made]) {
        for made in all {
            let Some(window) = session.windows.get(made.window) else {
                continue;
            };
            if made.pane == 0 {
                (self.tell)(&Event::Window {
                    made,
                    name: window.name.as_deref(),
                });
            }
            (self.tell)(&Event::Pane { made });
        }
    }

    fn commands(&mut self, session: &Session, built: &mut Built) -> Result<(), Refusal> {
        let (beats, end) = plan::beats(typed(session, &built.made).map(|(made, pane)| (made.pane_id, pane)));
        let start = Instant::now();
        let wait = |until: Duration| self.stop.sleep(until.saturating_sub(start.elapsed()));
        let mut done = BTreeSet::new();
        let idle = typed(session, &built.made).filter(|(_, pane)| pane.commands.is_empty());
        self.tell_done(&built.made, &mut done, idle.map(|(made, _)| made.pane_id).collect());
        for beat in beats {
            wait(beat.at)?;
            for some in beat.groups.chunks(AT_ONCE) {
                self.stop.check()?;
                self.run_where_there(some, built)?;
            }
            self.tell_done(&built.made, &mut done, beat.done);
        }
        wait(end)
    }

    /// Tells of panes that get nothing more, and of windows that have no others.
    fn tell_done(&mut self, all: &[Made], done: &mut BTreeSet<PaneId>, new: Vec<PaneId>) {
        done.extend(&new);
        for made in all.iter().filter(|made| new.contains(&made.pane_id)) {
            (self.tell)(&Event::PaneDone { made });
        }
        for window in all.chunk_by(|one, next| one.window == next.window) {
            let is_new = window.iter().any(|made| new.contains(&made.pane_id));
            let whole = window.iter().all(|made| done.contains(&made.pane_id));
            if let Some(made) = window.last().filter(|_| is_new && whole) {
                (self.tell)(&Event::WindowDone { made });
            }
        }
    }

    fn run(&self, groups: &[Group]) -> Result<Answer, Refusal> {
        run::groups(self.tmux, groups).map_err(|failure| Refusal::of_tmux(self.tmux, &failure))
    }

    /// Runs groups; what they have printed. A pane or a window that has ended meanwhile, as with the command that was typed into
    /// it, is no failure.
    fn run_where_there(&mut self, groups: &[Group], built: &mut Built) -> Result<String, Refusal> {
        let answer = self.run(groups)?;
        let told = String::from_utf8_lossy(&answer.stdout).into_owned();
        if answer.success {
            return Ok(told);
        }
        let (gone, others): (Vec<&str>, Vec<&str>) = answer.stderr.lines().partition(|line| is_gone(line));
        if !others.is_empty() || gone.is_empty() {
            return Err(refused(&others.join("\n")));
        }
        let message = format!("something has ended before all of it was done: {}", gone.join("; "));
        self.warn(built, "pane_gone", message);
        Ok(told)
    }

    fn warn(&mut self, built: &mut Built, code: &'static str, message: String) {
        let warning = Warning { code, message };
        (self.tell)(&Event::Warning(&warning));
        built.warnings.push(warning);
    }
}

/// The panes that were made, with what the document says of them.
fn typed<'a>(session: &'a Session, made: &'a [Made]) -> impl Iterator<Item = (&'a Made, &'a Pane)> {
    made.iter()
        .filter_map(|made| Some((made, session.windows.get(made.window)?.panes.get(made.pane)?)))
}

fn id(built: &Built) -> Result<SessionId, Refusal> {
    built.session.ok_or_else(|| refused("there is no session"))
}

fn is_gone(line: &str) -> bool {
    let whats = ["pane", "window", "session"];
    whats
        .iter()
        .any(|what| line.contains(&format!("can't find {what}")) || line.contains(&format!("no such {what}")))
}

/// That all programs of a session have ended while it was built.
fn gone(session: &Session) -> Refusal {
    let line = format!("the session {} has ended with the last of its programs", session.name);
    Refusal::new(Code::SessionGone, line).with_hint("run what window_shell and shell say by hand, to see why it ends")
}

/// What was printed, unless tmux has said something against it.
fn accepted(answer: &Answer) -> Result<String, Refusal> {
    match answer.success {
        true => Ok(String::from_utf8_lossy(&answer.stdout).into_owned()),
        false => Err(refused(&answer.stderr)),
    }
}

/// What tmux has said against it, as a refusal.
fn refused(words: &str) -> Refusal {
    let words = match words.trim() {
        "" => "it failed without a word".to_owned(),
        words => words.lines().collect::<Vec<_>>().join("; "),
    };
    Refusal::new(Code::TmuxFailed, format!("tmux: {words}"))
}
