//! What is to be done for a session, as tmux commands in the order in which they go: pure.
//!
//! A sleep holds up its own pane and nothing else: what is typed is put on a time line, and panes go along it side by side.

use super::history::unremembered;
use super::refusal::{Code, Refusal};
use super::spec::{Pairs, Pane, Session, Window};
use crate::model::{PaneId, SessionId, WindowId};
use crate::tmux::build::{self, Group, Made, Place, Settings, Start};
use crate::tmux::layout::{self, Unfit};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The option that gives windows other indexes when one goes.
const RENUMBER: &str = "renumber-windows";

/// How windows are arranged for which the document has no layout, and while they are split: so most panes fit.
const TILED: &str = "tiled";

/// Looks whether this version of tmux takes every layout of a session; without a version, whether some may. tmux 3.3a ends at one
/// that it does not know.
///
/// # Errors
/// Those of the first that it does not take.
pub fn check_layouts(session: &Session, version: Option<&str>) -> Result<(), Refusal> {
    for (at, window) in session.windows.iter().enumerate() {
        let Some(layout) = &window.layout else { continue };
        let mirrored = version.is_none_or(layout::has_mirrored);
        let checked = layout::read(layout).and_then(|read| read.check(window.panes.len(), mirrored));
        checked.map_err(|unfit| {
            let code = match unfit {
                Unfit::Wrong(_) => Code::InvalidWorkspace,
                Unfit::TooNew => Code::TmuxUnsupported,
            };
            Refusal::new(code, format!("windows[{at}].layout of {}: {unfit}", session.name))
                .with_hint("tmux display-message -p '#{window_layout}' prints the layout of a window")
        })?;
    }
    Ok(())
}

/// An index for each window: its own, or else the lowest one from `base` on that neither a window of the document nor one that
/// stands there (`taken`) has; `session` is the name of the session that they go into.
///
/// # Errors
/// When a window wants an index that is taken, or that another one wants, too.
pub fn indexes(windows: &[Window], base: u32, taken: &BTreeSet<u32>, session: &str) -> Result<Vec<u32>, Refusal> {
    let mut used = taken.clone();
    for index in windows.iter().filter_map(|window| window.index) {
        let line = match (taken.contains(&index), used.insert(index)) {
            (true, _) => format!("index {index} is taken in session {session}"),
            (_, false) => format!("two windows would have the index {index}"),
            _ => continue,
        };
        return Err(Refusal::new(Code::InvalidWorkspace, line).with_hint("give each its own window_index, or none"));
    }
    let mut next = base;
    let mut free = || {
        while !used.insert(next) {
            next = next.saturating_add(1);
        }
        next
    };
    Ok(windows
        .iter()
        .map(|window| window.index.unwrap_or_else(&mut free))
        .collect())
}

/// Whose something is that is set before the windows are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// An option of the session.
    Session,
    /// An option of the server.
    Server,
    /// An option of all sessions.
    Global,
    /// A variable of the session.
    Environment,
}

/// Something that is set before the windows are made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// Whose it is.
    pub scope: Scope,
    /// The name of the option or the variable.
    pub name: String,
}

/// The session's own settings, but for options that are known to be those of windows, and the groups that make them, one each and
/// one more; what these print, [`build::read_settings`] reads: which have been made, too.
pub fn settings(id: SessionId, session: &Session, known: &Settings) -> (Vec<Setting>, Vec<Group>) {
    let options = session.options.iter().filter(|(name, _)| !known.is_of_windows(name));
    let options = options.map(|(name, value)| (Scope::Session, name, build::set_option(id, name, value)));
    let global = session.global_options.iter();
    let global = global.map(|(name, value)| (Scope::Global, name, build::set_global_option(name, value)));
    let environment = session.environment.iter();
    let environment =
        environment.map(|(name, value)| (Scope::Environment, name, build::set_environment(id, name, value)));
    let all = options.chain(global).chain(environment).enumerate();
    let (settings, mut groups): (Vec<Setting>, Vec<Group>) = all
        .map(|(number, (scope, name, command))| {
            let name = name.clone();
            (Setting { scope, name }, vec![command, build::tell_set(id, number)])
        })
        .unzip();
    groups.push(build::tell_settings(id));
    (settings, groups)
}

/// Puts the window that only waits, which stands at the index `shown`, out of the way of those that come.
pub fn make_room(id: SessionId, waiting: WindowId, shown: Option<u32>, indexes: &[u32]) -> Group {
    let in_the_way = shown.is_none_or(|shown| indexes.contains(&shown));
    let last = indexes.iter().max().copied().unwrap_or(0);
    let place = Place {
        session: id,
        index: last.saturating_add(1),
    };
    in_the_way
        .then(|| build::move_window(waiting, place))
        .into_iter()
        .collect()
}

/// Makes the windows with their panes, a group each; `indexes` has one for each.
pub fn windows(id: SessionId, session: &Session, indexes: &[u32], settings: &Settings) -> Vec<Group> {
    // An option of windows that is said for the session is meant for all of its windows.
    let common: Pairs = session
        .options
        .iter()
        .filter(|(name, _)| settings.is_of_windows(name))
        .cloned()
        .collect();
    let places = indexes.iter().map(|index| Place {
        session: id,
        index: *index,
    });
    places
        .zip(&session.windows)
        .enumerate()
        .map(|(number, (place, window))| one_window(number, place, window, &common))
        .collect()
}

/// The most windows that are made in one process, and the most panes: what the server does in one pass nobody can interrupt, and
/// nobody sees how far it is.
const MOST_WINDOWS: usize = 25;
const MOST_PANES: usize = 100;

/// The groups that make `windows`, one for each, in batches; a window stays whole.
pub fn batches(groups: Vec<Group>, windows: &[Window]) -> Vec<Vec<Group>> {
    let mut batches: Vec<Vec<Group>> = Vec::new();
    let mut panes = 0;
    for (group, window) in groups.into_iter().zip(windows) {
        panes += window.panes.len();
        match batches.last_mut() {
            Some(batch) if batch.len() < MOST_WINDOWS && panes <= MOST_PANES => batch.push(group),
            _ => {
                panes = window.panes.len();
                batches.push(vec![group]);
            }
        }
    }
    batches
}

fn one_window(number: usize, place: Place, window: &Window, common: &Pairs) -> Group {
    let mut group = Group::new();
    for (at, pane) in window.panes.iter().enumerate() {
        let folder = pane.start_directory.to_string_lossy();
        let start = Start {
            folder: &folder,
            environment: &pane.environment,
            shell: pane.shell.as_deref(),
        };
        if at == 0 {
            group.push(build::new_window(place, window.name.as_deref(), &start, number));
            let options = common.iter().chain(&window.options);
            group.extend(options.map(|(name, value)| build::set_window_option(place, name, value)));
        } else {
            group.push(build::split(place, &start, number, at));
            group.push(build::arrange(place, TILED));
        }
    }
    if let Some(layout) = &window.layout {
        group.push(build::arrange(place, layout));
    }
    group
}

/// What is typed at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Beat {
    /// How long after the first moment.
    pub at: Duration,
    /// What is typed, in the order of the document.
    pub groups: Vec<Group>,
    /// The panes that get nothing more after it.
    pub done: Vec<PaneId>,
}

/// What is typed into the panes, moment by moment; and how long all of it takes, the last sleep included.
pub fn beats<'a>(panes: impl Iterator<Item = (PaneId, &'a Pane)>) -> (Vec<Beat>, Duration) {
    let mut moments: BTreeMap<Duration, Beat> = BTreeMap::new();
    let mut end = Duration::ZERO;
    for (id, pane) in panes {
        let (mut at, mut last) = (Duration::ZERO, None);
        for command in &pane.commands {
            at = at.saturating_add(command.sleep_before);
            let text = match command.suppress_history {
                true => unremembered(&command.text),
                false => command.text.clone(),
            };
            let moment = moments.entry(at).or_default();
            moment.groups.push(build::send(id, &text, command.enter));
            last = Some(at);
            at = at.saturating_add(command.sleep_after);
        }
        end = end.max(at);
        if let Some(moment) = last.and_then(|last| moments.get_mut(&last)) {
            moment.done.push(id);
        }
    }
    let beats = moments.into_iter().map(|(at, beat)| Beat { at, ..beat });
    (beats.collect(), end)
}

/// Has a new session show the first of its windows, and ends the one that only waited; the others keep their indexes.
pub fn drop_waiting(id: SessionId, session: &Session, waiting: WindowId, indexes: &[u32]) -> Group {
    let first = indexes.first().map(|index| Place {
        session: id,
        index: *index,
    });
    let own = session.options.iter().rfind(|(name, _)| name == RENUMBER);
    let restore = match own {
        Some((name, value)) => build::set_option(id, name, value),
        None => build::unset_option(id, RENUMBER),
    };
    let rest = [
        build::set_option(id, RENUMBER, "off"),
        build::kill_window(waiting),
        restore,
    ];
    first.map(build::show).into_iter().chain(rest).collect()
}

/// What is done at the end: options that come after the commands, and the panes and the window that want to be shown. Last the
/// session's id is printed, if it is there.
pub fn finish(id: SessionId, session: &Session, indexes: &[u32], made: &[Made]) -> Vec<Group> {
    let mut groups = Vec::new();
    for (number, (window, index)) in session.windows.iter().zip(indexes).enumerate() {
        let place = Place {
            session: id,
            index: *index,
        };
        let after = window.options_after.iter();
        groups.extend(after.map(|(name, value)| vec![build::set_window_option(place, name, value)]));
        // Of several that want to be the active one, the last is.
        let focused = window.panes.iter().rposition(|pane| pane.focus);
        let pane = made
            .iter()
            .find(|made| made.window == number && Some(made.pane) == focused);
        groups.extend(pane.map(|made| vec![build::select_pane(made.pane_id)]));
    }
    let focused = session.windows.iter().rposition(|window| window.focus);
    let window = made.iter().find(|made| Some(made.window) == focused);
    groups.extend(window.map(|made| vec![build::select_window(id, made.window_id)]));
    // Last: choosing a pane would end it.
    let zoomed = session.windows.iter().zip(indexes).filter(|(window, _)| window.zoomed);
    let place = |index: &u32| Place {
        session: id,
        index: *index,
    };
    groups.extend(zoomed.map(|(_, index)| vec![build::zoom(place(index))]));
    groups.push(vec![build::tell_life(id)]);
    groups
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
