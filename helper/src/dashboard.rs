//! The dashboard: what every window is doing, who waits longest, and the way there, in one view.
//!
//! State, update and drawing are pure: [`update`] takes what happened and answers with what is to be done, [`draw`] paints
//! what is so. Only [`term`] reads, waits, and asks tmux, and `files` knows workspaces. The dashboard types nothing into a pane and reads no process
//! table, but for the look that its user asks for.

mod draw;
mod files;
mod filter;
#[cfg(test)]
mod fixture;
pub mod keys;
mod overlay;
mod preview;
mod selection;
mod state;
mod term;
mod update;
mod workspaces;

pub use term::{run, Start};
