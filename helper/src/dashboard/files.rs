//! What the dashboard does with documents: it finds them, saves a session as one, and has one loaded. Other than the rest of
//! it, this reads and writes files.

use crate::model::SessionId;
use crate::process::child;
use crate::text::clean;
use crate::tmux::command::Tmux;
use crate::workspace::env::Env;
use crate::workspace::find;
use crate::workspace::freeze::Source;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::save::Destination;
use crate::workspace::server_save;
use crate::workspace::yaml::Format;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long a load may take: scripts before it, and shells that start slowly.
const PATIENCE: Duration = Duration::from_secs(300);

/// The documents of projects from here up to the home, the nearest first, then those for all projects.
pub fn list() -> Vec<PathBuf> {
    let Ok(env) = Env::of_process() else { return Vec::new() };
    let home = env.home();
    let mut found = Vec::new();
    for folder in env.directory.ancestors() {
        found.extend(find::in_project(folder));
        if Some(folder) == home {
            break;
        }
    }
    let entries = find::global_directory(&env).and_then(|folder| std::fs::read_dir(folder).ok());
    let mut all: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    all.retain(|path| Format::of(path).is_some() && path.is_file());
    all.sort();
    found.extend(all);
    found
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
    let env = Env::of_process().map_err(|error| odd(&error.to_string()))?;
    let folder = find::directory_to_save_in(&env).ok_or_else(|| odd("HOME is not set"))?;
    let source = Source::read(tmux)?;
    let session = source.choose(Some(&session.to_string()), None, None)?;
    let frozen = source.freeze(session)?;
    let to = Destination {
        path: folder.join(server_save::file_name(&session.name, &mut BTreeSet::new())),
        format: Format::Yaml,
        force,
    };
    let comments = frozen.comments("tmux-status dashboard");
    to.write_below(&comments, &frozen.document(Format::Yaml).into())?;
    Ok(to.path)
}

/// Loads a document by a process of its own; what it says.
///
/// # Errors
/// What it says when it fails.
pub fn load(tmux: &Tmux, path: &Path) -> Result<String, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.arg("-S").arg(tmux.socket().path());
    command
        .args(["workspace", "load", "-d", "-y", "--no-progress", "--"])
        .arg(path);
    let ran = child::run(&mut command, None, PATIENCE, || ()).map_err(|error| error.to_string())?;
    let Some((output, ())) = ran else {
        return Err(format!("not loaded within {} s", PATIENCE.as_secs()));
    };
    let said = |bytes: &[u8]| clean(String::from_utf8_lossy(bytes).lines().last().unwrap_or_default());
    let first = |bytes: &[u8]| clean(String::from_utf8_lossy(bytes).lines().next().unwrap_or_default());
    match output.success {
        true => Ok(said(&output.stdout)),
        false => Err(first(&output.stderr)),
    }
}
