//! `workspace save`: all sessions of a server as documents in a folder.

use super::{print_record, saving, server, surroundings, Reader};
use crate::cli::ServerArgs;
use crate::output;
use crate::status::paths::Paths;
use crate::text;
use crate::tmux::command::Tmux;
use crate::tmux::{inquiry, option};
use crate::workspace::autosave;
use crate::workspace::freeze::Source;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::server_save::{self, Entry, Saved};
use anyhow::Result;
use clap::Args;
use serde_json::json;
use std::ffi::OsString;
use std::path::Path;

/// Where to.
#[derive(Debug, Args)]
pub struct SaveAllArgs {
    /// The folder for all sessions of the server; `workspace load FOLDER/` builds them again
    #[arg(long, value_name = "FOLDER", required_unless_present = "background")]
    all: Option<OsString>,
    /// Replace files that are there
    #[arg(long)]
    force: bool,
    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,
    /// Where the option says, if anything has changed
    #[arg(long, hide = true, conflicts_with = "all")]
    background: bool,
}

/// Runs it.
pub fn run(args: &SaveAllArgs, server: &ServerArgs, reader: Reader) -> Result<u8> {
    let Some(folder) = &args.all else {
        return in_background(&Tmux::new(server.socket()));
    };
    let env = surroundings(reader);
    let tmux = Tmux::new(server::choose(server, &env)?.socket());
    let folder = env.path(folder);
    let saved = server_save::save(&Source::read(&tmux)?, &folder, args.force)?;
    tell(&saved, &folder, args.quiet, reader)?;
    Ok(0)
}

/// What the driver starts: nobody sees what it prints.
fn in_background(tmux: &Tmux) -> Result<u8> {
    let options = inquiry::reading(tmux).options;
    let value = options.get(option::AUTOSAVE);
    if let Some(folder) = autosave::folder(value, &Paths::of(tmux.socket())?) {
        match autosave::save(tmux, &folder) {
            // A server that has ended meanwhile has nothing to save.
            Err(Refusal {
                code: Code::TmuxUnavailable | Code::SessionNotFound,
                ..
            }) => {}
            done => drop(done?),
        }
    }
    Ok(0)
}

fn tell(saved: &Saved, folder: &Path, quiet: bool, reader: Reader) -> Result<()> {
    if reader.is_program() {
        let sessions: Vec<_> = saved.index.sessions.iter().map(Entry::record).collect();
        let record = json!({
            "schema_version": 1,
            "command": "save",
            "status": "ok",
            "destination": folder.display().to_string(),
            "sessions": sessions,
            "warnings": saved.notes,
        });
        return print_record(&record, reader);
    }
    if !quiet {
        saving::warn(&saved.notes, reader);
        let what = text::count(saved.index.sessions.len(), "session");
        output::print(format!("saved {what} in {}\n", text::clean(&folder.display().to_string())).as_bytes())?;
    }
    Ok(())
}
