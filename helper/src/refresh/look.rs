//! One look at a server, judged: evidence gathered, rules asked, verdicts settled, one pane speaking for each window.

use super::{now_ms, owner_stays, refusal, How, FULL_INTERVAL};
use crate::agents;
use crate::classify::settle::{self, Fingerprint, Memory};
use crate::classify::{memo, Keeper, Rules};
use crate::fault::Fault;
use crate::model::{Evidence, Pane, PaneId, Process, Report, Reported, Snapshot, StatusKind, Terminal, Told, WindowId};
use crate::process;
use crate::shells::Records;
use crate::status::answers::{self, Answers};
use crate::status::ignore::Ignore;
use crate::status::notice::{Moment, Notice};
use crate::status::paths::{self, Paths};
use crate::status::state::{KnownPane, State};
use crate::status::{settings, speaker};
use crate::summary::ai::config::Config;
use crate::tmux::command::{Failure, Tmux};
use crate::tmux::option;
use crate::tmux::snapshot::{self, Ask, Look, Settings};
use crate::wish::Wishes;
use anyhow::Result;
use once_cell::unsync::OnceCell;
use std::collections::HashSet;
use std::rc::Rc;

/// A look after judging.
pub(super) struct Seen {
    pub state: State,
    pub settings: Settings,
    /// How a model is asked, when one is wanted.
    pub model: Option<Config>,
}

/// One look, judged against what is remembered; `None` when no server runs.
pub(super) fn look(
    tmux: &Tmux,
    rules: &Rules,
    how: How,
    before: &State,
    answers: impl FnOnce() -> Rc<Answers>,
) -> Result<Option<Seen>> {
    let looked_at_ms = now_ms();
    let looked_at = looked_at_ms / 1000;
    let full = how.full
        || before.server.is_none()
        || before.looked_at > looked_at
        || looked_at.saturating_sub(before.full_at) >= FULL_INTERVAL.as_secs();
    let ask = Ask {
        since: (!full).then_some(before.looked_at),
        also: if full { Vec::new() } else { restless(before) },
        clear_owed: true,
        driver_until: how.driver_for.map(|seconds| looked_at + seconds),
    };
    let Some((mut look, mut table)) = take(tmux, &ask)? else {
        return Ok(None);
    };
    let started = process::started(look.snapshot.server.pid);
    refuse_another_server(tmux, before, &look.snapshot)?;
    let mut full = full;
    if !full && !remembers(before, &look.snapshot, started) {
        // Another server, or panes we know nothing of: what we remember is no help.
        full = true;
        let Some(again) = take(
            tmux,
            &Ask {
                clear_owed: true,
                ..Ask::default()
            },
        )?
        else {
            return Ok(None);
        };
        (look, table) = again;
    }
    let known = Some(before).filter(|before| remembers_server(before, &look.snapshot, started));
    let mut state = State::of(&look.snapshot, started);
    state.looked_at = looked_at;
    state.told_ms = known.map_or(0, |known| known.told_ms);
    state.full_at = if full { looked_at } else { before.full_at };
    let records = Records::new(paths::shells(), look.snapshot.server.pid);
    let watched = judge(&mut look, &table, rules, &records, known, looked_at_ms, &mut state);
    // What is wrong with the settings is for `doctor` to say.
    let model = settings::model(look.settings.options.get(option::AI_COMMAND));
    let model = model.ok().flatten();
    if let Some(model) = &model {
        word(&mut state, model, &answers());
    }
    let option = |name| look.settings.options.get(name);
    let wishes = Wishes::read(option(option::NOTIFY), option(option::NOTIFY_ON));
    remember(&mut state, known, &watched, &wishes, looked_at_ms);
    if full {
        records.sweep(|pane| state.panes.contains_key(&pane));
    }
    Ok(Some(Seen {
        state,
        settings: look.settings,
        model,
    }))
}

/// The look, and the process table. It is read while tmux works when panes will surely be judged; a quiet look most
/// likely needs none, and reads it only when it does.
fn take(tmux: &Tmux, ask: &Ask) -> Result<Option<(Look, OnceCell<process::Table>)>> {
    let needed = ask.since.is_none() || !ask.also.is_empty();
    let meanwhile = || match needed {
        true => OnceCell::with_value(process::Table::read()),
        false => OnceCell::new(),
    };
    match snapshot::take(tmux, ask, meanwhile) {
        Ok(taken) => Ok(Some(taken)),
        Err(Failure::NoServer) => Ok(None),
        Err(failure) => Err(refusal(tmux, &failure).into()),
    }
}

/// Windows that may have changed without any output.
fn restless(before: &State) -> Vec<WindowId> {
    let speaks = |pane: &PaneId| before.panes.get(pane).is_some_and(|p| p.memory.verdict.volatile);
    let windows = before.windows.iter().filter(|(_, w)| w.panes.iter().any(speaks));
    windows.map(|(id, _)| *id).collect()
}

fn remembers_server(before: &State, snapshot: &Snapshot, started: Option<u64>) -> bool {
    before
        .server
        .as_ref()
        .is_some_and(|known| known.server == snapshot.server && known.started == started)
}

/// Whether every pane that was not captured is one we know, unchanged in what a listing shows.
fn remembers(before: &State, snapshot: &Snapshot, started: Option<u64>) -> bool {
    let known = |pane: &Pane| {
        before
            .panes
            .get(&pane.id)
            .is_some_and(|known| known.pid == pane.pid && known.dead == pane.dead)
    };
    let quiet = |pane: &&Pane| !snapshot.captures.contains_key(&pane.id);
    remembers_server(before, snapshot, started)
        && snapshot
            .windows
            .values()
            .flat_map(|w| &w.panes)
            .filter(quiet)
            .all(known)
}

/// The file of a server that lives elsewhere is not ours to replace.
fn refuse_another_server(tmux: &Tmux, before: &State, snapshot: &Snapshot) -> Result<()> {
    let Some(owner) = before.server.as_ref().map(|known| &known.server) else {
        return Ok(());
    };
    // The same socket path with another server behind it: the old one can no longer be reached by anyone.
    if owner.pid == snapshot.server.pid || owner.socket == snapshot.server.socket || !owner_stays(tmux, before) {
        return Ok(());
    }
    Err(Fault::new(
        format!(
            "cannot write the status of the server at {}: its file belongs to the server {} at {}, which lives",
            tmux.socket(),
            owner.pid,
            owner.socket
        ),
        "start one of them with a socket name of its own (tmux -L NAME), or with another XDG_STATE_HOME",
    )
    .into())
}

/// Judges every pane that was captured, keeps the rest, and lets one pane speak for each window. The windows that somebody
/// looks at.
fn judge(
    look: &mut Look,
    table: &OnceCell<process::Table>,
    rules: &Rules,
    records: &Records,
    known: Option<&State>,
    now_ms: u64,
    state: &mut State,
) -> HashSet<WindowId> {
    let watched = watched_windows(&look.snapshot);
    let ignore = Ignore::new(look.settings.options.get(option::IGNORE));
    let Snapshot { windows, captures, .. } = &mut look.snapshot;
    for window in windows.values_mut() {
        let visited = watched.contains(&window.id);
        let about = About {
            name: &window.name,
            activity: window.activity,
            bell: window.bell,
            records,
        };
        for pane in &mut window.panes {
            let previous = known.and_then(|state| state.panes.get(&pane.id));
            let captured = captures.get(&pane.id);
            if captured.is_none() {
                if let Some(previous) = previous {
                    pane.command.clone_from(&previous.command);
                    pane.path.clone_from(&previous.path);
                }
            }
            let mut content = previous.map_or(0, |known| known.content);
            let memory = match (captured, previous) {
                (None, Some(previous)) => settle::keep(&previous.memory, visited),
                (screen, previous) => {
                    let gathered = Gathered::of(pane, table);
                    let screen = screen.map(Vec::as_slice);
                    let previous = previous.map(|known| &known.memory);
                    let (evidence, seen) = gathered.evidence(rules, &about, pane, screen, previous, now_ms);
                    content = screen.map_or(0, answers::content);
                    let told = evidence.told.as_ref().map(|told| &told.report);
                    let ended = told
                        .filter(|report| report.state == Reported::Done)
                        .map(|report| report.at_ms);
                    let key = memo::key(rules, &evidence, seen.fingerprint);
                    let verdict = memo::recall(previous, key).unwrap_or_else(|| rules.judge(&evidence));
                    let rests = matches!(verdict.kind, StatusKind::Waiting | StatusKind::Idle);
                    let seen = settle::Look {
                        visited,
                        turn_ended_ms: ended.filter(|_| rests),
                        ..seen
                    };
                    let settled = settle::settle(previous, verdict.clone(), evidence.change, &seen);
                    let memo = memo::keep(key, &verdict, &settled.verdict);
                    Memory { memo, ..settled }
                }
            };
            let known = KnownPane {
                command: pane.command.clone(),
                path: pane.path.clone(),
                pid: pane.pid,
                dead: pane.dead.clone(),
                content,
                memory,
            };
            state.panes.insert(pane.id, known);
        }
        if let Some(mut verdict) = speaker::verdict(window, &state.panes, look.settings.options.get(option::PANES)) {
            verdict.ignored = ignore.names(state.sessions_of(window.id), &window.name);
            state.windows.insert(window.id, verdict);
        }
    }
    watched
}

/// Puts a model's words in the place of the rules', where it has some for what a window shows.
fn word(state: &mut State, model: &Config, answers: &Answers) {
    for window in state.windows.values_mut() {
        if let Some(pane) = state.panes.get(&window.pane) {
            model.word(window, pane.content, answers);
        }
    }
}

/// Gives each window its history, and works out what its user is to be told of it.
fn remember(state: &mut State, known: Option<&State>, watched: &HashSet<WindowId>, wishes: &Wishes, now_ms: u64) {
    for (id, mut window) in std::mem::take(&mut state.windows) {
        let before = known.and_then(|state| state.windows.get(&id));
        let moment = Moment {
            now_ms,
            first: known.is_none(),
            watched: watched.contains(&id),
            wishes,
        };
        window = window.after(before, moment.watched, now_ms / 1000);
        window.notice = Notice::after(&window, before, &moment);
        state.windows.insert(id, window);
    }
}

/// What a pane's evidence takes from its window and its server.
struct About<'a> {
    name: &'a str,
    activity: u64,
    bell: bool,
    records: &'a Records,
}

/// What the kernel says of one pane.
struct Gathered {
    processes: Vec<Process>,
    terminal: Option<Terminal>,
}

impl Gathered {
    fn of(pane: &Pane, table: &OnceCell<process::Table>) -> Self {
        // A dead pane's process id and terminal may already be another pane's.
        let lives = pane.dead.is_none();
        let terminal = lives.then(|| process::terminal(&pane.tty)).flatten();
        let table = || table.get_or_init(process::Table::read);
        Self {
            processes: if lives {
                table().of_pane(pane.pid, &pane.tty, terminal)
            } else {
                Vec::new()
            },
            terminal,
        }
    }

    /// The report, while its process lives in this pane.
    fn believed(&self, report: Report, now_ms: u64) -> Option<Told> {
        let lives = self
            .processes
            .iter()
            .any(|process| process.pid == report.pid && process.state != 'Z');
        let same = lives && (report.started.is_none() || process::started(report.pid) == report.started);
        // One from a time to come is of a clock that was set back.
        let fresh = now_ms.abs_diff(report.at_ms) < settle::FRESH_MS;
        same.then_some(Told { report, fresh })
    }

    /// The evidence of one pane, with what a later look will compare with.
    fn evidence<'a>(
        &'a self,
        rules: &Rules,
        about: &About<'a>,
        pane: &'a Pane,
        screen: Option<&'a [String]>,
        previous: Option<&Memory>,
        now_ms: u64,
    ) -> (Evidence<'a>, settle::Look) {
        let seen = settle::Look {
            at_ms: now_ms,
            pane_pid: pane.pid,
            fingerprint: Fingerprint::of(screen.unwrap_or_default(), (pane.cursor_x, pane.cursor_y)),
            activity: about.activity,
            cpu_ticks: process::cpu_ticks(&self.processes),
            visited: false,
            turn_ended_ms: None,
        };
        let told = agents::report::decode(&pane.report).and_then(|report| self.believed(report, now_ms));
        let evidence = Evidence {
            pane,
            window_name: about.name,
            bell: about.bell,
            screen,
            processes: pane.dead.is_none().then_some(self.processes.as_slice()),
            terminal: self.terminal,
            agent_state: None,
            told,
            last_command: None,
            change: settle::change(previous, &seen),
            now: now_ms / 1000,
        };
        // Asked last: whose record to read follows from the rest.
        let (mut agent_state, mut last_command) = (None, None);
        match rules.keeper(&evidence) {
            Some(Keeper::Agent(id, pid)) => agent_state = agents::state(id, pid),
            Some(Keeper::Shell(name, pid)) => last_command = about.records.last_command(pane.id, &name, pid),
            None => {}
        }
        let evidence = Evidence {
            agent_state,
            last_command,
            ..evidence
        };
        (evidence, seen)
    }
}

/// Hands the evidence of one pane, as a look would judge it now, to `judge`. Nothing is written, and no refresh that is
/// owed is taken for done.
///
/// # Errors
/// When tmux gives no answer, or the pane is not there.
pub fn with_evidence<T>(tmux: &Tmux, rules: &Rules, id: PaneId, judge: impl FnOnce(&Evidence<'_>) -> T) -> Result<T> {
    let gone = || {
        Fault::new(
            format!(
                "cannot look at {id} in the tmux server at {}: it is not there",
                tmux.socket()
            ),
            "tmux-status show lists the windows",
        )
    };
    let Some((look, table)) = take(tmux, &Ask::default())? else {
        return Err(gone().into());
    };
    let before = State::read(&Paths::of(tmux.socket())?.state);
    let started = process::started(look.snapshot.server.pid);
    let known = Some(&before).filter(|before| remembers_server(before, &look.snapshot, started));
    let mut panes = look
        .snapshot
        .windows
        .values()
        .flat_map(|window| window.panes.iter().map(move |pane| (window, pane)));
    let (window, pane) = panes.find(|(_, pane)| pane.id == id).ok_or_else(gone)?;
    let screen = look.snapshot.captures.get(&id).map(Vec::as_slice);
    let previous = known.and_then(|state| state.panes.get(&id)).map(|known| &known.memory);
    let about = About {
        name: &window.name,
        activity: window.activity,
        bell: window.bell,
        records: &Records::new(paths::shells(), look.snapshot.server.pid),
    };
    let gathered = Gathered::of(pane, &table);
    let (evidence, _) = gathered.evidence(rules, &about, pane, screen, previous, now_ms());
    Ok(judge(&evidence))
}

/// Windows that someone looks at: the current ones of attached sessions.
fn watched_windows(snapshot: &Snapshot) -> HashSet<WindowId> {
    let attached = snapshot.sessions.iter().filter(|session| session.attached > 0);
    attached
        .flat_map(|session| &session.links)
        .filter(|link| link.active)
        .map(|link| link.window)
        .collect()
}
