//! The process table from one run of `ps`, for macOS and other systems without Linux's `/proc`.
//!
//! Never run by the tests, which need Linux. What a process sleeps in is not to be had here: terminal settings and the
//! foreground group are the evidence.

use super::lineage::Kin;
use crate::model::{Process, Terminal};
use std::collections::HashSet;
use std::process::{Command, Stdio};

/// Every process at one instant.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    tty: String,
    process: Process,
}

impl Table {
    /// Reads the table; empty when `ps` cannot be run.
    pub fn read() -> Table {
        let columns = "pid=,ppid=,pgid=,tpgid=,tty=,stat=,time=,args=";
        let output = Command::new("ps")
            .args(["-axww", "-o", columns])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        let text = output
            .map(|o| String::from_utf8_lossy(&o.stdout).into_owned())
            .unwrap_or_default();
        Table {
            rows: text.lines().filter_map(parse_row).collect(),
        }
    }

    /// The processes of a pane: those on its terminal, then descendants of its first process elsewhere.
    ///
    /// What processes sleep in is not told here, so how the terminal is set makes no difference.
    pub fn of_pane(&self, pane_pid: u32, tty: &str, _set: Option<Terminal>) -> Vec<Process> {
        let first = self.rows.iter().find(|row| row.process.pid == pane_pid);
        let short = tty.strip_prefix("/dev/").unwrap_or(tty);
        let terminal = first.map_or(short, |row| row.tty.as_str());
        let known = !terminal.is_empty() && !terminal.starts_with('?');
        let on_terminal = |row: &Row| known && row.tty == terminal;
        let mut found: Vec<Process> = Vec::new();
        let mut seen: HashSet<u32> = HashSet::from([pane_pid]);
        for row in self.rows.iter().filter(|row| on_terminal(row)) {
            seen.insert(row.process.pid);
            found.push(Process {
                on_terminal: true,
                ..row.process.clone()
            });
        }
        let mut todo: Vec<u32> = seen.iter().copied().collect();
        while let Some(parent) = todo.pop() {
            for row in self.rows.iter().filter(|row| row.process.ppid == parent) {
                if seen.insert(row.process.pid) {
                    todo.push(row.process.pid);
                    found.push(row.process.clone());
                }
            }
        }
        super::ordered(found)
    }

    /// Ids and arguments of the processes whose program is called `name`, with anything behind it. `ps` does not tell where
    /// an argument with blanks in it ends.
    pub fn arguments(&self, name: &str) -> Vec<(u32, Vec<String>)> {
        let processes = self.rows.iter().map(|row| &row.process);
        let named = processes.filter(|process| process.comm.starts_with(name));
        named.map(|process| (process.pid, process.args.clone())).collect()
    }

    /// How many processes there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether nothing could be read.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// Another process's environment cannot be read here.
pub fn environment(_pid: u32, _names: &[&str]) -> Option<Vec<Option<std::ffi::OsString>>> {
    None
}

/// When a process started, in a measure only good for telling it from a later one with the same pid.
pub fn started(pid: u32) -> Option<u64> {
    ask(pid, "lstart=").as_deref().map(mark)
}

/// What ties a process to others, while it lives.
pub(super) fn kin(pid: u32) -> Option<Kin> {
    let text = ask(pid, "ppid=,pgid=,tpgid=,stat=,tty=")?;
    let mut words = text.split_whitespace();
    let mut word = || words.next();
    let (parent, group, foreground) = (word()?.parse().ok()?, word()?.parse().ok()?, word()?.parse().ok());
    let (state, tty) = (word()?, word()?);
    let lives = !state.starts_with('Z');
    lives.then(|| Kin {
        parent,
        group,
        terminal: (!tty.starts_with('?')).then(|| mark(tty)),
        foreground: foreground.filter(|&group: &u32| group > 0),
    })
}

/// A process's arguments, split at blanks.
pub fn arguments(pid: u32) -> Vec<String> {
    let text = ask(pid, "args=").unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
}

/// Longest command line that is read; `ps -ww` cuts none.
pub const MOST_BYTES: usize = usize::MAX;

/// Another process's working directory is not told here.
pub fn directory(_pid: u32) -> Option<std::path::PathBuf> {
    None
}

/// What another process has open is not told here.
pub fn has_files(_pid: u32) -> bool {
    false
}

/// What `ps` prints of one process; `None` when there is none.
fn ask(pid: u32, columns: &str) -> Option<String> {
    let output = Command::new("ps")
        .args(["-ww", "-o", columns, "-p", &pid.to_string()])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// A number that stands for a text.
fn mark(text: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// One line of `ps`; the arguments come last and keep their blanks.
fn parse_row(line: &str) -> Option<Row> {
    let mut rest = line;
    let mut column = || {
        let trimmed = rest.trim_start();
        let (word, after) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
        rest = after;
        (!word.is_empty()).then_some(word)
    };
    let (pid, ppid, pgid, tpgid) = (
        column()?.parse().ok()?,
        column()?.parse().ok()?,
        column()?.parse().ok()?,
        column()?,
    );
    let (tty, state, time) = (column()?.to_owned(), column()?.chars().next()?, column()?);
    let args: Vec<String> = rest.split_whitespace().map(str::to_owned).collect();
    let name = args
        .first()
        .map_or("", |first| first.rsplit('/').next().unwrap_or(first));
    Some(Row {
        tty,
        process: Process {
            pid,
            ppid,
            pgid,
            tpgid: tpgid.parse().ok().filter(|&n: &u32| n > 0),
            state,
            comm: name.trim_start_matches('-').to_owned(),
            cpu_ticks: ticks(time),
            args,
            ..Process::default()
        },
    })
}

/// `[[HH:]MM:]SS.hh` in hundredths of a second.
fn ticks(time: &str) -> u64 {
    let seconds = time
        .split(':')
        .fold(0.0, |sum: f64, part| sum * 60.0 + part.parse::<f64>().unwrap_or(0.0));
    (seconds * 100.0).max(0.0) as u64
}

/// The most memory that this process has had at once: not told here.
pub fn own_peak_kib() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_ps_is_read() {
        let row = parse_row("  501   400   501   501 ttys003  S+     0:01.50 /usr/bin/python3 my script.py").unwrap();
        assert_eq!(
            (row.process.pid, row.tty.as_str(), row.process.cpu_ticks),
            (501, "ttys003", 150)
        );
        assert_eq!(row.process.comm, "python3");
    }
}
