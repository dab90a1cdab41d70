//! `swap_pane`.

use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::views::PaneView;
use crate::tmux::drive::arrange;
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "swap_pane",
    title: "Swap Panes",
    description: "Have two panes trade places. In one window the active pane stays active; of two windows, each stays active at its place. Replies with the source.",
    toolset: Toolset::Manage,
    hints: Hints::CHANGE,
    capability: Capability::CHANGE,
    input: schema::<Args>,
    output: schema::<PaneView>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `%` id.
    source_pane: PaneArg,
    /// `%` id.
    target_pane: PaneArg,
}

fn run(host: &Host, args: Args) -> Result<PaneView, Problem> {
    let row = arrange::swap_panes(&host.tmux, args.source_pane.0, args.target_pane.0)?;
    Ok(PaneView::of(host, row))
}
