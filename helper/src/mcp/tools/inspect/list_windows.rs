//! `list_windows`.

use crate::mcp::host::Host;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tools::Nothing;
use crate::mcp::views::WindowView;
use crate::tmux::drive::lists;
use schemars::JsonSchema;
use serde::Serialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "list_windows",
    title: "List Windows",
    description:
        "List the windows of the server. One that is linked into several places comes once for each, with the \
        same id and another session_id.",
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
    windows: Vec<WindowView>,
}

fn run(host: &Host, _: Nothing) -> Result<Reply, Problem> {
    let rows = lists::windows(&host.tmux)?;
    Ok(Reply {
        windows: rows.into_iter().map(WindowView::from).collect(),
    })
}
