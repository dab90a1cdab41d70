//! `get_session_info`.

use crate::mcp::host::Host;
use crate::mcp::id::SessionArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tools::find_session;
use crate::mcp::views::SessionView;
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "get_session_info",
    title: "Get Session Info",
    description: "Tell one session's row of list_sessions.",
    toolset: Toolset::Inspect,
    hints: Hints::READ,
    capability: Capability::METADATA,
    input: schema::<Args>,
    output: schema::<SessionView>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `$` id or exact name.
    session: SessionArg,
}

fn run(host: &Host, args: Args) -> Result<SessionView, Problem> {
    Ok(find_session(host, &args.session)?.into())
}
