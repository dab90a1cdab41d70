//! `show_hooks`.

use crate::mcp::host::Host;
use crate::mcp::id::SessionArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tools::session;
use crate::tmux::drive::settings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "show_hooks",
    title: "Show tmux Hooks",
    description:
        "List the commands that tmux runs when something happens, such as a pane's end: where to look when tmux \
        does what nobody here asked for.",
    toolset: Toolset::Inspect,
    hints: Hints::READ,
    capability: Capability {
        outputs: &["configured-command"],
        ..Capability::METADATA
    },
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `$` id or exact name. Omit for those of the whole server.
    #[serde(default)]
    session: Option<SessionArg>,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// In tmux's order.
    hooks: Vec<Hook>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Hook {
    /// Such as `pane-exited`.
    name: String,
    /// Its place, where a hook has several commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u32>,
    /// The tmux command.
    command: String,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let session = args.session.map(|named| session(host, &named)).transpose()?;
    let hook = |hook: settings::Hook| Hook {
        name: hook.name,
        index: hook.index,
        command: hook.command,
    };
    let hooks = settings::hooks(&host.tmux, session)?;
    Ok(Reply {
        hooks: hooks.into_iter().map(hook).collect(),
    })
}
