//! `rename_window`.

use crate::mcp::host::Host;
use crate::mcp::id::WindowArg;
use crate::mcp::literal;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::views::WindowView;
use crate::tmux::drive::arrange;
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "rename_window",
    title: "Rename Window",
    description: "Rename a window; tmux then no longer names it by itself.",
    toolset: Toolset::Manage,
    hints: Hints::SET,
    capability: Capability {
        literal: &[("name", "double-hash-once")],
        ..Capability::CHANGE
    },
    input: schema::<Args>,
    output: schema::<WindowView>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `@` id.
    window: WindowArg,
    /// New name, taken as it is.
    name: String,
}

fn run(host: &Host, args: Args) -> Result<WindowView, Problem> {
    let name = literal::in_format(literal::operand("name", &args.name)?);
    Ok(arrange::rename_window(&host.tmux, args.window.0, &name)?.into())
}
