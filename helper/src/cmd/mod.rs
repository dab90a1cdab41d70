//! The subcommands, one a file: arguments, then what it does, in terms of the layers below.

pub mod agents;
pub mod completions;
pub mod dashboard;
pub mod doctor;
pub mod explain;
pub mod init;
pub mod mcp;
pub mod next;
pub mod notify;
pub mod plugin;
pub mod refresh;
pub mod report;
pub mod segment;
pub mod show;
pub mod summarise;
pub mod watch;
pub mod workspace;
