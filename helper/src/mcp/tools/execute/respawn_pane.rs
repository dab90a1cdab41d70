//! `respawn_pane`.

use super::create_session::CAPABILITY;
use super::send_keys::HINTS;
use crate::mcp::guard;
use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Run, Tool, Toolset};
use crate::mcp::views::PaneView;
use crate::tmux::drive::{create, lists};
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "respawn_pane",
    title: "Respawn Pane",
    description:
        "Start a pane's configured program again. Only in a dead pane, unless kill_first, which also ends a command \
        of run_shell_command that C-c does not.",
    toolset: Toolset::Execute,
    hints: HINTS,
    capability: Capability {
        effects: &["change", "delete"],
        ..CAPABILITY
    },
    input: schema::<Args>,
    output: schema::<PaneView>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `%` id.
    pane: PaneArg,
    /// End what runs in it first.
    #[serde(default)]
    kill_first: bool,
}

fn run(host: &Host, args: Args) -> Result<PaneView, Problem> {
    let pane = args.pane.0;
    let row = lists::one_pane(&host.tmux, pane)?;
    guard::own(host, row.server, pane)?;
    Ok(PaneView::of(host, create::respawn(&host.tmux, pane, args.kill_first)?))
}
