//! `show_environment`.

use crate::mcp::host::Host;
use crate::mcp::id::SessionArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tools::session;
use crate::tmux::drive::settings::{self, Variable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "show_environment",
    title: "Show tmux Environment",
    description:
        "List the variables that tmux gives to what it starts, for the server or one session. Values are told \
        only of names that LIBTMUX_ENVIRONMENT_VALUES lists. Programs that run already have what they were given then.",
    toolset: Toolset::Inspect,
    hints: Hints::READ,
    capability: Capability {
        outputs: &["process-environment"],
        ..Capability::METADATA
    },
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `$` id or exact name. Omit for the server's.
    #[serde(default)]
    session: Option<SessionArg>,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// In tmux's order.
    entries: Vec<Entry>,
    /// Whose it is; absent for the server's.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Entry {
    /// The variable.
    name: String,
    /// `removed`: tmux takes it out.
    state: State,
    /// Its value, where it may be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// Whether it has a value that is not told.
    withheld: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum State {
    Set,
    Removed,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let session = args.session.map(|named| session(host, &named)).transpose()?;
    let entry = |variable: Variable| {
        let told = host.told.contains(&variable.name);
        Entry {
            state: if variable.value.is_some() {
                State::Set
            } else {
                State::Removed
            },
            withheld: variable.value.is_some() && !told,
            value: variable.value.filter(|_| told),
            name: variable.name,
        }
    };
    let variables = settings::environment(&host.tmux, session)?;
    Ok(Reply {
        entries: variables.into_iter().map(entry).collect(),
        session: session.map(|id| id.to_string()),
    })
}
