//! Folders of saved sessions among what is to be loaded: all their documents, and what was in front.

use super::LoadArgs;
use crate::model::SessionId;
use crate::tmux::command::Tmux;
use crate::tmux::drive::inventory::{self, Inventory, Session};
use crate::workspace::document;
use crate::workspace::env::Env;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::server_save::{self, Index, Windows};
use crate::workspace::{autosave, find};
use std::path::{Path, PathBuf};

/// What is to be loaded, and the folders that it came from.
#[derive(Debug, Default)]
pub struct Expanded {
    /// Documents, as they are written.
    pub inputs: Vec<String>,
    /// Sessions that share the windows of others.
    pub shares: Vec<Share>,
    /// What the folders' indexes say.
    indexes: Vec<Index>,
    /// How many sessions of the folders were left out, as their documents cannot be loaded.
    left_out: usize,
}

/// A session without a document: it gets the windows of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The index that says so.
    pub input: String,
    /// How many of the inputs come before it.
    pub after: usize,
    /// Its name.
    pub name: String,
    /// The name of that one.
    pub with: String,
}

/// Who is told, a word for programs and a line for people, of what is passed over.
type Warn<'a> = dyn FnMut(&'static str, String) + 'a;

/// The arguments with the documents of each folder of saved sessions in its place. A session of such a folder that runs already
/// is passed over, which is said: after a reboot its user may have begun to work. So is one whose document cannot be loaded, or
/// it would keep back all others. A dry run has those that run, too.
///
/// # Errors
/// When an index cannot be read, when all sessions of the folders run, when no document of them can be loaded, and when a flag
/// is for documents of one session.
pub fn expand(args: &LoadArgs, env: &Env, tmux: &Tmux, warn: &mut Warn<'_>) -> Result<Expanded, Refusal> {
    let mut expanded = Expanded::default();
    let mut running: Option<Inventory> = None;
    for (at, input) in args.inputs.iter().enumerate() {
        let folder = find::directory(input, env);
        let Some((folder, index)) = folder
            .map(|folder| open(&folder, tmux, &mut running, warn))
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
        for entry in &index.sessions {
            let is_it = |session: &Session| session.name == entry.name;
            if !args.dry_run && asked(tmux, &mut running).sessions.iter().any(is_it) {
                warn(
                    "session_runs",
                    format!("{}: runs already, and is left as it is", entry.name),
                );
                continue;
            }
            let file = match &entry.windows {
                Windows::File(file) => file,
                Windows::SameAs { session, .. } => {
                    expanded.shares.push(Share {
                        input: folder.join(server_save::INDEX).display().to_string(),
                        after: expanded.inputs.len(),
                        name: entry.name.clone(),
                        with: session.clone(),
                    });
                    continue;
                }
            };
            let path = folder.join(file);
            match document::load(&document::Source {
                path: &path,
                env,
                session_name: None,
                lenient: args.lenient,
            }) {
                Ok(_) => expanded.inputs.push(path.display().to_string()),
                Err(refusal) => {
                    let line = format!("the session {} is left out: {}", entry.name, refusal.message);
                    warn("session_left_out", line);
                    expanded.left_out += 1;
                }
            }
        }
        expanded.indexes.push(index);
    }
    if expanded.inputs.is_empty() && expanded.shares.is_empty() {
        if expanded.left_out > 0 {
            let what = "none of the sessions that were saved there can be loaded";
            return Err(Refusal::new(Code::InvalidWorkspace, what));
        }
        let what = "all the sessions that were saved there run already";
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
    warn: &mut Warn<'_>,
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
            for refusal in passed_over {
                let line = format!("a newer save is passed over: {}", refusal.message);
                warn("save_passed_over", line);
            }
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
            current = restored
                .map_err(|failure| Refusal::of_tmux(tmux, &failure))?
                .or(current);
        }
        Ok(current)
    }
}
