//! `set_history_limit`.

use crate::mcp::host::Host;
use crate::mcp::id::SessionArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tools::{set_option, Set};
use schemars::JsonSchema;
use serde::Deserialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "set_history_limit",
    title: "Set History Limit",
    description: "Set how many lines of scrollback panes keep, for a session or for all that have no setting of their own. Up to tmux 3.6 for new panes only; from 3.7 panes that are there lose what is beyond.",
    toolset: Toolset::Teardown,
    hints: Hints::DELETE,
    capability: Capability {
        effects: &["change", "delete"],
        ..Capability::DELETE
    },
    input: schema::<Args>,
    output: schema::<Set>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

/// The most that tmux takes.
const MOST_LINES: u32 = i32::MAX.unsigned_abs();

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Lines per pane.
    #[schemars(range(max = MOST_LINES))]
    limit: u32,
    /// `$` id or exact name; omitted: the default of all.
    #[serde(default)]
    session: Option<SessionArg>,
}

fn run(host: &Host, args: Args) -> Result<Set, Problem> {
    if args.limit > MOST_LINES {
        return Err(Problem::input(format!("limit is at most {MOST_LINES}")));
    }
    set_option(host, args.session.as_ref(), "history-limit", &args.limit.to_string())
}
