//! One document after the other: read all, looked at all, then built.

use super::follow::Followers;
use super::record::{Failed, Outcome};
use super::way::{self, Answer, Way};
use super::{Input, LoadArgs};
use crate::cli::ServerArgs;
use crate::model::SessionId;
use crate::tmux::build::scene::{self, Running, Scene};
use crate::tmux::command::Tmux;
use crate::workspace::document::{self, Source};
use crate::workspace::env::Env;
use crate::workspace::load::stop::Stop;
use crate::workspace::load::{refusal, Builder, Built, Stage, Target};
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::spec::Session;
use crate::workspace::{find, plan};
use anyhow::Result;
use std::collections::BTreeSet;

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
    /// The names of the sessions that were made.
    pub made: Vec<String>,
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
        followers.start(inputs);
        let mut scene = match self.check(inputs) {
            Ok(scene) => scene,
            Err((refusal, index)) => {
                followers.failed(Failed::before(&refusal, index), &refusal);
                return None;
            }
        };
        let mut session = None;
        for (index, input) in inputs.iter().enumerate() {
            followers.begin(index, input);
            let looked = match index {
                0 => Ok(std::mem::take(&mut scene)),
                _ => self.look(),
            };
            let is_last = index + 1 == inputs.len();
            let (built, name, done) = self.one(&input.session, looked, is_last, followers);
            if let Err(refusal) = done {
                followers.failed(Failed::after(&refusal, Some(index), &built), &refusal);
                return None;
            }
            session = built.session.filter(|_| built.stage != Stage::Declined);
            if !matches!(built.stage, Stage::Declined | Stage::Reused) {
                self.made.push(name.clone());
            }
            followers.done(Outcome::of(&input.name, index, &name, &built));
        }
        session
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
        let (built, done) = self.run(task, session, followers);
        let borrowed = built.session.filter(|_| !built.owned).and_then(|id| scene.by_id(id));
        let name = borrowed.map_or(&session.name, |running| &running.name).clone();
        (built, name, done)
    }

    fn look(&self) -> Result<Scene, Refusal> {
        scene::look(self.tmux, self.server.own_pane()).map_err(|failure| refusal(self.tmux, &failure))
    }

    /// Looks at the server, and whether all of them can be built there as far as can be told beforehand.
    fn check(&self, inputs: &[Input]) -> Result<Scene, (Refusal, Option<usize>)> {
        let scene = self.look().map_err(|refusal| (refusal, None))?;
        if self.way == Way::Append {
            way::own_session(&scene).map_err(|refusal| (refusal, None))?;
        }
        for (index, input) in inputs.iter().enumerate() {
            let session = &input.session;
            let mut checked = plan::check_layouts(session, &scene.version);
            checked = checked.and_then(|()| plan::indexes(&session.windows, 0, &BTreeSet::new()).map(drop));
            match scene.session(&session.name) {
                Some(running) if self.way != Way::Append => checked = checked.and_then(|()| same(session, running)),
                _ => {}
            }
            checked.map_err(|refusal| (refusal, Some(index)))?;
        }
        Ok(scene)
    }

    fn task(&mut self, session: &Session, scene: &Scene, is_last: bool) -> Result<Task, Refusal> {
        if self.way == Way::Append {
            return append(session, scene);
        }
        let asks = is_last && self.way == Way::Switch { ask: true };
        let unread = |error: anyhow::Error| Refusal::new(Code::FileFailed, format!("cannot ask: {error}"));
        if let Some(running) = scene.session(&session.name) {
            same(session, running)?;
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
                let mut builder = Builder {
                    tmux: self.tmux,
                    stop: self.stop,
                    tell: &mut |event| followers.tell(event),
                    terminal: self.terminal,
                };
                builder.build(session, target)
            }
        }
    }
}

/// The windows go into the session that we are in, if their indexes are free there.
fn append(session: &Session, scene: &Scene) -> Result<Task, Refusal> {
    let id = way::own_session(scene)?;
    let running = scene.by_id(id);
    let taken: BTreeSet<u32> = running
        .iter()
        .flat_map(|running| &running.windows)
        .map(|window| window.index)
        .collect();
    plan::indexes(&session.windows, 0, &taken)?;
    Ok(Task::Build(Target::Into(id, taken)))
}

/// Whether a session that runs has all the windows that a document names.
fn same(session: &Session, running: &Running) -> Result<(), Refusal> {
    let names = session.windows.iter().filter_map(|window| window.name.as_deref());
    let missing: Vec<&str> = names.filter(|name| !running.has(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let line = format!(
        "a session {} runs, but it has no window {}; nothing was changed",
        session.name,
        missing.join(", ")
    );
    Err(Refusal::new(Code::SessionMismatch, line).with_hint("load it under another name: -s NAME"))
}
