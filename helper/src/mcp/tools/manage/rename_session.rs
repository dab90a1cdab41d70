//! `rename_session`.

use crate::mcp::host::Host;
use crate::mcp::id::SessionArg;
use crate::mcp::literal;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tools::session;
use crate::mcp::views::SessionView;
use crate::tmux::drive::arrange;
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "rename_session",
    title: "Rename Session",
    description: "Rename a session. tmux writes : and . as _; the reply has the name that it took.",
    toolset: Toolset::Manage,
    hints: Hints::SET,
    capability: Capability {
        literal: &[("name", "double-hash-once")],
        ..Capability::CHANGE
    },
    input: schema::<Args>,
    output: schema::<SessionView>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `$` id or exact name.
    session: SessionArg,
    /// New name, taken as it is; not that of another session.
    name: String,
}

fn run(host: &Host, args: Args) -> Result<SessionView, Problem> {
    let name = literal::in_format(literal::operand("name", &args.name)?);
    let id = session(host, &args.session)?;
    let row = arrange::rename_session(&host.tmux, id, &name, &host.observers.pids())?;
    Ok(row.into())
}
