//! The driver: stays, looks once a second and whenever a hook wakes it, and ends with its server.
//!
//! It never attaches a client: that would change `session_attached`, the sessions' activity, and which client a user's
//! `switch-client` means. A `tmux wait-for` process is all it keeps at the server; it returns when a hook signals, and when
//! the server ends. Nothing is promised for long: hooks that find no fresh sign of life fork helpers as without a driver,
//! and one of those starts the next.

mod autosave;
mod rest;

use crate::classify::{self, Rules};
use crate::fault::Fault;
use crate::output;
use crate::process::{self, locks};
use crate::refresh::{now_ms, How, Outcome, Pipeline, FULL_INTERVAL};
use crate::status::errors;
use crate::status::lock::Lock;
use crate::status::notice;
use crate::status::paths::Paths;
use crate::status::read::{self, Stamp};
use crate::status::state::{KnownServer, State};
use crate::text;
use crate::tmux::command::Tmux;
use crate::tmux::{hook, option};
use crate::upkeep::{self, Pace};
use anyhow::Result;
use autosave::Autosave;
use rest::{Rest, Why};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// Windows from which on a look is taken every other second, unless the user says otherwise: a look costs the server time
/// in proportion to its panes.
const MANY_WINDOWS: usize = 200;

/// Seconds beyond the next look for which hooks may rely on the driver.
const PROMISE: u64 = 3;

/// How long a program file must have been in place before it replaces the one that runs: it may still be written.
const SETTLED: Duration = Duration::from_secs(2);

/// Exit code when another driver holds the lock.
const TAKEN: u8 = 75;

/// How to watch.
#[derive(Debug, Clone, Copy, Default)]
pub struct Manner {
    /// Started by the plugin, for itself: silent, and it leaves when the plugin is unloaded or wants no driver.
    pub detached: bool,
}

/// Drives until the server ends or a signal says so; the exit code.
///
/// # Errors
/// When another driver holds the lock, and when the files have no place. What goes wrong later is noted, and tried again.
pub fn run(tmux: &Tmux, manner: Manner) -> Result<u8> {
    if manner.detached {
        // Fails for the leader of a process group, which has a session of its own or a terminal that it wants.
        let _ = rustix::process::setsid();
    }
    let mut driver = Driver::start(tmux, manner)?;
    let ended = driver.drive();
    driver.farewell();
    ended
}

struct Driver {
    tmux: Tmux,
    manner: Manner,
    paths: Paths,
    pipeline: Pipeline,
    pace: Pace,
    lock: Lock,
    rest: Rest,
    autosave: Autosave,
    /// The server that was last seen.
    server: Option<KnownServer>,
    /// Whether its hooks know this driver.
    greeted: bool,
    interval: Duration,
    program: Program,
    rules: Option<std::time::SystemTime>,
    /// The last error that was told, and when.
    told: Option<(String, Instant)>,
}

/// Why the driver ends.
enum End {
    /// With its server, a signal, or the plugin.
    Done,
    /// The file at its place is another program now.
    Replaced(PathBuf),
}

impl Driver {
    fn start(tmux: &Tmux, manner: Manner) -> Result<Self> {
        let paths = Paths::of(tmux.socket())?;
        paths.make_folders().map_err(|error| Fault::unwritten(&error))?;
        let lock = take_lock(&paths)?;
        let folder = classify::user_folder();
        let (rules, _) = Rules::load(folder.as_deref());
        if !manner.detached {
            output::warn(&text::clean(&format!(
                "tmux-status: watching {}; Ctrl-C ends it",
                tmux.socket()
            )));
        }
        Ok(Self {
            tmux: tmux.clone(),
            manner,
            pipeline: Pipeline::new(tmux.clone(), rules),
            pace: Pace::default(),
            paths,
            lock,
            rest: Rest::new()?,
            autosave: Autosave::default(),
            server: None,
            greeted: false,
            interval: Duration::from_secs(1),
            program: Program::own(),
            rules: classify::newest_rule(folder.as_deref()),
            told: None,
        })
    }

    fn drive(&mut self) -> Result<u8> {
        let mut why = Why::Woken;
        loop {
            self.greet();
            let began = Instant::now();
            let how = How {
                full: why == Why::Asked,
                glance: why == Why::Due,
                driver_for: Some(self.interval.as_secs() + PROMISE),
            };
            let mut next = began + self.interval;
            match upkeep::refresh(&mut self.pipeline, how, &mut self.pace) {
                Ok(outcome) => match self.after(&outcome) {
                    Some(End::Done) => return Ok(0),
                    Some(End::Replaced(program)) => self.become_another(&program),
                    None => next = next.min(Instant::now() + pending(&outcome)),
                },
                Err(error) => self.tell(&error),
            }
            if !self.greeted {
                // Another server, or another program that could not be run after all.
                next = began;
            }
            self.hold_lock()?;
            why = self.rest.until(began, next, &self.tmux);
            if why == Why::End {
                return Ok(0);
            }
        }
    }

    /// What a look's outcome means for the driver itself.
    fn after(&mut self, outcome: &Outcome) -> Option<End> {
        let state = &outcome.state;
        let Some(server) = &state.server else {
            return Some(End::Done);
        };
        if !outcome.server {
            // It lives out of reach; its file stays as it is until it is gone or answers. That of a server at another socket is
            // no matter of this driver's.
            let here = server.server.socket == self.tmux.socket().to_string();
            return (!here).then_some(End::Done);
        }
        let settings = &outcome.settings;
        let wanted = settings.plugin_loaded && settings.options.get(option::WATCH) != option::OFF;
        let another = self.server.as_ref().is_some_and(|known| known != server);
        if (self.manner.detached || another) && !wanted {
            return Some(End::Done);
        }
        // Another one at the same socket: its hooks know nothing of this driver yet.
        self.greeted &= !another;
        self.server = Some(server.clone());
        let usual = if state.windows.len() > MANY_WINDOWS { 2 } else { 1 };
        self.interval = Duration::from_secs(option::interval(settings.options.get(option::INTERVAL)).unwrap_or(usual));
        self.reload_rules(state);
        self.autosave.after(&self.tmux, outcome);
        let helper = Some(&settings.helper).filter(|path| self.manner.detached && !path.is_empty());
        self.program.successor(helper.map(PathBuf::from)).map(End::Replaced)
    }

    /// The user's rules, when their files have changed: with each look of every pane.
    fn reload_rules(&mut self, state: &State) {
        if state.full_at != state.looked_at {
            return;
        }
        let folder = classify::user_folder();
        let newest = classify::newest_rule(folder.as_deref());
        if newest != self.rules {
            self.rules = newest;
            self.pipeline.set_rules(Rules::load(folder.as_deref()).0);
        }
    }

    /// Waits at the server from now on, and lets go of the process that a driver which was killed has left there. Looks tell
    /// the server's hooks whom to wake.
    fn greet(&mut self) {
        if self.greeted {
            return;
        }
        // Whatever is wrong, the look that follows finds it out.
        let _ = self.tmux.effect(&hook::driver_starts());
        self.rest.listen(&self.tmux, &hook::own_channel());
        self.greeted = true;
    }

    /// Takes the lock again when its file is gone: nobody else could know that this driver runs.
    fn hold_lock(&mut self) -> Result<()> {
        if !self.lock.is_at(&self.paths.driver_lock) {
            match self
                .paths
                .make_folders()
                .and_then(|()| Lock::try_take(&self.paths.driver_lock))
            {
                Ok(Some(lock)) => self.lock = lock,
                Ok(None) => return Err(taken(&self.paths).into()),
                Err(error) => self.tell(&error),
            }
        }
        Ok(())
    }

    /// Runs the program that has replaced this one. It takes the lock, which ends here, and lets go of the old channel.
    fn become_another(&mut self, program: &std::path::Path) {
        self.rest.hang_up();
        let mut command = Command::new(program);
        command.arg("-S").arg(self.tmux.socket().path()).arg("watch");
        if self.manner.detached {
            command.arg("--detached");
        }
        let failed = command.exec();
        self.tell(&anyhow::Error::new(failed).context(format!("cannot run {}, which is new", program.display())));
        self.greeted = false;
    }

    /// An error is told once a minute, not with each look.
    fn tell(&mut self, error: &anyhow::Error) {
        let line = format!("{error:#}");
        let known = self
            .told
            .as_ref()
            .is_some_and(|(told, at)| *told == line && at.elapsed() < FULL_INTERVAL);
        if known {
            return;
        }
        if self.manner.detached {
            errors::note(&self.paths, now_ms() / 1000, &format!("watch: {line}"));
        } else {
            output::warn(&text::clean(&format!("tmux-status: {line}")));
        }
        self.told = Some((line, Instant::now()));
    }

    /// Nothing stays at the server, and hooks need not find out by themselves.
    fn farewell(&mut self) {
        self.rest.hang_up();
        if self.server.is_some() {
            // A server that has ended has nothing to take back.
            let tmux = self.tmux.clone().within(Duration::from_secs(1));
            let _ = tmux.effect(&hook::driver_ends());
        }
    }
}

fn take_lock(paths: &Paths) -> Result<Lock> {
    let lock = Lock::try_take(&paths.driver_lock).map_err(|error| Fault::unwritten(&error))?;
    Ok(lock.ok_or_else(|| taken(paths))?)
}

fn taken(paths: &Paths) -> Fault {
    let holder = locks::holder(&paths.driver_lock).map_or_else(String::new, |pid| format!(" (process {pid})"));
    Fault {
        code: TAKEN,
        ..Fault::new(
            format!(
                "cannot watch: another driver{holder} holds {}",
                paths.driver_lock.display()
            ),
            "one is enough: tmux-status show --watch shows what it finds",
        )
    }
}

/// How soon another look is needed: to be sure of something that was seen, as a rest after work, or to tell the user.
fn pending(outcome: &Outcome) -> Duration {
    if !outcome.server {
        return FULL_INTERVAL;
    }
    let (state, now) = (&outcome.state, now_ms());
    let confirmed = state.panes.values().filter_map(|pane| pane.memory.confirmed_at_ms());
    let at = confirmed.chain(notice::tell_at(state)).min();
    at.map_or(FULL_INTERVAL, |at| Duration::from_millis(at.saturating_sub(now)))
}

/// The file that would run in place of this program: its own, or the one that hooks run.
struct Program {
    own: Option<PathBuf>,
    /// That file, as it was when it was first seen.
    known: Option<(PathBuf, Stamp)>,
    /// Whether the server has named the one that hooks run.
    named: bool,
}

impl Program {
    fn own() -> Self {
        // Asked now: where its file is replaced, the kernel will call this one deleted.
        let own = std::env::current_exe().ok();
        let known = own.clone().and_then(|path| Some((path.clone(), read::stamp(&path)?)));
        Self {
            own,
            known,
            named: false,
        }
    }

    /// The program to go on as, when there is another one now: a new file, or one at another place.
    fn successor(&mut self, helper: Option<PathBuf>) -> Option<PathBuf> {
        let first = helper.is_some() && !self.named;
        self.named |= first;
        let path = helper.or_else(|| self.own.clone())?;
        let stamp = read::stamp(&path)?;
        let known = self.known.as_ref();
        if first && known.is_none_or(|(known, _)| *known != path) {
            // A script that starts this program is another file for good.
            self.known = Some((path, stamp));
            return None;
        }
        let same = known.is_some_and(|(known, at)| *known == path && *at == stamp);
        if same || !process::may_run(&path) || !stamp.is_older_than(SETTLED) {
            return None;
        }
        // Tried once, whatever comes of it.
        self.known = Some((path.clone(), stamp));
        Some(path)
    }
}
