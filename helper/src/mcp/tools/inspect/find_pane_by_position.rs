//! `find_pane_by_position`.

use crate::mcp::host::Host;
use crate::mcp::id::WindowArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::views::PaneView;
use crate::tmux::drive::lists::{self, Corner};
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "find_pane_by_position",
    title: "Find Pane By Position",
    description: "Find the pane in a corner of what a window shows; a zoomed pane has all four.",
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
    /// `@` id.
    window: WindowArg,
    /// `top-left`, `top-right`, `bottom-left` or `bottom-right`.
    corner: String,
}

fn run(host: &Host, args: Args) -> Result<PaneView, Problem> {
    let corner = match args.corner.as_str() {
        "top-left" => (true, true),
        "top-right" => (true, false),
        "bottom-left" => (false, true),
        "bottom-right" => (false, false),
        _ => {
            return Err(Problem::input(
                "corner is one of top-left, top-right, bottom-left, bottom-right",
            ))
        }
    };
    let (top, left) = corner;
    let row = lists::at_corner(&host.tmux, args.window.0, Corner { top, left })?;
    Ok(PaneView::of(host, row))
}
