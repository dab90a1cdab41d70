//! The table: its lines, painted for standard output.

use crate::output::{self, Size};
use crate::reader::Look;
use crate::table::{self, Columns, Line, Paint, Row};
use crate::text::{self, width};
use crate::theme::Theme;
use std::path::Path;

/// How the table may look.
#[derive(Debug, Clone, Copy)]
pub struct Style<'a> {
    /// Icons and colours.
    pub theme: &'a Theme,
    /// Whether it is painted.
    pub colours: bool,
    /// The terminal it has to fit: without one nothing is cut.
    pub size: Option<Size>,
    /// Whether it stays in sight: then ages are coarse, and what does not fit into the terminal's rows is counted.
    pub live: bool,
    /// The file to name below it.
    pub path: Option<&'a Path>,
}

impl<'a> Style<'a> {
    /// As standard output takes it.
    pub fn of_output(theme: &'a Theme) -> Self {
        Self {
            theme,
            colours: output::takes_colours(),
            size: output::size(),
            live: false,
            path: None,
        }
    }

    /// Cells in a line.
    fn limit(&self) -> usize {
        self.size.map_or(usize::MAX, |size| size.columns)
    }
}

/// The table as it is at `now`, in epoch seconds: lines without a newline at the end of the last one of a live table.
pub fn draw(look: &Look, now: u64, style: Style<'_>) -> String {
    let places = table::by_need(&look.state).into_iter();
    let rows: Vec<Row<'_>> = places.map(|place| Row::of(place, now, style.live)).collect();
    let foot = foot(look, now, style);
    let room = style.size.map(|size| size.columns);
    let columns = Columns::share(&rows, room, &style.theme.icons);
    let limit = style.limit();
    let mut lines = Vec::new();
    // Where every row counts there is no header.
    let tall = style.size.is_some_and(|size| !style.live || size.rows >= 8);
    if tall && !rows.is_empty() {
        lines.push(painted(&columns.header(limit), style));
    }
    let room = match style.size.filter(|_| style.live) {
        Some(size) => size.rows.saturating_sub(lines.len() + foot.len()),
        None => usize::MAX,
    };
    let shown = if rows.len() <= room {
        rows.len()
    } else {
        room.saturating_sub(1)
    };
    let (shown, hidden) = rows.split_at(shown);
    let mut before: Option<&Row<'_>> = None;
    for row in shown {
        let repeated = before.is_some_and(|before| before.is_beside(row));
        lines.push(painted(&columns.row(row, repeated, limit, &style.theme.icons), style));
        before = Some(row);
    }
    if !hidden.is_empty() && room > 0 {
        let needing = hidden.iter().filter(|row| row.window.calls().is_some()).count();
        let needing = if needing > 0 {
            format!(", {}", text::needing(needing))
        } else {
            String::new()
        };
        let more = format!("… {} more{needing}", hidden.len());
        lines.push(line(Paint::Dim, &more, style));
    }
    lines.extend(foot);
    if let Some(size) = style.size.filter(|_| style.live) {
        // One line too many would scroll the first one away.
        lines.truncate(size.rows);
    }
    if style.live {
        lines.join("\n")
    } else {
        lines.join("\n") + "\n"
    }
}

fn foot(look: &Look, now: u64, style: Style<'_>) -> Vec<String> {
    let (windows, needing) = look.state.counts();
    let mut foot = match look.state.server {
        None => "no tmux server".to_owned(),
        Some(_) => format!("{}, {}", text::count(windows, "window"), text::needing(needing)),
    };
    let age = now.saturating_sub(look.state.generated_at);
    // Fresh is what a live table is expected to be.
    if !style.live || age >= 120 {
        foot += &format!("; {} old", text::ago(age));
    }
    if style.live && style.size.is_some() {
        foot += "; Ctrl-C ends";
    }
    let mut lines = Vec::new();
    if look.ended {
        let ended = "This tmux server has ended; tmux-status refresh brings the file up to date.";
        lines.push(line(Paint::Plain, ended, style));
    }
    lines.push(line(Paint::Dim, &foot, style));
    if let Some(path) = style.path {
        let path = text::clean(&path.display().to_string());
        lines.push(line(Paint::Dim, &cut_at_front(&path, style.limit()), style));
    }
    lines
}

/// A line of one piece.
fn line(paint: Paint, text: &str, style: Style<'_>) -> String {
    painted(&Line::of(style.limit(), paint, text), style)
}

/// The end of `text` that fits into `limit` cells: of a path, the file's name says more than the root.
fn cut_at_front(text: &str, limit: usize) -> String {
    if width(text) <= limit {
        return text.to_owned();
    }
    let fits = |(start, _): &(usize, char)| text.get(*start..).is_some_and(|end| width(end) < limit);
    let start = text.char_indices().find(fits).map_or(text.len(), |(start, _)| start);
    format!("…{}", text.get(start..).unwrap_or_default())
}

/// A line as the terminal takes it.
fn painted(line: &Line, style: Style<'_>) -> String {
    let mut out = String::new();
    let mut used = 0;
    for piece in line.pieces() {
        out.extend(std::iter::repeat_n(' ', piece.start.saturating_sub(used)));
        used = piece.start + width(&piece.text);
        match code(piece.paint, style.theme).filter(|_| style.colours) {
            Some(code) => out += &format!("\x1b[{code}m{}\x1b[0m", piece.text),
            None => out += &piece.text,
        }
    }
    out
}

/// The parameters of the escape sequence (SGR) for it.
fn code(paint: Paint, theme: &Theme) -> Option<String> {
    Some(match paint {
        Paint::Plain => return None,
        Paint::Dim => "2".to_owned(),
        Paint::Bold => "1".to_owned(),
        Paint::Face(face) => {
            let colour = theme.colours.colour(face).for_terminal();
            match face.calls() {
                true => format!("1;{colour}"),
                false => colour,
            }
        }
    })
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
