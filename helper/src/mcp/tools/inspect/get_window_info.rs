//! `get_window_info`.

use crate::mcp::host::Host;
use crate::mcp::id::WindowArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::views::WindowView;
use crate::tmux::drive::lists;
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "get_window_info",
    title: "Get Window Info",
    description: "Tell one window's row of list_windows, at the first of its places.",
    toolset: Toolset::Inspect,
    hints: Hints::READ,
    capability: Capability::METADATA,
    input: schema::<Args>,
    output: schema::<WindowView>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `@` id.
    window: WindowArg,
}

fn run(host: &Host, args: Args) -> Result<WindowView, Problem> {
    let id = args.window.0;
    let row = lists::windows(&host.tmux)?.into_iter().find(|row| row.id == id);
    row.map(WindowView::from)
        .ok_or_else(|| Problem::gone(format!("there is no window {id}")))
}
