//! What the driver does between two looks: it sleeps until the next one is due, a hook wakes it, or a signal comes.

use crate::tmux::command::Tmux;
use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;
use std::io::Read;
use std::process::Child;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How long to let a storm go on before looking: fifty windows opened in a loop cost a few looks, not fifty.
const DEBOUNCE: Duration = Duration::from_millis(40);

/// How soon after the last look the next one may begin, whoever asks for it: events without end cost five looks a second.
const SPACING: Duration = Duration::from_millis(200);

/// Why a rest is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The next look is due.
    Due,
    /// A hook asked for a look.
    Woken,
    /// Somebody asked for a look at everything (SIGUSR1).
    Asked,
    /// A signal asked to end.
    End,
}

enum Event {
    /// The process with that number, which waits at the server, has ended.
    Ended(u64),
    Signal(i32),
}

/// Sleeps, and is woken.
pub struct Rest {
    events: Receiver<Event>,
    send: Sender<Event>,
    channel: String,
    /// The process that waits at the server, and its number.
    waiting: Option<Child>,
    number: u64,
}

impl Rest {
    /// Listens for signals.
    ///
    /// # Errors
    /// When that cannot be done.
    pub fn new() -> Result<Self> {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM, SIGUSR1]).context("cannot listen for signals")?;
        let (send, events) = mpsc::channel();
        let to = send.clone();
        thread::Builder::new()
            .spawn(move || signals.forever().try_for_each(|signal| to.send(Event::Signal(signal))))
            .context("cannot listen for signals")?;
        Ok(Self {
            events,
            send,
            channel: String::new(),
            waiting: None,
            number: 0,
        })
    }

    /// Waits at the server's `channel` from now on.
    pub fn listen(&mut self, tmux: &Tmux, channel: &str) {
        self.hang_up();
        channel.clone_into(&mut self.channel);
        self.wait_at_server(tmux);
    }

    /// Ends the process that waits at the server.
    pub fn hang_up(&mut self) {
        self.channel.clear();
        if let Some(mut child) = self.waiting.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Sleeps until `end` at the latest, after a look that began at `began`.
    pub fn until(&mut self, began: Instant, end: Instant, tmux: &Tmux) -> Why {
        // One that failed is tried again once a look: a server that hangs or has gone is found out by looking.
        let tried = self.waiting.is_none() && !self.channel.is_empty();
        if tried {
            self.wait_at_server(tmux);
        }
        loop {
            match self.events.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Event::Signal(SIGUSR1)) => return Why::Asked,
                Ok(Event::Signal(_)) | Err(RecvTimeoutError::Disconnected) => return Why::End,
                Ok(Event::Ended(number)) if number != self.number => {}
                Ok(Event::Ended(_)) => {
                    let woken = self
                        .waiting
                        .take()
                        .is_some_and(|mut child| child.wait().is_ok_and(|s| s.success()));
                    if woken {
                        // At once, so that no signal goes by meanwhile.
                        self.wait_at_server(tmux);
                    } else if tried {
                        // A look would be no better off than this was.
                        continue;
                    }
                    let left = (began + SPACING).saturating_duration_since(Instant::now());
                    thread::sleep(left.max(DEBOUNCE));
                    return Why::Woken;
                }
                Err(RecvTimeoutError::Timeout) => return Why::Due,
            }
        }
    }

    fn wait_at_server(&mut self, tmux: &Tmux) {
        let Ok(mut child) = tmux.start(&["wait-for", &self.channel]) else {
            return;
        };
        self.number += 1;
        let (number, send, out) = (self.number, self.send.clone(), child.stdout.take());
        let listen = move || {
            // Nothing is printed: the pipe closes when the process ends.
            let _ = out.map(|mut out| out.read_to_end(&mut Vec::new()));
            let _ = send.send(Event::Ended(number));
        };
        // Without a thread nobody would hear it: looks that are due go on.
        match thread::Builder::new().spawn(listen) {
            Ok(_) => self.waiting = Some(child),
            Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }
}

impl Drop for Rest {
    fn drop(&mut self) {
        self.hang_up();
    }
}
