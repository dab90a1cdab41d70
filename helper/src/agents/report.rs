//! A report as a pane option holds it: one line of ASCII that no text can break out of.
//!
//! `1 STATE EPOCH_MS PID STARTED TEXT`: the text is percent-encoded, so that it frames nothing, is no format, and reads the
//! same in every version of tmux. What cannot be read is no report.

use crate::model::{Report, Reported};
use crate::text;

/// Counted up when the line's shape changes.
const VERSION: &str = "1";
/// Characters of the text that are kept.
const LONGEST: usize = 200;

/// The option's value.
pub fn encode(report: &Report) -> String {
    let started = report.started.map_or_else(|| "-".to_owned(), |mark| mark.to_string());
    let text = text::one_line(&report.text, LONGEST);
    let Report { state, at_ms, pid, .. } = report;
    format!("{VERSION} {} {at_ms} {pid} {started} {}", state.as_str(), escape(&text))
}

/// Reads the option's value.
pub fn decode(value: &str) -> Option<Report> {
    let mut words = value.split(' ');
    let mut word = || words.next();
    if word()? != VERSION {
        return None;
    }
    let report = Report {
        state: Reported::of(word()?)?,
        at_ms: word()?.parse().ok()?,
        pid: word()?.parse().ok()?,
        started: match word()? {
            "-" => None,
            mark => Some(mark.parse().ok()?),
        },
        text: text::one_line(&unescape(word()?)?, LONGEST),
    };
    words.next().is_none().then_some(report)
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => out.push(char::from(byte)),
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}

fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push(match byte {
            b'%' => u8::try_from(digit(rest.next()?)? * 16 + digit(rest.next()?)?).ok()?,
            plain => plain,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> Report {
        Report {
            state: Reported::Permission,
            at_ms: 1_700_000_000_123,
            pid: 4711,
            started: Some(98765),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_report_reads_back_and_is_inert_on_the_way() {
        for text in [
            "",
            "Bash rm -rf build",
            "100% #{pane_id} #(touch x) $(x) ;",
            "日本語 🎉",
            "a %41 b",
        ] {
            let value = encode(&report(text));
            assert_eq!(decode(&value), Some(report(text)), "{value}");
            let inert = |c: char| c.is_ascii_alphanumeric() || " %-._".contains(c);
            assert!(value.chars().all(inert), "{value}");
        }
    }

    #[test]
    fn text_is_one_bounded_line() {
        let value = encode(&report(&format!("a\nb\u{1b}[31m {}", "x".repeat(1000))));
        let text = decode(&value).unwrap().text;
        assert!(text.starts_with("a b") && text.chars().count() <= 200, "{text}");
    }

    #[test]
    fn anything_else_is_no_report() {
        for value in [
            "",
            "1",
            "2 working 1 2 3 x",
            "1 sleeping 1 2 3 x",
            "1 working x 2 3 x",
            "1 working 1 -2 3 x",
            "1 working 1 2 y x",
            "1 working 1 2 3",
            "1 working 1 2 3 a b",
            "1 working 1 2 3 %F",
            "1 working 1 2 3 %FF",
            "1 working 1 2 3 %é",
        ] {
            assert_eq!(decode(value), None, "{value:?}");
        }
    }
}
