use super::*;
use crate::workspace::spec::{Command, Readiness};

fn command(text: &str, before: u64, after: u64) -> Command {
    Command {
        text: text.to_owned(),
        enter: true,
        suppress_history: true,
        sleep_before: Duration::from_secs(before),
        sleep_after: Duration::from_secs(after),
    }
}

fn pane(commands: Vec<Command>) -> Pane {
    Pane {
        start_directory: "/tmp".into(),
        shell: None,
        environment: Vec::new(),
        focus: false,
        commands,
    }
}

fn window(index: Option<u32>, panes: usize) -> Window {
    Window {
        name: Some("w".to_owned()),
        index,
        layout: None,
        focus: false,
        options: Vec::new(),
        zoomed: false,
        options_after: Vec::new(),
        panes: vec![pane(Vec::new()); panes],
    }
}

fn session(windows: Vec<Window>) -> Session {
    Session {
        name: "s".to_owned(),
        start_directory: "/tmp".into(),
        environment: Vec::new(),
        options: Vec::new(),
        global_options: Vec::new(),
        before_script: None,
        readiness: Readiness::Auto,
        windows,
        warnings: Vec::new(),
    }
}

/// Each command's name, target and last word.
fn told(groups: &[Group]) -> Vec<String> {
    let line = |words: &Vec<String>| {
        let target = words
            .iter()
            .position(|word| word == "-t")
            .map(|at| words[at + 1].as_str());
        let rest = [words.first(), words.last()].map(|word| word.unwrap().as_str());
        format!("{} {} {}", rest[0], target.unwrap_or("-"), rest[1])
    };
    groups.iter().flatten().map(line).collect()
}

#[test]
fn windows_get_free_indexes_around_those_that_are_named() {
    let windows = [window(None, 1), window(Some(1), 1), window(None, 1), window(Some(9), 1)];
    assert_eq!(indexes(&windows, 0, &BTreeSet::new(), "s").unwrap(), [0, 1, 2, 9]);
    assert_eq!(indexes(&windows, 1, &BTreeSet::from([3]), "s").unwrap(), [2, 1, 4, 9]);
    let taken = indexes(&windows, 0, &BTreeSet::from([9]), "base").unwrap_err();
    assert_eq!(
        (taken.code, taken.message.as_str()),
        (Code::InvalidWorkspace, "index 9 is taken in session base")
    );
    let twice = [window(Some(2), 1), window(Some(2), 1)];
    let twice = indexes(&twice, 0, &BTreeSet::new(), "s").unwrap_err();
    assert_eq!(twice.message, "two windows would have the index 2");
}

#[test]
fn panes_are_spread_while_they_are_made_and_arranged_at_the_end() {
    let mut main = window(None, 3);
    main.layout = Some("main-vertical".to_owned());
    main.options = vec![("main-pane-width".to_owned(), "50".to_owned())];
    let groups = windows(SessionId(1), &session(vec![main]), &[4], &Settings::default());
    assert_eq!(
        told(&groups),
        [
            "new-window $1:4 /tmp",
            "set-option $1:4 50",
            "split-window $1:4 /tmp",
            "select-layout $1:4 tiled",
            "split-window $1:4 /tmp",
            "select-layout $1:4 tiled",
            "select-layout $1:4 main-vertical",
        ]
    );
}

#[test]
fn an_option_of_windows_that_the_session_has_is_set_on_each_window_before_its_own() {
    let mut own = window(None, 1);
    own.options = vec![("pane-base-index".to_owned(), "5".to_owned())];
    let mut session = session(vec![window(None, 1), own]);
    session.options = [("status", "off"), ("pane-base-index", "1")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
    let known = Settings {
        window_options: vec!["pane-base-index".to_owned()],
        ..Settings::default()
    };
    assert_eq!(
        told(&windows(SessionId(1), &session, &[0, 1], &known)),
        [
            "new-window $1:0 /tmp",
            "set-option $1:0 1",
            "new-window $1:1 /tmp",
            "set-option $1:1 1",
            "set-option $1:1 5",
        ]
    );
}

#[test]
fn a_sleep_holds_up_its_own_pane_alone() {
    let slow = pane(vec![command("a", 0, 2), command("b", 1, 0), command("c", 0, 4)]);
    let quick = pane(vec![command("x", 0, 0), command("y", 3, 0)]);
    let (beats, end) = beats([(PaneId(1), &slow), (PaneId(2), &quick)].into_iter());
    let told: Vec<_> = beats
        .iter()
        .map(|beat| (beat.at.as_secs(), told(&beat.groups)))
        .collect();
    let typed = |pane: u32, text: &str| [format!("send-keys %{pane}  {text}"), format!("send-keys %{pane} Enter")];
    assert_eq!(
        told,
        [
            (0, [typed(1, "a"), typed(2, "x")].concat()),
            (3, [typed(1, "b"), typed(1, "c"), typed(2, "y")].concat()),
        ]
    );
    assert_eq!(end.as_secs(), 7);
    let done: Vec<_> = beats.iter().map(|beat| beat.done.clone()).collect();
    assert_eq!(done, [vec![], vec![PaneId(1), PaneId(2)]]);
}

#[test]
fn every_line_that_is_typed_is_forgotten_where_that_is_wanted() {
    let mut remembered = command("c\nd", 0, 0);
    remembered.suppress_history = false;
    let both = pane(vec![command("a\nb", 0, 0), remembered]);
    let (beats, _) = beats([(PaneId(1), &both)].into_iter());
    let typed = told(&beats[0].groups);
    assert_eq!(typed[0], "send-keys %1  a\n b");
    assert_eq!(typed[2], "send-keys %1 c\nd");
}

#[test]
fn the_last_of_those_that_want_to_be_shown_is() {
    let made = |window, pane, id| Made {
        window,
        pane,
        window_id: WindowId(window as u32),
        pane_id: PaneId(id),
    };
    let all = [made(0, 0, 1), made(0, 1, 2), made(1, 0, 3)];
    let mut two = session(vec![window(None, 2), window(None, 1)]);
    let end = |session: &Session| told(&finish(SessionId(1), session, &[0, 1], &all));
    let life = "display-message $1: lives #{session_id}";
    assert_eq!(end(&two), [life]);
    two.windows[0].panes[0].focus = true;
    two.windows[0].focus = true;
    two.windows[1].focus = true;
    two.windows[1].options_after = vec![("synchronize-panes".to_owned(), "on".to_owned())];
    assert_eq!(
        end(&two),
        [
            "select-pane %1 %1",
            "set-option $1:1 on",
            "select-window $1:@1 $1:@1",
            life
        ]
    );
}

#[test]
fn the_window_that_only_waited_goes_and_the_others_keep_their_indexes() {
    let mut two = session(vec![window(None, 1), window(None, 1)]);
    let drop = |session: &Session| told(&[drop_waiting(SessionId(1), session, WindowId(9), &[3, 4])]);
    let start = ["select-window $1:3 $1:3", "set-option $1 off", "kill-window @9 @9"];
    assert_eq!(drop(&two), [&start[..], &["set-option $1 renumber-windows"]].concat());
    two.options = vec![(RENUMBER.to_owned(), "on".to_owned())];
    assert_eq!(drop(&two), [&start[..], &["set-option $1 on"]].concat());
}

#[test]
fn a_layout_must_suit_the_version_and_the_panes() {
    let with = |layout: &str, panes| {
        let mut window = window(None, panes);
        window.layout = Some(layout.to_owned());
        session(vec![window])
    };
    assert!(check_layouts(&with("main-vertical", 3), Some("3.3a")).is_ok());
    let code = |layout, panes, version| check_layouts(&with(layout, panes), Some(version)).unwrap_err().code;
    assert_eq!(code("nonsense", 1, "3.3a"), Code::InvalidWorkspace);
    assert_eq!(code("b25d,80x24,0,0,0", 2, "3.3a"), Code::InvalidWorkspace);
    assert_eq!(code("main-vertical-mirrored", 1, "3.3a"), Code::TmuxUnsupported);
    assert!(check_layouts(&with("main-vertical-mirrored", 1), Some("3.5")).is_ok());
    assert!(check_layouts(&with("main-vertical-mirrored", 1), None).is_ok());
    assert!(check_layouts(&with("main-verticl", 1), None).is_err());
}

#[test]
fn the_window_that_only_waits_makes_room() {
    let moved = |shown, indexes: &[u32]| told(&[make_room(SessionId(1), WindowId(9), shown, indexes)]);
    assert_eq!(moved(Some(0), &[0, 4, 2]), ["move-window $1:5 $1:5"]);
    assert_eq!(moved(Some(1), &[0, 4, 2]), Vec::<String>::new());
}

#[test]
fn windows_are_made_in_batches() {
    let sizes = |panes: &[usize]| {
        let windows: Vec<Window> = panes.iter().map(|panes| window(None, *panes)).collect();
        let groups = vec![Group::new(); windows.len()];
        batches(groups, &windows).iter().map(Vec::len).collect::<Vec<_>>()
    };
    assert_eq!(sizes(&[1, 3, 2, 2, 2, 1]), [6]);
    assert_eq!(sizes(&[1; 60]), [25, 25, 10]);
    assert_eq!(sizes(&[60, 40, 1, 99, 1, 300, 2]), [2, 2, 1, 1, 1]);
}
