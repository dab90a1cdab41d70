//! `send_keys`.

use crate::mcp::guard::{self, Input};
use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::limits::{KEYS, TYPED_BYTES};
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::text;
use crate::tmux::drive::input;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "send_keys",
    title: "Send Keys To Pane",
    description:
        "Type text into a pane as it is, then press named keys, then Enter, in one go. For programs that are no shell; for \
        commands run_shell_command. Refused where data.reason says: a pane that somebody looks at, a mode, a command of \
        run_shell_command (keys C-c or C-\\ alone pass and stop it). `panes` are those that synchronize-panes makes it \
        reach; that they got it is not proved.",
    toolset: Toolset::Execute,
    hints: HINTS,
    capability: CAPABILITY,
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

/// Of tools that type.
pub(super) const HINTS: Hints = Hints {
    read_only: false,
    destructive: true,
    idempotent: false,
    open_world: true,
};

/// Of tools that type.
pub(super) const CAPABILITY: Capability = Capability {
    reach: "pane-input",
    effects: &["change"],
    ..Capability::METADATA
};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct Args {
    /// `%` id.
    pane: PaneArg,
    /// Typed as it is: `C-c` is three characters.
    #[serde(default)]
    text: Option<String>,
    /// Key names of tmux, such as C-c, Escape, Up, F5.
    #[serde(default)]
    keys: Option<Vec<String>>,
    /// Press Enter at the end.
    #[serde(default)]
    enter: bool,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Reply {
    pane: String,
    /// Panes that this reaches.
    panes: Vec<String>,
}

pub(super) fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let pane = args.pane.0;
    let text = args.text.unwrap_or_default();
    let mut keys = args.keys.unwrap_or_default();
    check(&text, &keys)?;
    // What stops a command must reach it.
    let stops = text.is_empty() && !args.enter && !keys.is_empty() && keys.iter().all(|key| is_stop(key));
    keys.extend(args.enter.then(|| "Enter".to_owned()));
    let audience = guard::look(host, pane, if stops { Input::StopKeys } else { Input::Keys })?;
    if !text.is_empty() || !keys.is_empty() {
        // Noted first: the echo may be faster than the answer.
        host.typed.note(audience.reached.iter().map(|one| one.id), &text, &keys);
        input::send(&host.tmux, pane, &text, &keys)?;
    }
    Ok(Reply {
        pane: pane.to_string(),
        panes: audience.reached.iter().map(|one| one.id.to_string()).collect(),
    })
}

fn check(text: &str, keys: &[String]) -> Result<(), Problem> {
    if text.contains('\0') {
        return Err(Problem::input("text holds a NUL; the key C-Space sends one"));
    }
    if text.len() > TYPED_BYTES {
        let bytes = text.len();
        let what = format!("text takes {TYPED_BYTES} bytes; this takes {bytes}: paste_text takes more");
        return Err(Problem::input(what));
    }
    if keys.len() > KEYS {
        return Err(Problem::input(format!("keys takes {KEYS}; these are {}", keys.len())));
    }
    match keys.iter().find(|key| !input::is_key(key)) {
        Some(key) => Err(Problem::input(format!(
            "{:?} is no key that tmux knows, so nothing was sent: keys are such as C-c, M-x, Escape, Up, F5; what is to be \
             typed goes into text",
            text::one_line(key, 40)
        ))),
        None => Ok(()),
    }
}

fn is_stop(key: &str) -> bool {
    ["c-c", "^c", "c-\\", "^\\"].contains(&key.to_ascii_lowercase().as_str())
}
