//! Tools that take away what cannot be had back.

mod clear_pane_scrollback;
mod kill_pane;
mod kill_session;
mod kill_window;
mod set_history_limit;

use crate::mcp::caller::Caller;
use crate::mcp::host::Host;
use crate::mcp::outcome::{Kind, Problem, Reason};
use crate::mcp::registry::Tool;
use crate::tmux::drive::remove::Spared;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Display;

/// All of them.
pub const TOOLS: &[&Tool] = &[
    &clear_pane_scrollback::TOOL,
    &kill_pane::TOOL,
    &kill_session::TOOL,
    &kill_window::TOOL,
    &set_history_limit::TOOL,
];

/// What was killed.
#[derive(Serialize, JsonSchema)]
pub(super) struct Killed {
    /// Its id.
    id: String,
}

/// The pane that must live: that of this process, if it is in that server.
fn spared(host: &Host) -> Result<Option<Spared>, Problem> {
    match host.caller {
        Caller::Detached | Caller::Elsewhere => Ok(None),
        Caller::Here { server, pane } => Ok(Some(Spared { server, pane })),
        Caller::Unclear => Err(Problem::new(
            Kind::SelfProtection,
            "TMUX and TMUX_PANE make no sense, so this MCP server may run in it; start it with both as tmux set them, or \
             with neither",
        )
        .because(Reason::Caller)),
    }
}

fn spares(what: &str, id: impl Display, killed: bool) -> Result<Killed, Problem> {
    if killed {
        return Ok(Killed { id: id.to_string() });
    }
    let message = format!("this MCP server runs in the {what} {id}; somebody else must kill it");
    Err(Problem::new(Kind::SelfProtection, message).because(Reason::Caller))
}
