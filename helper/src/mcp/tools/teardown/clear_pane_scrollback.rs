//! `clear_pane_scrollback`.

use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::outcome::Problem;
use crate::mcp::outcome::Reason;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::tmux::drive::remove;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "clear_pane_scrollback",
    title: "Clear Pane History",
    description: "Forget what has scrolled off a pane's screen, so that reading its history begins with what comes. The screen stays. Not while the pane is in a mode.",
    toolset: Toolset::Teardown,
    hints: Hints::DELETE,
    capability: Capability::DELETE,
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `%` id.
    pane: PaneArg,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// `%` id.
    pane: String,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let id = args.pane.0;
    if remove::clear_scrollback(&host.tmux, id)? {
        return Ok(Reply { pane: id.to_string() });
    }
    let message = format!("{id} is in a mode, where somebody may be reading what would go; wait until they leave it");
    Err(Problem::input(message).because(Reason::Mode))
}
