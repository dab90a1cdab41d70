//! `get_tmux_variables`.

use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::limits::VARIABLES;
use crate::mcp::outcome::{Problem, Reason};
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::startup::ENVIRONMENT;
use crate::tmux::drive::settings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "get_tmux_variables",
    title: "Get tmux Variables",
    description:
        "Read tmux format variables, such as pane_pid or window_layout, at a pane. A name that tmux does not know \
        is empty. tmux would look it up in its environment: names that stand there are refused, unless \
        LIBTMUX_ENVIRONMENT_VALUES lists them.",
    toolset: Toolset::Inspect,
    hints: Hints::READ,
    capability: Capability {
        outputs: &["tmux-metadata", "configured-command"],
        literal: &[("names", "validated-variable-name")],
        ..Capability::METADATA
    },
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Names.
    #[schemars(length(min = 1, max = 32), inner(regex(pattern = "^[A-Za-z][A-Za-z0-9_]*$")))]
    names: Vec<String>,
    /// `%` id. Omit for tmux's current pane.
    #[serde(default)]
    pane: Option<PaneArg>,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// By name.
    values: BTreeMap<String, String>,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let count = args.names.len();
    if count == 0 || count > VARIABLES {
        return Err(Problem::input(format!(
            "names takes 1 to {VARIABLES} names; these are {count}"
        )));
    }
    if let Some(odd) = args.names.iter().find(|name| !is_name(name)) {
        let odd = crate::text::one_line(odd, 60);
        return Err(Problem::input(format!(
            "{odd:?} is no variable's name: a letter, then letters, digits and _"
        )));
    }
    let names: Vec<&str> = args.names.iter().map(String::as_str).collect();
    let formats = settings::variables(&host.tmux, &names, args.pane.map(|pane| pane.0))?;
    let kept_back = |name: &&String| formats.environment.contains(name) && !host.told.contains(*name);
    if let Some(name) = args.names.iter().find(kept_back) {
        let problem = Problem::input(format!(
            "{name} is an environment variable, whose value is not told unless {ENVIRONMENT} lists it at the start"
        ));
        return Err(problem.because(Reason::Withheld));
    }
    Ok(Reply {
        values: args.names.into_iter().zip(formats.values).collect(),
    })
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
