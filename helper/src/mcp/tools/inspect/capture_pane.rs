//! `capture_pane`.

use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::limits::PANE_TEXT_BYTES;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::views::newest;
use crate::tmux::drive::screen::{self, Lines, Marks};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "capture_pane",
    title: "Read Pane Contents",
    description:
        "Read a pane's screen, its history, or only what its last command printed. At most 256 KiB, the newest.",
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
    /// First line: 0 is the top of the screen, negative lies above it. Omit for the top, or with `history` for the oldest.
    #[serde(default)]
    start: Option<i32>,
    /// Last line. Omit for the bottom of the screen.
    #[serde(default)]
    end: Option<i32>,
    /// Read all that is kept, not only the screen.
    #[serde(default)]
    history: bool,
    /// Only what the last command printed. Needs tmux 3.7 and a shell that marks its prompts (OSC 133); else the screen
    /// comes, and `marks` says so.
    #[serde(default)]
    last_command: bool,
    /// Return at most this many lines, the newest.
    #[serde(default)]
    max_lines: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// The pane.
    pane: String,
    /// Lines, separated by newlines.
    text: String,
    /// How many.
    lines: usize,
    /// Whether the text is the last command's: `absent`, no prompts are marked; `unsupported`, tmux is older than 3.7.
    marks: MarksView,
    /// Older lines that were left out.
    dropped: usize,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum MarksView {
    Present,
    Absent,
    Unsupported,
    NotAsked,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let pane = args.pane.0;
    let (text, marks) = if args.last_command {
        if args.history || args.start.is_some() || args.end.is_some() {
            return Err(Problem::input("last_command goes with neither history, start nor end"));
        }
        let (text, marks) = screen::last_command(&host.tmux, pane)?;
        let marks = match marks {
            Marks::Present => MarksView::Present,
            Marks::Absent => MarksView::Absent,
            Marks::Unsupported => MarksView::Unsupported,
        };
        (text, marks)
    } else {
        let lines = Lines {
            history: args.history,
            start: args.start,
            end: args.end,
        };
        (screen::capture(&host.tmux, pane, lines)?, MarksView::NotAsked)
    };
    let kept = newest(&text, args.max_lines, PANE_TEXT_BYTES);
    Ok(Reply {
        pane: pane.to_string(),
        text: kept.text,
        lines: kept.lines,
        marks,
        dropped: kept.dropped,
    })
}
