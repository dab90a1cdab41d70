//! `kill_session`.

use crate::mcp::host::Host;
use crate::mcp::id::SessionArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tools::session;
use crate::mcp::tools::teardown::{spared, spares, Killed};
use crate::tmux::drive::remove;
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "kill_session",
    title: "Kill Session",
    description: "Kill a session with all that is in it alone, but not one that this MCP server runs in.",
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
    /// `$` id or exact name.
    session: SessionArg,
}

fn run(host: &Host, args: Args) -> Result<Killed, Problem> {
    let (spared, id) = (spared(host)?, session(host, &args.session)?);
    spares("session", id, remove::kill_session(&host.tmux, id, spared)?)
}
