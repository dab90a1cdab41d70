//! Printing that survives a reader who has left: `tmux-status show | head` is no error.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

/// Writes to standard output; whether somebody still reads it.
///
/// # Errors
/// When it cannot be written for another reason than that nobody reads it any more.
pub fn print(bytes: &[u8]) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(io::Error::new(
            error.kind(),
            format!("cannot write to standard output: {error}"),
        )),
    }
}

/// Writes a line to standard error; if even that fails there is nobody left to tell.
pub fn warn(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Whether standard output takes colours: a terminal, and NO_COLOR (no-color.org) unset or empty.
pub fn takes_colours() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// When output is coloured, as a user says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Colours {
    /// Where it is a terminal that shows them.
    #[default]
    Auto,
    /// Everywhere but where NO_COLOR forbids them.
    Always,
    /// Nowhere.
    Never,
}

impl Colours {
    /// Whether standard output gets them. NO_COLOR wins over everything but `never`; FORCE_COLOR does for a pipe what a
    /// terminal does by itself. Both count when they are not empty.
    pub fn are_wanted(self) -> bool {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        match self {
            Self::Never => false,
            _ if set("NO_COLOR") => false,
            Self::Always => true,
            Self::Auto => set("FORCE_COLOR") || takes_colours(),
        }
    }
}

/// How much something matters, as logs name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Level {
    /// What only who looks for a mistake wants to know.
    Debug,
    /// What happens.
    Info,
    /// What a user should know.
    Warning,
    /// What failed.
    Error,
    /// What ended everything.
    Critical,
}

/// The least that a user wants to know, where one has said it: for the whole process, as its two streams are.
static LEAST: OnceLock<Level> = OnceLock::new();

/// Sets what the user wants to know at least; only the first time counts.
pub fn set_least(level: Option<Level>) {
    if let Some(level) = level {
        let _ = LEAST.set(level);
    }
}

/// Whether the user wants to know of what matters so much; `usual` where nothing was said.
pub fn is_wanted(level: Level, usual: Level) -> bool {
    level >= LEAST.get().copied().unwrap_or(usual)
}

/// Whether who reads the output expects UTF-8, as the locale says (POSIX: the first of these that is set and not empty).
pub fn takes_unicode() -> bool {
    let set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find(|name| set(name));
    let locale = name.and_then(|name| std::env::var(name).ok()).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// How much fits on a terminal, in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Cells in a row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
}

/// The size of the terminal that standard output is; `None` when it is none (any more). A terminal that does not know its
/// size is taken for the usual one.
pub fn size() -> Option<Size> {
    let out = io::stdout();
    let size = out.is_terminal().then(|| rustix::termios::tcgetwinsize(out).ok())??;
    let or = |cells: u16, usual| if cells > 0 { usize::from(cells) } else { usual };
    Some(Size {
        columns: or(size.ws_col, 80),
        rows: or(size.ws_row, 24),
    })
}
