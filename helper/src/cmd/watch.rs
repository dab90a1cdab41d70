//! `watch`: the driver, for the plugin or by hand.

use crate::cli::ServerArgs;
use crate::tmux::command::Tmux;
use crate::watch::{self, Manner};
use anyhow::Result;
use clap::Args;

/// How to watch.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// For the plugin: leave the terminal, say nothing, and end when the plugin wants no driver
    #[arg(long, hide = true)]
    pub detached: bool,
}

/// Runs it.
///
/// # Errors
/// Those of [`watch::run`].
pub fn run(args: &WatchArgs, server: &ServerArgs) -> Result<u8> {
    let manner = Manner {
        detached: args.detached,
    };
    watch::run(&Tmux::new(server.socket()), manner)
}
