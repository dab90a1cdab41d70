//! Who may be typed into: what is looked at before anything goes into a pane, and panes that a command of ours runs in.
//!
//! A look is no lock: between it and the input somebody may come, or a mode begin.

use super::caller::{Caller, Relation};
use super::host::Host;
use super::outcome::{Kind, Problem, Reason};
use crate::model::PaneId;
use crate::text;
use crate::tmux::drive::input::{audience, Audience, Recipient};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Panes that a command of ours runs in. There is one server to a process, so a pane's id is enough.
#[derive(Debug, Clone, Default)]
pub struct Reservations(Arc<Mutex<BTreeSet<PaneId>>>);

/// A pane that is kept from all other input of ours until this is dropped.
#[derive(Debug)]
pub struct Reserved {
    all: Reservations,
    pane: PaneId,
}

impl Reservations {
    fn lock(&self) -> MutexGuard<'_, BTreeSet<PaneId>> {
        // A set of ids is whole whatever broke off beside it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a pane.
    ///
    /// # Errors
    /// When it is taken.
    pub fn take(&self, pane: PaneId) -> Result<Reserved, Problem> {
        if !self.lock().insert(pane) {
            return Err(reserved(pane));
        }
        Ok(Reserved {
            all: self.clone(),
            pane,
        })
    }

    /// Whether a command of ours runs there.
    pub fn holds(&self, pane: PaneId) -> bool {
        self.lock().contains(&pane)
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.all.lock().remove(&self.pane);
    }
}

/// What a call is about to put into a pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// What goes to all panes that are synchronized with it.
    Keys,
    /// Keys that only interrupt: these pass a reservation.
    StopKeys,
    /// What goes to that pane alone.
    Paste,
    /// A command that has reserved the pane: no other pane may get it.
    Command,
}

/// Looks who would get `input`.
///
/// # Errors
/// When one of them must not be typed into, with the reason, or when there is no such pane.
pub fn look(host: &Host, pane: PaneId, input: Input) -> Result<Audience, Problem> {
    let mut audience = audience(&host.tmux, pane)?;
    if input == Input::Paste {
        audience.reached = vec![audience.target.clone()];
    }
    for one in &audience.reached {
        refuse(host, &audience, one)?;
        if matches!(input, Input::Keys | Input::Paste) && host.reserved.holds(one.id) {
            return Err(reserved(one.id));
        }
    }
    if let (Input::Command, [_, _, ..]) = (input, audience.reached.as_slice()) {
        let what = format!(
            "{pane} is synchronized with {} other panes, which would get the command, too; set_synchronize_panes turns that \
             off",
            audience.reached.len() - 1
        );
        return Err(Problem::input(what).because(Reason::Cohort));
    }
    Ok(audience)
}

fn refuse(host: &Host, audience: &Audience, one: &Recipient) -> Result<(), Problem> {
    let id = one.id;
    own(host, one.server, id)?;
    if one.dead {
        let what = format!("the program in {id} has ended; respawn_pane starts it again");
        return Err(Problem::input(what).because(Reason::Dead));
    }
    if one.input_off {
        let what = format!("{id} takes no input: its user has turned it off (select-pane -e turns it on)");
        return Err(Problem::input(what).because(Reason::InputOff));
    }
    if let Some(mode) = &one.mode {
        let what = format!(
            "{id} is in {}, which would take the keys; it is its user's to leave",
            text::one_line(mode, 40)
        );
        return Err(Problem::input(what).because(Reason::Mode));
    }
    let looks = audience
        .viewers
        .iter()
        .find(|viewer| one.shown && viewer.window == one.window);
    if let Some(viewer) = looks {
        let what = format!(
            "somebody looks at {id} (client {}); work in a pane of your own (create_window, create_session), or ask the \
             person to look at another window",
            text::one_line(&viewer.name, 60)
        );
        return Err(Problem::input(what).because(Reason::Attended));
    }
    Ok(())
}

/// Refuses the pane that this process runs in.
///
/// # Errors
/// When it is that one, or may be.
pub fn own(host: &Host, server: u32, pane: PaneId) -> Result<(), Problem> {
    let why = match &host.caller {
        Caller::Unclear => {
            "TMUX and TMUX_PANE of this MCP server make no sense, so that no pane can be told from its own"
        }
        caller if caller.relation(server, pane) == Relation::Own => "this MCP server runs in that pane",
        _ => return Ok(()),
    };
    Err(Problem::new(Kind::SelfProtection, format!("{pane} is left alone: {why}")).because(Reason::Caller))
}

fn reserved(pane: PaneId) -> Problem {
    Problem::input(format!(
        "a command of run_shell_command runs in {pane}; send_keys with keys [\"C-c\"] alone interrupts it, respawn_pane with \
         kill_first ends it"
    ))
    .because(Reason::Reserved)
}
