//! Whether somebody wants to stop: SIGINT or SIGTERM.

use crate::workspace::refusal::{Code, Refusal};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How often is looked while time passes.
const STEP: Duration = Duration::from_millis(20);

/// The signal that has come, if one has.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    signal: Arc<AtomicUsize>,
    /// Whether a signal ends this process at once.
    ends: Arc<AtomicBool>,
}

impl Stop {
    /// Listens from now on: the signals end nothing by themselves any more.
    ///
    /// # Errors
    /// When the system refuses to tell of signals.
    pub fn listen() -> io::Result<Self> {
        let stop = Self::default();
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_default(signal, Arc::clone(&stop.ends))?;
            flag::register_usize(signal, Arc::clone(&stop.signal), usize::try_from(signal).unwrap_or(1))?;
        }
        Ok(stop)
    }

    /// Whether one has come.
    pub fn is_wanted(&self) -> bool {
        self.signal.load(Ordering::Relaxed) != 0
    }

    /// Does something that waits for a person, during which a signal ends this process as ever.
    pub fn aside<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.ends.store(true, Ordering::Relaxed);
        let done = wait();
        self.ends.store(false, Ordering::Relaxed);
        done
    }

    /// Goes on unless one has come.
    ///
    /// # Errors
    /// When one has.
    pub fn check(&self) -> Result<(), Refusal> {
        let name = match i32::try_from(self.signal.load(Ordering::Relaxed)) {
            Ok(0) => return Ok(()),
            Ok(SIGINT) => "SIGINT",
            _ => "SIGTERM",
        };
        Err(Refusal::new(Code::Interrupted, format!("interrupted by {name}")))
    }

    /// Lets time pass.
    ///
    /// # Errors
    /// When a signal comes.
    pub fn sleep(&self, time: Duration) -> Result<(), Refusal> {
        let start = Instant::now();
        loop {
            self.check()?;
            match time.checked_sub(start.elapsed()) {
                Some(left) if !left.is_zero() => thread::sleep(left.min(STEP)),
                _ => return Ok(()),
            }
        }
    }
}
