//! The user's own file of settings for a model, beside what their tmux options say.

use super::{paths, read};
use crate::summary::ai::config::{Config, FILE};
use std::io::ErrorKind;

/// How a model is asked, as the option `command` and `ai.toml` say; `None` when none is wanted.
///
/// # Errors
/// What is wrong, and where.
pub fn model(command: &str) -> Result<Option<Config>, String> {
    if Config::is_off(command) {
        return Ok(None);
    }
    let path = paths::config().unwrap_or_default().join(FILE);
    let text = match read::bytes(&path) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| format!("{}: it is not UTF-8", path.display()))?,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
    };
    Config::of(command, &path, &text)
}
