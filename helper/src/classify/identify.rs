//! Which program a pane's foreground is: from its processes, else from tmux's word and the title.

use super::argv::{self, Invocation};
use super::input::foreground;
use super::rules::Program;
use super::Rules;
use crate::model::{Evidence, Process};

/// The program that speaks for a pane.
pub struct Subject<'e> {
    /// Its rules, when there are any.
    pub program: Option<&'static Program>,
    /// Its name in summaries.
    pub name: String,
    /// The foreground program as a person names it, for the status file.
    pub command: String,
    /// Its arguments, joined.
    pub args: String,
    /// What it was told to work on: its last argument that is no option.
    pub target: Option<String>,
    /// The command line of the foreground group's leader, when that is another process (`git log` behind a pager).
    pub leader: Option<String>,
    /// Its process.
    pub process: Option<&'e Process>,
    /// Whether it is a shell or REPL without a script.
    pub interactive: bool,
    /// The title by which it was identified, when its processes say nothing.
    title: Option<String>,
    /// tmux's word for it.
    word: String,
}

impl Subject<'_> {
    /// Its name in summaries; with the host where it only leads to another one.
    pub fn said(&self) -> String {
        match super::remote::host(self) {
            Some(host) => format!("{} {host}", self.name),
            None => self.name.clone(),
        }
    }

    /// How it was identified, for people.
    pub fn how(&self) -> String {
        match (&self.title, self.process) {
            (Some(title), _) => format!("the title {title:?}"),
            (None, Some(p)) => format!("process {}: {}", p.pid, crate::text::one_line(&p.args.join(" "), 60)),
            (None, None) => format!("tmux's command {:?}", self.word),
        }
    }
}

/// A program that may keep a record of what it does, and its process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keeper {
    /// A coding agent, by the name of its rule file.
    Agent(&'static str, u32),
    /// A shell without a script, by its own name.
    Shell(String, u32),
}

/// One process and what it was found to be.
struct Candidate<'e> {
    process: Option<&'e Process>,
    invocation: Invocation,
    found: Option<(&'static Program, String)>,
}

impl Rules {
    /// The program that speaks for the pane.
    pub fn identify<'e>(&self, evidence: &Evidence<'e>) -> Subject<'e> {
        let pane = evidence.pane;
        let mut candidates: Vec<Candidate<'e>> = Vec::new();
        if let (Some(processes), None) = (evidence.processes, &pane.dead) {
            let mut group: Vec<&Process> = foreground(processes).collect();
            group.sort_by_key(|p| (p.pid != p.pgid, p.pid));
            candidates.extend(group.into_iter().map(|process| self.candidate(process)));
            // A wrapper with a terminal of its own (sudo, script) runs the program there.
            if candidates
                .iter()
                .all(|c| c.found.as_ref().is_none_or(|(program, _)| program.wrapper))
            {
                let elsewhere = processes
                    .iter()
                    .filter(|p| !p.on_terminal && p.tpgid == Some(p.pgid) && p.pid == p.pgid);
                candidates.extend(
                    elsewhere
                        .map(|process| self.candidate(process))
                        .filter(|c| c.found.is_some()),
                );
            }
        }
        if candidates.is_empty() {
            let invocation = argv::read(&[], &pane.command);
            let found = self.find(
                &Invocation {
                    interactive: true,
                    ..invocation.clone()
                },
                "",
            );
            candidates.push(Candidate {
                process: None,
                invocation: Invocation {
                    interactive: true,
                    ..invocation
                },
                found,
            });
        }
        let rank = |c: &Candidate<'_>| match &c.found {
            Some((program, _)) if program.agent => 0,
            Some((program, _)) if !program.wrapper => 1,
            _ => 2,
        };
        let leader_speaks = candidates.first().is_some_and(|c| rank(c) == 1);
        let agent = candidates.iter().position(|c| rank(c) == 0);
        let other = || candidates.iter().position(|c| rank(c) == 1);
        let at = agent.or(if leader_speaks { Some(0) } else { other() }).unwrap_or(0);
        let first = candidates.first().and_then(|c| c.process);
        let leader = first.filter(|_| at != 0).map(|p| p.args.join(" "));
        let chosen = candidates.swap_remove(at);
        let by_title = match &chosen.found {
            Some((program, _)) if !program.wrapper => None,
            _ => self.by_title(&pane.title, &chosen.invocation),
        };
        Subject {
            leader,
            ..self.subject(evidence, chosen, by_title)
        }
    }

    /// The program that speaks for the pane, where it is one that may keep a record of what it does.
    pub fn keeper(&self, evidence: &Evidence<'_>) -> Option<Keeper> {
        let subject = self.identify(evidence);
        let (program, pid) = (subject.program?, subject.process?.pid);
        if program.agent {
            return Some(Keeper::Agent(program.id, pid));
        }
        (subject.interactive && program.family == "shells").then_some(Keeper::Shell(subject.name, pid))
    }

    fn candidate<'e>(&self, process: &'e Process) -> Candidate<'e> {
        let invocation = argv::read(&process.args, &process.comm);
        let path = process.args.first().map_or("", String::as_str);
        let found = self.find(&invocation, path);
        Candidate {
            process: Some(process),
            invocation,
            found,
        }
    }

    /// The program that an invocation names, and the name it was found by.
    fn find(&self, invocation: &Invocation, path: &str) -> Option<(&'static Program, String)> {
        let whole = invocation.script.as_deref().unwrap_or(path);
        if let Some((piece, program)) = self.by_script(&invocation.names, whole) {
            return Some((program, program.name.unwrap_or(piece).to_owned()));
        }
        invocation.names.iter().find_map(|name| {
            let program = self.by_command(name)?;
            let fits = !matches!(program.family, "shells" | "repls") || invocation.interactive;
            fits.then(|| (program, name.clone()))
        })
    }

    /// Titles are asked only where the command says nothing: a bare interpreter or a version number.
    fn by_title(&self, title: &str, invocation: &Invocation) -> Option<&'static Program> {
        let says_nothing = |name: &String| is_generic(name) || is_version(name);
        if title.is_empty() || !invocation.names.iter().all(says_nothing) {
            return None;
        }
        let lower = title.to_ascii_lowercase();
        self.programs()
            .find(|program| program.titles.iter().any(|pattern| pattern.is_match(title, &lower)))
    }

    fn subject<'e>(
        &self,
        evidence: &Evidence<'e>,
        chosen: Candidate<'e>,
        by_title: Option<&'static Program>,
    ) -> Subject<'e> {
        let word = evidence.pane.command.as_str();
        let Candidate {
            process,
            invocation,
            found,
        } = chosen;
        let (program, matched) = match (by_title, found) {
            (Some(program), _) => (Some(program), None),
            (None, Some((program, name))) => (Some(program), Some(name)),
            (None, None) => (None, None),
        };
        let plain = invocation.names.first().cloned().unwrap_or_else(|| word.to_owned());
        let name = program
            .and_then(|p| p.name)
            .map(str::to_owned)
            .or_else(|| matched.clone())
            .unwrap_or_else(|| plain.clone());
        let unclear = word.is_empty() || is_generic(word) || is_version(word) || program.is_some_and(|p| p.agent);
        let mut command = if unclear { name.clone() } else { word.to_owned() };
        if command.is_empty() {
            command = evidence.window_name.to_owned();
        }
        let args = process.map_or_else(String::new, |p| p.args.get(1..).unwrap_or_default().join(" "));
        let target = invocation
            .rest
            .iter()
            .rev()
            .find(|a| !a.starts_with(['-', '+']) && !a.is_empty())
            .cloned();
        let name = if name.is_empty() {
            evidence.window_name.to_owned()
        } else {
            name
        };
        Subject {
            program,
            name,
            command,
            args,
            target,
            leader: None,
            process,
            interactive: invocation.interactive,
            title: by_title.map(|_| evidence.pane.title.clone()),
            word: word.to_owned(),
        }
    }
}

/// A name that says only what runs the program.
fn is_generic(name: &str) -> bool {
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    matches!(
        plain,
        "node"
            | "nodejs"
            | "python"
            | "ruby"
            | "perl"
            | "deno"
            | "bun"
            | "java"
            | "sudo"
            | "npm"
            | "npx"
            | "sh"
            | "bash"
            | "MainThread"
    )
}

/// A bare version number, as some programs name their executable.
fn is_version(name: &str) -> bool {
    name.contains('.')
        && name
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
}
