//! The `tmux-status` command: parse, run, and turn an error into one line and an exit code.

use clap::Parser;
use std::process::ExitCode;
use tmux_status::cli::{self, Cli};

fn main() -> ExitCode {
    match cli::run(Cli::parse()) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("tmux-status: {error:#}");
            ExitCode::FAILURE
        }
    }
}
