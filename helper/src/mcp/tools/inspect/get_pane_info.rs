//! `get_pane_info`.

use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::views::PaneView;
use crate::tmux::drive::lists;
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "get_pane_info",
    title: "Get Pane Info",
    description: "Tell one pane's row of list_panes.",
    toolset: Toolset::Inspect,
    hints: Hints::READ,
    capability: Capability::METADATA,
    input: schema::<Args>,
    output: schema::<PaneView>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `%` id.
    pane: PaneArg,
}

fn run(host: &Host, args: Args) -> Result<PaneView, Problem> {
    Ok(PaneView::of(host, lists::one_pane(&host.tmux, args.pane.0)?))
}
