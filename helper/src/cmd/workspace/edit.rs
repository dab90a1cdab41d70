//! `workspace edit`: a document in the user's editor.

use super::{surroundings, Reader};
use crate::process::script;
use crate::text;
use crate::workspace::env::Env;
use crate::workspace::find;
use crate::workspace::refusal::{Code, Refusal};
use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

/// Which document.
#[derive(Debug, Args)]
pub struct EditArgs {
    /// A file, a directory written as a path, or the name of a file in the workspace directory
    #[arg(value_name = "WORKSPACE")]
    input: String,
}

/// What programs are told: an editor that they name runs without a terminal.
#[derive(Debug, Serialize)]
struct Edited {
    schema_version: u32,
    command: &'static str,
    path: String,
    #[serde(flatten)]
    child: Child,
}

/// How a program ended, and what it printed.
#[derive(Debug, Serialize)]
pub struct Child {
    /// Its exit code; 128 and the number of a signal that has ended it.
    pub child_status: i32,
    /// What it printed.
    pub stdout: String,
    /// What it printed beside that.
    pub stderr: String,
    /// Whether more was printed than is told.
    pub truncated: bool,
}

/// The bytes of each stream that are told.
const MOST: usize = 1024 * 1024;

/// Runs it.
///
/// # Errors
/// When there is no such file, or the editor cannot be started. The exit code is the editor's.
pub fn run(args: &EditArgs, reader: Reader) -> Result<u8> {
    let env = surroundings(reader);
    let path = find::find(&args.input, &env)?;
    if !path.is_file() {
        let what = format!("{}: there is no such file", path.display());
        return Err(Refusal::new(Code::WorkspaceNotFound, what).into());
    }
    let words = editor(&env)?;
    let (program, rest) = words.split_first().context("the editor has no name")?;
    let mut command = Command::new(program);
    command.args(rest).arg(&path);
    if reader.is_program() {
        return captured(&mut command, &path, program, reader);
    }
    // What the user presses to leave something in the editor is not for us.
    let status = script::on_terminal(&mut command, || false).map_err(|error| unstarted(program, &error))?;
    Ok(exit_code(script::code(status)))
}

fn captured(command: &mut Command, path: &Path, program: &str, reader: Reader) -> Result<u8> {
    let ran = script::captured(command, MOST, || false, |_, _| {}).map_err(|error| unstarted(program, &error))?;
    let status = script::code(ran.status);
    let edited = Edited {
        schema_version: 1,
        command: "edit",
        path: path.display().to_string(),
        child: Child {
            child_status: status,
            stdout: String::from_utf8_lossy(&ran.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&ran.stderr).into_owned(),
            truncated: ran.truncated,
        },
    };
    super::print_record(&edited, reader)?;
    Ok(exit_code(status))
}

/// What `$EDITOR` says, as words; a shell is not asked.
fn editor(env: &Env) -> Result<Vec<String>, Refusal> {
    let written = env.text("EDITOR").map(str::trim).filter(|editor| !editor.is_empty());
    let written = written.unwrap_or("vi");
    let odd = |why: &str| {
        let what = format!("EDITOR is “{}”: {why}", text::clean(written));
        Refusal::new(Code::Usage, what).with_hint("it is a program and its arguments, quoted as for a shell")
    };
    let words = shell_words::split(written).map_err(|_| odd("a quotation mark is not closed"))?;
    match words.first() {
        Some(program) if !program.is_empty() => Ok(words),
        _ => Err(odd("it names no program")),
    }
}

fn unstarted(program: &str, error: &std::io::Error) -> Refusal {
    let why = match error.kind() {
        ErrorKind::NotFound => "there is no such program".to_owned(),
        _ => error.to_string(),
    };
    let what = format!("cannot start the editor {}: {why}", text::clean(program));
    Refusal::new(Code::FileFailed, what).with_hint("set EDITOR to the one that you use")
}

/// A child's exit code as ours.
pub fn exit_code(status: i32) -> u8 {
    u8::try_from(status).unwrap_or(1)
}
