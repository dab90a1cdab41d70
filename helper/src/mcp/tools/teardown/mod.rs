//! Tools that take away what cannot be had back.

use crate::mcp::registry::Tool;

/// All of them.
pub const TOOLS: &[&Tool] = &[];
