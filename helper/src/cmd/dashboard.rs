//! `dashboard`: every window in one view, and the way to it.

use crate::cli::ServerArgs;
use crate::dashboard::{self, Start};
use crate::tmux::command::Tmux;
use anyhow::Result;
use clap::Args;

/// For whom.
#[derive(Debug, Args)]
pub struct DashboardArgs {
    /// The tmux client that goes where its user wants to, as the dashboard's key says; without it, the one that shows this pane
    #[arg(long, value_name = "CLIENT", default_value = "", hide = true)]
    client: String,
}

/// Runs it.
///
/// # Errors
/// Those of [`dashboard::run`].
pub fn run(args: &DashboardArgs, server: &ServerArgs) -> Result<u8> {
    dashboard::run(Start {
        tmux: Tmux::new(server.socket()),
        client: args.client.clone(),
        own: server.own_pane(),
        flag: server.flag(),
    })?;
    Ok(0)
}
