//! `select_layout`.

use crate::mcp::host::Host;
use crate::mcp::id::WindowArg;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::tmux::drive::arrange;
use crate::tmux::layout;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "select_layout",
    title: "Arrange Window Panes",
    description: "Arrange a window's panes by a named layout, the start of its name, or a saved layout. Replies with the layout that it has then.",
    toolset: Toolset::Manage,
    hints: Hints::SET,
    capability: Capability::CHANGE,
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `@` id.
    window: WindowArg,
    /// `even-horizontal`, `even-vertical`, `main-horizontal`, `main-vertical`, `tiled`, with tmux 3.5 also
    /// `main-horizontal-mirrored`, `main-vertical-mirrored`; or what `#{window_layout}` says.
    layout: String,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// `@` id.
    window: String,
    /// Its layout now.
    layout: String,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let (id, layout) = (args.window.0, layout::read(&args.layout)?);
    let window = arrange::arrangeable(&host.tmux, id)?;
    layout.check(window.panes, layout::has_mirrored(&window.version))?;
    let applied = arrange::set_layout(&host.tmux, id, &args.layout, window.panes)?;
    let layout = applied.ok_or_else(|| Problem {
        retryable: true,
        ..Problem::refused(format!("the panes of {id} have changed meanwhile"))
    })?;
    Ok(Reply {
        window: id.to_string(),
        layout,
    })
}
