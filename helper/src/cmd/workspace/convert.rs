//! `workspace convert`: a YAML document as JSON, and the other way round.

use super::saving::{self, Made, SaveArgs};
use super::{surroundings, Reader};
use crate::workspace::find;
use crate::workspace::yaml::{self, Entry, Format, Node, Value};
use anyhow::Result;
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
    let env = surroundings(reader);
    args.save.check(&env)?;
    let source = find::find(&args.input, &env)?;
    let document = plain_flags(yaml::read_file(&source)?);
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

/// Keys that say yes or no.
const FLAGS: [&str; 3] = ["focus", "enter", "suppress_history"];

/// Whether what is below a key is the user's own, whatever its keys are called.
fn is_own(key: &str) -> bool {
    let names = ["environment", "options", "options_after", "global_options"];
    names.contains(&key) || key.starts_with("x-")
}

/// `focus: on` as a program reads it that knows no more than `true`.
fn plain_flags(node: Node) -> Node {
    let at = node.at;
    let value = match node.value {
        Value::List(items) => Value::List(items.into_iter().map(plain_flags).collect()),
        Value::Map(entries) => Value::Map(entries.into_iter().map(plain_entry).collect()),
        other => other,
    };
    Node { value, at }
}

fn plain_entry(entry: Entry) -> Entry {
    let Entry { key, value } = entry;
    let flag = value.flag().filter(|_| FLAGS.contains(&key.text.as_str()));
    let value = match flag {
        Some(flag) => flag.into(),
        None if is_own(&key.text) => value,
        None => plain_flags(value),
    };
    Entry { key, value }
}
