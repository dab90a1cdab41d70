//! `workspace`: sessions from files, and files from sessions. One file a subcommand.

use crate::cli::ServerArgs;
use crate::fault::Fault;
use crate::output;
use crate::text;
use crate::workspace::refusal::{Code, Refusal};
use anyhow::Result;
use clap::{Args, Subcommand};
use serde::Serialize;

mod convert;
mod freeze;
mod load;
mod save;
pub mod saving;
mod server;

/// What to do with workspaces, and how to say it.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct WorkspaceArgs {
    /// Results and errors as one JSON document
    #[arg(long, global = true)]
    json: bool,
    /// Results and errors as JSON, a record a line, as they come; wins over --json
    #[arg(long, global = true)]
    ndjson: bool,
    #[command(subcommand)]
    command: WorkspaceCommand,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
enum WorkspaceCommand {
    /// Build sessions from files, then go to the last
    Load(load::LoadArgs),
    /// Write a YAML document as JSON, or the other way round
    Convert(convert::ConvertArgs),
    /// Write a session that runs as a document
    Freeze(freeze::FreezeArgs),
    /// Write all sessions of a server as documents in a folder
    Save(save::SaveAllArgs),
}

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

/// Runs it.
///
/// # Errors
/// Those of the subcommand, where people read them; programs get them as a record on standard error, and the exit code.
pub fn run(args: &WorkspaceArgs, server: &ServerArgs) -> Result<u8> {
    let reader = match (args.ndjson, args.json) {
        (true, _) => Reader::Ndjson,
        (_, true) => Reader::Json,
        _ => Reader::Human,
    };
    let done = match &args.command {
        WorkspaceCommand::Load(args) => load::run(args, server, reader),
        WorkspaceCommand::Convert(args) => convert::run(args, reader),
        WorkspaceCommand::Freeze(args) => freeze::run(args, server, reader),
        WorkspaceCommand::Save(args) => save::run(args, server, reader),
    };
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

fn write(record: &Diagnostic) {
    if let Ok(line) = serde_json::to_string(record) {
        output::warn(&line);
    }
}
