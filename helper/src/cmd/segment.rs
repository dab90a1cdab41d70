//! `segment`: the text of the status line, for other bars.

use crate::cli::ServerArgs;
use crate::output;
use crate::reader::{Files, Look};
use crate::segment::Segment;
use crate::status::state::State;
use crate::tmux::command::Tmux;
use anyhow::Result;
use clap::{Args, ValueEnum};

/// How to print it.
#[derive(Debug, Args)]
pub struct SegmentArgs {
    /// For whom
    #[arg(long, value_enum, default_value = "plain")]
    pub format: Format,
}

/// Who reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Anyone: text without colours
    Plain,
    /// A tmux status line, from #(…): with tmux's colours
    Tmux,
}

/// Runs it.
///
/// # Errors
/// When there is nothing yet, with what to do about it.
pub fn run(args: &SegmentArgs, server: &ServerArgs) -> Result<u8> {
    let files = Files::find(&Tmux::new(server.socket()), server.flag())?;
    let look: Look = files.look()?;
    let state = if look.ended { State::default() } else { look.state };
    let segment = Segment::of(&state, files.theme());
    let line = match args.format {
        Format::Plain => segment.plain(),
        Format::Tmux => segment.for_tmux(),
    };
    output::print(format!("{line}\n").as_bytes())?;
    Ok(0)
}
