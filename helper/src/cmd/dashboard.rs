//! `dashboard`: every window in one view, and the way to it.

use crate::cli::ServerArgs;
use crate::dashboard::{self, Start};
use crate::tmux::command::Tmux;
use crate::tmux::option;
use crate::tmux::seat::Hints;
use anyhow::Result;
use clap::Args;

/// For whom.
#[derive(Debug, Args)]
pub struct DashboardArgs {
    /// Opened by its key, whose tmux client the environment names; without it, the client that shows this pane is meant
    #[arg(long, hide = true)]
    from_key: bool,
}

/// Runs it.
///
/// # Errors
/// Those of [`dashboard::run`].
pub fn run(args: &DashboardArgs, server: &ServerArgs) -> Result<u8> {
    // Only then: a pane that was opened while a dashboard was open has it in its environment, too.
    let client = args.from_key.then(|| std::env::var(option::CLIENT).ok()).flatten();
    dashboard::run(Start {
        tmux: Tmux::new(server.socket()),
        who: Hints {
            client,
            pane: server.own_pane(),
            session: server.own_session(),
        },
        flag: server.flag(),
    })?;
    Ok(0)
}
