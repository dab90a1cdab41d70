//! The session itself, and what all of its windows inherit.

use super::fields::{Fields, Place};
use super::pane::Inherited;
use super::{command, directory, option, own, script, window, Reading};
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::spec::{Readiness, Session, Window};
use crate::workspace::yaml::{Node, Value};
use std::collections::HashSet;

const KEYS: [&str; 14] = [
    "session_name",
    "windows",
    "start_directory",
    "environment",
    "options",
    "global_options",
    "shell_command_before",
    "suppress_history",
    "before_script",
    "plugins",
    "workspace_builder",
    "workspace_builder_paths",
    "workspace_builder_options",
    own::KEY,
];

/// All of a document but its warnings.
pub fn read(document: &Node, reading: &Reading<'_>) -> Result<Session, Refusal> {
    let fields = Fields::of(document, Place::root(reading), "a workspace", &KEYS)?;
    refuse_python(&fields)?;
    let named = directory::read(&fields, None)?;
    let environment = option::environment(&fields)?.unwrap_or_default();
    let names = environment.iter().map(|(name, _)| name.as_str()).collect();
    let inherited = Inherited {
        directory: named.clone(),
        session_environment: &names,
        environment: None,
        shell: None,
        before: command::read(&fields, "shell_command_before")?,
        suppress_history: fields.flag("suppress_history")?.unwrap_or(true),
    };
    let start_directory = named.unwrap_or_else(|| reading.source.env.start().to_owned());
    // All of it is read before something that is missing is told: keys that are not known may be why.
    let windows = windows(&fields, &inherited);
    Ok(Session {
        name: name(&fields)?,
        options: option::options(&fields, "options")?,
        global_options: option::options(&fields, "global_options")?,
        before_script: script::read(&fields, &start_directory)?,
        readiness: readiness(&fields)?,
        windows: windows?,
        environment,
        start_directory,
        warnings: Vec::new(),
    })
}

/// The name that is asked for, or the document's.
fn name(fields: &Fields<'_>) -> Result<String, Refusal> {
    let source = fields.place.reading.source;
    if let Some(name) = source.session_name {
        let refuse = |what| Refusal::new(Code::Usage, format!("the session name “{name}” {what}"));
        return check_name(name).map_err(refuse).map(|()| name.to_owned());
    }
    let missing = || fields.place.wrong(fields.at, "has no session_name");
    let (node, place) = fields.get("session_name").ok_or_else(missing)?;
    let name = fields.place.reading.expand(place.text(node)?);
    check_name(&name).map_err(|what| {
        let refusal = place.wrong(node.at, &format!("is “{name}”, which {what}"));
        refusal.with_hint("change it, or load the document under another name: -s NAME")
    })?;
    Ok(name)
}

/// Refuses a session's name that tmux would change: the session could not be found again.
///
/// # Errors
/// What is wrong with it, in words that follow the name.
pub fn check_name(name: &str) -> Result<(), &'static str> {
    if name.trim().is_empty() {
        return Err("is empty");
    }
    if name.contains([':', '.']) {
        return Err("has a “:” or a “.”, which tmux does not allow in it");
    }
    if name.contains(char::is_control) {
        return Err("has a control character");
    }
    Ok(())
}

/// What is Python's, and more than a word that asks for nothing.
fn refuse_python(fields: &Fields<'_>) -> Result<(), Refusal> {
    for key in ["plugins", "workspace_builder", "workspace_builder_paths"] {
        let Some((node, place)) = fields.get(key) else { continue };
        let asks = match &node.value {
            Value::List(items) => !items.is_empty(),
            Value::Text(text) => !(text.is_empty() || key == "workspace_builder" && text == "classic"),
            _ => true,
        };
        if asks {
            let file = crate::text::for_shell(&place.reading.name);
            let refusal = place.refuse(
                Code::UnsupportedKey,
                node.at,
                "asks for Python code, which only tmuxp runs",
            );
            return Err(refusal.with_hint(format!("take it out, or load this file with tmuxp: tmuxp load {file}")));
        }
    }
    Ok(())
}

/// `workspace_builder_options`: one is known, and others only matter to other builders.
fn readiness(fields: &Fields<'_>) -> Result<Readiness, Refusal> {
    let Some((node, place)) = fields.get("workspace_builder_options") else {
        return Ok(Readiness::default());
    };
    let mut readiness = Readiness::default();
    for entry in place.entries(node)? {
        let place = place.key(&entry.key.text);
        if entry.key.text != "pane_readiness" {
            let what = place.wrong(entry.key.at, "is not known and passed over").message;
            place.reading.warnings.borrow_mut().push(what);
        } else if entry.value.value != Value::Null {
            let wrong = || place.wrong(entry.value.at, "must be auto, always or never");
            readiness = when(&entry.value).ok_or_else(wrong)?;
        }
    }
    Ok(readiness)
}

fn when(node: &Node) -> Option<Readiness> {
    match node.scalar()?.trim().to_ascii_lowercase().as_str() {
        "auto" => Some(Readiness::Auto),
        "always" => Some(Readiness::Always),
        "never" => Some(Readiness::Never),
        _ => node
            .flag()
            .map(|always| if always { Readiness::Always } else { Readiness::Never }),
    }
}

fn windows(fields: &Fields<'_>, inherited: &Inherited<'_>) -> Result<Vec<Window>, Refusal> {
    let missing = || fields.place.wrong(fields.at, "has no windows");
    let (node, place) = fields.get("windows").ok_or_else(missing)?;
    let items = place.items(node)?;
    if items.is_empty() {
        return Err(place.wrong(node.at, "is empty; a session has one window at least"));
    }
    let mut taken = HashSet::new();
    let mut windows = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let place = place.item(index);
        let window = window::read(item, place.clone(), inherited)?;
        if let Some(index) = window.index.filter(|index| !taken.insert(*index)) {
            let at = item.get("window_index").map_or(item.at, |node| node.at);
            return Err(place
                .key("window_index")
                .wrong(at, &format!("is {index}, which another window has")));
        }
        windows.push(window);
    }
    Ok(windows)
}
