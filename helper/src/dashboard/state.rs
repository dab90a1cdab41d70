//! What the dashboard shows, and where on the screen: all that drawing and updating share. It asks nobody.

use super::filter::{self, Filter};
use super::preview::Preview;
use super::workspaces::Choice;
use crate::model::{PaneId, SessionId, WindowId};
use crate::output::Size;
use crate::reader::Look;
use crate::status::state::{KnownSession, Place};
use crate::status::window::KnownWindow;
use crate::table::{self, Row};
use crate::text;
use crate::theme::Face;
use std::collections::{BTreeMap, HashSet};

/// How old the state may be before the dashboard says so, in seconds: a driver writes it at least once a minute.
pub const STALE: u64 = 90;

/// The order of the windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Who needs the user first.
    Need,
    /// By session, the one used last at the bottom.
    Session,
}

/// Which windows are shown, beside those that the typed filter lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Only {
    /// All.
    All,
    /// Those that need their user.
    Needing,
    /// Those of one state.
    Face(Face),
}

/// What lies over the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overlay {
    /// The keys and what the icons mean.
    Help,
    /// Why a window is in its state.
    Explain {
        /// Which window, in words.
        of: String,
        /// The text; `None` until it is there.
        text: Option<String>,
    },
    /// Documents to load.
    Load(Choice),
}

/// A window in a session, by ids: what stays selected while everything moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chosen {
    /// The session.
    pub session: SessionId,
    /// The window.
    pub window: WindowId,
}

impl Chosen {
    /// The window at that place.
    pub fn of(place: &Place<'_>) -> Self {
        Self {
            session: place.session.id,
            window: place.link.window,
        }
    }
}

/// Something that is not as it should be, and what mends it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problem {
    /// What.
    pub what: String,
    /// What to do; may be empty.
    pub hint: String,
}

/// What the state says of the selected window, for its preview.
#[derive(Debug, Clone, PartialEq)]
pub struct About {
    /// The pane that speaks for it.
    pub pane: PaneId,
    /// What stood in that, when a look captured it last.
    pub content: Option<u64>,
    /// The window.
    pub window: KnownWindow,
}

/// What was asked of tmux about the preview.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// What was known then of the pane and its window.
    pub about: Option<About>,
    /// When, in milliseconds of the dashboard's clock.
    pub at_ms: u64,
    /// Whether the answer is still to come.
    pub open: bool,
}

/// All of it.
#[derive(Debug, Clone)]
pub struct Model {
    /// The terminal.
    pub size: Size,
    /// The last look at the server, or why there is none.
    pub look: Result<Look, Problem>,
    /// Epoch seconds that ages are counted to. It moves with the look, and once a minute.
    pub clock: u64,
    /// Milliseconds of a clock that never goes back.
    pub now_ms: u64,
    /// What the commands in hints need to act on the same server.
    pub flag: String,
    /// The order of the windows.
    pub order: Order,
    /// What is shown of them.
    pub only: Only,
    /// What was typed to filter them.
    pub filter: Filter,
    /// Whether more is typed.
    pub typing: bool,
    /// The selected window.
    pub chosen: Option<Chosen>,
    /// The session that was loaded, of which a window is selected as soon as one is known.
    pub awaited: Option<SessionId>,
    /// The line of the list that is on top.
    pub top: usize,
    /// Whether the mouse has scrolled the list there: then the selection may be out of sight.
    pub wheeled: bool,
    /// The line of what lies over the list that is on top.
    pub overlay_top: usize,
    /// What lies over the list.
    pub overlay: Option<Overlay>,
    /// Whether the preview is wanted.
    pub preview_wanted: bool,
    /// What is on the selected window's screen.
    pub preview: Option<Preview>,
    /// The row of it to which its user has scrolled.
    pub preview_top: Option<usize>,
    /// What was asked about that.
    pub asked: Asked,
    /// What the user parked or unparked, until the state says the same: since when each is parked.
    pub parking: BTreeMap<WindowId, Option<u64>>,
    /// Whether a refresh runs.
    pub refreshing: bool,
    /// The session that would replace its file if it were saved once more.
    pub replaces: Option<SessionId>,
    /// A line for the user, and whether it tells of a failure.
    pub message: Option<(String, bool)>,
}

/// A line of the list.
#[derive(Debug, Clone)]
pub enum Entry<'a> {
    /// Nothing.
    Blank,
    /// The windows below call their user.
    Needing(usize),
    /// The windows below do not.
    Others(usize),
    /// The windows below are parked.
    Parked(usize),
    /// The windows below are of this session.
    Session(&'a KnownSession, usize),
    /// A window.
    Window(Place<'a>, Row<'a>),
}

impl Entry<'_> {
    /// The window in this line.
    pub fn chosen(&self) -> Option<Chosen> {
        match self {
            Entry::Window(place, _) => Some(Chosen::of(place)),
            _ => None,
        }
    }
}

impl Model {
    /// A dashboard that has seen nothing yet.
    pub fn new(size: Size, clock: u64, flag: String) -> Self {
        Self {
            size,
            look: Err(Problem::default()),
            clock,
            now_ms: 0,
            flag,
            order: Order::Need,
            only: Only::All,
            filter: Filter::default(),
            typing: false,
            chosen: None,
            awaited: None,
            top: 0,
            wheeled: false,
            overlay_top: 0,
            overlay: None,
            preview_wanted: true,
            preview: None,
            preview_top: None,
            asked: Asked::default(),
            parking: BTreeMap::new(),
            refreshing: false,
            replaces: None,
            message: None,
        }
    }

    /// Whether anything keeps windows out of the list.
    pub fn filtered(&self) -> bool {
        !self.filter.is_empty() || self.only != Only::All
    }

    fn shows(&self, row: &Row<'_>, words: &[String]) -> bool {
        let only = match self.only {
            Only::All => true,
            Only::Needing => row.window.calls().is_some(),
            Only::Face(face) => row.window.face() == face,
        };
        only && matches(row, words)
    }

    /// The lines of the list.
    pub fn entries(&self) -> Vec<Entry<'_>> {
        let Ok(look) = &self.look else { return Vec::new() };
        let words = self.filter.words();
        match self.order {
            Order::Need => self.by_need(look, &words),
            Order::Session => self.by_session(look, &words),
        }
    }

    fn by_need<'a>(&'a self, look: &'a Look, words: &[String]) -> Vec<Entry<'a>> {
        // A window of several sessions needs its user once: where somebody is, if anywhere.
        let mut places = table::by_need(&look.state);
        let attended: HashSet<WindowId> = places
            .iter()
            .filter(|place| place.session.attached > 0)
            .map(|place| place.link.window)
            .collect();
        let mut seen = HashSet::new();
        places.retain(|place| {
            let window = place.link.window;
            (place.session.attached > 0 || !attended.contains(&window)) && seen.insert(window)
        });
        let mut sections: [Vec<Entry<'a>>; 3] = Default::default();
        for place in places {
            let row = Row::of(place, self.clock, true);
            if !self.shows(&row, words) {
                continue;
            }
            let [needing, others, parked] = &mut sections;
            let section = match row.window.face() {
                face if face.calls() => needing,
                Face::Parked => parked,
                _ => others,
            };
            section.push(Entry::Window(place, row));
        }
        let headings = [Entry::Needing, Entry::Others, Entry::Parked];
        join(
            headings
                .into_iter()
                .zip(sections)
                .map(|(heading, rows)| (heading(rows.len()), rows)),
        )
    }

    fn by_session<'a>(&'a self, look: &'a Look, words: &[String]) -> Vec<Entry<'a>> {
        let mut sessions: Vec<&KnownSession> = look.state.sessions.iter().collect();
        sessions.sort_by_key(|session| session.activity);
        join(sessions.into_iter().map(|session| {
            let places = session.windows.iter().filter_map(|link| {
                let window = look.state.windows.get(&link.window)?;
                Some(Place { session, link, window })
            });
            let rows = places.map(|place| (place, Row::of(place, self.clock, true)));
            let rows = rows.filter(|(_, row)| self.shows(row, words));
            let rows: Vec<_> = rows
                .map(|(place, row)| Entry::Window(place, row.within_session()))
                .collect();
            (Entry::Session(session, rows.len()), rows)
        }))
    }

    /// Whether what is typed is text.
    pub fn takes_text(&self) -> bool {
        match &self.overlay {
            Some(overlay) => matches!(overlay, Overlay::Load(_)),
            None => self.typing,
        }
    }

    /// The selected window where it stands.
    pub fn place(&self) -> Option<Place<'_>> {
        let (look, chosen) = (self.look.as_ref().ok()?, self.chosen?);
        look.state.places().find(|place| Chosen::of(place) == chosen)
    }

    /// What the state says of it.
    pub fn about(&self) -> Option<About> {
        let (look, place) = (self.look.as_ref().ok()?, self.place()?);
        let pane = place.window.pane;
        Some(About {
            pane,
            content: look.state.panes.get(&pane).map(|known| known.content),
            window: place.window.clone(),
        })
    }

    /// How many windows need their user for each reason, the most pressing first.
    pub fn needs(&self) -> Vec<(Face, usize)> {
        let Ok(look) = &self.look else { return Vec::new() };
        let faces: Vec<Face> = look.state.windows.values().map(KnownWindow::face).collect();
        let count = |face: Face| (face, faces.iter().filter(|other| **other == face).count());
        let calling = Face::ALL.into_iter().filter(|face| face.calls());
        calling.map(count).filter(|(_, count)| *count > 0).collect()
    }

    /// What is wrong with what is shown, if anything.
    pub fn warning(&self) -> Option<Problem> {
        let look = self.look.as_ref().ok()?;
        let flag = &self.flag;
        let problem = |what: String, hint: String| Some(Problem { what, hint });
        if look.ended {
            return problem(
                "This tmux server has ended; this is what was seen last.".to_owned(),
                format!("tmux-status{flag} refresh brings the file up to date"),
            );
        }
        let age = self.clock.saturating_sub(look.state.generated_at);
        if look.state.server.is_some() && age > STALE {
            return problem(
                format!("Seen {} ago: nobody looks any more.", text::ago(age)),
                format!("r looks now; tmux-status{flag} doctor says why"),
            );
        }
        None
    }

    /// Where everything is on the screen.
    pub fn layout(&self) -> Layout {
        Layout::of(self)
    }
}

/// Puts each section's heading above it, and a blank line between two; a section without rows is left out.
fn join<'a>(sections: impl Iterator<Item = (Entry<'a>, Vec<Entry<'a>>)>) -> Vec<Entry<'a>> {
    let mut entries = Vec::new();
    for (heading, rows) in sections.filter(|(_, rows)| !rows.is_empty()) {
        if !entries.is_empty() {
            entries.push(Entry::Blank);
        }
        entries.push(heading);
        entries.extend(rows);
    }
    entries
}

/// Whether each of `words`, in small letters, is in what is said of the window or its name.
fn matches(row: &Row<'_>, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let target = row.target().to_lowercase();
    let others = [row.command(), row.window.face().as_str(), &row.window.summary].map(str::to_lowercase);
    words
        .iter()
        .all(|word| filter::is_in(&target, word) || others.iter().any(|other| other.contains(word)))
}

/// A part of the screen, in cells from its top left corner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Area {
    /// Cells from the left.
    pub x: usize,
    /// Rows from the top.
    pub y: usize,
    /// Cells in a row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
}

impl Area {
    /// The column and row within it of a place on the screen, if that is in it.
    pub fn within(&self, x: usize, y: usize) -> Option<(usize, usize)> {
        let column = x.checked_sub(self.x).filter(|x| *x < self.columns)?;
        let row = y.checked_sub(self.y).filter(|y| *y < self.rows)?;
        Some((column, row))
    }
}

/// Which part of the screen is for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The line of counts.
    pub header: Area,
    /// What is wrong, and what mends it.
    pub warning: Area,
    /// The names of the columns.
    pub columns: Area,
    /// The list, or what lies over it.
    pub list: Area,
    /// The preview, its frame included; no rows when it is hidden.
    pub preview: Area,
    /// Whether the preview is beside the list, not below it.
    pub beside: bool,
    /// The line of hints.
    pub footer: Area,
}

/// Where the preview is beside the list: on a screen this wide, and on one that is wide but has fewer rows than this.
const VERY_WIDE: usize = 200;
const WIDE: usize = 120;
const FLAT: usize = 30;
/// The least rows for a preview below the list.
const BELOW: usize = 16;

impl Layout {
    /// Where the rows of the selected window's screen are: the preview without its frame.
    pub fn picture(&self) -> Area {
        let Area { x, y, columns, rows } = self.preview;
        let margin = if self.beside { 2 } else { 1 };
        Area {
            x: x + margin,
            y: y + 1,
            columns: columns.saturating_sub(margin),
            rows: rows.saturating_sub(1),
        }
    }

    fn of(model: &Model) -> Self {
        let Size { columns, rows } = model.size;
        let line = |y: usize, rows: usize| Area { x: 0, y, columns, rows };
        let header = line(0, rows.min(1));
        let footer = line(rows.saturating_sub(1), usize::from(rows >= 4));
        let mut y = header.rows;
        let mut left = rows.saturating_sub(header.rows + footer.rows);
        let mut take = |wanted: usize| {
            let taken = wanted.min(left);
            y += taken;
            left -= taken;
            (y - taken, taken)
        };
        let warned = if model.warning().is_some() && rows >= 6 { 2 } else { 0 };
        let warning = take(warned);
        let windows = model.look.as_ref().is_ok_and(|look| !look.state.windows.is_empty());
        let plain = model.overlay.is_none();
        let names = take(usize::from(rows >= 10 && windows && plain));
        let body = take(usize::MAX);
        let mut list = line(body.0, body.1);
        let mut preview = Area::default();
        let beside = columns >= VERY_WIDE || columns >= WIDE && rows < FLAT;
        if model.preview_wanted && plain && windows {
            if beside && list.rows >= 6 {
                let width = columns * 55 / 100;
                preview = Area {
                    x: width,
                    columns: columns - width,
                    y: names.0,
                    rows: body.0 + body.1 - names.0,
                };
                list.columns = width;
            } else if !beside && rows >= BELOW && columns >= 30 {
                let height = list.rows * 45 / 100;
                list.rows -= height;
                preview = line(list.y + list.rows, height);
            }
        }
        let mut columns = line(names.0, names.1);
        columns.columns = list.columns;
        Self {
            header,
            warning: line(warning.0, warning.1),
            columns,
            list,
            preview,
            beside,
            footer,
        }
    }
}
