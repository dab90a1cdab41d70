//! `call_read_tools_batch`.

use crate::mcp::batch::{self, Reply};
use crate::mcp::limits::BATCH_CALLS;
use crate::mcp::registry::{schema, Capability, Hints, Run, Tool, Toolset};
use rmcp::model::JsonObject;

/// Tools that can be called in it: those that read, but for itself and for the one that waits.
const MAY: &[&str] = &[
    "capture_pane",
    "capture_since",
    "find_pane_by_position",
    "get_pane_info",
    "get_server_info",
    "get_session_info",
    "get_tmux_variables",
    "get_window_info",
    "list_panes",
    "list_sessions",
    "list_windows",
    "search_panes",
    "show_environment",
    "show_hooks",
    "show_option",
    "snapshot_pane",
];

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "call_read_tools_batch",
    title: "Call Read Tools Batch",
    description: "Make up to 16 reading calls, one after another, under one approval. It succeeds even if calls in it \
        fail: see each row. The reply's line stays under 1,000,000 bytes; results that would not fit are left out and \
        counted.",
    toolset: Toolset::Inspect,
    hints: Hints::READ_SCREEN,
    capability: Capability {
        nested: MAY,
        ..Capability::METADATA
    },
    input: || batch::input(MAY),
    output: schema::<Reply>,
    run: Run::Waits(|host, arguments: JsonObject, call| Box::pin(batch::run(host, arguments, call, MAY, BATCH_CALLS))),
};
