//! Where a pane's output comes from: its pipe, by a fifo of ours, if it is free.

use super::{lock, PATIENCE};
use crate::mcp::host::Host;
use crate::mcp::outcome::Problem;
use crate::model::PaneId;
use crate::process::child;
use crate::tmux::drive::pipe::{self, Sight};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::unix::pipe::{OpenOptions, Receiver};
use tokio::time::{sleep, timeout};

/// Has the pane print into a pipe of ours, if its own is free.
pub(super) async fn start(host: &Arc<Host>, pane: PaneId) -> Result<(Option<Receiver>, Sight), Problem> {
    let fifo = host.ask(|_| Ok(fifo())).await?;
    let path = fifo.as_ref().map(|(_, path)| path.clone());
    let receiver = path
        .as_ref()
        .and_then(|path| OpenOptions::new().open_receiver(path).ok());
    let into = path.filter(|_| receiver.is_some());
    if into.is_some() {
        // Before it is ours, so that it is given back whenever this ends.
        lock(&host.taps.piped).insert(pane, None);
    }
    let sight = host
        .ask(move |host| Ok(pipe::sight(&host.tmux, pane, 0, into.as_deref())?))
        .await;
    let used = sight.as_ref().map_or(true, |sight| sight.piped || sight.dead);
    if used {
        lock(&host.taps.piped).remove(&pane);
        return Ok((None, sight?));
    }
    let relay = match &receiver {
        Some(receiver) => timeout(PATIENCE, greeting(receiver)).await.ok().flatten(),
        None => None,
    };
    match relay {
        Some(relay) => drop(lock(&host.taps.piped).insert(pane, Some(relay))),
        None if lock(&host.taps.piped).remove(&pane).is_some() => {
            host.ask(move |host| {
                pipe::close(&host.tmux, pane, None);
                Ok(())
            })
            .await?;
        }
        None => {}
    }
    drop(fifo);
    Ok((receiver.filter(|_| relay.is_some()), sight?))
}

/// A fifo that only its user can open; `None` where there is no place for one whose name means itself everywhere.
fn fifo() -> Option<(TempDir, PathBuf)> {
    let folders = [std::env::temp_dir(), PathBuf::from("/tmp")];
    let folder = folders
        .iter()
        .find(|folder| folder.is_absolute() && pipe::is_plain(folder))?;
    let folder = tempfile::Builder::new()
        .prefix("tmux-status-")
        .tempdir_in(folder)
        .ok()?;
    let path = folder.path().join("out");
    make_fifo(&path)?;
    Some((folder, path))
}

fn make_fifo(path: &Path) -> Option<()> {
    // A program, since not every system lets it be done by a call that is safe.
    let mut command = Command::new("mkfifo");
    command.args(["-m", "600"]).arg(path);
    let made = child::run(&mut command, None, PATIENCE, || ()).ok()??;
    made.0.success.then_some(())
}

/// Waits for the line with which the program at the other end says that it is there. Until then the fifo looks closed.
async fn greeting(receiver: &Receiver) -> Option<u32> {
    let (mut byte, mut line) = ([0; 1], Vec::new());
    loop {
        match receiver.try_read(&mut byte) {
            Ok(1) if byte == *b"\n" => return std::str::from_utf8(&line).ok()?.trim().parse().ok(),
            Ok(1) => line.extend(byte),
            Ok(_) => sleep(Duration::from_millis(2)).await,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                // With a writer that has not written yet.
                let _ = timeout(Duration::from_millis(20), receiver.readable()).await;
            }
            Err(_) => return None,
        }
    }
}
