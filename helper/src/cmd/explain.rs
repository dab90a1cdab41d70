//! `explain`: why a window, or a recorded screen, has its verdict.

use crate::cli::ServerArgs;
use clap::Args;
use std::path::PathBuf;

/// What to explain, and how.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// Recorded screens to judge instead of a live window
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub sample: Vec<PathBuf>,
    /// One JSON object a line: id, statusKind, need, summary, rule, evidence
    #[arg(long)]
    pub json: bool,
}

/// Runs it.
pub fn run(_args: &ExplainArgs, _server: &ServerArgs) -> anyhow::Result<u8> {
    Ok(0)
}
