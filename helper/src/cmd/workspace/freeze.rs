//! `workspace freeze`: a session that runs, as a document.

use super::saving::{self, Made, Manner, SaveArgs};
use super::{server, Reader};
use crate::cli::ServerArgs;
use crate::tmux::command::Tmux;
use crate::workspace::env::Env;
use crate::workspace::freeze::Source;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::yaml::Format;
use anyhow::{Context, Result};
use clap::Args;

/// Which session, and where to.
#[derive(Debug, Args)]
pub struct FreezeArgs {
    /// Its name or id; without it the session of this pane, or the only one
    #[arg(value_name = "SESSION")]
    session: Option<String>,
    #[command(flatten)]
    save: SaveArgs,
    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

/// Runs it.
pub fn run(args: &FreezeArgs, server: &ServerArgs, reader: Reader) -> Result<u8> {
    let env = Env::of_process().context("cannot tell the current directory")?;
    if args.save.save_to.is_none() && !reader.is_program() {
        // Never a file that nobody has named: a session's name is no file's.
        let refusal = Refusal::new(Code::Usage, "no file is named to save to");
        return Err(refusal.with_hint("name it: -o FILE; --json prints the document").into());
    }
    args.save.check(&env)?;
    let server = server::choose(server, &env)?;
    let source = Source::read(&Tmux::new(server.socket()))?;
    let session = source.choose(args.session.as_deref(), server.own_pane(), server.own_session())?;
    let frozen = source.freeze(session)?;
    let comments = frozen.comments("tmux-status workspace freeze");
    // What is printed is JSON, whatever a file would be.
    let format = match args.save.save_to {
        Some(_) => args.save.chosen_format().unwrap_or(Format::Yaml),
        None => Format::Json,
    };
    let made = Made {
        command: "freeze",
        document: frozen.document(format).into(),
        format,
        offer: None,
        warnings: frozen.notes,
    };
    let manner = Manner {
        comments,
        quiet: args.quiet,
    };
    saving::deliver_with(&made, &args.save, reader, &env, &manner)
}
