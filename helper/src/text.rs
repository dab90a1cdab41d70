//! Text that came from elsewhere: how wide it is, and how it is made safe for the place it goes to.
//!
//! Names stay verbatim in the status file; whatever is shown or summarised passes through [`one_line`] exactly once.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The most a summary may take: 80 terminal cells and 80 characters.
pub const SUMMARY_LIMIT: usize = 80;

const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// Terminal cells that `text` takes.
pub fn width(text: &str) -> usize {
    if is_plain(text) {
        text.len()
    } else {
        UnicodeWidthStr::width(text)
    }
}

/// Whether `text` is all printable ASCII, as most of what is on a screen: one byte, one character, one cell.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// Whether a character may appear in cleaned text: no control characters, no line or paragraph separators, no invisible
/// format characters (bidirectional overrides, zero-width spaces, tags) except the joiner that emoji need.
fn is_showable(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    !matches!(
        c.general_category(),
        GeneralCategory::Control
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
            | GeneralCategory::PrivateUse
            | GeneralCategory::Unassigned
            | GeneralCategory::Surrogate
    ) && (c == ZERO_WIDTH_JOINER || c.general_category() != GeneralCategory::Format)
}

/// `text` as one clean line: invisible and control characters gone, runs of white space made one blank, ends trimmed.
pub fn clean(text: &str) -> String {
    let trimmed = text.trim_matches(' ');
    if is_plain(trimmed) && !trimmed.contains("  ") {
        return trimmed.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else if is_showable(c) {
            out.push(c);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// [`clean`] text cut to `limit` cells and `limit` characters, never inside a grapheme cluster; a cut ends with `…`.
pub fn one_line(text: &str, limit: usize) -> String {
    cut(clean(text), limit)
}

fn cut(text: String, limit: usize) -> String {
    // A cell takes a byte at least, so a short text fits whatever it holds.
    if text.len() <= limit || width(&text) <= limit && text.chars().count() <= limit {
        return text;
    }
    let room = limit.saturating_sub(1);
    let (mut cells, mut characters, mut end) = (0, 0, 0);
    for (start, cluster) in text.grapheme_indices(true) {
        cells += width(cluster);
        characters += cluster.chars().count();
        if cells > room || characters > room {
            break;
        }
        end = start + cluster.len();
    }
    let mut kept = text.get(..end).unwrap_or_default().trim_end().to_owned();
    if limit > 0 {
        kept.push('…');
    }
    kept
}

/// `text` padded with blanks on the right to `cells`, cut with `…` when it is longer.
pub fn fit(text: &str, cells: usize) -> String {
    let mut line = one_line(text, cells);
    line.extend(std::iter::repeat_n(' ', cells.saturating_sub(width(&line))));
    line
}

/// Text as the value of an option that tmux draws as it is: inert for styles, and for `#{…}` and `#(…)` if it is expanded.
pub fn for_drawing(text: &str) -> String {
    clean(text).replace('#', "##")
}

/// Text as a tmux format that expands to itself: inert for `#{…}`, `#(…)`, styles and strftime.
pub fn for_format(text: &str) -> String {
    for_drawing(text).replace('%', "%%")
}

/// Text as one word that a person can type to a shell.
pub fn for_shell(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./-+:@%=,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// `1 window`, `12 windows`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `none needs you`, `1 needs you`, `2 need you`.
pub fn needing(number: usize) -> String {
    match number {
        0 => "none needs you".to_owned(),
        1 => "1 needs you".to_owned(),
        _ => format!("{number} need you"),
    }
}

/// A duration as people say it, in at most four cells: `12s`, `3m`, `5h`, `2d`.
pub fn ago(seconds: u64) -> String {
    match seconds {
        0..=59 => format!("{seconds}s"),
        60..=3599 => format!("{}m", seconds / 60),
        3600..=86_399 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_invisible_characters_never_survive() {
        assert_eq!(
            clean("a\x1b[31mb\u{202e}c\u{200b}d\te\r\nf\u{2028}g"),
            "a [31mbcd e f g"
        );
    }

    #[test]
    fn joined_emoji_stay_whole() {
        assert_eq!(clean("👩‍💻 works"), "👩‍💻 works");
    }

    #[test]
    fn a_cut_is_by_cells_and_never_inside_a_cluster() {
        let wide = "漢".repeat(60);
        let line = one_line(&wide, 80);
        assert!(width(&line) <= 80 && line.ends_with('…'));
        assert_eq!(line.chars().filter(|&c| c == '漢').count(), 39);
        let marks = "e\u{301}".repeat(70);
        let line = one_line(&marks, 80);
        assert!(line.chars().count() <= 80);
        assert!(line.trim_end_matches('…').ends_with('\u{301}'));
    }

    #[test]
    fn what_fits_is_not_touched() {
        assert_eq!(
            one_line("bash prompt, nothing run yet", 80),
            "bash prompt, nothing run yet"
        );
        assert_eq!(one_line("", 80), "");
    }

    #[test]
    fn text_is_inert_in_a_format() {
        assert_eq!(for_format("#(id) #{x} #[fg=red] %H"), "##(id) ##{x} ##[fg=red] %%H");
    }

    #[test]
    fn text_is_one_word_for_a_shell() {
        assert_eq!(for_shell("/a/b-c.d"), "/a/b-c.d");
        assert_eq!(for_shell("$0"), "'$0'");
        assert_eq!(for_shell("it's"), r"'it'\''s'");
        assert_eq!(for_shell(""), "''");
    }

    #[test]
    fn a_duration_is_short() {
        assert_eq!(
            [0, 59, 60, 3599, 3600, 90_000].map(ago),
            ["0s", "59s", "1m", "59m", "1h", "1d"]
        );
    }

    #[test]
    fn fitting_fills_and_cuts_to_the_cell() {
        assert_eq!(fit("漢字", 5), "漢字 ");
        assert_eq!(width(&fit("漢字漢字", 5)), 5);
        assert_eq!(fit("abc", 0), "");
    }
}
