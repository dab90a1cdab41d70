//! The command line: one subcommand a file in [`crate::cmd`], and what all of them share.
//!
//! The doc comments here and in those files are the help text.

use crate::cmd;
use crate::fault::Fault;
use crate::model::{PaneId, SessionId};
use crate::output;
use crate::text;
use crate::tmux::server::Socket;
use crate::workspace::called;
use anyhow::Result;
use clap::builder::NonEmptyStringValueParser;
use clap::{Arg, Args, CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// The number that plugin and helper must share; counted up when what one asks of the other changes.
pub const PROTOCOL: u32 = 1;

/// Knows what every tmux window is doing and which one needs you.
#[derive(Debug, Parser)]
#[command(name = "tmux-status", version, disable_help_subcommand = true, max_term_width = 100)]
pub struct Cli {
    /// Which server.
    #[command(flatten)]
    pub server: ServerArgs,
    /// Print the number that plugin and helper must share
    #[arg(long, exclusive = true)]
    pub protocol: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Names a tmux server as tmux itself does.
#[derive(Debug, Clone, Default, Args)]
pub struct ServerArgs {
    /// The server with this socket name, in tmux's own directory
    #[arg(short = 'L', value_name = "NAME", global = true, conflicts_with = "socket_path", value_parser = NonEmptyStringValueParser::new())]
    pub socket_name: Option<String>,
    /// The server at this socket; without -L and -S it is $TMUX's server, else the default one
    #[arg(short = 'S', value_name = "PATH", global = true)]
    pub socket_path: Option<PathBuf>,
}

impl ServerArgs {
    /// Whether a server was named, instead of left to the environment.
    pub fn is_named(&self) -> bool {
        self.socket_name.is_some() || self.socket_path.is_some()
    }

    /// Whether it is the server that this process was started in, as its environment says.
    fn is_here(&self) -> bool {
        self.socket() == Self::default().socket()
    }

    /// The pane of that server that this process was started in, as its environment says.
    pub fn own_pane(&self) -> Option<PaneId> {
        let pane = std::env::var("TMUX_PANE").ok()?.parse().ok();
        pane.filter(|_| self.is_here())
    }

    /// The session that this process was started in, likewise: in a popup there is no pane.
    pub fn own_session(&self) -> Option<SessionId> {
        let tmux = std::env::var("TMUX").ok().filter(|_| self.is_here())?;
        tmux.rsplit_once(',')?.1.parse().ok().map(SessionId)
    }

    /// These, or the others when these name no server.
    #[must_use]
    pub fn or(&self, others: &Self) -> Self {
        if self.is_named() { self } else { others }.clone()
    }

    /// The same arguments for the commands in hints, with a blank before them; empty when none was named.
    pub fn flag(&self) -> String {
        if let Some(path) = &self.socket_path {
            return format!(" -S {}", text::for_shell(&path.display().to_string()));
        }
        let name = self.socket_name.as_deref().map(text::for_shell);
        name.map_or_else(String::new, |name| format!(" -L {name}"))
    }

    /// The socket they name.
    pub fn socket(&self) -> Socket {
        Socket::resolve(self.socket_path.as_deref(), self.socket_name.as_deref())
    }
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Look at the server once and bring the status file up to date
    Refresh(cmd::refresh::RefreshArgs),
    /// Show what every window is doing, as a table
    Show(cmd::show::ShowArgs),
    /// Show every window, those that need you first, and go to one
    Dashboard(cmd::dashboard::DashboardArgs),
    /// Jump to the window that needs you: the most pressing one, then the longest waiting; again and again through all
    Next(cmd::next::NextArgs),
    /// Print in short how many windows need you, and who most: the text of the status line, for other bars
    Segment(cmd::segment::SegmentArgs),
    /// Say why a window has its verdict: which rule fired on which lines, and why those above did not
    Explain(cmd::explain::ExplainArgs),
    /// Stay, look once a second and whenever something happens, and end with the server: the driver
    Watch(cmd::watch::WatchArgs),
    /// Have the model that you have named word the summaries, or show what it would be sent
    Summarise(cmd::summarise::SummariseArgs),
    /// Say what the program in this pane is doing, for coding agents and scripts that know better than their screen
    Report(cmd::report::ReportArgs),
    /// Send a sample notification, and say who was told
    Notify(cmd::notify::NotifyArgs),
    /// Have coding agents report what they do: hooks in their settings
    Agents(cmd::agents::AgentsArgs),
    /// Let a program with a model in it, such as a coding agent, read and drive tmux: an MCP server on standard input and output
    #[command(version)]
    Mcp(cmd::mcp::McpArgs),
    /// Build sessions from files, and write files from sessions
    #[command(disable_help_flag = true)]
    Workspace(Words),
    /// Find what is wrong with the set-up, and say what to do about it
    Doctor(cmd::doctor::DoctorArgs),
    /// Print what a shell needs to tell of its commands: last command, exit status, duration
    Init(cmd::init::InitArgs),
    /// Print the completions for a shell
    Completions(cmd::completions::CompletionsArgs),
    /// What the plugin's script needs done in the server
    #[command(hide = true)]
    Plugin(cmd::plugin::PluginArgs),
}

/// What the command line of workspaces gets: it is one of its own, in which `-S` may mean something else than a socket.
#[derive(Debug, Args)]
pub struct Words {
    /// The words behind the subcommand, as they are
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    words: Vec<OsString>,
}

/// Runs what the words of a process ask for, the first of which is what it was called. The name to say errors under, and
/// the exit code or the error.
pub fn main(words: impl IntoIterator<Item = OsString>) -> (&'static str, Result<u8>) {
    let words: Vec<OsString> = words.into_iter().collect();
    let name = called::name_by(words.first());
    if name == called::PROGRAM {
        let words = words.get(1..).unwrap_or_default();
        return (name, cmd::workspace::run(words, name, &ServerArgs::default()));
    }
    ("tmux-status", run(&Cli::parse_from(words)))
}

/// The whole command line with that of workspaces in its place: for help and completions.
pub fn whole() -> clap::Command {
    let root = Cli::command();
    let global: Vec<Arg> = root
        .get_arguments()
        .filter(|arg| arg.is_global_set())
        .cloned()
        .collect();
    let global: Vec<Arg> = global.into_iter().map(|arg| arg.global(false)).collect();
    let workspace = |given: clap::Command| match given.get_about() {
        Some(about) => cmd::workspace::command("workspace").about(about.clone()),
        None => cmd::workspace::command("workspace"),
    };
    // Where it is one argument for all, it would be one of workspaces' as well.
    root.mut_args(|arg| arg.global(false))
        .mut_subcommands(|given| match given.get_name() {
            "workspace" => workspace(given),
            _ => with(given, &global),
        })
}

/// The command and all below it with these arguments.
fn with(command: clap::Command, args: &[Arg]) -> clap::Command {
    command.args(args).mut_subcommands(|below| with(below, args))
}

/// Runs what the command line asks for; the exit code on success, else the error to print.
///
/// # Errors
/// Those of the subcommand.
pub fn run(cli: &Cli) -> Result<u8> {
    if cli.protocol {
        output::print(format!("{PROTOCOL}\n").as_bytes())?;
        return Ok(0);
    }
    let server = &cli.server;
    match &cli.command {
        Some(Command::Refresh(args)) => cmd::refresh::run(args, server),
        Some(Command::Show(args)) => cmd::show::run(args, server),
        Some(Command::Dashboard(args)) => cmd::dashboard::run(args, server),
        Some(Command::Next(args)) => cmd::next::run(args, server),
        Some(Command::Segment(args)) => cmd::segment::run(args, server),
        Some(Command::Explain(args)) => cmd::explain::run(args, server),
        Some(Command::Watch(args)) => cmd::watch::run(args, server),
        Some(Command::Summarise(args)) => cmd::summarise::run(args, server),
        Some(Command::Report(args)) => cmd::report::run(args, server),
        Some(Command::Notify(args)) => cmd::notify::run(args, server),
        Some(Command::Agents(args)) => cmd::agents::run(args),
        Some(Command::Mcp(args)) => cmd::mcp::run(args, server),
        Some(Command::Workspace(args)) => cmd::workspace::run(&args.words, called::SUBCOMMAND, server),
        Some(Command::Doctor(args)) => cmd::doctor::run(args, server),
        Some(Command::Init(args)) => cmd::init::run(args),
        Some(Command::Completions(args)) => cmd::completions::run(args),
        Some(Command::Plugin(args)) => cmd::plugin::run(args, server),
        None => {
            output::warn(&Cli::command().render_help().to_string());
            Err(Fault {
                code: 2,
                ..Fault::new("no command given", "tmux-status show is a good start")
            }
            .into())
        }
    }
}
