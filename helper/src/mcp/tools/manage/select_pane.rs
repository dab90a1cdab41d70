//! `select_pane`.

use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::views::PaneView;
use crate::tmux::drive::arrange::{self, Side, Step};
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "select_pane",
    title: "Select Pane",
    description:
        "Make a pane its window's active one, or the one beside it. Replies with the pane that is active then.",
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
    pane: PaneArg,
    /// From it: a side of it, `next` or `previous` in its window, around the ends; `last`: the last active pane.
    #[serde(default)]
    direction: Option<Direction>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Direction {
    Up,
    Down,
    Left,
    Right,
    Last,
    Next,
    Previous,
}

fn run(host: &Host, args: Args) -> Result<PaneView, Problem> {
    let (tmux, id) = (&host.tmux, args.pane.0);
    let row = match args.direction {
        None => arrange::select_pane(tmux, id),
        Some(Direction::Up) => arrange::select_pane_beside(tmux, id, Side::Up),
        Some(Direction::Down) => arrange::select_pane_beside(tmux, id, Side::Down),
        Some(Direction::Left) => arrange::select_pane_beside(tmux, id, Side::Left),
        Some(Direction::Right) => arrange::select_pane_beside(tmux, id, Side::Right),
        Some(Direction::Last) => arrange::select_last_pane(tmux, id),
        Some(Direction::Next) => arrange::step_pane(tmux, id, Step::Next),
        Some(Direction::Previous) => arrange::step_pane(tmux, id, Step::Previous),
    };
    Ok(PaneView::of(host, row?))
}
