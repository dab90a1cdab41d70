#[path = "support/mcp.rs"]
mod mcp;
mod support;
