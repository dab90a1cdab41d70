//! `select_window`.

use crate::mcp::host::Host;
use crate::mcp::id::WindowArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::views::WindowView;
use crate::tmux::drive::arrange::{self, Step};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "select_window",
    title: "Select Window",
    description: "Make a window the current one of its session, or the one beside it, or with last the one before. Replies with that session's windows.",
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
    /// `@` id.
    window: WindowArg,
    /// `next` or `previous` of it by index, around the ends; `last`: its session's last current window.
    #[serde(default)]
    direction: Option<Direction>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Direction {
    Next,
    Previous,
    Last,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// In order.
    windows: Vec<WindowView>,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let (tmux, id) = (&host.tmux, args.window.0);
    let rows = match args.direction {
        None => arrange::select_window(tmux, id),
        Some(Direction::Next) => arrange::step_window(tmux, id, Step::Next),
        Some(Direction::Previous) => arrange::step_window(tmux, id, Step::Previous),
        Some(Direction::Last) => arrange::select_last_window(tmux, id),
    };
    let windows = rows?.into_iter().map(WindowView::from).collect();
    Ok(Reply { windows })
}
