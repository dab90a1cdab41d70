//! Claude Code's session record: `sessions/PID.json` in its configuration folder, rewritten whenever its state changes.
//!
//! Its age says nothing: an agent that works for an hour writes it once. What counts is that the process lives and is the
//! one that wrote it. It says nothing of API errors.

use crate::model::AgentState;
use crate::process;
use rustix::fs::{FileType, Mode, OFlags};
use serde::Deserialize;
use serde_json::Value;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A record is about one kilobyte.
const MOST_BYTES: u64 = 64 * 1024;

/// What matters of a record.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    pid: u32,
    /// Field 22 of `/proc/PID/stat` on Linux, as text.
    proc_start: Option<Value>,
    /// Absent in the first moment after the start.
    status: Option<String>,
    waiting_for: Option<String>,
}

/// What the Claude Code process `pid` says it does.
pub fn state(pid: u32) -> Option<AgentState> {
    let started = process::started(pid)?;
    let variables = process::environment(pid, &["CLAUDE_CONFIG_DIR", "HOME"]);
    read(&folder(variables)?, pid, started)
}

/// Its configuration folder. Where its own environment cannot be seen, ours is most likely the same.
fn folder(seen: Option<Vec<Option<OsString>>>) -> Option<PathBuf> {
    let own = || vec![std::env::var_os("CLAUDE_CONFIG_DIR"), std::env::var_os("HOME")];
    let mut variables = seen.unwrap_or_else(own).into_iter();
    let filled = |value: Option<OsString>| value.filter(|value| !value.is_empty()).map(PathBuf::from);
    let (named, home) = (filled(variables.next()?), filled(variables.next()?));
    named
        .or_else(|| home.map(|home| home.join(".claude")))
        .filter(|folder| folder.is_absolute())
}

/// The record of `pid` below `folder`, if the process that `started` then wrote it.
fn read(folder: &Path, pid: u32, started: u64) -> Option<AgentState> {
    let path = folder.join("sessions").join(format!("{pid}.json"));
    // A pipe in its place must not make a look wait.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::empty()).ok()?;
    let stat = rustix::fs::fstat(&file).ok()?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return None;
    }
    let mut bytes = Vec::new();
    let length = std::fs::File::from(file)
        .take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .ok()?;
    if length as u64 > MOST_BYTES {
        return None;
    }
    let record: Record = serde_json::from_slice(&bytes).ok()?;
    let same_start = match &record.proc_start {
        Some(Value::String(start)) => start.parse() == Ok(started),
        Some(Value::Number(start)) => start.as_u64() == Some(started),
        _ => false,
    };
    // Elsewhere the mark is another measure of time than ours; there the pid has to do.
    if record.pid != pid || (cfg!(target_os = "linux") && !same_start) {
        return None;
    }
    match (record.status?.as_str(), record.waiting_for.as_deref()) {
        ("busy", _) => Some(AgentState::Busy),
        ("idle", _) => Some(AgentState::Resting),
        ("shell", _) => Some(AgentState::Background),
        ("waiting", Some("permission prompt")) => Some(AgentState::Permission),
        ("waiting", Some("input needed")) => Some(AgentState::Question),
        ("waiting", _) => Some(AgentState::Dialog),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    fn home(record: &str) -> TempDir {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("sessions")).unwrap();
        fs::write(home.path().join("sessions/7.json"), record).unwrap();
        home
    }

    fn said(record: &str) -> Option<AgentState> {
        read(home(record).path(), 7, 4711)
    }

    #[test]
    fn each_state_is_read() {
        for (status, waiting, state) in [
            ("busy", "", Some(AgentState::Busy)),
            ("idle", "", Some(AgentState::Resting)),
            ("shell", "", Some(AgentState::Background)),
            (
                "waiting",
                r#", "waitingFor": "permission prompt""#,
                Some(AgentState::Permission),
            ),
            (
                "waiting",
                r#", "waitingFor": "input needed""#,
                Some(AgentState::Question),
            ),
            ("waiting", r#", "waitingFor": "dialog open""#, Some(AgentState::Dialog)),
            (
                "waiting",
                r#", "waitingFor": "something new""#,
                Some(AgentState::Dialog),
            ),
            ("something new", "", None),
        ] {
            let record = format!(r#"{{"pid": 7, "procStart": "4711", "other": [1], "status": "{status}"{waiting}}}"#);
            assert_eq!(said(&record), state, "{record}");
        }
        assert_eq!(
            said(r#"{"pid": 7, "procStart": 4711, "status": "busy"}"#),
            Some(AgentState::Busy)
        );
        assert_eq!(said(r#"{"pid": 7, "procStart": "4711"}"#), None, "the first moment");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_record_of_an_earlier_process_with_the_same_pid_says_nothing() {
        assert_eq!(said(r#"{"pid": 7, "procStart": "4710", "status": "busy"}"#), None);
        assert_eq!(said(r#"{"pid": 7, "status": "busy"}"#), None);
    }

    #[test]
    fn a_file_that_is_no_record_says_nothing() {
        for wrong in [
            "",
            "null",
            "[]",
            "{",
            r#"{"pid": 8, "procStart": "4711", "status": "busy"}"#,
            r#"{"pid": "7"}"#,
        ] {
            assert_eq!(said(wrong), None, "{wrong}");
        }
        let long = format!(
            r#"{{"pid": 7, "procStart": "4711", "status": "busy", "x": "{}"}}"#,
            "y".repeat(70_000)
        );
        assert_eq!(said(&long), None, "too long");
        let home = home("");
        fs::remove_file(home.path().join("sessions/7.json")).unwrap();
        assert_eq!(read(home.path(), 7, 4711), None, "missing");
        fs::create_dir(home.path().join("sessions/7.json")).unwrap();
        assert_eq!(read(home.path(), 7, 4711), None, "a folder");
    }

    #[test]
    fn the_folder_is_the_processes_own() {
        let var = |text: &str| (!text.is_empty()).then(|| OsString::from(text));
        let of = |named: &str, home: &str| folder(Some(vec![var(named), var(home)]));
        assert_eq!(of("/etc/claude", "/home/dev"), Some("/etc/claude".into()));
        assert_eq!(of("", "/home/dev"), Some("/home/dev/.claude".into()));
        assert_eq!(of("", ""), None);
        assert_eq!(of("relative", "/home/dev"), None);
    }
}
