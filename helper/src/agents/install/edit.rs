//! Hook entries in the text of a settings file: added, brought up to date, taken out, and nothing else touched.
//!
//! Pure. The files belong to their users: comments, order, indentation, line ends and everything that is not ours stay as
//! they are. All of these agents share one shape, `hooks.EVENT[].hooks[].command`.

use super::call;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode, CstStringLit};
use jsonc_parser::ParseOptions;

/// The parser descends as deep as the text nests; nobody's settings do so.
const DEEPEST: usize = 100;
const BOM: char = '\u{feff}';

/// An entry that shall be there.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The agent's name for the event.
    pub event: &'static str,
    /// Which of them, where the agent can tell.
    pub matcher: Option<&'static str>,
    /// What it runs.
    pub command: String,
    /// Its time limit, in the agent's unit.
    pub timeout: u32,
    /// The entry's name, where the agent shows one.
    pub name: Option<&'static str>,
}

/// `text` with exactly `entries` as ours for `agent`.
///
/// # Errors
/// Why it cannot be edited, as the end of a sentence that began with the file's name.
pub fn with(text: &str, agent: &str, entries: &[Entry]) -> Result<String, String> {
    edit(text, |root| {
        let object = root.object_value_or_create().ok_or("holds no object")?;
        for ours in find(&object, agent)? {
            // The first of an event is brought up to date where it stands.
            let wanted = entries.iter().find(|entry| entry.event == ours.event);
            match wanted.filter(|_| ours.first) {
                Some(entry) => set(&ours.literal, &entry.command),
                None => ours.remove(),
            }
        }
        if object.get("hooks").is_none() {
            if let Some(text) = append_to_line(root, &object, entries) {
                return Ok(Some(text));
            }
        }
        let there = find(&object, agent)?;
        let hooks = object
            .object_value_or_create("hooks")
            .ok_or("has hooks that are no object")?;
        for entry in entries
            .iter()
            .filter(|entry| there.iter().all(|ours| ours.event != entry.event))
        {
            let list = hooks.array_value_or_create(entry.event);
            let list = list.ok_or(format!("has hooks.{} that is no list", entry.event))?;
            let group = list.append(group(entry)).as_object();
            let hook = group.and_then(|group| group.array_value("hooks")?.elements().first()?.as_object());
            let command = hook.and_then(|hook| hook.get("command")?.value()?.as_string_lit());
            set(&command.ok_or("cannot be added to")?, &entry.command);
        }
        Ok(None)
    })
}

/// The text with `entries` at the end of an object that stands on one line, which stays one.
fn append_to_line(root: &CstRootNode, object: &CstObject, entries: &[Entry]) -> Option<String> {
    let line = object.to_string();
    if line.contains('\n') || object.properties().is_empty() {
        return None;
    }
    let mut events = serde_json::Map::new();
    for entry in entries {
        events.insert(entry.event.to_owned(), serde_json::json!([value(entry)]));
    }
    let inner = line.strip_suffix('}')?;
    let content = inner.trim_end();
    let space = inner.get(content.len()..)?;
    // A comma that is there already closes the list as its user likes it.
    let (content, end) = content
        .strip_suffix(',')
        .map_or((content, ""), |content| (content, ","));
    let gap = if line.contains(": ") { " " } else { "" };
    let hooks = serde_json::Value::Object(events);
    let edited = format!("{content},{gap}\"hooks\":{gap}{hooks}{end}{space}}}");
    let text = |node: &CstNode| match node.as_object() {
        Some(_) => edited.clone(),
        None => node.to_string(),
    };
    Some(root.children().iter().map(text).collect())
}

/// `text` with none of ours for `agent`; what becomes empty by that goes, too.
///
/// # Errors
/// As for [`with`].
pub fn without(text: &str, agent: &str) -> Result<String, String> {
    edit(text, |root| {
        let Some(object) = root.object_value() else {
            return Ok(None);
        };
        find(&object, agent)?.into_iter().for_each(Ours::remove);
        Ok(None)
    })
}

/// The event and the command of each entry of ours.
///
/// # Errors
/// As for [`with`].
pub fn commands(text: &str, agent: &str) -> Result<Vec<(String, String)>, String> {
    let mut found = Vec::new();
    edit(text, |root| {
        let object = root.object_value();
        let ours = object.map_or_else(|| Ok(Vec::new()), |object| find(&object, agent))?;
        found = ours.into_iter().map(|ours| (ours.event, ours.command)).collect();
        Ok(None)
    })?;
    Ok(found)
}

/// `text` as `change` leaves it, or as it returns it.
fn edit(text: &str, change: impl FnOnce(&CstRootNode) -> Result<Option<String>, String>) -> Result<String, String> {
    let (bom, body) = text.strip_prefix(BOM).map_or(("", text), |body| ("\u{feff}", body));
    if depth(body) > DEEPEST {
        return Err("nests too deep".to_owned());
    }
    let empty = body.trim().is_empty();
    let options = ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: true,
    };
    let body = if empty { "{}\n" } else { body };
    let root = CstRootNode::parse(body, &options).map_err(|error| format!("is no valid JSON: {error}"))?;
    if root.to_string() != body {
        return Err("holds something that would not be kept as it is".to_owned());
    }
    if root.object_value().is_none() {
        return Err("holds no object".to_owned());
    }
    let edited = change(&root)?.unwrap_or_else(|| root.to_string());
    Ok(if edited == body {
        text.to_owned()
    } else {
        format!("{bom}{edited}")
    })
}

/// One entry of ours where it stands.
struct Ours {
    event: String,
    command: String,
    /// Whether no other entry of ours for that event comes before it.
    first: bool,
    object: CstObject,
    literal: CstStringLit,
    hooks: CstObject,
}

fn find(object: &CstObject, agent: &str) -> Result<Vec<Ours>, String> {
    let mut found: Vec<Ours> = Vec::new();
    for (at, property) in object.properties().iter().enumerate() {
        let named = |name: &str| property.name().and_then(|n| n.decoded_value().ok()).as_deref() == Some(name);
        if named("hooks") && object.get("hooks").map(|first| first.property_index()) != Some(at) {
            return Err("has hooks twice".to_owned());
        }
    }
    let Some(hooks) = object.object_value("hooks") else {
        return Ok(found);
    };
    for property in hooks.properties() {
        let event = property
            .name()
            .and_then(|name| name.decoded_value().ok())
            .unwrap_or_default();
        let Some(groups) = property.array_value() else { continue };
        let groups = groups.elements().into_iter().filter_map(|group| group.as_object());
        let entries = groups
            .filter_map(|group| group.array_value("hooks"))
            .flat_map(|list| list.elements());
        for object in entries.filter_map(|entry| entry.as_object()) {
            let value = object.get("command").and_then(|property| property.value());
            let Some(literal) = value.and_then(|value| value.as_string_lit()) else {
                continue;
            };
            let command = literal.decoded_value().unwrap_or_default();
            if call::helper_of(&command, agent).is_some() {
                found.push(Ours {
                    first: found.iter().all(|before| before.event != event),
                    event: event.clone(),
                    command,
                    object,
                    literal,
                    hooks: hooks.clone(),
                });
            }
        }
    }
    Ok(found)
}

impl Ours {
    fn remove(self) {
        let list = self.object.parent().and_then(|parent| parent.as_array());
        self.object.remove();
        let Some(list) = list.filter(is_empty) else { return };
        // The list is the value of `hooks` in its group.
        let group = list.parent().and_then(|p| p.parent()).and_then(|p| p.as_object());
        let groups = group
            .as_ref()
            .and_then(|group| group.parent())
            .and_then(|p| p.as_array());
        if let Some(group) = group {
            group.remove();
        }
        let Some(groups) = groups.filter(is_empty) else { return };
        if let Some(event) = groups.parent().and_then(|parent| parent.as_object_prop()) {
            event.remove();
        }
        if self.hooks.properties().is_empty() {
            if let Some(hooks) = self.hooks.parent().and_then(|parent| parent.as_object_prop()) {
                hooks.remove();
            }
        }
    }
}

fn is_empty(list: &CstArray) -> bool {
    list.elements().is_empty()
}

/// A string's own escapes are not the parser's concern; what we put in is written whole.
fn set(literal: &CstStringLit, command: &str) {
    if literal.decoded_value().ok().as_deref() != Some(command) {
        literal.set_raw_value(quoted(command));
    }
}

fn group(entry: &Entry) -> CstInputValue {
    input(&value(entry))
}

fn value(entry: &Entry) -> serde_json::Value {
    let mut hook = serde_json::Map::new();
    let mut put = |name: &str, value: serde_json::Value| hook.insert(name.to_owned(), value);
    put("type", "command".into());
    if let Some(name) = entry.name {
        put("name", name.into());
    }
    put("command", entry.command.clone().into());
    put("timeout", entry.timeout.into());
    match entry.matcher {
        Some(matcher) => serde_json::json!({"matcher": matcher, "hooks": [hook]}),
        None => serde_json::json!({"hooks": [hook]}),
    }
}

fn input(value: &serde_json::Value) -> CstInputValue {
    use serde_json::Value;
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(is) => CstInputValue::Bool(*is),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(items) => CstInputValue::Object(items.iter().map(|(k, v)| (k.clone(), input(v))).collect()),
    }
}

/// `text` as a JSON string.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// How deep brackets nest, outside of strings.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
