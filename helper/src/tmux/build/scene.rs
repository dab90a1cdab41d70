//! What a server holds before something is built in it: one tmux process.

use super::super::command::{sequence, Failure, Tmux};
use super::super::drive::{all, record, records, refused, NO_SESSIONS};
use super::super::listing::nonce;
use super::super::literal;
use super::super::version;
use super::WAITING;
use crate::model::{PaneId, SessionId};
use std::collections::BTreeSet;

/// What a server holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scene {
    /// Whether there is one.
    pub runs: bool,
    /// Its version, as `#{version}` gives it.
    pub version: String,
    /// The lowest index that a window gets by itself in the session of the pane that was asked for.
    pub base_index: u32,
    /// Its sessions.
    pub sessions: Vec<Running>,
    /// The sessions that clients with a terminal show.
    pub shown: Vec<SessionId>,
    /// The session of the pane that was asked for, if there is such a pane.
    pub here: Option<SessionId>,
}

/// A session that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// Its id.
    pub id: SessionId,
    /// Its name, as tmux prints it.
    pub name: String,
    /// Its windows.
    pub windows: Vec<Standing>,
}

impl Running {
    /// One of which no more is known.
    pub fn bare(id: SessionId) -> Self {
        Self {
            id,
            name: id.to_string(),
            windows: Vec::new(),
        }
    }

    /// Whether it has a window of that name.
    pub fn has(&self, name: &str) -> bool {
        self.windows.iter().any(|window| is_printed(name, &window.name))
    }

    /// Whether it is only being built: it has the window that waits for the others.
    pub fn is_being_built(&self) -> bool {
        self.has(WAITING)
    }

    /// The indexes of its windows.
    pub fn indexes(&self) -> BTreeSet<u32> {
        self.windows.iter().map(|window| window.index).collect()
    }
}

/// Whether tmux prints a name so.
fn is_printed(name: &str, printed: &str) -> bool {
    name == printed || literal::kept(name) == printed
}

/// A window that stands somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Its index.
    pub index: u32,
    /// Its name, as tmux prints it.
    pub name: String,
}

impl Scene {
    /// The session of that name.
    pub fn session(&self, name: &str) -> Option<&Running> {
        self.sessions.iter().find(|running| is_printed(name, &running.name))
    }

    /// The session with that id.
    pub fn by_id(&self, id: SessionId) -> Option<&Running> {
        self.sessions.iter().find(|running| running.id == id)
    }
}

const SELF: [&str; 3] = ["#{version}", "#{base-index}", "#{session_id}"];
const WINDOW: [&str; 4] = ["#{session_id}", "#{window_index}", "#{session_name}", "#{window_name}"];
const CLIENT: [&str; 2] = ["#{client_control_mode}", "#{session_id}"];

/// Looks; `pane` is where this process runs, if in one of that server's panes. Where no server runs, the scene is empty, and its
/// version is that of the program.
///
/// # Errors
/// See [`Failure`]; a version that is too old is one.
pub fn look(tmux: &Tmux, pane: Option<PaneId>) -> Result<Scene, Failure> {
    match ask(tmux, pane) {
        Err(Failure::NoServer) => empty(tmux),
        scene => scene,
    }
}

fn empty(tmux: &Tmux) -> Result<Scene, Failure> {
    let answer = tmux.effect(&["-V"])?;
    let words = String::from_utf8_lossy(&answer.stdout);
    let version = words.split_whitespace().nth(1).unwrap_or_default().to_owned();
    new_enough(Scene {
        version,
        ..Scene::default()
    })
}

fn new_enough(scene: Scene) -> Result<Scene, Failure> {
    version::refusal(&scene.version).map_or(Ok(scene), Err)
}

fn ask(tmux: &Tmux, pane: Option<PaneId>) -> Result<Scene, Failure> {
    if tmux.socket().nobody_listens() {
        return Err(Failure::NoServer);
    }
    let (mark, nonce, end) = (nonce(), nonce(), nonce());
    // A pane that cannot be names no session.
    let target = pane.unwrap_or(PaneId(u32::MAX)).to_string();
    let commands = [
        vec!["display-message", "-p", "-t", &target, &record(&mark, &SELF)],
        vec!["list-windows", "-a", "-F", &record(&nonce, &WINDOW)],
        vec!["list-clients", "-F", &record(&end, &CLIENT)],
    ]
    .map(|words| words.into_iter().map(str::to_owned).collect());
    let answer = tmux.call(&sequence(commands.to_vec()))?;
    // A server that lives without sessions says its version, and has nothing to list, which tmux calls a failure.
    let is_empty = answer.stderr == NO_SESSIONS;
    if !answer.success && !is_empty {
        return Err(refused(tmux, answer));
    }
    let text = String::from_utf8_lossy(&answer.stdout);
    let mut scene = Scene {
        runs: true,
        ..Scene::default()
    };
    let (told, rest) = records(&text, &mark, SELF.len())?;
    for mut fields in told {
        scene.version = fields.owned()?;
        scene.base_index = fields.maybe()?.unwrap_or(0);
        scene.here = fields.maybe()?.filter(|_| pane.is_some());
    }
    if is_empty {
        return new_enough(scene);
    }
    let (windows, rest) = records(rest, &nonce, WINDOW.len())?;
    for mut fields in windows {
        let (session, index) = (fields.parse()?, fields.parse()?);
        let (session_name, name) = (fields.owned()?, fields.owned()?);
        let window = Standing { index, name };
        match scene.sessions.iter_mut().find(|running| running.id == session) {
            Some(running) => running.windows.push(window),
            None => scene.sessions.push(Running {
                id: session,
                name: session_name,
                windows: vec![window],
            }),
        }
    }
    for mut fields in all(rest, &end, CLIENT.len())? {
        let (program, session) = (fields.flag()?, fields.maybe::<SessionId>()?);
        scene.shown.extend(session.filter(|_| !program));
    }
    new_enough(scene)
}
