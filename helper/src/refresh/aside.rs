//! Processes of this program that a refresh starts and forgets: the driver, one that asks a model, one that tells users.

use crate::process::child;
use crate::tmux::command::Tmux;
use std::io;
use std::path::PathBuf;
use std::process::Command;

/// Starts this program with `args` for the server at `tmux`, and with `input`, which must be shorter than a pipe holds.
/// `helper` is the one that hooks run, empty where there are none: the file of this program may be another one by now.
///
/// # Errors
/// When it cannot be started.
pub fn start(tmux: &Tmux, helper: &str, args: &[&str], input: &[u8]) -> io::Result<()> {
    let program = match helper {
        // Behind a link of another name, which asks for something else.
        "" => std::env::current_exe()?.canonicalize()?,
        helper => PathBuf::from(helper),
    };
    let mut command = Command::new(program);
    command
        // Whatever folder this was started in may be unmounted one day.
        .current_dir("/")
        .arg("-S")
        .arg(tmux.socket().path())
        .args(args)
        // A pane's variables are none of its own.
        .env_remove("TMUX")
        .env_remove("TMUX_PANE");
    child::start_aside(&mut command, input)
}
