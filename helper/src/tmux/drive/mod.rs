//! The command lines of calls that act on a server for somebody else: one function a need, one tmux process where that can
//! be, parsed data back.
//!
//! Objects are named by id. Text that a caller chose is only ever an operand behind `--` or behind a flag of its own, and
//! where tmux would expand it as a format, it has been made literal before it comes here.

pub mod arrange;
pub mod channel;
pub mod create;
pub mod daemon;
pub mod input;
pub mod inventory;
pub mod lists;
pub mod pipe;
pub mod remove;
pub mod screen;
pub mod search;
pub mod settings;

use super::command::{Answer, Failure, Tmux};
use super::listing;
use super::version;

/// The answer of a tmux that was run with `args`, as text.
///
/// # Errors
/// See [`Failure`]; a non-zero exit is [`Failure::Refused`], or [`Failure::TooOld`] where the version explains it.
pub(super) fn ask(tmux: &Tmux, args: &[&str]) -> Result<String, Failure> {
    let answer = tmux.call(args)?;
    if answer.success {
        return Ok(text(&answer));
    }
    Err(refused(tmux, answer))
}

/// The same of a list. A server that lives without sessions has nothing to list, which tmux calls a failure.
pub(super) fn list(tmux: &Tmux, args: &[&str]) -> Result<String, Failure> {
    match ask(tmux, args) {
        Err(Failure::Refused(words)) if words == NO_SESSIONS => Ok(String::new()),
        answer => answer,
    }
}

/// What a server without sessions says.
pub(super) const NO_SESSIONS: &str = "no current target";

/// What a refusal means.
pub(super) fn refused(tmux: &Tmux, answer: Answer) -> Failure {
    // Of commands and flags that it does not know, a server says the usage.
    let unknown = ["unknown", "usage:", "invalid flag"]
        .iter()
        .any(|word| answer.stderr.contains(word));
    if let Some(too_old) = unknown.then(|| version::refusal_of(tmux)).flatten() {
        return too_old;
    }
    Failure::Refused(match answer.stderr.as_str() {
        "" => "it failed without a word".to_owned(),
        words => words.to_owned(),
    })
}

fn text(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.stdout).into_owned()
}

/// A record's format: each field ended by the nonce, so that free text may hold anything.
pub(super) fn record(nonce: &str, fields: &[&str]) -> String {
    fields.iter().map(|field| format!("{field}{nonce}")).collect()
}

/// The records at the start of `text`, each of `fields` fields and ended by a newline, and what follows them.
pub(super) fn records<'a>(
    mut text: &'a str,
    nonce: &str,
    fields: usize,
) -> Result<(Vec<Fields<'a>>, &'a str), Failure> {
    let mut records = Vec::new();
    // A record ends with a nonce and a newline; what is no record has no nonce ahead of it, or not enough of them.
    while let Some((record, rest)) = one(text, nonce, fields) {
        records.push(record);
        text = rest;
    }
    Ok((records, text))
}

fn one<'a>(text: &'a str, nonce: &str, fields: usize) -> Option<(Fields<'a>, &'a str)> {
    let mut pieces = text.splitn(fields + 1, nonce);
    let record: Vec<&str> = pieces.by_ref().take(fields).collect();
    let rest = pieces.next()?.strip_prefix('\n')?;
    Some((Fields(record.into_iter()), rest))
}

/// Exactly one record, and nothing else.
pub(super) fn only<'a>(text: &'a str, nonce: &str, fields: usize) -> Result<Fields<'a>, Failure> {
    match one(text, nonce, fields) {
        Some((record, "")) => Ok(record),
        _ => Err(odd(text)),
    }
}

/// Records, and nothing else.
pub(super) fn all<'a>(text: &'a str, nonce: &str, fields: usize) -> Result<Vec<Fields<'a>>, Failure> {
    match records(text, nonce, fields)? {
        (records, "") => Ok(records),
        (_, rest) => Err(odd(rest)),
    }
}

/// A record, read field by field.
#[derive(Debug)]
pub(super) struct Fields<'a>(std::vec::IntoIter<&'a str>);

impl<'a> Fields<'a> {
    pub(super) fn text(&mut self) -> Result<&'a str, Failure> {
        self.0.next().ok_or_else(|| odd(""))
    }

    pub(super) fn owned(&mut self) -> Result<String, Failure> {
        self.text().map(str::to_owned)
    }

    /// A number or an id.
    pub(super) fn parse<T: std::str::FromStr>(&mut self) -> Result<T, Failure> {
        let text = self.text()?;
        text.parse().map_err(|_| odd(text))
    }

    /// The same, where tmux may print nothing.
    pub(super) fn maybe<T: std::str::FromStr>(&mut self) -> Result<Option<T>, Failure> {
        Ok(self.text()?.parse().ok())
    }

    /// A flag or a count that only matters as one; tmux leaves some empty instead of 0.
    pub(super) fn flag(&mut self) -> Result<bool, Failure> {
        Ok(!matches!(self.text()?, "" | "0"))
    }
}

/// An answer that cannot be read.
pub(super) fn odd(text: &str) -> Failure {
    Failure::Refused(format!("its answer makes no sense: {:?}", listing::start_of(text)))
}

/// What an id names is not there.
pub(super) fn gone(what: &str, id: impl std::fmt::Display) -> Failure {
    Failure::Refused(format!("can't find {what}: {id}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_text_cannot_end_a_record() {
        let text = "%1nonce a\tb\n%2\nnonce\n%3noncecnonce\nrest";
        let (mut records, rest) = records(text, "nonce", 2).unwrap();
        assert_eq!((records.len(), rest), (2, "rest"));
        assert_eq!(records[0].text().unwrap(), "%1");
        assert_eq!(records[0].text().unwrap(), " a\tb\n%2\n");
        assert!(records[0].text().is_err());
        assert!(all(text, "nonce", 2).is_err());
        assert!(only(text, "nonce", 2).is_err());
    }
}
