//! Files of other programs as documents: what they say is translated, and what cannot be is refused by name, or told of where
//! losing it is allowed. tmux is not asked, and nothing that stands in a file is run.

mod source;
pub mod teamocil;
pub mod tmuxinator;
mod translate;

use super::document;
use super::env::Env;
use super::refusal::{Code, Refusal};
use super::yaml::{self, Format, Node, Value};
pub use source::find;
use std::path::Path;
use translate::Translation;

/// A program whose files are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// teamocil.
    Teamocil,
    /// tmuxinator.
    Tmuxinator,
}

/// A file that was translated.
#[derive(Debug)]
pub struct Imported {
    /// The document.
    pub document: Node,
    /// The session's name.
    pub name: String,
    /// What was lost or means something a little different, a line each.
    pub warnings: Vec<String>,
}

/// Translates a file; `lossy` allows to lose what cannot be said.
///
/// # Errors
/// When it cannot be read, holds Ruby code ([`Code::InvalidWorkspace`]), or says what cannot be translated
/// ([`Code::UnsupportedKey`]).
pub fn import(program: Program, path: &Path, env: &Env, lossy: bool) -> Result<Imported, Refusal> {
    let name = path.display().to_string();
    let bytes = yaml::bytes(path)?;
    refuse_ruby(&bytes, &name)?;
    // Both programs write YAML, whatever the file is called; JSON is YAML, too.
    let source = yaml::read(&bytes, Format::Yaml, &name)?;
    let mut translation = Translation::new(&name, env, lossy);
    let entries = match program {
        Program::Teamocil => teamocil::read(&source, path, &mut translation)?,
        Program::Tmuxinator => tmuxinator::read(&source, path, &mut translation)?,
    };
    translation.check()?;
    let mut document = Node::map(entries);
    keep_literal(&mut document, &mut translation);
    let session = document.get("session_name").and_then(Node::scalar).unwrap_or_default();
    Ok(Imported {
        name: session.to_owned(),
        warnings: translation.warnings,
        document,
    })
}

/// Has nothing of the document expanded where a name or an option would be: neither of the programs does that. Not where a
/// directory begins with a variable, which is to be expanded; then it is told.
fn keep_literal(document: &mut Node, translation: &mut Translation<'_>) {
    let (mut literal, mut expanded) = (Vec::new(), false);
    let windows = match document.get("windows").map(|windows| &windows.value) {
        Some(Value::List(windows)) => windows.as_slice(),
        _ => &[],
    };
    for part in std::iter::once(&*document).chain(windows) {
        let options = ["options", "options_after"].into_iter().filter_map(|key| part.get(key));
        let values = options.flat_map(|options| match &options.value {
            Value::Map(entries) => entries.as_slice(),
            _ => &[],
        });
        let names = ["session_name", "window_name"]
            .into_iter()
            .filter_map(|key| part.get(key));
        let texts = names.chain(values.map(|entry| &entry.value)).filter_map(Node::scalar);
        literal.extend(texts.filter(|text| document::is_expanded(text)).map(str::to_owned));
        let directory = part.get("start_directory").and_then(Node::scalar).unwrap_or_default();
        if directory.starts_with('$') {
            expanded = true;
        } else if document::is_expanded(directory) {
            literal.push(directory.to_owned());
        }
    }
    if expanded {
        let told = |text: &String| format!("“{text}” has a variable or ~ in it, which load replaces by its value");
        translation.warnings.extend(literal.iter().map(told));
    } else if let (false, Value::Map(entries)) = (literal.is_empty(), &mut document.value) {
        let own = Node::map([("literal", true)]);
        let own = Node::map([(document::OWN_KEY, own)]);
        if let Value::Map(own) = own.value {
            entries.splice(1..1, own);
        }
    }
}

/// Refuses templates: only Ruby knows what they come to. In a comment they come to nothing.
fn refuse_ruby(bytes: &[u8], name: &str) -> Result<(), Refusal> {
    let text = String::from_utf8_lossy(bytes);
    for (index, line) in text.lines().enumerate() {
        if let Some(column) = line.find("<%").filter(|_| !line.trim_start().starts_with('#')) {
            let at = yaml::At {
                line: index + 1,
                column: line.get(..column).unwrap_or_default().chars().count() + 1,
            };
            let refusal = yaml::refuse(
                Code::InvalidWorkspace,
                name,
                at,
                "a Ruby template (<%), which is not run here",
            );
            return Err(refusal.with_hint("put in its place what it comes to"));
        }
    }
    Ok(())
}

/// Whether a value says anything.
fn is_said(node: &Node) -> bool {
    match &node.value {
        Value::Null => false,
        Value::Text(text) => !text.is_empty(),
        Value::List(items) => !items.is_empty(),
        Value::Map(entries) => !entries.is_empty(),
        Value::Bool { .. } | Value::Number(_) => true,
    }
}
