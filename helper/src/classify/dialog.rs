//! Reads what a box of choices drawn over a screen asks: its title and its first paragraph.
//!
//! Such a box (dialog, whiptail, a file manager's question) stands somewhere in the screen, so no region near the bottom
//! or the cursor holds it alone. Only boxes with buttons count: panels and tables have frames, too.

use super::view::Line;
use crate::text;

const LEFT_TOP: &[char] = &['┌', '╭', '╔', '┏'];
const RIGHT_TOP: &[char] = &['┐', '╮', '╗', '┓'];
const SIDES: &[char] = &['│', '║', '┃', '├', '╠', '┠', '┣', '╟'];

/// The question in the lowest box with buttons.
pub fn question(lines: &[Line<'_>]) -> Option<String> {
    let rows: Vec<Vec<char>> = lines.iter().map(|line| line.text.chars().collect()).collect();
    rows.iter().enumerate().rev().find_map(|(at, row)| {
        let tops = row.iter().enumerate().filter(|(_, c)| LEFT_TOP.contains(c));
        tops.rev().find_map(|(left, _)| read_box(&rows, at, left))
    })
}

fn read_box(rows: &[Vec<char>], top: usize, left: usize) -> Option<String> {
    let border = rows.get(top)?.get(left + 1..)?;
    let wide = border.iter().position(|c| RIGHT_TOP.contains(c)).filter(|&n| n >= 8)?;
    let inside = |row: &'_ Vec<char>| -> String { row.iter().skip(left + 1).take(wide).collect() };
    let title = said(&inside(rows.get(top)?));
    let below = rows.get(top + 1..)?;
    let body: Vec<String> = below
        .iter()
        .take_while(|row| row.get(left).is_some_and(|c| SIDES.contains(c)))
        .map(inside)
        .collect();
    if !body.iter().any(|row| has_button(row)) {
        return None;
    }
    let framed = |row: &&String| row.contains(|c: char| is_frame(c)) || has_button(row);
    let words: Vec<String> = body
        .iter()
        .skip_while(|row| said(row).is_empty())
        .take_while(|row| !framed(row) && !said(row).is_empty())
        .map(|row| said(row))
        .collect();
    let asked = words.join(" ");
    match (title.is_empty(), asked.is_empty()) {
        (_, true) => (!title.is_empty()).then_some(title),
        (false, false) if !asked.ends_with('?') => Some(format!("{title}: {asked}")),
        _ => Some(asked),
    }
}

/// `< OK >`, `[ Yes ]`, `<Cancel>`, `[y]es or [n]o`, `yes   no`.
fn has_button(row: &str) -> bool {
    let letters = row.contains("[y]") && row.contains("[n]");
    let words = || {
        row.split("  ")
            .map(|word| word.trim_matches(|c: char| !c.is_alphabetic()))
    };
    let both = |one: &str, other: &str| {
        words().any(|word| word.eq_ignore_ascii_case(one)) && words().any(|word| word.eq_ignore_ascii_case(other))
    };
    let bare = both("yes", "no") || both("ok", "cancel");
    if letters || bare {
        return true;
    }
    [('<', '>'), ('[', ']')].into_iter().any(|(open, close)| {
        let inside = row.split(open).skip(1).filter_map(|rest| rest.split_once(close));
        let word = |text: &str| {
            let text = text.trim();
            text.chars().count() >= 2 && text.chars().all(|c| c.is_alphabetic() || c == ' ')
        };
        inside.map(|(text, _)| text).any(word)
    })
}

fn is_frame(c: char) -> bool {
    ('\u{2500}'..='\u{257f}').contains(&c)
}

fn said(row: &str) -> String {
    text::clean(row.trim_matches(|c: char| c.is_whitespace() || is_frame(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(rows: &[&str]) -> Option<String> {
        let lines: Vec<Line<'_>> = rows.iter().enumerate().map(|(row, text)| Line { row, text }).collect();
        question(&lines)
    }

    #[test]
    fn the_box_over_the_panels_is_read() {
        let rows = [
            "┌─────────────────────┐┌───────────┐",
            "│ a │No               ││           │",
            "│ b │No ┌─── Delete ───┐│          │",
            "│ c │No │ Delete file  ││          │",
            "│ d │No │  \"todo.md\"?  ││          │",
            "│ e │No ├──────────────┤│          │",
            "│ f │No │ [ Yes ] [No] ││          │",
            "│ g │No └──────────────┘│          │",
        ];
        assert_eq!(ask(&rows).as_deref(), Some("Delete file \"todo.md\"?"));
        assert_eq!(ask(&rows[..2]), None);
    }

    #[test]
    fn buttons_may_be_bare_words() {
        for buttons in [
            "│   yes      no        │",
            "│   Cancel    OK       │",
            "│  Enter [y]es or [n]o │",
            "│ [< OK >] [ Cancel ]  │",
        ] {
            let rows = [
                "┌───Confirm───────────┐",
                "│ Delete \"todo.md\"?    │",
                buttons,
                "└──────────────────────┘",
            ];
            assert_eq!(ask(&rows).as_deref(), Some("Delete \"todo.md\"?"), "{buttons}");
        }
        assert_eq!(
            ask(&[
                "┌───Table─────────────┐",
                "│ say yes if no errors │",
                "└──────────────────────┘"
            ]),
            None
        );
    }

    #[test]
    fn title_and_text_of_a_menu_are_read() {
        let rows = [
            "   ┌──────┤ Setup ├──────┐",
            "   │ Choose a layout      │",
            "   │ ┌──────────────────┐ │",
            "   │ │ us English       │ │",
            "   │ └──────────────────┘ │",
            "   │    <  OK  > <Cancel> │",
            "   └──────────────────────┘",
        ];
        assert_eq!(ask(&rows).as_deref(), Some("Setup: Choose a layout"));
    }
}
