//! `snapshot_pane`.

use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::limits::PANE_TEXT_BYTES;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::views::{newest, PaneView};
use crate::tmux::drive::screen;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "snapshot_pane",
    title: "Snapshot Pane State",
    description:
        "Read a pane's screen with its cursor, mode, scroll position and size, at one instant. For where a pane \
        stands: a cursor behind a prompt is a shell that waits; in a mode keys go to tmux, not to the program.",
    toolset: Toolset::Inspect,
    hints: Hints::READ_SCREEN,
    capability: Capability::SCREEN,
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `%` id.
    pane: PaneArg,
    /// Read all that is kept, not only the screen.
    #[serde(default)]
    history: bool,
    /// Return at most this many lines, the newest.
    #[serde(default)]
    max_lines: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// The pane.
    pane: PaneView,
    /// Columns.
    width: u32,
    /// Rows.
    height: u32,
    /// Cursor column, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor_x: Option<u32>,
    /// Cursor row, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor_y: Option<u32>,
    /// Whether a mode takes the keys.
    in_mode: bool,
    /// Which.
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    /// Lines scrolled back, in copy mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    scroll_position: Option<i32>,
    /// Whether its program has ended.
    dead: bool,
    /// Lines, separated by newlines.
    content: String,
    /// How many.
    lines: usize,
    /// Older lines that were left out.
    dropped: usize,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let seen = screen::snapshot(&host.tmux, args.pane.0, args.history)?;
    let kept = newest(&seen.text, args.max_lines, PANE_TEXT_BYTES);
    Ok(Reply {
        pane: PaneView::of(host, seen.pane),
        width: seen.width,
        height: seen.height,
        cursor_x: seen.cursor_x,
        cursor_y: seen.cursor_y,
        in_mode: seen.mode.is_some(),
        mode: seen.mode,
        scroll_position: seen.scrolled,
        dead: seen.dead,
        content: kept.text,
        lines: kept.lines,
        dropped: kept.dropped,
    })
}
