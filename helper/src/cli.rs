//! The command line: one subcommand a file in [`crate::cmd`], and what all of them share.
//!
//! The doc comments here and in those files are the help text.

use crate::cmd;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Knows what every tmux window is doing and which one needs you.
#[derive(Debug, Parser)]
#[command(name = "tmux-status", version, disable_help_subcommand = true, max_term_width = 100)]
pub struct Cli {
    /// Which server.
    #[command(flatten)]
    pub server: ServerArgs,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Names a tmux server as tmux itself does.
#[derive(Debug, Clone, Default, Args)]
pub struct ServerArgs {
    /// The server with this socket name, in tmux's own directory
    #[arg(short = 'L', value_name = "NAME", conflicts_with = "socket_path")]
    pub socket_name: Option<String>,
    /// The server at this socket; without -L and -S it is $TMUX's server, else the default one
    #[arg(short = 'S', value_name = "PATH")]
    pub socket_path: Option<PathBuf>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say why a window has its verdict: which rule fired on which lines, and why those above did not
    Explain(cmd::explain::ExplainArgs),
}

/// Runs what the command line asks for; the exit code on success, else the error to print.
pub fn run(cli: Cli) -> anyhow::Result<u8> {
    match cli.command {
        Command::Explain(args) => cmd::explain::run(&args, &cli.server),
    }
}
