//! `tmux://capabilities`: what is offered, by which server, and how far each tool reaches. It does not change while the
//! process lives.

use super::host::Host;
use super::registry::Tool;
use super::server;
use crate::text;
use crate::tmux::version;
use serde_json::{json, Value};

/// Its address.
pub const URI: &str = "tmux://capabilities";
/// Its kind.
pub const MIME: &str = "application/json";
/// What it is, for a list.
pub const DESCRIPTION: &str =
    "What this server offers, frozen at its start: tools, how far each reaches, socket and provenance.";

/// What it says.
pub fn content(host: &Host) -> Value {
    let selection = &host.selection;
    let socket = host.tmux.socket().to_string();
    let state = if host.existed { "existing" } else { "absent" };
    let (chosen, configuration) = (host.chosen.as_str(), host.configuration.as_str());
    let selector = format!("path:{socket}");
    let (major, minor) = version::OLDEST;
    json!({
        "schemaVersion": 2,
        "frozen": true,
        "minimumTmuxVersion": format!("{major}.{minor}"),
        "boundary": {
            "oneSocketPerProcess": true,
            "perCallSocketSelection": false,
            "hostCommandExecution": false,
            "dynamicResources": false,
        },
        "connection": {
            "socketSelector": selector,
            "socketProvenance": chosen,
            "resolvedSocketPath": socket,
            "serverState": state,
            "configurationProvenance": configuration,
            "configurationPath": host.config,
            "attachCommand": format!("tmux -N -S {} attach", text::for_shell(&socket)),
        },
        "socket": {
            "selector": selector,
            "selectionProvenance": chosen,
            "serverState": state,
            "configurationProvenance": configuration,
            "namespaceBoundary": "tmux-objects-only",
        },
        "toolsets": selection.toolsets.iter().map(|set| set.as_str()).collect::<Vec<_>>(),
        "includedTools": selection.included,
        "excludedTools": selection.excluded,
        "toolCount": selection.offered.len(),
        "effectiveTools": selection.offered.iter().map(|tool| tool.name).collect::<Vec<_>>(),
        "environmentValues": host.told,
        "hostCommandTools": 0,
        "toolFilteringBoundary": "interface-shaping-not-authorization",
        "executionAuthority": "tmux-user",
        "operatingSystemBoundary": "none",
        "tools": selection.offered.iter().map(|tool| row(host, tool)).collect::<Vec<_>>(),
    })
}

fn row(host: &Host, tool: &Tool) -> Value {
    let mut row = json!({ "name": tool.name, "title": tool.title, "annotations": tool.hints.to_json() });
    if let (Value::Object(row), Value::Object(more)) = (&mut row, server::effective(host, tool)) {
        row.extend(more);
    }
    row
}
