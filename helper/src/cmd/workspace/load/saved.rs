//! Folders of saved sessions among what is to be loaded: all their documents, and what was in front.

use crate::cmd::workspace::{saving, Reader};
use crate::model::SessionId;
use crate::tmux::command::Tmux;
use crate::tmux::drive::inventory::{self, Inventory};
use crate::workspace::document;
use crate::workspace::env::Env;
use crate::workspace::load;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::server_save::{self, Index};
use crate::workspace::{autosave, find};
use std::path::{Path, PathBuf};

/// What is to be loaded, and the folders that it came from.
#[derive(Debug, Default)]
pub struct Expanded {
    /// Documents, as they are written.
    pub inputs: Vec<String>,
    /// What the folders' indexes say.
    indexes: Vec<Index>,
    /// How many sessions of the folders were left out, as their documents cannot be loaded.
    left_out: usize,
}

/// `inputs` with the documents of each folder of saved sessions in its place. A session of such a folder that runs already
/// is passed over, which is said: after a reboot its user may have begun to work. So is one whose document cannot be loaded, or
/// it would keep back all others.
///
/// # Errors
/// When an index cannot be read, when all sessions of the folders run, and when no document of them can be loaded.
pub fn expand(inputs: &[String], lenient: bool, env: &Env, tmux: &Tmux, reader: Reader) -> Result<Expanded, Refusal> {
    let mut expanded = Expanded::default();
    let mut running: Option<Inventory> = None;
    let mut warnings = Vec::new();
    for input in inputs {
        let folder = find::directory(input, env);
        let Some((folder, index)) = folder
            .map(|folder| open(&folder, tmux, &mut running, &mut warnings))
            .transpose()?
            .flatten()
        else {
            expanded.inputs.push(input.clone());
            continue;
        };
        let running = asked(tmux, &mut running);
        for entry in &index.sessions {
            if running.sessions.iter().any(|session| session.name == entry.name) {
                // That is no news for a program: it is told what was made.
                if !reader.is_program() {
                    warnings.push(format!("{}: runs already, and is left as it is", entry.name));
                }
                continue;
            }
            let path = folder.join(&entry.file);
            match document::load(&document::Source {
                path: &path,
                env,
                session_name: None,
                lenient,
            }) {
                Ok(_) => expanded.inputs.push(path.display().to_string()),
                Err(refusal) => {
                    warnings.push(format!("the session {} is left out: {}", entry.name, refusal.message));
                    expanded.left_out += 1;
                }
            }
        }
        expanded.indexes.push(index);
    }
    saving::warn(&warnings, reader);
    if expanded.inputs.is_empty() {
        if expanded.left_out > 0 {
            let what = "none of the sessions that were saved there can be loaded: nothing was done";
            return Err(Refusal::new(Code::InvalidWorkspace, what));
        }
        let what = "all the sessions that were saved there run already: nothing was done";
        return Err(Refusal::new(Code::SessionMismatch, what));
    }
    Ok(expanded)
}

/// The server's sessions, asked for once; none without a server.
fn asked<'a>(tmux: &Tmux, running: &'a mut Option<Inventory>) -> &'a Inventory {
    running.get_or_insert_with(|| inventory::read(tmux).unwrap_or_default())
}

/// The index of a folder, or of the newest save in it that is not of the server that runs.
fn open(
    folder: &Path,
    tmux: &Tmux,
    running: &mut Option<Inventory>,
    warnings: &mut Vec<String>,
) -> Result<Option<(PathBuf, Index)>, Refusal> {
    if let Some(index) = server_save::read(folder)? {
        return Ok(Some((folder.to_owned(), index)));
    }
    if autosave::newest(folder).is_none() {
        return Ok(None);
    }
    let mark = server_save::mark(asked(tmux, running));
    let mut bad = Vec::new();
    let before = autosave::newest_before(folder, Some(&mark), &mut bad);
    // Else all are of the server that runs.
    let found = before.or_else(|| autosave::newest_before(folder, None, &mut Vec::new()));
    match (found, bad.pop()) {
        (None, Some(refusal)) => Err(refusal),
        (found, last) => {
            let passed_over = bad.into_iter().chain(last);
            warnings.extend(passed_over.map(|refusal| format!("a newer save is passed over: {}", refusal.message)));
            Ok(found)
        }
    }
}

impl Expanded {
    /// The exit code when all else is loaded: not all that was asked for is there if something was left out.
    pub fn code(&self) -> u8 {
        u8::from(self.left_out > 0)
    }

    /// Has the sessions called `made` remember their last windows; the session to go to, if one of the folders names it.
    ///
    /// # Errors
    /// When the server cannot be asked.
    pub fn settle(&self, tmux: &Tmux, made: &[String]) -> Result<Option<SessionId>, Refusal> {
        let mut current = None;
        for index in &self.indexes {
            let restored = server_save::restore(tmux, index, made);
            current = restored.map_err(|failure| load::refusal(tmux, &failure))?.or(current);
        }
        Ok(current)
    }
}
