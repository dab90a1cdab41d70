//! JSON: checked by a strict parser, then walked for the places of its values.

use super::build::Builder;
use super::tree::{At, Entry, Node, Value};
use super::{end_of, scalar, Flaw};
use serde::de::IgnoredAny;

/// The one value of a text.
pub fn read(text: &str) -> Result<Node, Flaw> {
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| {
        let at = At {
            line: error.line(),
            column: error.column(),
        };
        let said = error.to_string();
        let what = said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what);
        Flaw::new(at, what)
    })?;
    let mut walk = Walk {
        rest: text,
        at: At { line: 1, column: 1 },
        builder: Builder::default(),
    };
    while walk.step()? {}
    walk.builder
        .finish()
        .ok_or_else(|| Flaw::new(end_of(text), "there is nothing in it"))
}

/// A way through a text that is known to be JSON.
struct Walk<'a> {
    rest: &'a str,
    at: At,
    builder: Builder,
}

impl Walk<'_> {
    /// Takes the next token; whether there was one.
    fn step(&mut self) -> Result<bool, Flaw> {
        let Some(first) = self.rest.chars().next() else {
            return Ok(false);
        };
        let at = self.at;
        match first {
            '[' => self.builder.open_list(at, 0)?,
            '{' => self.builder.open_map(at, 0)?,
            ']' | '}' => self.builder.close(at)?,
            '"' => {
                let written = self.pass(string_end(self.rest));
                let text: String = serde_json::from_str(written).map_err(|error| Flaw::new(at, error.to_string()))?;
                let value = Value::Text(text.clone());
                self.builder.scalar(Node { value, at }, text, false, 0)?;
                return Ok(true);
            }
            c if c.is_ascii_whitespace() || c == ',' || c == ':' => {}
            _ => {
                let end = self.rest.find(|c: char| c.is_ascii_whitespace() || ",]}".contains(c));
                let word = self.pass(end.unwrap_or(self.rest.len()));
                let value = scalar::resolve(word);
                self.builder.scalar(Node { value, at }, word.to_owned(), false, 0)?;
                return Ok(true);
            }
        }
        self.pass(first.len_utf8());
        Ok(true)
    }
}

impl<'a> Walk<'a> {
    /// Passes so many bytes.
    fn pass(&mut self, bytes: usize) -> &'a str {
        let (passed, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        for c in passed.chars() {
            if c == '\n' {
                self.at.line += 1;
                self.at.column = 1;
            } else {
                self.at.column += 1;
            }
        }
        passed
    }
}

/// The bytes of the string that `text` begins with, with its quotes.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

/// Indented by two blanks, as people have it.
pub fn write(node: &Node) -> String {
    let mut out = String::new();
    value(&mut out, node, &|depth| format!("\n{}", "  ".repeat(depth)), 0);
    out.push('\n');
    out
}

/// On one line.
pub fn compact(node: &Node) -> String {
    let mut out = String::new();
    value(&mut out, node, &|_| String::new(), 0);
    out
}

/// `gap` is what goes before what lies so deep.
fn value(out: &mut String, node: &Node, gap: &dyn Fn(usize) -> String, depth: usize) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool { is, .. } => out.push_str(if *is { "true" } else { "false" }),
        Value::Number(text) => out.push_str(text),
        Value::Text(text) => out.push_str(&quoted(text)),
        Value::List(items) => block(out, ['[', ']'], items, gap, depth, |out, item| {
            value(out, item, gap, depth + 1)
        }),
        Value::Map(entries) => block(out, ['{', '}'], entries, gap, depth, |out, entry: &Entry| {
            out.push_str(&quoted(&entry.key.text));
            out.push_str(": ");
            value(out, &entry.value, gap, depth + 1);
        }),
    }
}

fn block<T>(
    out: &mut String,
    [open, close]: [char; 2],
    items: &[T],
    gap: &dyn Fn(usize) -> String,
    depth: usize,
    each: impl Fn(&mut String, &T),
) {
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(&gap(depth + 1));
        each(out, item);
    }
    if !items.is_empty() {
        out.push_str(&gap(depth));
    }
    out.push(close);
}

/// Text in quotes. What cannot be seen is written by its number: the output may go to a terminal.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    for c in serde_json::Value::from(text).to_string().chars() {
        if !scalar::needs_escape(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out
}
