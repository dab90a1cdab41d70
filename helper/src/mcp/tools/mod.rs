//! The tools, a folder for each toolset, a file for each tool. To add one: its file, and its line in its toolset's list.

pub mod execute;
pub mod inspect;
pub mod manage;
pub mod teardown;

use super::host::Host;
use super::id::SessionArg;
use super::outcome::Problem;
use crate::model::SessionId;
use crate::tmux::drive::lists;
use schemars::JsonSchema;
use serde::Deserialize;

/// The arguments of a tool that takes none.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// The session that was named: the one with that id, else the one with just that name, which may look like an id.
///
/// # Errors
/// When there is no such session.
pub fn session(host: &Host, named: &SessionArg) -> Result<SessionId, Problem> {
    find_session(host, named).map(|row| row.id)
}

/// The same, with what is known of it.
///
/// # Errors
/// As [`session`].
pub fn find_session(host: &Host, named: &SessionArg) -> Result<lists::SessionRow, Problem> {
    let rows = lists::sessions(&host.tmux, &host.observers.pids())?;
    let by_id = rows.iter().find(|row| Some(row.id) == named.id());
    let found = by_id.or_else(|| rows.iter().find(|row| row.name == named.0));
    found
        .cloned()
        .ok_or_else(|| Problem::gone(format!("there is no session {}", named.shown())))
}
