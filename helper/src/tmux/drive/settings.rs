//! What a server is set to: options, hooks, environment, and what formats say.

use super::super::command::{sequence, Failure, Tmux};
use super::super::listing::nonce;
use super::{ask, gone, odd, record, refused};
use crate::model::{PaneId, SessionId, WindowId};

/// Where an option belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The server.
    Server,
    /// All sessions that have none of their own.
    GlobalSession,
    /// All windows that have none of their own.
    GlobalWindow,
    /// One session.
    Session(SessionId),
    /// One window.
    Window(WindowId),
    /// One pane.
    Pane(PaneId),
}

/// The value of an option in just that scope; `None` where it is not set there. `name` is literal already.
///
/// # Errors
/// See [`Failure`]; a name that tmux does not know is refused.
pub fn option(tmux: &Tmux, name: &str, scope: Scope) -> Result<Option<String>, Failure> {
    let (flags, target): (&[&str], _) = match scope {
        Scope::Server => (&["-s"], None),
        Scope::GlobalSession => (&["-g"], None),
        Scope::GlobalWindow => (&["-g", "-w"], None),
        Scope::Session(id) => (&[], Some(id.to_string())),
        Scope::Window(id) => (&["-w"], Some(id.to_string())),
        Scope::Pane(id) => (&["-p"], Some(id.to_string())),
    };
    let mut args = vec!["show-options", "-v"];
    args.extend(flags);
    if let Some(target) = &target {
        args.extend(["-t", target]);
    }
    args.extend(["--", name]);
    let answer = ask(tmux, &args)?;
    Ok(answer.strip_suffix('\n').map(str::to_owned))
}

/// A hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// Its name.
    pub name: String,
    /// Its place in an array.
    pub index: Option<u32>,
    /// The tmux command that it runs.
    pub command: String,
}

/// Hooks of one session, or those of the server with those of its windows and panes.
///
/// # Errors
/// See [`Failure`].
pub fn hooks(tmux: &Tmux, session: Option<SessionId>) -> Result<Vec<Hook>, Failure> {
    let answer = match session.map(|id| id.to_string()) {
        Some(id) => ask(tmux, &["show-hooks", "-t", &id])?,
        None => ask(tmux, &["show-hooks", "-g", ";", "show-hooks", "-gw"])?,
    };
    Ok(read_hooks(&answer))
}

fn read_hooks(text: &str) -> Vec<Hook> {
    let mut hooks: Vec<Hook> = Vec::new();
    for line in text.lines() {
        let (head, command) = line.split_once(' ').unwrap_or((line, ""));
        let (name, index) = match head.strip_suffix(']').and_then(|head| head.split_once('[')) {
            Some((name, index)) => (name, index.parse().ok()),
            None => (head, None),
        };
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        let continued = hooks.last_mut().filter(|_| !is_name);
        if let Some(hook) = continued {
            // A command may hold a newline.
            hook.command.push('\n');
            hook.command.push_str(line);
        } else if is_name && !command.is_empty() {
            hooks.push(Hook {
                name: name.to_owned(),
                index,
                command: command.to_owned(),
            });
        }
    }
    hooks
}

/// An entry of an environment.
#[derive(Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value; `None` where tmux takes the name out of the environment of what it starts. Not for printing: there is no
    /// `Debug` that would.
    pub value: Option<String>,
}

/// The environment of the server, or of one session.
///
/// # Errors
/// See [`Failure`]. No message holds a value.
pub fn environment(tmux: &Tmux, session: Option<SessionId>) -> Result<Vec<Variable>, Failure> {
    // Quoted as for a shell: a value with a newline in it could pass for a name otherwise.
    let answer = match session.map(|id| id.to_string()) {
        Some(id) => ask(tmux, &["show-environment", "-s", "-t", &id])?,
        None => ask(tmux, &["show-environment", "-g", "-s"])?,
    };
    read_environment(&answer)
}

/// The variables of an environment as `show-environment -s` prints it.
pub(super) fn read_environment(mut text: &str) -> Result<Vec<Variable>, Failure> {
    // What cannot be read is not shown, either.
    let unreadable = || odd("(an environment)");
    let mut variables = Vec::new();
    while !text.is_empty() {
        if let Some((name, rest)) = text.strip_prefix("unset ").and_then(|rest| rest.split_once(";\n")) {
            // A variable may be called `unset `, but not with a newline after a semicolon.
            if !name.contains("=\"") {
                variables.push(Variable {
                    name: name.to_owned(),
                    value: None,
                });
                text = rest;
                continue;
            }
        }
        let (name, rest) = text.split_once("=\"").ok_or_else(unreadable)?;
        let (value, rest) = quoted(rest).ok_or_else(unreadable)?;
        text = rest
            .strip_prefix("; export ")
            .and_then(|rest| rest.strip_prefix(name))
            .and_then(|rest| rest.strip_prefix(";\n"))
            .ok_or_else(unreadable)?;
        variables.push(Variable {
            name: name.to_owned(),
            value: Some(value),
        });
    }
    Ok(variables)
}

/// The text up to the quote that ends it, unescaped, and what follows.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return Some((value, text.get(at + 1..)?)),
            '\\' => value.push(characters.next()?.1),
            c => value.push(c),
        }
    }
    None
}

/// What formats say, and what they might say instead.
pub struct Formats {
    /// The values of the names, in their order.
    pub values: Vec<String>,
    /// Names that an environment holds; a format without another meaning is looked up there.
    pub environment: Vec<String>,
}

/// The values of the format variables `names` (letters, digits and `_` only) at a pane, or at tmux's current one.
///
/// # Errors
/// See [`Failure`].
pub fn variables(tmux: &Tmux, names: &[&str], pane: Option<PaneId>) -> Result<Formats, Failure> {
    let (mark, nonce) = (nonce(), nonce());
    let target = pane.map(|id| id.to_string());
    let at = |command: &[&str]| {
        let mut command: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        if let Some(target) = &target {
            command.extend(["-t".to_owned(), target.clone()]);
        }
        command
    };
    let say = |format: &str| {
        let mut command = at(&["display-message", "-p"]);
        command.push(format.to_owned());
        command
    };
    let formats: Vec<String> = names.iter().map(|name| format!("#{{{name}}}")).collect();
    let formats: Vec<&str> = std::iter::once("#{pane_id}")
        .chain(formats.iter().map(String::as_str))
        .collect();
    // Hidden variables, too: formats see them.
    let environments = [&["-g"][..], &["-g", "-h"], &[], &["-h"]].map(|flags| {
        let command = [&["show-environment", "-s"], flags].concat();
        if flags.contains(&"-g") {
            command.iter().map(|word| (*word).to_owned()).collect()
        } else {
            at(&command)
        }
    });
    let mut commands = vec![say(&record(&nonce, &formats))];
    for environment in environments {
        commands.push(say(&mark));
        commands.push(environment);
    }
    let answer = tmux.call(&sequence(commands))?;
    if !answer.success {
        return Err(refused(tmux, answer));
    }
    let text = String::from_utf8_lossy(&answer.stdout);
    let mark = format!("{mark}\n");
    let mut parts = text.split(&mark);
    let mut said: Vec<String> = parts
        .next()
        .unwrap_or_default()
        .split(&nonce)
        .map(str::to_owned)
        .collect();
    let (first, end) = (said.first().cloned().unwrap_or_default(), said.pop());
    if let Some(pane) = pane.filter(|pane| first != pane.to_string()) {
        return Err(gone("pane", pane));
    }
    if end.as_deref() != Some("\n") || said.len() != formats.len() {
        return Err(odd("(variables)"));
    }
    said.remove(0);
    let mut environment = Vec::new();
    for part in parts {
        environment.extend(read_environment(part)?.into_iter().map(|variable| variable.name));
    }
    Ok(Formats {
        values: said,
        environment,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let read = read_environment(text).unwrap_or_default();
        read.into_iter().map(|variable| variable.name).collect()
    }

    #[test]
    fn a_value_never_passes_for_a_name() {
        let text =
            "A=\"x\nB=secret\n-C\nunset D;\n\"; export A;\nunset GONE;\nE=\"\\\"; export E;\\n\\$x\\\\\"; export E;\n";
        assert_eq!(names(text), ["A", "GONE", "E"]);
        let read = read_environment(text).unwrap_or_default();
        assert!(read[0].value.as_deref() == Some("x\nB=secret\n-C\nunset D;\n"));
        assert!(read[1].value.is_none());
        assert!(read[2].value.as_deref() == Some("\"; export E;n$x\\"));
    }

    #[test]
    fn an_environment_that_is_cut_is_refused_without_its_text() {
        let text = "SECRET=\"hunter2\"; export SECRET;\n";
        for end in 1..text.len() {
            let error = read_environment(&text[..end]).err().map(|failure| failure.to_string());
            assert!(error.is_some_and(|words| !words.contains("hunter")), "{end}");
        }
    }

    #[test]
    fn hooks_without_a_command_are_none() {
        let text = "after-bind-key\nafter-new-window[0] run-shell \"a\n b\"\nafter-new-window[91] x\npane-died  y\n";
        let hooks = read_hooks(text);
        let seen: Vec<_> = hooks
            .iter()
            .map(|h| (h.name.as_str(), h.index, h.command.as_str()))
            .collect();
        assert_eq!(
            seen,
            [
                ("after-new-window", Some(0), "run-shell \"a\n b\""),
                ("after-new-window", Some(91), "x"),
                ("pane-died", None, " y"),
            ]
        );
    }
}
