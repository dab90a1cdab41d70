//! `create_session`.

use crate::mcp::host::Host;
use crate::mcp::literal;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::views::{Made, SessionView};
use crate::tmux::drive::create;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "create_session",
    title: "Create Session",
    description:
        "Create a session with the configured program; nobody is taken to it. The reply tells the name that tmux made \
        of yours.",
    toolset: Toolset::Execute,
    hints: HINTS,
    capability: Capability {
        literal: &[("name", "double-hash-once"), ("start_directory", "double-hash-once")],
        ..CAPABILITY
    },
    input: schema::<Args>,
    output: schema::<Made<SessionView>>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

/// Of tools that start the configured program.
pub(super) const HINTS: Hints = Hints {
    read_only: false,
    destructive: false,
    idempotent: false,
    open_world: true,
};

/// Of tools that start the configured program.
pub(super) const CAPABILITY: Capability = Capability {
    reach: "configured-process",
    effects: &["change"],
    ..Capability::METADATA
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// A name that no session has.
    name: String,
    /// Its directory; that of this MCP server when omitted.
    #[serde(default)]
    start_directory: Option<String>,
}

fn run(host: &Host, args: Args) -> Result<Made<SessionView>, Problem> {
    let folder = folder(args.start_directory.as_deref())?;
    Ok(Made::of(create::session(&host.tmux, &name(&args.name)?, &folder)?))
}

/// A name as an operand.
pub(super) fn name(name: &str) -> Result<String, Problem> {
    if name.is_empty() || name.contains('\0') {
        return Err(Problem::input("name is text of at least one character"));
    }
    Ok(literal::in_format(name))
}

/// The folder that was named, or that of this process, as an operand. tmux itself would take another one, without a word,
/// for one that does not exist.
pub(super) fn folder(named: Option<&str>) -> Result<String, Problem> {
    let here = std::path::absolute(named.unwrap_or("."));
    let folder = here.ok().filter(|_| named.is_none_or(|named| !named.contains('\0')));
    let found = folder
        .as_deref()
        .filter(|folder| folder.is_dir())
        .and_then(Path::to_str);
    let none = || {
        let named = crate::text::one_line(named.unwrap_or("the folder of this MCP server"), 200);
        Problem::input(format!("start_directory: {named:?} is no folder here"))
    };
    found.map(literal::in_format).ok_or_else(none)
}
