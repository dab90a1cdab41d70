//! `plugin`: what `tmux-status.tmux` needs done in the server; not meant to be typed.

use crate::cli::ServerArgs;
use crate::fault::Fault;
use crate::refresh;
use crate::tmux::command::{data, sequence, Tmux};
use crate::tmux::{hook, key, option};
use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use std::io::Read;
use std::path::PathBuf;

/// What to do with the plugin.
#[derive(Debug, Args)]
pub struct PluginArgs {
    #[command(subcommand)]
    command: PluginCommand,
}

#[derive(Debug, Subcommand)]
enum PluginCommand {
    /// Set the hooks and the keys, in one tmux call; standard input says what the server has now
    Load {
        /// The helper that the hooks shall run
        #[arg(long, value_name = "PATH")]
        bin: PathBuf,
    },
}

/// Runs it.
///
/// # Errors
/// When the helper's path is not usable, or tmux refuses.
pub fn run(args: &PluginArgs, server: &ServerArgs) -> Result<u8> {
    let PluginCommand::Load { bin } = &args.command;
    let bin = std::path::absolute(bin)?;
    let bin = bin
        .to_str()
        .filter(|path| !path.contains(['\n', '\t']))
        .ok_or_else(|| {
            Fault::new(
                format!(
                    "the helper's path {} cannot be given to tmux: it is not UTF-8, or holds a newline or a tab",
                    bin.display()
                ),
                "move the plugin to a plainer folder",
            )
        })?;
    let mut told = String::new();
    std::io::stdin()
        .read_to_string(&mut told)
        .context("cannot read what tmux printed")?;
    let tmux = Tmux::new(server.socket());
    tmux.effect(&sequence(load(bin, &told)))
        .map_err(|failure| refresh::refusal(&tmux, &failure))?;
    Ok(0)
}

/// The tmux commands that load the plugin, given what the script read: `OPTION VALUE` lines and `list-keys -T prefix`.
fn load(bin: &str, told: &str) -> Vec<Vec<String>> {
    let bound = key::parse(told);
    let mut commands = vec![["set-option", "-g", option::RESOLVED_BIN, &data(bin)]
        .map(str::to_owned)
        .to_vec()];
    commands.extend(hook::install());
    commands.push(hook::refresh_loaded());
    // Last, since a key that tmux does not know ends the sequence.
    commands.extend(key::install(|name| told_option(told, name), &bound));
    commands
}

fn told_option<'a>(told: &'a str, name: &str) -> &'a str {
    told.lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_come_from_the_options_and_come_last() {
        let commands = load(
            "/x/tmux-status",
            "@tmux-status-key R\nbind-key -T prefix R refresh-client\n",
        );
        assert_eq!(commands[0][3], "/x/tmux-status");
        let last: Vec<&str> = commands.iter().rev().take(3).map(|c| c[4].as_str()).collect();
        assert_eq!(last, ["N", "A", "R"]);
        let all = "bind-key -T prefix M-r mine\nbind-key -T prefix A mine\nbind-key -T prefix N mine\n";
        let keyless = load("/x/tmux-status", &format!("@tmux-status-key \n{all}"));
        assert!(keyless.iter().all(|c| c[0] != "bind-key" && c[0] != "unbind-key"));
    }

    #[test]
    fn all_of_it_fits_in_one_tmux_command() {
        let bytes: usize = sequence(load(&"/x".repeat(500), "")).iter().map(|a| a.len() + 1).sum();
        assert!(bytes < 12_000, "{bytes}");
    }
}
