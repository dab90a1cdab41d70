//! `run_shell_command`.

use super::send_keys;
use crate::mcp::guard::{self, Input, Reserved};
use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::limits::{COMMAND_BYTES, PANE_TEXT_BYTES, TAP_BYTES};
use crate::mcp::outcome::{Problem, Reason};
use crate::mcp::plain;
use crate::mcp::registry::{self, schema, Call, Capability, Run, Tool, Toolset};
use crate::mcp::shell_frame::{is_shell, Frame, Status};
use crate::mcp::tap::{Ended, Opened, Source, Tap, Taps};
use crate::mcp::views::newest;
use crate::mcp::wait;
use crate::model::PaneId;
use crate::text;
use crate::tmux::drive::{daemon, input};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::time::{sleep, timeout, timeout_at, Instant};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "run_shell_command",
    title: "Run Command In Pane",
    description:
        "Run a command in the shell of a pane, wait for its end, and tell its exit status and what it printed (the raw \
        output: redrawn lines repeat). It runs in a subshell: cd and export do not last. What was typed at the prompt is \
        lost. Needs a POSIX shell at its prompt and a pane that nobody looks at; data.reason says why not. deadline and \
        cancelled end the waiting, not the command: the pane stays reserved until it ends; send_keys keys [\"C-c\"] \
        interrupts it. no_shell: the shell did not take it, and will not. Meanwhile the pane's pipe (pipe-pane) is used; if \
        its user has it, output is read off the screen: source.",
    toolset: Toolset::Execute,
    hints: send_keys::HINTS,
    capability: Capability {
        reach: "pane-command",
        effects: &["change"],
        ..Capability::SCREEN
    },
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Waits(|host, arguments, call| Box::pin(run(host, arguments, call))),
};

/// How often a file is looked at where there is no pipe.
const GLANCE: Duration = Duration::from_millis(50);
/// How long a shell that is reading the script at the deadline may take to say so.
const GRACE: Duration = Duration::from_millis(300);
/// How long the screen is waited for after the end, and for how many looks.
const SETTLED: Duration = Duration::from_secs(1);
/// See there.
const LOOKS: usize = 2;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `%` id.
    pane: PaneArg,
    /// What a shell reads; may have several lines.
    command: String,
    /// 30 when omitted, at most 600.
    #[serde(default)]
    seconds: Option<u64>,
    /// Keep it out of the shell's history.
    #[serde(default)]
    suppress_history: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Outcome {
    Completed,
    Deadline,
    PaneClosed,
    Cancelled,
    NoShell,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    pane: String,
    outcome: Outcome,
    /// Absent when it has not ended, or C-c or a signal has ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_status: Option<i32>,
    /// Number of the signal that has ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<i32>,
    /// The newest 256 KiB.
    output: String,
    /// Bytes of all of it.
    bytes: u64,
    /// Whether its start was left out.
    truncated: bool,
    /// `pipe` or `screen`.
    source: &'static str,
    /// The deadline that was kept.
    effective_seconds: u64,
}

async fn run(host: Arc<Host>, arguments: JsonObject, call: Call) -> Result<Value, Problem> {
    let args: Args = registry::read(arguments)?;
    let pane = args.pane.0;
    check(&args.command)?;
    let end = Instant::now() + wait::duration(args.seconds);
    let reserved = host.reserved.take(pane)?;
    at_prompt(&host, pane).await?;
    let opened = Taps::open(&host, pane).await?;
    let mut running = Running::start(&host, pane, opened, reserved, &args).await?;
    let outcome = tokio::select! {
        outcome = timeout_at(end, running.end()) => outcome.unwrap_or(Ok(End::Deadline)),
        () = call.cancelled.cancelled() => Ok(End::Cancelled),
    };
    let outcome = match outcome {
        Ok(End::Deadline | End::Cancelled) if !running.begun => running.give_up().await,
        outcome => outcome,
    }?;
    let reply = running.reply(outcome, wait::seconds(args.seconds));
    if matches!(outcome, End::Deadline | End::Cancelled) {
        // Whoever waits for it no more: the pane is free when it has ended.
        tokio::spawn(async move { running.end().await.map(drop) });
    }
    registry::reply(reply)
}

fn check(command: &str) -> Result<(), Problem> {
    if command.trim().is_empty() {
        return Err(Problem::input("command is empty"));
    }
    if command.contains('\0') {
        return Err(Problem::input("command holds a NUL"));
    }
    match command.len() {
        bytes if bytes > COMMAND_BYTES => Err(Problem::input(format!(
            "command takes {COMMAND_BYTES} bytes; this takes {bytes}"
        ))),
        _ => Ok(()),
    }
}

/// Looks whether a shell would get it, for a while: tmux does not know what is in the foreground in the moment between the
/// end of a shell's job and its prompt.
async fn at_prompt(host: &Arc<Host>, pane: PaneId) -> Result<(), Problem> {
    let end = Instant::now() + GRACE;
    loop {
        match host.ask(move |host| look(host, pane).map(drop)).await {
            Err(problem) if problem.reason == Some(Reason::NotAShell) && Instant::now() < end => sleep(GLANCE).await,
            seen => return seen,
        }
    }
}

/// Looks whether a shell of that pane alone would get it.
fn look(host: &Host, pane: PaneId) -> Result<input::Recipient, Problem> {
    let target = guard::look(host, pane, Input::Command)?.target;
    if !is_shell(&target.command) {
        let what = format!(
            "{:?} is in the foreground of {pane}, which is no POSIX shell at its prompt, so nothing was typed; send_keys types \
             into other programs",
            text::one_line(&target.command, 40)
        );
        return Err(Problem::input(what).because(Reason::NotAShell));
    }
    Ok(target)
}

/// How the waiting ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Completed(Status),
    Closed,
    Deadline,
    Cancelled,
    NoShell,
}

/// A command that was given to a shell. The pane is its own until this is dropped.
struct Running {
    pane: PaneId,
    tap: Arc<Tap>,
    /// What has been looked at.
    at: u64,
    /// What has come since it was given to the shell, as far as it is kept.
    output: Vec<u8>,
    /// Bytes that were not kept since it began.
    dropped: u64,
    begun: bool,
    command: String,
    nonce: String,
    /// What stood before the cursor, and what is seen in place of what was typed.
    prompt: String,
    shown: String,
    folder: Option<TempDir>,
    /// Where the script leaves its words when there is no pipe.
    file: Option<PathBuf>,
    respawns: u32,
    source: Source,
    _reserved: Reserved,
}

impl Running {
    async fn start(
        host: &Arc<Host>,
        pane: PaneId,
        opened: Opened,
        reserved: Reserved,
        args: &Args,
    ) -> Result<Self, Problem> {
        let Opened { tap, offset, sight } = opened;
        let nonce = daemon::mark();
        let unwritten =
            |error: std::io::Error| Problem::refused(format!("cannot write a script for the shell: {error}"));
        let folder = tempfile::Builder::new()
            .prefix("tmux-status-")
            .tempdir()
            .map_err(unwritten)?;
        let script = folder.path().join("run");
        let typed = script
            .to_str()
            .filter(|path| !path.contains(char::is_control))
            .map(text::for_shell);
        let Some(typed) = typed.map(|path| format!(" . {path}")) else {
            return Err(Problem::refused(
                "the folder for temporary files has a name that cannot be typed",
            ));
        };
        let news = tap.since(offset);
        let file = (news.source == Source::Screen).then(|| folder.path().join("said"));
        let (command, suppress_history) = (args.command.clone(), args.suppress_history);
        let (own_nonce, own_file) = (nonce.clone(), file.clone());
        let shown = host
            .ask(move |host| {
                let target = look(host, pane)?;
                let width = u32::try_from(text::width(&typed)).unwrap_or(u32::MAX);
                let fits = target.cursor_x.saturating_add(width) < target.width;
                let frame = Frame {
                    command: &command,
                    nonce: &own_nonce,
                    suppress_history,
                    file: own_file.as_deref(),
                    shown_at: fits.then_some((target.cursor_x, target.width)),
                };
                let written = fs::File::create(&script).and_then(|mut file| file.write_all(frame.script().as_bytes()));
                written.map_err(unwritten)?;
                let keys = ["Enter".to_owned()];
                host.typed.note(std::iter::once(pane), "\u{15}", &[]);
                host.typed.note(std::iter::once(pane), &typed, &keys);
                host.typed.note(std::iter::once(pane), &command, &keys);
                // What stands at the prompt already must not become a part of it.
                input::send(&host.tmux, pane, &format!("\u{15}{typed}"), &keys)?;
                Ok(frame.shown().unwrap_or(typed))
            })
            .await?;
        Ok(Self {
            pane,
            at: offset,
            output: Vec::new(),
            dropped: 0,
            begun: false,
            command: args.command.clone(),
            nonce,
            prompt: sight.rows.get(sight.cursor_y).cloned().unwrap_or_default(),
            shown,
            folder: Some(folder),
            file,
            respawns: news.respawns,
            source: news.source,
            tap,
            _reserved: reserved,
        })
    }

    fn frame(&self) -> Frame<'_> {
        Frame {
            command: &self.command,
            nonce: &self.nonce,
            suppress_history: true,
            file: self.file.as_deref(),
            shown_at: None,
        }
    }

    /// Waits until it has ended or the pane has.
    async fn end(&mut self) -> Result<End, Problem> {
        let mut listen = self.tap.listen();
        loop {
            let news = self.tap.since(self.at);
            self.at = news.end;
            if let Some(status) = self.take(&news.bytes) {
                if self.file.is_some() {
                    self.settle(&mut listen).await;
                }
                return Ok(End::Completed(status));
            }
            match news.ended {
                Some(Ended::Closed) => return Ok(End::Closed),
                Some(Ended::Lost(problem)) => return Err(problem),
                None if news.respawns != self.respawns => return Ok(End::Closed),
                None => {}
            }
            if self.begun {
                // The shell has read all of it.
                self.forget_script();
            }
            let pause = if self.file.is_some() {
                GLANCE
            } else {
                Duration::from_secs(600)
            };
            // An error is the end of the tap, which the next look tells.
            let _ = timeout(pause, listen.changed()).await;
        }
    }

    /// Waits for the look at the screen that follows the end, and keeps what stands between what was typed and the next
    /// prompt.
    async fn settle(&mut self, listen: &mut watch::Receiver<()>) {
        for _ in 0..LOOKS {
            listen.mark_unchanged();
            let _ = timeout(SETTLED, listen.changed()).await;
            let news = self.tap.since(self.at);
            self.at = news.end;
            self.output.extend_from_slice(&news.bytes);
        }
        let (text, _) = plain::strip(&self.output, true);
        let typed = text.lines().position(|line| line.ends_with(&self.shown));
        let lines: Vec<&str> = text.lines().skip(typed.map_or(0, |at| at + 1)).collect();
        let prompts = lines.iter().rposition(|line| line.trim_end() == self.prompt.trim_end());
        self.output = lines
            .get(..prompts.unwrap_or(lines.len()))
            .unwrap_or_default()
            .join("\n")
            .into_bytes();
    }

    /// Takes what has come; how the command ended, if it has.
    fn take(&mut self, bytes: &[u8]) -> Option<Status> {
        self.output.extend_from_slice(bytes);
        if let Some(file) = &self.file {
            let said = fs::read_to_string(file).unwrap_or_default();
            let (begun, status) = Frame::read_file(&said);
            self.begun |= begun;
            self.bound();
            return status;
        }
        if !self.begun {
            let begin = self.frame().begin(&self.output);
            if let Some(at) = begin {
                self.begun = true;
                self.output.drain(..at);
            }
        }
        if !self.begun {
            self.bound();
            return None;
        }
        let end = self.frame().end(&self.output);
        match end {
            Some((at, status)) => {
                self.output.truncate(at);
                Some(status)
            }
            None => {
                self.bound();
                None
            }
        }
    }

    fn bound(&mut self) {
        let surplus = self.output.len().saturating_sub(TAP_BYTES);
        self.output.drain(..surplus);
        if self.begun {
            self.dropped += u64::try_from(surplus).unwrap_or(0);
        }
    }

    fn forget_script(&self) {
        if let Some(folder) = &self.folder {
            let _ = fs::remove_file(folder.path().join("run"));
        }
    }

    /// Takes a script back that the shell has not read: without it, what was typed does nothing, whenever it is read.
    async fn give_up(&mut self) -> Result<End, Problem> {
        self.forget_script();
        let late = timeout(GRACE, self.end()).await;
        match late {
            Ok(end) => end,
            Err(_) if self.begun => Ok(End::Deadline),
            Err(_) => Ok(End::NoShell),
        }
    }

    fn reply(&self, end: End, seconds: u64) -> Reply {
        let (outcome, status) = match end {
            End::Completed(status) => (Outcome::Completed, Some(status)),
            End::Closed => (Outcome::PaneClosed, None),
            End::Deadline => (Outcome::Deadline, None),
            End::Cancelled => (Outcome::Cancelled, None),
            End::NoShell => (Outcome::NoShell, None),
        };
        let kept = if self.begun { self.output.as_slice() } else { &[] };
        let (text, _) = plain::strip(kept, true);
        let all = text.len();
        let newest = newest(&text, None, PANE_TEXT_BYTES);
        Reply {
            pane: self.pane.to_string(),
            outcome,
            exit_status: status.and_then(|status| status.exit),
            signal: status.and_then(|status| status.signal),
            truncated: self.dropped > 0 || newest.dropped > 0 || newest.text.len() + 1 < all,
            output: newest.text,
            bytes: self.dropped + u64::try_from(kept.len()).unwrap_or(0),
            source: self.source.as_str(),
            effective_seconds: seconds,
        }
    }
}
