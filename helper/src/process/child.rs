//! Runs one child process with a deadline and hands back what it printed.

use rustix::process::{kill_process_group, Pid, Signal};
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// What a process printed, and how it ended.
#[derive(Debug)]
pub struct Output {
    /// Standard output, raw bytes.
    pub stdout: Vec<u8>,
    /// Standard error, raw bytes.
    pub stderr: Vec<u8>,
    /// Whether it exited with 0.
    pub success: bool,
}

/// The most that is read of what a process prints. A look at a thousand full screens is some megabytes.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// Runs `command` and, while it works, `meanwhile`; `input` is written to its standard input. `None` when it took longer
/// than `patience`: then it has been killed, with its children where it leads a process group.
///
/// # Errors
/// When it cannot be started or waited for.
pub fn run<T>(
    command: &mut Command,
    input: Option<Vec<u8>>,
    patience: Duration,
    meanwhile: impl FnOnce() -> T,
) -> io::Result<Option<(Output, T)>> {
    run_with(command, input, patience, MOST_BYTES, |_| meanwhile())
}

/// The same for a program that may print without end: of each stream `most` bytes are read, and the program finds the rest
/// unwanted. `meanwhile` is told its process.
///
/// # Errors
/// As [`run`].
pub fn run_with<T>(
    command: &mut Command,
    input: Option<Vec<u8>>,
    patience: Duration,
    most: u64,
    meanwhile: impl FnOnce(u32) -> T,
) -> io::Result<Option<(Output, T)>> {
    let end = Instant::now() + patience;
    let mut child = command
        .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let pipes = start_pipes(&mut child, input, most);
    let [out, err] = match pipes {
        Ok(pipes) => pipes,
        Err(error) => {
            kill(&mut child);
            return Err(error);
        }
    };
    let aside = meanwhile(child.id());
    let left = || end.saturating_duration_since(Instant::now());
    let read = out
        .recv_timeout(left())
        .and_then(|out| Ok((out, err.recv_timeout(left())?)));
    let Ok((stdout, stderr)) = read else {
        kill(&mut child);
        return Ok(None);
    };
    let Some(success) = wait_until(&mut child, end)? else {
        return Ok(None);
    };
    let output = Output {
        stdout,
        stderr,
        success,
    };
    Ok(Some((output, aside)))
}

/// Starts `command` for itself, with `input`, which must be shorter than a pipe holds; what it prints is nobody's.
///
/// # Errors
/// When it cannot be started.
pub fn start_aside(command: &mut Command, input: &[u8]) -> io::Result<()> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(pipe) = child.stdin.take() {
        feed(pipe, input);
    }
    // Collected when it ends, if this process lives as long; without a thread it is collected then.
    let _ = thread::Builder::new().spawn(move || child.wait());
    Ok(())
}

/// Kills the process group that `pid` leads or has led: nobody else gets that number while one of its group lives. Without
/// such a group nothing happens.
pub fn kill_group(pid: u32) {
    if let Some(group) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // Gone meanwhile is as good.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Has the child fed, and what it prints read to its end. A thread cannot always be had.
fn start_pipes(child: &mut Child, input: Option<Vec<u8>>, most: u64) -> io::Result<[Receiver<Vec<u8>>; 2]> {
    let out = read_aside(child.stdout.take(), most)?;
    let err = read_aside(child.stderr.take(), most)?;
    if let Some((pipe, bytes)) = child.stdin.take().zip(input) {
        thread::Builder::new().spawn(move || feed(pipe, &bytes))?;
    }
    Ok([out, err])
}

fn read_aside(pipe: Option<impl Read + Send + 'static>, most: u64) -> io::Result<Receiver<Vec<u8>>> {
    let (send, receive) = mpsc::channel();
    // The receiver is gone only after the deadline; then nobody wants the answer.
    thread::Builder::new().spawn(move || send.send(drain(pipe, most)))?;
    Ok(receive)
}

fn feed(mut pipe: ChildStdin, bytes: &[u8]) {
    // A process that ends early closes the pipe; its exit code tells the rest.
    let _ = pipe.write_all(bytes);
}

fn drain(pipe: Option<impl Read>, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe.map(|pipe| pipe.take(most)) {
        // What came before an error is still judged; a broken answer fails to parse.
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

fn kill(child: &mut Child) {
    kill_group(child.id());
    let _ = child.kill();
    let _ = child.wait();
}

/// Waits for a child whose pipes are closed: it is about to be gone, so a short sleep between looks is enough.
fn wait_until(child: &mut Child, end: Instant) -> io::Result<Option<bool>> {
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(Some(status.success())),
            None if Instant::now() < end => thread::sleep(Duration::from_micros(200)),
            None => {
                kill(child);
                return Ok(None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;

    fn sh(script: &str, input: Option<&str>, patience: Duration) -> Option<Output> {
        let input = input.map(|text| text.as_bytes().to_vec());
        let ran = run(Command::new("sh").args(["-c", script]), input, patience, || ());
        ran.unwrap().map(|(output, ())| output)
    }

    #[test]
    fn what_a_process_prints_and_how_it_ends_is_told() {
        let output = sh("cat; echo no >&2; exit 3", Some("yes"), Duration::from_secs(10)).unwrap();
        assert_eq!(
            (output.stdout.as_slice(), output.stderr.as_slice(), output.success),
            (b"yes".as_slice(), b"no\n".as_slice(), false)
        );
    }

    #[test]
    fn children_of_one_that_leads_a_group_are_killed_with_it() {
        let mut command = Command::new("sh");
        command
            .args(["-c", "sleep 60 & echo $! >&2; sleep 60"])
            .process_group(0);
        let mut child = 0;
        let ran = run_with(&mut command, None, Duration::from_millis(300), 10, |pid| child = pid);
        assert!(ran.unwrap().is_none());
        let group = Pid::from_raw(i32::try_from(child).unwrap()).unwrap();
        let end = Instant::now() + Duration::from_secs(10);
        while rustix::process::test_kill_process_group(group).is_ok() {
            assert!(Instant::now() < end, "the group lives");
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn no_more_is_read_than_wanted() {
        let mut command = Command::new("sh");
        command.args(["-c", "exec yes"]);
        let ran = run_with(&mut command, None, Duration::from_secs(10), 1000, |_| ());
        let (output, ()) = ran.unwrap().unwrap();
        assert_eq!((output.stdout.len(), output.success), (1000, false));
    }

    #[test]
    fn one_that_hangs_with_or_without_its_output_is_not_waited_for() {
        let start = Instant::now();
        for script in ["exec sleep 60", "exec >&- 2>&-; exec sleep 60", "sleep 60 & exit 0"] {
            assert!(sh(script, None, Duration::from_millis(100)).is_none(), "{script}");
        }
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}
