//! Folders of saved sessions among what is to be loaded: all their documents, and what was in front.

use super::LoadArgs;
use crate::model::SessionId;
use crate::tmux::command::Tmux;
use crate::tmux::drive::inventory::{self, Inventory, Session};
use crate::workspace::env::Env;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::server_save::{self, Entry, Index};
use crate::workspace::{autosave, find};
use std::path::{Path, PathBuf};

/// What is to be loaded, and the folders that it came from.
#[derive(Debug, Default)]
pub struct Expanded {
    /// Documents, as they are written.
    pub inputs: Vec<String>,
    /// The names of those sessions of the folders that run already.
    pub passed_over: Vec<String>,
    /// What the folders' indexes say.
    indexes: Vec<Index>,
}

/// `inputs` with the documents of each folder of saved sessions in its place. A session of such a folder that runs already
/// is passed over, which is to be said: after a reboot its user may have begun to work. A dry run has all of them.
///
/// # Errors
/// When an index cannot be read, when all sessions of the folders run, and when a flag is for documents of one session.
pub fn expand(args: &LoadArgs, env: &Env, tmux: &Tmux) -> Result<Expanded, Refusal> {
    let mut expanded = Expanded::default();
    let mut running: Option<Inventory> = None;
    for (at, input) in args.inputs.iter().enumerate() {
        let folder = find::directory(input, env);
        let Some((folder, index)) = folder
            .map(|folder| open(&folder, tmux, &mut running))
            .transpose()?
            .flatten()
        else {
            expanded.inputs.push(input.clone());
            continue;
        };
        if args.append || args.session_name.is_some() && at + 1 == args.inputs.len() {
            let flag = if args.append { "--append" } else { "--session-name" };
            let what = format!("{flag} is for one session, and {input} is a folder of them");
            return Err(Refusal::new(Code::Usage, what).with_hint("name one of the files in it"));
        }
        let mut runs = |name: &str| {
            let is_it = |session: &Session| session.name == name;
            !args.dry_run && asked(tmux, &mut running).sessions.iter().any(is_it)
        };
        let (passed_over, left): (Vec<&Entry>, Vec<&Entry>) =
            index.sessions.iter().partition(|entry| runs(&entry.name));
        expanded
            .passed_over
            .extend(passed_over.iter().map(|entry| entry.name.clone()));
        let paths = left.iter().map(|entry| folder.join(&entry.file).display().to_string());
        expanded.inputs.extend(paths);
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
            current = restored
                .map_err(|failure| Refusal::of_tmux(tmux, &failure))?
                .or(current);
        }
        Ok(current)
    }
}
