//! What every call shares: the server that is talked to, what is offered, and what must not be told.

use super::caller::Caller;
use super::guard::Reservations;
use super::outcome::Problem;
use super::select::Selection;
use super::startup::Chosen;
use super::tap::Taps;
use super::typed::Typed;
use crate::text;
use crate::tmux::command::Tmux;
use crate::tmux::version;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is known of the server's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Configuration {
    /// Nothing: it ran before, or may run later, with whatever its user has set.
    Unknown,
    /// This process started it with the configuration that it ships.
    Shipped,
    /// The one who started this process says which; nobody has checked.
    Claimed,
}

impl Configuration {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Shipped => "shipped-minimal",
            Self::Claimed => "operator-claimed",
        }
    }
}

/// What every call shares.
#[derive(Debug)]
pub struct Host {
    /// The server.
    pub tmux: Tmux,
    /// Whether it has said that its version will do.
    pub new_enough: AtomicBool,
    /// What is offered.
    pub selection: Selection,
    /// How the socket was chosen.
    pub chosen: Chosen,
    /// Whether a server was there when this process began.
    pub existed: bool,
    /// What is known of its configuration.
    pub configuration: Configuration,
    /// The configuration that was named.
    pub config: Option<PathBuf>,
    /// The pane that this process runs in.
    pub caller: Caller,
    /// Environment variables whose values may be told.
    pub told: BTreeSet<String>,
    /// Process ids of tmux clients that this process keeps attached: nobody looks at those.
    pub observers: Observers,
    /// Panes that a command of ours runs in.
    pub reserved: Reservations,
    /// What we have typed.
    pub typed: Typed,
    /// Panes whose output is followed.
    pub taps: Taps,
}

impl Host {
    /// Runs `work` in a thread for blocking work, beside everything else.
    ///
    /// # Errors
    /// Those of `work`.
    pub async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Host) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let host = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || work(&host)).await;
        done.unwrap_or_else(|error| Err(Problem::refused(format!("the call broke off: {error}"))))
    }

    /// Asks the server for its version, once: much would work on one that is too old, and some of it wrongly.
    ///
    /// # Errors
    /// When it is too old, or does not answer. Where there is none, the call itself says so.
    pub async fn check_version(self: &Arc<Self>) -> Result<(), Problem> {
        if self.new_enough.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.ask(|host| {
            let is = version::is_new_enough(&host.tmux)?;
            host.new_enough.store(is, Ordering::Relaxed);
            Ok(())
        })
        .await
    }

    /// Names the server in the commands of hints, with a blank before it; nothing where they find it by themselves.
    pub fn flag(&self) -> String {
        match self.chosen {
            Chosen::Current | Chosen::Default => String::new(),
            _ => format!(" -S {}", text::for_shell(&self.tmux.socket().to_string())),
        }
    }

    /// Notes that the tmux client with that process id is ours, until the answer is dropped.
    pub fn observe(self: &Arc<Self>, pid: u32) -> Observer {
        self.observers.lock().insert(pid);
        Observer {
            host: Arc::clone(self),
            pid,
        }
    }
}

/// Process ids of tmux clients of ours.
#[derive(Debug, Default)]
pub struct Observers(Mutex<BTreeSet<u32>>);

impl Observers {
    /// All of them.
    pub fn pids(&self) -> BTreeSet<u32> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<u32>> {
        // A set of numbers is whole whatever broke off beside it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A tmux client of ours, while it is kept.
#[derive(Debug)]
pub struct Observer {
    host: Arc<Host>,
    pid: u32,
}

impl Drop for Observer {
    fn drop(&mut self) {
        self.host.observers.lock().remove(&self.pid);
    }
}
