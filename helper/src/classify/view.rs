//! A pane's screen as rules see it: the last twenty non-blank lines and named parts of them.
//!
//! Runs of blank lines count as one, so that a paragraph's end is visible and a tall empty screen is not. A region's text
//! is its lines joined by newlines; each remembers its row, so that `explain` can point at it.

use super::dialog;
use super::format::{Region, MOST_LINES};
use super::history;
use super::prompt::{self, Prompt};
use super::rules::Composer;
use crate::model::LastCommand;
use crate::text;
use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::rc::Rc;

/// Cells that a horizontal rule keeps in a region's text.
const LONGEST_RULE: usize = 12;

/// One line of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its row on the screen, from 0.
    pub row: usize,
    /// Its text without trailing blanks.
    pub text: &'a str,
}

/// What rules may look at.
pub struct View<'a> {
    /// The judged lines, top first; single blank lines between paragraphs.
    pub lines: Vec<Line<'a>>,
    /// The screen's first rows, for title bars.
    top: Vec<Line<'a>>,
    /// The cursor's line in `lines`, when it is among them.
    pub cursor: Option<usize>,
    /// The cursor's column in cells.
    pub cursor_x: usize,
    /// Columns of the pane.
    pub width: usize,
    /// Whether a line that fills the width goes on in the next row: for programs that print, not for those that paint.
    pub wraps: bool,
    /// The input box in `lines`, with its border lines.
    pub composer: Option<Range<usize>>,
    /// What the shell says of its last command.
    pub said: Option<&'a LastCommand>,
    /// The shell prompt at the cursor.
    prompt: OnceCell<Option<Prompt>>,
    /// The question in a box over the screen.
    dialog: OnceCell<Option<String>>,
    screen: &'a [String],
    title: &'a str,
    args: &'a str,
    cache: RefCell<Vec<(Region, Rc<Text>)>>,
}

/// A region's text, ready for patterns.
#[derive(Debug, Default)]
pub struct Text {
    /// Its lines joined by newlines.
    pub plain: String,
    /// The same in ASCII lower case.
    pub lower: String,
    /// The row of each line; empty for text that is not on the screen.
    pub rows: Vec<usize>,
}

impl Text {
    fn new(plain: String, rows: Vec<usize>) -> Self {
        let lower = plain.to_ascii_lowercase();
        Text { plain, lower, rows }
    }

    /// The row that holds byte `at` of the text.
    pub fn row_at(&self, at: usize) -> Option<usize> {
        let line = self.plain.bytes().take(at).filter(|&b| b == b'\n').count();
        self.rows.get(line).copied()
    }
}

/// Words before a command that are none of its own.
const WRAPPERS: [&str; 6] = ["sudo", "env", "time", "nohup", "exec", "command"];

impl<'a> View<'a> {
    /// The view of a screen. `title` and `args` are the texts of those two regions.
    pub fn new(rows: &'a [String], cursor: (u32, u32), width: u32, title: &'a str, args: &'a str) -> Self {
        let cursor_row = cursor.1 as usize;
        let (lines, cursor_at) = judged(rows, cursor_row);
        let top = rows
            .iter()
            .enumerate()
            .take(5)
            .map(|(row, text)| Line {
                row,
                text: text.trim_end(),
            })
            .collect();
        View {
            lines,
            top,
            cursor: cursor_at,
            cursor_x: cursor.0 as usize,
            width: width as usize,
            wraps: false,
            composer: None,
            said: None,
            prompt: OnceCell::new(),
            dialog: OnceCell::new(),
            screen: rows,
            title,
            args,
            cache: RefCell::new(Vec::new()),
        }
    }

    /// Leaves out what stands above the line on which a program of one of these `names` was typed at a shell's prompt: that
    /// is the output of commands before it.
    pub fn forget_before(&mut self, names: &[&str]) {
        let typed = |line: &Line<'_>| {
            let (_, command) = prompt::split(line.text)?;
            let mut words = command.split_whitespace().filter(|word| !word.contains('='));
            let program = words.find(|word| !WRAPPERS.contains(word))?;
            names.contains(&program.rsplit('/').next()?).then_some(())
        };
        let above = self.lines.get(..self.cursor.unwrap_or(0)).unwrap_or_default();
        if let Some(at) = above.iter().rposition(|line| typed(line).is_some()) {
            self.lines.drain(..at);
            self.cursor = self.cursor.map(|cursor| cursor - at);
            self.cache.borrow_mut().clear();
        }
    }

    /// Looks for the input box: its start's lowest match, down to the nearest end below it.
    pub fn find_composer(&mut self, composer: &Composer) {
        let text = self.text(Region::default());
        let Some(start) = composer
            .start
            .last_match(&text.plain, &text.lower)
            .map(|found| found.span)
        else {
            return;
        };
        let line_of = |at: usize| text.plain.bytes().take(at).filter(|&b| b == b'\n').count();
        let first = line_of(start.start);
        let mut last = line_of(start.end.saturating_sub(1).max(start.start));
        if let Some(end) = &composer.end {
            let below = self.lines.iter().enumerate().skip(last + 1);
            let hit = below
                .filter(|(_, line)| end.is_match(line.text, &line.text.to_ascii_lowercase()))
                .map(|(at, _)| at);
            match hit.min() {
                Some(at) => last = at,
                None => last = self.lines.len().saturating_sub(1),
            }
        }
        self.composer = Some(first..last + 1);
        self.cache.borrow_mut().clear();
    }

    /// The shell prompt that the cursor stands at, with what the shell says of it, worked out once.
    pub fn prompt(&self) -> Option<&Prompt> {
        let found = || history::heed(Prompt::find(self), self.said);
        self.prompt.get_or_init(found).as_ref()
    }

    /// What a box of choices asks, worked out once: anywhere on a full screen, else near its end.
    pub fn dialog(&self, full_screen: bool) -> Option<String> {
        let whole = || {
            let rows = self.screen.iter().enumerate();
            let lines: Vec<Line<'_>> = rows.map(|(row, text)| Line { row, text }).collect();
            dialog::question(&lines)
        };
        let near = || dialog::question(&self.lines);
        let found = self.dialog.get_or_init(|| if full_screen { whole() } else { near() });
        found.clone()
    }

    /// The cursor's line, and its part left of the cursor.
    pub fn cursor_line(&self) -> Option<(&'a str, &'a str)> {
        let line = self.lines.get(self.cursor?)?;
        Some((line.text, left_of(line.text, self.cursor_x)))
    }

    /// A region's text.
    pub fn text(&self, region: Region) -> Rc<Text> {
        if let Some((_, text)) = self.cache.borrow().iter().find(|(known, _)| *known == region) {
            return text.clone();
        }
        let text = Rc::new(self.make(region));
        self.cache.borrow_mut().push((region, text.clone()));
        text
    }

    fn make(&self, region: Region) -> Text {
        let end = self.lines.len();
        let composer = self.composer.clone();
        let cursor = self.cursor;
        match region {
            Region::Last(n) => self.last_of(0..end, n),
            Region::Top(n) => self.joined(self.top.iter().take(n as usize)),
            Region::Cursor => cursor.map_or_else(Text::default, |at| self.last_of(at..at + 1, 1)),
            Region::BeforeCursor => match (cursor.and_then(|at| self.lines.get(at)), self.cursor_line()) {
                (Some(line), Some((_, left))) => Text::new(left.to_owned(), vec![line.row]),
                _ => Text::default(),
            },
            Region::AboveCursor(n) => cursor.map_or_else(Text::default, |at| self.last_of(0..at, n)),
            Region::Composer => composer.map_or_else(Text::default, |lines| self.last_of(lines, MOST_LINES)),
            Region::AboveComposer(n) => composer.map_or_else(Text::default, |lines| self.last_of(0..lines.start, n)),
            Region::BelowComposer(n) => composer.map_or_else(Text::default, |lines| self.first_of(lines.end..end, n)),
            Region::Output(n) => self
                .prompt()
                .map_or_else(Text::default, |p| self.last_of(p.output.clone(), n)),
            Region::Command => match self.prompt().and_then(|p| p.command.clone()) {
                Some(command) => Text::new(command, Vec::new()),
                None => Text::default(),
            },
            Region::Title => Text::new(self.title.to_owned(), Vec::new()),
            Region::Args => Text::new(self.args.to_owned(), Vec::new()),
        }
    }

    fn last_of(&self, range: Range<usize>, most: u8) -> Text {
        let lines = self.lines.get(range).unwrap_or_default();
        let mut left = most as usize;
        let mut start = lines.len();
        for (at, line) in lines.iter().enumerate().rev() {
            if !line.text.is_empty() {
                if left == 0 {
                    break;
                }
                let before = at.checked_sub(1).and_then(|at| lines.get(at));
                let continues = before.is_some_and(|before| self.goes_on(before, line));
                left -= usize::from(!continues);
            }
            start = at;
        }
        self.joined(lines.get(start..).unwrap_or_default().iter())
    }

    fn first_of(&self, range: Range<usize>, most: u8) -> Text {
        let lines = self.lines.get(range).unwrap_or_default();
        let mut texts = 0;
        let wanted = lines.iter().take_while(|line| {
            texts += usize::from(!line.text.is_empty());
            texts <= most as usize
        });
        self.joined(wanted)
    }

    /// Whether a line goes on in the next: it fills the width with no rule or frame, and the next is no new beginning.
    fn goes_on(&self, line: &Line<'_>, next: &Line<'_>) -> bool {
        if !self.wraps || line.text.len() < self.width || self.width < 20 || text::width(line.text) < self.width {
            return false;
        }
        let mut ends = line.text.chars().rev();
        let (last, before) = (ends.next().unwrap_or(' '), ends.next().unwrap_or(' '));
        let closed = matches!(last, ')' | ']' | '}' | ';' | '!') && next.text.starts_with(char::is_alphanumeric);
        let frame = |c: char| ('\u{2500}'..='\u{259f}').contains(&c);
        let drawn = last == '|' || last == before && !last.is_alphanumeric() || line.text.contains(frame);
        !(closed || drawn || next.text.is_empty() || next.text.starts_with("  "))
    }

    fn joined<'l>(&self, lines: impl Iterator<Item = &'l Line<'l>>) -> Text {
        let (mut plain, mut rows) = (String::new(), Vec::new());
        let mut above: Option<&Line<'_>> = None;
        for line in lines {
            if !above.is_some_and(|above| self.goes_on(above, line)) {
                if above.is_some() {
                    plain.push('\n');
                }
                rows.push(line.row);
            }
            push_shortened(&mut plain, line.text);
            above = Some(line);
        }
        Text::new(plain, rows)
    }
}

/// Appends a line with every rule in it cut to a dozen cells: `────…` across a wide pane says no more, and patterns would
/// walk all of it.
fn push_shortened(plain: &mut String, line: &str) {
    if line.is_ascii() {
        plain.push_str(line);
        return;
    }
    let (mut previous, mut run) = (' ', 0);
    for c in line.chars() {
        run = if c == previous { run + 1 } else { 1 };
        previous = c;
        if run <= LONGEST_RULE || !('\u{2500}'..='\u{259f}').contains(&c) {
            plain.push(c);
        }
    }
}

/// The last lines worth judging, and which of them the cursor is on. A blank cursor line below the text is kept.
fn judged(rows: &[String], cursor_row: usize) -> (Vec<Line<'_>>, Option<usize>) {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut texts = 0;
    for (row, text) in rows.iter().enumerate().rev() {
        let text = text.trim_end();
        let blank_above_blank = text.is_empty() && lines.last().is_none_or(|below| below.text.is_empty());
        if row != cursor_row && blank_above_blank {
            continue;
        }
        if !text.is_empty() {
            if texts == MOST_LINES {
                break;
            }
            texts += 1;
        }
        lines.push(Line { row, text });
    }
    lines.reverse();
    let cursor = lines.iter().position(|line| line.row == cursor_row);
    (lines, cursor)
}

/// The part of `text` that takes the first `cells` cells.
pub fn left_of(text: &str, cells: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        if used >= cells {
            return text.get(..at).unwrap_or(text);
        }
        used += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
    }
    text
}
