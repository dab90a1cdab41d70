//! `set_synchronize_panes`.

use crate::mcp::host::Host;
use crate::mcp::id::WindowArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::tmux::drive::create;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "set_synchronize_panes",
    title: "Set Synchronize Panes",
    description:
        "Set whether what is typed into a pane of a window goes to its other panes, too, by hand as by send_keys. A pane \
        that has a setting of its own keeps it.",
    toolset: Toolset::Execute,
    hints: Hints {
        read_only: false,
        destructive: false,
        idempotent: true,
        open_world: false,
    },
    capability: Capability {
        amplifies: true,
        ..Capability::CHANGE
    },
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `@` id.
    window: WindowArg,
    /// On or off.
    enabled: bool,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// The option.
    name: &'static str,
    /// The window.
    target: Option<String>,
    /// `on` or `off`.
    value: String,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let window = args.window.0;
    Ok(Reply {
        name: "synchronize-panes",
        target: Some(window.to_string()),
        value: create::synchronize(&host.tmux, window, args.enabled)?,
    })
}
