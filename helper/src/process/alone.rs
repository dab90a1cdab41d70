//! Runs a program that nobody reads, for a limited time: then it ends, and what it has started with it.

use super::child::kill_group;
use rustix::process::{test_kill_process_group, Pid};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of its errors that are kept.
const KEPT: usize = 1024;

/// How often is looked whether all of it has ended.
const STEP: Duration = Duration::from_millis(20);

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    /// How, unless it had to be killed.
    pub status: Option<ExitStatus>,
    /// The beginning of what it printed on standard error.
    pub errors: String,
}

/// Runs `command` in a process group of its own until all of that group has ended, or for as long as `patience`: what is
/// left is killed. Only what leaves the group on purpose outlives it.
///
/// # Errors
/// When it cannot be started or waited for.
pub fn run(command: &mut Command, patience: Duration) -> io::Result<Ended> {
    let end = Instant::now() + patience;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let group = Pid::from_child(&child);
    let errors = Arc::new(Mutex::new(Vec::new()));
    let reader = child.stderr.take().map(|pipe| {
        let errors = Arc::clone(&errors);
        thread::spawn(move || keep_start(pipe, &errors))
    });
    let status = wait(&mut child, group, end)?;
    // Ended or killed, whoever held the pipe; one that has left the group is not waited for.
    let limit = Instant::now() + 5 * STEP;
    while reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < limit {
        thread::sleep(STEP / 10);
    }
    let errors = errors.lock().map(|errors| errors.clone()).unwrap_or_default();
    Ok(Ended {
        status,
        errors: String::from_utf8_lossy(&errors).into_owned(),
    })
}

fn wait(child: &mut Child, group: Pid, end: Instant) -> io::Result<Option<ExitStatus>> {
    let mut status = None;
    loop {
        if status.is_none() {
            status = child.try_wait()?;
        }
        // Its number is not given to another group while a member of it lives.
        if status.is_some() && test_kill_process_group(group).is_err() {
            return Ok(status);
        }
        if Instant::now() >= end {
            kill_group(child.id());
            if status.is_none() {
                child.wait()?;
            }
            return Ok(status);
        }
        thread::sleep(STEP);
    }
}

/// Reads all of `pipe`, so that nobody is held up, and keeps its beginning.
fn keep_start(mut pipe: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 4096];
    loop {
        match pipe.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return,
            Ok(length) => {
                if let (Ok(mut kept), Some(bytes)) = (kept.lock(), chunk.get(..length)) {
                    let room = KEPT.saturating_sub(kept.len());
                    kept.extend(bytes.iter().take(room));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, patience: Duration) -> Ended {
        run(Command::new("sh").args(["-c", script]), patience).unwrap()
    }

    #[test]
    fn how_it_ended_and_why_is_told() {
        let ended = sh("cat; echo yes; echo no >&2; exit 3", Duration::from_secs(10));
        assert_eq!(ended.status.and_then(|status| status.code()), Some(3));
        assert_eq!(ended.errors, "no\n");
    }

    #[test]
    fn one_that_hangs_is_killed_with_what_it_has_started() {
        let folder = tempfile::tempdir().unwrap();
        let script = |last: &str| {
            let file = folder.path().join("pid").display().to_string();
            format!("(exec sleep 600) & echo $! >'{file}'; {last}")
        };
        let (short, long) = (Duration::from_millis(500), Duration::from_secs(60));
        for (last, patience, killed) in [
            ("wait", short, true),
            ("exec sleep 600", short, true),
            ("exit 0", long, false),
        ] {
            let ended = sh(&script(last), patience);
            assert_eq!(ended.status.is_none(), killed, "{last}");
            let pid = std::fs::read_to_string(folder.path().join("pid")).unwrap();
            let end = Instant::now() + Duration::from_secs(10);
            while super::super::lives(pid.trim().parse().unwrap()) {
                assert!(Instant::now() < end, "{last}: a child lives");
                thread::sleep(STEP);
            }
        }
    }

    #[test]
    fn errors_without_end_are_cut() {
        let ended = sh("yes >&2", Duration::from_millis(300));
        assert_eq!(ended.errors.len(), KEPT);
    }
}
