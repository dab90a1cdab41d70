//! What `select-layout` takes: names of layouts, and saved ones, read before tmux sees them.
//!
//! tmux 3.3a ends at a name that it does not know and at a saved layout that does not hold together, and any at one of
//! millions of rows. So it is checked as tmux does it: its checksum, its grammar, then whether the cells fill each other
//! once those without a pane are gone.

use super::version;
use std::fmt;

/// The longest layout; tmux saves none that is longer.
pub const LAYOUT_BYTES: usize = 8192;

/// The most rows or columns of a window.
pub const MOST_CELLS: u32 = 10_000;

/// The first tmux with mirrored main layouts.
const MIRRORED_SINCE: (u32, u32) = (3, 5);

/// Why a layout cannot be given to a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// It is no layout, or none for that many panes.
    Wrong(String),
    /// This version of tmux does not know it yet.
    TooNew,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong(why) => f.write_str(why),
            Self::TooNew => f.write_str("mirrored layouts need tmux 3.5 or newer"),
        }
    }
}

impl std::error::Error for Unfit {}

/// Whether this version of tmux (as `#{version}` gives it) has mirrored main layouts.
pub fn has_mirrored(version: &str) -> bool {
    !version::is_before(version, MIRRORED_SINCE)
}

/// Names that every version knows.
const NAMES: [&str; 5] = [
    "even-horizontal",
    "even-vertical",
    "main-horizontal",
    "main-vertical",
    "tiled",
];
/// Names that came later.
const MIRRORED: [&str; 2] = ["main-horizontal-mirrored", "main-vertical-mirrored"];

const SEVERAL: &str = "it is the start of several names";

/// What was asked for, as far as it can be told without a server.
#[derive(Debug)]
pub enum Layout {
    /// A name, or its start.
    Named(String),
    /// A saved one.
    Saved(Cell),
}

/// A part of a saved layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// How many columns it has.
    pub width: u32,
    /// How many rows.
    pub height: u32,
    /// What is in it.
    pub inner: Inner,
}

/// What is in a part of a layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inner {
    /// A pane.
    Pane,
    /// Beside each other.
    Row(Vec<Cell>),
    /// Below each other.
    Column(Vec<Cell>),
}

/// Reads it.
///
/// # Errors
/// When it is neither the start of a name nor a saved layout.
pub fn read(text: &str) -> Result<Layout, Unfit> {
    let starts = |name: &&str| name.starts_with(text);
    if text.is_empty() || text.len() > LAYOUT_BYTES {
        return Err(no_layout(&format!("it takes 1 to {LAYOUT_BYTES} bytes")));
    }
    let known = NAMES.iter().filter(|name| starts(name)).count();
    match known + MIRRORED.iter().filter(|name| starts(name)).count() {
        0 => saved(text).map(Layout::Saved).map_err(no_layout),
        // With those that came later, a start may be that of two names; the server's version tells.
        _ if known < 2 => Ok(Layout::Named(text.to_owned())),
        _ => Err(no_layout(SEVERAL)),
    }
}

fn no_layout(why: &str) -> Unfit {
    let names = NAMES.join(", ");
    Unfit::Wrong(format!(
        "layout is neither a saved layout ({why}) nor one of {names} or the start of just one"
    ))
}

impl Layout {
    /// Whether a window with `panes` panes on a server with mirrored layouts, or without, can have it.
    ///
    /// # Errors
    /// When not.
    pub fn check(self, panes: usize, mirrored: bool) -> Result<(), Unfit> {
        match self {
            Layout::Named(name) => named(&name, mirrored),
            Layout::Saved(cell) => cell.check(panes).map_err(|why| no_layout(&why)),
        }
    }
}

fn named(text: &str, mirrored: bool) -> Result<(), Unfit> {
    let starts = |names: &[&str]| names.iter().filter(|name| name.starts_with(text)).count();
    let later = if mirrored { starts(&MIRRORED) } else { 0 };
    let whole = NAMES.contains(&text);
    match starts(&NAMES) + later {
        _ if whole => Ok(()),
        0 => Err(Unfit::TooNew),
        1 => Ok(()),
        _ => Err(no_layout(SEVERAL)),
    }
}

fn saved(text: &str) -> Result<Cell, &'static str> {
    let not_saved = "it does not start with four digits of a checksum and a comma";
    let (sum, tree) = text.split_once(',').ok_or(not_saved)?;
    let digits = sum.len() == 4 && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
    let sum = u16::from_str_radix(sum, 16).ok().filter(|_| digits).ok_or(not_saved)?;
    if sum != checksum(tree) {
        return Err("its checksum is another");
    }
    let mut rest = tree;
    let cell = cell(&mut rest).ok_or("its cells cannot be read")?;
    if rest.is_empty() {
        Ok(cell)
    } else {
        Err("something follows its cells")
    }
}

fn checksum(text: &str) -> u16 {
    let add = |sum: u16, byte: u8| sum.rotate_right(1).wrapping_add(u16::from(byte));
    text.bytes().fold(0, add)
}

/// Reads a cell off the start of `rest`: `WIDTHxHEIGHT,X,Y` and then a pane's id, or cells in brackets.
fn cell(rest: &mut &str) -> Option<Cell> {
    let width = number(rest)?;
    skip(rest, 'x')?;
    let height = number(rest)?;
    for _offset in 0..2 {
        skip(rest, ',')?;
        number(rest)?;
    }
    let inner = match rest.chars().next() {
        Some('{') => Inner::Row(cells(rest, '{', '}')?),
        Some('[') => Inner::Column(cells(rest, '[', ']')?),
        _ => {
            pane(rest);
            Inner::Pane
        }
    };
    let sized = |cells: u32| (1..=MOST_CELLS).contains(&cells);
    (sized(width) && sized(height)).then_some(Cell { width, height, inner })
}

/// Takes the id of a pane off, if there is one: a number behind a comma that is not the width of the next cell.
fn pane(rest: &mut &str) {
    let mut ahead = *rest;
    if skip(&mut ahead, ',').and_then(|()| number(&mut ahead)).is_some() && !ahead.starts_with('x') {
        *rest = ahead;
    }
}

fn cells(rest: &mut &str, open: char, close: char) -> Option<Vec<Cell>> {
    skip(rest, open)?;
    let mut cells = vec![cell(rest)?];
    while skip(rest, ',').is_some() {
        cells.push(cell(rest)?);
    }
    skip(rest, close)?;
    // tmux never saves a cell around a single one, and does not survive taking that one out.
    (cells.len() > 1).then_some(cells)
}

fn skip(rest: &mut &str, expected: char) -> Option<()> {
    *rest = rest.strip_prefix(expected)?;
    Some(())
}

fn number(rest: &mut &str) -> Option<u32> {
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = rest.get(..rest.len() - after.len())?;
    *rest = after;
    digits.parse().ok()
}

impl Cell {
    /// A pane of that size.
    pub fn pane(width: u32, height: u32) -> Self {
        let inner = Inner::Pane;
        Self { width, height, inner }
    }

    /// Cells beside each other; one alone is itself. Without any there is none.
    pub fn row(cells: Vec<Self>) -> Option<Self> {
        Self::of(Inner::Row(cells))
    }

    /// The same below each other.
    pub fn column(cells: Vec<Self>) -> Option<Self> {
        Self::of(Inner::Column(cells))
    }

    fn of(inner: Inner) -> Option<Self> {
        match inner.cells()? {
            [] => None,
            [only] => Some(only.clone()),
            _ => Some(Self {
                width: inner.width()?,
                height: inner.height()?,
                inner,
            }),
        }
    }

    /// As tmux saves it, with the panes numbered from 0.
    pub fn saved(&self) -> String {
        let (mut tree, mut panes) = (String::new(), 0);
        self.write((0, 0), &mut panes, &mut tree);
        format!("{:04x},{tree}", checksum(&tree))
    }

    fn write(&self, (x, y): (u32, u32), panes: &mut usize, out: &mut String) {
        out.push_str(&format!("{}x{},{x},{y}", self.width, self.height));
        let (open, close, across) = match self.inner {
            Inner::Pane => {
                out.push_str(&format!(",{panes}"));
                *panes += 1;
                return;
            }
            Inner::Row(_) => ('{', '}', true),
            Inner::Column(_) => ('[', ']', false),
        };
        let (mut at, mut sign) = ((x, y), open);
        for cell in self.inner.cells().unwrap_or_default() {
            out.push(sign);
            sign = ',';
            cell.write(at, panes, out);
            // A line is between two.
            if across {
                at.0 += cell.width + 1;
            } else {
                at.1 += cell.height + 1;
            }
        }
        out.push(close);
    }

    fn check(mut self, panes: usize) -> Result<(), String> {
        let room = self.panes();
        if room < panes {
            return Err(format!("it has room for {room} panes, and the window has {panes}"));
        }
        for _spare in panes..room {
            self.drop_last();
        }
        // What the outermost cell says of its size is not believed.
        self.width = self.inner.width().unwrap_or(self.width);
        self.height = self.inner.height().unwrap_or(self.height);
        if self.width > MOST_CELLS || self.height > MOST_CELLS {
            return Err(format!("it is larger than {MOST_CELLS} rows or columns"));
        }
        match self.fits() {
            true => Ok(()),
            false => Err("its cells do not fill each other".to_owned()),
        }
    }

    /// How many panes are in it.
    pub fn panes(&self) -> usize {
        self.inner
            .cells()
            .map_or(1, |cells| cells.iter().map(Cell::panes).sum())
    }

    /// Takes the pane in the lower right corner out; its neighbour gets its place.
    fn drop_last(&mut self) {
        let across = matches!(self.inner, Inner::Row(_));
        let Some(cells) = self.inner.cells_mut() else { return };
        let Some(last) = cells.last_mut() else { return };
        if last.inner.cells().is_some() {
            return last.drop_last();
        }
        let freed = if across { last.width } else { last.height };
        cells.pop();
        if let Some(neighbour) = cells.last_mut() {
            neighbour.widen(across, freed + 1);
        }
        if cells.len() == 1 {
            if let Some(only) = cells.pop() {
                *self = only;
            }
        }
    }

    fn widen(&mut self, across: bool, by: u32) {
        let size = if across { &mut self.width } else { &mut self.height };
        *size = size.saturating_add(by);
        let along = matches!((&self.inner, across), (Inner::Row(_), true) | (Inner::Column(_), false));
        let Some(cells) = self.inner.cells_mut() else { return };
        let count = u32::try_from(cells.len()).unwrap_or(u32::MAX);
        for (at, cell) in (0..).zip(cells) {
            // Along its own direction the cells share it, one each in turn; else each gets all of it.
            let share = by / count + u32::from(at < by % count);
            cell.widen(across, if along { share } else { by });
        }
    }

    fn fits(&self) -> bool {
        let cells = self.inner.cells().unwrap_or_default();
        let same = |cell: &Cell| match self.inner {
            Inner::Row(_) => cell.height == self.height,
            _ => cell.width == self.width,
        };
        let whole = match self.inner {
            Inner::Pane => true,
            Inner::Row(_) => self.inner.width() == Some(self.width),
            Inner::Column(_) => self.inner.height() == Some(self.height),
        };
        whole && cells.iter().all(|cell| same(cell) && cell.fits())
    }
}

impl Inner {
    fn cells(&self) -> Option<&[Cell]> {
        match self {
            Inner::Pane => None,
            Inner::Row(cells) | Inner::Column(cells) => Some(cells),
        }
    }

    fn cells_mut(&mut self) -> Option<&mut Vec<Cell>> {
        match self {
            Inner::Pane => None,
            Inner::Row(cells) | Inner::Column(cells) => Some(cells),
        }
    }

    /// How wide the cells are together, with a line between two; that of the last where they are below each other.
    fn width(&self) -> Option<u32> {
        match self {
            Inner::Pane => None,
            Inner::Row(cells) => together(cells.iter().map(|cell| cell.width)),
            Inner::Column(cells) => cells.last().map(|cell| cell.width),
        }
    }

    fn height(&self) -> Option<u32> {
        match self {
            Inner::Pane => None,
            Inner::Row(cells) => cells.last().map(|cell| cell.height),
            Inner::Column(cells) => together(cells.iter().map(|cell| cell.height)),
        }
    }
}

fn together(sizes: impl Iterator<Item = u32>) -> Option<u32> {
    let sum = sizes.fold(0_u32, |sum, size| sum.saturating_add(size).saturating_add(1));
    sum.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(layout: &str, panes: usize, mirrored: bool) -> bool {
        read(layout).and_then(|layout| layout.check(panes, mirrored)).is_ok()
    }

    #[test]
    fn a_layout_is_taken_as_tmux_takes_it() {
        let cases = include_str!("../../../tests/mcp/layouts.txt").lines();
        for case in cases.filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = case.split(' ').collect();
            let panes = words[1].parse().unwrap();
            assert_eq!(takes(words[0], panes, false), words[2] == "yes", "{case}");
            assert_eq!(takes(words[0], panes, true), words[3] == "yes", "{case}");
        }
    }

    /// The same with its checksum.
    fn summed(tree: &str) -> String {
        format!("{:04x},{tree}", checksum(tree))
    }

    #[test]
    fn a_saved_layout_is_written_as_it_was_read_but_for_the_panes() {
        let tree = "137x41,0,0{68x41,0,0,10,68x41,69,0[68x33,69,0,11,68x7,69,34{30x7,69,34,2,37x7,100,34,4}]}";
        let Ok(Layout::Saved(cell)) = read(&summed(tree)) else {
            panic!("{tree}")
        };
        let plain = "137x41,0,0{68x41,0,0,0,68x41,69,0[68x33,69,0,1,68x7,69,34{30x7,69,34,2,37x7,100,34,3}]}";
        assert_eq!(cell.saved(), summed(plain));
        assert_eq!(Cell::row(vec![Cell::pane(4, 5)]), Some(Cell::pane(4, 5)));
        assert_eq!(Cell::column(Vec::new()), None);
    }

    #[test]
    fn sizes_that_no_window_has_are_refused() {
        for (tree, taken) in [
            ("1x1,0,0,0", true),
            ("10000x10000,0,0,0", true),
            ("10001x24,0,0,0", false),
            ("80x10001,0,0,0", false),
            ("0x24,0,0,0", false),
            ("80x0,0,0,0", false),
            ("99999999999x24,0,0,0", false),
            ("10000x24,0,0{4999x24,0,0,0,5000x24,5000,0,1}", true),
            ("80x24,0,0{5000x24,0,0,0,5000x24,5001,0,1}", false),
            ("80x24,0,0{80x24,0,0,0}", false),
            ("80x24,0,0{}", false),
            ("80x24,0,0{80x24,0,0{}", false),
            ("+80x24,0,0,0", false),
            ("80x24,0,-1,0", false),
        ] {
            assert_eq!(takes(&summed(tree), 1, true), taken, "{tree}");
        }
        let deep = format!("{}1x1,0,0{}", "1x1,0,0{".repeat(900), "}".repeat(900));
        assert!(!takes(&summed(&deep), 1, true));
    }

    #[test]
    fn an_odd_layout_is_refused_before_anything_is_known() {
        for odd in [
            "",
            "e",
            "main-",
            "nothing",
            "b25d,80x24,0,0",
            "b25D",
            "12345,80x24,0,0",
            "é",
        ] {
            assert!(read(odd).is_err(), "{odd:?}");
        }
        assert!(read(&"x".repeat(LAYOUT_BYTES + 1)).is_err());
        let ambiguous = read("main-v").unwrap().check(1, true).unwrap_err();
        assert!(matches!(ambiguous, Unfit::Wrong(_)));
        assert_eq!(read("main-vertical-m").unwrap().check(1, false), Err(Unfit::TooNew));
    }
}
