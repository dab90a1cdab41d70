//! `set_mouse_enabled`.

use crate::mcp::host::Host;
use crate::mcp::id::SessionArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tools::{set_option, Set};
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "set_mouse_enabled",
    title: "Set Mouse Enabled",
    description: "Turn mouse handling on or off, for a session or for all that have no setting of their own.",
    toolset: Toolset::Manage,
    hints: Hints::SET,
    capability: Capability::CHANGE,
    input: schema::<Args>,
    output: schema::<Set>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// On or off.
    enabled: bool,
    /// `$` id or exact name; omitted: the default of all.
    #[serde(default)]
    session: Option<SessionArg>,
}

fn run(host: &Host, args: Args) -> Result<Set, Problem> {
    let value = if args.enabled { "on" } else { "off" };
    set_option(host, args.session.as_ref(), "mouse", value)
}
