//! What is typed: the forms of commands, and how each one's ways go on to the next.

use super::amount::EACH;
use super::fields::{Fields, Place};
use crate::workspace::refusal::Refusal;
use crate::workspace::spec::Command;
use crate::workspace::yaml::{Node, Value};
use std::time::Duration;

/// A pane that is written so has no commands of its own.
const BLANK: [&str; 2] = ["blank", "pane"];

/// How commands are typed, as far as somebody has said it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ways {
    enter: Option<bool>,
    sleep_before: Option<Duration>,
    sleep_after: Option<Duration>,
}

impl Ways {
    /// The keys that say it.
    pub fn of(fields: &Fields<'_>) -> Result<Self, Refusal> {
        Ok(Self {
            enter: fields.flag("enter")?,
            sleep_before: fields.seconds("sleep_before")?,
            sleep_after: fields.seconds("sleep_after")?,
        })
    }

    /// What this says, and for the rest what `earlier` said.
    fn over(self, earlier: Self) -> Self {
        Self {
            enter: self.enter.or(earlier.enter),
            sleep_before: self.sleep_before.or(earlier.sleep_before),
            sleep_after: self.sleep_after.or(earlier.sleep_after),
        }
    }
}

/// A command as it was written.
#[derive(Debug, Clone)]
pub struct Written {
    text: String,
    ways: Ways,
}

impl Written {
    /// What it counts in the amount of a document.
    pub fn size(&self) -> usize {
        EACH + self.text.len()
    }
}

/// The commands of a key; none of them when it is missing.
pub fn read(fields: &Fields<'_>, key: &str) -> Result<Vec<Written>, Refusal> {
    match fields.get(key) {
        Some((node, place)) => commands(node, &place),
        None => Ok(Vec::new()),
    }
}

/// The commands of a value: text, a list, one with its ways, or `{shell_command: …}`.
pub fn commands<'a>(node: &'a Node, place: &Place<'a>) -> Result<Vec<Written>, Refusal> {
    match &node.value {
        Value::Null => Ok(Vec::new()),
        Value::List(items) => match items.as_slice() {
            [one] if is_blank(one) => Ok(Vec::new()),
            items => several(items, place),
        },
        Value::Map(entries) if entries.is_empty() => Ok(Vec::new()),
        Value::Map(_) if node.get("shell_command").is_some() => {
            let fields = Fields::of(node, place.clone(), "commands", &["shell_command"])?;
            read(&fields, "shell_command")
        }
        _ if is_blank(node) => Ok(Vec::new()),
        _ => one(node, place).map(|command| vec![command]),
    }
}

/// Whether a pane that is written so has no commands: such a command is said as `{cmd: …}`.
pub fn is_blank_word(text: &str) -> bool {
    BLANK.contains(&text)
}

fn is_blank(node: &Node) -> bool {
    match &node.value {
        Value::Null => true,
        Value::Text(text) => is_blank_word(text),
        _ => false,
    }
}

fn several<'a>(items: &'a [Node], place: &Place<'a>) -> Result<Vec<Written>, Refusal> {
    let items = items.iter().enumerate().filter(|(_, item)| item.value != Value::Null);
    items.map(|(index, item)| one(item, &place.item(index))).collect()
}

fn one<'a>(node: &'a Node, place: &Place<'a>) -> Result<Written, Refusal> {
    if !matches!(node.value, Value::Map(_)) {
        let text = place.text(node)?.to_owned();
        let ways = Ways::default();
        return Ok(Written { text, ways });
    }
    let known = ["cmd", "enter", "sleep_before", "sleep_after"];
    let fields = Fields::of(node, place.clone(), "a command", &known)?;
    let text = fields.text("cmd")?.map(str::to_owned);
    let text = text.ok_or_else(|| place.wrong(node.at, "has no cmd: the text to type"))?;
    let ways = Ways::of(&fields)?;
    Ok(Written { text, ways })
}

/// All commands of a pane in order. What one says of Enter and delays holds for the next ones, too, until they say otherwise.
pub fn carry(commands: impl IntoIterator<Item = Written>, mut ways: Ways, suppress_history: bool) -> Vec<Command> {
    let command = |written: Written| {
        ways = written.ways.over(ways);
        Command {
            text: written.text,
            enter: ways.enter.unwrap_or(true),
            suppress_history,
            sleep_before: ways.sleep_before.unwrap_or_default(),
            sleep_after: ways.sleep_after.unwrap_or_default(),
        }
    };
    commands.into_iter().map(command).collect()
}
