//! `workspace`: sessions from files, and files from sessions. One file a subcommand.

use crate::cli::ServerArgs;
use crate::fault::Fault;
use crate::output;
use crate::text;
use crate::workspace::env::Env;
use crate::workspace::refusal::{Code, Refusal};
use anyhow::Result;
use clap::FromArgMatches;
pub use line::command;
use line::{Line, WorkspaceCommand};
use serde::Serialize;
use std::ffi::{OsStr, OsString};

mod convert;
mod debug_info;
mod edit;
mod freeze;
mod generate;
mod import;
mod line;
mod load;
mod ls;
mod save;
pub mod saving;
mod search;
mod server;
mod shell;

/// For whom results and errors are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// A person.
    Human,
    /// A program that reads one document.
    Json,
    /// A program that reads a record a line.
    Ndjson,
}

impl Reader {
    /// Whether it is a program: no colours, no questions, no progress.
    pub fn is_program(self) -> bool {
        self != Self::Human
    }
}

/// Runs what `words` ask for, the words behind `name`; `server` is the one that was named before that.
///
/// # Errors
/// Those of the subcommand, where people read them; programs get them as a record on standard error, and the exit code.
pub fn run(words: &[OsString], name: &'static str, server: &ServerArgs) -> Result<u8> {
    let all = std::iter::once(OsStr::new(name)).chain(words.iter().map(OsString::as_os_str));
    let parsed = command(name).bin_name(name).try_get_matches_from(all);
    let line = match parsed.and_then(|matches| Line::from_arg_matches(&matches)) {
        Ok(line) => line,
        Err(error) => return Ok(misused(&error, line::is_for_program(words))),
    };
    let reader = match (line.manner.ndjson, line.manner.json) {
        (true, _) => Reader::Ndjson,
        (_, true) => Reader::Json,
        _ => Reader::Human,
    };
    output::set_least(line.manner.log_level);
    told(dispatch(&line, name, server, reader), reader)
}

fn dispatch(line: &Line, name: &'static str, server: &ServerArgs, reader: Reader) -> Result<u8> {
    let Some(command) = &line.command else {
        return match line.generate {
            Some(what) => generate::run(what, name, reader),
            None => {
                let hint = format!("{name} --help says what there is");
                Err(Refusal::new(Code::Usage, "no command given").with_hint(hint).into())
            }
        };
    };
    if line.generate.is_some() {
        return Err(Refusal::new(Code::Usage, "--generate goes without a command").into());
    }
    let colours = line.manner.color.are_wanted() && !reader.is_program();
    match command {
        WorkspaceCommand::Load(asking) => load::run(&asking.args, &asking.server.or(server), reader),
        WorkspaceCommand::Convert(args) => convert::run(args, reader),
        WorkspaceCommand::Freeze(asking) => freeze::run(&asking.args, &asking.server.or(server), reader),
        WorkspaceCommand::Save(asking) => save::run(&asking.args, &asking.server.or(server), reader),
        WorkspaceCommand::Import(args) => import::run(args, reader),
        WorkspaceCommand::Ls(args) => ls::run(args, reader, colours),
        WorkspaceCommand::Search(args) => search::run(args, reader, colours),
        WorkspaceCommand::Edit(args) => edit::run(args, reader),
        WorkspaceCommand::Shell(asking) => shell::run(&asking.args, &asking.server.or(server), reader),
        WorkspaceCommand::DebugInfo(asking) => debug_info::run(&asking.server.or(server), reader),
    }
}

/// Tells of a command line that is none, or of what it asks for by itself: help and version. The exit code.
fn misused(error: &clap::Error, is_for_program: bool) -> u8 {
    if is_for_program && error.use_stderr() {
        let said = error.render().to_string();
        let what = said.split("\n\n").next().unwrap_or_default();
        let what = what.strip_prefix("error: ").unwrap_or(what);
        diagnose(&Refusal::new(Code::Usage, text::one_line(what, 1000)).into());
    } else {
        // Nobody listens any more when this fails.
        let _ = error.print();
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// The exit code of what was done; what failed is told to who reads it.
fn told(done: Result<u8>, reader: Reader) -> Result<u8> {
    done.or_else(|error| {
        let code = error.downcast_ref::<Refusal>().map_or(1, |refusal| refusal.code.exit());
        if reader.is_program() {
            diagnose(&error);
            return Ok(code);
        }
        match error.downcast::<Refusal>() {
            Ok(refusal) => Err(Fault {
                what: refusal.message,
                hint: refusal.hint,
                on_stdout: false,
                code,
            }
            .into()),
            Err(error) => Err(error),
        }
    })
}

/// What programs read of an error.
#[derive(Debug, Serialize)]
struct Diagnostic {
    schema_version: u32,
    code: Code,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// What is left of what was begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    retained_state: Option<serde_json::Value>,
}

/// Tells a program of an error: a record on standard error.
fn diagnose(error: &anyhow::Error) {
    let refusal = error.downcast_ref::<Refusal>();
    let record = Diagnostic {
        schema_version: 1,
        // What is no refusal of ours came from a file or a stream.
        code: refusal.map_or(Code::FileFailed, |refusal| refusal.code),
        message: text::clean(&format!("{error:#}")),
        hint: refusal.and_then(|refusal| refusal.hint.clone()),
        retained_state: None,
    };
    write(&record);
}

/// Tells a program of a load that has failed, and what is left of it.
pub(super) fn diagnose_load(refusal: &Refusal, retained: serde_json::Value) {
    write(&Diagnostic {
        schema_version: 1,
        code: refusal.code,
        message: text::clean(&refusal.message),
        hint: refusal.hint.clone(),
        retained_state: Some(retained),
    });
}

/// Where this is run. A directory that is gone is told and no more: what needs it will not be found.
fn surroundings(reader: Reader) -> Env {
    let env = Env::of_process();
    if env.is_nowhere() {
        let gone = "the directory that this is run in is gone: nothing is looked for there, and what names no other starts at home";
        saving::warn(&[gone.to_owned()], reader);
    }
    env
}

/// Prints a result for a program: one document, or one line for who reads records.
fn print_record(record: &impl Serialize, reader: Reader) -> Result<()> {
    let text = match reader {
        Reader::Ndjson => serde_json::to_string(record)?,
        _ => serde_json::to_string_pretty(record)?,
    };
    output::print(format!("{text}\n").as_bytes())?;
    Ok(())
}

fn write(record: &Diagnostic) {
    if let Ok(line) = serde_json::to_string(record) {
        output::warn(&line);
    }
}
