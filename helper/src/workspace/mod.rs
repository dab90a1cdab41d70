//! Workspaces: a session from a file, and a file from a session.
//!
//! ```text
//! file ─▶ yaml ─▶ document ─▶ spec ─▶ plan ─▶ a few tmux processes
//! session ─▶ freeze ─▶ document ─▶ file
//! ```
//!
//! A document is what a person writes; a [`spec::Session`] is what is meant, with everything inherited and expanded.

pub mod autosave;
pub mod called;
pub mod document;
pub mod env;
pub mod find;
pub mod folders;
pub mod freeze;
pub mod history;
pub mod import;
pub mod list;
pub mod load;
pub mod plan;
pub mod refusal;
pub mod save;
pub mod schema;
pub mod search;
pub mod server_save;
pub mod size;
pub mod spec;
pub mod yaml;
