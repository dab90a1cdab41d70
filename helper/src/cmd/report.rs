//! `report`: says what the program in this pane is doing; called by agents' hooks, and by scripts.
//!
//! As a hook it is in nobody's way: silent, always successful, done in a moment. It writes no file and loads no rules.

use crate::agents::payload::{self, Said};
use crate::agents::report;
use crate::cli::ServerArgs;
use crate::fault::Fault;
use crate::model::{PaneId, Report, Reported};
use crate::process::{self, lineage};
use crate::refresh;
use crate::tmux::command::Tmux;
use crate::tmux::report::store;
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::Args;
use serde_json::Value;
use std::io::{IsTerminal, Read};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long a hook waits for its payload: agents have written it before the hook runs.
const PAYLOAD: Duration = Duration::from_secs(1);
/// The most that is read of it. What a tool has written or read may be in it.
const MOST_BYTES: usize = 8 * 1024 * 1024;
/// How long tmux may take; an agent waits for its hooks.
const PATIENCE: Duration = Duration::from_secs(2);
/// The word that takes a report back.
const CLEAR: &str = "clear";

/// What to report.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// What it does; clear takes the last report back
    #[arg(required_unless_present = "hook", value_parser = states())]
    state: Option<String>,
    /// What to say with it, for example what is asked
    #[arg(long, value_name = "TEXT")]
    summary: Option<String>,
    /// Called by a hook of this agent: both come from the JSON on standard input; silent, always exits 0
    #[arg(long, value_name = "AGENT", conflicts_with_all = ["state", "summary"])]
    hook: Option<String>,
    /// The hook's event, for agents that do not say so in the JSON
    #[arg(long, value_name = "NAME", requires = "hook", hide = true)]
    event: Option<String>,
}

fn states() -> PossibleValuesParser {
    PossibleValuesParser::new(Reported::ALL.map(Reported::as_str).into_iter().chain([CLEAR]))
}

/// Runs it.
///
/// # Errors
/// Outside tmux, and when tmux refuses; none when called by a hook.
pub fn run(args: &ReportArgs, server: &ServerArgs) -> Result<u8> {
    let at_ms = refresh::now_ms();
    if let Some(agent) = &args.hook {
        // Whatever went wrong: an agent shows its user what a hook prints, and some stop at one that fails.
        let _ = told_by_hook(agent, args.event.as_deref(), server, at_ms);
        return Ok(0);
    }
    let pane = own_pane(server)?;
    let state = args.state.as_deref().and_then(Reported::of);
    let said = Said {
        state,
        text: args.summary.clone().unwrap_or_default(),
    };
    if !tell(pane, &said, server, at_ms)? {
        return Err(Fault::new(
            "nothing reported: no process that called this one is on a terminal",
            "run it from a program in the pane, not from a daemon or from tmux itself",
        )
        .into());
    }
    Ok(0)
}

fn told_by_hook(agent: &str, event: Option<&str>, server: &ServerArgs, at_ms: u64) -> Result<()> {
    // Read first, whatever comes of it: some agents do not survive a hook that leaves them with a broken pipe.
    let payload = payload();
    let pane = own_pane(server)?;
    if let Some(said) = payload.and_then(|payload| payload::said(agent, event, &payload)) {
        tell(pane, &said, server, at_ms)?;
    }
    Ok(())
}

/// The pane that this process was started in.
fn own_pane(server: &ServerArgs) -> Result<PaneId> {
    let hint = "run it in a pane of tmux; its environment says which one";
    let missing = |name: &str| Fault::new(format!("not inside tmux: ${name} is not set"), hint);
    let filled = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if !server.is_named() && filled("TMUX").is_none() {
        return Err(missing("TMUX").into());
    }
    let pane = filled("TMUX_PANE").ok_or_else(|| missing("TMUX_PANE"))?;
    let id = pane.to_str().and_then(|pane| pane.parse().ok());
    Ok(id.ok_or_else(|| {
        let what = format!("$TMUX_PANE is {:?}, which names no pane", pane.to_string_lossy());
        Fault::new(what, hint)
    })?)
}

/// Stores the report; whether there is a process that it could be about.
fn tell(pane: PaneId, said: &Said, server: &ServerArgs, at_ms: u64) -> Result<bool> {
    let Some(pid) = lineage::speaker(payload::is_server) else {
        return Ok(false);
    };
    let value = said.state.map(|state| {
        report::encode(&Report {
            state,
            at_ms,
            pid,
            started: process::started(pid),
            text: said.text.clone(),
        })
    });
    let tmux = Tmux::new(server.socket()).within(PATIENCE);
    store(&tmux, pane, value.as_deref(), refresh::now_ms() / 1000).map_err(|failure| Fault {
        what: format!("cannot report to the tmux server at {}: {failure}", tmux.socket()),
        ..refresh::refusal(&tmux, &failure)
    })?;
    Ok(true)
}

/// The JSON on standard input. It ends with its last brace: the other end may stay open.
fn payload() -> Option<Value> {
    // What is typed is not ours.
    if std::io::stdin().is_terminal() {
        return None;
    }
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        // Nobody listens after the deadline.
        let _ = send.send(read_value(std::io::stdin().lock()));
    });
    receive.recv_timeout(PAYLOAD).ok().flatten()
}

/// The object that `input` begins with; what is no object, or too long, is read to its end all the same.
fn read_value(mut input: impl Read) -> Option<Value> {
    let mut chunk = vec![0; 64 * 1024];
    let mut bytes = Vec::new();
    let parse = |bytes: &[u8]| serde_json::from_slice(bytes).ok().filter(Value::is_object);
    loop {
        let length = match input.read(&mut chunk) {
            Ok(0) => return parse(&bytes),
            Ok(length) => length,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        if bytes.len() > MOST_BYTES {
            continue;
        }
        bytes.extend_from_slice(chunk.get(..length)?);
        if bytes.trim_ascii_end().ends_with(b"}") {
            if let Some(value) = parse(&bytes) {
                return Some(value);
            }
        }
    }
}
