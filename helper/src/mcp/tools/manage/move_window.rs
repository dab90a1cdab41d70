//! `move_window`.

use crate::mcp::host::Host;
use crate::mcp::id::{SessionArg, WindowArg};
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tools::session;
use crate::mcp::views::WindowView;
use crate::tmux::drive::arrange;
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "move_window",
    title: "Move Window",
    description: "Move a window to a free index of a session. No session changes what it shows, unless it showed that window and loses it; one that loses its only window ends.",
    toolset: Toolset::Manage,
    hints: Hints::CHANGE,
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
    /// `$` id or exact name.
    destination_session: SessionArg,
    /// A free index there, from 0.
    #[schemars(range(min = 0))]
    destination_index: i32,
}

fn run(host: &Host, args: Args) -> Result<WindowView, Problem> {
    // tmux would take a sign for a step from the current window.
    let index = u32::try_from(args.destination_index);
    let index = index.map_err(|_| Problem::input("destination_index is 0 or more"))?;
    let session = session(host, &args.destination_session)?;
    Ok(arrange::move_window(&host.tmux, args.window.0, session, index)?.into())
}
