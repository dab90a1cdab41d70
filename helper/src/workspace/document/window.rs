//! A window: what it says itself, and its panes.

use super::fields::{Fields, Place};
use super::pane::{self, Inherited};
use super::{command, directory, option, own};
use crate::workspace::refusal::Refusal;
use crate::workspace::spec::{Pane, Window};
use crate::workspace::yaml::{Node, Value};

const KEYS: [&str; 13] = [
    "window_name",
    "window_index",
    "panes",
    "layout",
    "start_directory",
    "window_shell",
    "focus",
    "options",
    "options_after",
    "environment",
    "shell_command_before",
    "suppress_history",
    own::KEY,
];

/// A window, below what the session says.
pub fn read<'a>(node: &'a Node, place: Place<'a>, session: &Inherited<'_>) -> Result<Window, Refusal> {
    let fields = Fields::of(node, place, "a window", &KEYS)?;
    let mut inherited = session.clone();
    inherited.directory = directory::read(&fields, session.directory.as_deref())?.or(inherited.directory);
    inherited.environment = option::environment(&fields)?;
    inherited.shell = fields.filled("window_shell")?;
    inherited.before.extend(command::read(&fields, "shell_command_before")?);
    inherited.suppress_history = fields.flag("suppress_history")?.unwrap_or(session.suppress_history);
    Ok(Window {
        name: name(&fields)?,
        index: index(&fields)?,
        layout: fields.filled("layout")?,
        focus: fields.flag("focus")?.unwrap_or(false),
        zoomed: own::is_zoomed(node, &fields.place)?,
        options: option::options(&fields, "options")?,
        options_after: option::options(&fields, "options_after")?,
        panes: panes(&fields, &inherited)?,
    })
}

fn name(fields: &Fields<'_>) -> Result<Option<String>, Refusal> {
    let Some((node, place)) = fields.get("window_name") else {
        return Ok(None);
    };
    let name = place.reading.expand(place.text(node)?);
    place.spend(node.at, name.len())?;
    Ok(Some(name))
}

/// tmux counts windows in whole numbers of 31 bits.
fn index(fields: &Fields<'_>) -> Result<Option<u32>, Refusal> {
    let Some((node, place)) = fields.get("window_index") else {
        return Ok(None);
    };
    let index = node.scalar().and_then(|text| text.trim().parse().ok());
    let index = index.filter(|index| *index <= i32::MAX as u32);
    index
        .map(Some)
        .ok_or_else(|| place.wrong(node.at, "must be a whole number from 0 on"))
}

/// At least one: without any, it is a blank one.
fn panes(fields: &Fields<'_>, inherited: &Inherited<'_>) -> Result<Vec<Pane>, Refusal> {
    let blank = || {
        let mut node = Node::from(Value::Null);
        node.at = fields.at;
        pane::read(&node, &fields.place.key("panes"), inherited).map(|pane| vec![pane])
    };
    let Some((node, place)) = fields.get("panes") else {
        return blank();
    };
    let items = place.items(node)?;
    if items.is_empty() {
        return blank();
    }
    let items = items.iter().enumerate();
    items
        .map(|(index, item)| pane::read(item, &place.item(index), inherited))
        .collect()
}
