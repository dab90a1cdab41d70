//! Runs a program of the user's to its end, however long it takes, unless somebody wants to stop.

use super::child::kill_group;
use rustix::process::{kill_process_group, Pid, Signal};
use rustix::termios::{self, OptionalActions};
use std::io::{self, stdin, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How often is looked whether it has ended, or somebody wants to stop.
const STEP: Duration = Duration::from_millis(10);

/// How long what it has left running may hold its output after its end.
const REST: Duration = Duration::from_millis(200);

/// How long it may take to end when it is asked to.
const ENDING: Duration = Duration::from_secs(2);

/// One of its streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// How it ended, and what it has printed.
#[derive(Debug)]
pub struct Ran {
    /// How.
    pub status: ExitStatus,
    /// Standard output, as far as it was kept.
    pub stdout: Vec<u8>,
    /// Standard error, likewise.
    pub stderr: Vec<u8>,
    /// Whether more was printed than was kept.
    pub truncated: bool,
}

/// The exit code of a program as shells tell it: 128 and the number of the signal that has ended it.
pub fn code(status: ExitStatus) -> i32 {
    status
        .code()
        .unwrap_or_else(|| status.signal().map_or(1, |signal| signal.saturating_add(128)))
}

/// Runs `command` with the terminal that we have: it is in our process group, so that what its user presses (Ctrl-C, Ctrl-Z)
/// reaches both. The terminal is set afterwards as it was before.
///
/// # Errors
/// When it cannot be started or waited for.
pub fn on_terminal(command: &mut Command, stop: impl Fn() -> bool) -> io::Result<ExitStatus> {
    let modes = termios::tcgetattr(stdin()).ok();
    let mut child = command.spawn()?;
    let mut asked = None;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if stop() {
            let since = *asked.get_or_insert_with(Instant::now);
            super::end(child.id());
            if since.elapsed() > ENDING {
                child.kill()?;
            }
        }
        thread::sleep(STEP);
    };
    let ours = termios::tcgetpgrp(stdin()).is_ok_and(|group| group == rustix::process::getpgrp());
    if let Some(modes) = modes.filter(|_| ours) {
        let _ = termios::tcsetattr(stdin(), OptionalActions::Now, &modes);
    }
    Ok(status)
}

/// Runs `command` without input. What it prints is handed to `tell` as it comes; of each stream, `most` bytes are kept and handed
/// on, and what is more is read and dropped, so that the program does not notice.
///
/// # Errors
/// When it cannot be started or waited for.
pub fn captured(
    command: &mut Command,
    most: usize,
    stop: impl Fn() -> bool,
    mut tell: impl FnMut(Stream, &[u8]),
) -> io::Result<Ran> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // What it starts ends with it when somebody wants to stop.
        .process_group(0)
        .spawn()?;
    let (send, chunks) = mpsc::channel();
    read_aside(child.stdout.take(), Stream::Out, send.clone())?;
    read_aside(child.stderr.take(), Stream::Err, send)?;
    let mut kept = Kept {
        most,
        ..Kept::default()
    };
    let status = follow(&mut child, &chunks, &stop, |stream, bytes| {
        let new = kept.take(stream, bytes);
        if !new.is_empty() {
            tell(stream, new);
        }
    })?;
    Ok(Ran {
        status,
        stdout: kept.stdout,
        stderr: kept.stderr,
        truncated: kept.truncated,
    })
}

type Chunk = (Stream, Vec<u8>);

fn read_aside(pipe: Option<impl Read + Send + 'static>, stream: Stream, send: Sender<Chunk>) -> io::Result<()> {
    let Some(mut pipe) = pipe else { return Ok(()) };
    thread::Builder::new().spawn(move || {
        let mut bytes = vec![0; 64 * 1024];
        while let Ok(length @ 1..) = pipe.read(&mut bytes) {
            let chunk = bytes.get(..length).unwrap_or_default().to_vec();
            if send.send((stream, chunk)).is_err() {
                return;
            }
        }
    })?;
    Ok(())
}

/// Hands on what comes until the child has ended and its streams are closed, or are left open by others.
fn follow(
    child: &mut Child,
    chunks: &Receiver<Chunk>,
    stop: &impl Fn() -> bool,
    mut take: impl FnMut(Stream, &[u8]),
) -> io::Result<ExitStatus> {
    let mut ended: Option<(ExitStatus, Instant)> = None;
    let mut asked = None;
    loop {
        match chunks.recv_timeout(STEP) {
            Ok((stream, bytes)) => take(stream, &bytes),
            Err(RecvTimeoutError::Disconnected) => thread::sleep(STEP),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if ended.is_none() {
            ended = child.try_wait()?.map(|status| (status, Instant::now()));
        }
        match ended {
            Some((status, since)) if since.elapsed() > REST => return Ok(status),
            Some((status, _)) => {
                if let Err(mpsc::TryRecvError::Disconnected) = peek(chunks, &mut take) {
                    return Ok(status);
                }
            }
            None if stop() => end_group(child.id(), *asked.get_or_insert_with(Instant::now)),
            None => {}
        }
    }
}

/// Takes one chunk if there is one.
fn peek(chunks: &Receiver<Chunk>, take: &mut impl FnMut(Stream, &[u8])) -> Result<(), mpsc::TryRecvError> {
    chunks.try_recv().map(|(stream, bytes)| take(stream, &bytes))
}

fn end_group(pid: u32, since: Instant) {
    if since.elapsed() > ENDING {
        kill_group(pid);
    } else if let Some(group) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::TERM);
    }
}

/// What is kept of the streams.
#[derive(Debug, Default)]
struct Kept {
    most: usize,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    truncated: bool,
}

impl Kept {
    /// Keeps as much as there is room for; that.
    fn take<'a>(&mut self, stream: Stream, bytes: &'a [u8]) -> &'a [u8] {
        let kept = match stream {
            Stream::Out => &mut self.stdout,
            Stream::Err => &mut self.stderr,
        };
        let room = self.most.saturating_sub(kept.len());
        let new = bytes.get(..room.min(bytes.len())).unwrap_or_default();
        kept.extend_from_slice(new);
        self.truncated |= new.len() < bytes.len();
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, most: usize) -> Ran {
        captured(Command::new("sh").args(["-c", script]), most, || false, |_, _| ()).unwrap()
    }

    #[test]
    fn what_it_prints_and_how_it_ends_is_told() {
        let ran = sh("cat; echo out; echo err >&2; exit 3", 100);
        assert_eq!(
            (ran.stdout.as_slice(), ran.stderr.as_slice()),
            (&b"out\n"[..], &b"err\n"[..])
        );
        assert_eq!((code(ran.status), ran.truncated), (3, false));
        assert_eq!(code(sh("kill -9 $$", 1).status), 137);
    }

    #[test]
    fn one_that_prints_too_much_goes_on_to_its_end() {
        let ran = sh("head -c 300000 /dev/zero; echo done >&2", 1000);
        assert_eq!((ran.stdout.len(), ran.truncated, code(ran.status)), (1000, true, 0));
        assert_eq!(ran.stderr, b"done\n");
    }

    #[test]
    fn what_it_leaves_running_is_not_waited_for() {
        let ran = sh("sleep 600 & echo $!", 100);
        let pid: u32 = String::from_utf8(ran.stdout).unwrap().trim().parse().unwrap();
        assert!(super::super::lives(pid));
        super::super::end(pid);
    }

    #[test]
    fn it_ends_with_what_it_has_started_when_somebody_wants_to_stop() {
        let ran = captured(
            Command::new("sh").args(["-c", "sleep 600 & sleep 600"]),
            100,
            || true,
            |_, _| (),
        );
        assert_eq!(code(ran.unwrap().status), 143);
    }
}
