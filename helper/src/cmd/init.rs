//! `init`: the script by which a shell tells of the commands typed into it.

use crate::output;
use crate::shells;
use anyhow::Result;
use clap::{Args, ValueEnum};

/// Which shell.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// The shell
    pub shell: Shell,
}

/// Shells that can be asked to tell.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Shell {
    /// In ~/.bashrc, last: eval "$(tmux-status init bash)"
    Bash,
    /// In ~/.zshrc: eval "$(tmux-status init zsh)"
    Zsh,
    /// In ~/.config/fish/config.fish: tmux-status init fish | source
    Fish,
}

/// Runs it.
///
/// # Errors
/// When standard output cannot be written.
pub fn run(args: &InitArgs) -> Result<u8> {
    let script = match args.shell {
        Shell::Bash => shells::BASH,
        Shell::Zsh => shells::ZSH,
        Shell::Fish => shells::FISH,
    };
    output::print(script.as_bytes())?;
    Ok(0)
}
