//! `paste_text`.

use super::send_keys;
use crate::mcp::guard::{self, Input};
use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::limits::PASTED_BYTES;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Run, Tool, Toolset};
use crate::tmux::drive::input;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "paste_text",
    title: "Paste Text Into Pane",
    description:
        "Paste text into one pane, as a block where its program knows bracketed paste: for what is long or has many \
        lines. Synchronized panes do not get it. Refused as send_keys is. With enter, Enter follows the block. tmux's \
        paste buffers are as before.",
    toolset: Toolset::Execute,
    hints: send_keys::HINTS,
    capability: send_keys::CAPABILITY,
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `%` id.
    pane: PaneArg,
    /// At most a MiB.
    text: String,
    /// Press Enter at the end.
    #[serde(default)]
    enter: bool,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    pane: String,
    /// Bytes of the text, without Enter.
    bytes: usize,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let (pane, text) = (args.pane.0, args.text);
    if text.contains('\0') {
        return Err(Problem::input("text holds a NUL"));
    }
    let bytes = text.len();
    if bytes > PASTED_BYTES {
        return Err(Problem::input(format!(
            "text takes {PASTED_BYTES} bytes; this takes {bytes}"
        )));
    }
    guard::look(host, pane, Input::Paste)?;
    let buffer = (!text.is_empty()).then(input::private_buffer);
    let outcome = buffer.as_deref().map_or(Ok(()), |buffer| {
        let filled = input::fill(&host.tmux, buffer, &text).map_err(Problem::from);
        // Filling may have taken long.
        filled.and_then(|()| guard::look(host, pane, Input::Paste).map(drop))
    });
    if let Err(problem) = outcome {
        buffer.iter().for_each(|buffer| input::empty(&host.tmux, buffer));
        return Err(problem);
    }
    if buffer.is_some() || args.enter {
        let enter = args.enter.then(|| "Enter".to_owned());
        host.typed.note(std::iter::once(pane), &text, enter.as_slice());
        input::paste(&host.tmux, pane, buffer.as_deref(), args.enter)?;
    }
    Ok(Reply {
        pane: pane.to_string(),
        bytes,
    })
}
