//! A pane as it is written: what runs in it, where, and what of that cannot be kept.

use super::directory;
use super::foreground::{Known, Running};
use super::{lost, options, Source};
use crate::process;
use crate::summary::redact::redact;
use crate::text;
use crate::tmux::drive::inventory::Pane;
use crate::workspace::document;
use serde_json::{json, Map, Value};

/// What is written of a pane, before directories that it shares with others are taken out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Written {
    /// Where it is: absolute; empty where that cannot be told.
    pub directory: String,
    /// `shell`: what it was given to run.
    pub shell: Option<String>,
    /// `shell_command`: what was typed into it and runs.
    pub commands: Vec<Value>,
    /// What was not kept, in words that follow the pane's name.
    pub notes: Vec<String>,
}

/// Reads a pane.
pub fn read(pane: &Pane, default_command: &str, source: &Source) -> Written {
    let given = given(pane, default_command);
    let mut written = Written::default();
    let running = match pane.dead {
        true => Running::default(),
        false => source.running(pane, given.is_some() || !default_command.is_empty()),
    };
    written.place(pane, &running, given.is_some());
    if let Some(line) = given {
        written.start(&line);
    }
    for line in &running.lines {
        let command = written.command(line, "runs");
        written.commands.push(command);
    }
    if let Some(first) = default_command
        .split_whitespace()
        .next()
        .filter(|_| pane.dead && pane.start.is_empty())
    {
        written.notes.push(format!("was started as {first}"));
    }
    if pane.dead {
        written.notes.push("had ended".to_owned());
    }
    if !pane.mode.is_empty() {
        written.notes.push(format!("was in {}", pane.mode));
    }
    if pane.piped {
        let note = "had its output piped to a program (pipe-pane), which is left out";
        written.notes.push(note.to_owned());
    }
    if pane.deaf {
        written.notes.push("took no keys (select-pane -d)".to_owned());
    }
    let names = pane.options.iter().map(|(name, _)| name.clone());
    let names: Vec<String> = names.filter(|name| !name.starts_with(options::OURS)).collect();
    written.notes.extend(lost("options", &names));
    written.notes.extend(lost("hooks", &pane.hooks));
    written.notes.extend(running.doubts);
    written
}

/// The command line that a pane was given to run instead of what all are.
fn given(pane: &Pane, default_command: &str) -> Option<String> {
    match pane.start.as_slice() {
        [] => None,
        [line] if *line == default_command => None,
        [line] => Some(line.clone()),
        words => Some(shell_words::join(words)),
    }
}

impl Written {
    /// Finds the directory: that to which a line was typed, else that of the program in front.
    fn place(&mut self, pane: &Pane, running: &Running, given: bool) {
        let typed = running.shell.filter(|_| running.lines.len() == 1);
        let of_shell = typed.and_then(process::directory);
        let of_shell = of_shell.as_deref().and_then(|path| path.to_str());
        let start = Some(pane.start_path.as_str()).filter(|_| given);
        let known = of_shell.or(start).unwrap_or(&pane.path);
        let known = if known.is_empty() { &pane.start_path } else { known };
        let (path, gone) = directory::cleaned(known);
        if gone {
            self.notes.push(format!("is in {path}, which has been deleted"));
        }
        path.clone_into(&mut self.directory);
    }

    fn start(&mut self, line: &str) {
        if redact(line) == *line {
            self.shell = Some(line.to_owned());
        } else {
            // What tmux starts, it starts at once.
            let command = self.command(line, "was started with");
            self.commands.push(command);
        }
    }

    /// A line to type. One with a secret in it is typed without that, and without Enter.
    fn command(&mut self, line: &str, does: &str) -> Value {
        let shown = redact(line);
        if shown == *line {
            return line.into();
        }
        let said = text::one_line(&shown, text::SUMMARY_LIMIT);
        self.notes.push(format!(
            "{does} a command with a secret, which is left out: {said}; it is typed, not run"
        ));
        json!({"cmd": shown, "enter": false})
    }

    /// What stands in the list of panes; `directory` where it is another than the window's.
    pub fn value(&self, directory: Option<Value>, focus: bool) -> Value {
        let mut pane = Map::new();
        let commands = match self.commands.as_slice() {
            [] => None,
            // By itself such a word is a pane without commands.
            [Value::String(line)] if document::is_blank_word(line) => Some(json!({"cmd": line})),
            [Value::String(line)] => Some(Value::from(line.as_str())),
            several => Some(several.to_vec().into()),
        };
        pane.extend(directory.map(|directory| ("start_directory".to_owned(), directory)));
        pane.extend(
            self.shell
                .as_ref()
                .map(|line| ("shell".to_owned(), line.as_str().into())),
        );
        let alone = pane.is_empty() && !focus;
        match commands {
            None if alone => "blank".into(),
            Some(Value::String(line)) if alone => line.into(),
            commands => {
                pane.extend(commands.map(|commands| ("shell_command".to_owned(), commands)));
                pane.extend(focus.then(|| ("focus".to_owned(), true.into())));
                pane.into()
            }
        }
    }
}

impl Source {
    fn running(&self, pane: &Pane, of_its_own: bool) -> Running {
        let processes = self.table.of_pane(pane.pid, &pane.tty, None);
        let known = Known {
            pane: pane.id,
            first: pane.pid,
            processes: &processes,
            records: &self.records,
            path: &self.path,
        };
        known.running(of_its_own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_is_called_as_a_blank_pane_is_one() {
        let pane = |line: &str| Written {
            commands: vec![line.into()],
            ..Written::default()
        };
        assert_eq!(
            pane("blank").value(None, false),
            json!({"shell_command": {"cmd": "blank"}})
        );
        assert_eq!(
            pane("pane").value(None, true),
            json!({"shell_command": {"cmd": "pane"}, "focus": true})
        );
        assert_eq!(pane("ls").value(None, false), "ls");
        assert_eq!(Written::default().value(None, false), "blank");
    }
}
