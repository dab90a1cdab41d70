//! What is bounded, and by how much. Bytes are those of UTF-8.

use std::time::Duration;

/// The longest id of a request, as it stands in the line.
pub const REQUEST_ID_BYTES: usize = 524_288;

/// The longest line of a request.
pub const LINE_BYTES: usize = 16 * 1024 * 1024;

/// Requests that may be under way at once.
pub const IN_FLIGHT: usize = 1024;

/// Threads that ask tmux at once.
pub const THREADS: usize = 16;

/// How long requests may go on when the client will send nothing more.
pub const GRACE: Duration = Duration::from_secs(2);

/// The longest line of a reply to a batch, with its id and its newline.
pub const BATCH_LINE_BYTES: usize = 1_000_000;

/// Calls in a batch.
pub const BATCH_CALLS: usize = 16;

/// The most text of a pane in a reply; the newest is kept.
pub const PANE_TEXT_BYTES: usize = 256 * 1024;

/// The longest pattern.
pub const PATTERN_BYTES: usize = 4096;

/// What a search reads.
pub const SEARCH_PANES: usize = 64;
/// See [`SEARCH_PANES`].
pub const SEARCH_LINES: usize = 8192;
/// See [`SEARCH_PANES`].
pub const SEARCH_BYTES: usize = 1024 * 1024;
/// How long a search may compare.
pub const SEARCH_TIME: Duration = Duration::from_millis(250);
/// The most matches that a search tells.
pub const SEARCH_MATCHES: usize = 1000;

/// Variables that are asked for at once.
pub const VARIABLES: usize = 32;

/// How long a wait takes when nothing is said.
pub const WAIT_SECONDS: u64 = 30;
/// How long a wait may take; more is taken for this much.
pub const MOST_WAIT_SECONDS: u64 = 600;

/// The longest name, title or channel. tmux takes 16 KiB for a whole command, and each byte may be doubled.
pub const OPERAND_BYTES: usize = 4096;

/// The most text that is typed at once; longer text is pasted. A tmux command takes 16 KiB.
pub const TYPED_BYTES: usize = 8192;
/// Keys that are pressed at once.
pub const KEYS: usize = 64;
/// The most text that is pasted at once.
pub const PASTED_BYTES: usize = 1024 * 1024;
/// Rows of a batch of keys.
pub const BATCH_KEYS: usize = 64;
/// The longest command that is run.
pub const COMMAND_BYTES: usize = 256 * 1024;
/// Patterns that are waited for, and as many that end a wait.
pub const PATTERNS: usize = 32;
/// What is kept of a pane's output that is followed; the newest is kept.
pub const TAP_BYTES: usize = 256 * 1024;
/// Panes that are followed between calls.
pub const TAILS: usize = 8;
/// How long a pane is followed for one who does not come back. Its user may want its pipe.
pub const TAIL_TIME: Duration = Duration::from_secs(600);
