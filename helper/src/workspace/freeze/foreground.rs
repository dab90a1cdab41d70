//! What was typed into a pane, and still runs there: from its first process down to the foreground of its terminal.

use super::typed::{self, Typed};
use crate::classify::argv::{self, base};
use crate::model::{PaneId, Process, Progress};
use crate::process;
use crate::shells::Records;
use std::path::PathBuf;

/// What is known of a pane's processes.
pub struct Known<'a> {
    /// Which pane.
    pub pane: PaneId,
    /// The process that tmux started in it.
    pub first: u32,
    /// Its processes.
    pub processes: &'a [Process],
    /// What shells say of their last commands.
    pub records: &'a Records,
    /// Where a shell looks for programs.
    pub path: &'a [PathBuf],
}

/// What runs in a pane.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Running {
    /// Lines, each typed to the program of the one before; the first to the pane's own.
    pub lines: Vec<String>,
    /// The process to which the first was typed.
    pub shell: Option<u32>,
    /// What cannot be told for sure, in words that follow the pane's name.
    pub doubts: Vec<String>,
}

/// How many shells may run within each other.
const MOST: usize = 8;

impl Known<'_> {
    /// What runs there. Whether the pane's first process is a shell that was started for itself is told by `of_its_own`.
    pub fn running(&self, of_its_own: bool) -> Running {
        let mut running = Running::default();
        let Some(first) = self.of(self.first) else {
            return running;
        };
        let front = self.processes.iter().find_map(|p| p.tpgid.filter(|_| p.on_terminal));
        let groups = front.map_or_else(Vec::new, |front| self.groups(front));
        if !self.is_shell(first.pid) {
            // `exec` has put another program in the shell's place.
            let exec = self.group(first.pgid, first.ppid).filter(|_| !of_its_own);
            running.lines.extend(exec.map(|typed| format!("exec {}", typed.line)));
            return running;
        }
        running.shell = Some(first.pid);
        let mut shell = first.pid;
        for group in groups {
            // What saves a session is no part of it; typed again, it would write over what it is read from.
            if self.saves(group) {
                break;
            }
            if self.said_by(shell).is_none() && self.has_copy(group, shell) {
                let why = "runs a line with parentheses or the like, of which only the shell knows the whole";
                running.doubts.push(why.to_owned());
                break;
            }
            self.add(&mut running, shell, group);
            match self.leader(group).filter(|pid| self.is_shell(*pid)) {
                Some(inner) => shell = inner,
                None => break,
            }
        }
        if front == self.of(shell).map(|shell| shell.pgid) {
            // A loop of the shell's own shows only by its record.
            running.lines.extend(self.said_by(shell));
        }
        self.note_the_rest(&mut running, front);
        running
    }

    /// Adds what was typed to `shell` and runs as `group`.
    fn add(&self, running: &mut Running, shell: u32, group: u32) {
        let Some(typed) = self.group(group, shell) else {
            running
                .doubts
                .push("runs a program whose command line cannot be read".to_owned());
            return;
        };
        if let Some(line) = self.said_by(shell) {
            running.lines.push(line);
            return;
        }
        if typed.doubtful {
            let why = format!("runs {}, which hides how it was started", typed.line);
            running.doubts.push(why);
        }
        if self.members(group).any(|p| process::has_files(p.pid)) {
            let why = format!(
                "runs {}, which reads or writes files that its line does not name",
                typed.line
            );
            running.doubts.push(why);
        }
        running.lines.push(typed.line);
    }

    /// Whether it is this very command, or another that saves or loads sessions.
    fn saves(&self, group: u32) -> bool {
        self.members(group).any(|member| {
            let arguments = self.arguments(member);
            let (name, rest) = arguments.split_first().unzip();
            let ours = matches!(
                name.map(|name| base(name)).as_deref(),
                Some("tmux-status" | "tmux-workspace")
            );
            let saves = |word: &String| matches!(word.as_str(), "freeze" | "save" | "load");
            member.pid == std::process::id() || ours && rest.is_some_and(|rest| rest.iter().any(saves))
        })
    }

    /// Whether a copy that `shell` has made of itself is in the group: one with its arguments, and with a program of its own
    /// there. A shell that was started by itself gives what it starts another group.
    fn has_copy(&self, group: u32, shell: u32) -> bool {
        let of_shell = self.of(shell).map(|shell| self.arguments(shell));
        let of_shell = of_shell.filter(|arguments| !arguments.is_empty());
        let is_copy = |p: &&Process| p.ppid == shell && of_shell == Some(self.arguments(p));
        let has_child = |p: &Process| self.members(group).any(|child| child.ppid == p.pid);
        self.members(group).filter(is_copy).any(has_child)
    }

    /// The process groups from the one below the pane's first process to the one in `front`.
    fn groups(&self, front: u32) -> Vec<u32> {
        let own = self.of(self.first).map(|first| first.pgid);
        let mut groups = Vec::new();
        let mut group = front;
        while Some(group) != own && groups.len() < MOST {
            groups.insert(0, group);
            let Some(above) = self.starter(group).and_then(|pid| self.of(pid)) else {
                break;
            };
            group = above.pgid;
        }
        groups
    }

    /// The process that has started a group: the parent of its leader, or of its oldest.
    fn starter(&self, group: u32) -> Option<u32> {
        let mut members: Vec<&Process> = self.members(group).collect();
        members.sort_by_key(|p| (p.pid != group, p.pid));
        members.first().map(|p| p.ppid)
    }

    /// The line that has made a group: its programs that `starter` has started, in their order.
    fn group(&self, group: u32, starter: u32) -> Option<Typed> {
        let mut members: Vec<&Process> = self.members(group).filter(|p| p.ppid == starter).collect();
        members.sort_by_key(|p| p.pid);
        let mut line = Typed {
            line: String::new(),
            doubtful: false,
        };
        for member in members {
            let arguments = self.arguments(member);
            let cut = arguments.iter().map(|word| word.len() + 1).sum::<usize>() >= process::MOST_BYTES;
            let directory = process::directory(member.pid).unwrap_or_default();
            let typed = typed::line(&arguments, &directory, self.path).filter(|_| !cut)?;
            if !line.line.is_empty() {
                line.line.push_str(" | ");
            }
            line.line.push_str(&typed.line);
            line.doubtful |= typed.doubtful;
        }
        (!line.line.is_empty()).then_some(line)
    }

    /// What the shell itself says was typed into it and runs, if it has kept all of it.
    fn said_by(&self, shell: u32) -> Option<String> {
        let name = base(self.arguments(self.of(shell)?).first()?);
        let last = self.records.last_command(self.pane, &name, shell)?;
        let line = last.command.filter(|_| last.progress == Progress::Running)?;
        (!Records::may_be_cut(&line)).then_some(line)
    }

    fn note_the_rest(&self, running: &mut Running, front: Option<u32>) {
        let at_work = |p: &&Process| p.on_terminal && p.ppid == running.shell.unwrap_or(0) && Some(p.pgid) != front;
        let shown = self.groups(front.unwrap_or(0));
        let others = self
            .processes
            .iter()
            .filter(at_work)
            .filter(|p| !shown.contains(&p.pgid));
        for other in others.filter(|p| p.pid == p.pgid) {
            let name = base(self.arguments(other).first().unwrap_or(&other.comm));
            let how = if other.state == 'T' {
                "stopped"
            } else {
                "in the background"
            };
            running.doubts.push(format!("also had {name} {how}"));
        }
    }

    fn of(&self, pid: u32) -> Option<&Process> {
        self.processes.iter().find(|p| p.pid == pid)
    }

    fn members(&self, group: u32) -> impl Iterator<Item = &Process> {
        self.processes.iter().filter(move |p| p.on_terminal && p.pgid == group)
    }

    fn leader(&self, group: u32) -> Option<u32> {
        self.of(group).filter(|p| p.pgid == group).map(|p| p.pid)
    }

    /// Whether it is a shell without a script, which takes lines.
    fn is_shell(&self, pid: u32) -> bool {
        let Some(found) = self.of(pid) else { return false };
        argv::is_shell(&self.arguments(found), &found.comm)
    }

    /// Its arguments; the table has those of programs in front alone.
    fn arguments(&self, of: &Process) -> Vec<String> {
        match of.args.is_empty() {
            true => process::arguments(of.pid),
            false => of.args.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHELL: u32 = 10;

    fn process(pid: u32, ppid: u32, pgid: u32, front: u32, args: &str) -> Process {
        Process {
            pid,
            ppid,
            pgid,
            tpgid: Some(front),
            state: 'S',
            comm: base(args.split(' ').next().unwrap_or_default()),
            args: args.split(' ').map(str::to_owned).collect(),
            on_terminal: true,
            ..Process::default()
        }
    }

    fn running(processes: &[Process], of_its_own: bool) -> Running {
        let known = Known {
            pane: PaneId(1),
            first: SHELL,
            processes,
            records: &Records::new(None, 1),
            path: &[],
        };
        known.running(of_its_own)
    }

    fn lines(processes: &[Process]) -> Vec<String> {
        running(processes, false).lines
    }

    #[test]
    fn a_shell_at_its_prompt_runs_nothing() {
        let shell = process(10, 5, 10, 10, "-bash");
        assert!(lines(std::slice::from_ref(&shell)).is_empty());
        let sleeper = process(20, 10, 20, 10, "sleep 9");
        let running = running(&[shell, sleeper], false);
        assert!(running.lines.is_empty());
        assert_eq!(running.doubts, ["also had sleep in the background"]);
        assert!(lines(&[]).is_empty());
    }

    #[test]
    fn a_program_and_a_pipe_are_told_without_their_children() {
        let shell = |front| process(10, 5, 10, front, "-zsh");
        assert_eq!(
            lines(&[
                shell(20),
                process(20, 10, 20, 20, "make -j2"),
                process(21, 20, 20, 20, "cc x.c")
            ]),
            ["make -j2"]
        );
        assert_eq!(
            lines(&[
                shell(20),
                process(20, 10, 20, 20, "tail -f x"),
                process(21, 10, 20, 20, "grep y")
            ]),
            ["tail -f x | grep y"]
        );
        // The first of a pipe has ended.
        assert_eq!(lines(&[shell(20), process(21, 10, 20, 20, "less")]), ["less"]);
    }

    #[test]
    fn what_runs_in_a_shell_within_a_shell_is_typed_into_it() {
        let all = [
            process(10, 5, 10, 30, "-zsh"),
            process(20, 10, 20, 30, "bash"),
            process(30, 20, 30, 30, "top"),
        ];
        assert_eq!(lines(&all), ["bash", "top"]);
        let script = [
            process(10, 5, 10, 30, "-zsh"),
            process(20, 10, 20, 30, "bash run.sh"),
            process(30, 20, 30, 30, "top"),
        ];
        assert_eq!(lines(&script), ["bash run.sh"], "nothing is typed to a script");
    }

    #[test]
    fn what_saves_a_session_is_no_part_of_it() {
        for saving in [
            "tmux-workspace freeze -o x.yaml",
            "/opt/tmux-status workspace save --all x",
        ] {
            let all = [process(10, 5, 10, 20, "-zsh"), process(20, 10, 20, 20, saving)];
            assert_eq!(running(&all, false).lines, Vec::<String>::new());
        }
        let mut wrapped = [
            process(10, 5, 10, 20, "-zsh"),
            process(20, 10, 20, 20, "make save"),
            process(21, 20, 20, 20, "any"),
        ];
        assert_eq!(lines(&wrapped), ["make save"]);
        wrapped[2].pid = std::process::id();
        assert!(lines(&wrapped).is_empty());
    }

    #[test]
    fn a_copy_that_a_shell_has_made_of_itself_is_not_typed() {
        let all = [
            process(10, 5, 10, 20, "bash --norc"),
            process(20, 10, 20, 20, "bash --norc"),
            process(21, 20, 20, 20, "sleep 600"),
        ];
        let running = running(&all, false);
        assert!(running.lines.is_empty());
        assert!(running.doubts[0].contains("only the shell knows"), "{running:?}");
    }

    #[test]
    fn a_copy_in_a_pipe_is_not_typed_and_a_shell_that_was_started_is() {
        let shell = process(10, 5, 10, 20, "bash");
        let piped = [
            shell.clone(),
            process(20, 10, 20, 20, "less"),
            process(21, 10, 20, 20, "bash"),
            process(22, 21, 20, 20, "sleep 9"),
        ];
        let told = running(&piped, false);
        assert!(told.lines.is_empty() && told.doubts.len() == 1, "{told:?}");
        let fed = [
            process(10, 5, 10, 20, "-bash"),
            process(20, 10, 20, 20, "cat lines"),
            process(21, 10, 20, 20, "bash"),
            process(22, 21, 20, 20, "sleep 9"),
        ];
        assert_eq!(lines(&fed), ["cat lines | bash"]);
        let inner = [
            process(10, 5, 10, 30, "bash"),
            process(20, 10, 20, 30, "bash"),
            process(30, 20, 30, 30, "top"),
        ];
        assert_eq!(lines(&inner), ["bash", "top"]);
    }

    #[test]
    fn a_pane_of_another_program_has_no_line_but_where_it_was_put_there() {
        let all = [process(10, 5, 10, 10, "htop -d 5")];
        assert!(running(&all, true).lines.is_empty());
        assert_eq!(lines(&all), ["exec htop -d 5"]);
    }
}
