//! `get_server_info`.

use crate::mcp::host::Host;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tools::Nothing;
use crate::tmux::drive::lists::{self, Branch, PaneRow, WindowRow};
use schemars::JsonSchema;
use serde::Serialize;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "get_server_info",
    title: "Describe Server",
    description: "Tell the whole server at one instant: sessions, their windows, their panes. Cheaper than the three \
        lists.",
    toolset: Toolset::Inspect,
    hints: Hints::READ,
    capability: Capability::METADATA,
    input: schema::<Nothing>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// In tmux's order.
    sessions: Vec<SessionBranch>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct SessionBranch {
    /// `$` id.
    id: String,
    /// Name.
    name: String,
    /// Whether a client shows it.
    attached: bool,
    /// Its windows.
    windows: Vec<WindowBranch>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct WindowBranch {
    /// `@` id.
    id: String,
    /// Index in this session.
    index: i32,
    /// Name.
    name: String,
    /// Whether it is this session's current window.
    active: bool,
    /// Whether it is in several sessions.
    linked: bool,
    /// Its panes.
    panes: Vec<PaneBranch>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct PaneBranch {
    /// `%` id.
    id: String,
    /// Whether it is its window's active pane.
    active: bool,
    /// Foreground program.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
}

fn run(host: &Host, _: Nothing) -> Result<Reply, Problem> {
    let branches = lists::tree(&host.tmux, &host.observers.pids())?;
    Ok(Reply {
        sessions: branches.into_iter().map(session).collect(),
    })
}

fn session(branch: Branch) -> SessionBranch {
    SessionBranch {
        id: branch.session.id.to_string(),
        name: branch.session.name,
        attached: branch.session.attached,
        windows: branch.windows.into_iter().map(window).collect(),
    }
}

fn window((window, panes): (WindowRow, Vec<PaneRow>)) -> WindowBranch {
    let pane = |pane: PaneRow| PaneBranch {
        id: pane.id.to_string(),
        active: pane.active,
        command: pane.command,
    };
    WindowBranch {
        id: window.id.to_string(),
        index: window.index,
        name: window.name,
        active: window.active,
        linked: window.linked,
        panes: panes.into_iter().map(pane).collect(),
    }
}
