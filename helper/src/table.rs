//! Windows in rows and columns: what stands in a row, and how the columns share the width, for all who show windows to people.
//!
//! Nothing here reads, asks or paints. Names come from tmux as programs have set them: [`Line`] cleans all that it takes.

use crate::status::state::{Place, State};
use crate::status::window::KnownWindow;
use crate::text::{self, one_line, width};
use crate::theme::{Face, Icons};

/// Cells between two columns.
const GAP: usize = 2;
/// Terminals narrower than this show neither commands nor ages.
const NARROW: usize = 60;
/// Terminals narrower than this do not spell the status out, either: its mark remains.
const NARROWEST: usize = 44;
/// Terminals narrower than this have room for names alone.
const TINY: usize = 30;
/// The least that the summary gets before the command's column gives way to it: it most often names the program, too.
const SUMMARY: usize = 40;
/// The least that it gets before the status is no longer spelt out.
const LEAST: usize = 24;

/// How a piece of a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// As it is.
    Plain,
    /// Less than the rest.
    Dim,
    /// More than the rest.
    Bold,
    /// In the colour of that state; one that calls its user also stands out.
    Face(Face),
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The cell it starts at.
    pub start: usize,
    /// What stands there, clean.
    pub text: String,
    /// How it looks.
    pub paint: Paint,
}

/// A line that never becomes wider than its limit, and has no blanks at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    limit: usize,
    used: usize,
    pieces: Vec<Piece>,
}

impl Line {
    /// An empty one of at most `limit` cells.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            used: 0,
            pieces: Vec::new(),
        }
    }

    /// One of a single piece.
    pub fn of(limit: usize, paint: Paint, text: &str) -> Self {
        let mut line = Self::new(limit);
        line.at(0, paint, text);
        line
    }

    /// Its pieces, from left to right; none overlaps another.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The cells it takes.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Adds `text`, cleaned, at the cell `start`, or after what is there already.
    pub fn at(&mut self, start: usize, paint: Paint, text: &str) {
        let start = start.max(self.used);
        let text = one_line(text, self.limit.saturating_sub(start));
        if !text.is_empty() {
            self.used = start + width(&text);
            self.pieces.push(Piece { start, text, paint });
        }
    }

    /// Where the next column starts after one that should end at `end`.
    fn column(&self, end: usize) -> usize {
        end.max(self.used) + GAP
    }
}

/// One window in one session.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    session: String,
    /// `:0`.
    index: String,
    name: String,
    command: String,
    age: String,
    active: bool,
    /// The window.
    pub window: &'a KnownWindow,
}

/// Every window, first those that need their user, the most pressing and of those the longest waiting first; then all others
/// in tmux's order.
pub fn by_need<P>(state: &State<P>) -> Vec<Place<'_>> {
    let mut places: Vec<_> = state.places().collect();
    places.sort_by_key(|place| place.window.urgency());
    places
}

impl<'a> Row<'a> {
    /// A window's row at `now`, in epoch seconds. A `coarse` age counts whole minutes: it stays in sight without flickering.
    pub fn of(place: Place<'a>, now: u64, coarse: bool) -> Self {
        let age = now.saturating_sub(place.window.began());
        Self {
            session: text::clean(&place.session.name),
            index: format!(":{}", place.link.index),
            name: text::clean(&place.window.name),
            command: text::clean(&place.window.command),
            age: if coarse && age < 60 {
                "now".to_owned()
            } else {
                text::ago(age)
            },
            active: place.link.active,
            window: place.window,
        }
    }

    /// The same where the session is named elsewhere.
    #[must_use]
    pub fn within_session(mut self) -> Self {
        self.session.clear();
        self
    }

    /// Whether it is of the same session as `other`.
    pub fn is_beside(&self, other: &Self) -> bool {
        self.session == other.session
    }

    /// `session:index name`, clean.
    pub fn target(&self) -> String {
        format!("{}{} {}", self.session, self.index, self.name)
    }

    /// The program in it, clean.
    pub fn command(&self) -> &str {
        &self.command
    }

    fn place_width(&self) -> usize {
        width(&self.session) + self.index.len()
    }

    fn face(&self) -> Face {
        self.window.face()
    }
}

/// How many cells each column takes; `None` leaves it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// With the blank after it.
    icon: usize,
    target: usize,
    /// Of it, up to where names start below each other; 0 where each starts right after its index.
    place: usize,
    status: Option<usize>,
    command: Option<usize>,
    age: Option<usize>,
    summary: bool,
}

impl Columns {
    /// Shares `room` cells (`None`: as many as it takes) among what `rows` hold.
    pub fn share(rows: &[Row<'_>], room: Option<usize>, icons: &Icons) -> Self {
        let icon = icons.width() + 1;
        let widest =
            |cell: &dyn Fn(&Row<'_>) -> usize, least: usize| rows.iter().map(cell).max().unwrap_or(0).max(least);
        // One long name must not push everybody's summary aside; where nothing is cut, it only pushes its own.
        let wide = |least: usize| room.is_none_or(|cells| cells >= least);
        let most = room.map_or(40, |cells| match cells {
            0..TINY => cells.saturating_sub(icon),
            TINY..NARROW => cells * 2 / 5,
            _ => cells / 3,
        });
        let place = widest(&|row| row.place_width(), 0);
        let place = if place > most / 2 { 0 } else { place };
        let target = widest(&|row| row.place_width().max(place) + 1 + width(&row.name), 6).min(most);
        let status = wide(NARROWEST).then(|| widest(&|row| row.face().as_str().len(), 6));
        let age = wide(NARROW).then(|| widest(&|row| row.age.len(), 3));
        let command = wide(NARROW).then(|| widest(&|row| width(&row.command), 7).min(room.map_or(usize::MAX, |_| 14)));
        let mut columns = Self {
            icon,
            target,
            place,
            status,
            command,
            age,
            summary: wide(TINY),
        };
        let left = |columns: &Self, least: usize| room.is_none_or(|cells| cells >= columns.before_summary() + least);
        if !left(&columns, SUMMARY) {
            columns.command = None;
        }
        if !left(&columns, LEAST) {
            columns.status = None;
        }
        columns
    }

    /// Where the summaries begin.
    fn before_summary(&self) -> usize {
        let others = [self.status, self.command, self.age].into_iter().flatten();
        others.fold(self.icon + self.target + GAP, |sum, cells| sum + cells + GAP)
    }

    /// The columns' names.
    pub fn header(&self, limit: usize) -> Line {
        let mut line = Line::new(limit);
        line.at(self.icon, Paint::Dim, "WINDOW");
        let mut at = self.icon + self.target + GAP;
        for (cells, name) in [(self.status, "STATUS"), (self.command, "COMMAND"), (self.age, "AGE")] {
            let Some(cells) = cells else { continue };
            let start = if name == "AGE" {
                at + cells.saturating_sub(name.len())
            } else {
                at
            };
            line.at(start, Paint::Dim, name);
            at += cells + GAP;
        }
        if self.summary {
            line.at(at, Paint::Dim, "SUMMARY");
        }
        line
    }

    /// A row; `repeated` when the one before is of the same session.
    pub fn row(&self, row: &Row<'_>, repeated: bool, limit: usize, icons: &Icons) -> Line {
        let mut line = Line::new(limit);
        let face = Paint::Face(row.face());
        line.at(0, face, icons.icon(row.face()));
        self.target(row, repeated, &mut line);
        let mut at = line.column(self.icon + self.target);
        if let Some(cells) = self.status {
            line.at(at, face, row.face().as_str());
            at += cells + GAP;
        }
        if let Some(cells) = self.command {
            line.at(at, Paint::Plain, &one_line(&row.command, cells));
            at += cells + GAP;
        }
        if let Some(cells) = self.age {
            line.at(at + cells.saturating_sub(row.age.len()), Paint::Dim, &row.age);
            at += cells + GAP;
        }
        if self.summary {
            line.at(at, Paint::Plain, &row.window.summary);
        }
        line
    }

    /// `session:index name`. A long name gives way first, but keeps a third of the room; the index always stays.
    fn target(&self, row: &Row<'_>, repeated: bool, line: &mut Line) {
        let (session, name) = (width(&row.session), width(&row.name));
        let aligned = self.place.max(row.place_width());
        let (session, name) = if line.limit == usize::MAX || aligned + 1 + name <= self.target {
            (session, name)
        } else if self.place > 0 {
            (session, self.target.saturating_sub(aligned + 1))
        } else {
            let least = name.min(self.target / 3);
            let session = session.min(self.target.saturating_sub(least + 1 + row.index.len()).max(1));
            (session, self.target.saturating_sub(session + row.index.len() + 1))
        };
        let place = one_line(&row.session, session) + &row.index;
        line.at(self.icon, if repeated { Paint::Dim } else { Paint::Plain }, &place);
        let start = (line.used + 1).max(self.icon + self.place + 1);
        line.at(
            start,
            if row.active { Paint::Bold } else { Paint::Plain },
            &one_line(&row.name, name),
        );
    }
}
