//! `workspace load`: sessions from files.

use super::Reader;
use crate::cli::ServerArgs;
use anyhow::Result;
use clap::Args;

/// Which files.
#[derive(Debug, Args)]
pub struct LoadArgs {
    /// A file, a directory written as a path, or the name of a file in the workspace directory
    #[arg(value_name = "WORKSPACE", required = true)]
    inputs: Vec<String>,
}

/// Runs it.
pub fn run(args: &LoadArgs, server: &ServerArgs, reader: Reader) -> Result<u8> {
    let _ = (args, server, reader);
    anyhow::bail!("not yet")
}
