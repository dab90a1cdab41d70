//! What lies over the list: the help, and why a window is in its state.

use super::draw::{Canvas, Pen, BOLD, DIM, PLAIN};
use super::keys::KEYS;
use super::state::{Area, Model, Overlay};
use super::update::digit;
use crate::text::{self, one_line, width};
use crate::theme::{Face, Theme};
use ratatui::style::Style;

/// `text` in lines of at most `room` cells, broken at blanks where there are some.
pub fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text::clean(text).split(' ') {
        if !line.is_empty() && width(&line) + 1 + width(word) > room {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    lines.push(line);
    lines
}

/// A line of what lies over the list: pieces with their styles.
pub type Lines = Vec<Vec<(Style, String)>>;

/// What lies over the list, in lines of at most so many `columns`.
pub fn lines(overlay: &Overlay, pen: Pen<'_>, columns: usize) -> Lines {
    match overlay {
        Overlay::Help => help(pen, columns),
        Overlay::Explain { of, text } => explanation(of, text.as_deref(), columns),
        Overlay::Load(choice) => choice.lines(pen, columns),
    }
}

/// How many lines of what lies over the list have no room; 0 when nothing does.
pub fn hidden(model: &Model) -> usize {
    let area = model.layout().list;
    // However they are painted, they are as many.
    let theme = Theme::read("", "", true);
    let pen = Pen {
        theme: &theme,
        colours: false,
    };
    let lines = model.overlay.as_ref().map(|over| lines(over, pen, area.columns).len());
    lines.unwrap_or(0).saturating_sub(area.rows)
}

/// Paints those lines, from the line `top` on.
pub fn paint(lines: &Lines, top: usize, pen: Pen<'_>, canvas: &mut Canvas<'_>, area: Area) {
    let top = top.min(lines.len().saturating_sub(area.rows));
    for (row, line) in lines.iter().skip(top).take(area.rows).enumerate() {
        let mut x = 1;
        for (style, text) in line {
            x = canvas.raw(area, row, x, *style, text);
        }
    }
    let left = lines.len().saturating_sub(top + area.rows);
    if left > 0 && area.rows > 1 {
        canvas.tint(area, area.rows - 1, PLAIN);
        let note = format!("{} {left} more lines", pen.sign("↓", "v"));
        let blank = " ".repeat(area.columns);
        canvas.raw(area, area.rows - 1, 0, PLAIN, &blank);
        canvas.text(area, area.rows - 1, 1, DIM, &note);
    }
}

/// Cells of the help's first column.
const KEY: usize = 11;

/// The keys, and what the icons mean.
fn help(pen: Pen<'_>, columns: usize) -> Lines {
    let room = columns.saturating_sub(KEY + 2).max(1);
    // What is too long goes on below itself.
    let told = |label: &str, does: &str| -> Lines {
        let parts = wrap(does, room).into_iter().enumerate();
        let name = |at| if at == 0 { label } else { "" };
        parts
            .map(|(at, part)| vec![(BOLD, text::fit(name(at), KEY)), (PLAIN, part)])
            .collect()
    };
    let keys = KEYS.iter().flat_map(|key| told(key.label, key.does));
    let faces = Face::ALL.into_iter().map(|face| {
        let icon = text::fit(pen.theme.icons.icon(face), pen.theme.icons.width());
        vec![
            (BOLD, text::fit(&digit(face).to_string(), KEY)),
            (pen.face(face), format!("{icon} {}", text::fit(face.as_str(), 12))),
            (PLAIN, face.meaning().to_owned()),
        ]
    });
    let mut lines: Lines = keys.collect();
    lines.extend(told(
        "mouse",
        "a click selects, another goes there; the wheel scrolls what is under it",
    ));
    lines.push(Vec::new());
    lines.extend(faces);
    lines
}

/// Why the window named `of` is in its state.
fn explanation(of: &str, told: Option<&str>, columns: usize) -> Lines {
    let mut lines = vec![
        vec![(BOLD, one_line(&format!("why {of}"), columns.saturating_sub(2)))],
        Vec::new(),
    ];
    let told = told.unwrap_or("looking …");
    for (number, line) in told.lines().enumerate() {
        // First what it comes to, then the details.
        let style = if number == 0 { BOLD } else { PLAIN };
        let indent = line.len() - line.trim_start().len();
        let (name, rest) = line.split_at_checked(14).filter(|_| indent > 0).unwrap_or(("", line));
        let name = text::fit(name, if name.is_empty() { 0 } else { 13 });
        let room = columns.saturating_sub(width(&name) + 2).max(1);
        for (at, part) in wrap(rest, room).into_iter().enumerate() {
            let name = if at == 0 {
                name.clone()
            } else {
                " ".repeat(width(&name))
            };
            lines.push(vec![(DIM, name), (style, part)]);
        }
    }
    lines
}
