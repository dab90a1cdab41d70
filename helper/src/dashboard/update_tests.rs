use super::super::fixture::{chosen, look, model, picture as pictured, press, see, usual, NOW};
use super::super::state::Entry;
use super::*;
use crate::model::{Need, SessionId};

fn pictures(effects: &[Effect]) -> usize {
    effects
        .iter()
        .filter(|effect| matches!(effect, Effect::Picture(_)))
        .count()
}

fn listed(model: &Model) -> Vec<u32> {
    let entries = model.entries();
    entries
        .iter()
        .filter_map(|entry| Some(entry.chosen()?.window.0))
        .collect()
}

#[test]
fn the_most_pressing_and_longest_waiting_window_is_first_and_selected() {
    let model = model(usual(), 80, 24);
    assert_eq!(listed(&model), [0, 5, 4, 1, 2, 3, 6]);
    assert_eq!(chosen(&model), Some(0));
}

#[test]
fn enter_goes_to_the_pane_that_speaks_and_the_dashboard_ends_once_that_is_done() {
    let mut model = model(usual(), 80, 24);
    let spot = Spot {
        session: SessionId(1),
        window: WindowId(5),
        pane: PaneId(15),
    };
    assert!(press(&mut model, "j\n").contains(&Effect::Jump(spot)));
    assert_eq!(update(&mut model, Msg::Jumped(None)), [Effect::Quit]);
    assert!(!update(&mut model, Msg::Jumped(Some("no such pane".into()))).contains(&Effect::Quit));
    assert_eq!(model.message, Some(("no such pane".into(), true)));
}

#[test]
fn the_selection_stays_with_its_window_when_everything_moves() {
    let mut model = model(usual(), 80, 24);
    press(&mut model, "j");
    assert_eq!(chosen(&model), Some(5));
    let mut later = usual();
    later.state.windows.get_mut(&WindowId(1)).unwrap().need = Some(Need::Permission);
    later.state.sessions.reverse();
    see(&mut model, later);
    assert_eq!((chosen(&model), listed(&model)[0]), (Some(5), 0));
}

#[test]
fn when_the_selected_window_is_gone_the_one_in_its_place_is_selected() {
    let mut model = model(usual(), 80, 24);
    press(&mut model, "j");
    let mut later = usual();
    later.state.windows.remove(&WindowId(5));
    see(&mut model, later);
    assert_eq!(chosen(&model), Some(4));
    see(&mut model, look(&[]));
    assert_eq!(chosen(&model), None);
    assert_eq!(press(&mut model, "\njkpe"), []);
}

#[test]
fn by_session_the_one_used_last_is_at_the_bottom_and_the_selection_stays() {
    let mut model = model(usual(), 80, 24);
    press(&mut model, "j\t");
    assert_eq!((listed(&model), chosen(&model)), (vec![4, 5, 6, 0, 1, 2, 3], Some(5)));
    press(&mut model, "s");
    assert_eq!(listed(&model)[0], 0);
}

#[test]
fn a_window_of_several_sessions_is_listed_once_by_need_and_in_each_by_session() {
    let mut shared = usual();
    let link = shared.state.sessions[0].windows[0];
    shared.state.sessions[1].windows.push(link);
    let mut model = model(shared, 80, 24);
    assert_eq!(listed(&model).iter().filter(|id| **id == 0).count(), 1);
    // Session app is attached.
    assert_eq!(model.chosen.unwrap().session, SessionId(0));
    press(&mut model, "\t");
    assert_eq!(listed(&model).iter().filter(|id| **id == 0).count(), 2);
}

#[test]
fn typing_filters_and_escape_takes_back_the_filter_before_it_leaves() {
    let mut model = model(usual(), 80, 24);
    press(&mut model, "/git");
    assert_eq!((listed(&model), chosen(&model)), (vec![6], Some(6)));
    press(&mut model, "\x08\x08\x08vite");
    assert_eq!(listed(&model), [2]);
    assert_eq!(press(&mut model, "\x1b"), []);
    assert_eq!((listed(&model).len(), chosen(&model)), (7, Some(2)));
    assert_eq!(press(&mut model, "\x1b"), [Effect::Quit]);
}

#[test]
fn a_filter_takes_letters_in_order_words_apart_and_any_case() {
    let mut model = model(usual(), 80, 24);
    for (filter, found) in [
        ("opsdb", vec![5]),
        ("OPS pass", vec![5]),
        ("permission", vec![0]),
        ("nvim", vec![3]),
        ("zzz", vec![]),
    ] {
        press(&mut model, "/");
        press(&mut model, filter);
        assert_eq!(listed(&model), found, "{filter}");
        press(&mut model, "\x1b");
    }
}

#[test]
fn keys_are_text_while_a_filter_is_typed() {
    let mut model = model(usual(), 80, 24);
    assert_eq!(press(&mut model, "/qpr?1"), []);
    assert_eq!(model.filter.as_str(), "qpr?1");
    assert_eq!(press(&mut model, "\x03"), [Effect::Quit]);
}

#[test]
fn what_is_pasted_counts_only_where_text_is_typed_and_is_cleaned() {
    let mut model = model(usual(), 80, 24);
    assert_eq!(update(&mut model, Msg::Paste("q\n".into())), []);
    press(&mut model, "/");
    update(&mut model, Msg::Paste("a\x1b[31m\u{202e}b\nc".into()));
    assert_eq!(model.filter.as_str(), "a[31mb c");
}

#[test]
fn a_digit_shows_one_state_only_and_again_all() {
    let mut model = model(usual(), 80, 24);
    press(&mut model, "1");
    assert_eq!(listed(&model), [0]);
    press(&mut model, "3");
    assert_eq!(listed(&model), [4]);
    press(&mut model, "3");
    assert_eq!(listed(&model).len(), 7);
    press(&mut model, "n");
    assert_eq!(listed(&model), [0, 5, 4]);
    for face in Face::ALL {
        let key = char::from_digit(u32::try_from(digit(face)).unwrap(), 10).unwrap();
        assert_eq!(super::face(KeyCode::Char(key)), Some(face));
    }
}

#[test]
fn a_parked_window_counts_no_more_at_once_and_until_the_state_says_so_too() {
    let mut model = model(usual(), 80, 24);
    assert!(press(&mut model, "p").contains(&Effect::Park(WindowId(0), Some(NOW))));
    assert_eq!(model.needs(), [(Face::Question, 1), (Face::Failed, 1)]);
    // It goes to the bottom, and stays selected: the same key takes it back.
    assert_eq!((chosen(&model), listed(&model).last()), (Some(0), Some(&0)));
    see(&mut model, usual());
    assert_eq!(model.needs().len(), 2, "a look that was under way does not undo it");
    let mut told = usual();
    let window = told.state.windows.get_mut(&WindowId(0)).unwrap();
    (window.parked, window.parked_at) = (true, Some(NOW));
    see(&mut model, told.clone());
    assert!(model.parking.is_empty());
    told.state.windows.get_mut(&WindowId(0)).unwrap().parked = false;
    see(&mut model, told);
    assert_eq!(model.needs().len(), 3, "it has changed since, and needs its user again");
}

#[test]
fn a_window_that_could_not_be_parked_says_why_and_needs_its_user_again() {
    let mut model = model(usual(), 80, 24);
    press(&mut model, "p");
    update(&mut model, Msg::NotParked(WindowId(0), "not parked: no server".into()));
    see(&mut model, usual());
    assert_eq!(model.needs().len(), 3);
    press(&mut model, "G");
    assert!(press(&mut model, "p")
        .iter()
        .any(|effect| matches!(effect, Effect::Park(_, Some(_)))));
}

#[test]
fn nothing_that_changes_means_no_picture_and_many_changes_few() {
    let mut model = Model::new(Size { columns: 80, rows: 30 }, NOW, String::new());
    assert_eq!(pictures(&see(&mut model, usual())), 1);
    let tick = |model: &mut Model, at: u64| {
        model.now_ms = at;
        let asked = update(
            model,
            Msg::Tick {
                seconds: NOW,
                ended: false,
            },
        );
        pictures(&asked)
    };
    assert_eq!(tick(&mut model, 5000), 0, "one at a time");
    update(&mut model, Msg::Picture(PaneId(10), Some(pictured(b"hello\n"))));
    assert_eq!((5..60).map(|second| tick(&mut model, second * 1000)).sum::<usize>(), 0);
    let mut asked = 0;
    for step in 0..100 {
        model.now_ms = 70_000 + step * 10;
        let mut later = usual();
        later.state.windows.get_mut(&WindowId(0)).unwrap().summary = format!("step {step}");
        asked += pictures(&see(&mut model, later));
        update(&mut model, Msg::Picture(PaneId(10), Some(pictured(b"hello\n"))));
    }
    assert!((2..=4).contains(&asked), "{asked}");
}

#[test]
fn a_picture_of_a_window_that_is_no_longer_selected_is_not_shown() {
    let mut model = model(usual(), 80, 30);
    press(&mut model, "j");
    update(&mut model, Msg::Picture(PaneId(10), Some(pictured(b"hello\n"))));
    assert_eq!(model.preview, None);
}

#[test]
fn a_window_that_was_filtered_away_has_its_picture_taken_when_it_is_back() {
    let mut model = model(usual(), 80, 30);
    update(&mut model, Msg::Picture(PaneId(10), Some(pictured(b"hello\n"))));
    press(&mut model, "/zzzz");
    assert_eq!((model.preview.as_ref(), listed(&model).len()), (None, 0));
    model.now_ms = 5000;
    assert_eq!(pictures(&press(&mut model, "\x1b")), 1);
}

#[test]
fn without_a_preview_there_are_no_pictures() {
    let mut model = model(usual(), 80, 12);
    assert_eq!(pictures(&press(&mut model, "jjjk")), 0);
    update(&mut model, Msg::Size(Size { columns: 80, rows: 30 }));
    update(&mut model, Msg::Picture(PaneId(10), None));
    model.now_ms = 90_000;
    assert_eq!(pictures(&press(&mut model, "v")), 0);
}

#[test]
fn a_refresh_is_asked_for_once_until_it_is_over() {
    let mut model = model(usual(), 80, 12);
    assert_eq!(press(&mut model, "rr"), [Effect::Refresh]);
    update(&mut model, Msg::Refreshed(None));
    assert_eq!(press(&mut model, "r"), [Effect::Refresh]);
}

#[test]
fn why_is_asked_once_and_told_over_the_list() {
    let mut model = model(usual(), 80, 12);
    assert_eq!(press(&mut model, "e"), [Effect::Explain(PaneId(10))]);
    update(&mut model, Msg::Explained("it asks".into()));
    let told =
        |model: &Model| matches!(&model.overlay, Some(Overlay::Explain { text: Some(text), .. }) if text == "it asks");
    assert!(told(&model));
    assert_eq!(press(&mut model, "\x1b"), []);
    assert_eq!(model.overlay, None);
}

#[test]
fn a_click_selects_and_a_second_goes_there() {
    let mut model = model(usual(), 80, 12);
    let list = model.layout().list;
    // Below the heading: the first window.
    assert_eq!(update(&mut model, Msg::Click(5, list.y + 2)), []);
    assert_eq!(chosen(&model), Some(5));
    let effects = update(&mut model, Msg::Click(5, list.y + 2));
    assert!(matches!(effects[..], [Effect::Jump(spot)] if spot.window == WindowId(5)));
    for (x, y) in [(0, 0), (5, list.y), (500, list.y + 1), (5, 500)] {
        assert_eq!(update(&mut model, Msg::Click(x, y)), []);
        assert_eq!(chosen(&model), Some(5), "{x} {y}");
    }
}

fn turn(model: &mut Model, y: usize, rows: isize) {
    update(model, Msg::Wheel { x: 5, y, rows });
}

#[test]
fn the_wheel_scrolls_the_list_and_a_key_brings_the_selection_back_in_sight() {
    let many: Vec<_> = (0..100)
        .map(|_| ("w", "sh", StatusKind::Waiting, None, 5, ""))
        .collect();
    let mut model = model(look(&[("a", &many)]), 80, 30);
    let list = model.layout().list;
    turn(&mut model, list.y + 1, 9);
    turn(&mut model, list.y + 1, 9);
    assert_eq!((model.top, chosen(&model)), (18, Some(0)));
    see(&mut model, look(&[("a", &many)]));
    assert_eq!(model.top, 18, "what is new leaves it there");
    turn(&mut model, list.y + 1, 900);
    assert_eq!(model.top, 101 - list.rows);
    turn(&mut model, list.y + 1, -3);
    assert_eq!(model.top, 98 - list.rows);
    press(&mut model, "j");
    assert_eq!(chosen(&model), Some(1));
    assert!(model.top <= 2, "{}", model.top);
}

#[test]
fn the_wheel_scrolls_the_preview_until_another_window_is_selected() {
    let mut model = model(usual(), 80, 30);
    let screen = "row\n".repeat(60);
    update(&mut model, Msg::Picture(PaneId(10), Some(pictured(screen.as_bytes()))));
    let area = model.layout().picture();
    let top = |model: &Model| model.preview.as_ref().unwrap().top(area.rows, model.preview_top);
    let last = 60 - area.rows;
    assert_eq!(top(&model), last);
    turn(&mut model, area.y + 1, 5);
    turn(&mut model, area.y + 1, -5);
    assert_eq!((top(&model), model.top, chosen(&model)), (last - 5, 0, Some(0)));
    update(&mut model, Msg::Picture(PaneId(10), Some(pictured(screen.as_bytes()))));
    assert_eq!(top(&model), last - 5, "a newer picture leaves it there");
    turn(&mut model, area.y + 1, -500);
    assert_eq!(top(&model), 0);
    press(&mut model, "j");
    assert_eq!(model.preview_top, None);
}

#[test]
fn what_lies_over_the_list_scrolls_as_far_as_it_goes_and_back_at_once() {
    let mut model = model(usual(), 80, 12);
    press(&mut model, "?G");
    let last = model.overlay_top;
    assert!(last > 0);
    turn(&mut model, 5, 900);
    assert_eq!(model.overlay_top, last);
    press(&mut model, "k");
    assert_eq!(model.overlay_top, last - 1);
    update(&mut model, Msg::Size(Size { columns: 80, rows: 60 }));
    assert_eq!(model.overlay_top, 0);
}

#[test]
fn the_selected_row_is_in_sight_however_far_one_goes() {
    let many: Vec<_> = (0..500)
        .map(|_| ("w", "sh", StatusKind::Waiting, None, 5, ""))
        .collect();
    let mut model = model(look(&[("a", &many)]), 80, 20);
    for keys in [
        "G",
        "g",
        "jjjjjjjjjjjjjjjjjjjjjjjj",
        "kkkkkkkk",
        "G",
        "kkkkkkkkkkkkkkkkkkkkkkkkkkkk",
    ] {
        press(&mut model, keys);
        let rows = model.layout().list.rows;
        let at = model
            .entries()
            .iter()
            .position(|entry| entry.chosen() == model.chosen)
            .unwrap();
        assert!(
            (model.top..model.top + rows).contains(&at),
            "{keys}: {at} {}",
            model.top
        );
    }
    press(&mut model, "g");
    assert_eq!(model.top, 0, "with its heading");
}

#[test]
fn ages_move_once_a_minute_or_with_news() {
    let mut model = model(usual(), 80, 20);
    let tick = |model: &mut Model, seconds| update(model, Msg::Tick { seconds, ended: false });
    tick(&mut model, NOW + 59);
    assert_eq!(model.clock, NOW);
    tick(&mut model, NOW + 60);
    assert_eq!(model.clock, NOW + 60);
}

#[test]
fn an_old_state_and_an_ended_server_are_told_with_what_mends_it() {
    let mut model = model(usual(), 80, 20);
    assert_eq!(model.warning(), None);
    model.clock = NOW + 600;
    let warning = model.warning().unwrap();
    assert!(
        warning.what.contains("10m") && warning.hint.contains("doctor"),
        "{warning:?}"
    );
    update(
        &mut model,
        Msg::Tick {
            seconds: NOW,
            ended: true,
        },
    );
    assert!(model.warning().unwrap().what.contains("ended"));
}

#[test]
fn a_session_replaces_its_file_only_when_that_was_said_and_nothing_came_between() {
    let mut model = model(usual(), 80, 12);
    let session = model.place().unwrap().session.id;
    let taken = || NotSaved {
        why: "x.yaml is there already".to_owned(),
        taken: true,
    };
    assert_eq!(press(&mut model, "w"), [Effect::Save(session, false)]);
    update(&mut model, Msg::Saved(session, Err(taken())));
    assert!(model.message.as_ref().unwrap().0.contains("w again"));
    assert_eq!(press(&mut model, "w"), [Effect::Save(session, true)]);
    update(&mut model, Msg::Saved(session, Err(taken())));
    press(&mut model, "v");
    assert_eq!(press(&mut model, "w"), [Effect::Save(session, false)]);
    update(&mut model, Msg::Saved(session, Ok("/x.yaml".into())));
    assert_eq!(model.message, Some(("saved to /x.yaml".to_owned(), false)));
}

#[test]
fn a_workspace_is_chosen_and_loaded() {
    let mut model = model(usual(), 80, 12);
    assert_eq!(press(&mut model, "o"), [Effect::Find]);
    assert_eq!(press(&mut model, "\n"), [], "nothing is found yet");
    let found = ["/w/a.yaml", "/w/quick.yaml", "/w/b.yaml"].map(|path| Document {
        path: path.into(),
        name: path[3..path.len() - 5].to_owned(),
        place: "/w".to_owned(),
    });
    update(&mut model, Msg::Found(found.to_vec()));
    assert_eq!(press(&mut model, "qk"), [], "what is typed filters");
    assert!(model.overlay.is_some());
    assert_eq!(press(&mut model, "z\n"), [], "none is left");
    assert_eq!(press(&mut model, "\x08\n"), [Effect::Load("/w/quick.yaml".into())]);
    press(&mut model, "o");
    update(&mut model, Msg::Found(found.to_vec()));
    press(&mut model, "zz\x1b");
    update(&mut model, Msg::Key(KeyCode::Down.into()));
    update(&mut model, Msg::Key(KeyCode::Down.into()));
    assert_eq!(press(&mut model, "\n"), [Effect::Load("/w/b.yaml".into())]);
    assert_eq!(model.overlay, None);
    let entries = model.entries();
    let last = entries.iter().filter_map(Entry::chosen).next_back().unwrap();
    assert_ne!(model.chosen.map(|chosen| chosen.session), Some(last.session));
    let known = std::mem::replace(&mut model.look, Err(Problem::default()));
    let done = Done {
        said: "b: 1 window".to_owned(),
        session: Some(last.session),
    };
    update(&mut model, Msg::Loaded(Ok(done)));
    assert_eq!(model.message, Some(("b: 1 window".to_owned(), false)));
    let look = Box::new(known);
    update(&mut model, Msg::News { look, seconds: NOW });
    assert_eq!(
        model.chosen.map(|chosen| chosen.session),
        Some(last.session),
        "it is selected once it is known"
    );
    press(&mut model, "o");
    assert_eq!(press(&mut model, "\x1b"), []);
    assert_eq!(model.overlay, None);
}
