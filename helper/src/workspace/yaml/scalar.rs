//! What an unquoted scalar is, and which text must be quoted so that it stays text.

use super::tree::Value;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// A scalar without quotes and tags, as YAML 1.2 reads it; numbers only where JSON has them, too.
pub fn resolve(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => Value::Bool {
            is: text.starts_with(['t', 'T']),
            written: text.to_owned(),
        },
        _ if is_number(text) => Value::Number(text.to_owned()),
        _ => Value::Text(text.to_owned()),
    }
}

/// Whether it is a number as JSON writes them.
pub fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

/// Whether text can be written without quotes: no version of YAML would read it as something else, in a list, a mapping
/// or as a key.
pub fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_whitespace() || "-?:,[]{}#&*!|>'\"%@`".contains(c))
        && !text.ends_with(|c: char| c.is_whitespace() || c == ':')
        && !text.contains(": ")
        && !text.contains(":\t")
        && !text.contains(" #")
        && !text.contains("\t#")
        && !text.chars().any(needs_escape)
        && !is_word(text)
        && !may_be_a_number(text)
}

/// The words that are no text to one version of YAML or another.
fn is_word(text: &str) -> bool {
    let word = text.to_ascii_lowercase();
    let words = [
        "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "=", "<<", ".inf", ".nan", "...",
    ];
    words.contains(&word.as_str())
}

/// Numbers of all bases, times of day, dates, and much that is none of them.
fn may_be_a_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let begins = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let is_one = begins(unsigned)
        || unsigned
            .strip_prefix('.')
            .is_some_and(|rest| begins(rest) || !rest.is_empty() && unsigned != text);
    is_one
        && unsigned
            .chars()
            .all(|c| c.is_ascii_hexdigit() || "xXoO_.:+-TtZz ".contains(c))
}

/// Whether a character is written by its number: it cannot be seen, or would end a line. What is private or not assigned
/// yet has a picture in somebody's font.
pub fn needs_escape(c: char) -> bool {
    const JOINER: char = '\u{200d}';
    let category = c.general_category();
    let invisible = matches!(
        category,
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    );
    invisible && c != JOINER || matches!(c, '\u{fffe}' | '\u{ffff}')
}
