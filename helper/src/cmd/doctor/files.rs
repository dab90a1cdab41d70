//! The files: where they are, whether they can be written, who writes them, and what they hold.

use super::{bad, good, note, Advice, Finding};
use crate::process::{self, locks};
use crate::refresh;
use crate::status::paths::Paths;
use crate::status::state::State;
use crate::status::{errors, read};
use crate::text;
use crate::tmux::command::{Failure, Tmux};
use crate::tmux::inquiry::Inquiry;
use crate::tmux::option;
use std::io::{self, Write};
use std::path::Path;

/// How many of the last errors are told.
const ERRORS: usize = 5;

pub fn findings(tmux: &Tmux, asked: Result<&Inquiry, &Failure>, advice: &Advice) -> Vec<Finding> {
    let own = match Paths::of(tmux.socket()) {
        Ok(own) => own,
        Err(error) => {
            return vec![bad(
                format!("{error:#}"),
                "set HOME or XDG_STATE_HOME to an absolute path",
            )]
        }
    };
    let option = |name| asked.ok().and_then(|inquiry| inquiry.option(name));
    let mut found = Vec::new();
    let mut paths = own;
    let state = State::read(option(option::PUBLISHED_STATE).map_or(&paths.state, Path::new));
    // With a server went its options: the state remembers where the user wanted the file.
    let wanted = match asked {
        Ok(_) => option(option::FILE).unwrap_or_default().to_owned(),
        Err(_) => state.status_file.clone(),
    };
    paths = paths.with_status_file(wanted);
    if let Some(published) = option(option::PUBLISHED_FILE).filter(|p| Path::new(p) != paths.status) {
        found.push(note(
            format!(
                "the server's hooks write {published}, this shell would write {}",
                paths.status.display()
            ),
            "start tmux and this shell with the same XDG_STATE_HOME (readers find the published file anyway)",
        ));
        paths = elsewhere(paths, published, option(option::PUBLISHED_STATE));
    }
    found.push(folder(&paths.folder, advice));
    if let Some(parent) = paths.status.parent().filter(|parent| **parent != paths.folder) {
        found.push(folder(parent, advice));
    }
    if let Some(pid) = locks::holder(&paths.write_lock) {
        found.push(note(
            format!(
                "{} is held by process {pid}: a refresh runs",
                paths.write_lock.display()
            ),
            format!("if it stays so, that process was stopped or hangs: kill -CONT {pid}, or kill {pid}"),
        ));
    }
    let wanted = option(option::RESOLVED_BIN).is_some() && option(option::WATCH) != Some(option::OFF);
    match locks::holder(&paths.driver_lock) {
        Some(pid) => found.push(good(format!(
            "{} is held: a driver keeps the file fresh (pid {pid})",
            paths.driver_lock.display()
        ))),
        None if wanted && locks::TELLS => found.push(note(
            "no driver runs: what fires no hook is in the file after the next event only".to_owned(),
            format!("{} starts it; the last errors say why it ended", advice.refresh()),
        )),
        None => {}
    }
    found.push(status(&paths, &state, asked, advice));
    found.extend(owner(&state, asked));
    found.extend(last_errors(&paths.errors));
    found
}

/// Where the server's hooks write.
fn elsewhere(own: Paths, status: &str, state: Option<&str>) -> Paths {
    let mut paths = own.with_status_file(status);
    if let Some(folder) = state
        .map(Path::new)
        .filter(|state| state.is_absolute())
        .and_then(Path::parent)
    {
        for file in [
            &mut paths.state,
            &mut paths.driver_lock,
            &mut paths.write_lock,
            &mut paths.errors,
        ] {
            if let Some(name) = file.file_name() {
                *file = folder.join(name);
            }
        }
        paths.folder = folder.to_owned();
    }
    paths
}

/// Whether a file can be written there: one of a usual size is, and is gone again.
fn folder(folder: &Path, advice: &Advice) -> Finding {
    let name = folder.display();
    let made = match std::fs::metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return note(
                format!("the folder {name} is not there yet"),
                format!("{} makes it", advice.refresh()),
            )
        }
        Err(error) => Err(error),
        Ok(meta) if !meta.is_dir() => Err(io::Error::other("something else has this name")),
        Ok(_) => Ok(()),
    };
    if let Err(error) = made {
        return bad(
            format!("cannot make the folder {name}: {error}"),
            "remove what is in its way, or set XDG_STATE_HOME to another folder",
        );
    }
    match try_to_write(folder) {
        Ok(()) => good(format!("{name} is writable")),
        Err(error) => bad(
            format!("cannot write in {name}: {error}"),
            "make room and the folder writable, or set XDG_STATE_HOME to one that is",
        ),
    }
}

fn try_to_write(folder: &Path) -> io::Result<()> {
    let mut file = tempfile::Builder::new()
        .prefix(".tmux-status-doctor-")
        .tempfile_in(folder)?;
    file.write_all(&[b'.'; 1 << 16])?;
    file.flush()
}

/// What the status file holds.
fn status(paths: &Paths, state: &State, asked: Result<&Inquiry, &Failure>, advice: &Advice) -> Finding {
    let path = paths.status.display();
    let Some(file) = read::status_file(&paths.status) else {
        return bad(
            format!("{path} is missing or no status file"),
            format!("{} writes it", advice.refresh()),
        );
    };
    let age = text::ago((refresh::now_ms() / 1000).saturating_sub(file.generated_at));
    let holds = format!(
        "{path} holds {}, {age} old",
        text::count(file.sessions.len(), "session")
    );
    let ended = state.server.as_ref().filter(|known| {
        let here = asked.is_ok_and(|inquiry| inquiry.pid == known.server.pid);
        !here && process::started(known.server.pid) != known.started
    });
    match ended {
        Some(known) if !file.sessions.is_empty() => note(
            format!(
                "{holds}, of the server {}, which has ended without a word",
                known.server.pid
            ),
            format!("{} brings it up to date", advice.refresh()),
        ),
        _ => good(holds),
    }
}

/// Whether another server, which lives, owns the files.
fn owner(state: &State, asked: Result<&Inquiry, &Failure>) -> Option<Finding> {
    let owner = state.server.as_ref()?;
    let another = match asked {
        Ok(inquiry) => owner.server.pid != inquiry.pid,
        Err(failure) => matches!(failure, Failure::NoServer),
    };
    let lives = process::started(owner.server.pid).is_some_and(|started| Some(started) == owner.started);
    (another && lives).then(|| {
        note(
            format!(
                "the files belong to the server {} at {}, not to this one",
                owner.server.pid, owner.server.socket
            ),
            "start one of them with a socket name of its own (tmux -L NAME)",
        )
    })
}

fn last_errors(path: &Path) -> Vec<Finding> {
    let now = refresh::now_ms() / 1000;
    let last = errors::last(path);
    let told = last.iter().rev().take(ERRORS).map(|line| {
        let (time, error) = line.split_once(' ').unwrap_or(("0", line));
        let age = text::ago(now.saturating_sub(time.parse().unwrap_or(now)));
        let what = match error.strip_prefix(errors::NOTIFY) {
            Some(error) => format!("a notification failed: {error}"),
            None => format!("a hook's refresh failed: {error}"),
        };
        note(format!("{age} ago {what}"), format!("all of them: {}", path.display()))
    });
    told.collect()
}
