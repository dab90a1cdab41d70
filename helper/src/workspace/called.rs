//! What the command line of workspaces is called: hints, warnings and errors name it as its user does.

use crate::output;
use crate::text;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Its name as a subcommand.
pub const SUBCOMMAND: &str = "tmux-status workspace";

/// A name under which this program is that subcommand.
pub const PROGRAM: &str = "tmux-workspace";

/// Its name in this process.
pub fn name() -> &'static str {
    name_by(std::env::args_os().next().as_ref())
}

/// Says something on standard error under the name that errors are said under: that of the program.
pub fn warn(line: &str) {
    let program = name().split(' ').next().unwrap_or_default();
    output::warn(&format!("{program}: {}", text::clean(line)));
}

/// Its name in a process whose first word is `word`: the path, or the name, by which that was started.
pub fn name_by(word: Option<&OsString>) -> &'static str {
    match word.and_then(|path| Path::new(path).file_name()) {
        Some(name) if name == OsStr::new(PROGRAM) => PROGRAM,
        _ => SUBCOMMAND,
    }
}
