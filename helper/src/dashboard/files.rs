//! What the dashboard does with documents: it finds them, saves a session as one, and has one loaded. Other than the rest of
//! it, this reads and writes files.

use super::workspaces::Document;
use crate::model::SessionId;
use crate::process::child;
use crate::text::{clean, count};
use crate::tmux::command::Tmux;
use crate::workspace::env::Env;
use crate::workspace::find;
use crate::workspace::freeze::Source;
use crate::workspace::list;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::save::Destination;
use crate::workspace::server_save;
use crate::workspace::yaml::Format;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long a load may take: scripts before it, and shells that start slowly.
const PATIENCE: Duration = Duration::from_secs(300);

/// The documents of projects from here up to the home, the nearest first, then those for all projects.
pub fn list() -> Vec<Document> {
    let env = Env::of_process();
    let document = |(path, _): (PathBuf, _)| {
        let part = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let folder = path.parent().unwrap_or(&path);
        let (name, place) = match part(path.file_name()).starts_with('.') {
            // That of a project: its folder says more.
            true => (part(folder.file_name()), env.shown(&path)),
            false => (part(path.file_stem()), env.shown(folder)),
        };
        Document { path, name, place }
    };
    list::places(&env).into_iter().map(document).collect()
}

/// Why a session was not saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotSaved {
    /// In words.
    pub why: String,
    /// Whether only another file is in its way.
    pub taken: bool,
}

/// Saves a session in the folder for all projects, under its name; the path.
///
/// # Errors
/// When it is gone, or cannot be saved; with `replace`, a file in its place is none.
pub fn save(tmux: &Tmux, session: SessionId, replace: bool) -> Result<PathBuf, NotSaved> {
    saved(tmux, session, replace).map_err(|refusal| NotSaved {
        taken: refusal.code == Code::DestinationExists,
        why: refusal.message,
    })
}

fn saved(tmux: &Tmux, session: SessionId, force: bool) -> Result<PathBuf, Refusal> {
    let odd = |why: &str| Refusal::new(Code::FileFailed, why);
    let env = Env::of_process();
    let folder = find::directory_to_save_in(&env).ok_or_else(|| odd("HOME is not set"))?;
    let source = Source::read(tmux)?;
    let session = source.choose(Some(&session.to_string()), None, None)?;
    let frozen = source.freeze(session)?;
    let to = Destination {
        path: folder.join(server_save::file_name(&session.name, &mut BTreeSet::new())),
        format: Format::Yaml,
        force,
        makes_folder: true,
    };
    let comments = frozen.comments("tmux-status dashboard");
    to.write_below(&comments, &frozen.document(Format::Yaml).into())?;
    Ok(to.path)
}

/// What a load tells a program, of which there is one document.
#[derive(Debug, Deserialize)]
struct Loaded {
    results: Vec<LoadedSession>,
}

#[derive(Debug, Deserialize)]
struct LoadedSession {
    session_id: Option<String>,
    session_name: String,
    window_ids: Vec<String>,
    pane_ids: Vec<String>,
    reused: bool,
}

/// What it tells of a failure.
#[derive(Debug, Deserialize)]
struct NotLoaded {
    message: String,
}

/// What came of loading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// In words.
    pub said: String,
    /// The session.
    pub session: Option<SessionId>,
}

/// Loads a document by a process of its own.
///
/// # Errors
/// Why it was not loaded.
pub fn load(tmux: &Tmux, path: &Path) -> Result<Done, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.arg("-S").arg(tmux.socket().path());
    command.args(["workspace", "load", "-d", "--json", "--"]).arg(path);
    let ran = child::run(&mut command, None, PATIENCE, || ()).map_err(|error| error.to_string())?;
    let Some((output, ())) = ran else {
        return Err(format!("not loaded within {} s", PATIENCE.as_secs()));
    };
    match output.success {
        true => Ok(done(&output.stdout)),
        false => Err(why(&output.stderr)),
    }
}

fn done(told: &[u8]) -> Done {
    let loaded: Option<Loaded> = serde_json::from_slice(told).ok();
    let Some(session) = loaded.and_then(|loaded| loaded.results.into_iter().next()) else {
        return Done {
            said: "loaded".to_owned(),
            session: None,
        };
    };
    let name = clean(&session.session_name);
    let said = match session.reused {
        true => format!("{name}: runs already"),
        false => {
            let windows = count(session.window_ids.len(), "window");
            format!("{name}: {windows}, {}", count(session.pane_ids.len(), "pane"))
        }
    };
    let session = session.session_id.and_then(|id| id.parse().ok());
    Done { said, session }
}

/// The last line is the record; what stands before it is of others.
fn why(told: &[u8]) -> String {
    let told = String::from_utf8_lossy(told);
    let last = told.lines().last().unwrap_or_default();
    match serde_json::from_str::<NotLoaded>(last) {
        Ok(record) => clean(&record.message),
        Err(_) => clean(last),
    }
}
