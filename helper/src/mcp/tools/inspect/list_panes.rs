//! `list_panes`.

use crate::mcp::host::Host;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tools::Nothing;
use crate::mcp::views::PaneView;
use crate::tmux::drive::lists;
use schemars::JsonSchema;
use serde::Serialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "list_panes",
    title: "List Panes",
    description:
        "List the panes of the server, with what runs in them and where. `caller` is self for the pane that this \
        MCP server runs in, where that is proved, and unknown where it runs in no tmux.",
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
    panes: Vec<PaneView>,
}

fn run(host: &Host, _: Nothing) -> Result<Reply, Problem> {
    let rows = lists::panes(&host.tmux)?;
    Ok(Reply {
        panes: rows.into_iter().map(|row| PaneView::of(host, row)).collect(),
    })
}
