//! Paints what is so. The same model always gives the same screen, at any size.

use super::keys::{Action, KEYS};
use super::overlay;
use super::preview::Preview;
use super::state::{Area, Entry, Layout, Model, Only, Order, Problem};
use crate::table::{Columns, Line, Paint, Row};
use crate::text::{self, one_line, width};
use crate::theme::{Colour, Face, Theme};
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

/// What it is painted with.
#[derive(Debug, Clone, Copy)]
pub struct Pen<'a> {
    /// Icons and colours.
    pub theme: &'a Theme,
    /// Whether there are colours.
    pub colours: bool,
}

/// A style.
pub const PLAIN: Style = Style::new();
/// A style.
pub const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
/// A style.
pub const DIM: Style = Style::new().add_modifier(Modifier::DIM);

impl Pen<'_> {
    fn colour(&self, colour: Colour) -> Style {
        match colour {
            Colour::Indexed(index) if self.colours => PLAIN.fg(Color::Indexed(index)),
            Colour::Rgb(red, green, blue) if self.colours => PLAIN.fg(Color::Rgb(red, green, blue)),
            _ => PLAIN,
        }
    }

    pub fn face(&self, face: Face) -> Style {
        let style = self.colour(self.theme.colours.colour(face));
        match face.calls() {
            true => style.add_modifier(Modifier::BOLD),
            false => style,
        }
    }

    fn paint(&self, paint: Paint) -> Style {
        match paint {
            Paint::Plain => PLAIN,
            Paint::Dim => DIM,
            Paint::Bold => BOLD,
            Paint::Face(face) => self.face(face),
        }
    }

    /// One of two signs, as the icons are.
    pub fn sign(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.theme.icons.are_ascii() {
            ascii
        } else {
            unicode
        }
    }
}

/// Paints the whole screen.
pub fn draw(model: &Model, pen: Pen<'_>, buffer: &mut Buffer) {
    let layout = model.layout();
    let mut canvas = Canvas { buffer };
    header(model, pen, &mut canvas, layout.header);
    if let Some(problem) = model.warning() {
        canvas.text(layout.warning, 0, 1, pen.face(Face::Failed), &problem.what);
        canvas.text(layout.warning, 1, 1, DIM, &problem.hint);
    }
    match (&model.overlay, &model.look) {
        (Some(over), _) => {
            let lines = overlay::lines(over, pen, layout.list.columns);
            overlay::paint(&lines, model.overlay_top, pen, &mut canvas, layout.list);
        }
        (None, Err(problem)) => notice(problem, &mut canvas, layout.list),
        (None, Ok(_)) => list(model, pen, &mut canvas, layout.columns, layout.list),
    }
    preview(model, pen, &mut canvas, &layout);
    footer(model, pen, &mut canvas, layout.footer);
}

/// Where text is put; what does not fit is cut.
pub struct Canvas<'a> {
    buffer: &'a mut Buffer,
}

impl Canvas<'_> {
    /// Puts clean `text` into a row of `area`, from its cell `x` on; the cell after it.
    pub fn text(&mut self, area: Area, row: usize, x: usize, style: Style, text: &str) -> usize {
        self.raw(area, row, x, style, &one_line(text, area.columns.saturating_sub(x)))
    }

    /// The same for text that is clean and may have blanks at its ends.
    pub fn raw(&mut self, area: Area, row: usize, x: usize, style: Style, text: &str) -> usize {
        let room = area.columns.saturating_sub(x);
        let (Ok(column), Ok(line)) = (u16::try_from(area.x + x), u16::try_from(area.y + row)) else {
            return x;
        };
        let all = self.buffer.area;
        if room == 0 || row >= area.rows || column >= all.width || line >= all.height {
            return x;
        }
        let (end, _) = self.buffer.set_stringn(column, line, text, room, style);
        usize::from(end).saturating_sub(area.x)
    }

    /// Adds `style` to a whole row.
    pub fn tint(&mut self, area: Area, row: usize, style: Style) {
        for x in area.x..area.x + area.columns {
            let (Ok(column), Ok(line)) = (u16::try_from(x), u16::try_from(area.y + row)) else {
                return;
            };
            if let Some(cell) = self.buffer.cell_mut((column, line)) {
                cell.set_style(style);
            }
        }
    }

    /// Puts a table's line, from the cell `x` on.
    fn line(&mut self, area: Area, row: usize, x: usize, line: &Line, pen: Pen<'_>) {
        for piece in line.pieces() {
            self.raw(area, row, x + piece.start, pen.paint(piece.paint), &piece.text);
        }
    }
}

fn header(model: &Model, pen: Pen<'_>, canvas: &mut Canvas<'_>, area: Area) {
    let needs = model.needs();
    let needing: usize = needs.iter().map(|(_, count)| count).sum();
    let Ok(look) = &model.look else {
        canvas.text(area, 0, 1, BOLD, "tmux-status");
        return;
    };
    let mut x = match needs.first() {
        Some((face, _)) => {
            let badge = format!(" {} ", text::needing(needing));
            canvas.raw(area, 0, 0, pen.face(*face).add_modifier(Modifier::REVERSED), &badge)
        }
        None if look.state.windows.is_empty() => canvas.text(area, 0, 1, BOLD, "no windows"),
        None => canvas.text(area, 0, 1, pen.face(Face::Done), "none needs you"),
    };
    let right = aside(model);
    let part = |(face, count): &(Face, usize), spelt: bool| {
        let what = match face {
            Face::Permission | Face::Question if spelt => text::count(*count, face.as_str()),
            _ if spelt => format!("{count} {}", face.as_str()),
            _ => count.to_string(),
        };
        format!("{} {what}", pen.theme.icons.icon(*face))
    };
    let spelt: usize = needs.iter().map(|need| width(&part(need, true)) + 2).sum();
    // Words are worth more than how many windows there are, but not than what keeps some out of sight.
    let beside = if model.filtered() { width(&right) + 2 } else { 0 };
    let spelt = x + spelt + beside < area.columns;
    for need in &needs {
        let part = part(need, spelt);
        if x + 2 + width(&part) > area.columns {
            break;
        }
        x = canvas.text(area, 0, x + 2, pen.face(need.0), &part);
    }
    let start = area.columns.saturating_sub(width(&right) + 1);
    if start >= x + 2 {
        canvas.text(area, 0, start, DIM, &right);
    }
}

/// What stands at the header's right.
fn aside(model: &Model) -> String {
    let Ok(look) = &model.look else { return String::new() };
    let windows = text::count(look.state.windows.len(), "window");
    let sessions = text::count(look.state.sessions.len(), "session");
    let mut parts = Vec::new();
    if model.refreshing {
        parts.push("looking …".to_owned());
    }
    match model.only {
        Only::All => {}
        Only::Needing => parts.push("only those that need you".to_owned()),
        Only::Face(face) => parts.push(format!("only {}", face.as_str())),
    }
    if !model.filter.is_empty() && !model.typing {
        parts.push(format!("/{}", text::one_line(model.filter.as_str(), 30)));
    }
    if parts.is_empty() || model.refreshing {
        parts.push(format!("{windows} in {sessions}"));
    }
    parts.join("  ")
}

fn list(model: &Model, pen: Pen<'_>, canvas: &mut Canvas<'_>, names: Area, area: Area) {
    let entries = model.entries();
    let rows: Vec<Row<'_>> = entries
        .iter()
        .filter_map(|entry| match entry {
            Entry::Window(_, row) => Some(row.clone()),
            _ => None,
        })
        .collect();
    if rows.is_empty() {
        let problem = nothing(model);
        return notice(&problem, canvas, area);
    }
    // The sign of the selection and a blank at the left; at the right a blank, and the bar of a list that goes on.
    let bar = usize::from(entries.len() > area.rows);
    let room = area.columns.saturating_sub(3 + bar);
    let columns = Columns::share(&rows, Some(room), &pen.theme.icons);
    canvas.line(names, 0, 2, &columns.header(room), pen);
    let mut before: Option<&Row<'_>> = None;
    for (line, entry) in entries.iter().enumerate().skip(model.top).take(area.rows) {
        let at = line - model.top;
        match entry {
            Entry::Blank => {}
            Entry::Window(_, row) => {
                let repeated = before.is_some_and(|before| before.is_beside(row));
                let text = columns.row(row, repeated && model.order == Order::Need, room, &pen.theme.icons);
                canvas.line(area, at, 2, &text, pen);
                if entry.chosen() == model.chosen {
                    select(pen, canvas, area, at, row.window.face());
                }
                before = Some(row);
            }
            heading => {
                before = None;
                self::heading(heading, pen, canvas, area, at);
            }
        }
    }
    more(model, entries.len(), pen, canvas, area);
}

/// The bar over the selected row.
fn select(pen: Pen<'_>, canvas: &mut Canvas<'_>, area: Area, row: usize, face: Face) {
    // Without what is dim in it: dim and turned around is hard to read on some terminals.
    let style = BOLD
        .add_modifier(Modifier::REVERSED)
        .remove_modifier(Modifier::DIM)
        .fg(Color::Reset);
    canvas.tint(area, row, style);
    let sign = pen.sign("▌", ">");
    let marked = pen.face(face).remove_modifier(Modifier::REVERSED | Modifier::DIM);
    canvas.raw(area, row, 0, marked, sign);
}

fn heading(entry: &Entry<'_>, pen: Pen<'_>, canvas: &mut Canvas<'_>, area: Area, row: usize) {
    let (style, name, count) = match entry {
        Entry::Needing(count) => (pen.face(Face::Permission), "NEEDS YOU".to_owned(), *count),
        Entry::Others(count) => (DIM, "needs nobody".to_owned(), *count),
        Entry::Parked(count) => (DIM, "parked".to_owned(), *count),
        Entry::Session(session, count) => {
            let attached = if session.attached > 0 { BOLD } else { PLAIN };
            (attached, text::clean(&session.name), *count)
        }
        Entry::Blank | Entry::Window(..) => return,
    };
    let x = canvas.text(area, row, 0, style, &one_line(&name, area.columns.saturating_sub(6)));
    let mut x = canvas.text(area, row, x + 1, DIM, &count.to_string());
    if let Entry::Session(session, _) = entry {
        if session.attached > 0 {
            x = canvas.text(area, row, x + 1, DIM, "attached");
        }
    }
    let rule = pen.sign("─", "-").repeat(area.columns.saturating_sub(x + 2));
    canvas.raw(area, row, x + 1, DIM, &rule);
}

/// At the edge of a list that goes on below or above: how far.
fn more(model: &Model, lines: usize, pen: Pen<'_>, canvas: &mut Canvas<'_>, area: Area) {
    if lines <= area.rows || area.rows < 4 {
        return;
    }
    // A bar in the last column that is as long as what is in sight.
    let length = (area.rows * area.rows / lines).max(1);
    let most = lines - area.rows;
    let start = (model.top * (area.rows - length)).checked_div(most).unwrap_or(0);
    let bar = pen.sign("▐", "|");
    for row in start..start + length {
        let last = area.columns.saturating_sub(1);
        canvas.raw(area, row, last, DIM, bar);
    }
}

/// Why the list is empty.
fn nothing(model: &Model) -> Problem {
    let (what, hint) = if model.filtered() {
        ("No window is like that.", "esc shows all".to_owned())
    } else {
        let flag = &model.flag;
        let hint = format!("tmux{flag} new-session starts one; r looks again");
        ("No tmux server runs there.", hint)
    };
    Problem {
        what: what.to_owned(),
        hint,
    }
}

/// What is wrong, where the list would be.
fn notice(problem: &Problem, canvas: &mut Canvas<'_>, area: Area) {
    let room = area.columns.saturating_sub(4);
    let mut row = if area.rows > 5 { 1 } else { 0 };
    for (style, text) in [(BOLD, &problem.what), (PLAIN, &problem.hint)] {
        for line in overlay::wrap(text, room) {
            canvas.text(area, row, 2, style, &line);
            row += 1;
        }
        row += usize::from(area.rows > 5);
    }
}

fn preview(model: &Model, pen: Pen<'_>, canvas: &mut Canvas<'_>, layout: &Layout) {
    let area = layout.preview;
    let Some(place) = model.place().filter(|_| area.rows > 1 && area.columns > 4) else {
        return;
    };
    let title = format!("{}:{} {}", place.session.name, place.link.index, place.window.name);
    let title = one_line(&title, area.columns.saturating_sub(6));
    let (mut inner, rule) = (area, pen.sign("─", "-"));
    if layout.beside {
        let bar = pen.sign("│", "|");
        for row in 0..area.rows {
            canvas.raw(area, row, 0, DIM, bar);
        }
        inner.x += 2;
        inner.columns -= 2;
    }
    let x = canvas.raw(inner, 0, 0, DIM, &rule.repeat(2));
    let x = canvas.text(inner, 0, x + 1, BOLD, &title) + 1;
    canvas.raw(inner, 0, x, DIM, &rule.repeat(inner.columns.saturating_sub(x)));
    if let Some(preview) = &model.preview {
        let inside = layout.picture();
        let top = preview.top(inside.rows, model.preview_top);
        screen(preview, top, pen, canvas, inside);
    }
}

/// The rows of a window's screen from the row `top` on.
fn screen(preview: &Preview, top: usize, pen: Pen<'_>, canvas: &mut Canvas<'_>, area: Area) {
    for (row, runs) in preview.rows.iter().skip(top).take(area.rows).enumerate() {
        let mut x = 0;
        for run in runs {
            let mut style = run.style;
            if !pen.colours {
                (style.fg, style.bg) = (None, None);
            }
            x = canvas.raw(area, row, x, style, &run.text);
        }
    }
}

/// Hints that go when there is no room for all, in this order.
const DISPENSABLE: &[Action] = &[
    Action::Preview,
    Action::Group,
    Action::Explain,
    Action::Park,
    Action::Filter,
    Action::Go,
];

fn footer(model: &Model, pen: Pen<'_>, canvas: &mut Canvas<'_>, area: Area) {
    if let Some((line, failed)) = &model.message {
        let style = if *failed { pen.face(Face::Failed) } else { PLAIN };
        canvas.text(area, 0, 1, style, line);
        return;
    }
    let mut x = 1;
    if model.typing && model.overlay.is_none() {
        let found = model.entries().iter().filter(|entry| entry.chosen().is_some()).count();
        x = canvas.raw(area, 0, x, BOLD, "/");
        // Of a long one its end is in sight, where typing goes on.
        let room = area.columns.saturating_sub(24).max(4);
        let typed = end_of(model.filter.as_str(), room);
        x = canvas.raw(area, 0, x, PLAIN, typed);
        x = canvas.raw(area, 0, x, PLAIN.add_modifier(Modifier::REVERSED), " ");
        canvas.text(
            area,
            0,
            x + 2,
            DIM,
            &match found {
                0 => "no window · esc shows all".to_owned(),
                _ => format!("{} · enter goes, esc ends", text::count(found, "window")),
            },
        );
        return;
    }
    let over = model.overlay.is_some();
    let shown = KEYS.iter().filter_map(|key| {
        let hint = match (key.action, over) {
            (Action::Down, true) if overlay::hidden(model) > 0 => "scroll",
            (Action::Back, true) => "back",
            (Action::Group, false) if model.order == Order::Session => "by need",
            (Action::Park, false) if model.place().is_some_and(|place| place.window.parked) => "unpark",
            (Action::Quit, _) | (_, false) => key.hint?,
            (_, true) => return None,
        };
        Some((key.action, key.label.split(' ').next()?, hint))
    });
    let mut shown: Vec<(Action, &str, &str)> = shown.collect();
    let cells = |shown: &[(Action, &str, &str)]| -> usize {
        let each = shown.iter().map(|(_, key, hint)| width(key) + width(hint) + 3);
        each.sum::<usize>().saturating_sub(1)
    };
    // What is least missed goes first, and the ways out and to the help last.
    for dispensable in DISPENSABLE {
        if x + cells(&shown) > area.columns {
            shown.retain(|(action, ..)| action != dispensable);
        }
    }
    let gap = if x + cells(&shown) + shown.len() <= area.columns {
        3
    } else {
        2
    };
    for (_, key, hint) in shown {
        if x + width(key) + 1 + width(hint) > area.columns {
            // A key that does not fit leaves its place to those that do.
            continue;
        }
        x = canvas.text(area, 0, x, BOLD, key);
        x = canvas.text(area, 0, x + 1, DIM, hint) + gap;
    }
}

fn end_of(text: &str, room: usize) -> &str {
    let starts = text.char_indices().map(|(at, _)| at);
    let fits = |at: &usize| text.get(*at..).is_some_and(|end| width(end) <= room);
    starts
        .into_iter()
        .find(fits)
        .and_then(|at| text.get(at..))
        .unwrap_or_default()
}

#[cfg(test)]
#[path = "draw_tests.rs"]
mod tests;
