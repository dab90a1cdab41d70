//! `refresh`: one look, and the files brought up to date.

use crate::classify::{self, Rules};
use crate::cli::ServerArgs;
use crate::output;
use crate::process;
use crate::refresh::{self, How, Outcome, Pipeline};
use crate::status::paths::Paths;
use crate::status::{errors, read};
use crate::text;
use crate::tmux::client;
use crate::tmux::command::Tmux;
use crate::upkeep::{self, Pace};
use anyhow::{Context, Result};
use clap::Args;
use std::thread;
use std::time::Duration;

/// How long a refresh after a hook waits for the rest of a storm: fifty windows opened in a loop cost ten looks, not fifty.
const DEBOUNCE: Duration = Duration::from_millis(50);

/// How to refresh.
#[derive(Debug, Args)]
pub struct RefreshArgs {
    /// Called by this tmux hook: silent, always exits 0
    #[arg(long, value_name = "NAME", conflicts_with_all = ["print", "message"])]
    pub hook: Option<String>,
    /// Read every pane, and write the file even if nothing changed
    #[arg(long)]
    pub full: bool,
    /// Print the status file afterwards
    #[arg(long)]
    pub print: bool,
    /// Say on standard error what it cost this process, as JSON
    #[arg(long, hide = true)]
    pub stats: bool,
    /// Answer on the status line of this tmux client (empty: the current one), as the refresh key does
    #[arg(long, value_name = "CLIENT", hide = true)]
    pub message: Option<String>,
}

/// Runs it.
///
/// # Errors
/// Those of [`Pipeline::refresh`]; none when called from a hook.
pub fn run(args: &RefreshArgs, server: &ServerArgs) -> Result<u8> {
    let tmux = Tmux::new(server.socket());
    if args.hook.is_some() {
        thread::sleep(DEBOUNCE);
    }
    let (rules, _) = Rules::load(classify::user_folder().as_deref());
    let how = How {
        full: args.full,
        ..How::default()
    };
    let mut pipeline = Pipeline::new(tmux.clone(), rules);
    if args.hook.is_some() {
        // Whatever went wrong: output or a failure would show up in the user's active pane.
        if let Err(error) = upkeep::refresh_and_tell(&mut pipeline, how) {
            note(&tmux, &error);
        }
        return Ok(0);
    }
    let result = upkeep::refresh(&mut pipeline, how, &mut Pace::default());
    if let Some(name) = &args.message {
        let line = match &result {
            Ok(outcome) => answer(outcome),
            Err(error) => format!("tmux-status: {error:#}"),
        };
        client::message(&tmux, name, &line)?;
    }
    let outcome = result?;
    if let Some(known) = outcome.state.server.as_ref().filter(|_| !outcome.server) {
        let (here, owner) = (tmux.socket(), &known.server);
        let line = format!(
            "tmux-status: no server at {here}; the status file stays, since it belongs to the server {} at {}, which lives",
            owner.pid, owner.socket
        );
        output::warn(&text::clean(&line));
    }
    if args.stats {
        let cpu = process::own_cpu().as_micros();
        output::warn(&format!(
            "{{\"cpuMicroseconds\":{cpu},\"peakKiB\":{}}}",
            process::own_peak_kib().unwrap_or(0)
        ));
    }
    if args.print {
        let path = &outcome.paths.status;
        let file = read::bytes(path).with_context(|| format!("cannot print {}", path.display()))?;
        output::print(&file)?;
    }
    Ok(0)
}

/// `12 windows, 2 need you`.
fn answer(outcome: &Outcome) -> String {
    let (windows, needing) = outcome.state.counts();
    format!("{}, {}", text::count(windows, "window"), text::needing(needing))
}

fn note(tmux: &Tmux, error: &anyhow::Error) {
    if let Ok(paths) = Paths::of(tmux.socket()) {
        errors::note(&paths, refresh::now_ms() / 1000, &format!("{error:#}"));
    }
}
