use super::super::window::tests;
use super::*;
use crate::model::StatusKind;

/// One window, looked at again and again.
struct Looks {
    wishes: Wishes,
    state: State,
    now_ms: u64,
}

const ID: WindowId = WindowId(1);

fn window(need: Option<Need>, summary: &str) -> KnownWindow {
    KnownWindow {
        summary: summary.into(),
        ..tests::window(StatusKind::Waiting, need)
    }
}

impl Looks {
    /// A window that needs nobody has been seen.
    fn new() -> Self {
        let mut looks = Self {
            wishes: Wishes::read("command", ""),
            state: State::default(),
            now_ms: 1_000_000_000,
        };
        looks.see(ID, window(None, ""), false, true);
        looks
    }

    fn see(&mut self, id: WindowId, window: KnownWindow, watched: bool, first: bool) {
        let before = self.state.windows.get(&id).cloned();
        let mut window = window.after(before.as_ref(), watched, self.now_ms / 1000);
        let moment = Moment {
            now_ms: self.now_ms,
            first,
            watched,
            wishes: &self.wishes,
        };
        window.notice = Notice::after(&window, before.as_ref(), &moment);
        self.state.windows.insert(id, window);
    }

    /// Looks again after so many milliseconds; how many windows are told of then.
    fn later(&mut self, ms: u64, need: Option<Need>, summary: &str) -> usize {
        self.later_with(ms, window(need, summary), false)
    }

    fn later_with(&mut self, ms: u64, window: KnownWindow, watched: bool) -> usize {
        self.now_ms += ms;
        self.see(ID, window, watched, false);
        take_due(&mut self.state, self.now_ms).len()
    }

    /// The same, the user looking at it.
    fn watched(&mut self, need: Option<Need>) -> usize {
        self.later_with(100, window(need, "?"), true)
    }
}

const ASKS: Option<Need> = Some(Need::Question);

#[test]
fn a_need_is_told_once_when_it_has_stood_for_a_second() {
    let mut looks = Looks::new();
    assert_eq!(looks.later(1000, ASKS, "?"), 0);
    assert_eq!(tell_at(&looks.state), Some(looks.now_ms + 1000));
    assert_eq!(looks.later(999, ASKS, "?"), 0);
    assert_eq!(looks.later(1, ASKS, "?"), 1);
    for _ in 0..100 {
        assert_eq!(looks.later(1000, ASKS, "?"), 0);
    }
    assert_eq!(tell_at(&looks.state), None);
}

#[test]
fn one_that_goes_away_at_once_is_not_told() {
    let mut looks = Looks::new();
    looks.later(1000, ASKS, "?");
    assert_eq!(looks.later(900, None, ""), 0);
    assert_eq!(looks.later(5000, None, ""), 0);
    looks.later(100, ASKS, "?");
    assert_eq!(looks.later(1000, ASKS, "?"), 1, "nobody knew of it yet");
}

#[test]
fn one_that_flickers_is_told_once() {
    let mut looks = Looks::new();
    let mut told = looks.later(1000, ASKS, "?") + looks.later(1000, ASKS, "?");
    for _ in 0..20 {
        told += looks.later(2000, None, "works");
        told += looks.later(2000, ASKS, "?");
    }
    assert_eq!(told, 1);
}

#[test]
fn another_question_soon_after_the_first_is_told_a_while_after_it() {
    let mut looks = Looks::new();
    looks.later(1000, ASKS, "one?");
    assert_eq!(looks.later(1000, ASKS, "one?"), 1);
    looks.later(1000, None, "works");
    looks.later(1000, ASKS, "two?");
    assert_eq!(looks.later(7000, ASKS, "two?"), 0);
    assert_eq!(looks.later(1000, ASKS, "two?"), 1);
}

#[test]
fn what_was_told_long_ago_is_told_again_when_it_comes_again() {
    let mut looks = Looks::new();
    for _ in 0..3 {
        looks.later(1000, ASKS, "?");
        assert_eq!(looks.later(1000, ASKS, "?"), 1);
        looks.later(20_000, None, "");
        looks.later(20_000, None, "");
    }
}

#[test]
fn a_need_becomes_another_one() {
    let mut looks = Looks::new();
    looks.later(1000, Some(Need::Done), "done");
    assert_eq!(looks.later(1000, Some(Need::Done), "done"), 1);
    looks.later(20_000, Some(Need::Permission), "may I?");
    assert_eq!(looks.later(1000, Some(Need::Permission), "may I?"), 1);
}

#[test]
fn a_window_that_is_looked_at_is_not_told_of_even_when_its_user_leaves() {
    let mut looks = Looks::new();
    looks.watched(ASKS);
    assert_eq!(looks.later(3000, ASKS, "?"), 0);
    assert_eq!(looks.later(3000, ASKS, "?"), 0);
    let mut looks = Looks::new();
    looks.later(1000, ASKS, "?");
    assert_eq!(looks.watched(ASKS), 0, "they came before it was told");
    assert_eq!(looks.later(3000, ASKS, "?"), 0);
    looks.later(1000, None, "works");
    looks.later(1000, ASKS, "another?");
    assert_eq!(looks.later(1000, ASKS, "another?"), 1, "they were there since");
}

#[test]
fn parked_and_ignored_windows_are_not_told_of_until_they_change() {
    let parked = |at, summary: &str| KnownWindow {
        parked_at: at,
        ..window(ASKS, summary)
    };
    let mut looks = Looks::new();
    looks.later(1000, ASKS, "?");
    assert_eq!(
        looks.later_with(900, parked(Some(1), "?"), false),
        0,
        "parked before it was told"
    );
    assert_eq!(looks.later_with(5000, parked(Some(1), "?"), false), 0);
    assert_eq!(
        looks.later_with(5000, parked(None, "?"), false),
        0,
        "its user has called it back"
    );
    assert_eq!(looks.later_with(5000, parked(None, "?"), false), 0);
    looks.later_with(20_000, parked(Some(2), "?"), false);
    looks.later_with(20_000, parked(Some(2), "another?"), false);
    assert_eq!(
        looks.later_with(1000, parked(Some(2), "another?"), false),
        1,
        "it changed"
    );

    let ignored = || KnownWindow {
        ignored: true,
        ..window(ASKS, "?")
    };
    let mut looks = Looks::new();
    looks.later_with(1000, ignored(), false);
    assert_eq!(looks.later_with(5000, ignored(), false), 0);
    looks.later(1000, ASKS, "?");
    assert_eq!(looks.later(5000, ASKS, "?"), 0, "it is no news");
}

#[test]
fn what_a_server_shows_at_first_is_no_news_but_a_new_window_is() {
    let mut looks = Looks::new();
    looks.see(WindowId(2), window(ASKS, "?"), false, true);
    looks.see(WindowId(3), window(ASKS, "?"), false, false);
    looks.now_ms += 5000;
    assert_eq!(take_due(&mut looks.state, looks.now_ms), [WindowId(3)]);
}

#[test]
fn what_nobody_wants_to_be_told_is_no_news_later_either() {
    let mut looks = Looks::new();
    for (ways, needs) in [("", ""), ("bell", "permission failed")] {
        looks.wishes = Wishes::read(ways, needs);
        looks.later(20_000, None, "");
        looks.later(20_000, ASKS, "?");
        assert_eq!(looks.later(5000, ASKS, "?"), 0);
        looks.wishes = Wishes::read("bell", "question");
        looks.later(1000, ASKS, "?");
        assert_eq!(looks.later(5000, ASKS, "?"), 0, "{ways} {needs}");
    }
    looks.later(20_000, None, "");
    looks.later(20_000, ASKS, "?");
    looks.wishes = Wishes::default();
    assert_eq!(looks.later(5000, ASKS, "?"), 0, "turned off before it was told");
}

#[test]
fn many_at_once_are_told_together_and_the_next_some_seconds_later() {
    let mut looks = Looks::new();
    let told: Vec<usize> = (0..200)
        .map(|step| {
            looks.now_ms += 100;
            // Fifty within five seconds.
            if step < 50 {
                looks.see(WindowId(10 + step), window(Some(Need::Failed), "x"), false, false);
            }
            take_due(&mut looks.state, looks.now_ms).len()
        })
        .filter(|told| *told > 0)
        .collect();
    assert_eq!(told.iter().sum::<usize>(), 50);
    assert!(told.len() <= 3, "{told:?}");

    let mut looks = Looks::new();
    for id in 10..60 {
        looks.now_ms += 10;
        looks.see(WindowId(id), window(Some(Need::Failed), "x"), false, false);
    }
    looks.see(WindowId(60), window(Some(Need::Permission), "x"), false, false);
    let at = tell_at(&looks.state).unwrap();
    let due = take_due(&mut looks.state, at);
    assert_eq!((due.len(), due[0]), (51, WindowId(60)), "the most pressing first");
}

#[test]
fn a_clock_that_was_set_back_delays_nothing() {
    let mut looks = Looks::new();
    looks.later(1000, ASKS, "?");
    assert_eq!(looks.later(1000, ASKS, "?"), 1);
    looks.later(1000, None, "");
    looks.now_ms -= 900_000_000;
    looks.state = looks.state.not_after(looks.now_ms);
    looks.later(15_000, ASKS, "?");
    assert_eq!(looks.later(1000, ASKS, "?"), 1);
}

#[test]
fn what_is_remembered_survives_the_file() {
    let mut looks = Looks::new();
    looks.later(1000, ASKS, "?");
    looks.later(1000, ASKS, "?");
    looks.later(1000, None, "");
    looks.later(1000, ASKS, "another?");
    let text = serde_json::to_string(&looks.state.windows[&ID]).unwrap();
    let again: KnownWindow = serde_json::from_str(&text).unwrap();
    assert_eq!(again, looks.state.windows[&ID]);
    assert!(!again.notice.is_empty());
    let quiet = serde_json::to_string(&window(None, "")).unwrap();
    assert!(!quiet.contains("notice"), "{quiet}");
}

#[test]
fn two_windows_one_after_the_other_are_told_some_seconds_apart() {
    let mut looks = Looks::new();
    looks.later(1000, ASKS, "?");
    assert_eq!(looks.later(1000, ASKS, "?"), 1);
    let first = looks.now_ms;
    looks.see(WindowId(2), window(ASKS, "?"), false, false);
    assert_eq!(tell_at(&looks.state), Some(first + 5000));
    assert!(take_due(&mut looks.state, first + 4999).is_empty());
    assert_eq!(take_due(&mut looks.state, first + 5000), [WindowId(2)]);
}

#[test]
fn a_visit_makes_the_next_question_new_at_once() {
    let mut looks = Looks::new();
    looks.later(1000, ASKS, "one?");
    assert_eq!(looks.later(1000, ASKS, "one?"), 1);
    looks.watched(ASKS);
    looks.watched(None);
    looks.later(5000, ASKS, "two?");
    assert_eq!(looks.later(1000, ASKS, "two?"), 1);
}
