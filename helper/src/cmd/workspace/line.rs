//! The command line of workspaces. It is one of its own, below `tmux-status workspace` and as `tmux-workspace`: `-S` is a
//! socket where a server is asked, and smart case where files are searched.

use super::generate::What;
use super::{convert, debug_info, edit, freeze, import, load, ls, save, search, shell};
use crate::cli::ServerArgs;
use crate::output::{Colours, Level};
use clap::{Args, CommandFactory, Parser, Subcommand};
use std::ffi::OsString;

/// Build sessions from files, and write files from sessions.
#[derive(Debug, Parser)]
#[command(version, disable_help_subcommand = true, max_term_width = 100)]
pub struct Line {
    /// How to say what comes of it.
    #[command(flatten)]
    pub manner: Manner,
    /// Print the schema of documents, a shell's completions or the manual
    #[arg(long, value_name = "WHAT")]
    pub generate: Option<What>,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<WorkspaceCommand>,
}

/// How results and errors are said.
#[derive(Debug, Clone, Args)]
pub struct Manner {
    /// Results and errors as one JSON document
    #[arg(long, global = true)]
    pub json: bool,
    /// Results and errors as JSON, a record a line, as they come; wins over --json
    #[arg(long, global = true)]
    pub ndjson: bool,
    /// When to colour what people read; NO_COLOR forbids it always
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Colours,
    /// Tell and log what matters at least so much; otherwise warnings are told, and everything is logged
    #[arg(long, global = true, value_name = "LEVEL")]
    pub log_level: Option<Level>,
}

/// A subcommand that asks a server.
#[derive(Debug, Args)]
pub struct Asking<T: Args> {
    /// Which server.
    #[command(flatten)]
    pub server: ServerArgs,
    /// The rest.
    #[command(flatten)]
    pub args: T,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum WorkspaceCommand {
    /// Build sessions from files, then go to the last
    Load(Asking<load::LoadArgs>),
    /// Write a YAML document as JSON, or the other way round
    Convert(convert::ConvertArgs),
    /// Write a session that runs as a document
    Freeze(Asking<freeze::FreezeArgs>),
    /// Write all sessions of a server as documents in a folder
    Save(Asking<save::SaveAllArgs>),
    /// Write a file of another program as a document
    Import(import::ImportArgs),
    /// List the files that are found by name, or for this project
    Ls(ls::LsArgs),
    /// Find files by what is in them
    Search(search::SearchArgs),
    /// Open a file in your editor
    Edit(edit::EditArgs),
    /// Run a tmux command in a session, or a shell that knows one
    Shell(Asking<shell::ShellArgs>),
    /// Print versions and places, for a report of something that does not work
    DebugInfo(Asking<debug_info::DebugInfoArgs>),
}

/// The command line under that name.
pub fn command(name: &'static str) -> clap::Command {
    Line::command().name(name)
}

/// Whether a program reads the answer, as words say that may be no command line.
pub fn is_for_program(words: &[OsString]) -> bool {
    let mut flags = words.iter().take_while(|word| *word != "--");
    flags.any(|word| word == "--json" || word == "--ndjson")
}
