//! The script that goes before the windows.

use super::event::{Event, ScriptOutput};
use super::{Builder, Built, Stage};
use crate::process;
use crate::process::script::{self, Ran, Stream};
use crate::text;
use crate::workspace::document;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::spec::{Script, Session};
use std::io;
use std::path::PathBuf;
use std::process::Command;

/// The bytes of each of its streams that are kept.
const MOST: usize = 1024 * 1024;

impl Builder<'_> {
    /// Runs the document's script, if it has one.
    pub(super) fn script(&mut self, session: &Session, built: &mut Built) -> Result<(), Refusal> {
        let Some(script) = &session.before_script else {
            return Ok(());
        };
        built.stage = Stage::Script;
        let Some((program, arguments)) = script.arguments.split_first() else {
            return Ok(());
        };
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&script.directory);
        (self.tell)(&Event::ScriptStarted {
            arguments: &script.written,
        });
        let ended = if self.terminal {
            let stop = self.stop;
            script::on_terminal(&mut command, || stop.is_wanted()).map(|status| ScriptOutput {
                child_status: script::code(status),
                stdout: String::new(),
                stderr: String::new(),
                truncated: false,
                terminal: true,
                encoding: "utf-8",
            })
        } else {
            self.captured(&mut command)
        };
        let output = ended.map_err(|error| not_run(script, &error))?;
        (self.tell)(&Event::ScriptEnded {
            status: output.child_status,
        });
        let status = output.child_status;
        built.script = Some(output);
        self.stop.check()?;
        match status {
            0 => Ok(()),
            status => Err(failed(script, &format!("it ended with status {status}"))),
        }
    }

    fn captured(&mut self, command: &mut Command) -> io::Result<ScriptOutput> {
        let (stop, tell) = (self.stop, &mut *self.tell);
        let mut pending = [Vec::new(), Vec::new()];
        let mut tell = |is_error, text: String| {
            if !text.is_empty() {
                tell(&Event::ScriptPrinted { is_error, text: &text });
            }
        };
        let ran = script::captured(
            command,
            MOST,
            || stop.is_wanted(),
            |stream, bytes| {
                let [out, err] = &mut pending;
                let pending = if stream == Stream::Err { err } else { out };
                pending.extend_from_slice(bytes);
                tell(stream == Stream::Err, whole(pending));
            },
        )?;
        let [out, err] = pending.map(|rest| String::from_utf8_lossy(&rest).into_owned());
        tell(false, out);
        tell(true, err);
        Ok(output(&ran))
    }
}

/// Takes the text off the start of `bytes`, but for a character that has not come to its end yet.
fn whole(bytes: &mut Vec<u8>) -> String {
    let end = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    };
    let rest = bytes.split_off(end);
    let text = String::from_utf8_lossy(bytes).into_owned();
    *bytes = rest;
    text
}

/// Refuses a script that cannot be run, as it will not be there either when it is its turn.
///
/// # Errors
/// When there is no such program, or it may not be run.
pub fn check(script: &Script) -> Result<(), Refusal> {
    let Some(program) = script.arguments.first() else {
        return Ok(());
    };
    let places: Vec<PathBuf> = match std::env::var_os("PATH") {
        _ if program.contains('/') => vec![script.directory.join(program)],
        Some(path) => std::env::split_paths(&path)
            .map(|folder| script.directory.join(folder).join(program))
            .collect(),
        // The system looks where it wants.
        None => return Ok(()),
    };
    let files: Vec<&PathBuf> = places.iter().filter(|file| file.is_file()).collect();
    let why = match files.is_empty() {
        true => io::ErrorKind::NotFound,
        false if files.iter().any(|file| process::may_run(file)) => return Ok(()),
        false => io::ErrorKind::PermissionDenied,
    };
    Err(not_run(script, &why.into()))
}

fn output(ran: &Ran) -> ScriptOutput {
    let whole = std::str::from_utf8(&ran.stdout).is_ok() && std::str::from_utf8(&ran.stderr).is_ok();
    ScriptOutput {
        child_status: script::code(ran.status),
        stdout: String::from_utf8_lossy(&ran.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&ran.stderr).into_owned(),
        truncated: ran.truncated,
        terminal: false,
        encoding: if whole { "utf-8" } else { "utf-8-lossy" },
    }
}

fn not_run(script: &Script, error: &io::Error) -> Refusal {
    let why = match error.kind() {
        // The same is said of a missing folder.
        io::ErrorKind::NotFound if !script.directory.is_dir() => {
            format!("there is no folder {} to run it in", script.directory.display())
        }
        io::ErrorKind::NotFound => "there is no such program".to_owned(),
        io::ErrorKind::PermissionDenied => "it may not be run (chmod +x makes a file a program)".to_owned(),
        _ => error.to_string(),
    };
    failed(script, &why)
}

fn failed(script: &Script, why: &str) -> Refusal {
    let words: Vec<String> = script.written.iter().map(|word| text::for_shell(word)).collect();
    let refusal = Refusal::new(Code::ScriptFailed, format!("before_script {}: {why}", words.join(" ")));
    let operators = "it is run without a shell; for operators write: sh -c '…'".to_owned();
    let operators = script.has_operators.then_some(operators);
    let unset = (!script.unset.is_empty()).then(|| document::stays(&script.unset));
    let hints: Vec<String> = operators.into_iter().chain(unset).collect();
    match hints.is_empty() {
        true => refusal,
        false => refusal.with_hint(hints.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_that_comes_in_pieces_stays_whole() {
        let mut bytes = "aé漢".as_bytes()[..5].to_vec();
        assert_eq!((whole(&mut bytes).as_str(), bytes.len()), ("aé", 2));
        bytes.extend("漢".as_bytes().last());
        assert_eq!((whole(&mut bytes).as_str(), bytes.len()), ("漢", 0));
        let mut odd = b"a\xffb".to_vec();
        assert_eq!(whole(&mut odd), "a\u{fffd}b");
    }
}
