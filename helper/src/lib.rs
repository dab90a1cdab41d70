//! tmux-status: always knows what every tmux window is doing and which one needs its user.

// No input may end the program in a panic; tests may.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::todo,
        clippy::unimplemented,
        clippy::indexing_slicing
    )
)]

pub mod agents;
pub mod classify;
pub mod cli;
pub mod cmd;
pub mod dashboard;
pub mod fault;
pub mod mcp;
pub mod model;
pub mod notify;
pub mod output;
pub mod process;
pub mod reader;
pub mod refresh;
pub mod sample;
pub mod segment;
pub mod shells;
pub mod status;
pub mod summarise;
pub mod summary;
pub mod table;
pub mod terminal;
pub mod text;
pub mod theme;
pub mod tmux;
pub mod upkeep;
pub mod watch;
pub mod wish;
pub mod workspace;
