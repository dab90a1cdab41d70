//! Tools that start programs or type into them.

use crate::mcp::registry::Tool;

/// All of them.
pub const TOOLS: &[&Tool] = &[];
