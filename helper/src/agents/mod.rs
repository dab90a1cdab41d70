//! What coding agents say of themselves: in files, where an agent keeps one, and by hooks that report.
//!
//! Files are other programs' data: their size is bounded, and one that is missing, foreign or broken is absent evidence.
//! Nothing here judges; only panes whose program was identified as the agent are asked about.

mod claude;
pub mod install;
pub mod payload;
pub mod report;
mod tool;

use crate::model::AgentState;

/// What the agent `id` (the name of its rule file) that runs as `pid` says it does; `None` when it says nothing.
pub fn state(id: &str, pid: u32) -> Option<AgentState> {
    match id {
        "claude" => claude::state(pid),
        _ => None,
    }
}
