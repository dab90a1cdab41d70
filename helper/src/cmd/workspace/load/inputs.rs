//! One document after the other: read all, looked at all, then built.

use super::check;
use super::follow::Followers;
use super::record::{Failed, Outcome};
use super::saved::Share;
use super::way::{self, Answer, Way};
use super::{Input, LoadArgs, PATIENCE};
use crate::cli::ServerArgs;
use crate::model::SessionId;
use crate::text;
use crate::tmux::build::run;
use crate::tmux::build::scene::{self, Running, Scene};
use crate::tmux::command::Tmux;
use crate::workspace::document::{self, Source};
use crate::workspace::env::Env;
use crate::workspace::load::stop::Stop;
use crate::workspace::load::{Builder, Built, Stage, Target};
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::spec::Session;
use crate::workspace::{find, plan};
use anyhow::Result;
use std::fs;
use std::path::PathBuf;

/// Reads all documents.
///
/// # Errors
/// Why the first that cannot be read cannot; its number.
pub fn read(args: &LoadArgs, inputs: &[String], env: &Env) -> Result<Vec<Input>, (Refusal, usize)> {
    let last = inputs.len().saturating_sub(1);
    let one = |(index, name): (usize, &String)| {
        let own = args.session_name.as_deref().filter(|_| index == last);
        let session = open(name, own, args.lenient, env).map_err(|refusal| (refusal, index))?;
        let name = name.clone();
        Ok(Input { name, session })
    };
    inputs.iter().enumerate().map(one).collect()
}

fn open(name: &str, session_name: Option<&str>, lenient: bool, env: &Env) -> Result<Session, Refusal> {
    let path = find::find(name, env)?;
    document::load(&Source {
        path: &path,
        env,
        session_name,
        lenient,
    })
}

/// What all of them have in common.
#[derive(Debug)]
pub struct Loading<'a> {
    /// The server.
    pub tmux: &'a Tmux,
    /// Whether somebody wants to stop.
    pub stop: &'a Stop,
    /// How the server was named.
    pub server: &'a ServerArgs,
    /// The size of new sessions.
    pub size: Option<(u32, u32)>,
    /// What is done with the last one; its user may change that.
    pub way: Way,
    /// Whether scripts get the terminal.
    pub terminal: bool,
    /// The configuration of a server that is started.
    pub config: Option<PathBuf>,
    /// The sessions that get the windows of others.
    pub shares: &'a [Share],
    /// The names of the sessions that were made.
    pub made: Vec<String>,
    /// How many of those that should share windows could not be made.
    pub left_out: usize,
}

/// What is to be done with one of them.
enum Task {
    Build(Target),
    Reuse(SessionId),
    Decline(Option<SessionId>),
}

impl Loading<'_> {
    /// Loads all of them, or those before the first that fails; the session to go to.
    pub fn all(&mut self, inputs: &[Input], followers: &mut Followers) -> Option<SessionId> {
        let mut scene = match self.check(inputs) {
            Ok(scene) => scene,
            Err((refusal, index)) => {
                followers.failed(Failed::before(&refusal, index), &refusal);
                return None;
            }
        };
        let starts = !scene.runs;
        if let (Some(file), false) = (&self.config, starts) {
            let line = format!("a server runs already: {} of -f is not read", file.display());
            followers.warn("config", line);
        }
        let mut session = None;
        for (index, input) in inputs.iter().enumerate() {
            self.share(index, inputs.len(), followers);
            followers.begin(index, input);
            let looked = match index {
                0 => Ok(std::mem::take(&mut scene)),
                _ => self.look(),
            };
            let is_last = index + 1 == inputs.len();
            let (built, name, done) = self.one(&input.session, looked, is_last, followers);
            if index == 0 && starts {
                self.warn_of_config(followers);
            }
            if let Err(refusal) = done {
                let failed = Failed::after(&refusal, Some(index), &built).called(&name);
                followers.failed(failed, &self.with_way_out(refusal, &name, &built));
                return None;
            }
            session = built.session.filter(|_| built.stage != Stage::Declined);
            if !matches!(built.stage, Stage::Declined | Stage::Reused) {
                self.made.push(name.clone());
            }
            let outcome = Outcome::of(&input.name, index, &name, &built);
            followers.done(outcome.with_document(&input.session));
        }
        self.share(inputs.len(), inputs.len(), followers).or(session)
    }

    /// Makes the sessions that share windows and come behind the first `after` inputs, of `count`; the last of them. One that
    /// cannot be made keeps no other back.
    fn share(&mut self, after: usize, count: usize, followers: &mut Followers) -> Option<SessionId> {
        let mut last = None;
        for (number, share) in self.shares.iter().enumerate() {
            if share.after != after {
                continue;
            }
            match self.shared(share) {
                Ok(id) => {
                    self.made.push(share.name.clone());
                    followers.done(Outcome::of_share(share, count + number, id));
                    last = Some(id);
                }
                Err(refusal) => {
                    self.left_out += 1;
                    let line = format!("the session {} is left out: {}", share.name, refusal.message);
                    followers.warn("session_left_out", line);
                }
            }
        }
        last
    }

    fn shared(&self, share: &Share) -> Result<SessionId, Refusal> {
        let scene = self.look()?;
        let with = scene.session(&share.with).ok_or_else(|| {
            let what = format!("it shares the windows of {}, which does not run", share.with);
            Refusal::new(Code::SessionNotFound, what)
        })?;
        run::share(self.tmux, with.id, &share.name).map_err(|failure| Refusal::of_tmux(self.tmux, &failure))
    }

    /// Loads one: what there is of it, the name of the session that it is in, and why it was not all.
    fn one(
        &mut self,
        session: &Session,
        looked: Result<Scene, Refusal>,
        is_last: bool,
        followers: &mut Followers,
    ) -> (Built, String, Result<(), Refusal>) {
        let task = looked.and_then(|scene| Ok((self.task(session, &scene, is_last)?, scene)));
        let (task, scene) = match task {
            Ok(task) => task,
            Err(refusal) => return (Built::default(), session.name.clone(), Err(refusal)),
        };
        let (mut built, mut done) = self.run(task, session, followers);
        if built.session.is_none() && done.as_ref().is_err_and(is_taken) {
            // Somebody else was faster.
            let task = self.look().and_then(|scene| self.task(session, &scene, is_last));
            (built, done) = match task {
                Ok(task) => self.run(task, session, followers),
                Err(refusal) => (built, Err(refusal)),
            };
        }
        let borrowed = built.session.filter(|_| !built.owned).and_then(|id| scene.by_id(id));
        let name = borrowed.map_or(&session.name, |running| &running.name).clone();
        (built, name, done)
    }

    /// Has a refusal say how what is left of a session that was made can be removed.
    fn with_way_out(&self, refusal: Refusal, name: &str, built: &Built) -> Refusal {
        if refusal.code != Code::Interrupted || !built.owned || built.session.is_none() {
            return refusal;
        }
        let target = text::for_shell(&format!("={name}"));
        let flag = self.server.flag();
        refusal.with_hint(format!("tmux{flag} kill-session -t {target} removes it"))
    }

    fn look(&self) -> Result<Scene, Refusal> {
        scene::look(self.tmux, self.server.own_pane()).map_err(|failure| Refusal::of_tmux(self.tmux, &failure))
    }

    /// Looks at the server, and whether all of them can be built there as far as can be told beforehand.
    fn check(&self, inputs: &[Input]) -> Result<Scene, (Refusal, Option<usize>)> {
        let scene = self.look().map_err(|refusal| (refusal, None))?;
        check::all(inputs, &scene, self.way)?;
        Ok(scene)
    }

    /// What the server cannot read of its configuration. No session shows that, as long as nobody is attached.
    fn warn_of_config(&self, followers: &mut Followers) {
        let Some(file) = &self.config else { return };
        // What is no plain file can be read only once.
        let text = Some(file)
            .filter(|file| file.is_file())
            .and_then(|file| fs::read(file).ok());
        let name = file.display().to_string();
        let told = text.map(|text| run::complaints(self.tmux, text, &name));
        for line in told.and_then(Result::ok).into_iter().flatten() {
            followers.warn("config", line);
        }
    }

    fn task(&mut self, session: &Session, scene: &Scene, is_last: bool) -> Result<Task, Refusal> {
        if self.way == Way::Append {
            return append(session, scene);
        }
        let asks = is_last && self.way == Way::Switch { ask: true };
        let unread = |error: anyhow::Error| Refusal::new(Code::FileFailed, format!("cannot ask: {error}"));
        if let Some(running) = scene.session(&session.name) {
            check::same(session, running)?;
            let declined = asks
                && self
                    .stop
                    .aside(|| way::ask_for_running(&session.name))
                    .map_err(unread)?
                    == Answer::Decline;
            return Ok(if declined {
                Task::Decline(Some(running.id))
            } else {
                Task::Reuse(running.id)
            });
        }
        let new = Task::Build(Target::New(self.size));
        if !asks {
            return Ok(new);
        }
        match self.stop.aside(way::ask_for_new).map_err(unread)? {
            Answer::Go => Ok(new),
            Answer::Decline => Ok(Task::Decline(None)),
            Answer::Stay => {
                self.way = Way::Detached;
                Ok(new)
            }
            Answer::Append => {
                self.way = Way::Append;
                append(session, scene)
            }
        }
    }

    fn run(&self, task: Task, session: &Session, followers: &mut Followers) -> (Built, Result<(), Refusal>) {
        match task {
            Task::Reuse(id) => (Built::untouched(Stage::Reused, Some(id)), Ok(())),
            Task::Decline(id) => (Built::untouched(Stage::Declined, id), Ok(())),
            Task::Build(target) => {
                let tmux = self.tmux.clone().within(PATIENCE);
                let mut builder = Builder {
                    tmux: &tmux,
                    stop: self.stop,
                    tell: &mut |event| followers.tell(event),
                    terminal: self.terminal,
                };
                let (built, done) = builder.build(session, target);
                let done = done.map_err(|refusal| match built.session {
                    None => with_stale(refusal, self.tmux, self.server),
                    Some(_) => refusal,
                });
                (built, done)
            }
        }
    }
}

/// Has a refusal to make a session say that TMUX names a server that is gone, if it is for that.
fn with_stale(refusal: Refusal, tmux: &Tmux, server: &ServerArgs) -> Refusal {
    let inside = std::env::var_os("TMUX").is_some_and(|value| !value.is_empty());
    if server.is_named() || !inside || !tmux.socket().nobody_listens() {
        return refusal;
    }
    refusal.with_hint("TMUX names a server that is gone: unset TMUX, or name the server: -L NAME or -S PATH")
}

/// Whether there is a session of that name by now.
fn is_taken(refusal: &Refusal) -> bool {
    refusal.code == Code::TmuxFailed && refusal.message.contains("duplicate session")
}

/// The windows go into the session that we are in, if their indexes are free there.
fn append(session: &Session, scene: &Scene) -> Result<Task, Refusal> {
    let id = way::own_session(scene)?;
    let running = scene.by_id(id).cloned().unwrap_or_else(|| Running::bare(id));
    plan::indexes(&session.windows, scene.base_index, &running.indexes(), &running.name)?;
    Ok(Task::Build(Target::Into(running)))
}
