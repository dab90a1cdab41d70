//! What would be built, without tmux: documents as they are meant. Of environments only the names are told.

use super::saved::Share;
use super::Input;
use crate::cmd::workspace::{print_record, Reader};
use crate::output;
use crate::text;
use crate::workspace::load::event::Warning;
use crate::workspace::spec::{Command, Pairs, Pane, Session, Window};
use anyhow::Result;
use serde_json::{json, Value};

/// Prints them.
///
/// # Errors
/// When they cannot be written.
pub fn print(inputs: &[Input], shares: &[Share], warnings: &[Warning], reader: Reader) -> Result<()> {
    if !reader.is_program() {
        let sessions = inputs.iter().map(|input| outline(&input.session));
        let others = shares
            .iter()
            .map(|share| text::clean(&format!("{} with the windows of {}", share.name, share.with)) + "\n");
        output::print(sessions.chain(others).collect::<String>().as_bytes())?;
        return Ok(());
    }
    let results: Vec<Value> = inputs
        .iter()
        .enumerate()
        .map(|(index, input)| {
            json!({ "input": input.name, "input_index": index, "session": session(&input.session), "warnings": input.session.warnings })
        })
        .collect();
    let shares: Vec<Value> = shares
        .iter()
        .map(|share| json!({ "session_name": share.name, "same_windows_as": share.with }))
        .collect();
    let report = json!({
        "schema_version": 1, "command": "load", "status": "dry_run",
        "results": results, "sharing": shares, "errors": [], "warnings": warnings,
    });
    print_record(&report, reader)
}

fn session(session: &Session) -> Value {
    let script = session
        .before_script
        .as_ref()
        .map(|script| json!({ "arguments": script.written, "directory": script.directory.to_string_lossy() }));
    json!({
        "session_name": session.name,
        "start_directory": session.start_directory.to_string_lossy(),
        "environment": names(&session.environment),
        "options": options(&session.options),
        "global_options": options(&session.global_options),
        "before_script": script,
        "pane_readiness": format!("{:?}", session.readiness).to_lowercase(),
        "windows": session.windows.iter().map(window).collect::<Vec<_>>(),
    })
}

fn window(window: &Window) -> Value {
    json!({
        "window_name": window.name,
        "window_index": window.index,
        "layout": window.layout,
        "focus": window.focus,
        "zoomed": window.zoomed,
        "options": options(&window.options),
        "options_after": options(&window.options_after),
        "panes": window.panes.iter().map(pane).collect::<Vec<_>>(),
    })
}

fn pane(pane: &Pane) -> Value {
    json!({
        "start_directory": pane.start_directory.to_string_lossy(),
        "shell": pane.shell,
        "environment": names(&pane.environment),
        "focus": pane.focus,
        "commands": pane.commands.iter().map(command).collect::<Vec<_>>(),
    })
}

fn command(command: &Command) -> Value {
    json!({
        "cmd": command.text,
        "enter": command.enter,
        "suppress_history": command.suppress_history,
        "sleep_before": command.sleep_before.as_secs_f64(),
        "sleep_after": command.sleep_after.as_secs_f64(),
    })
}

fn names(pairs: &Pairs) -> Vec<&str> {
    pairs.iter().map(|(name, _)| name.as_str()).collect()
}

fn options(pairs: &Pairs) -> Value {
    pairs.iter().map(|(name, value)| (name.clone(), json!(value))).collect()
}

/// A session for people: a line each for it, its windows and its panes.
fn outline(session: &Session) -> String {
    let clean = text::clean;
    let mut lines = vec![format!(
        "{} in {}",
        clean(&session.name),
        clean(&session.start_directory.to_string_lossy())
    )];
    for window in &session.windows {
        let name = window
            .name
            .as_deref()
            .map_or_else(|| "(named by tmux)".to_owned(), clean);
        let layout = window.layout.as_deref().map(|layout| format!(", {}", clean(layout)));
        lines.push(format!("  {name}{}", layout.unwrap_or_default()));
        for pane in &window.panes {
            let words: Vec<String> = pane.commands.iter().map(|command| clean(&command.text)).collect();
            let shell = pane.shell.as_deref().map(|shell| format!("[{}] ", clean(shell)));
            lines.push(
                format!("    - {}{}", shell.unwrap_or_default(), words.join("; "))
                    .trim_end()
                    .to_owned(),
            );
        }
    }
    lines.join("\n") + "\n"
}
