//! `next`: jumps to the window that needs its user.

use crate::classify::{self, Rules};
use crate::cli::ServerArgs;
use crate::fault::Fault;
use crate::reader::Look;
use crate::refresh::{self, How, Pipeline};
use crate::status::next::{targets, Way};
use crate::status::state::State;
use crate::tmux::client;
use crate::tmux::command::{Failure, Tmux};
use crate::tmux::seat::{self, Hints, Seat, Standpoint};
use crate::upkeep::{self, Pace};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;
use std::rc::Rc;

/// Where to go.
#[derive(Debug, Args)]
pub struct NextArgs {
    /// Go the other way: from the least pressing to the most
    #[arg(long)]
    pub previous: bool,
    /// The tmux client that jumps; without it, the one that shows this pane or popup
    #[arg(long, value_name = "CLIENT")]
    pub client: Option<String>,
    /// Where that client is, as the key tells it
    #[arg(long, hide = true, requires = "client")]
    pub at: Option<Standpoint>,
    /// Where the state is, as the key tells it
    #[arg(long, hide = true, requires = "at")]
    pub state: Option<String>,
}

/// Runs it.
///
/// # Errors
/// When there is no client, when the server cannot be looked at, or when tmux refuses.
pub fn run(args: &NextArgs, server: &ServerArgs) -> Result<u8> {
    let tmux = Tmux::new(server.socket());
    let seat = who(args, server, &tmux)?;
    let way = if args.previous { Way::Back } else { Way::Forth };
    let line = match jump(&tmux, &seat, way) {
        Ok(None) => return Ok(0),
        Ok(Some(nobody)) => Ok(nobody),
        Err(error) => Err(error),
    };
    let words = match &line {
        Ok(nobody) => (*nobody).to_owned(),
        Err(error) => format!("tmux-status: {error:#}"),
    };
    // What the key runs has no other place to speak.
    client::message(&tmux, &seat.client, &words)?;
    line.map(|_| 0)
}

/// The client that is to jump, and where it is.
fn who(args: &NextArgs, server: &ServerArgs, tmux: &Tmux) -> Result<Seat> {
    if let (Some(name), Some(at)) = (&args.client, args.at) {
        return Ok(Seat {
            client: name.clone(),
            at,
            state: args.state.as_ref().map(PathBuf::from),
        });
    }
    let hints = Hints {
        client: args.client.clone(),
        pane: server.own_pane(),
        session: server.own_session(),
    };
    let found = seat::find(tmux, &hints).map_err(|failure| refusal(tmux, &failure))?;
    let what = || match &args.client {
        Some(name) => format!("there is no client {name}"),
        None => "no client is attached".to_owned(),
    };
    Ok(found.ok_or_else(|| {
        Fault::new(
            format!("cannot jump in the tmux server at {}: {}", tmux.socket(), what()),
            "tmux list-clients names them; tmux attach makes one",
        )
    })?)
}

/// Jumps; the words for it where there is nowhere to go.
fn jump(tmux: &Tmux, seat: &Seat, way: Way) -> Result<Option<&'static str>> {
    let state = state(tmux, seat)?;
    let Standpoint { session, window, .. } = seat.at;
    for spot in targets(&state, session, window, way, refresh::now_ms() / 1000) {
        // One that has vanished since calls nobody.
        if client::reach(tmux, &seat.client, spot).map_err(|failure| refusal(tmux, &failure))? {
            return Ok(None);
        }
    }
    let calls = state.windows.get(&window).is_some_and(|known| known.calls().is_some());
    Ok(Some(if calls {
        "No other window needs you"
    } else {
        "No window needs you"
    }))
}

/// What the file says where a driver keeps it true; else what a look says.
fn state(tmux: &Tmux, seat: &Seat) -> Result<Rc<State>> {
    if let Some(path) = seat.state.as_ref().filter(|_| seat.at.driven) {
        let look = Look::read(path);
        if look.state.server.is_some() && !look.ended {
            return Ok(Rc::new(look.state));
        }
    }
    let (rules, _) = Rules::load(classify::user_folder().as_deref());
    let outcome = upkeep::refresh(
        &mut Pipeline::new(tmux.clone(), rules),
        How::default(),
        &mut Pace::default(),
    )?;
    Ok(outcome.state)
}

fn refusal(tmux: &Tmux, failure: &Failure) -> Fault {
    Fault {
        what: format!("cannot jump in the tmux server at {}: {failure}", tmux.socket()),
        ..refresh::refusal(tmux, failure)
    }
}
