//! `signal_channel`.

use crate::mcp::host::Host;
use crate::mcp::literal;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::tmux::command::DEADLINE;
use crate::tmux::drive::channel;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What tmux is given whatever was asked for.
const LEAST: Duration = Duration::from_secs(1);

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "signal_channel",
    title: "Signal Channel",
    description: "Signal a wait-for channel: all who wait go on. If nobody waits, the next one need not; a second signal takes the first back.",
    toolset: Toolset::Manage,
    hints: Hints::CHANGE,
    capability: Capability::CHANGE,
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Any text.
    channel: String,
    /// How long tmux may take, at most and by default 5: a signal waits for nobody.
    #[serde(default)]
    seconds: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// The channel.
    channel: String,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let channel = args.channel;
    literal::operand("channel", &channel)?;
    let patience = args.seconds.map_or(DEADLINE, Duration::from_secs);
    let tmux = host.tmux.clone().within(patience.clamp(LEAST, DEADLINE));
    channel::signal(&tmux, &channel)?;
    Ok(Reply { channel })
}
