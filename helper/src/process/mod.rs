//! What the kernel knows of a pane: its processes, and how its terminal is set.
//!
//! One pass reads the whole process table cheaply; arguments and what a process sleeps in are read only for the few that
//! a verdict may rest on. What may not be read (other users' processes, processes that ended meanwhile) is just absent.
//! Nothing here decides what a process is: that is `classify`.

pub mod alone;
pub mod child;
pub mod lineage;
#[cfg(target_os = "linux")]
pub mod locks;
/// Who holds a lock: only Linux tells.
#[cfg(not(target_os = "linux"))]
pub mod locks {
    /// Whether the system tells.
    pub const TELLS: bool = false;

    /// Nobody knows.
    pub fn holder(_path: &std::path::Path) -> Option<u32> {
        None
    }
}
pub mod script;
pub mod tty;

#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod platform;
#[cfg(not(target_os = "linux"))]
#[path = "macos.rs"]
mod platform;

pub use platform::{arguments, directory, environment, has_files, own_peak_kib, started, Table, MOST_BYTES};

use crate::model::{Process, Terminal};
use rustix::fs::{Access, Mode, OFlags};
use rustix::termios::{tcgetattr, LocalModes};
use std::path::Path;
use std::time::Duration;

/// How the terminal at `tty` (`/dev/pts/3`) is set; `None` when it cannot be asked.
pub fn terminal(tty: &str) -> Option<Terminal> {
    // Never becomes our controlling terminal, never blocks on a line that hangs.
    let flags = OFlags::RDONLY | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let modes = tcgetattr(rustix::fs::open(tty, flags, Mode::empty()).ok()?)
        .ok()?
        .local_modes;
    Some(Terminal {
        canonical: modes.contains(LocalModes::ICANON),
        echo: modes.contains(LocalModes::ECHO),
        signals: modes.contains(LocalModes::ISIG),
    })
}

/// Whether a process has this id; one of another user counts.
pub fn lives(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    pid.is_some_and(|pid| rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

/// Asks a process to end. One that has is as good.
pub fn end(pid: u32) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
    }
}

/// CPU ticks that a pane's foreground group and what runs elsewhere below it have used so far; `None` without any.
pub fn cpu_ticks(processes: &[Process]) -> Option<u64> {
    let counted = |p: &&Process| !p.on_terminal || p.tpgid == Some(p.pgid);
    processes
        .iter()
        .filter(counted)
        .map(|p| p.cpu_ticks)
        .reduce(|sum, ticks| sum.saturating_add(ticks))
}

/// Whether the file at `path` may be run by us.
pub fn may_run(path: &Path) -> bool {
    rustix::fs::access(path, Access::EXEC_OK).is_ok()
}

/// CPU time that this process itself has used so far.
pub fn own_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let part = |number: i64| u64::try_from(number).unwrap_or(0);
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}

/// Orders a pane's processes for judging: those on its terminal by age of pid, then its descendants elsewhere.
fn ordered(mut processes: Vec<Process>) -> Vec<Process> {
    processes.sort_by_key(|p| (!p.on_terminal, p.pid));
    processes
}
