//! Tools that start programs or type into them.

mod create_session;
mod create_window;
mod paste_text;
mod respawn_pane;
mod run_shell_command;
mod send_keys;
mod send_keys_batch;
mod set_synchronize_panes;
mod split_window;

use crate::mcp::registry::Tool;

/// All of them.
pub const TOOLS: &[&Tool] = &[
    &create_session::TOOL,
    &create_window::TOOL,
    &paste_text::TOOL,
    &respawn_pane::TOOL,
    &run_shell_command::TOOL,
    &send_keys::TOOL,
    &send_keys_batch::TOOL,
    &set_synchronize_panes::TOOL,
    &split_window::TOOL,
];
