//! A tmux server that is there for MCP alone: started when it is missing, ended by the process that started it once no
//! other uses it.
//!
//! Each process that uses it holds a shared lock. The one that started it takes that lock for itself when it goes: if it
//! gets it, nobody else is left. One that was killed with -9 leaves the server running; nobody else ends it.

use super::startup::DEDICATED;
use crate::fault::Fault;
use crate::status::lock::Lock;
use crate::tmux::command::Tmux;
use crate::tmux::drive::daemon;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long another process may take to start or to end the server.
const PATIENCE: Duration = Duration::from_secs(10);

/// Our part in such a server.
#[derive(Debug)]
pub struct Daemon {
    tmux: Tmux,
    lease: Lock,
    path: PathBuf,
    /// What the server that we have started says of itself.
    mark: Option<String>,
}

impl Daemon {
    /// Takes part; starts the server if it is missing and `may_start`.
    ///
    /// # Errors
    /// When the lock cannot be had, or the server cannot be started.
    pub fn join(tmux: &Tmux, may_start: bool) -> Result<Self> {
        let socket = tmux.socket().path();
        let folder = socket.parent().unwrap_or(Path::new("/"));
        make_folder(folder)?;
        let path = folder.join(format!("{DEDICATED}.lease"));
        let lease = Lock::share(&path, PATIENCE)?;
        let mark = if may_start && tmux.socket().nobody_listens() {
            start(tmux)?
        } else {
            None
        };
        Ok(Self {
            tmux: tmux.clone(),
            lease,
            path,
            mark,
        })
    }

    /// Whether this process has started it, with the configuration that it ships.
    pub fn is_ours(&self) -> bool {
        self.mark.is_some()
    }

    /// Takes part no more, and ends the server if it is ours and nobody else takes part.
    pub fn leave(self) {
        let Some(mark) = self.mark else { return };
        // Two that share cannot both have it: first let go, then try.
        drop(self.lease);
        if let Ok(Some(_alone)) = Lock::try_take(&self.path) {
            // Only if it still is the one that was started; one that has ended meanwhile is as good.
            let _ = daemon::stop(&self.tmux, &mark);
        }
    }
}

fn make_folder(folder: &Path) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let made = fs::DirBuilder::new().mode(0o700).recursive(true).create(folder);
    made.with_context(|| format!("cannot make the folder {}", folder.display()))
}

/// Starts it; its mark, unless another process was faster and it has that one's.
fn start(tmux: &Tmux) -> Result<Option<String>> {
    let config = tempfile::Builder::new().prefix("tmux-status-mcp-").tempfile();
    let config = config.context("cannot write a configuration for a server of its own")?;
    let mark = daemon::mark();
    fs::write(config.path(), daemon::configuration(&mark)).context("cannot write a configuration")?;
    let says = daemon::start(tmux, config.path()).map_err(|failure| {
        Fault::new(
            format!("cannot start a tmux server of its own at {}: {failure}", tmux.socket()),
            "without --dedicated, your own server is used",
        )
    })?;
    Ok((says == mark).then_some(mark))
}
