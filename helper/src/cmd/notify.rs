//! `notify`: a sample notification, for somebody who sets them up.

use crate::cli::ServerArgs;
use crate::fault::Fault;
use crate::notify::{self, Tiding};
use crate::output;
use crate::reader::{Files, Look};
use crate::text;
use crate::tmux::command::Tmux;
use crate::tmux::option;
use crate::wish::{Way, Wishes};
use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use clap::Args;
use std::io::Read;

/// The most that is read of what a refresh hands over.
const MOST_BYTES: u64 = 1 << 20;

/// What to send.
#[derive(Debug, Args)]
pub struct NotifyArgs {
    /// By these ways, instead of those that @tmux-status-notify names
    #[arg(value_name = "WAY", value_parser = PossibleValuesParser::new(Way::ALL.map(Way::as_str)))]
    ways: Vec<String>,
    /// For a refresh: tell what standard input says, and be silent
    #[arg(long, hide = true, conflicts_with = "ways")]
    deliver: bool,
}

/// Runs it: exit code 1 when something failed, or nobody was told.
///
/// # Errors
/// When there is no way to try, and no window that a sample could be about.
pub fn run(args: &NotifyArgs, server: &ServerArgs) -> Result<u8> {
    let tmux = Tmux::new(server.socket());
    if args.deliver {
        // Fails for the leader of a process group, which nobody has made of us.
        let _ = rustix::process::setsid();
        let mut told = Vec::new();
        std::io::stdin()
            .take(MOST_BYTES)
            .read_to_end(&mut told)
            .context("cannot read what to tell")?;
        let tiding = serde_json::from_slice(&told).context("cannot read what to tell")?;
        notify::deliver_and_note(&tmux, &tiding);
        return Ok(0);
    }
    let files = Files::find(&tmux, server.flag())?;
    let mut ways: Vec<Way> = args.ways.iter().filter_map(|word| Way::of(word)).collect();
    if ways.is_empty() {
        ways = Wishes::read(files.options.get(option::NOTIFY), "").ways;
    }
    if ways.is_empty() {
        return Err(Fault::new(
            format!("nothing to try: {} is off", option::NOTIFY),
            format!(
                "name a way (tmux-status notify message), or set one: tmux set -g {} message",
                option::NOTIFY
            ),
        )
        .into());
    }
    let look: Look = files.look()?;
    let own = std::env::var("TMUX_PANE").ok().and_then(|pane| pane.parse().ok());
    let here = own.and_then(|pane| look.state.places().find(|place| place.window.panes.contains(&pane)));
    let place = here.or_else(|| look.state.places().next()).ok_or_else(|| {
        Fault::new(
            format!(
                "no window that a sample could be about in the tmux server at {}",
                tmux.socket()
            ),
            "start tmux first",
        )
    })?;
    let mut out = String::new();
    let (mut told, mut failed) = (false, false);
    for said in notify::deliver(&tmux, &Tiding::sample(&place, ways, &files.options)) {
        told |= said.told;
        failed |= said.came.is_err();
        let came = said.came.unwrap_or_else(|why| format!("failed: {why}"));
        out += &format!("{:<8} {}\n", said.way.as_str(), text::clean(&came));
    }
    output::print(out.as_bytes())?;
    Ok(u8::from(failed || !told))
}
