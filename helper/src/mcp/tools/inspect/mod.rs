//! Tools that read.

mod call_read_tools_batch;
mod capture_pane;
mod capture_since;
mod find_pane_by_position;
mod get_pane_info;
mod get_server_info;
mod get_session_info;
mod get_status;
mod get_tmux_variables;
mod get_window_info;
mod list_panes;
mod list_sessions;
mod list_windows;
mod search_panes;
mod show_environment;
mod show_hooks;
mod show_option;
mod snapshot_pane;
mod wait_for_attention;
mod wait_for_text;

use crate::mcp::registry::Tool;

/// All of them.
pub const TOOLS: &[&Tool] = &[
    &call_read_tools_batch::TOOL,
    &capture_pane::TOOL,
    &capture_since::TOOL,
    &find_pane_by_position::TOOL,
    &get_pane_info::TOOL,
    &get_server_info::TOOL,
    &get_session_info::TOOL,
    &get_status::TOOL,
    &get_tmux_variables::TOOL,
    &get_window_info::TOOL,
    &list_panes::TOOL,
    &list_sessions::TOOL,
    &list_windows::TOOL,
    &search_panes::TOOL,
    &show_environment::TOOL,
    &show_hooks::TOOL,
    &show_option::TOOL,
    &snapshot_pane::TOOL,
    &wait_for_attention::TOOL,
    &wait_for_text::TOOL,
];
