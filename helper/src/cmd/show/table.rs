//! The table: which windows stand in it, how its columns share the width, and how it is painted.
//!
//! Nothing here reads or asks. Names come from tmux as programs have set them: [`Line`] cleans all that it takes.

use crate::output::{self, Size};
use crate::reader::Look;
use crate::status::state::{KnownWindow, Place, State};
use crate::text::{self, one_line, width};
use crate::theme::{Face, Theme};
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
}

/// Cells between two columns.
const GAP: usize = 2;
/// Terminals narrower than this show neither commands nor ages.
const NARROW: usize = 60;
/// Terminals narrower than this do not spell the status out, either: its mark remains.
const NARROWEST: usize = 44;
/// Terminals narrower than this have room for names alone.
const TINY: usize = 30;
/// The least that the summary gets before the command's column gives way to it.
const SUMMARY: usize = 30;

const DIM: &str = "2";
const BOLD: &str = "1";
const PLAIN: &str = "";

/// The table as it is at `now`, in epoch seconds: lines without a newline at the end of the last one of a live table.
pub fn draw(look: &Look, now: u64, style: Style<'_>) -> String {
    let rows = rows(&look.state, now, style.live);
    let foot = foot(look, now, style);
    let columns = Columns::share(&rows, style.size.map(|size| size.columns), style.theme);
    let mut lines = Vec::new();
    // Where every row counts there is no header.
    let tall = style.size.is_some_and(|size| !style.live || size.rows >= 8);
    if tall && !rows.is_empty() {
        lines.push(columns.header(style));
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
    let mut session = None;
    for row in shown {
        lines.push(columns.row(row, session == Some(row.session.as_str()), style));
        session = Some(&row.session);
    }
    if !hidden.is_empty() && room > 0 {
        let needing = hidden.iter().filter(|row| row.window.calls().is_some()).count();
        let needing = if needing > 0 {
            format!(", {}", text::needing(needing))
        } else {
            String::new()
        };
        lines.push(Line::of(style, DIM, &format!("… {} more{needing}", hidden.len())));
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
        lines.push(Line::of(style, PLAIN, ended));
    }
    lines.push(Line::of(style, DIM, &foot));
    if let Some(path) = style.path {
        let path = text::clean(&path.display().to_string());
        let room = style.size.map_or(usize::MAX, |size| size.columns);
        lines.push(Line::of(style, DIM, &cut_at_front(&path, room)));
    }
    lines
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

/// One window in one session.
struct Row<'a> {
    session: String,
    /// `:0`.
    index: String,
    name: String,
    command: String,
    age: String,
    active: bool,
    window: &'a KnownWindow,
}

/// First those that need the user, the most pressing and of those the longest waiting first; then all others in tmux's
/// order.
fn rows(state: &State, now: u64, live: bool) -> Vec<Row<'_>> {
    let mut rows: Vec<_> = state.places().map(|place| Row::of(place, now, live)).collect();
    rows.sort_by_key(|row| row.window.urgency());
    rows
}

impl<'a> Row<'a> {
    fn of(place: Place<'a>, now: u64, live: bool) -> Self {
        let age = now.saturating_sub(place.window.began());
        Self {
            session: text::clean(&place.session.name),
            index: format!(":{}", place.link.index),
            name: text::clean(&place.window.name),
            command: text::clean(&place.window.command),
            age: if live && age < 60 {
                "now".to_owned()
            } else {
                text::ago(age)
            },
            active: place.link.active,
            window: place.window,
        }
    }

    fn target_width(&self) -> usize {
        width(&self.session) + self.index.len() + 1 + width(&self.name)
    }

    fn face(&self) -> Face {
        self.window.face()
    }

    /// As a terminal's escape sequence takes it: what calls its user stands out.
    fn colour(&self, theme: &Theme) -> String {
        let colour = theme.colours.colour(self.face()).for_terminal();
        match self.face().calls() {
            true => format!("1;{colour}"),
            false => colour,
        }
    }
}

/// How many cells each column takes; `None` leaves it out.
#[derive(Debug, PartialEq, Eq)]
struct Columns {
    /// With the blank after it.
    icon: usize,
    target: usize,
    status: Option<usize>,
    command: Option<usize>,
    age: Option<usize>,
    summary: bool,
}

impl Columns {
    fn share(rows: &[Row<'_>], room: Option<usize>, theme: &Theme) -> Self {
        let icon = theme.icons.width() + 1;
        let widest = |cell: fn(&Row<'_>) -> usize, least: usize| rows.iter().map(cell).max().unwrap_or(0).max(least);
        // One long name must not push everybody's summary aside; where nothing is cut, it only pushes its own.
        let wide = |least: usize| room.is_none_or(|cells| cells >= least);
        let most = room.map_or(40, |cells| {
            if cells < TINY {
                cells.saturating_sub(icon)
            } else {
                cells / 3
            }
        });
        let target = widest(|row| row.target_width(), 6).min(most);
        let status = wide(NARROWEST).then(|| widest(|row| row.face().as_str().len(), 6));
        let age = wide(NARROW).then(|| widest(|row| row.age.len(), 3));
        let command = wide(NARROW).then(|| widest(|row| width(&row.command), 7).min(room.map_or(usize::MAX, |_| 14)));
        let mut columns = Self {
            icon,
            target,
            status,
            command,
            age,
            summary: wide(TINY),
        };
        if room.is_some_and(|cells| cells < columns.before_summary() + SUMMARY) {
            columns.command = None;
        }
        columns
    }

    /// Where the summaries begin.
    fn before_summary(&self) -> usize {
        let others = [self.status, self.command, self.age].into_iter().flatten();
        others.fold(self.icon + self.target + GAP, |sum, cells| sum + cells + GAP)
    }

    fn header(&self, style: Style<'_>) -> String {
        let mut line = Line::new(style);
        line.at(self.icon, DIM, "WINDOW");
        let mut at = self.icon + self.target + GAP;
        for (cells, name) in [(self.status, "STATUS"), (self.command, "COMMAND"), (self.age, "AGE")] {
            let Some(cells) = cells else { continue };
            let start = if name == "AGE" {
                at + cells.saturating_sub(name.len())
            } else {
                at
            };
            line.at(start, DIM, name);
            at += cells + GAP;
        }
        if self.summary {
            line.at(at, DIM, "SUMMARY");
        }
        line.text
    }

    fn row(&self, row: &Row<'_>, repeated: bool, style: Style<'_>) -> String {
        let mut line = Line::new(style);
        let colour = row.colour(style.theme);
        line.at(0, &colour, style.theme.icons.icon(row.face()));
        self.target(row, repeated, &mut line);
        let mut at = line.column(self.icon + self.target);
        if let Some(cells) = self.status {
            line.at(at, &colour, row.face().as_str());
            at += cells + GAP;
        }
        if let Some(cells) = self.command {
            line.at(at, PLAIN, &one_line(&row.command, cells));
            at += cells + GAP;
        }
        if let Some(cells) = self.age {
            line.at(at + cells.saturating_sub(row.age.len()), DIM, &row.age);
            at += cells + GAP;
        }
        if self.summary {
            line.at(at, PLAIN, &row.window.summary);
        }
        line.text
    }

    /// `session:index name`. A long name gives way first, but keeps half of the room; the index always stays.
    fn target(&self, row: &Row<'_>, repeated: bool, line: &mut Line<'_>) {
        let (session, name) = (width(&row.session), width(&row.name));
        let whole = line.limit == usize::MAX || row.target_width() <= self.target;
        let (session, name) = if whole {
            (session, name)
        } else {
            let least = name.min(self.target / 2);
            let session = session.min(self.target.saturating_sub(least + 1 + row.index.len()).max(1));
            (session, self.target.saturating_sub(session + row.index.len() + 1))
        };
        let place = one_line(&row.session, session) + &row.index;
        line.at(self.icon, if repeated { DIM } else { PLAIN }, &place);
        let start = line.used + 1;
        line.at(start, if row.active { BOLD } else { PLAIN }, &one_line(&row.name, name));
    }
}

/// A line that never becomes wider than the terminal, and has no blanks at its end.
struct Line<'a> {
    style: Style<'a>,
    limit: usize,
    used: usize,
    text: String,
}

impl<'a> Line<'a> {
    fn new(style: Style<'a>) -> Self {
        Self {
            style,
            limit: style.size.map_or(usize::MAX, |size| size.columns),
            used: 0,
            text: String::new(),
        }
    }

    /// A line of one piece.
    fn of(style: Style<'a>, code: &str, text: &str) -> String {
        let mut line = Self::new(style);
        line.at(0, code, text);
        line.text
    }

    /// Where the next column starts after one that should end at `end`.
    fn column(&self, end: usize) -> usize {
        end.max(self.used) + GAP
    }

    /// Adds `text`, cleaned, at the cell `start`, or after what is there already.
    fn at(&mut self, start: usize, code: &str, text: &str) {
        let start = start.max(self.used);
        let text = one_line(text, self.limit.saturating_sub(start));
        if text.is_empty() {
            return;
        }
        self.text.extend(std::iter::repeat_n(' ', start - self.used));
        self.used = start + width(&text);
        if self.style.colours && !code.is_empty() {
            self.text += &format!("\x1b[{code}m{text}\x1b[0m");
        } else {
            self.text += &text;
        }
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
