//! `workspace convert`: a YAML document as JSON, and the other way round.

use super::saving::{self, Made, SaveArgs};
use super::Reader;
use crate::workspace::env::Env;
use crate::workspace::find;
use crate::workspace::yaml::{self, Format};
use anyhow::{Context, Result};
use clap::Args;

/// Which document, and where to.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// A file, a directory written as a path, or the name of a file in the workspace directory
    #[arg(value_name = "WORKSPACE")]
    input: String,
    #[command(flatten)]
    save: SaveArgs,
}

/// Runs it.
pub fn run(args: &ConvertArgs, reader: Reader) -> Result<u8> {
    let env = Env::of_process().context("cannot tell the current directory")?;
    args.save.check(&env)?;
    let source = find::find(&args.input, &env)?;
    let document = yaml::read_file(&source)?;
    let format = Format::of(&source).unwrap_or(Format::Yaml).other();
    let format = args.save.chosen_format().unwrap_or(format);
    let made = Made {
        command: "convert",
        document,
        format,
        offer: Some(source.with_extension(format.extension())),
        warnings: Vec::new(),
    };
    saving::deliver(&made, &args.save, reader, &env)
}
