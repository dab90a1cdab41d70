//! `summarise`: asks the model by hand, and says what was sent and answered; or shows what would be sent.

use crate::cli::ServerArgs;
use crate::fault::Fault;
use crate::model::WindowId;
use crate::output;
use crate::refresh;
use crate::status::errors;
use crate::status::paths::Paths;
use crate::status::state::State;
use crate::summarise::{self, Asker};
use crate::summary::ai::config::Config;
use crate::summary::ai::request::Entry;
use crate::text;
use crate::tmux::command::Tmux;
use crate::tmux::option::{self, Options};
use anyhow::Result;
use clap::Args;

/// What to ask.
#[derive(Debug, Args)]
pub struct SummariseArgs {
    /// Print exactly what would be sent, and send nothing
    #[arg(long, conflicts_with = "background")]
    dry_run: bool,
    /// Also windows that show what was asked about before
    #[arg(long)]
    all: bool,
    /// For the plugin: silent, and only if it is time
    #[arg(long, hide = true)]
    background: bool,
}

/// Runs it.
///
/// # Errors
/// When no model is named or it gives no answer; none in the background.
pub fn run(args: &SummariseArgs, server: &ServerArgs) -> Result<u8> {
    let tmux = Tmux::new(server.socket());
    if args.background {
        if let Err(error) = summarise::in_background(&tmux) {
            if let Ok(paths) = Paths::of(tmux.socket()) {
                errors::note(&paths, refresh::now_ms() / 1000, &format!("summarise: {error:#}"));
            }
        }
        return Ok(0);
    }
    let options = summarise::options(&tmux);
    let config = summarise::config(&options)?;
    if args.dry_run {
        return dry_run(&tmux, config, &options);
    }
    let config = config.ok_or_else(|| {
        Fault::new(
            format!("cannot ask a model: {} names none", option::AI_COMMAND),
            format!(
                "name one, such as: tmux set -g {} claude; summarise --dry-run shows what it would be sent",
                option::AI_COMMAND
            ),
        )
    })?;
    ask(&tmux, config, &options, args.all)
}

/// The same bytes as would be sent, after a line on standard error that says to whom.
fn dry_run(tmux: &Tmux, config: Option<Config>, options: &Options) -> Result<u8> {
    let (config, whom) = match config {
        Some(config) => {
            let whom = config.model.to_string();
            (config, whom)
        }
        None => (Config::usual(), format!("nobody, as {} is off", option::AI_COMMAND)),
    };
    let windows = summarise::windows(tmux, &config, options)?;
    let Some(request) = summarise::request(&config, &windows) else {
        output::warn("tmux-status: there is no window that a model may word");
        return Ok(0);
    };
    output::warn(&text::clean(&format!(
        "tmux-status: {} of {}, {} bytes, to {whom}:",
        request.keys.len(),
        text::count(windows.len(), "window"),
        request.text.len()
    )));
    output::print(request.text.as_bytes())?;
    Ok(0)
}

fn ask(tmux: &Tmux, config: Config, options: &Options, all: bool) -> Result<u8> {
    let model = config.model.to_string();
    let Some(mut asker) = Asker::take_turn(tmux, config)? else {
        return Err(Fault::new(
            "cannot ask the model: another process is asking it",
            "it is done when its answer comes, or its time is over; try again then",
        )
        .into());
    };
    let windows = summarise::windows(tmux, &asker.config, options)?;
    let mut windows = if all { windows } else { asker.unasked(windows) };
    if windows.is_empty() {
        output::print(
            b"Nothing to ask: what the windows show was asked about before, or is not for a model. --all asks again.\n",
        )?;
        return Ok(0);
    }
    while let Some(request) = summarise::request(&asker.config, &windows) {
        let asked = windows.get(..request.keys.len()).unwrap_or_default();
        output::warn(&text::clean(&format!(
            "asking {model} about {} ({} bytes): {}",
            text::count(asked.len(), "window"),
            request.text.len(),
            names(asked)
        )));
        let told = asker.ask(&request, &windows)?;
        let state = asker.publish()?.state;
        let lines = told.windows.iter().map(|(id, said)| {
            let words = said.as_ref().map_or("(no answer)", |said| said.summary.as_str());
            let kind = said
                .as_ref()
                .and_then(|said| said.kind)
                .map_or("", |kind| kind.as_str());
            format!("{:24} {kind:8} {words}\n", text::one_line(&place(&state, *id), 24))
        });
        output::print(lines.collect::<String>().as_bytes())?;
        windows.drain(..request.keys.len());
    }
    Ok(0)
}

fn names(windows: &[(WindowId, Entry)]) -> String {
    let names: Vec<&str> = windows.iter().map(|(_, entry)| entry.name.as_str()).collect();
    text::one_line(&names.join(", "), 200)
}

/// `session:index name`.
fn place(state: &State, id: WindowId) -> String {
    let place = state.places().find(|place| place.link.window == id);
    place.map_or_else(
        || id.to_string(),
        |place| format!("{}:{} {}", place.session.name, place.link.index, place.window.name),
    )
}
