//! Tools that change tmux's objects without giving anything to a program.

mod move_window;
mod rename_session;
mod rename_window;
mod resize_pane;
mod resize_window;
mod select_layout;
mod select_pane;
mod select_window;
mod set_mouse_enabled;
mod set_pane_title;
mod signal_channel;
mod swap_pane;
mod wait_for_channel;

use crate::mcp::registry::Tool;

/// All of them.
pub const TOOLS: &[&Tool] = &[
    &move_window::TOOL,
    &rename_session::TOOL,
    &rename_window::TOOL,
    &resize_pane::TOOL,
    &resize_window::TOOL,
    &select_layout::TOOL,
    &select_pane::TOOL,
    &select_window::TOOL,
    &set_mouse_enabled::TOOL,
    &set_pane_title::TOOL,
    &signal_channel::TOOL,
    &swap_pane::TOOL,
    &wait_for_channel::TOOL,
];
