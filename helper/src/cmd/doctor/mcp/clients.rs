//! Where MCP clients keep what they start, and whether that names this program.

use super::super::{bad, note, Finding};
use super::entry;
use crate::text;
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How a file is written.
#[derive(Debug, Clone, Copy)]
enum Format {
    Json,
    /// With comments, and commas behind what is last.
    Jsonc,
    Toml,
}

/// A client. Its files are those that its documentation names, first its user's, then the current folder's.
#[derive(Debug)]
pub struct Client {
    /// For people.
    pub name: &'static str,
    format: Format,
    /// The key of the table of servers.
    table: &'static str,
    /// Folders of its user: variables that name them, and what lies below.
    home: &'static [(&'static str, &'static str)],
    /// Below the current folder.
    here: &'static str,
    /// What adds this program to it.
    add: &'static str,
    /// Whether it hands on only few variables.
    pub picks_variables: bool,
}

const CLIENTS: [Client; 5] = [
    Client {
        name: "Claude Code",
        format: Format::Json,
        table: "mcpServers",
        home: &[("CLAUDE_CONFIG_DIR", ".claude.json"), ("HOME", ".claude.json")],
        here: ".mcp.json",
        add: "claude mcp add --scope user tmux -- tmux-status mcp",
        picks_variables: false,
    },
    Client {
        name: "Codex",
        format: Format::Toml,
        table: "mcp_servers",
        home: &[("CODEX_HOME", "config.toml"), ("HOME", ".codex/config.toml")],
        here: ".codex/config.toml",
        add: "codex mcp add tmux -- tmux-status mcp, then env_vars = [\"TMUX\", \"TMUX_PANE\"] below it in config.toml",
        picks_variables: true,
    },
    Client {
        name: "Gemini CLI",
        format: Format::Jsonc,
        table: "mcpServers",
        home: &[
            ("GEMINI_CLI_HOME", ".gemini/settings.json"),
            ("HOME", ".gemini/settings.json"),
        ],
        here: ".gemini/settings.json",
        add: "gemini mcp add --scope user tmux tmux-status mcp",
        picks_variables: false,
    },
    Client {
        name: "Cursor",
        format: Format::Jsonc,
        table: "mcpServers",
        home: &[("HOME", ".cursor/mcp.json")],
        here: ".cursor/mcp.json",
        add: "\"tmux\": { \"command\": \"tmux-status\", \"args\": [\"mcp\"] } in its mcpServers",
        picks_variables: false,
    },
    Client {
        name: "VS Code",
        format: Format::Jsonc,
        table: "servers",
        home: &[
            ("HOME", ".config/Code/User/mcp.json"),
            ("HOME", "Library/Application Support/Code/User/mcp.json"),
        ],
        here: ".vscode/mcp.json",
        add: "code --add-mcp '{\"name\":\"tmux\",\"command\":\"tmux-status\",\"args\":[\"mcp\"]}'",
        picks_variables: false,
    },
];

/// The names that a table of servers has with one client or another.
const TABLES: [&str; 5] = ["mcpServers", "servers", "mcp_servers", "mcp-servers", "mcpservers"];

impl Client {
    /// Its files that may be here. The first variable that is set names its user's folder.
    fn files(&self) -> Vec<PathBuf> {
        let filled = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let named = self
            .home
            .iter()
            .find_map(|(variable, _)| filled(variable).map(|_| *variable));
        let below = self.home.iter().filter(|(variable, _)| Some(*variable) == named);
        let mut files: Vec<PathBuf> = below
            .filter_map(|(variable, file)| Some(PathBuf::from(filled(variable)?).join(file)))
            .collect();
        if let Ok(here) = std::env::current_dir() {
            let file = here.join(self.here);
            if !files.contains(&file) {
                files.push(file);
            }
        }
        files
    }

    fn parse(&self, text: &str) -> Result<Value, String> {
        if text.trim().is_empty() {
            return Ok(Value::Null);
        }
        match self.format {
            Format::Json => serde_json::from_str(text).map_err(|error| error.to_string()),
            Format::Jsonc => jsonc_parser::parse_to_serde_value(text, &jsonc_parser::ParseOptions::default())
                .map(Option::unwrap_or_default)
                .map_err(|error| error.to_string()),
            Format::Toml => toml::from_str(text).map_err(|error| text::one_line(error.message(), 200)),
        }
    }
}

/// What there is to say of every client that has a file here.
pub fn findings() -> Vec<Finding> {
    let mut found: Vec<Finding> = CLIENTS.iter().flat_map(client).collect();
    if found.is_empty() {
        found.push(note(
            "no client that is known here has a configuration",
            "the README has what to add, for each",
        ));
    }
    found
}

fn client(client: &Client) -> Vec<Finding> {
    let read = client
        .files()
        .into_iter()
        .filter_map(|file| match fs::read_to_string(&file) {
            Ok(text) => Some((file, Ok(text))),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => None,
            Err(error) => Some((file, Err(error.to_string()))),
        });
    let files: Vec<_> = read.collect();
    let mut found = Vec::new();
    for (file, text) in &files {
        let place = format!("{}, {}", client.name, file.display());
        match text.clone().and_then(|text| client.parse(&text)) {
            Ok(value) => found.extend(within(client, &place, &value)),
            Err(error) => found.push(bad(
                format!("{place} cannot be read: {error}"),
                "correct the file; the client finds no server in it",
            )),
        }
    }
    if found.is_empty() && !files.is_empty() {
        found.push(note(format!("{} does not start it", client.name), client.add));
    }
    found
}

/// The findings about each entry that names this program.
fn within(client: &Client, place: &str, value: &Value) -> Vec<Finding> {
    let mut found = Vec::new();
    let here = std::env::current_dir().unwrap_or_default();
    for holder in [Some(value), of_project(value, &here)].into_iter().flatten() {
        for key in TABLES {
            for (name, entry) in holder.get(key).and_then(Value::as_object).into_iter().flatten() {
                if !entry::is_ours(entry) {
                    continue;
                }
                let place = format!("{place}: {key}.{name}");
                if key == client.table {
                    found.extend(entry::judge(client, &place, entry));
                } else {
                    found.push(bad(
                        format!("{place} is not seen: {} reads {}", client.name, client.table),
                        format!("move it into {}", client.table),
                    ));
                }
            }
        }
    }
    found
}

/// What Claude Code keeps for one folder.
fn of_project<'a>(value: &'a Value, here: &Path) -> Option<&'a Value> {
    value.get("projects")?.get(here.to_str()?)
}
