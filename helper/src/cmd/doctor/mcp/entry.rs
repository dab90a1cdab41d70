//! Whether an entry of a client's configuration starts this program as an MCP server, and as what.

use super::super::{bad, good, is_there, note, Finding};
use super::clients::Client;
use super::target;
use crate::cli::{Cli, Command};
use crate::mcp::startup::Startup;
use crate::text;
use clap::Parser;
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;

const NAME: &str = "tmux-status";

/// Whether the entry names this program anywhere in what it runs.
pub fn is_ours(entry: &Value) -> bool {
    let command = entry.get("command").and_then(Value::as_str).unwrap_or_default();
    let mut words = command.split_whitespace().chain(strings(entry, "args"));
    words.any(|word| Path::new(word).file_name().is_some_and(|name| name == NAME))
}

fn strings<'a>(entry: &'a Value, key: &str) -> Vec<&'a str> {
    let items = entry.get(key).and_then(Value::as_array);
    items.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// What there is to say of it.
pub fn judge(client: &Client, place: &str, entry: &Value) -> Vec<Finding> {
    let mut found = Vec::new();
    let off = entry.get("disabled") == Some(&Value::Bool(true)) || entry.get("enabled") == Some(&Value::Bool(false));
    if off {
        found.push(note(format!("{place} is switched off"), "switch it on if you want it"));
    }
    let kind = entry.get("type").and_then(Value::as_str);
    if let Some(kind) = kind.filter(|kind| *kind != "stdio") {
        found.push(bad(
            format!("{place} has the type {kind}: tmux-status speaks over standard input and output"),
            "make it \"stdio\"",
        ));
    }
    match program(place, entry) {
        Ok(()) => {}
        Err(finding) => {
            found.push(finding);
            return found;
        }
    }
    match startup(place, entry) {
        Ok(startup) => found.push(serves(place, startup)),
        Err(finding) => found.push(finding),
    }
    let handed = strings(entry, "env_vars");
    let missing: Vec<_> = ["TMUX", "TMUX_PANE"]
        .into_iter()
        .filter(|name| !handed.contains(name))
        .collect();
    if client.picks_variables && !missing.is_empty() {
        found.push(note(
            format!(
                "{place}: {} does not hand on {}: the MCP server finds the default tmux server only, and cannot spare the \
                 pane that {} runs in",
                client.name,
                missing.join(" and "),
                client.name
            ),
            "add env_vars = [\"TMUX\", \"TMUX_PANE\"] to it",
        ));
    }
    found
}

/// Whether what it runs is this program, and there.
fn program(place: &str, entry: &Value) -> Result<(), Finding> {
    let command = entry.get("command").and_then(Value::as_str).unwrap_or_default();
    let own = std::env::current_exe().map_or_else(|_| NAME.to_owned(), |path| path.display().to_string());
    let name_it = format!("make the command {own}");
    let path = Path::new(command);
    if path.file_name().is_none_or(|name| name != NAME) {
        if command.split_whitespace().count() > 1 && strings(entry, "args").is_empty() {
            return Err(bad(
                format!("{place}: the command {command:?} is taken for one program's name"),
                "make the command tmux-status, and put the other words into args",
            ));
        }
        return Err(note(
            format!("{place} is started through {command:?}, which is not looked into"),
            name_it,
        ));
    }
    if command.contains('$') {
        return Err(note(
            format!("{place}: {command:?} is known to its client alone"),
            name_it,
        ));
    }
    if path.components().count() > 1 && !path.is_absolute() {
        return Err(bad(
            format!("{place}: where {command:?} is depends on the folder in which the client is started"),
            name_it,
        ));
    }
    is_there(command).then_some(()).ok_or_else(|| {
        let why = if path.is_absolute() {
            "cannot be run"
        } else {
            "is not on PATH"
        };
        bad(format!("{place}: {command} {why}"), name_it)
    })
}

/// What its arguments and variables come to.
fn startup(place: &str, entry: &Value) -> Result<Startup, Finding> {
    let args = strings(entry, "args");
    let parsed = Cli::try_parse_from(std::iter::once(NAME).chain(args.iter().copied()));
    let cli = parsed.map_err(|error| {
        let why = error.to_string();
        let why = why.lines().next().unwrap_or_default().trim_start_matches("error: ");
        bad(
            format!("{place}: its args are wrong: {why}"),
            "args = [\"mcp\"] is all that it needs",
        )
    })?;
    let Some(Command::Mcp(mcp)) = &cli.command else {
        return Err(bad(
            format!("{place}: {NAME} {} is no MCP server", args.join(" ")),
            "put \"mcp\" into args",
        ));
    };
    let own = |name: &str| entry.get("env")?.get(name)?.as_str().map(OsString::from);
    let startup = mcp.startup(&cli.server, |name| own(name).or_else(|| std::env::var_os(name)));
    startup.map_err(|fault| super::fault_of(&format!("{place} does not start"), fault))
}

fn serves(place: &str, startup: Startup) -> Finding {
    let target = target(&startup);
    let toolsets = startup.choice.settle(false);
    let count = text::count(toolsets.offered.len(), "tool");
    good(format!("{place} starts it with {count}; its tmux server: {target}"))
}
