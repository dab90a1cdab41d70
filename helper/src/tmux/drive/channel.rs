//! Channels: what `wait-for` waits for.
//!
//! tmux forgets no waiter: one whose process was killed still takes the next signal. So a wait that is given up takes
//! itself back with a signal of its own, and a variable in the server says, in the same instant, whether it still waits.
//! Where another process waits for the same channel, that signal would lie to it, and is not given: the next one will find
//! both.

use super::super::command::{data, Failure, Tmux};
use super::super::listing::nonce;
use super::super::server::Socket;
use super::ask;
use crate::process::{environment, Table};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, ChildStdout};
use std::time::Duration;

/// How long giving up may take when there is nobody left to tell.
const LAST_MOMENT: Duration = Duration::from_secs(1);

/// Signals a channel: who waits goes on. If nobody does, the next one will not have to; a second signal takes that back.
///
/// # Errors
/// See [`Failure`].
pub fn signal(tmux: &Tmux, channel: &str) -> Result<(), Failure> {
    ask(tmux, &["wait-for", "-S", "--", &data(channel)]).map(drop)
}

/// A tmux process that waits. Dropped, it waits no more.
#[derive(Debug)]
pub struct Waiter {
    tmux: Tmux,
    /// As the client named it.
    channel: String,
    mark: String,
    child: Child,
    over: bool,
}

/// What a [`Waiter`] prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// The server knows that it waits, or need not wait.
    Waits,
    /// It was signalled.
    Signalled,
    /// It goes on because the server ends.
    Ends,
    /// One of both.
    Unclear,
}

impl Waiter {
    /// Starts one, and what it prints.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(tmux: &Tmux, channel: &str) -> Result<(Self, ChildStdout), Failure> {
        let (mark, operand) = (nonce(), data(channel));
        let variable = variable(&mark);
        let line = |said| line(&mark, said);
        let waits = line(Said::Waits);
        // A server that ends has no sessions any more when it lets those go who wait. One may live without, if it is set to.
        let woken = format!(
            "#{{?#{{S:x}},{},#{{?exit-empty,{},{}}}}}",
            line(Said::Signalled),
            line(Said::Ends),
            line(Said::Unclear)
        );
        let set = ["set-environment", "-gh", &variable, "1", ";"];
        let wait = ["display-message", "-p", &waits, ";", "wait-for", "--", &operand, ";"];
        let unset = ["set-environment", "-gu", &variable, ";"];
        let tell = ["display-message", "-p", &woken];
        let args = [&set[..], &wait, &unset, &tell].concat();
        let mut child = tmux.start(&args).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Failure::NotInstalled,
            _ => Failure::Io(error),
        })?;
        let output = child.stdout.take();
        let waiter = Self {
            tmux: tmux.clone(),
            channel: channel.to_owned(),
            mark,
            child,
            over: false,
        };
        let output = output.ok_or_else(|| Failure::Io(std::io::Error::other("it has no output")))?;
        Ok((waiter, output))
    }

    /// What a line of its output says.
    pub fn said(&self, text: &str) -> Option<Said> {
        let all = [Said::Waits, Said::Signalled, Said::Ends, Said::Unclear];
        all.into_iter().find(|said| line(&self.mark, *said) == text)
    }

    /// Collects a process that has ended by itself.
    pub fn ended(mut self) {
        self.collect();
    }

    /// The same where that says nothing; looks whether the server lives.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn ended_unclear(mut self) -> Result<(), Failure> {
        self.collect();
        ask(&self.tmux, &["display-message", "-p", "x"]).map(drop)
    }

    /// Gives up; whether a signal came first.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn give_up(mut self) -> Result<bool, Failure> {
        self.take_back()
    }

    fn take_back(&mut self) -> Result<bool, Failure> {
        let variable = variable(&self.mark);
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let mut commands = vec![
            words(&["set-environment", "-gu", &variable]),
            words(&["display-message", "-p", &self.mark]),
        ];
        if self.is_alone() {
            commands.push(words(&["wait-for", "-S", "--", &self.channel]));
        }
        let answer = self.tmux.effect_if(&format!("#{{{variable}}}"), &commands);
        self.collect();
        let waited = String::from_utf8_lossy(&answer?.stdout).trim() == self.mark;
        Ok(!waited)
    }

    /// Whether nobody else waits for that channel, as far as this system's processes tell.
    fn is_alone(&self) -> bool {
        let clients = Table::read().arguments("tmux");
        let mut others = clients.iter().filter(|(pid, _)| *pid != self.child.id());
        let operand = data(&self.channel);
        !others.any(|(pid, args)| {
            (waits_for(args, &self.channel) || waits_for(args, &operand)) && self.may_be_at_ours(*pid, args)
        })
    }

    /// Whether a tmux client may talk to the same server.
    fn may_be_at_ours(&self, pid: u32, args: &[String]) -> bool {
        let ours = self.tmux.socket().path();
        let behind = |flag: &str| args.iter().skip_while(|arg| *arg != flag).nth(1);
        if let Some(path) = behind("-S") {
            return Socket::resolve(Some(Path::new(path)), None).path() == ours;
        }
        if let Some(name) = behind("-L") {
            return ours.file_name() == Some(OsStr::new(name));
        }
        let variable = environment(pid, &["TMUX"]).and_then(|values| values.into_iter().next().flatten());
        let variable = variable.and_then(|value| value.into_string().ok());
        // The path may hold commas itself.
        let path = variable.as_deref().and_then(|value| value.rsplitn(3, ',').nth(2));
        path.is_none_or(|path| Socket::resolve(Some(Path::new(path)), None).path() == ours)
    }

    fn collect(&mut self) {
        self.over = true;
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        if !self.over {
            self.tmux = self.tmux.clone().within(LAST_MOMENT);
            let _ = self.take_back();
        }
    }
}

fn variable(mark: &str) -> String {
    format!("TMUX_STATUS_WAIT_{mark}")
}

fn line(mark: &str, said: Said) -> String {
    let letter = match said {
        Said::Waits => 'w',
        Said::Signalled => 's',
        Said::Ends => 'e',
        Said::Unclear => 'u',
    };
    format!("{mark}{letter}")
}

/// Whether `args` are those of a tmux process that waits for `channel`.
fn waits_for(args: &[String], channel: &str) -> bool {
    let mut rest = args.iter().skip_while(|arg| !arg.starts_with("wait"));
    let _command = rest.next();
    rest.find(|arg| *arg != "--").is_some_and(|arg| arg == channel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_waits_is_told_from_one_that_signals() {
        let args = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for waits in [
            "tmux wait-for x",
            "tmux -L y wait -- x",
            "tmux display -p ; wait-for -- x ; y",
        ] {
            assert!(waits_for(&args(waits), "x"), "{waits}");
        }
        for not in [
            "tmux wait-for -S x",
            "tmux wait-for y",
            "tmux attach -t x",
            "x",
            "tmux wait-for",
        ] {
            assert!(!waits_for(&args(not), "x"), "{not}");
        }
    }
}
