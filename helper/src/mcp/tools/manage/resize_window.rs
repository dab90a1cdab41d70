//! `resize_window`.

use crate::mcp::host::Host;
use crate::mcp::id::WindowArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::views::WindowView;
use crate::tmux::drive::arrange;
use crate::tmux::layout::MOST_CELLS;
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "resize_window",
    title: "Resize Window",
    description: "Give a window an exact size in cells, which it keeps whatever clients show it.",
    toolset: Toolset::Manage,
    hints: Hints::SET,
    capability: Capability::CHANGE,
    input: schema::<Args>,
    output: schema::<WindowView>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `@` id.
    window: WindowArg,
    /// Columns, 1 to 10000.
    #[schemars(range(max = MOST_CELLS))]
    width: u32,
    /// Rows, 1 to 10000.
    #[schemars(range(max = MOST_CELLS))]
    height: u32,
}

fn run(host: &Host, args: Args) -> Result<WindowView, Problem> {
    let sizes = [args.width, args.height];
    if sizes.iter().any(|size| !(1..=MOST_CELLS).contains(size)) {
        return Err(Problem::input(format!("width and height are from 1 to {MOST_CELLS}")));
    }
    Ok(arrange::resize_window(&host.tmux, args.window.0, args.width, args.height)?.into())
}
