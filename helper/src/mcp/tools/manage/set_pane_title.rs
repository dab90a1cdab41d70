//! `set_pane_title`.

use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::literal;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::views::PaneView;
use crate::tmux::drive::arrange;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "set_pane_title",
    title: "Set Pane Title",
    description: "Set a pane's title; the program in it may set another any time.",
    toolset: Toolset::Manage,
    hints: Hints::SET,
    capability: Capability {
        literal: &[("title", "double-hash-once")],
        ..Capability::CHANGE
    },
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `%` id.
    pane: PaneArg,
    /// Taken as it is; no control characters.
    title: String,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    #[serde(flatten)]
    pane: PaneView,
    /// Its title now.
    title: String,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let title = literal::operand("title", &args.title)?;
    // tmux would keep the old title without a word.
    if title.chars().any(char::is_control) {
        return Err(Problem::input("title holds a control character"));
    }
    let (row, title) = arrange::set_title(&host.tmux, args.pane.0, &literal::in_format(title))?;
    Ok(Reply {
        pane: PaneView::of(host, row),
        title,
    })
}
