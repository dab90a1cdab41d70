//! Where to jump: the windows that call their user, in the order in which one press after the other visits them.

use super::state::State;
use super::window::KnownWindow;
use crate::model::{Need, SessionId, WindowId};
use crate::tmux::client::Spot;

/// How long a window that stopped calling when it was visited keeps its place in the order, in seconds: who presses again
/// within it goes on from there, not from the start.
const PASSING: u64 = 30;

/// Which way to go through the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From the most pressing to the least.
    Forth,
    /// The other way round.
    Back,
}

/// All the windows that call, in the order to try them, for one who is in `session` at `window` at the epoch second `now`:
/// from a window that calls on to the next one and around, from any other to the most pressing one. A window that sessions
/// share is visited in the asker's own, where it is in it.
pub fn targets(state: &State, session: SessionId, window: WindowId, way: Way, now: u64) -> Vec<Spot> {
    let calling = state.windows.iter().filter(|(_, known)| known.calls().is_some());
    let mut order: Vec<_> = calling.map(|(id, known)| (known.urgency(), *id)).collect();
    order.sort_unstable();
    let here = state.windows.get(&window).and_then(|known| place(known, now));
    if let Some(here) = here {
        let passed = order.partition_point(|other| *other <= (here, window));
        order.rotate_left(passed);
    }
    order.retain(|(_, id)| *id != window);
    if way == Way::Back {
        order.reverse();
    }
    let target = |(_, id): (_, WindowId)| {
        let links = || state.places().filter(|place| place.link.window == id);
        let place = links()
            .find(|place| place.session.id == session)
            .or_else(|| links().next())?;
        Some(Spot {
            session: place.session.id,
            window: id,
            pane: place.window.pane,
        })
    };
    order.into_iter().filter_map(target).collect()
}

/// A window's place in the order, also when it has just stopped calling because it was looked at.
fn place(known: &KnownWindow, now: u64) -> Option<(bool, Option<Need>, u64)> {
    if known.calls().is_some() {
        return Some(known.urgency());
    }
    match known.transitions.as_slice() {
        [.., called, seen]
            if matches!(called.need, Some(Need::Failed | Need::Done))
                && seen.need.is_none()
                && now.saturating_sub(seen.at) <= PASSING =>
        {
            Some((false, called.need, called.at))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::KnownSession;
    use super::super::window::{tests::window, Transition};
    use super::*;
    use crate::model::{Link, PaneId, StatusKind};

    /// Windows @1, @2 … of one session, each with its need and since when.
    fn state(needs: &[(Option<Need>, u64)]) -> State {
        let mut state = State::default();
        let ids = (1..).map(WindowId);
        for (id, (need, since)) in ids.zip(needs) {
            let mut known = window(StatusKind::Waiting, *need);
            known.need_since = need.map(|_| *since);
            known.pane = PaneId(id.0 + 10);
            state.windows.insert(id, known);
        }
        state.sessions = vec![session(1, state.windows.keys().copied())];
        state
    }

    fn session(id: u32, windows: impl Iterator<Item = WindowId>) -> KnownSession {
        let link = |(index, window)| Link {
            window,
            index,
            active: false,
        };
        KnownSession {
            id: SessionId(id),
            name: "s".into(),
            attached: 1,
            activity: None,
            windows: (0..).zip(windows).map(link).collect(),
        }
    }

    fn visits(state: &State, from: u32, way: Way) -> Vec<u32> {
        let targets = targets(state, SessionId(1), WindowId(from), way, 100);
        targets.iter().map(|target| target.window.0).collect()
    }

    const ASKED: Option<Need> = Some(Need::Question);

    #[test]
    fn the_most_pressing_comes_first_then_the_longest_waiting_and_back_is_the_other_way_round() {
        let state = state(&[
            (None, 0),
            (Some(Need::Done), 1),
            (ASKED, 9),
            (ASKED, 5),
            (Some(Need::Permission), 50),
        ]);
        assert_eq!(visits(&state, 1, Way::Forth), [5, 4, 3, 2]);
        assert_eq!(visits(&state, 1, Way::Back), [2, 3, 4, 5]);
    }

    #[test]
    fn pressing_again_goes_through_all_of_them_and_around() {
        let state = state(&[(None, 0), (ASKED, 3), (ASKED, 2), (ASKED, 1)]);
        for (way, round) in [(Way::Forth, [4, 3, 2, 4]), (Way::Back, [2, 3, 4, 2])] {
            let mut at = 1;
            let visited = round.map(|_| {
                at = visits(&state, at, way)[0];
                at
            });
            assert_eq!(visited, round, "{way:?}");
        }
    }

    #[test]
    fn a_window_that_was_just_seen_keeps_its_place_for_a_while() {
        let mut state = state(&[(ASKED, 3), (None, 0), (Some(Need::Done), 60)]);
        let at = |at, need| Transition {
            at,
            kind: StatusKind::Waiting,
            need,
        };
        let seen = |state: &mut State, when| {
            let window = state.windows.get_mut(&WindowId(2)).unwrap();
            window.transitions = vec![at(50, Some(Need::Done)), at(when, None)];
        };
        seen(&mut state, 90);
        assert_eq!(visits(&state, 2, Way::Forth), [3, 1]);
        assert_eq!(visits(&state, 2, Way::Back), [1, 3]);
        seen(&mut state, 60);
        assert_eq!(visits(&state, 2, Way::Forth), [1, 3]);
    }

    #[test]
    fn parked_and_ignored_windows_are_passed_over_and_alone_one_goes_nowhere() {
        let mut state = state(&[(ASKED, 1), (ASKED, 2), (ASKED, 3)]);
        state.windows.get_mut(&WindowId(2)).unwrap().parked = true;
        state.windows.get_mut(&WindowId(3)).unwrap().ignored = true;
        assert_eq!(visits(&state, 2, Way::Forth), [1]);
        assert_eq!(visits(&state, 1, Way::Forth), [0; 0]);
    }

    #[test]
    fn a_linked_window_is_visited_in_ones_own_session() {
        let mut state = state(&[(ASKED, 1), (ASKED, 2)]);
        state.sessions.push(session(2, [WindowId(2), WindowId(3)].into_iter()));
        state.windows.insert(WindowId(3), window(StatusKind::Waiting, None));
        let sessions = |own| {
            let targets = targets(&state, SessionId(own), WindowId(3), Way::Forth, 100);
            targets
                .iter()
                .map(|target| (target.session.0, target.pane.0))
                .collect::<Vec<_>>()
        };
        assert_eq!(sessions(2), [(1, 11), (2, 12)]);
        assert_eq!(sessions(1), [(1, 11), (1, 12)]);
    }
}
