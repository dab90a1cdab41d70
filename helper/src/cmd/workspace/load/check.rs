//! Whether all documents can be built, as far as can be told before the first is: each as it will find things then.

use super::way::{self, Way};
use super::Input;
use crate::tmux::build::scene::{Running, Scene};
use crate::workspace::folders;
use crate::workspace::load::script;
use crate::workspace::plan;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::spec::{Pairs, Session};
use std::collections::{BTreeMap, BTreeSet};

/// Goes through all of them.
///
/// # Errors
/// Why the first that cannot be built cannot, and its number, if it is about one.
pub fn all(inputs: &[Input], scene: &Scene, way: Way) -> Result<(), (Refusal, Option<usize>)> {
    let mut foreseen = Foreseen::new(scene, way).map_err(|refusal| (refusal, None))?;
    for (index, input) in inputs.iter().enumerate() {
        let session = &input.session;
        let checked = plan::check_layouts(session, Some(&scene.version)).and_then(|()| foreseen.add(session));
        checked.map_err(|refusal| (refusal, Some(index)))?;
    }
    Ok(())
}

/// What can be told of all of them without tmux, for who only wants to know: what is wrong is refused, and of what a server may see
/// otherwise each is given a warning.
///
/// # Errors
/// Why the first that no tmux can build cannot be, and its number.
pub fn dry(inputs: &mut [Input]) -> Result<(), (Refusal, usize)> {
    for (index, input) in inputs.iter_mut().enumerate() {
        let session = &mut input.session;
        plan::check_layouts(session, None).map_err(|refusal| (refusal, index))?;
        // A session that runs is taken without its script.
        let script = session
            .before_script
            .as_ref()
            .and_then(|script| script::check(script).err());
        let foreseen = script.map(|refusal| refusal.message).into_iter();
        let missing = folders::missing(session);
        let missing = missing.iter().map(|missing| missing.line(session, None));
        let foreseen: Vec<String> = foreseen.chain(missing).collect();
        session.warnings.extend(foreseen);
    }
    Ok(())
}

/// What will be there.
struct Foreseen<'a> {
    scene: &'a Scene,
    /// Documents whose sessions are new, by name.
    new: BTreeMap<&'a str, &'a Session>,
    /// Where windows are appended.
    into: Option<&'a Running>,
    taken: BTreeSet<u32>,
    base_index: u32,
}

impl<'a> Foreseen<'a> {
    fn new(scene: &'a Scene, way: Way) -> Result<Self, Refusal> {
        let into = (way == Way::Append).then(|| way::own_session(scene)).transpose()?;
        let into = into.and_then(|id| scene.by_id(id));
        Ok(Self {
            scene,
            new: BTreeMap::new(),
            into,
            taken: into.map(Running::indexes).unwrap_or_default(),
            base_index: scene.base_index,
        })
    }

    fn add(&mut self, session: &'a Session) -> Result<(), Refusal> {
        if let Some(into) = self.into {
            self.base_index = base_index(&session.options).unwrap_or(self.base_index);
            let new = plan::indexes(&session.windows, self.base_index, &self.taken, &into.name)?;
            self.taken.extend(new);
        } else if let Some(running) = self.scene.session(&session.name) {
            return same(session, running);
        } else if let Some(earlier) = self.new.get(session.name.as_str()) {
            return same_as_new(session, earlier);
        } else {
            self.new.insert(&session.name, session);
        }
        session.before_script.as_ref().map_or(Ok(()), script::check)
    }
}

fn base_index(options: &Pairs) -> Option<u32> {
    let (_, value) = options.iter().rfind(|(name, _)| name == "base-index")?;
    value.parse().ok()
}

/// Whether a session that runs has all the windows that a document names; one that is still being built is believed to get them.
///
/// # Errors
/// When it has not.
pub fn same(session: &Session, running: &Running) -> Result<(), Refusal> {
    let has = |name: &str| running.is_being_built() || running.has(name);
    without(session, has, &format!("a session {} runs, but it has", session.name))
}

/// The same of a session that an earlier document makes. What its windows are called that tmux names nobody knows.
fn same_as_new(session: &Session, earlier: &Session) -> Result<(), Refusal> {
    let names: BTreeSet<Option<&str>> = earlier.windows.iter().map(|window| window.name.as_deref()).collect();
    let has = |name: &str| names.contains(&None) || names.contains(&Some(name));
    let what = format!("an earlier file makes the session {}, and that has", session.name);
    without(session, has, &what)
}

fn without(session: &Session, has: impl Fn(&str) -> bool, what: &str) -> Result<(), Refusal> {
    let names = session.windows.iter().filter_map(|window| window.name.as_deref());
    let missing: Vec<&str> = names.filter(|name| !has(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let line = format!("{what} no window {}", missing.join(", "));
    Err(Refusal::new(Code::SessionMismatch, line).with_hint("load it under another name: -s NAME"))
}
