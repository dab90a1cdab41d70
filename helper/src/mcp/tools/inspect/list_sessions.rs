//! `list_sessions`.

use crate::mcp::host::Host;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tools::Nothing;
use crate::mcp::views::SessionView;
use crate::tmux::drive::lists;
use schemars::JsonSchema;
use serde::Serialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "list_sessions",
    title: "List Sessions",
    description: "List the sessions of the server.",
    toolset: Toolset::Inspect,
    hints: Hints::READ,
    capability: Capability::METADATA,
    input: schema::<Nothing>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// In tmux's order.
    sessions: Vec<SessionView>,
}

fn run(host: &Host, _: Nothing) -> Result<Reply, Problem> {
    let rows = lists::sessions(&host.tmux, &host.observers.pids())?;
    Ok(Reply {
        sessions: rows.into_iter().map(SessionView::from).collect(),
    })
}
