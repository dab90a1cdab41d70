//! `show_option`.

use crate::mcp::host::Host;
use crate::mcp::id;
use crate::mcp::literal;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::model::{PaneId, SessionId, WindowId};
use crate::tmux::command::Failure;
use crate::tmux::drive::settings::{self, Scope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "show_option",
    title: "Read tmux Option",
    description: "Read an option just where it is asked for: what it inherits is not told. A value may hold commands.",
    toolset: Toolset::Inspect,
    hints: Hints::READ,
    capability: Capability {
        outputs: &["tmux-metadata", "configured-command"],
        literal: &[("name", "double-hash-once")],
        ..Capability::METADATA
    },
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Such as `history-limit`, or `@theme`.
    name: String,
    /// Where it belongs; `global-session` when omitted.
    #[serde(default)]
    scope: Option<ScopeArg>,
    /// `$`, `@` or `%` id, for the scopes session, window and pane.
    #[serde(default)]
    target: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum ScopeArg {
    Server,
    GlobalSession,
    GlobalWindow,
    Session,
    Window,
    Pane,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// The option.
    name: String,
    /// Its value; null where it is not set there.
    value: Option<String>,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let scope = scope(args.scope.unwrap_or(ScopeArg::GlobalSession), args.target.as_deref())?;
    let name = args.name;
    if name.is_empty() || name.contains('\0') {
        return Err(Problem::input("name names an option"));
    }
    let value = match settings::option(&host.tmux, &literal::in_format(&name), scope) {
        // The user's own options are not known until they are set.
        Err(Failure::Refused(words)) if name.starts_with('@') && words.starts_with("invalid option") => None,
        value => value?,
    };
    Ok(Reply { name, value })
}

fn scope(scope: ScopeArg, target: Option<&str>) -> Result<Scope, Problem> {
    let number = |sigil: &str| target.and_then(|target| id::number(target, sigil));
    let found = match scope {
        ScopeArg::Server => Some(Scope::Server),
        ScopeArg::GlobalSession => Some(Scope::GlobalSession),
        ScopeArg::GlobalWindow => Some(Scope::GlobalWindow),
        ScopeArg::Session => number("$").map(|n| Scope::Session(SessionId(n))),
        ScopeArg::Window => number("@").map(|n| Scope::Window(WindowId(n))),
        ScopeArg::Pane => number("%").map(|n| Scope::Pane(PaneId(n))),
    };
    let global = matches!(found, Some(Scope::Server | Scope::GlobalSession | Scope::GlobalWindow));
    match found {
        Some(_) if global && target.is_some() => {
            Err(Problem::input("target goes with the scopes session, window and pane"))
        }
        Some(scope) => Ok(scope),
        None => Err(Problem::input(
            "target is the id for the scope: $1 for session, @2 for window, %3 for pane",
        )),
    }
}
