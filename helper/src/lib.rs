//! tmux-status: always knows what every tmux window is doing and which one needs its user.

pub mod classify;
pub mod cli;
pub mod cmd;
pub mod model;
pub mod process;
pub mod summary;
pub mod text;
