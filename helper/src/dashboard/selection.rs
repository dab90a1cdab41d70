//! Which window is selected, and which part of the list is in sight.

use super::overlay;
use super::preview::Preview;
use super::state::{Chosen, Entry, Model};

/// Selects the first row: another filter asks for another window.
pub fn first(model: &mut Model) {
    model.chosen = None;
    model.top = 0;
}

/// The line of the list that is selected.
pub fn position(model: &Model) -> Option<usize> {
    let chosen = model.chosen?;
    model.entries().iter().position(|entry| entry.chosen() == Some(chosen))
}

/// After news: the window that was selected stays so, in another place if that is where it is now; else the one that is where it
/// was, at that line.
pub fn keep(model: &mut Model, at: Option<usize>) {
    if position(model).is_some() {
        return;
    }
    let window = model.chosen.map(|chosen| chosen.window);
    let entries = model.entries();
    let elsewhere = entries
        .iter()
        .filter_map(Entry::chosen)
        .find(|chosen| Some(chosen.window) == window);
    let there = || nearest(&entries, at?);
    model.chosen = elsewhere.or_else(there);
}

/// The window at that line, else the next one below, else the last one.
fn nearest(entries: &[Entry<'_>], at: usize) -> Option<Chosen> {
    let below = entries.iter().skip(at).find_map(Entry::chosen);
    below.or_else(|| entries.iter().rev().find_map(Entry::chosen))
}

/// Selects the first window of the session that is waited for, once it is there.
pub fn awaited(model: &mut Model) {
    let Some(session) = model.awaited else { return };
    let chosen = model
        .entries()
        .iter()
        .filter_map(Entry::chosen)
        .find(|chosen| chosen.session == session);
    if chosen.is_some() {
        model.chosen = chosen;
        model.awaited = None;
        model.wheeled = false;
    }
}

/// Selects the window so many windows below.
pub fn step(model: &mut Model, by: isize) {
    let entries = model.entries();
    let windows: Vec<Chosen> = entries.iter().filter_map(Entry::chosen).collect();
    let at = windows
        .iter()
        .position(|chosen| Some(*chosen) == model.chosen)
        .unwrap_or(0);
    let to = at.saturating_add_signed(by).min(windows.len().saturating_sub(1));
    model.chosen = windows.get(to).copied();
}

/// Has a window selected that is in the list, and the list scrolled so that it is in sight.
pub fn settle(model: &mut Model) {
    let rows = model.layout().list.rows;
    let entries = model.entries();
    let count = entries.len();
    let mut at = entries
        .iter()
        .position(|entry| model.chosen.is_some() && entry.chosen() == model.chosen);
    let mut chosen = model.chosen;
    if at.is_none() {
        let window = chosen.map(|chosen| chosen.window);
        let same = |entry: &Entry<'_>| entry.chosen().is_some_and(|chosen| Some(chosen.window) == window);
        at = entries
            .iter()
            .position(same)
            .or_else(|| entries.iter().position(|entry| entry.chosen().is_some()));
        chosen = at.and_then(|at| entries.get(at)?.chosen());
    }
    let mut top = model.top;
    if let Some(at) = at.filter(|_| !model.wheeled) {
        // The heading above the first row of a section is in sight with it.
        let heading = |line: usize| entries.get(line).is_some_and(|entry| entry.chosen().is_none());
        let first = if at > 0 && heading(at - 1) && rows > 1 {
            at - 1
        } else {
            at
        };
        let first = if first == 1 && heading(0) { 0 } else { first };
        top = top.min(first).max((at + 1).saturating_sub(rows));
    }
    model.top = top.min(count.saturating_sub(rows));
    model.overlay_top = model.overlay_top.min(overlay::hidden(model));
    model.chosen = chosen;
    let gone = |preview: &Preview| model.place().is_none_or(|place| place.window.pane != preview.pane);
    if model.preview.as_ref().is_some_and(gone) {
        model.preview = None;
        model.preview_top = None;
        // It is asked for again when the window is back.
        model.asked.about = None;
    }
}
