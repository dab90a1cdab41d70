//! A pane: its forms, and what it inherits.

use super::amount::EACH;
use super::command::{self, Ways, Written};
use super::fields::{Fields, Place};
use super::{directory, expand, option};
use crate::workspace::refusal::Refusal;
use crate::workspace::spec::{Pairs, Pane};
use crate::workspace::yaml::{At, Node, Value};
use std::collections::BTreeSet;
use std::path::PathBuf;

const KEYS: [&str; 10] = [
    "shell_command",
    "shell_command_before",
    "start_directory",
    "shell",
    "focus",
    "environment",
    "suppress_history",
    "enter",
    "sleep_before",
    "sleep_after",
];

/// What is above a pane, or a window.
#[derive(Debug, Clone)]
pub struct Inherited<'a> {
    /// The nearest directory that was named.
    pub directory: Option<PathBuf>,
    /// The names of the session's environment.
    pub session_environment: &'a BTreeSet<&'a str>,
    /// The window's, which a pane's own replaces.
    pub environment: Option<Pairs>,
    /// What runs instead of the user's shell.
    pub shell: Option<String>,
    /// The commands that go before.
    pub before: Vec<Written>,
    /// Whether shells should forget what is typed.
    pub suppress_history: bool,
}

/// A pane; nothing is a blank one.
pub fn read<'a>(node: &'a Node, place: &Place<'a>, inherited: &Inherited<'_>) -> Result<Pane, Refusal> {
    if !matches!(node.value, Value::Map(_)) {
        let own = command::commands(node, place)?;
        return inherited.pane(place, node.at, own, Ways::default());
    }
    let fields = Fields::of(node, place.clone(), "a pane", &KEYS)?;
    let mut inherited = inherited.clone();
    inherited.directory = directory::read(&fields, inherited.directory.as_deref())?.or(inherited.directory);
    inherited.environment = option::environment(&fields)?.or(inherited.environment);
    inherited.shell = fields.filled("shell")?.or(inherited.shell);
    inherited.before.extend(command::read(&fields, "shell_command_before")?);
    inherited.suppress_history = fields.flag("suppress_history")?.unwrap_or(inherited.suppress_history);
    let own = command::read(&fields, "shell_command")?;
    let mut pane = inherited.pane(place, node.at, own, Ways::of(&fields)?)?;
    pane.focus = fields.flag("focus")?.unwrap_or(false);
    Ok(pane)
}

impl Inherited<'_> {
    /// A pane below this: with its commands, and with the variables that these mention.
    fn pane(&self, place: &Place<'_>, at: At, own: Vec<Written>, ways: Ways) -> Result<Pane, Refusal> {
        let reading = place.reading;
        reading.amount.add_pane().map_err(|what| place.wrong(at, what))?;
        let directory = self.directory.as_deref().unwrap_or(reading.source.env.start());
        let mut environment = self.environment.clone().unwrap_or_default();
        let shell = self.shell.as_deref();
        let commands = self.before.iter().chain(&own);
        let around = directory.as_os_str().len() + shell.map_or(0, str::len);
        place.spend(
            at,
            around + commands.map(Written::size).sum::<usize>() + size(&environment),
        )?;
        let all = self.before.iter().cloned().chain(own);
        let commands = command::carry(all, ways, self.suppress_history);
        let texts = commands.iter().map(|command| command.text.as_str());
        let mut mentioned = expand::mentioned(texts.chain(shell), reading.source.env);
        mentioned.retain(|(name, _)| {
            !self.session_environment.contains(name.as_str()) && !environment.iter().any(|(set, _)| set == name)
        });
        place.spend(at, size(&mentioned))?;
        environment.extend(mentioned);
        Ok(Pane {
            start_directory: directory.to_owned(),
            shell: self.shell.clone(),
            environment,
            focus: false,
            commands,
        })
    }
}

fn size(pairs: &Pairs) -> usize {
    pairs.iter().map(|(name, value)| EACH + name.len() + value.len()).sum()
}
