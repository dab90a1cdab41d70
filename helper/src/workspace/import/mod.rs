//! Files of other programs as documents: what they say is translated, and what cannot be is refused by name, or told of where
//! losing it is allowed. tmux is not asked, and nothing that stands in a file is run.

mod source;
pub mod teamocil;
pub mod tmuxinator;
mod translate;

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
    let document = Node::map(entries);
    let session = document.get("session_name").and_then(Node::scalar).unwrap_or_default();
    Ok(Imported {
        name: session.to_owned(),
        warnings: translation.warnings,
        document,
    })
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
