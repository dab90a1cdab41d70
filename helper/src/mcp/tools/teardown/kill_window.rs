//! `kill_window`.

use crate::mcp::host::Host;
use crate::mcp::id::WindowArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tools::teardown::{spared, spares, Killed};
use crate::tmux::drive::remove;
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "kill_window",
    title: "Kill Window",
    description: "Kill a window, in every session that has it, but not one that this MCP server runs in.",
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
    /// `@` id.
    window: WindowArg,
}

fn run(host: &Host, args: Args) -> Result<Killed, Problem> {
    let (spared, id) = (spared(host)?, args.window.0);
    spares("window", id, remove::kill_window(&host.tmux, id, spared)?)
}
