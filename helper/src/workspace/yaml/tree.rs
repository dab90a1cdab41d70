//! What a document holds, in the order in which it was written, with the places where.

use std::fmt;

/// A place in a file: both count from one; zero in trees that no file was read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct At {
    /// The line.
    pub line: usize,
    /// The character in it.
    pub column: usize,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A value, and where it stands.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where it begins.
    pub at: At,
}

/// What a node is. Scalars keep the way they were written, since `True` and `1e3` are text in most places of a workspace.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing: `null`, `~`, or left out.
    Null,
    /// `true` or `false`, unquoted. `yes` and `on` are text here: [`Node::flag`] takes them, too.
    Bool {
        /// Which.
        is: bool,
        /// As written: `true`, `True` or `TRUE`, or the like.
        written: String,
    },
    /// A number as JSON writes them, unquoted. What YAML knows beyond that (`0x1f`, `.5`, `030`) is text as written.
    Number(String),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping: every key once.
    Map(Vec<Entry>),
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key, as text, whatever it looks like.
    pub key: Key,
    /// Its value.
    pub value: Node,
}

/// A key, and where it stands.
#[derive(Debug, Clone)]
pub struct Key {
    /// The key.
    pub text: String,
    /// Where it begins.
    pub at: At,
}

/// Places do not count.
impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// Places do not count.
impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl From<Value> for Node {
    fn from(value: Value) -> Self {
        Self {
            value,
            at: At::default(),
        }
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned()).into()
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Value::Text(text).into()
    }
}

impl From<bool> for Node {
    fn from(is: bool) -> Self {
        let written = is.to_string();
        Value::Bool { is, written }.into()
    }
}

impl From<Vec<Node>> for Node {
    fn from(items: Vec<Node>) -> Self {
        Value::List(items).into()
    }
}

impl From<serde_json::Value> for Node {
    fn from(value: serde_json::Value) -> Self {
        use serde_json::Value as Json;
        match value {
            Json::Null => Value::Null.into(),
            Json::Bool(is) => is.into(),
            Json::Number(number) => Value::Number(number.to_string()).into(),
            Json::String(text) => text.into(),
            Json::Array(items) => items.into_iter().map(Self::from).collect::<Vec<_>>().into(),
            Json::Object(entries) => Self::map(entries),
        }
    }
}

impl Node {
    /// A mapping of what is given, in that order.
    pub fn map<K: Into<String>, V: Into<Self>>(entries: impl IntoIterator<Item = (K, V)>) -> Self {
        let entry = |(key, value): (K, V)| Entry {
            key: Key {
                text: key.into(),
                at: At::default(),
            },
            value: value.into(),
        };
        Value::Map(entries.into_iter().map(entry).collect()).into()
    }

    /// The value of a key; none when there is none, or this is no mapping.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Value::Map(entries) = &self.value else { return None };
        entries
            .iter()
            .find(|entry| entry.key.text == key)
            .map(|entry| &entry.value)
    }

    /// The items of the list that a key has; none where there is no such list.
    pub fn items(&self, key: &str) -> &[Self] {
        match self.get(key).map(|node| &node.value) {
            Some(Value::List(items)) => items,
            _ => &[],
        }
    }

    /// A scalar as it was written: text, a number, `true`. None for nothing, lists and mappings.
    pub fn scalar(&self) -> Option<&str> {
        match &self.value {
            Value::Bool { written, .. } => Some(written),
            Value::Number(text) | Value::Text(text) => Some(text),
            Value::Null | Value::List(_) | Value::Map(_) => None,
        }
    }

    /// A yes or a no in any of the ways in which YAML has ever written them, quoted or not; `1` and `0`, too.
    pub fn flag(&self) -> Option<bool> {
        match self.scalar()?.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        }
    }

    /// What it is, in a word, for errors.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Bool { .. } => "a yes or no",
            Value::Number(_) => "a number",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
        }
    }

    /// The same as plain data; a number too large for it becomes text.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value as Json;
        match &self.value {
            Value::Null => Json::Null,
            Value::Bool { is, .. } => Json::Bool(*is),
            Value::Number(text) => serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.clone())),
            Value::Text(text) => Json::String(text.clone()),
            Value::List(items) => Json::Array(items.iter().map(Self::to_json).collect()),
            Value::Map(entries) => {
                let entry = |entry: &Entry| (entry.key.text.clone(), entry.value.to_json());
                Json::Object(entries.iter().map(entry).collect())
            }
        }
    }
}
