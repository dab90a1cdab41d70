//! Which client someone sits at, and where it is: what a jump needs to know.

use super::command::{Failure, Tmux};
use super::hook;
use super::option::PUBLISHED_STATE;
use crate::model::{PaneId, SessionId, WindowId};
use std::path::PathBuf;
use std::str::FromStr;

/// Where a client is. A key binding can tell it without a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standpoint {
    /// The session that it is attached to.
    pub session: SessionId,
    /// That session's current window.
    pub window: WindowId,
    /// Whether a driver lives in its server, so that the state is of this moment.
    pub driven: bool,
}

/// A format that prints a [`Standpoint`] as it is read: ids and a digit.
pub fn standpoint_format() -> String {
    format!("#{{session_id}} #{{window_id}} {}", hook::driver_lives_format())
}

impl FromStr for Standpoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split(' ').collect();
        let [session, window, driven] = words.as_slice() else {
            return Err(format!("no session, window and driver: {text:?}"));
        };
        Ok(Self {
            session: session.parse()?,
            window: window.parse()?,
            driven: *driven == "1",
        })
    }
}

/// A client, for one who sits at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// Its name to tmux.
    pub client: String,
    /// Where it is.
    pub at: Standpoint,
    /// Where its server says that our state is.
    pub state: Option<PathBuf>,
}

/// What is known of the client that is meant.
#[derive(Debug, Clone, Default)]
pub struct Hints {
    /// Its name; the others do not matter then.
    pub client: Option<String>,
    /// A pane that it most likely shows.
    pub pane: Option<PaneId>,
    /// The session that it most likely is attached to: all that a popup knows.
    pub session: Option<SessionId>,
}

/// The client that is meant: the named one, else the one that shows the pane, else one of the session, else any; of
/// several the one that was used last. `None` when there is none.
///
/// # Errors
/// See [`Failure`].
pub fn find(tmux: &Tmux, hints: &Hints) -> Result<Option<Seat>, Failure> {
    let format = format!(
        "#{{client_name}}\t{}\t#{{client_activity}}\t#{{P:#{{pane_id}} }}\t#{{{PUBLISHED_STATE}}}",
        standpoint_format()
    );
    let answer = tmux.effect(&["list-clients", "-F", &format])?;
    let text = String::from_utf8_lossy(&answer.stdout);
    Ok(choose(&text, hints))
}

fn choose(listing: &str, hints: &Hints) -> Option<Seat> {
    let pane = hints.pane.map(|pane| pane.to_string());
    let seat = |line: &str| {
        let fields: Vec<&str> = line.splitn(5, '\t').collect();
        let [name, at, activity, panes, state] = fields.as_slice() else {
            return None;
        };
        let at: Standpoint = at.parse().ok()?;
        let shows = pane
            .as_deref()
            .is_some_and(|pane| panes.split(' ').any(|id| id == pane));
        let rank = (shows, hints.session == Some(at.session), activity.parse::<u64>().ok());
        let seat = Seat {
            client: (*name).to_owned(),
            at,
            state: state.starts_with('/').then(|| PathBuf::from(state)),
        };
        Some((rank, seat))
    };
    let meant = |seat: &Seat| hints.client.as_ref().is_none_or(|name| *name == seat.client);
    let seats = listing.lines().filter_map(seat).filter(|(_, seat)| meant(seat));
    seats.max_by_key(|(rank, _)| *rank).map(|(_, seat)| seat)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = "/dev/pts/1\t$0 @1 1\t50\t%1 %2 \t/x/s\n/dev/pts/2\t$0 @3 1\t90\t%3 \t/x/s\n\
        /dev/pts/3\t$2 @4 1\t70\t%4 \t\nodd\n";

    #[test]
    fn the_client_that_is_meant_is_named_or_shows_the_pane_or_is_in_the_session_or_was_used_last() {
        let name = |hints: Hints| choose(LISTING, &hints).map(|seat| seat.client);
        let pane = |id| Hints {
            pane: Some(PaneId(id)),
            session: Some(SessionId(0)),
            ..Hints::default()
        };
        assert_eq!(name(pane(2)).as_deref(), Some("/dev/pts/1"));
        assert_eq!(
            name(pane(4)).as_deref(),
            Some("/dev/pts/3"),
            "the pane goes before the session"
        );
        assert_eq!(name(pane(9)).as_deref(), Some("/dev/pts/2"));
        assert_eq!(name(Hints::default()).as_deref(), Some("/dev/pts/2"));
        let named = |name: &str| Hints {
            client: Some(name.to_owned()),
            ..pane(1)
        };
        assert_eq!(name(named("/dev/pts/3")).as_deref(), Some("/dev/pts/3"));
        assert_eq!(name(named("/dev/pts/9")), None);
    }

    #[test]
    fn a_standpoint_is_two_ids_and_a_digit() {
        let at: Standpoint = "$1 @2 1".parse().unwrap();
        assert_eq!((at.session, at.window, at.driven), (SessionId(1), WindowId(2), true));
        assert!(!"$1 @2 0".parse::<Standpoint>().unwrap().driven);
        for wrong in ["", "$1 @2", "$1 @2 1 x", "@2 $1 1", "; rm 1"] {
            assert!(wrong.parse::<Standpoint>().is_err(), "{wrong}");
        }
    }
}
