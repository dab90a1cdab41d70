//! Tools that change tmux's objects without giving anything to a program.

use crate::mcp::registry::Tool;

/// All of them.
pub const TOOLS: &[&Tool] = &[];
