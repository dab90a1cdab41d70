//! Runs one tmux client process with a deadline and hands back what it printed.

use super::server::Socket;
use crate::model::PaneId;
use crate::process::child;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a tmux process may take. A whole look at 500 windows takes about 50 ms; a server that needs seconds hangs.
pub const DEADLINE: Duration = Duration::from_secs(5);

/// How long a server that is about to end may take: its clients go first, then its socket, last its process. The kernel
/// takes some time to clear away hundreds of terminals.
pub const ENDING: Duration = Duration::from_secs(2);

/// Why a tmux call gave no answer.
#[derive(Debug)]
pub enum Failure {
    /// The `tmux` program is not on PATH.
    NotInstalled,
    /// Nothing listens on the socket: no server runs there.
    NoServer,
    /// The server did not answer within the deadline.
    Hangs(Duration),
    /// The server's version is older than what is needed; says so.
    TooOld(String),
    /// tmux refused, or its answer makes no sense; tmux's own words where it gave any.
    Refused(String),
    /// The program could not be run or read.
    Io(io::Error),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::NotInstalled => write!(f, "there is no tmux on PATH"),
            Failure::NoServer => write!(f, "no server runs there"),
            Failure::Hangs(limit) => write!(f, "no answer within {} s", limit.as_secs_f32()),
            Failure::TooOld(words) | Failure::Refused(words) => write!(f, "{words}"),
            Failure::Io(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Failure {}

/// What a tmux process printed, and how it ended.
#[derive(Debug)]
pub struct Answer {
    /// Standard output, raw bytes.
    pub stdout: Vec<u8>,
    /// Standard error, trimmed.
    pub stderr: String,
    /// Whether it exited with 0.
    pub success: bool,
}

/// A tmux server to talk to.
#[derive(Debug, Clone)]
pub struct Tmux {
    program: OsString,
    socket: Socket,
    flags: Vec<OsString>,
    pane: Option<PaneId>,
    deadline: Duration,
}

impl Tmux {
    /// Talks to the server at `socket` through the `tmux` on PATH (`TMUX_STATUS_TMUX` names another program).
    pub fn new(socket: Socket) -> Self {
        let program = std::env::var_os("TMUX_STATUS_TMUX")
            .filter(|p| !p.is_empty())
            .unwrap_or_else(|| "tmux".into());
        Self {
            program,
            socket,
            flags: Vec::new(),
            pane: None,
            deadline: DEADLINE,
        }
    }

    /// The same, with less patience than [`DEADLINE`].
    pub fn within(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// The same, with flags of tmux itself: `-2`, and `-f FILE` for a server that is started.
    #[must_use]
    pub fn with_flags(mut self, flags: Vec<OsString>) -> Self {
        self.flags = flags;
        self
    }

    /// The same, as if called in a pane: in its session is looked for what a command does not name in full.
    #[must_use]
    pub fn called_from(mut self, pane: PaneId) -> Self {
        self.pane = Some(pane);
        self
    }

    /// Where the server listens.
    pub fn socket(&self) -> &Socket {
        &self.socket
    }

    /// Runs tmux with `args` and returns its answer.
    ///
    /// # Errors
    /// See [`Failure`]; a non-zero exit is an answer here, not a failure.
    pub fn call<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Answer, Failure> {
        self.call_while(args, None, || ()).map(|(answer, ())| answer)
    }

    /// Runs tmux with `args` and, while it works, `meanwhile`; `input` is written to its standard input.
    ///
    /// # Errors
    /// As [`Tmux::call`].
    pub fn call_while<S: AsRef<OsStr>, T>(
        &self,
        args: &[S],
        input: Option<Vec<u8>>,
        meanwhile: impl FnOnce() -> T,
    ) -> Result<(Answer, T), Failure> {
        let mut command = self.command(args);
        let ran = child::run(&mut command, input, self.deadline, meanwhile).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Failure::NotInstalled,
            _ => Failure::Io(error),
        })?;
        let Some((output, aside)) = ran else {
            return Err(Failure::Hangs(self.deadline));
        };
        let (stdout, success) = (output.stdout, output.success);
        let stderr = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        if !success && (stdout.is_empty() && self.socket.nobody_listens() || self.ended_meanwhile(&stderr)) {
            return Err(Failure::NoServer);
        }
        Ok((
            Answer {
                stdout,
                stderr,
                success,
            },
            aside,
        ))
    }

    /// Whether the server ended while it was asked. Its socket may take connections for a while after that.
    fn ended_meanwhile(&self, stderr: &str) -> bool {
        let end = Instant::now() + ENDING;
        let lost = ["server exited", "lost server"]
            .iter()
            .any(|words| stderr.contains(words));
        while lost && Instant::now() < end {
            if self.socket.nobody_listens() {
                return true;
            }
            thread::sleep(Duration::from_millis(5));
        }
        false
    }

    /// Starts tmux with `args` and leaves it to the caller; its standard output is a pipe that closes when it ends.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start<S: AsRef<OsStr>>(&self, args: &[S]) -> io::Result<Child> {
        let mut command = self.command(args);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command.spawn()
    }

    /// Turns this process into tmux with `args`; it comes back only when that fails.
    pub fn become_client<S: AsRef<OsStr>>(&self, args: &[S]) -> io::Error {
        self.command(args).exec()
    }

    fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(&self.program);
        command
            // -u: without it tmux up to 3.3a turns every control and non-ASCII byte into `_` in a C locale.
            .arg("-u")
            .arg("-S")
            .arg(self.socket.path())
            .args(&self.flags)
            .args(args)
            // The server is named by -S alone; a TMUX of another server would only confuse target lookup.
            .env_remove("TMUX")
            .env_remove("TMUX_PANE")
            .envs(self.pane.map(|pane| ("TMUX_PANE", pane.to_string())));
        command
    }

    /// Runs tmux with `args` for their effect.
    ///
    /// # Errors
    /// As [`Tmux::call`]; a non-zero exit is [`Failure::Refused`] with tmux's words.
    pub fn effect<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Answer, Failure> {
        accept(self.call(args)?)
    }

    /// Runs `commands` if the format `condition` is true in the server at that moment.
    ///
    /// # Errors
    /// As [`Tmux::effect`].
    pub fn effect_if(&self, condition: &str, commands: &[Vec<String>]) -> Result<Answer, Failure> {
        let line = |command: &Vec<String>| command.iter().map(|w| word(w)).collect::<Vec<_>>().join(" ") + "\n";
        let script = format!(
            "%if \"{condition}\"\n{}%endif\n",
            commands.iter().map(line).collect::<String>()
        );
        let (answer, ()) = self.call_while(&["source-file", "-"], Some(script.into_bytes()), || ())?;
        accept(answer)
    }
}

fn accept(answer: Answer) -> Result<Answer, Failure> {
    if answer.success {
        return Ok(answer);
    }
    Err(Failure::Refused(if answer.stderr.is_empty() {
        "tmux failed without a word".to_owned()
    } else {
        answer.stderr
    }))
}

/// `text` as one word of a tmux configuration file, or of a command that tmux is given as one text.
pub fn word(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Several tmux commands as the arguments of one tmux process: all run in one pass of the server's queue.
pub fn sequence(commands: Vec<Vec<String>>) -> Vec<String> {
    commands
        .into_iter()
        .flat_map(|command| std::iter::once(";".to_owned()).chain(command))
        .skip(1)
        .collect()
}

/// `text` as an argument that tmux takes as data: it reads a `;` at an argument's end as the end of the command.
pub fn data(text: &str) -> String {
    match text.strip_suffix(';') {
        Some(rest) => format!("{rest}\\;"),
        None => text.to_owned(),
    }
}
