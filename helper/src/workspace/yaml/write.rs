//! YAML as a person would write it: blocks, and quotes only where text would be read as something else.

use super::scalar;
use super::tree::{Entry, Node, Value};

/// The longest key that may stand before its colon on one line.
const KEY_LIMIT: usize = 1000;

/// A document.
pub fn yaml(node: &Node) -> String {
    let mut out = String::new();
    match &node.value {
        Value::Map(entries) if !entries.is_empty() => map(&mut out, entries, 0, false),
        Value::List(items) if !items.is_empty() => list(&mut out, items, 0, false),
        _ => {
            out.push_str(&inline(node, 0));
            out.push('\n');
        }
    }
    out
}

/// The lines of a mapping; `begun`: the first stands behind a dash already.
fn map(out: &mut String, entries: &[Entry], depth: usize, begun: bool) {
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 || !begun {
            indent(out, depth);
        }
        let key = key(&entry.key.text);
        if key.len() > KEY_LIMIT {
            out.push_str(&format!("? {key}\n"));
            indent(out, depth);
            out.push(':');
        } else {
            out.push_str(&format!("{key}:"));
        }
        match &entry.value.value {
            Value::Map(entries) if !entries.is_empty() => {
                out.push('\n');
                map(out, entries, depth + 1, false);
            }
            Value::List(items) if !items.is_empty() => {
                out.push('\n');
                list(out, items, depth + 1, false);
            }
            _ => out.push_str(&format!(" {}\n", inline(&entry.value, depth + 1))),
        }
    }
}

/// The lines of a list, likewise.
fn list(out: &mut String, items: &[Node], depth: usize, begun: bool) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 || !begun {
            indent(out, depth);
        }
        out.push_str("- ");
        match &item.value {
            Value::Map(entries) if !entries.is_empty() => map(out, entries, depth + 1, true),
            Value::List(items) if !items.is_empty() => list(out, items, depth + 1, true),
            _ => out.push_str(&format!("{}\n", inline(item, depth + 1))),
        }
    }
}

fn indent(out: &mut String, depth: usize) {
    out.push_str(&"  ".repeat(depth));
}

/// What begins on the line of its key; `depth` is that of its further lines.
fn inline(node: &Node, depth: usize) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool { is, .. } => is.to_string(),
        Value::Number(text) => text.clone(),
        Value::Text(text) if is_block(text) => block(text, depth),
        Value::Text(text) => key(text),
        Value::List(_) => "[]".to_owned(),
        Value::Map(_) => "{}".to_owned(),
    }
}

/// Text on one line.
fn key(text: &str) -> String {
    if scalar::is_plain(text) {
        return text.to_owned();
    }
    if !text.chars().any(scalar::needs_escape) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{1b}' => out.push_str("\\e"),
            _ if !scalar::needs_escape(c) => out.push(c),
            _ if u32::from(c) <= 0xffff => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => out.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

/// Whether text is shown best by its lines: several, of which none has blanks that nobody would see.
fn is_block(text: &str) -> bool {
    let shows = |line: &str| !line.ends_with(char::is_whitespace) && !line.chars().any(scalar::needs_escape);
    text.trim_end_matches('\n').contains('\n') && !text.starts_with(char::is_whitespace) && text.split('\n').all(shows)
}

fn block(text: &str, depth: usize) -> String {
    let body = text.trim_end_matches('\n');
    let mut out = match text.len() - body.len() {
        0 => "|-".to_owned(),
        1 => "|".to_owned(),
        _ => "|+".to_owned(),
    };
    for line in body.split('\n') {
        out.push('\n');
        if !line.is_empty() {
            indent(&mut out, depth.max(1));
            out.push_str(line);
        }
    }
    // The line's end that all values get is the text's own first one.
    out.extend(text.chars().skip(body.chars().count() + 1));
    out
}
