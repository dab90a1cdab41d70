//! `wait_for_channel`.

use crate::mcp::host::Host;
use crate::mcp::limits::{MOST_WAIT_SECONDS, WAIT_SECONDS};
use crate::mcp::literal;
use crate::mcp::outcome::{Kind, Problem};
use crate::mcp::registry::{read, reply, schema, Call, Capability, Hints, Run, Tool, Toolset};
use crate::tmux::command::{Failure, DEADLINE};
use crate::tmux::drive::channel::{Said, Waiter};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::time::{sleep_until, timeout, Instant};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "wait_for_channel",
    title: "Wait For Channel",
    description: "Wait for a signal on a wait-for channel, such as that of a command that ends in `; tmux wait-for -S \
                  NAME`. A signal that came before and met nobody is taken.",
    toolset: Toolset::Manage,
    hints: Hints::CHANGE,
    capability: Capability::CHANGE,
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Waits(|host, arguments, call| Box::pin(run(host, arguments, call))),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Any text.
    channel: String,
    /// How long: 30 when omitted, at most 600; 0 looks once.
    #[serde(default)]
    seconds: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// The channel.
    channel: String,
    /// What ended the wait.
    outcome: Outcome,
    /// The seconds that were allowed.
    effective_seconds: u64,
}

#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Outcome {
    Signalled,
    Deadline,
    Cancelled,
}

async fn run(host: Arc<Host>, arguments: JsonObject, call: Call) -> Result<Value, Problem> {
    let Args { channel, seconds } = read(arguments)?;
    literal::operand("channel", &channel)?;
    let effective_seconds = seconds.unwrap_or(WAIT_SECONDS).min(MOST_WAIT_SECONDS);
    let end = Instant::now() + Duration::from_secs(effective_seconds);
    let outcome = wait(host, &channel, end, call).await?;
    reply(Reply {
        channel,
        outcome,
        effective_seconds,
    })
}

async fn wait(host: Arc<Host>, channel: &str, end: Instant, call: Call) -> Result<Outcome, Problem> {
    let (waiter, output) = Waiter::start(&host.tmux, channel)?;
    let mut lines = lines(output)?;
    // Before it waits, giving up would have nothing to take back.
    let first = timeout(DEADLINE, lines.recv()).await;
    let Ok(first) = first else {
        host.ask(move |_| {
            drop(waiter);
            Ok(())
        })
        .await?;
        return Err(Failure::Hangs(DEADLINE).into());
    };
    if first.as_deref().and_then(|line| waiter.said(line)) != Some(Said::Waits) {
        return Err(ended(waiter));
    }
    let given_up = tokio::select! {
        biased;
        line = lines.recv() => {
            match line.as_deref().and_then(|line| waiter.said(line)) {
                Some(Said::Signalled) => waiter.ended(),
                Some(Said::Unclear) => host.ask(move |_| Ok(waiter.ended_unclear()?)).await?,
                _ => return Err(ended(waiter)),
            }
            return Ok(Outcome::Signalled);
        }
        () = call.cancelled.cancelled() => Outcome::Cancelled,
        () = sleep_until(end) => Outcome::Deadline,
    };
    let signalled = host.ask(move |_| Ok(waiter.give_up()?)).await?;
    Ok(if signalled { Outcome::Signalled } else { given_up })
}

/// The lines of `output`, until it ends.
fn lines(output: impl std::io::Read + Send + 'static) -> Result<UnboundedReceiver<String>, Problem> {
    let (send, lines) = mpsc::unbounded_channel();
    let read = move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    };
    let thread = thread::Builder::new().name("channel".to_owned()).spawn(read);
    thread.map_err(|error| Problem::refused(format!("cannot wait: {error}")))?;
    Ok(lines)
}

/// What it means that a waiter has ended without a signal.
fn ended(waiter: Waiter) -> Problem {
    waiter.ended();
    Problem::new(
        Kind::ServerGone,
        "the tmux server has ended, or there was none to wait at",
    )
}
