//! `resize_pane`.

use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::tmux::drive::arrange::{self, Side};
use crate::tmux::layout::MOST_CELLS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "resize_pane",
    title: "Resize Pane",
    description:
        "Move an edge of a pane by rows or columns, as far as its neighbours leave room. Replies with its size then.",
    toolset: Toolset::Manage,
    hints: Hints::CHANGE,
    capability: Capability::CHANGE,
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `%` id.
    pane: PaneArg,
    /// Where the edge goes.
    direction: Direction,
    /// How far, 1 to 10000.
    #[schemars(range(max = MOST_CELLS))]
    cells: u32,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Direction {
    Up,
    Down,
    Left,
    Right,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// `%` id.
    pane: String,
    /// Columns now.
    width: u32,
    /// Rows now.
    height: u32,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    if !(1..=MOST_CELLS).contains(&args.cells) {
        return Err(Problem::input(format!("cells is from 1 to {MOST_CELLS}")));
    }
    let side = match args.direction {
        Direction::Up => Side::Up,
        Direction::Down => Side::Down,
        Direction::Left => Side::Left,
        Direction::Right => Side::Right,
    };
    let id = args.pane.0;
    let (width, height) = arrange::resize_pane(&host.tmux, id, side, args.cells)?;
    Ok(Reply {
        pane: id.to_string(),
        width,
        height,
    })
}
