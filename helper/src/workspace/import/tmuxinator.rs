//! tmuxinator's files, with the names that keys had in its older versions.

use super::super::refusal::Refusal;
use super::super::yaml::{Entry, Node, Value};
use super::is_said;
use super::translate::{pane, typed, Entries, Translation};
use crate::text;
use std::path::Path;

/// A project's keys that are read here; all others have no counterpart.
#[derive(Debug, Default)]
struct Project<'a> {
    name: Option<&'a Node>,
    root: Option<&'a Node>,
    windows: Option<&'a Node>,
    /// Runs once, before everything.
    pre: Option<&'a Entry>,
    /// Runs in each pane.
    pre_window: Vec<String>,
    /// The name of the window that is shown first.
    startup: Option<String>,
}

/// A document's entries.
///
/// # Errors
/// When something cannot be said, or has the wrong shape.
pub fn read(source: &Node, path: &Path, translation: &mut Translation<'_>) -> Result<Entries, Refusal> {
    let project = project(source, translation)?;
    let name = translation.session_name(project.name, path)?;
    let root = match project.root {
        Some(root) => translation.directory(root, None)?,
        None => None,
    };
    let windows = project
        .windows
        .ok_or_else(|| translation.wrong(source.at, "it has no windows"))?;
    let windows = translation.items(windows, "windows")?.iter();
    let windows: Vec<Node> = windows
        .map(|item| window(item, root.as_deref(), project.startup.as_deref(), translation))
        .collect::<Result<_, _>>()?;
    let mut entries: Entries = vec![("session_name", name.into())];
    entries.extend(root.map(|root| ("start_directory", root.into())));
    entries.extend(before_script(project.pre, translation)?);
    entries.extend(before(&project.pre_window, "; "));
    entries.push(("windows", windows.into()));
    Ok(entries)
}

fn project<'a>(source: &'a Node, translation: &mut Translation<'_>) -> Result<Project<'a>, Refusal> {
    let mut project = Project::default();
    for entry in translation.entries(source, "the file")? {
        let value = &entry.value;
        match entry.key.text.as_str() {
            "name" | "project_name" => project.name = Some(value),
            "root" | "project_root" => project.root = Some(value),
            "windows" | "tabs" => project.windows = Some(value),
            _ if !is_said(value) => {}
            "pre" => project.pre = Some(entry),
            "pre_window" | "pre_tab" => project.pre_window.extend(translation.commands(value, "pre_window")?),
            "rbenv" => project
                .pre_window
                .push(format!("rbenv shell {}", translation.text(value, "rbenv")?)),
            "rvm" => project
                .pre_window
                .push(format!("rvm use {}", translation.text(value, "rvm")?)),
            // A number counts from where tmux begins to, which the file does not say.
            "startup_window" if value.scalar().is_some_and(|name| name.parse::<u32>().is_err()) => {
                project.startup = value.scalar().map(str::to_owned);
            }
            "attach" if value.flag() == Some(true) => {}
            "enable_pane_titles" if value.flag() == Some(false) => {}
            "socket_name" | "socket_path" => {
                translation.lose(entry, "", "say it when you load: load -L NAME or -S PATH")
            }
            "cli_args" | "tmux_options" => translation.lose(entry, "", "say it when you load: load -f FILE, load -2"),
            "attach" => translation.lose(entry, "", "say it when you load: load -d"),
            _ => translation.lose(entry, "", ""),
        }
    }
    Ok(project)
}

/// What runs once before everything. tmuxinator gives it to a shell.
fn before_script(
    pre: Option<&Entry>,
    translation: &mut Translation<'_>,
) -> Result<Option<(&'static str, Node)>, Refusal> {
    let Some(entry) = pre else { return Ok(None) };
    let script = translation.commands(&entry.value, "pre")?.join("; ");
    translation.note(entry.key.at, "pre is before_script here: when it fails, the load ends");
    let words = format!("sh -c {}", text::for_shell(&script));
    Ok(Some(("before_script", words.into())))
}

/// Commands as one line that goes before those of each pane, if there are any.
fn before(commands: &[String], separator: &str) -> Option<(&'static str, Node)> {
    let line = (!commands.is_empty()).then(|| commands.join(separator));
    typed(line.into_iter().collect()).map(|line| ("shell_command_before", line))
}

/// A window: its name, and nothing, a command, several for one pane, or a mapping.
fn window(
    item: &Node,
    root: Option<&str>,
    startup: Option<&str>,
    translation: &mut Translation<'_>,
) -> Result<Node, Refusal> {
    let wrong = |translation: &Translation<'_>| {
        translation.wrong(item.at, "a window must be a mapping with one key, which is its name")
    };
    let (name, value) = match &item.value {
        Value::Map(entries) => match entries.as_slice() {
            [only] => (only.key.text.as_str(), Some(&only.value)),
            _ => return Err(wrong(translation)),
        },
        Value::Null | Value::List(_) => return Err(wrong(translation)),
        _ => (item.scalar().unwrap_or_default(), None),
    };
    let mut entries: Entries = vec![("window_name", name.into())];
    if startup == Some(name) {
        entries.push(("focus", true.into()));
    }
    match value {
        Some(map) if matches!(map.value, Value::Map(_)) => fields(map, root, &mut entries, translation)?,
        Some(value) => {
            let commands = translation.commands(value, "a window's commands")?;
            entries.push(("panes", vec![pane(commands)].into()));
        }
        None => {}
    }
    Ok(Node::map(entries))
}

fn fields(
    map: &Node,
    root: Option<&str>,
    entries: &mut Entries,
    translation: &mut Translation<'_>,
) -> Result<(), Refusal> {
    for entry in translation.entries(map, "a window")? {
        let value = &entry.value;
        match entry.key.text.as_str() {
            _ if !is_said(value) => {}
            "layout" => entries.push(("layout", translation.text(value, "layout")?.into())),
            "root" => {
                let root = translation.directory(value, root)?;
                entries.extend(root.map(|root| ("start_directory", root.into())));
            }
            "pre" => {
                entries.extend(before(&translation.commands(value, "pre")?, " && "));
            }
            "synchronize" => synchronize(entry, entries, translation),
            "panes" => {
                let items = translation.items(value, "panes")?.iter();
                let panes: Vec<Node> = items
                    .map(|item| read_pane(item, translation))
                    .collect::<Result<_, _>>()?;
                entries.push(("panes", panes.into()));
            }
            _ => translation.lose(entry, "a window's ", ""),
        }
    }
    Ok(())
}

/// Panes that are typed to together: after the commands, or, which would give each the commands of all, before them.
fn synchronize(entry: &Entry, entries: &mut Entries, translation: &mut Translation<'_>) {
    if entry.value.flag() == Some(false) {
        return;
    }
    if entry.value.scalar() != Some("after") {
        translation.lose(
            entry,
            "a window's ",
            "panes are synchronized after the commands were typed",
        );
    }
    entries.push(("options_after", Node::map([("synchronize-panes", "on")])));
}

/// A pane: nothing, a command, or several, under a name or not.
fn read_pane(item: &Node, translation: &mut Translation<'_>) -> Result<Node, Refusal> {
    let Value::Map(named) = &item.value else {
        return Ok(pane(translation.commands(item, "a pane")?));
    };
    let [entry] = named.as_slice() else {
        return Err(translation.wrong(
            item.at,
            "a pane must be a command, a list of them, or one name with these",
        ));
    };
    translation.lose(entry, "the name of the pane ", "the pane has none");
    Ok(pane(translation.commands(&entry.value, "a pane")?))
}
