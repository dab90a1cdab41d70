//! A window's layout as it is written: by the name of one of tmux's own where that gives just this, which holds at any size;
//! else as tmux saves it, without the ids of panes that are no more when it is read.
//!
//! How tmux lays windows out is read off layout-set.c.

use crate::tmux::layout::{self, Cell, Inner, Layout};

/// The fewest cells that a pane may have in a direction.
const LEAST: u32 = 1;

/// The name or the saved form; `None` for what cannot be read, and for a single pane. `main` are the window's options
/// main-pane-width and main-pane-height.
pub fn written(saved: &str, main: [&str; 2]) -> Option<String> {
    let Ok(Layout::Saved(root)) = layout::read(saved) else {
        return None;
    };
    if root.inner == Inner::Pane {
        return None;
    }
    let panes = u32::try_from(root.panes()).ok()?;
    let window = |rest| Window {
        panes,
        width: root.width,
        height: root.height,
        main,
        rest,
    };
    let is = |lay: &Lay, rest| lay(&window(rest)).as_ref() == Some(&root);
    let named = NAMED
        .iter()
        .find(|(_, lay)| is(lay, Rest::First) || is(lay, Rest::Last));
    Some(named.map_or_else(|| root.saved(), |(name, _)| (*name).to_owned()))
}

/// What is laid out.
struct Window<'a> {
    panes: u32,
    width: u32,
    height: u32,
    main: [&'a str; 2],
    rest: Rest,
}

/// Who gets the cells that remain when equal sizes do not fill a window. It is a matter of tmux's version, and half a
/// window that was split is one or the other.
#[derive(Debug, Clone, Copy)]
enum Rest {
    /// The first ones get one each.
    First,
    /// The last one gets all.
    Last,
}

type Lay = fn(&Window<'_>) -> Option<Cell>;

/// Tmux's own layouts, by name.
const NAMED: [(&str, Lay); 5] = [
    ("even-horizontal", |all| Cell::row(all.row(all.panes, all.height)?)),
    ("even-vertical", |all| Cell::column(all.column(all.panes, all.width)?)),
    ("tiled", |all| tiled(all.panes, all.width, all.height)),
    ("main-horizontal", |all| {
        let main = main_size(all.main[1], 24, all.height)?;
        let below = all.row(all.panes.checked_sub(1)?, all.height.checked_sub(main + 1)?)?;
        Cell::column(vec![Cell::pane(all.width, main), Cell::row(below)?])
    }),
    ("main-vertical", |all| {
        let main = main_size(all.main[0], 80, all.width)?;
        let beside = all.column(all.panes.checked_sub(1)?, all.width.checked_sub(main + 1)?)?;
        Cell::row(vec![Cell::pane(main, all.height), Cell::column(beside)?])
    }),
];

impl Window<'_> {
    fn row(&self, panes: u32, height: u32) -> Option<Vec<Cell>> {
        let widths = spread(panes, self.width, self.rest)?;
        Some(widths.map(|width| Cell::pane(width, height)).collect())
    }

    fn column(&self, panes: u32, width: u32) -> Option<Vec<Cell>> {
        let heights = spread(panes, self.height, self.rest)?;
        Some(heights.map(|height| Cell::pane(width, height)).collect())
    }
}

/// The size of the main pane, if it is less than what there is: else tmux gives the others one cell.
fn main_size(option: &str, otherwise: u32, size: u32) -> Option<u32> {
    let (size, option) = (size.checked_sub(1)?, option.trim());
    let wanted = match option.strip_suffix('%') {
        Some(part) => size * part.parse::<u32>().ok().filter(|part| *part <= 100)? / 100,
        None => option.parse().unwrap_or(otherwise),
    };
    if wanted + LEAST < size {
        return Some(wanted);
    }
    let left = size.checked_sub(LEAST)?;
    Some(if size <= 2 * LEAST { LEAST } else { left })
}

/// Equal sizes with borders between them.
fn spread(panes: u32, size: u32, rest: Rest) -> Option<impl Iterator<Item = u32>> {
    let room = size.checked_sub(panes.checked_sub(1)?)?;
    let each = room.checked_div(panes)?;
    let more = room - each * panes;
    let extra = move |at| match rest {
        Rest::First => u32::from(at < more),
        Rest::Last if at + 1 == panes => more,
        Rest::Last => 0,
    };
    (each >= LEAST).then(|| (0..panes).map(move |at| each + extra(at)))
}

fn tiled(panes: u32, width: u32, height: u32) -> Option<Cell> {
    let (mut rows, mut columns) = (1, 1);
    while rows * columns < panes {
        rows += 1;
        columns += u32::from(rows * columns < panes);
    }
    let each = width.checked_sub(columns - 1)? / columns;
    let tall = height.checked_sub(rows - 1)? / rows;
    let mut cells = Vec::new();
    for at in 0..rows {
        let left = panes.checked_sub(at * columns)?;
        let here = left.min(columns);
        let last = at + 1 == rows;
        let tall = if last {
            height.checked_sub(at * (tall + 1))?
        } else {
            tall
        };
        let wide = |column: u32| match column + 1 == here {
            true => width.checked_sub(column * (each + 1)),
            false => Some(each),
        };
        let row: Option<Vec<Cell>> = (0..here).map(|column| Some(Cell::pane(wide(column)?, tall))).collect();
        cells.push(Cell::row(row?)?);
    }
    let fits = each >= LEAST && tall >= LEAST && cells.len() > 1;
    Cell::column(cells).filter(|_| fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_panes_are_not_kept() {
        let saved = "ad7a,137x41,0,0{68x41,0,0,10,68x41,69,0[68x33,69,0,11,68x3,69,34,2,68x3,69,38,4]}";
        let other = "09df,137x41,0,0{68x41,0,0,5,68x41,69,0[68x33,69,0,6,68x3,69,34,7,68x3,69,38,8]}";
        let written = super::written(saved, ["80", "24"]).unwrap();
        assert!(written.ends_with(",137x41,0,0{68x41,0,0,0,68x41,69,0[68x33,69,0,1,68x3,69,34,2,68x3,69,38,3]}"));
        assert_eq!(Some(&written), super::written(other, ["80", "24"]).as_ref());
        assert_eq!(super::written(&written, ["80", "24"]).as_ref(), Some(&written));
    }

    #[test]
    fn a_single_pane_and_nonsense_have_no_layout() {
        for saved in [
            "b25d,80x24,0,0,3",
            "",
            "x",
            "0000,80x24,0,0{40x24,0,0,1",
            "0000,80x24,0,0{}",
        ] {
            assert_eq!(written(saved, ["80", "24"]), None, "{saved}");
        }
    }
}
