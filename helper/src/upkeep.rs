//! A refresh, and what follows from it: the user is told what is due, tmux is told what to draw, hooks that another plugin has
//! wiped are put back, readers are told where the files are, a driver that is wanted and does not run is started, and a model
//! is asked where one is wanted and due.

mod shown;

pub use shown::Pace;

use crate::notify;
use crate::process::locks;
use crate::refresh::{self, aside, How, Outcome, Pipeline};
use crate::status::notice;
use crate::summarise;
use crate::tmux::command::Tmux;
use crate::tmux::{hook, option};
use anyhow::Result;
use std::thread;
use std::time::Duration;

/// The longest that a refresh stays to tell what it found: longer than anything that is to be told may have to wait.
const LINGERS: Duration = Duration::from_secs(15);

/// Refreshes, then mends what the look found missing. One who refreshes again and again keeps the `pace`.
///
/// # Errors
/// Those of [`Pipeline::refresh`], and when tmux refuses to be mended.
pub fn refresh(pipeline: &mut Pipeline, how: How, pace: &mut Pace) -> Result<Outcome> {
    let outcome = pipeline.refresh(how)?;
    notify::announce(pipeline.tmux(), &outcome);
    if summarise::is_due(pipeline, &outcome) {
        summarise::start(pipeline.tmux(), &outcome.settings.helper);
    }
    if !outcome.settings.plugin_loaded {
        return Ok(outcome);
    }
    if mend(pipeline.tmux(), &outcome, pace)? || pace.holds() {
        pipeline.look_again();
    }
    if how.driver_for.is_none() && wants_driver(&outcome) {
        // That it cannot be started costs no refresh: hooks go on forking helpers.
        let _ = aside::start(pipeline.tmux(), &outcome.settings.helper, &["watch", "--detached"], &[]);
    }
    Ok(outcome)
}

/// Refreshes as [`refresh`] does; where no driver will, it stays until what this look has found can be told. Another look may
/// be long in coming, and a need is told only after it has stood for a moment.
///
/// # Errors
/// As [`refresh`].
pub fn refresh_and_tell(pipeline: &mut Pipeline, how: How) -> Result<()> {
    // What were held back here, nobody would show later.
    let mut outcome = refresh(pipeline, how, &mut Pace::default())?;
    let drives = hook::is_promised(outcome.settings.driver_until, refresh::now_ms() / 1000) || wants_driver(&outcome);
    let mut left = LINGERS;
    while outcome.raised || left < LINGERS {
        let Some(at) = notice::tell_at(&outcome.state) else {
            break;
        };
        let wait = Duration::from_millis(at.saturating_sub(refresh::now_ms()).max(1));
        if drives || wait > left {
            break;
        }
        left -= wait;
        thread::sleep(wait);
        outcome = refresh(pipeline, How::default(), &mut Pace::default())?;
    }
    Ok(())
}

/// Sets what differs from what the look has read, in one tmux process; whether there was anything to set.
fn mend(tmux: &Tmux, outcome: &Outcome, pace: &mut Pace) -> Result<bool> {
    let mut commands = shown::commands(outcome, pace);
    if !outcome.settings.missing_hooks.is_empty() {
        commands.extend(hook::install());
    }
    // tmux holds text; a path that is none is found by those who share this environment.
    if let (Some(status), Some(state)) = (outcome.paths.status.to_str(), outcome.paths.state.to_str()) {
        let places = [status, state].map(str::to_owned);
        if outcome.settings.published != places {
            commands.extend(option::publish(&places));
        }
    }
    if !commands.is_empty() {
        // The plugin may have been uninstalled since the look.
        let condition = format!("#{{{}}}", option::RESOLVED_BIN);
        tmux.effect_if(&condition, &commands)
            .map_err(|failure| refresh::refusal(tmux, &failure))?;
    }
    Ok(!commands.is_empty())
}

/// Whether a driver should run and none says that it does. One of another program is known by its lock, where the system
/// tells who holds one; elsewhere ours finds out by itself.
fn wants_driver(outcome: &Outcome) -> bool {
    let settings = &outcome.settings;
    settings.options.get(option::WATCH) != option::OFF
        && !hook::is_promised(settings.driver_until, refresh::now_ms() / 1000)
        && locks::holder(&outcome.paths.driver_lock).is_none()
}
