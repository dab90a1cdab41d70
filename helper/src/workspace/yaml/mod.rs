//! Documents as trees: YAML and JSON, read and written. No other module knows how.
//!
//! YAML is read as version 1.2 has it. Where version 1.1, which other programs read, would take a scalar for something
//! else (`yes`, `0777`, `12:30`), it stays text as written, and is quoted when written again.

mod build;
mod file;
mod json;
mod read;
mod scalar;
#[cfg(test)]
mod tests;
mod tree;
mod write;

use super::refusal::{Code, Refusal};
use std::path::Path;
pub use tree::{At, Entry, Key, Node, Value};

/// The most bytes that a document may have: a thousand times what people write.
pub const SIZE_LIMIT: u64 = 1 << 20;

/// How deep lists and mappings may lie in each other.
const DEPTH_LIMIT: usize = 64;

/// How a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// YAML.
    Yaml,
    /// JSON.
    Json,
}

impl Format {
    /// The format that a file's name says; none when it says nothing.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Yaml => Self::Json,
            Self::Json => Self::Yaml,
        }
    }

    /// What a file's name ends in, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Yaml => "yaml",
            Self::Json => "json",
        }
    }
}

/// What is wrong with a text, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Flaw {
    at: At,
    what: String,
}

impl Flaw {
    fn new(at: At, what: impl Into<String>) -> Self {
        Self { at, what: what.into() }
    }
}

/// Reads a file: JSON when its name ends in `.json`, YAML otherwise. Never waits: what is no regular file is refused.
///
/// # Errors
/// When it is missing ([`Code::WorkspaceNotFound`]), cannot be read ([`Code::FileFailed`]) or is no document
/// ([`Code::InvalidWorkspace`]); with the file, line and column.
pub fn read_file(path: &Path) -> Result<Node, Refusal> {
    let bytes = bytes(path)?;
    let format = Format::of(path).unwrap_or(Format::Yaml);
    read(&bytes, format, &path.display().to_string())
}

/// The bytes of a file, at most [`SIZE_LIMIT`] of them. Never waits, as [`read_file`].
///
/// # Errors
/// When it is missing, cannot be read, or is too large.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Refusal> {
    file::read(path)
}

/// Reads a document that is at hand; `name` is what errors call it.
///
/// # Errors
/// When it is none, with the name, line and column.
pub fn read(bytes: &[u8], format: Format, name: &str) -> Result<Node, Refusal> {
    let read = |text: &str| match format {
        Format::Yaml => read::read(text),
        Format::Json => json::read(text),
    };
    text(bytes)
        .and_then(read)
        .map_err(|flaw| refuse(Code::InvalidWorkspace, name, flaw.at, &flaw.what))
}

/// A refusal that names the file and the place in it; trees that were not read have no places.
pub fn refuse(code: Code, name: &str, at: At, what: &str) -> Refusal {
    if at == At::default() {
        return Refusal::new(code, format!("{name}: {what}"));
    }
    Refusal::new(code, format!("{name}:{at}: {what}"))
}

/// A document as text that ends in a line's end.
pub fn write(node: &Node, format: Format) -> String {
    match format {
        Format::Yaml => write::yaml(node),
        Format::Json => json::write(node),
    }
}

/// A document as JSON on one line, without a line's end.
pub fn compact(node: &Node) -> String {
    json::compact(node)
}

/// Bytes as text, without the mark that some editors begin a file with.
fn text(bytes: &[u8]) -> Result<&str, Flaw> {
    if bytes.len() as u64 > SIZE_LIMIT {
        return Err(Flaw::new(
            At::default(),
            format!("it is larger than {SIZE_LIMIT} bytes"),
        ));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let at = end_of(&String::from_utf8_lossy(before));
        Flaw::new(at, "it is not UTF-8 from here on; save it as UTF-8")
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The place behind a text.
fn end_of(text: &str) -> At {
    let last = text.rsplit('\n').next().unwrap_or_default();
    At {
        line: text.matches('\n').count() + 1,
        column: last.chars().count() + 1,
    }
}
