//! `workspace freeze`: a session that runs, as a document.

use super::saving::{self, Made, Manner, SaveArgs};
use super::{server, surroundings, Reader};
use crate::cli::ServerArgs;
use crate::text;
use crate::tmux::command::Tmux;
use crate::tmux::drive::inventory::Session;
use crate::workspace::env::Env;
use crate::workspace::freeze::Source;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::yaml::Format;
use crate::workspace::{called, find, server_save};
use anyhow::Result;
use clap::Args;
use std::collections::BTreeSet;

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
    let env = surroundings(reader);
    args.save.check(&env)?;
    let named = server;
    let server = server::choose(named, &env)?;
    let source = Source::read(&Tmux::new(server.socket()))?;
    let session = source.choose(args.session.as_deref(), server.own_pane(), server.own_session())?;
    if args.save.save_to.is_none() && !reader.is_program() {
        // Never a file that nobody has named.
        let refusal = Refusal::new(Code::Usage, "no file is named to save to");
        let example = example(args, named, session, &env);
        return Err(refusal
            .with_hint(format!("name it: {example}; --json prints the document"))
            .into());
    }
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

/// The same command with a file that `load` finds by the session's name.
fn example(args: &FreezeArgs, server: &ServerArgs, session: &Session, env: &Env) -> String {
    let mut words = vec![called::name().to_owned(), "freeze".to_owned()];
    if let Some(path) = &server.socket_path {
        words.extend(["-S".to_owned(), text::for_shell(&path.to_string_lossy())]);
    } else if let Some(name) = &server.socket_name {
        words.extend(["-L".to_owned(), text::for_shell(name)]);
    }
    words.extend(args.session.as_deref().map(text::for_shell));
    let file = server_save::file_name(&session.name, &mut BTreeSet::new());
    let path = find::directory_to_save_in(env).map(|folder| env.shown(&folder.join(&file)));
    let path = path.unwrap_or(file);
    // Within quotes, a shell would not know the home.
    let path = match path.strip_prefix("~/") {
        Some(rest) => format!("~/{}", text::for_shell(rest)),
        None => text::for_shell(&path),
    };
    words.extend(["-o".to_owned(), path]);
    words.join(" ")
}
