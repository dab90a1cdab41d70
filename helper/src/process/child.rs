//! Runs one child process with a deadline and hands back what it printed.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
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

/// Runs `command` and, while it works, `meanwhile`; `input` is written to its standard input. `None` when it took longer
/// than `patience`: then it has been killed.
///
/// # Errors
/// When it cannot be started or waited for.
pub fn run<T>(
    command: &mut Command,
    input: Option<Vec<u8>>,
    patience: Duration,
    meanwhile: impl FnOnce() -> T,
) -> io::Result<Option<(Output, T)>> {
    let end = Instant::now() + patience;
    let mut child = command
        .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let feeder = child
        .stdin
        .take()
        .zip(input)
        .map(|(pipe, bytes)| thread::spawn(move || feed(pipe, &bytes)));
    let (send, receive) = mpsc::channel();
    let out = child.stdout.take();
    let err = child.stderr.take();
    thread::spawn(move || {
        let stderr = thread::spawn(move || drain(err));
        let stdout = drain(out);
        let stderr = stderr.join().unwrap_or_default();
        // The receiver is gone only after the deadline; then nobody wants the answer.
        let _ = send.send((stdout, stderr));
    });
    let aside = meanwhile();
    let Ok((stdout, stderr)) = receive.recv_timeout(end.saturating_duration_since(Instant::now())) else {
        kill(&mut child);
        return Ok(None);
    };
    let Some(success) = wait_until(&mut child, end)? else {
        return Ok(None);
    };
    if let Some(feeder) = feeder {
        let _ = feeder.join();
    }
    let output = Output {
        stdout,
        stderr,
        success,
    };
    Ok(Some((output, aside)))
}

/// Starts `command` without input or output, for itself.
pub fn start_silently(command: &mut Command) {
    // One that cannot be started leaves nothing to clean up; one that was is nobody's to wait for.
    let _ = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
}

/// Starts `command` for itself, with `input`, which must be shorter than a pipe holds; what it prints is nobody's.
///
/// # Errors
/// When it cannot be started.
pub fn start_with_input(command: &mut Command, input: &[u8]) -> io::Result<()> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(pipe) = child.stdin.take() {
        feed(pipe, input);
    }
    // Collected when it ends, if this process lives as long.
    thread::spawn(move || child.wait());
    Ok(())
}

fn feed(mut pipe: ChildStdin, bytes: &[u8]) {
    // A process that ends early closes the pipe; its exit code tells the rest.
    let _ = pipe.write_all(bytes);
}

fn drain(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // What came before an error is still judged; a broken answer fails to parse.
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

fn kill(child: &mut Child) {
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
    fn one_that_hangs_with_or_without_its_output_is_not_waited_for() {
        let start = Instant::now();
        for script in ["exec sleep 60", "exec >&- 2>&-; exec sleep 60", "sleep 60 & exit 0"] {
            assert!(sh(script, None, Duration::from_millis(100)).is_none(), "{script}");
        }
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}
