//! `completions`: shell completions, made from the command line's own definition.

use crate::cli;
use crate::output;
use anyhow::Result;
use clap::Args;
use clap_complete::Shell;

/// Which shell.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// Runs it.
///
/// # Errors
/// When standard output cannot be written.
pub fn run(args: &CompletionsArgs) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli::whole(), "tmux-status", &mut script);
    output::print(&script)?;
    Ok(0)
}
