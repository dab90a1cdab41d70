//! Reads what a model answered: forgiving in shape, strict in what it lets through.
//!
//! Models wrap JSON in prose and code fences, leave windows out, invent others, and repeat what a screen told them to
//! say. Whatever can be read is taken; each line becomes a short, plain one; a kind outside the five is no kind.

use crate::model::StatusKind;
use crate::text;
use serde_json::Value;

/// Places in an answer at which JSON may begin that are tried.
const ATTEMPTS: usize = 64;

/// What was said of one window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Its number in the request, from 0.
    pub index: usize,
    /// One line that fits into a summary.
    pub summary: String,
    /// What it takes the window to do.
    pub kind: Option<StatusKind>,
}

/// What `answer` says of `count` windows, each once; `None` when there is nothing in it that can be read.
pub fn read(answer: &[u8], count: usize) -> Option<Vec<Said>> {
    let text = String::from_utf8_lossy(answer);
    let starts = text.match_indices(['{', '[']).map(|(at, _)| at);
    let mut said: Option<Vec<Said>> = None;
    let mut end = 0;
    for at in starts.take(ATTEMPTS) {
        if at < end {
            // Within what has been read as a whole.
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let Some(Ok(value)) = values.next() else { continue };
        end = at + values.byte_offset();
        let found = windows(&value, count);
        // The last word counts: some models think aloud first.
        if !found.is_empty() {
            said = Some(found);
        }
    }
    said
}

fn windows(value: &Value, count: usize) -> Vec<Said> {
    let mut found: Vec<Said> = Vec::new();
    let mut add = |id: Option<usize>, value: &Value| {
        let new = id.and_then(|index| one(index, value));
        found.extend(new.filter(|new| new.index < count && found.iter().all(|old| old.index != new.index)));
    };
    match value {
        Value::Array(items) => items.iter().for_each(|item| add(number(item.get("id")), item)),
        Value::Object(object) => match object.get("windows") {
            Some(inner) => return windows(inner, count),
            None if object.contains_key("id") => add(number(object.get("id")), value),
            None => object
                .iter()
                .for_each(|(id, item)| add(number(Some(&Value::String(id.clone()))), item)),
        },
        _ => {}
    }
    found
}

/// `w3`, `3` or 3 is the third.
fn number(id: Option<&Value>) -> Option<usize> {
    let number = match id? {
        Value::Number(number) => usize::try_from(number.as_u64()?).ok()?,
        Value::String(text) => text.trim().trim_start_matches(['w', 'W']).parse().ok()?,
        _ => return None,
    };
    number.checked_sub(1)
}

fn one(index: usize, value: &Value) -> Option<Said> {
    let line = match value {
        Value::String(line) => line,
        value => value.get("summary")?.as_str()?,
    };
    let summary = text::one_line(line, text::SUMMARY_LIMIT);
    let kind = value.get("kind").and_then(Value::as_str).map(str::trim);
    let kind = kind.and_then(|kind| serde_json::from_value(Value::String(kind.to_lowercase())).ok());
    summary
        .contains(char::is_alphanumeric)
        .then_some(Said { index, summary, kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(index: usize, summary: &str, kind: Option<StatusKind>) -> Said {
        Said {
            index,
            summary: summary.to_owned(),
            kind,
        }
    }

    fn read(answer: &str, count: usize) -> Option<Vec<Said>> {
        super::read(answer.as_bytes(), count)
    }

    #[test]
    fn an_answer_is_found_in_every_shape_that_models_give_it() {
        let one = Some(vec![said(0, "builds api", Some(StatusKind::Active))]);
        for answer in [
            r#"{"windows":[{"id":"w1","summary":"builds api","kind":"active"}]}"#,
            r#"[{"id":"w1","summary":"builds api","kind":" Active "}]"#,
            r#"{"id":1,"summary":"builds api","kind":"active"}"#,
            r#"{"w1":{"summary":"builds api","kind":"active"}}"#,
            "Here you are:\n```json\n{\"windows\":[{\"id\":\"1\",\"summary\":\"builds\\n api \",\"kind\":\"active\"}]}\n```\nDone {ok}!",
            r#"I think {"draft": true} so [1] {"windows":[{"id":"w1","summary":"builds api","kind":"active"}]}"#,
        ] {
            assert_eq!(read(answer, 2), one, "{answer}");
        }
        assert_eq!(read(r#"{"w2":"idles"}"#, 2), Some(vec![said(1, "idles", None)]));
    }

    #[test]
    fn what_was_not_asked_or_says_nothing_is_left_out() {
        let answer = r#"{"windows":[{"id":"w9","summary":"x"},{"id":"w0","summary":"x"},{"id":"w1","summary":"ok"},
            {"id":"w1","summary":"twice"},{"id":"w2","summary":" … "},{"id":"w2"},{"id":"w3","summary":7},{"summary":"x"}]}"#;
        assert_eq!(read(answer, 3), Some(vec![said(0, "ok", None)]));
        for nothing in [
            "",
            "no",
            "{",
            "[[[[",
            "{}",
            "[]",
            "null",
            r#"{"windows":"w1"}"#,
            "{\"w1\":[]}",
        ] {
            assert_eq!(read(nothing, 3), None, "{nothing}");
        }
        assert_eq!(
            super::read(b"\xff\xfe{\"w1\":\"\xffx\"}", 1),
            Some(vec![said(0, "\u{fffd}x", None)])
        );
    }

    #[test]
    fn a_line_becomes_short_and_plain_and_a_kind_is_one_of_five() {
        let long = format!(
            r#"{{"w1":{{"summary":"\u001b[31m{}","kind":"exploding"}}}}"#,
            "word ".repeat(100)
        );
        let said = read(&long, 1).unwrap().remove(0);
        assert!(text::width(&said.summary) <= text::SUMMARY_LIMIT && !said.summary.contains('\x1b'));
        assert_eq!(said.kind, None);
    }

    #[test]
    fn an_answer_that_never_ends_costs_a_bounded_time() {
        let deep = "[".repeat(200_000) + &"{\"a\":".repeat(200_000);
        assert_eq!(read(&deep, 1), None);
    }
}
