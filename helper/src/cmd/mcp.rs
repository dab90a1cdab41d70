//! `mcp`: the MCP server, for a client that starts it.

use crate::cli::ServerArgs;
use crate::fault::Fault;
use crate::mcp;
use crate::mcp::startup::{self, Startup};
use anyhow::Result;
use clap::builder::NonEmptyStringValueParser;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

/// How to serve.
#[derive(Debug, Default, Args)]
pub struct McpArgs {
    /// Serve a tmux server for agents alone instead of yours: started when it is missing, and ended by its starter once no
    /// other uses it
    #[arg(long)]
    pub dedicated: bool,
    /// `-S`, as other such servers call it.
    #[arg(long = "socket", hide = true, value_name = "PATH")]
    pub at_path: Option<PathBuf>,
    /// `-L`, as other such servers call it.
    #[arg(long = "socket-name", hide = true, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub at_name: Option<String>,
    /// Retired.
    #[arg(long, hide = true, value_name = "LEVEL", num_args = 0..=1)]
    pub safety: Option<Option<String>>,
    /// Retired.
    #[arg(long, hide = true)]
    pub watch: bool,
    /// Retired.
    #[arg(long, hide = true)]
    pub confirm: bool,
    /// Retired.
    #[arg(long, hide = true)]
    pub no_confirm: bool,
}

impl McpArgs {
    /// What they and the variables, read through `variable`, come to.
    ///
    /// # Errors
    /// Those of [`startup::read`], and flags that have been removed.
    pub fn startup(&self, server: &ServerArgs, variable: impl Fn(&str) -> Option<OsString>) -> Result<Startup, Fault> {
        let retired = [
            ("--safety", self.safety.is_some(), startup::SAFETY),
            ("--watch", self.watch, startup::WATCH),
            ("--confirm", self.confirm, startup::CONFIRM),
            ("--no-confirm", self.no_confirm, startup::CONFIRM),
        ];
        if let Some((flag, _, instead)) = retired.into_iter().find(|(_, given, _)| *given) {
            return Err(Fault::new(format!("{flag} has been removed"), instead));
        }
        let flags = startup::Flags {
            socket_path: server.socket_path.clone().or_else(|| self.at_path.clone()),
            socket_name: server.socket_name.clone().or_else(|| self.at_name.clone()),
            dedicated: self.dedicated,
        };
        startup::read(&flags, variable)
    }
}

/// Runs it.
///
/// # Errors
/// Those of [`McpArgs::startup`] and [`mcp::serve`].
pub fn run(args: &McpArgs, server: &ServerArgs) -> Result<u8> {
    mcp::serve(args.startup(server, |name| std::env::var_os(name))?)?;
    Ok(0)
}
