//! Folders of saved sessions among what is to be loaded: all their documents, and what was in front.

use crate::cmd::workspace::Reader;
use crate::model::SessionId;
use crate::output;
use crate::text;
use crate::tmux::command::Tmux;
use crate::tmux::drive::inventory::{self, Inventory};
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
}

/// `inputs` with the documents of each folder of saved sessions in its place. A session of such a folder that runs already
/// is passed over, which is said: after a reboot its user may have begun to work.
///
/// # Errors
/// When an index cannot be read, and when all sessions of the folders run.
pub fn expand(inputs: &[String], env: &Env, tmux: &Tmux, reader: Reader) -> Result<Expanded, Refusal> {
    let mut expanded = Expanded::default();
    let mut running: Option<Inventory> = None;
    for input in inputs {
        let folder = find::directory(input, env);
        let Some((folder, index)) = folder
            .map(|folder| open(&folder, tmux, &mut running))
            .transpose()?
            .flatten()
        else {
            expanded.inputs.push(input.clone());
            continue;
        };
        let running = asked(tmux, &mut running);
        for entry in &index.sessions {
            if running.sessions.iter().any(|session| session.name == entry.name) {
                if !reader.is_program() {
                    output::warn(&text::clean(&format!(
                        "{}: runs already, and is left as it is",
                        entry.name
                    )));
                }
                continue;
            }
            expanded.inputs.push(folder.join(&entry.file).display().to_string());
        }
        expanded.indexes.push(index);
    }
    if expanded.inputs.is_empty() {
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
fn open(folder: &Path, tmux: &Tmux, running: &mut Option<Inventory>) -> Result<Option<(PathBuf, Index)>, Refusal> {
    if let Some(index) = server_save::read(folder)? {
        return Ok(Some((folder.to_owned(), index)));
    }
    if autosave::newest(folder).is_none() {
        return Ok(None);
    }
    let mark = server_save::mark(asked(tmux, running));
    match autosave::newest_before(folder, Some(&mark))? {
        Some(found) => Ok(Some(found)),
        // All are of the server that runs.
        None => autosave::newest_before(folder, None),
    }
}

impl Expanded {
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
