//! `kill_pane`.

use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tools::teardown::{spared, spares, Killed};
use crate::tmux::drive::remove;
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "kill_pane",
    title: "Kill Pane",
    description: "Kill a pane, but not the one that this MCP server runs in. With its last pane a window closes.",
    toolset: Toolset::Teardown,
    hints: Hints::DELETE,
    capability: Capability::DELETE,
    input: schema::<Args>,
    output: schema::<Killed>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `%` id.
    pane: PaneArg,
}

fn run(host: &Host, args: Args) -> Result<Killed, Problem> {
    let (spared, id) = (spared(host)?, args.pane.0);
    spares("pane", id, remove::kill_pane(&host.tmux, id, spared)?)
}
