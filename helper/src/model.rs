//! The plain data every layer shares: what tmux and the kernel said at one instant, and the words for an answer.
//!
//! Nothing here reads, writes or decides. Numbers keep tmux's units: cells for sizes and positions, epoch seconds for
//! times. A field that is `None` is evidence that was not taken, never a negative finding.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt;

macro_rules! tmux_id {
    ($(#[$doc:meta])* $name:ident, $sigil:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($sigil, "{}"), self.0)
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                text.strip_prefix($sigil)
                    .and_then(|n| n.parse().ok())
                    .map(Self)
                    .ok_or_else(|| format!(concat!("not a ", stringify!($name), ": {:?}"), text))
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;
            fn try_from(text: String) -> Result<Self, String> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.to_string()
            }
        }
    };
}

tmux_id!(
    /// A session's id, written `$1`; it never changes while the server lives.
    SessionId, "$"
);
tmux_id!(
    /// A window's id, written `@2`; one window may be linked into several sessions.
    WindowId, "@"
);
tmux_id!(
    /// A pane's id, written `%3`; `respawn-pane` keeps it.
    PaneId, "%"
);

/// What a window is doing: the five words of the status file, and no others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StatusKind {
    /// Something is visibly happening or has just changed.
    Active,
    /// A long-running program is in the foreground and is not changing.
    Running,
    /// It waits for its user: a prompt, a question, a password.
    Waiting,
    /// Quiescent, without a prompt.
    Idle,
    /// The pane cannot be read, or an error is what it shows.
    Error,
}

impl StatusKind {
    /// The word in the status file.
    pub fn as_str(self) -> &'static str {
        match self {
            StatusKind::Active => "active",
            StatusKind::Running => "running",
            StatusKind::Waiting => "waiting",
            StatusKind::Idle => "idle",
            StatusKind::Error => "error",
        }
    }
}

/// Why a window needs its user, most pressing first. Narrower than [`StatusKind::Waiting`]: a shell at its prompt waits
/// but needs nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Need {
    /// A dialog that blocks work until it is allowed or refused.
    Permission,
    /// Any other question: a choice, a confirmation, a password, a line of input.
    Question,
    /// An error that has not been looked at.
    Failed,
    /// An agent's turn or a long command ended and has not been looked at.
    Done,
}

impl Need {
    /// The word used in the state file and on every output.
    pub fn as_str(self) -> &'static str {
        match self {
            Need::Permission => "permission",
            Need::Question => "question",
            Need::Failed => "failed",
            Need::Done => "done",
        }
    }
}

/// How a pane's program ended, while `remain-on-exit` keeps the pane.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Hash)]
pub struct Death {
    /// Exit status, when it exited by itself (`#{pane_dead_status}`).
    pub status: Option<i32>,
    /// The signal that killed it, as tmux names or numbers it (`#{pane_dead_signal}`, tmux 3.3 and up).
    pub signal: Option<String>,
}

/// One pane as tmux lists it. Text fields are verbatim and untrusted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pane {
    /// `#{pane_id}`.
    pub id: PaneId,
    /// `#{pane_index}`.
    pub index: u32,
    /// Whether it is its window's active pane.
    pub active: bool,
    /// The process tmux started in it (`#{pane_pid}`).
    pub pid: u32,
    /// Its terminal, e.g. `/dev/pts/3` (`#{pane_tty}`). A dead pane's may already belong to another pane.
    pub tty: String,
    /// Columns, in cells.
    pub width: u32,
    /// Rows, in cells.
    pub height: u32,
    /// Cursor column from 0, in cells.
    pub cursor_x: u32,
    /// Cursor row from 0, in cells.
    pub cursor_y: u32,
    /// Whether the program shows the cursor (`#{cursor_flag}`).
    pub cursor_visible: bool,
    /// Whether the alternate screen is on (`#{alternate_on}`).
    pub alternate: bool,
    /// `copy-mode`, `view-mode`, … while a mode covers the pane; empty otherwise. Captures show what lies below it.
    pub mode: String,
    /// Set when its program has ended and the pane remains.
    pub dead: Option<Death>,
    /// `#{pane_title}`, which any program in the pane can set.
    pub title: String,
    /// `#{pane_current_command}`: tmux's word for the foreground program.
    pub command: String,
    /// `#{pane_current_path}`.
    pub path: String,
    /// `#{pane_start_command}`: empty when the pane runs the default shell.
    pub start_command: String,
    /// What a hook of its agent last reported, as the pane option holds it; empty when nothing.
    pub report: String,
}

/// One window, once, however many sessions it is linked into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// `#{window_id}`.
    pub id: WindowId,
    /// `#{window_name}`, verbatim.
    pub name: String,
    /// Epoch seconds of the last output of any of its panes (`#{window_activity}`).
    pub activity: u64,
    /// Whether an unseen bell rang in it (`#{window_bell_flag}`).
    pub bell: bool,
    /// Epoch second at which its user has parked it.
    pub parked_at: Option<u64>,
    /// Its panes in tmux's order; never empty.
    pub panes: Vec<Pane>,
}

/// A window's place in one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Which window.
    pub window: WindowId,
    /// `#{window_index}`.
    pub index: u32,
    /// Whether it is that session's current window.
    pub active: bool,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// `#{session_id}`.
    pub id: SessionId,
    /// `#{session_name}`, verbatim.
    pub name: String,
    /// How many clients are attached (`#{session_attached}`).
    pub attached: u32,
    /// Epoch seconds of the last client activity (`#{session_activity}`); `None` when unobtainable.
    pub activity: Option<u64>,
    /// Its windows in tmux's order.
    pub links: Vec<Link>,
}

/// Files that a process has open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Open {
    /// The pane's terminal, other than for output alone.
    pub terminal: bool,
    /// A socket.
    pub socket: bool,
}

/// One process, as far as it was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Process {
    /// Process id.
    pub pid: u32,
    /// Parent's process id.
    pub ppid: u32,
    /// Process group.
    pub pgid: u32,
    /// The foreground process group of its controlling terminal; `None` without one.
    pub tpgid: Option<u32>,
    /// First letter of its state: `R` running, `S` sleeping, `T` stopped, `D` in a device wait, `Z` ended.
    pub state: char,
    /// The kernel's short name (15 bytes on Linux).
    pub comm: String,
    /// Its arguments; empty when they were not read or it has none.
    pub args: Vec<String>,
    /// CPU time so far in clock ticks (1/100 s on Linux), own and not its children's.
    pub cpu_ticks: u64,
    /// Whether its controlling terminal is the pane's.
    pub on_terminal: bool,
    /// The kernel function it sleeps in (`/proc/PID/wchan`), e.g. `n_tty_read`, `wait_woken`, `do_wait`.
    pub wchan: Option<String>,
    /// The system call it is in, by number, and its first argument. Needs ptrace rights: a bonus, often absent.
    pub syscall: Option<(u64, u64)>,
    /// What it could be reading from; only taken where it sleeps in a wait that terminals and sockets share. Nothing where its
    /// first thread waits for others and none of those reads.
    pub open: Option<Open>,
}

/// How a pane's terminal is set (termios local flags).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Terminal {
    /// ICANON: the kernel collects whole lines.
    pub canonical: bool,
    /// ECHO: what is typed is shown.
    pub echo: bool,
    /// ISIG: Ctrl-C and Ctrl-Z make signals.
    pub signals: bool,
}

/// What moved in a pane since the look before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Change {
    /// Time between the two looks, in milliseconds.
    pub elapsed_ms: u64,
    /// Whether any row of the visible screen differs.
    pub screen: bool,
    /// Whether rows above the cursor's differ: output, rather than typing.
    pub above: bool,
    /// Whether the cursor moved.
    pub cursor: bool,
    /// Whether tmux saw output in the window since (its activity second moved on).
    pub output: bool,
    /// CPU ticks that the pane's foreground processes and their descendants used meanwhile.
    pub cpu_ticks: Option<u64>,
}

/// What a coding agent says of itself, in a record that it keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[serde(rename_all = "lowercase")]
pub enum AgentState {
    /// It works: asks its model, streams, runs a tool, waits to try again.
    Busy,
    /// It is at its prompt.
    Resting,
    /// It is at its prompt, and something that it started runs on.
    Background,
    /// It asks whether it may do something.
    Permission,
    /// It asks something else.
    Question,
    /// Its user opened a dialog: a picker, its settings, its help.
    Dialog,
}

/// What a hook of an agent (or any program) last reported from inside a pane.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Report {
    /// What it said it does.
    pub state: Reported,
    /// When, in epoch milliseconds.
    pub at_ms: u64,
    /// The process that it speaks for, and the kernel's start mark of it (`process::started`), where there is one.
    pub pid: u32,
    /// See `pid`.
    pub started: Option<u64>,
    /// What it adds, in its own words; untrusted, may be empty.
    pub text: String,
}

/// The states that can be reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reported {
    /// It works.
    Working,
    /// It is at its prompt.
    Waiting,
    /// It asks whether it may do something.
    Permission,
    /// It asks something else.
    Question,
    /// Its turn has ended.
    Done,
    /// Its turn has failed.
    Error,
}

impl Reported {
    /// Every state.
    pub const ALL: [Reported; 6] = [
        Reported::Working,
        Reported::Waiting,
        Reported::Permission,
        Reported::Question,
        Reported::Done,
        Reported::Error,
    ];

    /// Its word on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Reported::Working => "working",
            Reported::Waiting => "waiting",
            Reported::Permission => "permission",
            Reported::Question => "question",
            Reported::Done => "done",
            Reported::Error => "error",
        }
    }

    /// The state with that word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

/// A report whose process lives in the pane.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Told {
    /// What it said.
    pub report: Report,
    /// Whether it is so young that the screen may not have followed yet.
    pub fresh: bool,
}

/// What a shell says of the command that was typed into it last, where its user has set that up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Hash)]
pub struct LastCommand {
    /// How far it is.
    #[serde(flatten)]
    pub progress: Progress,
    /// The command as it was typed; `None` where there is none, or the shell does not keep it in its history.
    pub command: Option<String>,
}

/// How far a shell is with its last command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[serde(rename_all = "lowercase", tag = "progress")]
pub enum Progress {
    /// None was typed yet.
    Fresh,
    /// It runs.
    Running,
    /// It has ended.
    Ended {
        /// Its exit status; `None` where the shell could not tell.
        status: Option<u32>,
        /// How long it took, in milliseconds.
        took_ms: Option<u64>,
    },
}

/// Everything known about one pane at one look; what the classifier judges.
#[derive(Debug, Clone)]
pub struct Evidence<'a> {
    /// tmux's listing of the pane.
    pub pane: &'a Pane,
    /// Name of the pane's window.
    pub window_name: &'a str,
    /// Whether the window's bell rang unseen.
    pub bell: bool,
    /// The visible rows, top first, without trailing blanks. `None` when it could not be captured.
    pub screen: Option<&'a [String]>,
    /// The pane's processes: those on its terminal, then descendants of its first process elsewhere.
    pub processes: Option<&'a [Process]>,
    /// The pane's terminal.
    pub terminal: Option<Terminal>,
    /// What the coding agent in the pane says of itself; `None` where it keeps no record, or none that can be trusted.
    pub agent_state: Option<AgentState>,
    /// What was reported from inside the pane, by a process that lives there.
    pub told: Option<Told>,
    /// What the shell in the foreground says of its last command; `None` where it says nothing.
    pub last_command: Option<LastCommand>,
    /// What moved since the look before; `None` at a first look.
    pub change: Option<Change>,
    /// Epoch seconds of this look.
    pub now: u64,
}

/// The classifier's answer for one pane, with what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// What the pane is doing.
    pub kind: StatusKind,
    /// What it needs its user for, as the screen shows it (not yet: whether it was visited).
    pub need: Option<Need>,
    /// The identified program as a person names it (`claude`, `vim`); `None` when no rule file knows it.
    pub program: Option<String>,
    /// The foreground program as a person names it: tmux's word, or what an interpreter or wrapper runs.
    pub command: String,
    /// Whether the program is a coding agent.
    pub agent: bool,
    /// `family/program:rule`, e.g. `agents/claude:permission-dialog`.
    pub rule: String,
    /// One line for people, already clean: see [`crate::text::one_line`].
    pub summary: String,
    /// The facts it rests on, strongest first, each a short readable clause.
    pub evidence: Vec<String>,
    /// Whether it may change without any output (it rests on CPU, kernel or time): look again although the pane is quiet.
    pub volatile: bool,
}

/// The server that answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Server {
    /// The server's process id (`#{pid}`).
    pub pid: u32,
    /// When it started, in epoch seconds (`#{start_time}`).
    pub start_time: u64,
    /// Its socket's real path, however it was named.
    pub socket: String,
    /// Its version, e.g. `3.3a` (`#{version}`).
    pub version: String,
}

/// One reading of a whole server at one instant.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Who answered.
    pub server: Server,
    /// Sessions in tmux's order.
    pub sessions: Vec<Session>,
    /// Every window once.
    pub windows: BTreeMap<WindowId, Window>,
    /// Visible rows of the panes that were captured in this look.
    pub captures: HashMap<PaneId, Vec<String>>,
}
