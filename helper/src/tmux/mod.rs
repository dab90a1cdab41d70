//! The edge to tmux: the only folder that spells a tmux command.
//!
//! Everything goes through [`command::Tmux`], which puts a deadline on each process. Nothing here attaches a client but
//! `client::attach`, for a person at a terminal: an attached control client changes `session_attached` and activity and captures `switch-client` (measured on 3.2a–3.5a).

pub mod build;
pub mod client;
pub mod command;
pub mod drive;
pub mod hook;
pub mod inquiry;
pub mod key;
pub mod layout;
pub mod listing;
pub mod literal;
pub mod option;
pub mod outline;
pub mod publish;
pub mod report;
pub mod seat;
pub mod server;
pub mod site;
pub mod snapshot;
pub mod target;
pub mod version;
pub mod window;
