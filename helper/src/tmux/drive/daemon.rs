//! A server that is started for a program alone.

use super::super::command::{Failure, Tmux};
use super::super::listing::nonce;
use super::{ask, refused};
use std::path::Path;

/// The option by which a server says who has started it.
const MARK: &str = "@tmux-status-mcp-started";

/// A mark that no other server has.
pub fn mark() -> String {
    nonce()
}

/// The configuration of such a server: it lives without sessions, and keeps what programs print longer than usual.
pub fn configuration(mark: &str) -> String {
    format!("set-option -s exit-empty off\nset-option -g history-limit 10000\nset-option -g {MARK} {mark}\n")
}

/// Starts it with the configuration at `config`, unless one runs; the mark of the one that runs then.
///
/// # Errors
/// See [`Failure`].
pub fn start(tmux: &Tmux, config: &Path) -> Result<String, Failure> {
    let config = config.as_os_str();
    let args = [
        "-f".as_ref(),
        config,
        "start-server".as_ref(),
        ";".as_ref(),
        "show-options".as_ref(),
        "-gqv".as_ref(),
        MARK.as_ref(),
    ];
    let answer = tmux.call(&args)?;
    if !answer.success {
        return Err(refused(tmux, answer));
    }
    Ok(String::from_utf8_lossy(&answer.stdout).trim().to_owned())
}

/// Ends the server that has that mark.
///
/// # Errors
/// See [`Failure`].
pub fn stop(tmux: &Tmux, mark: &str) -> Result<(), Failure> {
    let condition = format!("#{{==:#{{{MARK}}},{mark}}}");
    ask(tmux, &["if-shell", "-F", &condition, "kill-server"]).map(drop)
}
