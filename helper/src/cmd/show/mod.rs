//! `show`: the last status as a table for people, once or live, or the status file as it is.

mod live;
mod table;

use crate::cli::ServerArgs;
use crate::fault::Fault;
use crate::output;
use crate::process;
use crate::refresh;
use crate::status::paths::Paths;
use crate::status::read;
use crate::status::state::{KnownServer, State};
use crate::tmux::command::Tmux;
use crate::tmux::inquiry;
use anyhow::Result;
use clap::Args;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use table::Style;

/// How to show it.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Print the status file as it is
    #[arg(long, conflicts_with = "watch")]
    pub json: bool,
    /// Show it again whenever it changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
}

/// How long the server may take to say where the files are. A reader does not wait longer for one that hangs: the files
/// most likely are where this environment names them.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs it.
///
/// # Errors
/// When there is no status yet, or standard output cannot be written.
pub fn run(args: &ShowArgs, server: &ServerArgs) -> Result<u8> {
    let places = Places::find(server)?;
    if args.json {
        let bytes = read::bytes(&places.status).map_err(|error| places.nothing(&error))?;
        output::print(&bytes)?;
        return Ok(0);
    }
    if args.watch {
        live::run(&places, server)?;
        return Ok(0);
    }
    let mut style = Style::of_output();
    style.path = Some(&places.status);
    output::print(places.look()?.draw(seconds(), style).as_bytes())?;
    Ok(0)
}

fn seconds() -> u64 {
    refresh::now_ms() / 1000
}

fn has_ended(known: &KnownServer) -> bool {
    process::started(known.server.pid) != known.started
}

/// Where the two files are.
struct Places {
    status: PathBuf,
    state: PathBuf,
    /// What the commands in hints need to act on the same server.
    flag: String,
}

impl Places {
    /// As the server publishes them, else as the last refresh and this environment name them.
    fn find(server: &ServerArgs) -> Result<Self> {
        let tmux = Tmux::new(server.socket()).within(PATIENCE);
        let own = Paths::of(tmux.socket())?;
        let [status, state] = inquiry::published(&tmux);
        let state = state.unwrap_or_else(|| own.state.clone());
        // With the server went its options: the state remembers where the user wanted the file.
        let remembered = || Paths::with_status_file(own, State::read(&state).status_file).status;
        Ok(Self {
            status: status.unwrap_or_else(remembered),
            state,
            flag: server.flag(),
        })
    }

    /// What the files say now.
    fn look(&self) -> Result<table::Look> {
        let state = State::read(&self.state);
        if state.generated_at == 0 {
            return Err(match std::fs::metadata(&self.status) {
                Err(error) => self.nothing(&error),
                Ok(_) => self.fault(&self.state, "it is missing, damaged or of another version"),
            }
            .into());
        }
        let ended = state.server.as_ref().is_some_and(has_ended);
        Ok(table::Look { state, ended })
    }

    fn nothing(&self, error: &io::Error) -> Fault {
        self.fault(&self.status, &error.to_string())
    }

    fn fault(&self, path: &Path, why: &str) -> Fault {
        let flag = &self.flag;
        Fault::new(
            format!("no status to show from {}: {why}", path.display()),
            format!("tmux-status{flag} refresh makes one; tmux-status{flag} doctor says why the plugin has not"),
        )
    }
}
