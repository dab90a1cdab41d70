//! `workspace import`: a file of another program as a document.

use super::saving::{self, Made, SaveArgs};
use super::{surroundings, Reader};
use crate::workspace::document;
use crate::workspace::env::Env;
use crate::workspace::find;
use crate::workspace::import::{self, Imported, Program};
use crate::workspace::server_save;
use crate::workspace::yaml::Format;
use anyhow::Result;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};

/// Whose file.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct ImportArgs {
    #[command(subcommand)]
    program: ProgramCommand,
}

/// The programs.
#[derive(Debug, Subcommand)]
enum ProgramCommand {
    /// A file of teamocil
    Teamocil(SourceArgs),
    /// A file of tmuxinator
    Tmuxinator(SourceArgs),
}

/// Which file, and where to.
#[derive(Debug, Args)]
struct SourceArgs {
    /// A file, or a name in the directory where that program keeps its files
    #[arg(value_name = "SOURCE")]
    input: String,
    /// Give up what has no counterpart, and say what
    #[arg(long)]
    lossy: bool,
    #[command(flatten)]
    save: SaveArgs,
}

/// Runs it.
///
/// # Errors
/// As [`import::import`], and when the document cannot be saved.
pub fn run(args: &ImportArgs, reader: Reader) -> Result<u8> {
    let env = surroundings(reader);
    let (program, args) = match &args.program {
        ProgramCommand::Teamocil(args) => (Program::Teamocil, args),
        ProgramCommand::Tmuxinator(args) => (Program::Tmuxinator, args),
    };
    args.save.check(&env)?;
    let path = import::find(program, &args.input, &env)?;
    let mut imported = import::import(program, &path, &env, args.lossy)?;
    let format = args.save.chosen_format().unwrap_or(Format::Yaml);
    let offer = offer(&imported.name, format, &env);
    check(&mut imported, offer.as_deref().unwrap_or(&path), &env);
    let made = Made {
        command: "import",
        document: imported.document,
        format,
        offer,
        warnings: imported.warnings,
    };
    saving::deliver(&made, &args.save, reader, &env)
}

/// Where a person finds it again by its name: in the directory for all projects, the one that would count if none is there.
fn offer(name: &str, format: Format, env: &Env) -> Option<PathBuf> {
    let folder = find::directory_to_save_in(env)?;
    Some(folder.join(format!("{}.{}", server_save::file_stem(name), format.extension())))
}

/// Says so where the document could not be loaded as it is.
fn check(imported: &mut Imported, path: &Path, env: &Env) {
    let source = document::Source {
        path,
        env,
        session_name: None,
        lenient: false,
    };
    if let Err(refusal) = document::session(&imported.document, &source) {
        let what = format!("it cannot be loaded as it is: {}", refusal.message);
        imported.warnings.push(what);
    }
}
