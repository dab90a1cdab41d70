//! What is on a window's screen, in its colours, as cells: of the escape sequences in it only those for colours and attributes
//! mean anything here, and none of them gets through to the terminal.

use crate::model::PaneId;
use crate::text;
use crate::tmux::window::Picture;
use anstyle_parse::{Params, Parser, Perform, Utf8Parser};
use ratatui::style::{Color, Modifier, Style};
use unicode_width::UnicodeWidthChar;

/// Text in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The text: no control characters.
    pub text: String,
    /// Its style.
    pub style: Style,
}

/// A screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// Whose.
    pub pane: PaneId,
    /// Its rows, without blank ones at the end.
    pub rows: Vec<Vec<Run>>,
    /// The row that the cursor is in; `None` where it is hidden.
    cursor: Option<usize>,
}

impl Preview {
    /// Out of a picture of `pane`.
    pub fn read(pane: PaneId, picture: &Picture) -> Self {
        let mut reader = Reader::default();
        let mut parser = Parser::<Utf8Parser>::new();
        for &byte in &picture.rows {
            parser.advance(&mut reader, byte);
        }
        reader.end_row();
        let blank = |row: &Vec<Run>| row.iter().all(|run| run.text.trim().is_empty());
        while reader.rows.last().is_some_and(blank) {
            reader.rows.pop();
        }
        Self {
            pane,
            rows: reader.rows,
            cursor: picture.cursor,
        }
    }

    /// The first of the `room` rows that are in sight, when its user has `scrolled` to one or not: then the last ones are, as
    /// prompts and questions stand there; but the cursor always is, which in an editor is far above its empty rows.
    pub fn top(&self, room: usize, scrolled: Option<usize>) -> usize {
        let last = self.rows.len().saturating_sub(room);
        let usual = match self.cursor {
            Some(cursor) if cursor < last => cursor.saturating_sub(room / 2),
            _ => last,
        };
        scrolled.unwrap_or(usual).min(last)
    }
}

#[derive(Default)]
struct Reader {
    rows: Vec<Vec<Run>>,
    row: Vec<Run>,
    style: Style,
    /// Whether letters are taken from the set of lines and corners.
    lines: bool,
}

impl Reader {
    fn end_row(&mut self) {
        self.rows.push(std::mem::take(&mut self.row));
    }

    fn add(&mut self, c: char) {
        match self.row.last_mut().filter(|run| run.style == self.style) {
            Some(run) => run.text.push(c),
            None => self.row.push(Run {
                text: c.to_string(),
                style: self.style,
            }),
        }
    }
}

impl Perform for Reader {
    fn print(&mut self, c: char) {
        let c = if self.lines { line(c) } else { c };
        // What turns the direction of writing, or takes no cell by itself and joins nothing, would move everything after it.
        if text::is_showable(c) && (c.width().is_some_and(|cells| cells > 0) || !self.row.is_empty()) {
            self.add(c);
        }
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\n' => self.end_row(),
            b'\t' => (0..8 - text::width(&self.row.iter().map(|run| run.text.as_str()).collect::<String>()) % 8)
                .for_each(|_| self.add(' ')),
            0x0e => self.lines = true,
            0x0f => self.lines = false,
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, action: u8) {
        if action == b'm' && intermediates.is_empty() && !ignore {
            self.style = restyle(self.style, params);
        }
    }
}

/// The special graphics of the VT100 that tmux uses in captures.
fn line(c: char) -> char {
    match c {
        '`' => '◆',
        'a' => '▒',
        'f' => '°',
        'g' => '±',
        'j' => '┘',
        'k' => '┐',
        'l' => '┌',
        'm' => '└',
        'n' => '┼',
        'o' => '⎺',
        'p' => '⎻',
        'q' => '─',
        'r' => '⎼',
        's' => '⎽',
        't' => '├',
        'u' => '┤',
        'v' => '┴',
        'w' => '┬',
        'x' => '│',
        'y' => '≤',
        'z' => '≥',
        '~' => '·',
        other => other,
    }
}

/// The style after one SGR sequence (ECMA-48); what it does not know changes nothing.
fn restyle(mut style: Style, params: &Params) -> Style {
    let mut params = params.iter();
    while let Some(param) = params.next() {
        let (&code, sub) = param.split_first().unwrap_or((&0, &[]));
        style = match code {
            0 => Style::default(),
            1 => style.add_modifier(Modifier::BOLD),
            2 => style.add_modifier(Modifier::DIM),
            3 => style.add_modifier(Modifier::ITALIC),
            4 if sub.first() == Some(&0) => style.remove_modifier(Modifier::UNDERLINED),
            4 | 21 => style.add_modifier(Modifier::UNDERLINED),
            7 => style.add_modifier(Modifier::REVERSED),
            8 => style.add_modifier(Modifier::HIDDEN),
            9 => style.add_modifier(Modifier::CROSSED_OUT),
            22 => style.remove_modifier(Modifier::BOLD | Modifier::DIM),
            23 => style.remove_modifier(Modifier::ITALIC),
            24 => style.remove_modifier(Modifier::UNDERLINED),
            27 => style.remove_modifier(Modifier::REVERSED),
            28 => style.remove_modifier(Modifier::HIDDEN),
            29 => style.remove_modifier(Modifier::CROSSED_OUT),
            30..=37 => style.fg(indexed(code - 30)),
            39 => style.fg(Color::Reset),
            40..=47 => style.bg(indexed(code - 40)),
            49 => style.bg(Color::Reset),
            90..=97 => style.fg(indexed(code - 82)),
            100..=107 => style.bg(indexed(code - 92)),
            // Underlines are not coloured here, but their colour's numbers are no codes.
            38 | 48 | 58 => {
                let colour = match sub {
                    [] => colour(|| params.next().and_then(|param| param.first().copied())),
                    // The place of the colour space is left out by some, and empty otherwise.
                    [2, _, red, green, blue, ..] | [2, red, green, blue] => rgb(*red, *green, *blue),
                    [5, index, ..] => u8::try_from(*index).ok().map(Color::Indexed),
                    _ => None,
                };
                match (code, colour) {
                    (38, Some(colour)) => style.fg(colour),
                    (48, Some(colour)) => style.bg(colour),
                    _ => style,
                }
            }
            _ => style,
        };
    }
    style
}

/// A colour as the parameters after 38 or 48 tell it.
fn colour(mut next: impl FnMut() -> Option<u16>) -> Option<Color> {
    match next()? {
        2 => rgb(next()?, next()?, next()?),
        5 => u8::try_from(next()?).ok().map(Color::Indexed),
        _ => None,
    }
}

fn rgb(red: u16, green: u16, blue: u16) -> Option<Color> {
    let part = |value: u16| u8::try_from(value).ok();
    Some(Color::Rgb(part(red)?, part(green)?, part(blue)?))
}

/// One of the terminal's palette.
fn indexed(code: u16) -> Color {
    u8::try_from(code).map_or(Color::Reset, Color::Indexed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(bytes: &[u8]) -> Vec<Vec<Run>> {
        preview(bytes, None).rows
    }

    fn preview(bytes: &[u8], cursor: Option<usize>) -> Preview {
        let rows = bytes.to_vec();
        Preview::read(PaneId(1), &Picture { rows, cursor })
    }

    fn text(bytes: &[u8]) -> Vec<String> {
        let joined = |row: &Vec<Run>| row.iter().map(|run| run.text.as_str()).collect();
        rows(bytes).iter().map(joined).collect()
    }

    #[test]
    fn colours_and_attributes_are_kept_as_tmux_tells_them() {
        let row =
            &rows(b"\x1b[1;31mred\x1b[0m \x1b[38;5;208;4mx\x1b[24;48;2;1;2;3my\x1b[39;49;97mz\x1b[38:2::9:8:7mw\n")[0];
        let styles: Vec<_> = row.iter().map(|run| (run.text.as_str(), run.style)).collect();
        let plain = Style::default();
        let red = plain.fg(Color::Indexed(1)).add_modifier(Modifier::BOLD);
        assert_eq!(styles[0], ("red", red));
        assert_eq!(styles[1], (" ", plain));
        let orange = plain.fg(Color::Indexed(208));
        assert_eq!(styles[2], ("x", orange.add_modifier(Modifier::UNDERLINED)));
        assert_eq!(styles[3].1.bg, Some(Color::Rgb(1, 2, 3)));
        assert_eq!(
            (styles[4].1.fg, styles[4].1.bg),
            (Some(Color::Indexed(15)), Some(Color::Reset))
        );
        assert_eq!(styles[5].1.fg, Some(Color::Rgb(9, 8, 7)));
    }

    #[test]
    fn the_numbers_of_an_underlines_colour_are_no_codes() {
        let row = &rows(b"\x1b[58;5;31mx\x1b[58;2;1;7;9my\n")[0];
        assert_eq!(row.len(), 1, "{row:?}");
    }

    #[test]
    fn no_other_sequence_and_no_control_character_gets_through() {
        let hostile = b"a\x1b]0;title\x07b\x1b[2Jc\x1b]8;;http://x\x1b\\d\x1b]8;;\x1b\\e\x07\x08\x1bPq\x1b\\f\x1b[?1049lg\xe2\x80\xaeh\x9b31mi\n";
        let row = &text(hostile)[0];
        assert!(row.starts_with("abcdefgh"), "{row:?}");
        assert!(row.chars().all(|c| !c.is_control() && c != '\u{202e}'), "{row:?}");
    }

    #[test]
    fn lines_and_corners_are_drawn_and_blank_rows_at_the_end_are_not() {
        assert_eq!(text(b"\x0elqk\x0flqk\n\n  \n\n"), ["┌─┐lqk"]);
        assert_eq!(text(b""), Vec::<String>::new());
        assert_eq!(text(b"a\tb\n"), ["a       b"]);
    }

    #[test]
    fn the_bottom_is_in_sight_and_the_cursor_always() {
        let vim = "text\n".repeat(5) + &"~\n".repeat(30) + "a.txt 5,1 All\n";
        let top = |cursor, room, scrolled| preview(vim.as_bytes(), cursor).top(room, scrolled);
        assert_eq!(top(None, 10, None), 26);
        assert_eq!(top(Some(35), 10, None), 26);
        assert_eq!(top(Some(4), 10, None), 0);
        assert_eq!(top(Some(20), 10, None), 15);
        assert_eq!(top(Some(4), 50, None), 0);
        assert_eq!(top(Some(90), 10, None), 26);
        assert_eq!((top(Some(4), 10, Some(7)), top(Some(4), 10, Some(99))), (7, 26));
    }

    #[test]
    fn any_bytes_are_taken() {
        for seed in 0..200u32 {
            let bytes: Vec<u8> = (0..300u32)
                .map(|i| (seed.wrapping_mul(i).wrapping_add(seed) % 251) as u8)
                .collect();
            let with_escapes: Vec<u8> = bytes.iter().flat_map(|&b| [0x1b, b'[', b]).collect();
            rows(&bytes);
            rows(&with_escapes);
        }
    }
}
