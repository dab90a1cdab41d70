//! `create_window`.

use super::create_session::{folder, name, CAPABILITY, HINTS};
use crate::mcp::host::Host;
use crate::mcp::id::SessionArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Run, Tool, Toolset};
use crate::mcp::tools;
use crate::mcp::views::{Made, WindowView};
use crate::tmux::drive::create;
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "create_window",
    title: "Create Window",
    description: "Create a window with the configured program; nobody is taken to it.",
    toolset: Toolset::Execute,
    hints: HINTS,
    capability: Capability {
        literal: &[("name", "double-hash-once"), ("start_directory", "double-hash-once")],
        ..CAPABILITY
    },
    input: schema::<Args>,
    output: schema::<Made<WindowView>>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `$` id or exact name.
    session: SessionArg,
    /// When omitted, tmux names it after its program.
    #[serde(default)]
    name: Option<String>,
    /// Its directory; that of this MCP server when omitted.
    #[serde(default)]
    start_directory: Option<String>,
}

fn run(host: &Host, args: Args) -> Result<Made<WindowView>, Problem> {
    let folder = folder(args.start_directory.as_deref())?;
    let name = args.name.as_deref().map(name).transpose()?;
    let session = tools::session(host, &args.session)?;
    Ok(Made::of(create::window(&host.tmux, session, name.as_deref(), &folder)?))
}
