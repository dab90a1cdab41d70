//! `workspace shell`: a tmux command in a session, or a shell that knows one.

use super::edit::{exit_code, Child};
use super::{server, surroundings, Reader};
use crate::cli::ServerArgs;
use crate::output::{self, Level};
use crate::process::script;
use crate::text;
use crate::tmux::command::{Failure, Tmux};
use crate::tmux::site::{self, Missing, Site};
use crate::workspace::env::Env;
use crate::workspace::refusal::{Code, Refusal};
use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use std::io::{stdin, IsTerminal};
use std::process::Command;

/// Where, and what.
#[derive(Debug, Args)]
pub struct ShellArgs {
    /// A session's name or id; without it the session of this pane, or the only one
    #[arg(value_name = "SESSION")]
    session: Option<String>,
    /// A window of it: its name, index or id; without it the one that it shows
    #[arg(value_name = "WINDOW")]
    window: Option<String>,
    /// Run these tmux commands there, written as words for tmux, with “;” between them; without it, open your shell with TMUX_SESSION, TMUX_WINDOW and
    /// TMUX_PANE set
    #[arg(short, long = "command", value_name = "COMMANDS")]
    command: Option<String>,
}

/// What programs are told.
#[derive(Debug, Serialize)]
struct Ran {
    schema_version: u32,
    command: &'static str,
    session_id: String,
    window_id: String,
    pane_id: String,
    #[serde(flatten)]
    child: Child,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
}

/// What tmuxp's users expect of the flag.
const NOT_PYTHON: &str = "-c takes commands of tmux, as in -c 'split-window -h', and no Python";

/// Runs it.
///
/// # Errors
/// When there is no such session or window, tmux gives no answer, or a shell has no terminal. The exit code is tmux's, or the
/// shell's.
pub fn run(args: &ShellArgs, named: &ServerArgs, reader: Reader) -> Result<u8> {
    let env = surroundings(reader);
    let server = server::choose(named, &env)?;
    if args.command.is_none() && (reader.is_program() || !stdin().is_terminal()) {
        let refusal = Refusal::new(Code::Usage, "a shell needs a terminal, and a person at it");
        return Err(refusal.with_hint("-c 'COMMANDS' runs tmux commands without one").into());
    }
    let tmux = Tmux::new(server.socket());
    let own = (server.own_session(), server.own_pane());
    let site = site::find(&tmux, args.session.as_deref(), args.window.as_deref(), own).map_err(refusal)?;
    match &args.command {
        Some(commands) => in_tmux(&tmux, &site, commands, reader),
        None => interactive(&tmux, &site, &env),
    }
}

fn refusal(missing: Missing) -> Refusal {
    match missing {
        Missing::Session(what) => Refusal::new(Code::SessionNotFound, what),
        Missing::Choice(what) => Refusal::new(Code::Usage, what),
        Missing::Answer(failure) => failed(&failure),
    }
}

fn failed(failure: &Failure) -> Refusal {
    Refusal::new(failure.into(), format!("tmux: {failure}"))
}

fn in_tmux(tmux: &Tmux, site: &Site, commands: &str, reader: Reader) -> Result<u8> {
    let odd = |_| Refusal::new(Code::Usage, "a quotation mark in the commands is not closed");
    let words = shell_words::split(commands).map_err(odd)?;
    let answer = site::run(tmux, site, words).map_err(|failure| failed(&failure))?;
    let status = i32::from(!answer.success);
    let stdout = String::from_utf8_lossy(&answer.stdout).into_owned();
    let hint = answer.stderr.contains("unknown command").then_some(NOT_PYTHON);
    if !reader.is_program() {
        output::print(stdout.as_bytes())?;
        if !answer.stderr.is_empty() {
            output::warn(&answer.stderr);
        }
        if let Some(hint) = hint {
            output::warn(&format!("hint: {hint}"));
        }
        return Ok(exit_code(status));
    }
    let ran = Ran {
        schema_version: 1,
        command: "shell",
        session_id: site.session.to_string(),
        window_id: site.window.to_string(),
        pane_id: site.pane.to_string(),
        child: Child {
            child_status: status,
            stdout,
            stderr: answer.stderr,
            truncated: false,
        },
        hint,
    };
    super::print_record(&ran, reader)?;
    Ok(exit_code(status))
}

/// The user's shell, in which `tmux` means that server and that pane.
fn interactive(tmux: &Tmux, site: &Site, env: &Env) -> Result<u8> {
    let shell = env.get("SHELL").filter(|shell| !shell.is_empty());
    let mut command = Command::new(shell.unwrap_or("/bin/sh".as_ref()));
    command
        .env("TMUX", site.variable(tmux))
        .env("TMUX_SESSION", site.session.to_string())
        .env("TMUX_WINDOW", site.window.to_string())
        .env("TMUX_PANE", site.pane.to_string());
    if output::is_wanted(Level::Info, Level::Info) {
        output::warn(&format!("shell for {}; exit leaves it", text::clean(&site.name)));
    }
    let status = script::on_terminal(&mut command, || false).context("cannot start the shell that SHELL names")?;
    Ok(exit_code(script::code(status)))
}
