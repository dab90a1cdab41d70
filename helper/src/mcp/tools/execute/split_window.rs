//! `split_window`.

use super::create_session::{folder, CAPABILITY, HINTS};
use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Run, Tool, Toolset};
use crate::mcp::views::PaneView;
use crate::tmux::drive::create::{self, Side};
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "split_window",
    title: "Split Window",
    description: "Split a pane and start the configured program in the new one. The active pane stays the active one.",
    toolset: Toolset::Execute,
    hints: HINTS,
    capability: Capability {
        literal: &[("start_directory", "double-hash-once")],
        ..CAPABILITY
    },
    input: schema::<Args>,
    output: schema::<PaneView>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `%` id of the pane to split.
    pane: PaneArg,
    /// Where the new one goes; below when omitted.
    #[serde(default)]
    direction: Option<Direction>,
    /// Its share, 1 to 100; half when omitted.
    #[serde(default)]
    percent: Option<u32>,
    /// Its directory; that of this MCP server when omitted.
    #[serde(default)]
    start_directory: Option<String>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Direction {
    Above,
    Below,
    Left,
    Right,
}

fn run(host: &Host, args: Args) -> Result<PaneView, Problem> {
    if let Some(percent) = args.percent.filter(|percent| !(1..=100).contains(percent)) {
        return Err(Problem::input(format!("percent takes 1 to 100, not {percent}")));
    }
    let folder = folder(args.start_directory.as_deref())?;
    let side = match args.direction.unwrap_or(Direction::Below) {
        Direction::Above => Side::Above,
        Direction::Below => Side::Below,
        Direction::Left => Side::Left,
        Direction::Right => Side::Right,
    };
    let row = create::pane(&host.tmux, args.pane.0, side, args.percent, &folder)?;
    Ok(PaneView::of(host, row))
}
