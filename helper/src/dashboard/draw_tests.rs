use super::super::fixture::{look, model, picture, press, usual, Window, NOW};
use super::super::state::Problem;
use super::super::update::{update, Msg};
use super::*;
use crate::model::{Need, PaneId, StatusKind, WindowId};
use crate::output::Size;
use ratatui::layout::Rect;
use std::path::Path;

fn pen(theme: &Theme) -> Pen<'_> {
    Pen { theme, colours: true }
}

fn theme(icons: &str) -> Theme {
    Theme::read(icons, "", false)
}

fn painted(model: &Model) -> Buffer {
    let size = |cells: usize| u16::try_from(cells).unwrap();
    let mut buffer = Buffer::empty(Rect::new(0, 0, size(model.size.columns), size(model.size.rows)));
    draw(model, pen(&theme("unicode")), &mut buffer);
    buffer
}

/// The screen as text, without the blanks at the ends of its rows.
fn frame(model: &Model) -> String {
    text_of(&painted(model))
}

fn text_of(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut row = String::new();
        let mut skip = 0;
        for x in 0..buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            if skip == 0 {
                row += symbol;
                skip = width(symbol).max(1);
            }
            skip -= 1;
        }
        out += row.trim_end();
        out.push('\n');
    }
    out
}

fn golden(name: &str, model: &Model) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../tests/snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(format!("dashboard_{name}"), frame(model)));
}

const BUILD: &[u8] =
    b"$ claude\n\n\x1b[1m Bash\x1b[0m(rm -rf build)\n\n Do you want to run it?\n \x1b[36m> 1. Yes\x1b[0m\n   2. No\n";

fn with_preview(columns: usize, rows: usize) -> Model {
    let mut model = model(usual(), columns, rows);
    update(&mut model, Msg::Picture(PaneId(10), Some(picture(BUILD))));
    model
}

fn many() -> Model {
    let kinds = [
        StatusKind::Active,
        StatusKind::Running,
        StatusKind::Waiting,
        StatusKind::Idle,
        StatusKind::Error,
    ];
    let names: Vec<String> = (0..200).map(|number| format!("window-{number}")).collect();
    let windows: Vec<Window<'_>> = names
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let need = (at % 40 == 7).then_some(Need::Question);
            (name.as_str(), "sh", kinds[at % 5], need, 60 * at as u64, "what it does")
        })
        .collect();
    model(look(&[("many", &windows)]), 80, 24)
}

fn strange() -> Model {
    let hostile = "#[fg=red]x#(touch x)\u{1b}[31m\nred\u{202e}";
    model(
        look(&[(
            "漢字の長い名前のセッション",
            &[
                ("日本語の窓", "vim", StatusKind::Idle, None, 5, "編集中 api.go"),
                ("🚀👩‍💻 launch", "sh", StatusKind::Active, None, 5, "🚀 away"),
                ("עברית", "sh", StatusKind::Waiting, Some(Need::Question), 5, "שאלה?"),
                (
                    hostile,
                    hostile,
                    StatusKind::Waiting,
                    Some(Need::Permission),
                    5,
                    hostile,
                ),
            ],
        )]),
        80,
        16,
    )
}

#[test]
fn frames_are_as_they_were() {
    golden("80x24", &with_preview(80, 24));
    golden("40x12", &model(usual(), 40, 12));
    golden("160x45", &with_preview(160, 45));
    golden("140x24", &with_preview(140, 24));
    golden("20x6", &model(usual(), 20, 6));
    golden("200_windows", &many());
    golden("strange", &strange());
    let mut sessions = with_preview(80, 24);
    press(&mut sessions, "\t");
    golden("by_session", &sessions);
}

#[test]
fn frames_of_what_lies_over_the_list_are_as_they_were() {
    let mut help = model(usual(), 80, 45);
    press(&mut help, "?");
    golden("help", &help);
    let mut short = model(usual(), 80, 12);
    press(&mut short, "?jj");
    golden("help_scrolled", &short);
    let mut why = model(usual(), 80, 12);
    press(&mut why, "e");
    let told = "%10: waiting, needs you: permission\n  summary     claude waits\n  evidence    a rather long piece of evidence that has to be broken somewhere in the middle";
    update(&mut why, Msg::Explained(told.to_owned()));
    golden("why", &why);
    let mut filter = model(usual(), 80, 12);
    press(&mut filter, "/ops");
    golden("filter", &filter);
    press(&mut filter, "zzz");
    golden("filter_none", &filter);
    let mut parked = model(usual(), 80, 20);
    press(&mut parked, "p");
    golden("parked", &parked);
}

#[test]
fn frames_of_what_is_wrong_are_as_they_were() {
    let mut empty = look(&[]);
    empty.state.server = None;
    golden("empty", &model(empty, 80, 12));
    let mut stale = model(usual(), 80, 14);
    stale.clock = NOW + 300;
    golden("stale", &stale);
    let mut ended = model(usual(), 80, 14);
    update(
        &mut ended,
        Msg::Tick {
            seconds: NOW,
            ended: true,
        },
    );
    golden("ended", &ended);
    let mut none = model(usual(), 80, 12);
    let problem = Problem {
        what: "no status to show from /home/dev/.local/state/thegrid/tmux-status.json: No such file or directory"
            .to_owned(),
        hint: "tmux-status refresh makes one; tmux-status doctor says why the plugin has not".to_owned(),
    };
    let look = Box::new(Err(problem));
    update(&mut none, Msg::News { look, seconds: NOW });
    golden("no_file", &none);
}

#[test]
fn every_size_is_painted_whatever_is_shown() {
    let mut models = [
        with_preview(80, 24),
        strange(),
        many(),
        with_preview(80, 24),
        with_preview(80, 24),
        with_preview(80, 24),
    ];
    press(&mut models[0], "?");
    press(&mut models[3], "e");
    press(&mut models[4], "/a long filter with 漢字 in it");
    models[5].clock = NOW + 500;
    for model in &mut models {
        for columns in 0..=60 {
            for rows in 0..=20 {
                update(model, Msg::Size(Size { columns, rows }));
                painted(model);
            }
        }
        for (columns, rows) in [(130, 8), (130, 25), (210, 60), (1, 200), (400, 1)] {
            update(model, Msg::Size(Size { columns, rows }));
            painted(model);
        }
    }
}

#[test]
fn no_cell_holds_a_control_character() {
    for model in [strange(), with_preview(80, 24)] {
        let buffer = painted(&model);
        let plain = |symbol: &str| symbol.chars().all(text::is_showable);
        assert!(buffer.content.iter().all(|cell| plain(cell.symbol())));
    }
}

#[test]
fn who_needs_the_user_stands_out_without_colour_and_the_selection_too() {
    let model = model(usual(), 80, 24);
    let theme = theme("ascii");
    let pen = Pen {
        theme: &theme,
        colours: false,
    };
    let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
    draw(&model, pen, &mut buffer);
    let plain = |color: Color| color == Color::Reset;
    assert!(buffer.content.iter().all(|cell| plain(cell.fg) && plain(cell.bg)));
    let rows: Vec<String> = text_of(&buffer).lines().map(str::to_owned).collect();
    let at = |text: &str| u16::try_from(rows.iter().position(|row| row.contains(text)).unwrap()).unwrap();
    let first = &buffer[(2, at("claude"))];
    assert!(first.modifier.contains(Modifier::REVERSED | Modifier::BOLD) && first.symbol() == "!");
    assert!(buffer[(2, at("db"))].modifier.contains(Modifier::BOLD));
    assert!(!buffer[(2, at("build"))].modifier.contains(Modifier::BOLD));
    // What is cut ends in … everywhere.
    assert!(text_of(&buffer).replace('…', "").is_ascii(), "{}", text_of(&buffer));
}

#[test]
fn a_state_is_painted_in_its_colour() {
    let model = model(usual(), 80, 24);
    let buffer = painted(&model);
    let rows: Vec<String> = text_of(&buffer).lines().map(str::to_owned).collect();
    let at = |text: &str| u16::try_from(rows.iter().position(|row| row.contains(text)).unwrap()).unwrap();
    assert_eq!(buffer[(2, at("deploy"))].fg, Color::Indexed(1));
    assert_eq!(buffer[(2, at("build"))].fg, Color::Indexed(2));
}

#[test]
fn parked_windows_are_marked_and_not_counted() {
    let mut look = usual();
    look.state.windows.get_mut(&WindowId(0)).unwrap().parked = true;
    let frame = frame(&model(look, 80, 24));
    assert!(
        frame.starts_with(" 2 need you") && frame.contains("‖ app:0 claude"),
        "{frame}"
    );
}

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap()
}

#[test]
fn the_readme_opens_with_a_true_frame() {
    let frame = frame(&with_preview(80, 24));
    let block = format!("```\n{frame}```\n");
    assert!(readme().contains(&block), "the README lacks\n{block}");
}

#[test]
fn the_readme_lists_every_key_of_the_dashboard() {
    let rows: String = KEYS
        .iter()
        .map(|key| format!("| {} | {} |\n", key.label, key.does))
        .collect();
    assert!(readme().contains(&rows), "the README lacks\n{rows}");
}
