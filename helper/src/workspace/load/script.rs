//! The script that goes before the windows.

use super::event::{Event, ScriptOutput};
use super::{Builder, Built, Stage};
use crate::process::script::{self, Ran, Stream};
use crate::text;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::spec::{Script, Session};
use std::io;
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
            arguments: &script.arguments,
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
        let ran = script::captured(
            command,
            MOST,
            || stop.is_wanted(),
            |stream, bytes| {
                tell(&Event::ScriptPrinted {
                    is_error: stream == Stream::Err,
                    text: &String::from_utf8_lossy(bytes),
                });
            },
        )?;
        Ok(output(&ran))
    }
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
    let words: Vec<String> = script.arguments.iter().map(|word| text::for_shell(word)).collect();
    Refusal::new(Code::ScriptFailed, format!("before_script {}: {why}", words.join(" ")))
        .with_hint("it is run without a shell; for operators write: sh -c '…'")
}
