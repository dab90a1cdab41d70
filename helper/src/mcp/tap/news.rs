//! What a screen shows that it has not shown at the look before.

use crate::tmux::drive::pipe::Sight;

/// The rows that show something else than before, a line each. Rows are told apart by how many have scrolled away.
pub(super) fn news(before: &Sight, now: &Sight) -> String {
    let first = |sight: &Sight| (sight.history + sight.height).saturating_sub(sight.rows.len());
    let scrolled = now.alternate == before.alternate && now.history >= before.history && now.width == before.width;
    // Where what was above has been thrown away, only the texts can be compared.
    let is_old = |at: usize, row: &String| match scrolled {
        true => at < before.history || at >= first(before) && before.rows.get(at - first(before)) == Some(row),
        false => before.rows.contains(row),
    };
    let rows = now.rows.iter().enumerate();
    rows.filter(|(at, row)| !row.trim().is_empty() && !is_old(first(now) + at, row))
        .map(|(_, row)| format!("{row}\r\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight(history: usize, rows: &[&str]) -> Sight {
        Sight {
            pid: 1,
            dead: false,
            piped: true,
            width: 80,
            height: 3,
            cursor_x: 0,
            cursor_y: 0,
            history,
            alternate: false,
            rows: rows.iter().map(|row| (*row).to_owned()).collect(),
        }
    }

    #[test]
    fn rows_that_have_scrolled_are_told_once() {
        let before = sight(0, &["$ a", "", ""]);
        assert_eq!(news(&before, &before), "");
        assert_eq!(news(&before, &sight(0, &["$ a", "x", "$ "])), "x\r\n$ \r\n");
        assert_eq!(
            news(&before, &sight(2, &["$ a", "x", "y", "z", "$"])),
            "x\r\ny\r\nz\r\n$\r\n"
        );
        let scrolled = sight(2, &["$ a", "x", "y", "z", "$"]);
        assert_eq!(news(&scrolled, &scrolled), "");
        assert_eq!(
            news(&scrolled, &sight(0, &["z", "new", ""])),
            "new\r\n",
            "history was cleared"
        );
    }
}
