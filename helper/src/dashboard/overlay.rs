//! What lies over the list: the help, and why a window is in its state.

use super::draw::{Canvas, Pen, BOLD, DIM, PLAIN};
use super::keys::KEYS;
use super::state::Area;
use super::update::digit;
use crate::text::{self, one_line, width};
use crate::theme::Face;
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

/// What `overlay` says on a screen of so many `columns`.
pub fn lines(overlay: &Overlay, pen: Pen<'_>, columns: usize) -> Lines {
    match overlay {
        Overlay::Help => help(pen, columns),
        Overlay::Explain { of, text } => explanation(of, text.as_deref(), columns),
        Overlay::Load(choice) => choice.lines(pen, columns),
    }
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
pub fn help(pen: Pen<'_>, columns: usize) -> Lines {
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
    let means = |face: Face| match face {
        Face::Permission => "waits for your yes or no",
        Face::Question => "asks you something",
        Face::Failed => "failed, and you have not looked yet",
        Face::Done => "done, and you have not looked yet",
        Face::Active => "something happens there",
        Face::Running => "runs, and is quiet",
        Face::Waiting => "a prompt that needs nobody",
        Face::Idle => "nothing happens, nothing asks",
        Face::Error => "an error, seen already",
        Face::Parked => "set aside until it changes",
    };
    let faces = Face::ALL.into_iter().map(|face| {
        let icon = text::fit(pen.theme.icons.icon(face), pen.theme.icons.width());
        vec![
            (BOLD, text::fit(&digit(face).to_string(), KEY)),
            (pen.face(face), format!("{icon} {}", text::fit(face.as_str(), 12))),
            (PLAIN, means(face).to_owned()),
        ]
    });
    let mut lines: Lines = keys.collect();
    lines.extend(told("mouse", "a click selects, another goes there; the wheel moves"));
    lines.push(Vec::new());
    lines.extend(faces);
    lines
}

/// Why the window named `of` is in its state.
pub fn explanation(of: &str, told: Option<&str>, columns: usize) -> Lines {
    let mut lines = vec![
        vec![(BOLD, one_line(&format!("why {of}"), columns.saturating_sub(2)))],
        Vec::new(),
    ];
    let told = told.unwrap_or("looking …");
    for line in told.lines() {
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
            lines.push(vec![(DIM, name), (PLAIN, part)]);
        }
    }
    lines
}
