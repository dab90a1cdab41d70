//! Named finders for what a pattern cannot tell: whether a shell sits at its prompt.

use super::facts::Facts;
use super::format::{Input, Probe};
use super::history;
use super::identify::Subject;
use super::prompt;
use super::view::View;
use crate::model::Progress;

/// Shells that edit their command line themselves: while they do, the terminal is in raw mode.
const LINE_EDITORS: &[&str] = &["bash", "zsh", "fish", "nu", "elvish", "xonsh", "ksh", "mksh", "tcsh"];

/// Asks one finder; on failure the reason.
pub fn ask(probe: Probe, view: &View<'_>, facts: &Facts, subject: &Subject<'_>) -> Result<(), &'static str> {
    match probe {
        Probe::Foreground => return Ok(()),
        Probe::FullScreen if facts.alternate || facts.input == Some(Input::Raw) => return Ok(()),
        Probe::FullScreen => return Err("it does not draw the whole screen"),
        Probe::Dialog if view.dialog(facts.alternate).is_some() => return Ok(()),
        Probe::Dialog => return Err("no box with buttons stands on the screen"),
        Probe::ShellRuns if !runs(view) => return Err("no shell says that it runs a command"),
        Probe::ShellRuns if matches!(facts.input, None | Some(Input::Nothing)) => return Ok(()),
        Probe::ShellRuns => return Err("it reads its terminal"),
        _ => at_prompt(view, facts, subject)?,
    }
    let Some(prompt) = view.prompt() else {
        return Err("no prompt stands at the cursor");
    };
    match probe {
        Probe::ShellPrompt => Ok(()),
        Probe::ShellRan if prompt.command.is_some() => Ok(()),
        Probe::ShellRan => Err("no earlier command is visible"),
        Probe::ShellFresh if prompt.fresh => Ok(()),
        Probe::ShellFresh => Err("there is output above the prompt"),
        Probe::ShellTyped if !prompt.typed.is_empty() => Ok(()),
        Probe::ShellTyped => Err("nothing is typed"),
        Probe::ShellStatus if prompt.status.is_some() => Ok(()),
        Probe::ShellStatus => Err("neither prompt nor shell tells that a command failed"),
        Probe::ShellEnded if prompt.command.is_some() && history::ended(view.said).is_some() => Ok(()),
        Probe::ShellEnded => Err("no shell says that its last command did not fail"),
        Probe::ShellDoubt if history::succeeded(view.said, prompt.command.as_deref()) => {
            Err("the shell says that its last command did not fail")
        }
        Probe::ShellDoubt => Ok(()),
        Probe::Foreground | Probe::FullScreen | Probe::Dialog | Probe::ShellRuns => Ok(()),
    }
}

/// Whether a shell says that a command of its own runs.
fn runs(view: &View<'_>) -> bool {
    view.said.is_some_and(|said| said.progress == Progress::Running)
}

/// Whether the shell waits for a command. The kernel decides where it can; else the screen does.
fn at_prompt(view: &View<'_>, facts: &Facts, subject: &Subject<'_>) -> Result<(), &'static str> {
    if !subject.interactive {
        return Err("the shell runs a script");
    }
    let edits = LINE_EDITORS.contains(&subject.name.as_str());
    let (_, left) = view.cursor_line().unwrap_or_default();
    let ends_in_sign = prompt::split(left).is_some();
    match facts.input {
        Some(Input::Raw) => Ok(()),
        Some(Input::Line) if !edits && ends_in_sign => Ok(()),
        Some(Input::Line) => Err("a builtin reads a line"),
        Some(Input::Password) => Err("a password is asked for"),
        Some(Input::Nothing) => Err("the shell does not read its terminal"),
        None if runs(view) => Err("the shell says that a command runs"),
        None if facts.busy == Some(true) => Err("the shell is busy"),
        None if view.prompt().is_some_and(|prompt| prompt.sure) => Ok(()),
        None => Err("no prompt stands at the cursor"),
    }
}
