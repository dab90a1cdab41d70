//! teamocil's files, of its versions 0.4 and 1.

use super::super::refusal::Refusal;
use super::super::yaml::{Entry, Node, Value};
use super::is_said;
use super::translate::{pane, typed, Entries, Translation};
use std::path::Path;

/// A document's entries.
///
/// # Errors
/// When something cannot be said, or has the wrong shape.
pub fn read(source: &Node, path: &Path, translation: &mut Translation<'_>) -> Result<Entries, Refusal> {
    let session = match source.get("session") {
        Some(session) => {
            for entry in translation.entries(source, "the file")? {
                if entry.key.text != "session" {
                    translation.lose(entry, "", "");
                }
            }
            session
        }
        None => source,
    };
    let name = translation.session_name(session.get("name"), path)?;
    let root = match session.get("root") {
        Some(root) => translation.directory(root, None)?,
        None => None,
    };
    let mut windows = None;
    for entry in translation.entries(session, "a session")? {
        match entry.key.text.as_str() {
            "name" | "root" => {}
            "windows" => windows = Some(&entry.value),
            _ => translation.lose(entry, "", ""),
        }
    }
    let windows = windows.ok_or_else(|| translation.wrong(session.at, "it has no windows"))?;
    let windows = translation.items(windows, "windows")?.iter();
    let windows: Vec<Node> = windows
        .map(|item| window(item, root.as_deref(), translation))
        .collect::<Result<_, _>>()?;
    let mut entries: Entries = vec![("session_name", name.into())];
    entries.extend(root.map(|root| ("start_directory", root.into())));
    entries.push(("windows", windows.into()));
    Ok(entries)
}

/// What a window says of all its panes.
#[derive(Debug)]
struct Around {
    before: Vec<String>,
    after: Vec<String>,
    separator: String,
}

fn window(item: &Node, root: Option<&str>, translation: &mut Translation<'_>) -> Result<Node, Refusal> {
    let mut entries = Entries::new();
    let mut panes = None;
    let mut around = Around {
        before: Vec::new(),
        after: Vec::new(),
        separator: "; ".to_owned(),
    };
    for entry in translation.entries(item, "a window")? {
        let value = &entry.value;
        match entry.key.text.as_str() {
            "name" if is_said(value) => entries.push(("window_name", translation.text(value, "name")?.into())),
            "root" => {
                let root = translation.directory(value, root)?;
                entries.extend(root.map(|root| ("start_directory", root.into())));
            }
            "layout" if is_said(value) => entries.push(("layout", translation.text(value, "layout")?.into())),
            "focus" => entries.extend(value.flag().filter(|focus| *focus).map(|_| ("focus", true.into()))),
            "options" => options(entry, &mut entries, translation)?,
            "panes" | "splits" => panes = Some(value),
            "cmd_separator" => around.separator = translation.text(value, "cmd_separator")?.to_owned(),
            "filters" if is_said(value) => filters(entry, &mut around, translation)?,
            "clear" | "with_env_var" if value.flag() == Some(false) => {}
            _ if !is_said(value) => {}
            _ => translation.lose(entry, "a window's ", ""),
        }
    }
    let panes = panes.map_or(Ok(&[] as &[Node]), |panes| translation.items(panes, "panes"))?;
    let panes: Vec<Node> = panes
        .iter()
        .map(|item| read_pane(item, &around, translation))
        .collect::<Result<_, _>>()?;
    if !panes.is_empty() {
        entries.push(("panes", panes.into()));
    }
    Ok(Node::map(entries))
}

/// Options of the window. Panes that are typed to together would each get the commands of all: that waits until after these.
fn options(entry: &Entry, entries: &mut Entries, translation: &mut Translation<'_>) -> Result<(), Refusal> {
    if !is_said(&entry.value) {
        return Ok(());
    }
    let mut now = Vec::new();
    for option in translation.entries(&entry.value, "options")? {
        let name = option.key.text.clone();
        if name == "synchronize-panes" && option.value.flag() != Some(false) {
            translation.lose(option, "the option ", "it is set after the commands were typed");
            entries.push(("options_after", Node::map([(name, "on")])));
        } else {
            let value = translation.text(&option.value, "an option")?;
            now.push((name, Node::from(value)));
        }
    }
    if !now.is_empty() {
        entries.push(("options", Node::map(now)));
    }
    Ok(())
}

/// What goes before and after each pane's commands.
fn filters(entry: &Entry, around: &mut Around, translation: &mut Translation<'_>) -> Result<(), Refusal> {
    let instead = "its commands are written into each pane";
    translation.lose(entry, "a window's ", instead);
    for filter in translation.entries(&entry.value, "filters")? {
        match filter.key.text.as_str() {
            "before" => around.before = translation.commands(&filter.value, "a filter")?,
            "after" => around.after = translation.commands(&filter.value, "a filter")?,
            _ => translation.lose(filter, "filters.", ""),
        }
    }
    Ok(())
}

/// A pane: text, a list, or a mapping. Its commands are one line, as teamocil types them.
fn read_pane(item: &Node, around: &Around, translation: &mut Translation<'_>) -> Result<Node, Refusal> {
    let mut own = Vec::new();
    let mut focus = false;
    if let Value::Map(parts) = &item.value {
        for entry in parts {
            match entry.key.text.as_str() {
                "cmd" | "commands" => own.extend(translation.commands(&entry.value, "a pane's commands")?),
                "focus" => focus = entry.value.flag() == Some(true),
                _ if !is_said(&entry.value) => {}
                _ => translation.lose(entry, "a pane's ", ""),
            }
        }
    } else {
        own = translation.commands(item, "a pane")?;
    }
    let all = [around.before.as_slice(), &own, &around.after].concat();
    let lines = if all.is_empty() {
        Vec::new()
    } else {
        all.join(&around.separator).lines().map(str::to_owned).collect()
    };
    if !focus {
        return Ok(pane(lines));
    }
    let mut entries: Entries = Vec::new();
    entries.extend(typed(lines).map(|lines| ("shell_command", lines)));
    entries.push(("focus", true.into()));
    Ok(Node::map(entries))
}
