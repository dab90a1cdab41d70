//! Tells users of windows that need them: who is told how, and the telling itself.
//!
//! When something is to be told is decided elsewhere (`status/notice.rs`). Telling is done by a process of its own, which the
//! refresh starts and forgets, so that no terminal, desktop or command can hold up a look.

mod desktop;
mod plan;
mod tiding;

pub use desktop::Sequence;
pub use plan::{plan, Step};
pub use tiding::Tiding;

use crate::process::{alone, tty};
use crate::refresh::{aside, now_ms, Outcome};
use crate::status::errors;
use crate::status::paths::Paths;
use crate::text;
use crate::tmux::client::{self, Client};
use crate::tmux::command::{Failure, Tmux};
use crate::wish::Way;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::time::Duration;

/// How long a command may take to tell somebody.
const PATIENCE: Duration = Duration::from_secs(10);

/// Has the user told of what is due after a look. What goes wrong is noted where `doctor` finds it.
pub fn announce(tmux: &Tmux, outcome: &Outcome) {
    let Some(tiding) = Tiding::of(&outcome.state, &outcome.due, &outcome.settings.options) else {
        return;
    };
    let (helper, args) = (&outcome.settings.helper, ["notify", "--deliver"]);
    let started = serde_json::to_vec(&tiding).map_err(Into::into);
    if let Err(why) = started.and_then(|tiding| aside::start(tmux, helper, &args, &tiding)) {
        note(tmux, &format!("cannot start a process for it: {why}"));
    }
}

/// Delivers what [`announce`] has handed over; failures are noted.
pub fn deliver_and_note(tmux: &Tmux, tiding: &Tiding) {
    for said in deliver(tmux, tiding) {
        if let Err(why) = said.came {
            note(tmux, &format!("{}: {why}", said.way.as_str()));
        }
    }
}

fn note(tmux: &Tmux, why: &str) {
    if let Ok(paths) = Paths::of(tmux.socket()) {
        errors::note_new(&paths, now_ms() / 1000, &format!("{}{why}", errors::NOTIFY));
    }
}

/// What came of a way to tell somebody.
#[derive(Debug)]
pub struct Said {
    /// The way.
    pub way: Way,
    /// What was done, or why it failed.
    pub came: Result<String, String>,
    /// Whether anybody was told.
    pub told: bool,
}

/// Tells somebody, by every way of the tiding.
pub fn deliver(tmux: &Tmux, tiding: &Tiding) -> Vec<Said> {
    let tell = |step: &Step| done(tmux, tiding, step);
    match clients(tmux, &tiding.ways) {
        Ok(clients) => {
            let steps = plan(&tiding.ways, &clients, &tiding.windows, &desktop::Own::look());
            steps.iter().map(tell).collect()
        }
        Err(failure) => {
            let without = |way: &Way| match way {
                Way::Command => tell(&Step::Command),
                way => Said {
                    way: *way,
                    came: Err(failure.to_string()),
                    told: false,
                },
            };
            tiding.ways.iter().map(without).collect()
        }
    }
}

/// The attached clients, if one of the ways leads to them.
///
/// # Errors
/// See [`Failure`].
pub fn clients(tmux: &Tmux, ways: &[Way]) -> Result<Vec<Client>, Failure> {
    match ways.iter().any(|way| *way != Way::Command) {
        true => client::list(tmux),
        false => Ok(Vec::new()),
    }
}

/// The steps that would be taken now.
pub fn plan_now(ways: &[Way], clients: &[Client]) -> Vec<Step> {
    plan(ways, clients, &[], &desktop::Own::look())
}

fn done(tmux: &Tmux, tiding: &Tiding, step: &Step) -> Said {
    let came = match step {
        Step::Nobody(..) => Ok(()),
        Step::Bell(client) => write(client, b"\x07"),
        Step::Terminal(client, sequence) => write(client, &sequence.bytes(&tiding.title, &tiding.body)),
        Step::Message(names) => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            client::message_all(tmux, &names, &tiding.line()).map_err(|failure| failure.to_string())
        }
        Step::Program(program, displays) => {
            let mut command = program.command(&tiding.title, &tiding.body);
            let names = ["DISPLAY", "WAYLAND_DISPLAY"].into_iter().zip(displays);
            command.envs(names.filter(|(_, value)| !value.is_empty()));
            run(&mut command)
        }
        Step::Command if tiding.command.is_empty() => Err("@tmux-status-notify-command is not set".to_owned()),
        Step::Command => run(&mut user_command(tmux, tiding)),
    };
    Said {
        way: step.way(),
        told: came.is_ok() && !matches!(step, Step::Nobody(..)),
        came: came.map(|()| step.to_string()).map_err(|why| match step.subject() {
            Some(subject) => format!("{subject}: {why}"),
            None => why,
        }),
    }
}

fn write(client: &Client, bytes: &[u8]) -> Result<(), String> {
    tty::write(&client.tty, bytes).map_err(|error| error.to_string())
}

/// The user's own command line, as they wrote it; what it is about stands in its environment alone.
fn user_command(tmux: &Tmux, tiding: &Tiding) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &tiding.command]);
    command.env_remove("TMUX").env_remove("TMUX_PANE");
    command.envs(&tiding.facts);
    command.env("TMUX_STATUS_SOCKET", tmux.socket().path());
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let folder = || Paths::of(tmux.socket()).ok().map(|paths| paths.folder);
    if let Some(folder) = home.filter(|home| home.is_absolute() && home.is_dir()).or_else(folder) {
        command.current_dir(folder);
    }
    command
}

fn run(command: &mut Command) -> Result<(), String> {
    let ended = alone::run(command, PATIENCE).map_err(|error| error.to_string())?;
    let Some(status) = ended.status else {
        return Err(format!(
            "it was killed, since it took longer than {} s",
            PATIENCE.as_secs()
        ));
    };
    if status.success() {
        return Ok(());
    }
    let words = text::one_line(&ended.errors, 120);
    Err(match words.as_str() {
        "" => how(status),
        words => format!("{}: {words}", how(status)),
    })
}

fn how(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("it exited with {code}"),
        None => format!("it was ended by a signal ({status})"),
    }
}
