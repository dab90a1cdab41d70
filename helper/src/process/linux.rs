//! The process table from `/proc`: one `stat` file a process for all, three more files for the few that matter.

use super::lineage::Kin;
use crate::model::{Open, Process, Terminal};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{Dir, Mode, OFlags};
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Longest part of a file that is read; arguments beyond it do not matter for naming a program.
pub const MOST_BYTES: usize = 4096;

/// Every process at one instant.
#[derive(Debug)]
pub struct Table {
    proc: Option<OwnedFd>,
    /// Ordered by pid.
    rows: Vec<Row>,
    /// Positions in `rows` ordered by parent.
    by_parent: Vec<(u32, usize)>,
    /// Positions in `rows` of processes with a terminal, ordered by terminal.
    by_terminal: Vec<(u32, usize)>,
}

/// What `/proc/PID/stat` says.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    pid: u32,
    comm: String,
    state: char,
    ppid: u32,
    pgid: u32,
    session: u32,
    terminal: u32,
    tpgid: Option<u32>,
    cpu_ticks: u64,
    started: u64,
}

impl Table {
    /// Reads the table; empty where `/proc` cannot be read.
    pub fn read() -> Table {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let proc = rustix::fs::open("/proc", flags, Mode::empty()).ok();
        let mut rows = Vec::with_capacity(512);
        if let Some(dir) = proc.as_ref().and_then(|fd| Dir::read_from(fd).ok()) {
            let mut buffer = [0; 1024];
            let mut path = String::with_capacity(24);
            for entry in dir.flatten() {
                let Ok(name) = entry.file_name().to_str() else { continue };
                if !name.starts_with(|c: char| c.is_ascii_digit()) {
                    continue;
                }
                path.clear();
                path.push_str(name);
                path.push_str("/stat");
                let row = proc
                    .as_ref()
                    .and_then(|fd| read(fd, &path, &mut buffer))
                    .and_then(parse_stat);
                rows.extend(row);
            }
        }
        Table::of(proc, rows)
    }

    fn of(proc: Option<OwnedFd>, mut rows: Vec<Row>) -> Table {
        rows.sort_by_key(|row| row.pid);
        let mut by_parent: Vec<(u32, usize)> = rows.iter().enumerate().map(|(at, row)| (row.ppid, at)).collect();
        by_parent.sort_unstable();
        let with_terminal = rows.iter().enumerate().filter(|(_, row)| row.terminal != 0);
        let mut by_terminal: Vec<(u32, usize)> = with_terminal.map(|(at, row)| (row.terminal, at)).collect();
        by_terminal.sort_unstable();
        Table {
            proc,
            rows,
            by_parent,
            by_terminal,
        }
    }

    /// The processes of a pane: those on the terminal of its first process, then that one's descendants elsewhere.
    ///
    /// `tty` stands in for a first process that has already gone. What processes sleep in is only read where `set` says
    /// that the terminal collects and shows lines: otherwise it is a program that takes keys, or a password, whatever they
    /// sleep in.
    pub fn of_pane(&self, pane_pid: u32, tty: &str, set: Option<Terminal>) -> Vec<Process> {
        let terminal = self
            .row(pane_pid)
            .map(|row| row.terminal)
            .filter(|&t| t != 0)
            .or_else(|| terminal_number(tty));
        let mut found: Vec<&Row> = Vec::new();
        if let Some(terminal) = terminal {
            found.extend(range(&self.by_terminal, terminal).filter_map(|at| self.rows.get(at)));
        }
        let mut seen: HashSet<u32> = found.iter().map(|row| row.pid).chain([pane_pid]).collect();
        let mut todo: Vec<u32> = seen.iter().copied().collect();
        while let Some(parent) = todo.pop() {
            for row in range(&self.by_parent, parent).filter_map(|at| self.rows.get(at)) {
                if seen.insert(row.pid) {
                    found.push(row);
                    todo.push(row.pid);
                }
            }
        }
        let sleeps = set.is_none_or(|set| set.canonical && set.echo);
        super::ordered(
            found
                .into_iter()
                .map(|row| self.process(row, terminal, tty, sleeps))
                .collect(),
        )
    }

    /// How many processes there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether nothing could be read.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Ids and arguments of the processes that the kernel calls `name`, with anything behind it.
    pub fn arguments(&self, name: &str) -> Vec<(u32, Vec<String>)> {
        let mut buffer = [0; MOST_BYTES];
        let mut read = |row: &Row| {
            let text = read(self.proc.as_ref()?, &format!("{}/cmdline", row.pid), &mut buffer)?;
            let text = String::from_utf8_lossy(text);
            Some((row.pid, text.split_terminator('\0').map(str::to_owned).collect()))
        };
        let named = self.rows.iter().filter(|row| row.comm.starts_with(name));
        named.filter_map(&mut read).collect()
    }

    fn row(&self, pid: u32) -> Option<&Row> {
        self.rows
            .binary_search_by_key(&pid, |row| row.pid)
            .ok()
            .and_then(|at| self.rows.get(at))
    }

    fn process(&self, row: &Row, terminal: Option<u32>, tty: &str, sleeps: bool) -> Process {
        let on_terminal = terminal == Some(row.terminal);
        let foreground = row.tpgid == Some(row.pgid);
        // A session's leader is the shell to name, a stopped job the one that a prompt tells of; elsewhere only a
        // program with a terminal of its own (below sudo, script) can speak for the pane.
        let named = if on_terminal {
            foreground || row.pid == row.session || row.state == 'T'
        } else {
            foreground && row.pid == row.pgid
        };
        let mut buffer = [0; MOST_BYTES];
        let mut file = |name: &str| {
            let text = read(self.proc.as_ref()?, &format!("{}/{name}", row.pid), &mut buffer)?;
            Some(String::from_utf8_lossy(text).into_owned())
        };
        let args = if named {
            file("cmdline").unwrap_or_default()
        } else {
            String::new()
        };
        let waits = sleeps && on_terminal && foreground;
        let wchan = waits.then(|| file("wchan")).flatten();
        let wchan = wchan.map(|w| w.trim().to_owned()).filter(|w| !w.is_empty());
        // Where the first thread waits for the others (Go, Java), any of them may be the one that reads.
        let threads = wchan.as_deref().is_some_and(|w| w.starts_with("futex"));
        let reader = threads.then(|| self.reading_thread(row.pid)).flatten();
        let (reads, unread) = (reader.is_some(), threads && reader.is_none());
        let wchan = reader.or(wchan);
        let shared = wchan.as_deref() == Some("wait_woken");
        Process {
            pid: row.pid,
            ppid: row.ppid,
            pgid: row.pgid,
            tpgid: row.tpgid,
            state: row.state,
            comm: row.comm.clone(),
            args: args.split_terminator('\0').map(str::to_owned).collect(),
            cpu_ticks: row.cpu_ticks,
            on_terminal,
            open: match unread {
                true => Some(Open::default()),
                false => shared.then(|| self.open_files(row.pid, tty)).flatten(),
            },
            wchan,
            syscall: if waits && !reads {
                file("syscall").and_then(|line| parse_syscall(&line))
            } else {
                None
            },
        }
    }
}

/// Descriptors and threads that are looked at; servers may have thousands.
const MOST_FILES: usize = 64;

impl Table {
    /// What a thread of the process sleeps in that may be a read of its terminal.
    fn reading_thread(&self, pid: u32) -> Option<String> {
        let proc = self.proc.as_ref()?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = rustix::fs::openat(proc, format!("{pid}/task"), flags, Mode::empty()).ok()?;
        let mut buffer = [0; 128];
        let mut threads = Dir::read_from(&folder).ok()?.flatten().take(MOST_FILES);
        threads.find_map(|thread| {
            let thread = thread.file_name().to_str().ok()?.to_owned();
            let text = read(&folder, &format!("{thread}/wchan"), &mut buffer)?;
            let wchan = String::from_utf8_lossy(text).trim().to_owned();
            matches!(wchan.as_str(), "n_tty_read" | "wait_woken").then_some(wchan)
        })
    }

    /// What a process could be reading from: the links of its descriptors may be read by its own user, unlike `syscall`.
    fn open_files(&self, pid: u32, tty: &str) -> Option<Open> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = rustix::fs::openat(self.proc.as_ref()?, format!("{pid}/fd"), flags, Mode::empty()).ok()?;
        let mut open = Open::default();
        for entry in Dir::read_from(&folder).ok()?.flatten().take(MOST_FILES) {
            let name = entry.file_name();
            let Ok(link) = rustix::fs::readlinkat(&folder, name, Vec::new()) else {
                continue;
            };
            // 1 and 2 are for output; a program without input from the terminal has them there, too.
            let output = matches!(name.to_bytes(), b"1" | b"2");
            let link = link.to_bytes();
            open.terminal |= !output && (link == tty.as_bytes() || link == b"/dev/tty");
            open.socket |= link.starts_with(b"socket:");
        }
        Some(open)
    }
}

/// When a process started, in a measure only good for telling it from a later one with the same pid.
pub fn started(pid: u32) -> Option<u64> {
    living(pid).map(|row| row.started)
}

/// What ties a process to others, while it lives.
pub(super) fn kin(pid: u32) -> Option<Kin> {
    let row = living(pid)?;
    Some(Kin {
        parent: row.ppid,
        group: row.pgid,
        terminal: Some(u64::from(row.terminal)).filter(|&number| number != 0),
        foreground: row.tpgid,
    })
}

fn living(pid: u32) -> Option<Row> {
    let mut buffer = [0; 1024];
    let row = parse_stat(read(rustix::fs::CWD, &format!("/proc/{pid}/stat"), &mut buffer)?)?;
    // A zombie has ended: its pid only waits to be collected.
    (row.state != 'Z').then_some(row)
}

/// A process's arguments, as far as they are read; empty when they cannot be.
pub fn arguments(pid: u32) -> Vec<String> {
    let mut buffer = [0; MOST_BYTES];
    let line = read(rustix::fs::CWD, &format!("/proc/{pid}/cmdline"), &mut buffer).unwrap_or_default();
    let text = String::from_utf8_lossy(line);
    text.split_terminator('\0').map(str::to_owned).collect()
}

/// A process's working directory; `None` when it cannot be read.
pub fn directory(pid: u32) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/cwd")).ok()
}

/// Whether what a process reads, or writes as output or errors, is a regular file.
pub fn has_files(pid: u32) -> bool {
    let file = |descriptor| std::fs::metadata(format!("/proc/{pid}/fd/{descriptor}")).is_ok_and(|meta| meta.is_file());
    (0..=2).any(file)
}

/// Longest environment that is looked through.
const MOST_ENVIRONMENT: u64 = 256 * 1024;

/// The values that `names` had when the process started, in their order; `None` when its environment cannot be read.
pub fn environment(pid: u32, names: &[&str]) -> Option<Vec<Option<OsString>>> {
    let file = std::fs::File::open(format!("/proc/{pid}/environ")).ok()?;
    let mut bytes = Vec::new();
    file.take(MOST_ENVIRONMENT).read_to_end(&mut bytes).ok()?;
    let value = |name: &str| {
        let mut lines = bytes.split(|&b| b == 0);
        let value = lines.find_map(|line| line.strip_prefix(name.as_bytes())?.strip_prefix(b"="));
        value.map(|value| OsStr::from_bytes(value).to_owned())
    };
    Some(names.iter().map(|name| value(name)).collect())
}

/// The most memory that this process has had at once, in KiB.
pub fn own_peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn read<'b>(proc: impl AsFd, path: &str, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    let file = rustix::fs::openat(proc, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let length = rustix::io::read(&file, &mut *buffer).ok()?;
    buffer.get(..length)
}

/// One `stat` line. The name in it may hold blanks and parentheses: it ends at the last one. Read byte by byte, since this
/// is done for every process there is.
fn parse_stat(line: &[u8]) -> Option<Row> {
    let open = line.iter().position(|&b| b == b'(')?;
    let close = line.iter().rposition(|&b| b == b')')?;
    // proc(5) counts from 1, and the name is 2: the words begin with field 3.
    let mut words = line
        .get(close + 1..)?
        .split(|&b| b == b' ')
        .filter(|word| !word.is_empty());
    let mut skip = |fields: usize| words.nth(fields);
    let state = char::from(*skip(0)?.first()?);
    let ppid = number(skip(0)?)? as u32;
    let pgid = number(skip(0)?)? as u32;
    let session = number(skip(0)?)? as u32;
    // tty_nr is a signed number of which only the bits mean something.
    let terminal = number(skip(0)?)? as u32;
    let tpgid = u32::try_from(number(skip(0)?)?).ok().filter(|&n| n > 0);
    let (user, system) = (number(skip(5)?)?, number(skip(0)?)?);
    let started = number(skip(6)?)?;
    Some(Row {
        pid: number(line.get(..open)?.trim_ascii())? as u32,
        comm: String::from_utf8_lossy(line.get(open + 1..close)?).into_owned(),
        state,
        ppid,
        pgid,
        session,
        terminal,
        tpgid,
        cpu_ticks: (user as u64).saturating_add(system as u64),
        started: started as u64,
    })
}

/// A decimal number, which may be negative.
fn number(word: &[u8]) -> Option<i64> {
    let (negative, digits) = match word.split_first() {
        Some((b'-', rest)) => (true, rest),
        _ => (false, word),
    };
    let value = digits.iter().try_fold(0_i64, |value, &digit| {
        let digit = digit.is_ascii_digit().then(|| i64::from(digit - b'0'))?;
        Some(value.wrapping_mul(10).wrapping_add(digit))
    })?;
    (!digits.is_empty()).then_some(if negative { -value } else { value })
}

/// `NUMBER 0xARG …`, or `running`, or `-1 …` outside any call.
fn parse_syscall(line: &str) -> Option<(u64, u64)> {
    let mut words = line.split_ascii_whitespace();
    let number = words.next()?.parse().ok()?;
    let first = words
        .next()
        .and_then(|w| u64::from_str_radix(w.trim_start_matches("0x"), 16).ok());
    Some((number, first.unwrap_or(0)))
}

/// The number that `stat` gives a terminal.
fn terminal_number(tty: &str) -> Option<u32> {
    let device = rustix::fs::stat(tty).ok()?.st_rdev;
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    Some((minor & 0xff) | (major << 8) | ((minor & !0xff) << 12)).filter(|&number| number != 0)
}

/// The positions under `key` in an ordered index.
fn range(index: &[(u32, usize)], key: u32) -> impl Iterator<Item = usize> + '_ {
    let start = index.partition_point(|&(known, _)| known < key);
    index
        .get(start..)
        .unwrap_or_default()
        .iter()
        .take_while(move |&&(known, _)| known == key)
        .map(|&(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(pid: u32, ppid: u32, terminal: u32) -> Row {
        let line = format!("{pid} (x) S {ppid} {pid} {pid} {terminal} {pid} 0 0 0 0 0 1 2 0 0 20 0 1 0 77 0");
        parse_stat(line.as_bytes()).unwrap()
    }

    #[test]
    fn a_name_may_hold_blanks_and_parentheses() {
        let line = b"41 (a) S (b c) R 7 41 41 34819 -1 4194304 1 0 0 0 5 6 0 0 20 0 1 0 12345 0 0";
        let row = parse_stat(line).unwrap();
        assert_eq!(
            (row.pid, row.comm.as_str(), row.state, row.ppid),
            (41, "a) S (b c", 'R', 7)
        );
        assert_eq!(
            (row.terminal, row.tpgid, row.cpu_ticks, row.started),
            (34819, None, 11, 12345)
        );
        assert_eq!(parse_stat(b"garbage"), None);
        assert_eq!(parse_stat(b"1 (x) S 0"), None);
    }

    #[test]
    fn a_pane_has_its_terminal_first_and_then_its_descendants_elsewhere() {
        let rows = vec![
            row(10, 1, 5),
            row(11, 10, 5),
            row(12, 11, 0),
            row(13, 12, 6),
            row(20, 1, 6),
            row(30, 1, 0),
        ];
        let found = Table::of(None, rows).of_pane(10, "", None);
        assert_eq!(found.iter().map(|p| p.pid).collect::<Vec<_>>(), [10, 11, 12, 13]);
        assert_eq!(
            found.iter().map(|p| p.on_terminal).collect::<Vec<_>>(),
            [true, true, false, false]
        );
    }

    #[test]
    fn the_own_process_is_in_the_table_and_has_a_start() {
        let table = Table::read();
        let own = std::process::id();
        assert!(table.row(own).is_some() && !table.is_empty() && table.len() > 1);
        assert_eq!(started(own), table.row(own).map(|r| r.started));
        assert_eq!(started(u32::MAX - 1), None);
        assert!(
            table.of_pane(own, "", None).iter().any(|p| p.pid == own)
                || table.row(own).is_some_and(|r| r.terminal == 0)
        );
    }

    #[test]
    fn an_environment_is_read_by_name() {
        let found = environment(std::process::id(), &["PATH", "NO_SUCH_NAME"]).unwrap();
        assert_eq!(found, [std::env::var_os("PATH"), None]);
        assert_eq!(environment(u32::MAX - 1, &["PATH"]), None);
    }

    #[test]
    fn system_calls_are_read_where_they_may_be() {
        assert_eq!(parse_syscall("0 0x3 0x7f 0x10 0x0 0x0 0x0 0x7ffc 0x7f"), Some((0, 3)));
        assert_eq!(parse_syscall("running"), None);
        assert_eq!(parse_syscall("-1 0x7ffc 0x7f"), None);
    }
}
