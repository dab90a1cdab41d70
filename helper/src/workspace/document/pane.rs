//! A pane: its forms, and what it inherits.

use super::command::{self, Ways, Written};
use super::fields::{Fields, Place};
use super::{directory, expand, option};
use crate::workspace::refusal::Refusal;
use crate::workspace::spec::{Pairs, Pane};
use crate::workspace::yaml::{Node, Value};
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
    /// The session's environment.
    pub session_environment: &'a Pairs,
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
        return Ok(inherited.pane(place, own));
    }
    let fields = Fields::of(node, place.clone(), "a pane", &KEYS)?;
    let mut inherited = inherited.clone();
    inherited.directory = directory::read(&fields, inherited.directory.as_deref())?.or(inherited.directory);
    inherited.environment = option::environment(&fields)?.or(inherited.environment);
    inherited.shell = fields.filled("shell")?.or(inherited.shell);
    inherited.before.extend(command::read(&fields, "shell_command_before")?);
    inherited.suppress_history = fields.flag("suppress_history")?.unwrap_or(inherited.suppress_history);
    let mut pane = inherited.pane(place, Vec::new());
    pane.focus = fields.flag("focus")?.unwrap_or(false);
    let own = command::read(&fields, "shell_command")?;
    Ok(inherited.typed(pane, place, own, Ways::of(&fields)?))
}

impl Inherited<'_> {
    fn pane(&self, place: &Place<'_>, own: Vec<Written>) -> Pane {
        let pane = Pane {
            start_directory: self
                .directory
                .clone()
                .unwrap_or_else(|| place.reading.source.env.directory.clone()),
            shell: self.shell.clone(),
            environment: self.environment.clone().unwrap_or_default(),
            focus: false,
            commands: Vec::new(),
        };
        self.typed(pane, place, own, Ways::default())
    }

    /// The pane with its commands, and with the variables that these mention.
    fn typed(&self, mut pane: Pane, place: &Place<'_>, own: Vec<Written>, ways: Ways) -> Pane {
        let all = self.before.iter().cloned().chain(own);
        pane.commands = command::carry(all, ways, self.suppress_history);
        let texts = pane.commands.iter().map(|command| command.text.as_str());
        let mentioned = expand::mentioned(texts.chain(pane.shell.as_deref()), place.reading.source.env);
        for (name, value) in mentioned {
            let is_set = |pairs: &Pairs| pairs.iter().any(|(set, _)| *set == name);
            if !is_set(self.session_environment) && !is_set(&pane.environment) {
                pane.environment.push((name, value));
            }
        }
        pane
    }
}
