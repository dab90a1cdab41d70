//! The script that goes before the windows: words as a shell would split them, without a shell.

use super::amount::{MOST_BYTES, TOO_MUCH};
use super::directory::tidy;
use super::expand;
use super::fields::Fields;
use crate::workspace::env::Env;
use crate::workspace::refusal::Refusal;
use crate::workspace::spec::Script;
use std::path::Path;

/// The script, which runs in `directory`.
pub fn read(fields: &Fields<'_>, directory: &Path) -> Result<Option<Script>, Refusal> {
    let Some((node, place)) = fields.get("before_script") else {
        return Ok(None);
    };
    let reading = place.reading;
    let wrong = |what| place.wrong(node.at, what);
    let split = split(place.text(node)?).map_err(wrong)?;
    let words = words(&split, reading.source.env).map_err(wrong)?;
    let parts = || split.iter().flatten();
    let has_operators = parts().any(|(kind, text)| is_operated(*kind, text));
    let mut unset: Vec<String> = Vec::new();
    for (_, text) in parts().filter(|(kind, _)| *kind != Kind::Literal) {
        let new = expand::unset(text, reading.source.env);
        unset.extend(new.into_iter().filter(|name| name.len() <= LONGEST));
    }
    unset.sort();
    unset.dedup();
    unset.truncate(MOST_UNSET);
    if !unset.is_empty() {
        reading.warn(node.at, &format!("before_script: {}", expand::stays(&unset)));
    }
    let (written, mut arguments): (Vec<String>, Vec<String>) = words.into_iter().unzip();
    let Some(program) = arguments.first_mut() else {
        return Ok(None);
    };
    if program.is_empty() {
        return Err(place.wrong(node.at, "names no program"));
    }
    if program.starts_with('.') {
        *program = tidy(&reading.directory().join(&program)).to_string_lossy().into_owned();
    }
    let directory = directory.to_owned();
    Ok(Some(Script {
        written,
        arguments,
        directory,
        has_operators,
        unset,
    }))
}

/// The longest name of a variable that is told.
const LONGEST: usize = 100;

/// How many of them are.
const MOST_UNSET: usize = 10;

/// What counts in a part of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Variables, and `~` at the beginning.
    Bare,
    /// Variables.
    Quoted,
    /// Nothing.
    Literal,
}

/// A word, by its parts.
type Word = Vec<(Kind, String)>;

/// Splits, then expands: a value never becomes several words. What stands in single quotes stays as written, so that
/// `sh -c '… $X …'` has its variables from its environment, and nothing is pasted into it. Each word before and after that.
fn words(split: &[Word], env: &Env) -> Result<Vec<(String, String)>, &'static str> {
    let expand = |(index, (kind, text)): (usize, &(Kind, String))| match kind {
        Kind::Bare if index == 0 => expand::expand(text, env),
        Kind::Bare | Kind::Quoted => expand::variables(text, env),
        Kind::Literal => text.clone(),
    };
    let mut bytes = 0;
    let one = |word: &Word| {
        let expanded: String = word.iter().enumerate().map(expand).collect();
        bytes += expanded.len();
        let written = word.iter().map(|(_, text)| text.as_str()).collect();
        (bytes <= MOST_BYTES).then_some((written, expanded)).ok_or(TOO_MUCH)
    };
    split.iter().map(one).collect()
}

/// Whether a part of a word has what a shell would take for more than text.
fn is_operated(kind: Kind, text: &str) -> bool {
    match kind {
        Kind::Bare => text.contains(['|', '&', ';', '<', '>', '`']) || text.contains("$("),
        Kind::Quoted => text.contains('`') || text.contains("$("),
        Kind::Literal => false,
    }
}

fn split(text: &str) -> Result<Vec<Word>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut quote = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if quote.is_none() && c.is_whitespace() {
            words.extend(word.take());
            continue;
        }
        let parts = word.get_or_insert_with(Vec::new);
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if c == open => quote = None,
            (Some('\''), _) => push(parts, Kind::Literal, c),
            (_, '\\') => {
                let next = rest.next().ok_or("ends in a backslash")?;
                // In double quotes it is itself, but before these.
                if quote.is_some() && !"\"\\$`".contains(next) {
                    push(parts, Kind::Literal, c);
                }
                push(parts, Kind::Literal, next);
            }
            (Some(_), _) => push(parts, Kind::Quoted, c),
            (None, _) => push(parts, Kind::Bare, c),
        }
    }
    if quote.is_some() {
        return Err("has a quote that does not end");
    }
    words.extend(word);
    Ok(words)
}

fn push(parts: &mut Word, kind: Kind, c: char) {
    match parts.last_mut() {
        Some((last, text)) if *last == kind => text.push(c),
        _ => parts.push((kind, c.to_string())),
    }
}
