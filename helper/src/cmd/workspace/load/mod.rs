//! `workspace load`: sessions from files.

mod check;
mod dry;
mod follow;
mod inputs;
mod log;
mod progress;
mod record;
mod saved;
mod way;

use super::{server, surroundings, Reader};
use crate::cli::ServerArgs;
use crate::model::SessionId;
use crate::output;
use crate::text;
use crate::tmux::client;
use crate::tmux::command::Tmux;
use crate::workspace::load::stop::Stop;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::size;
use crate::workspace::spec::Session;
use anyhow::{Context, Result};
use clap::builder::NonEmptyStringValueParser;
use clap::Args;
use follow::Followers;
use inputs::Loading;
use saved::Expanded;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use way::Way;

/// How long a tmux process that builds may take: it may start a server or make many windows, and a machine may be busy. Questions
/// are answered sooner.
const PATIENCE: Duration = Duration::from_secs(30);

/// Which files, and where to.
#[derive(Debug, Args)]
pub struct LoadArgs {
    /// A file, a directory written as a path, or the name of a file in the workspace directory; a folder of saved sessions
    /// stands for all of them
    #[arg(value_name = "WORKSPACE", required = true)]
    inputs: Vec<String>,
    /// Do not attach, and do not switch to what was loaded
    #[arg(short = 'd', long)]
    detached: bool,
    /// Put the windows into the session that this is run in
    #[arg(short = 'a', long)]
    append: bool,
    /// Name the session of the last file so
    #[arg(short = 's', long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    session_name: Option<String>,
    /// Ask nothing
    #[arg(short = 'y', long)]
    yes: bool,
    /// The configuration of a tmux server that is started for it
    #[arg(short = 'f', long = "tmux-config", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Have tmux take the terminal for one of 256 colours
    #[arg(short = '2')]
    colours: bool,
    /// Say what would be built, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Warn of keys that are not known, instead of refusing them
    #[arg(long)]
    lenient: bool,
    /// Append what happens to this file, a JSON record a line
    #[arg(long, value_name = "FILE")]
    log_file: Option<PathBuf>,
    /// What the line of progress says: default, minimal, window, pane, verbose, or text with tokens, such as
    /// “{session} {window_progress}” [env: TMUXP_PROGRESS_FORMAT]
    #[arg(long, value_name = "FORMAT")]
    progress_format: Option<String>,
    /// How many lines of what was done stand below it; -1: as many as fit [env: TMUXP_PROGRESS_LINES]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-1..))]
    progress_lines: Option<i32>,
    /// Show no progress [env: TMUXP_PROGRESS=0]
    #[arg(long)]
    no_progress: bool,
}

/// A document that was read.
#[derive(Debug)]
pub struct Input {
    /// As it was written.
    pub name: String,
    /// What it means.
    pub session: Session,
}

/// Runs it.
///
/// # Errors
/// When nothing was begun. What fails later is told, and the exit code says so.
pub fn run(args: &LoadArgs, server: &ServerArgs, reader: Reader) -> Result<u8> {
    let env = surroundings(reader);
    let server = server::choose(server, &env)?;
    let config = args.config.as_ref().map(|file| env.path(file.as_os_str()));
    config.as_deref().map_or(Ok(()), check_config)?;
    let way = way::choose(args, &server, reader, &env)?;
    let size = size::choose(output::size(), |name| env.text(name).map(str::to_owned))?;
    let mut followers = Followers::new(args, reader, &env)?;
    let tmux = Tmux::new(server.socket()).with_flags(flags(args.colours, config.as_deref()));
    if args.detached && args.append {
        let what = "-d goes before -a: the windows go into a session of their own";
        followers.warn("append_passed_over", what.to_owned());
    }
    let mut warn = |code, message| followers.warn(code, message);
    let expanded = match saved::expand(args, &env, &tmux, &mut warn) {
        Ok(expanded) => expanded,
        Err(refusal) => return followers.refuse(&refusal, None),
    };
    let mut inputs = match inputs::read(args, &expanded.inputs, &env) {
        Ok(inputs) => inputs,
        Err((refusal, index)) => return followers.refuse(&refusal, Some(index)),
    };
    if args.dry_run {
        if let Err((refusal, index)) = check::dry(&mut inputs) {
            return followers.refuse(&refusal, Some(index));
        }
        followers.foretell(&inputs);
        dry::print(&inputs, &expanded.shares, followers.warnings(), reader)?;
        return Ok(expanded.code());
    }
    let stop = Stop::listen().context("cannot listen for signals")?;
    let mut loading = Loading {
        tmux: &tmux,
        stop: &stop,
        server: &server,
        size,
        way,
        terminal: !reader.is_program(),
        config,
        shares: &expanded.shares,
        made: Vec::new(),
        left_out: 0,
    };
    followers.start(&inputs);
    let last = loading.all(&inputs, &mut followers);
    let last = match followers.have_seen_failure() {
        true => None,
        false => settle(&expanded, &loading, &mut followers).or(last),
    };
    let left_out = u8::from(loading.left_out > 0);
    let code = followers.finish()?;
    let went = match last {
        Some(session) if code == 0 => go(loading.way, &tmux, &server, session)?,
        _ => code,
    };
    // What was loaded is shown all the same: it is what there is.
    Ok(went.max(expanded.code()).max(left_out))
}

fn flags(colours: bool, config: Option<&Path>) -> Vec<OsString> {
    let config = config.into_iter().flat_map(|file| ["-f".into(), file.into()]);
    colours.then(|| "-2".into()).into_iter().chain(config).collect()
}

/// Refuses a configuration that cannot be read; tmux would go without.
fn check_config(file: &Path) -> Result<(), Refusal> {
    let is_folder = || std::io::Error::from(std::io::ErrorKind::IsADirectory);
    let read = fs::metadata(file).and_then(|meta| match (meta.is_dir(), meta.is_file()) {
        (true, _) => Err(is_folder()),
        (_, true) => fs::File::open(file).map(drop),
        // Opening a pipe would wait.
        _ => Ok(()),
    });
    read.map_err(|error| Refusal::new(Code::Usage, format!("cannot read {} of -f: {error}", file.display())))
}

/// Has what was in front of a saved server in front again; the session to go to, if that says one. All is there without that.
fn settle(expanded: &Expanded, loading: &Loading<'_>, followers: &mut Followers) -> Option<SessionId> {
    expanded.settle(loading.tmux, &loading.made).unwrap_or_else(|refusal| {
        let what = format!("which windows were in front cannot be restored: {}", refusal.message);
        followers.warn("not_settled", what);
        None
    })
}

/// Goes to the last session, if so wanted.
fn go(way: Way, tmux: &Tmux, server: &ServerArgs, session: SessionId) -> Result<u8> {
    match way {
        Way::Detached | Way::Append => {}
        Way::Switch { .. } => way::switch(tmux, server, session)?,
        Way::Attach => {
            let error = client::attach(tmux, session);
            let line = format!("cannot attach: {}", text::clean(&error.to_string()));
            return Err(Refusal::new(Code::TmuxUnavailable, line).into());
        }
    }
    Ok(0)
}
