//! `doctor --mcp`: whether a client gets the MCP server that its user wants.
//!
//! Only this helper is started, never what a configuration file names: one in the current folder may be anybody's. Nothing
//! is written.

mod clients;
mod entry;

use super::{bad, good, note, Finding};
use crate::cli::ServerArgs;
use crate::cmd::mcp::McpArgs;
use crate::fault::Fault;
use crate::mcp::registry::Toolset;
use crate::mcp::server::CAPABILITY;
use crate::mcp::startup::{Chosen, Startup};
use crate::process::child;
use serde_json::{json, Value};
use std::io;
use std::process::Command;
use std::time::Duration;

/// How long the MCP server may take to list its tools.
const PATIENCE: Duration = Duration::from_secs(5);

pub fn findings(server: &ServerArgs) -> Vec<Finding> {
    let startup = McpArgs::default().startup(server, |name| std::env::var_os(name));
    let mut found = match startup {
        Ok(startup) => settings(&startup).into_iter().chain(starts(server)).collect(),
        Err(fault) => vec![fault_of("the MCP server does not start with what is set here", fault)],
    };
    found.extend(clients::findings());
    found
}

fn fault_of(what: &str, fault: Fault) -> Finding {
    bad(
        format!("{what}: {}", fault.what),
        fault.hint.unwrap_or_else(|| "correct it, or unset it".to_owned()),
    )
}

/// Which tmux server it would use.
fn settings(startup: &Startup) -> Vec<Finding> {
    let mut found = vec![good(format!("its tmux server: {}", target(startup)))];
    if startup.chosen != Chosen::Dedicated && startup.socket.nobody_listens() {
        found.push(note(
            "no tmux server runs there",
            "start tmux; until then each call says server_gone",
        ));
    }
    found
}

/// The server in words.
fn target(startup: &Startup) -> String {
    let socket = &startup.socket;
    match startup.chosen {
        Chosen::Flag => format!("{socket}, as -S or -L says"),
        Chosen::Variable => format!("{socket}, as its variables say"),
        Chosen::Current => format!("that of $TMUX, here {socket}; a client outside of tmux gets the default one"),
        Chosen::Default => format!("the default one, here {socket}"),
        Chosen::Dedicated => format!("{socket}, for agents alone"),
    }
}

/// Starts this helper as a client would, and has it list its tools.
fn starts(server: &ServerArgs) -> Vec<Finding> {
    let unable = |why: String| {
        vec![bad(
            format!("the MCP server does not start: {why}"),
            "tmux-status mcp says why",
        )]
    };
    let ran = list(server);
    let output = match ran {
        Ok(Some(output)) => output,
        Ok(None) => return unable(format!("no list of tools within {} s", PATIENCE.as_secs())),
        Err(error) => return unable(error.to_string()),
    };
    let stdout = String::from_utf8_lossy(&output.stdout);
    let tools = stdout.lines().filter_map(tools).next_back();
    match tools {
        Some(tools) => vec![listed(&tools)],
        None => unable(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

fn list(server: &ServerArgs) -> io::Result<Option<child::Output>> {
    let client = json!({ "name": "tmux-status doctor", "version": env!("CARGO_PKG_VERSION") });
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    let lines = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
    ];
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("mcp");
    if let Some(path) = &server.socket_path {
        command.arg("-S").arg(path);
    }
    if let Some(name) = &server.socket_name {
        command.arg("-L").arg(name);
    }
    let ran = child::run(&mut command, Some(input.into_bytes()), PATIENCE, || ())?;
    Ok(ran.map(|(output, ())| output))
}

fn tools(line: &str) -> Option<Vec<Value>> {
    let answer: Value = serde_json::from_str(line).ok()?;
    answer.get("result")?.get("tools")?.as_array().cloned()
}

/// What is offered, by toolset.
fn listed(tools: &[Value]) -> Finding {
    let of = |set: Toolset| {
        let is_of = |tool: &&Value| {
            let row = tool.get("_meta").and_then(|meta| meta.get(CAPABILITY));
            row.and_then(|row| row.get("toolset")).and_then(Value::as_str) == Some(set.as_str())
        };
        tools.iter().filter(is_of).count()
    };
    let sets = Toolset::ALL.map(|set| match of(set) {
        0 => format!("no {}", set.as_str()),
        count => format!("{count} {}", set.as_str()),
    });
    good(format!(
        "the MCP server starts and lists {}: {}",
        crate::text::count(tools.len(), "tool"),
        sets.join(", ")
    ))
}
