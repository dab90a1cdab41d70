//! What a document means: a tree becomes a [`Session`], with everything inherited, expanded and checked. Pure: the
//! environment and the place of the document are arguments. Whatever is wrong is refused here, with its place, before
//! anything is built.

mod amount;
mod command;
mod directory;
mod expand;
mod fields;
mod option;
mod own;
mod pane;
mod root;
mod script;
#[cfg(test)]
mod tests;
mod unknown;
mod window;

use super::env::Env;
use super::refusal::Refusal;
use super::spec::Session;
use super::yaml::{self, Node};
use amount::Amount;
pub use command::is_blank_word;
pub use expand::{is_expanded, stays};
pub use own::KEY as OWN_KEY;
pub use root::check_name;
use std::cell::RefCell;
use std::path::Path;
use unknown::Unknown;

/// Where a document comes from, and how it is taken.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Its file: absolute. Relative directories and scripts in it begin at the directory of that.
    pub path: &'a Path,
    /// That of whoever loads it.
    pub env: &'a Env,
    /// The name that the session gets instead of the document's.
    pub session_name: Option<&'a str>,
    /// Whether keys that are not known are told of and passed over, instead of refused.
    pub lenient: bool,
}

/// Reads a file, and what it means.
///
/// # Errors
/// As [`yaml::read_file`] and [`session`].
pub fn load(source: &Source<'_>) -> Result<Session, Refusal> {
    session(&yaml::read_file(source.path)?, source)
}

/// What a document means.
///
/// # Errors
/// When a key is not known or cannot be honoured here ([`super::refusal::Code::UnsupportedKey`]), or a value is wrong
/// ([`super::refusal::Code::InvalidWorkspace`]); with the file, line, column, and the way to the key: `windows[0].focus`.
pub fn session(document: &Node, source: &Source<'_>) -> Result<Session, Refusal> {
    let mut reading = Reading {
        source: *source,
        name: source.path.display().to_string(),
        literal: false,
        warnings: RefCell::default(),
        unknown: RefCell::default(),
        amount: Amount::default(),
    };
    reading.literal = own::is_literal(document, &reading)?;
    let read = root::read(document, &reading);
    // A key that is misspelt may be why something else is missing.
    if let Some(refusal) = reading.unknown.into_inner().refusal() {
        return Err(refusal);
    }
    let mut session = read?;
    session.warnings = reading.warnings.into_inner();
    Ok(session)
}

/// A document while it is read.
#[derive(Debug)]
struct Reading<'a> {
    source: Source<'a>,
    /// What refusals call it.
    name: String,
    /// Whether names, directories and values are what they say.
    literal: bool,
    warnings: RefCell<Vec<String>>,
    unknown: RefCell<Unknown>,
    amount: Amount,
}

impl Reading<'_> {
    /// The directory of the document.
    fn directory(&self) -> &Path {
        self.source.path.parent().unwrap_or(Path::new("/"))
    }

    /// A name, a directory or a value as it is meant.
    fn expand(&self, text: &str) -> String {
        match self.literal {
            true => text.to_owned(),
            false => expand::expand(text, self.source.env),
        }
    }

    fn warn(&self, at: yaml::At, what: &str) {
        let code = super::refusal::Code::InvalidWorkspace;
        self.warnings
            .borrow_mut()
            .push(yaml::refuse(code, &self.name, at, what).message);
    }
}
