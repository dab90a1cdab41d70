//! The MCP server: lets a program with a model in it read and drive one tmux server, over standard input and output.
//!
//! `registry` says what a tool is, `tools/` has one file for each, `select` which of them are offered. `wire` reads and
//! writes lines, `server` answers them. Only here is there a runtime. Deliberately absent: any tmux command, which
//! `tmux/drive/` spells, and any tool that takes a socket: a process talks to one server.

pub mod batch;
pub mod caller;
pub mod daemon;
pub mod guard;
pub mod host;
pub mod id;
pub mod limits;
pub mod literal;
pub mod matching;
pub mod outcome;
pub mod plain;
pub mod registry;
pub mod resource;
pub mod select;
pub mod server;
pub mod shell_frame;
pub mod startup;
pub mod tap;
pub mod tools;
pub mod typed;
pub mod views;
pub mod wait;
pub mod wire;

use crate::fault::Fault;
use crate::tmux::command::Tmux;
use anyhow::Result;
use caller::Caller;
use daemon::Daemon;
use host::{Configuration, Host, Observers};
use rmcp::service::serve_directly;
use server::Server;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use startup::{Chosen, Startup};
use std::io;
use std::sync::Arc;
use std::thread;
use tokio::sync::mpsc::Sender;
use wire::{Input, Wire};

/// Serves until the client closes the pipe, or a signal ends this process.
///
/// # Errors
/// When a server of its own cannot be had, or no thread.
pub fn serve(startup: Startup) -> Result<()> {
    let tmux = Tmux::new(startup.socket.clone());
    let existed = !startup.socket.nobody_listens();
    let daemon = match startup.chosen {
        Chosen::Dedicated => Some(Daemon::join(&tmux, startup.config.is_none())?),
        _ => None,
    };
    let ours = daemon.as_ref().is_some_and(Daemon::is_ours);
    let configuration = match (ours, &startup.config) {
        (true, _) => Configuration::Shipped,
        (false, Some(_)) => Configuration::Claimed,
        (false, None) => Configuration::Unknown,
    };
    let variable = |name: &str| std::env::var_os(name);
    let caller = Caller::of(
        variable("TMUX").as_deref(),
        variable("TMUX_PANE").as_deref(),
        &startup.socket,
    );
    let host = Host {
        tmux,
        new_enough: false.into(),
        selection: startup.choice.settle(ours),
        chosen: startup.chosen,
        existed,
        configuration,
        config: startup.config,
        caller,
        told: startup.told,
        observers: Observers::default(),
        reserved: guard::Reservations::default(),
        typed: typed::Typed::default(),
        taps: tap::Taps::default(),
    };
    let served = run(host).map_err(|error| Fault::new(format!("cannot serve: {error}"), "try again"));
    if let Some(daemon) = daemon {
        daemon.leave();
    }
    Ok(served?)
}

/// One thread runs everything; what blocks has a few of its own.
fn run(host: Host) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(limits::THREADS)
        .build()?;
    let (wire, end) = Wire::open()?;
    end_on_signals(end)?;
    let host = Arc::new(host);
    let serving = Arc::clone(&host);
    runtime.block_on(async {
        let service = serve_directly(Server::new(serving), wire, None);
        // It can only break off if the runtime does.
        let _ = service.waiting().await;
    });
    // Threads that ask tmux are not waited for: nobody wants their answers.
    runtime.shutdown_background();
    host.taps.close_all(&host.tmux);
    Ok(())
}

fn end_on_signals(end: Sender<Input>) -> io::Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            // A second signal finds nobody, and has nothing to add.
            let _ = end.blocking_send(Input::End);
        }
    })?;
    Ok(())
}
