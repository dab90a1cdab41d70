//! Where one who loads ends up: in the last session, or where they were.

use super::LoadArgs;
use crate::cli::ServerArgs;
use crate::cmd::workspace::Reader;
use crate::model::SessionId;
use crate::text;
use crate::tmux::build::scene::Scene;
use crate::tmux::client;
use crate::tmux::command::Tmux;
use crate::tmux::seat::{self, Hints};
use crate::workspace::called;
use crate::workspace::env::Env;
use crate::workspace::refusal::{Code, Refusal};
use anyhow::Result;
use std::io::{stdin, stdout, BufRead, IsTerminal, Write};

/// What is done with the last session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Nothing.
    Detached,
    /// Its windows go into the session that we are in.
    Append,
    /// Our client shows it. Whether its user is asked first.
    Switch { ask: bool },
    /// The terminal becomes a client that shows it.
    Attach,
}

/// What the flags and the place where it is run come to.
///
/// # Errors
/// When they do not fit together; nothing was done.
pub fn choose(args: &LoadArgs, server: &ServerArgs, reader: Reader, env: &Env) -> Result<Way, Refusal> {
    if args.detached || args.dry_run {
        return Ok(Way::Detached);
    }
    let inside = env.get("TMUX").is_some_and(|value| !value.is_empty());
    let here = server.own_session().is_some();
    if args.append {
        return match (here, server.own_pane()) {
            (true, Some(_)) => Ok(Way::Append),
            (true, None) => Err(usage("--append needs TMUX_PANE, which says the pane to append beside")),
            _ if inside => Err(usage("--append cannot reach another server than the one it is run in")),
            _ => Err(usage(
                "--append is for the session that it is run in, and this is not within tmux",
            )),
        };
    }
    if reader.is_program() {
        return Err(usage("a program cannot be attached"));
    }
    match (inside, here) {
        (true, true) => Ok(Way::Switch {
            ask: !args.yes && stdin().is_terminal(),
        }),
        (true, false) => Err(usage(
            "this is within another tmux server, from which it cannot be shown",
        )),
        _ if stdin().is_terminal() && stdout().is_terminal() => Ok(Way::Attach),
        _ => Err(usage("attaching requires a terminal")),
    }
}

fn usage(why: &str) -> Refusal {
    Refusal::new(Code::Usage, why).with_hint("use -d to load without attaching")
}

/// What its user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// To go there.
    Go,
    /// To stay.
    Stay,
    /// To have the windows here.
    Append,
    /// Not to have it at all.
    Decline,
}

/// Asks for a session that would be made.
///
/// # Errors
/// When the terminal cannot be read.
pub fn ask_for_new() -> Result<Answer> {
    loop {
        let answer = ask("Already inside tmux: switch (y), load detached (n), or append (a)? ")?;
        match answer.as_deref() {
            Some("y" | "yes" | "") => return Ok(Answer::Go),
            Some("n" | "no") => return Ok(Answer::Stay),
            Some("a" | "append") => return Ok(Answer::Append),
            Some(_) => {}
            None => return Ok(Answer::Decline),
        }
    }
}

/// Asks for a session that runs.
///
/// # Errors
/// When the terminal cannot be read.
pub fn ask_for_running(name: &str) -> Result<Answer> {
    let answer = ask(&format!("{} is already running. Attach? [Y/n] ", text::clean(name)))?;
    Ok(match answer.as_deref() {
        Some("y" | "yes" | "") => Answer::Go,
        _ => Answer::Decline,
    })
}

/// A line from the terminal; `None` at its end.
fn ask(question: &str) -> Result<Option<String>> {
    let mut err = std::io::stderr().lock();
    write!(err, "{question}")?;
    err.flush()?;
    let mut line = String::new();
    let read = stdin().lock().read_line(&mut line)?;
    Ok((read > 0).then(|| line.trim().to_ascii_lowercase()))
}

/// The session to append to, if a client shows it.
///
/// # Errors
/// When none does.
pub fn own_session(scene: &Scene) -> Result<SessionId, Refusal> {
    let session = scene
        .here
        .ok_or_else(|| usage("TMUX_PANE names no pane of this server"))?;
    if scene.shown.contains(&session) {
        return Ok(session);
    }
    Err(usage("--append needs a client that is attached to this session"))
}

/// Has our client show a session.
///
/// # Errors
/// When there is none, or tmux refuses.
pub fn switch(tmux: &Tmux, server: &ServerArgs, session: SessionId) -> Result<(), Refusal> {
    let refused = |failure| Refusal::of_tmux(tmux, &failure);
    let hints = Hints {
        client: None,
        pane: server.own_pane(),
        session: server.own_session(),
    };
    match seat::find(tmux, &hints).map_err(refused)? {
        Some(seat) => client::show_session(tmux, &seat.client, session).map_err(refused),
        None => {
            called::warn("no client is attached that could show it");
            Ok(())
        }
    }
}
