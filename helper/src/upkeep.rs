//! A refresh, and what follows from it: the user is told what is due, tmux is told what to draw, hooks that another plugin has
//! wiped are put back, readers are told where the files are, a driver that is wanted and does not run is started, and a model
//! is asked where one is wanted and due.

use crate::notify;
use crate::process::locks;
use crate::refresh::{self, aside, How, Outcome, Pipeline};
use crate::segment::{self, Segment};
use crate::status::notice;
use crate::status::state::KnownWindow;
use crate::summarise;
use crate::theme::Theme;
use crate::tmux::command::Tmux;
use crate::tmux::{hook, option, publish};
use anyhow::Result;
use std::thread;
use std::time::Duration;

/// The longest that a refresh stays to tell what it found: longer than anything that is to be told may have to wait.
const LINGERS: Duration = Duration::from_secs(15);

/// Refreshes, then mends what the look found missing.
///
/// # Errors
/// Those of [`Pipeline::refresh`], and when tmux refuses to be mended.
pub fn refresh(pipeline: &mut Pipeline, how: How) -> Result<Outcome> {
    let outcome = pipeline.refresh(how)?;
    notify::announce(pipeline.tmux(), &outcome);
    if summarise::is_due(pipeline, &outcome) {
        summarise::start(pipeline.tmux(), &outcome.settings.helper);
    }
    if !outcome.settings.plugin_loaded {
        return Ok(outcome);
    }
    if mend(pipeline.tmux(), &outcome)? {
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
    let mut outcome = refresh(pipeline, how)?;
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
        outcome = refresh(pipeline, How::default())?;
    }
    Ok(())
}

/// Sets what differs from what the look has read, in one tmux process; whether there was anything to set.
fn mend(tmux: &Tmux, outcome: &Outcome) -> Result<bool> {
    let mut commands = shown(outcome);
    if !outcome.settings.unreplaced.is_empty() {
        let replace = publish::replace(tmux, &outcome.settings.unreplaced);
        commands.extend(replace.map_err(|failure| refresh::refusal(tmux, &failure))?);
    }
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

/// The tmux commands that bring up to date what tmux draws.
fn shown(outcome: &Outcome) -> Vec<Vec<String>> {
    let (state, settings) = (&outcome.state, &outcome.settings);
    let options = &settings.options;
    let theme = Theme::read(options.get(option::ICONS), options.get(option::COLOURS), false);
    let words = |window: &KnownWindow| match options.get(option::WINDOW_OPTIONS) {
        option::OFF => Default::default(),
        _ => segment::window(window, &theme),
    };
    let mut commands = Vec::new();
    for (id, window) in &state.windows {
        let before = outcome.before.windows.get(id);
        let read = settings.windows.get(id);
        if read.is_none() && before == Some(window) {
            continue;
        }
        let wanted = words(window);
        // Of what was not read, the last look has told.
        let shown = read.cloned().or_else(|| Some(words(before?).join("\t")));
        if shown.is_none_or(|shown| shown != wanted.join("\t")) {
            commands.extend(publish::window(*id, &wanted));
        }
    }
    let line = Segment::of(state, theme).for_tmux();
    if line != settings.line {
        commands.push(publish::line(&line));
    }
    commands
}

/// Whether a driver should run and none says that it does. One of another program is known by its lock, where the system
/// tells who holds one; elsewhere ours finds out by itself.
fn wants_driver(outcome: &Outcome) -> bool {
    let settings = &outcome.settings;
    settings.options.get(option::WATCH) != option::OFF
        && !hook::is_promised(settings.driver_until, refresh::now_ms() / 1000)
        && locks::holder(&outcome.paths.driver_lock).is_none()
}
