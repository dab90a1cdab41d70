//! What `convert`, `freeze` and `import` share: where the document goes, who is asked, what is said of it.

use super::{print_record, Reader};
use crate::output::{self, Level};
use crate::text;
use crate::workspace::env::Env;
use crate::workspace::find;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::save::Destination;
use crate::workspace::yaml::{self, Format, Node};
use anyhow::Result;
use clap::Args;
use serde::Serialize;
use std::ffi::OsString;
use std::io::{stdin, BufRead, IsTerminal, Write};
use std::path::PathBuf;

/// Where the document goes, and how.
#[derive(Debug, Args)]
pub struct SaveArgs {
    /// How it is written; otherwise, as the name of the file to save says
    #[arg(short = 'f', long = "workspace-format", value_name = "FORMAT")]
    pub format: Option<Format>,
    /// The file to save it in
    #[arg(short = 'o', long = "save-to", value_name = "FILE")]
    pub save_to: Option<OsString>,
    /// Do not ask
    #[arg(short = 'y', long)]
    pub yes: bool,
    /// Replace a file that is there
    #[arg(long)]
    pub force: bool,
}

/// A document that was made, and what a command says of it.
#[derive(Debug)]
pub struct Made {
    /// The command, as programs are told of it: `convert`.
    pub command: &'static str,
    /// The document.
    pub document: Node,
    /// The format when neither the user nor a file's name says one.
    pub format: Format,
    /// The file to offer a person who named none. None: one must be named.
    pub offer: Option<PathBuf>,
    /// What the user should know, a line each.
    pub warnings: Vec<String>,
}

/// What programs are told of a document that was saved.
#[derive(Debug, Serialize)]
struct Saved<'a> {
    schema_version: u32,
    command: &'a str,
    status: &'a str,
    destination: String,
    format: Format,
    warnings: &'a [String],
}

impl SaveArgs {
    /// The format that is asked for, by its name or by that of the file.
    pub fn chosen_format(&self) -> Option<Format> {
        let named = self.save_to.as_ref().map(PathBuf::from);
        self.format.or_else(|| named.and_then(|path| Format::of(&path)))
    }

    /// Refuses a file that is there and may not be replaced; to be asked before the work begins.
    ///
    /// # Errors
    /// As [`Destination::check`].
    pub fn check(&self, env: &Env) -> Result<(), Refusal> {
        self.named(env, Format::Yaml)
            .map_or(Ok(()), |destination| destination.check())
    }

    fn named(&self, env: &Env, format: Format) -> Option<Destination> {
        let path = env.path(self.save_to.as_ref()?);
        Some(destination(path, format, self.force, env))
    }
}

/// Saves what was made, or hands it over: programs that name no file get the bare document. The exit code.
///
/// # Errors
/// When no file is named or can be offered, one is in the way, or it cannot be written.
pub fn deliver(made: &Made, args: &SaveArgs, reader: Reader, env: &Env) -> Result<u8> {
    deliver_with(made, args, reader, env, &Manner::default())
}

/// What only some documents are saved with.
#[derive(Debug, Clone, Default)]
pub struct Manner {
    /// Lines above the document, where its format knows comments.
    pub comments: Vec<String>,
    /// Whether people are told nothing but errors.
    pub quiet: bool,
}

/// The same in a manner of its own.
///
/// # Errors
/// As [`deliver`].
pub fn deliver_with(made: &Made, args: &SaveArgs, reader: Reader, env: &Env, manner: &Manner) -> Result<u8> {
    let format = args.chosen_format().unwrap_or(made.format);
    let named = args.named(env, format);
    if named.is_none() && reader.is_program() {
        if !manner.quiet {
            warn(&made.warnings, reader);
        }
        print_bare(&made.document, reader)?;
        return Ok(0);
    }
    let destination = match named {
        Some(destination) => destination,
        None => {
            let offered = offered(made, args, format, env)?;
            offered.check()?;
            if !args.yes && !ask(&format!("Save to {}?", offered.path.display()))? {
                output::print(b"nothing was written\n")?;
                return Ok(0);
            }
            offered
        }
    };
    destination.write_below(&manner.comments, &made.document)?;
    if reader.is_program() || !manner.quiet {
        tell(made, &destination, reader)?;
    }
    Ok(0)
}

/// A place for a document; in the directory for all projects, which may not be there yet, nobody needs to make that.
fn destination(path: PathBuf, format: Format, force: bool, env: &Env) -> Destination {
    let makes_folder = path.parent() == find::directory_to_save_in(env).as_deref();
    Destination {
        path,
        format,
        force,
        makes_folder,
    }
}

fn offered(made: &Made, args: &SaveArgs, format: Format, env: &Env) -> Result<Destination, Refusal> {
    let path = made.offer.clone().ok_or_else(|| {
        Refusal::new(Code::Usage, "no file is named to save to").with_hint("name it: --save-to FILE, or -o FILE")
    })?;
    Ok(destination(path, format, args.force, env))
}

/// Asks a person at a terminal; anything but a yes is a no.
///
/// # Errors
/// When nobody can be asked.
pub fn ask(question: &str) -> Result<bool> {
    if !stdin().is_terminal() {
        let refusal = Refusal::new(
            Code::Usage,
            format!("there is nobody to ask: {}", text::clean(question)),
        );
        return Err(refusal.with_hint("-y says yes").into());
    }
    let mut err = std::io::stderr().lock();
    write!(err, "{} [y/N] ", text::clean(question))?;
    err.flush()?;
    let mut answer = String::new();
    stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

fn print_bare(document: &Node, reader: Reader) -> Result<()> {
    let text = match reader {
        Reader::Ndjson => format!("{}\n", yaml::compact(document)),
        _ => yaml::write(document, Format::Json),
    };
    output::print(text.as_bytes())?;
    Ok(())
}

fn tell(made: &Made, destination: &Destination, reader: Reader) -> Result<()> {
    if !reader.is_program() {
        warn(&made.warnings, reader);
        let path = destination.path.display().to_string();
        output::print(format!("saved to {}\n", text::clean(&path)).as_bytes())?;
        return Ok(());
    }
    let saved = Saved {
        schema_version: 1,
        command: made.command,
        status: "ok",
        destination: destination.path.display().to_string(),
        format: destination.format,
        warnings: &made.warnings,
    };
    print_record(&saved, reader)
}

/// Says on standard error what a user should know, if the user wants to: a line for people, a record for programs.
pub fn warn(warnings: &[String], reader: Reader) {
    if !output::is_wanted(Level::Warning, Level::Warning) {
        return;
    }
    for warning in warnings {
        let warning = text::clean(warning);
        if reader.is_program() {
            let record = serde_json::json!({ "schema_version": 1, "code": "warning", "message": warning });
            output::warn(&record.to_string());
        } else {
            output::warn(&format!("warning: {warning}"));
        }
    }
}
