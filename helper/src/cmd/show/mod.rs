//! `show`: the last status as a table for people, once or live, or the status file as it is.

mod live;
mod table;

use crate::cli::ServerArgs;
use crate::output;
use crate::reader::Files;
use crate::refresh;
use crate::tmux::command::Tmux;
use anyhow::Result;
use clap::Args;
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

/// Runs it.
///
/// # Errors
/// When there is no status yet, or standard output cannot be written.
pub fn run(args: &ShowArgs, server: &ServerArgs) -> Result<u8> {
    let files = Files::find(&Tmux::new(server.socket()), server.flag())?;
    if args.json {
        output::print(&files.status()?)?;
        return Ok(0);
    }
    if args.watch {
        live::run(files, server)?;
        return Ok(0);
    }
    let theme = files.theme();
    let style = Style {
        path: Some(&files.status),
        ..Style::of_output(&theme)
    };
    output::print(table::draw(&files.look()?, seconds(), style).as_bytes())?;
    Ok(0)
}

fn seconds() -> u64 {
    refresh::now_ms() / 1000
}
