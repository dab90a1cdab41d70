use super::*;
use crate::model::{Link, PaneId, SessionId, WindowId};
use crate::model::{Need, StatusKind};
use crate::status::state::{KnownSession, State};
use crate::status::window::{tests, KnownWindow};
use std::sync::LazyLock;

/// A state of one session for each of `sessions`, with as many windows of every kind and need.
fn look(sessions: &[&str], names: &[&str]) -> Look {
    let mut state = State::default();
    state.generated_at = 1000;
    let needs = [None, Some(Need::Done), None, Some(Need::Permission)];
    let kinds = [
        StatusKind::Active,
        StatusKind::Idle,
        StatusKind::Running,
        StatusKind::Waiting,
    ];
    for session in sessions {
        let mut windows = Vec::new();
        for (index, name) in (0..).zip(names) {
            let id = WindowId(u32::try_from(state.windows.len()).unwrap());
            let window = KnownWindow {
                name: (*name).to_owned(),
                command: "a-rather-long-command".to_owned(),
                since: 1000 - u64::from(id.0),
                summary: "claude waits for permission: Bash rm -rf build 漢字".to_owned(),
                pane: PaneId(id.0),
                panes: vec![PaneId(id.0)],
                ..tests::window(kinds[index % 4], needs[index % 4])
            };
            state.windows.insert(id, window);
            windows.push(Link {
                window: id,
                index: u32::try_from(index).unwrap(),
                active: index == 0,
            });
        }
        state.sessions.push(KnownSession {
            id: SessionId(u32::try_from(state.sessions.len()).unwrap()),
            name: (*session).to_owned(),
            attached: 0,
            activity: None,
            windows,
        });
    }
    Look { state, ended: true }
}

static THEME: LazyLock<Theme> = LazyLock::new(|| Theme::read("ascii", "", true));

fn style(columns: usize, rows: usize, live: bool) -> Style<'static> {
    Style {
        theme: &THEME,
        colours: false,
        size: Some(Size { columns, rows }),
        live,
        path: Some(Path::new("/home/somebody/.local/state/thegrid/tmux-status.json")),
    }
}

const LONG: &str = "a window with a name that is so long that it would push all summaries aside 漢字";

#[test]
fn no_line_is_wider_than_the_terminal_and_none_ends_in_blanks() {
    let look = look(
        &["app", "a-session-with-a-long-name-漢字漢字"],
        &["x", LONG, "漢字漢字漢字漢字", ""],
    );
    for columns in 1..200 {
        for live in [false, true] {
            for line in draw(&look, 1000, style(columns, 24, live)).lines() {
                assert!(width(line) <= columns, "{columns}: {line:?}");
                assert_eq!(line, line.trim_end(), "{columns}");
            }
        }
    }
}

#[test]
fn a_long_name_leaves_the_summary_its_room_and_every_index_stays() {
    let look = look(&["app", "a-session-with-a-long-name"], &["x", LONG]);
    let table = draw(&look, 1000, style(80, 24, false));
    for line in table.lines().skip(1).take(4) {
        let room = width(line.split_once("claude").unwrap().0);
        assert!(room <= 50, "{table}");
        assert!(line.contains(":0 ") || line.contains(":1 "), "{table}");
    }
    let narrow = draw(&look, 1000, style(40, 24, false));
    assert!(
        !narrow.contains("a-rather") && narrow.contains("claude waits"),
        "{narrow}"
    );
    let tiny = draw(&look, 1000, style(20, 24, false));
    assert!(tiny.contains("app:0 x") && !tiny.contains("claude"), "{tiny}");
}

#[test]
fn columns_stand_below_each_other_by_cells() {
    let look = look(&["s"], &["漢字", "plain", "é", "x"]);
    let table = draw(&look, 1000, style(120, 24, false));
    let starts: Vec<_> = table
        .lines()
        .skip(1)
        .take(4)
        .map(|line| width(line.split_once("claude").unwrap().0))
        .collect();
    assert_eq!(starts, [starts[0]; 4], "{table}");
}

#[test]
fn who_needs_the_user_comes_first_the_most_pressing_and_longest_waiting_before_the_others() {
    let look = look(&["a", "b"], &["0", "1", "2", "3"]);
    let table = draw(&look, 1000, style(80, 24, false));
    let targets: Vec<_> = table.lines().skip(1).take(8).map(|line| &line[..7]).collect();
    assert_eq!(
        targets,
        ["! b:3 3", "! a:3 3", "* b:1 1", "* a:1 1", "> a:0 0", "- a:2 2", "> b:0 0", "- b:2 2"]
    );
    assert!(table.contains("permission") && table.contains("done"), "{table}");
}

#[test]
fn what_does_not_fit_below_is_counted() {
    let look = look(&["a", "b", "c"], &["0", "1", "2", "3"]);
    for rows in 1..20 {
        let table = draw(&look, 1000, style(80, rows, true));
        assert!(table.lines().count() <= rows, "{rows}: {table}");
        let hidden = table
            .lines()
            .find(|line| line.starts_with('…') && line.contains(" more"));
        let windows = table.lines().filter(|line| line.contains("claude")).count();
        let told = hidden.map_or(0, |line| line.split(' ').nth(1).unwrap().parse::<usize>().unwrap());
        assert!(rows <= 3 || windows + told == 12, "{rows}: {table}");
    }
    let table = draw(&look, 1000, style(80, 8, true));
    assert!(table.contains("\n… 9 more, 3 need you\n"), "{table}");
}

#[test]
fn without_a_terminal_nothing_is_cut_and_there_is_no_header() {
    let look = look(&["app"], &["x", LONG]);
    let style = Style {
        size: None,
        ..style(0, 0, false)
    };
    let table = draw(&look, 1000, style);
    assert!(table.contains(LONG) && !table.contains("SUMMARY"), "{table}");
    assert!(table.contains("  a-rather-long-command  "), "{table}");
    assert!(
        table.ends_with("\n/home/somebody/.local/state/thegrid/tmux-status.json\n"),
        "{table}"
    );
}

#[test]
fn ages_of_a_live_table_are_coarse() {
    let look = look(&["a"], &["x"]);
    let live = style(80, 24, true);
    assert_eq!(draw(&look, 1000, live), draw(&look, 1059, live));
    assert_ne!(draw(&look, 1059, live), draw(&look, 1060, live));
}
