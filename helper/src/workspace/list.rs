//! Which documents there are: those of the project that a command is run in, nearer ones first, then those for all projects.

use super::env::Env;
use super::find::{self, Global};
use super::refusal::Refusal;
use super::yaml::{self, Format, Node};
use serde::Serialize;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Where a document was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// In the directory that the command is run in, or above it.
    Local,
    /// In the directory for all projects.
    Global,
}

/// A document that was found.
#[derive(Debug)]
pub struct Found {
    /// Its file's name without the extension.
    pub name: String,
    /// Absolute.
    pub path: PathBuf,
    /// Where.
    pub origin: Origin,
    /// How it is written.
    pub format: Format,
    /// Bytes; 0 when the file is gone.
    pub size: u64,
    /// When it was last written, if that can be told.
    pub modified: Option<SystemTime>,
    /// What is in it, or why it cannot be read.
    pub document: Result<Node, Refusal>,
}

impl Found {
    fn read(path: PathBuf, origin: Origin) -> Self {
        let meta = std::fs::metadata(&path).ok();
        Self {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            origin,
            format: Format::of(&path).unwrap_or(Format::Yaml),
            size: meta.as_ref().map_or(0, std::fs::Metadata::len),
            modified: meta.and_then(|meta| meta.modified().ok()),
            document: yaml::read_file(&path),
            path,
        }
    }

    /// The session's name, as it is written.
    pub fn session_name(&self) -> Option<&str> {
        self.document.as_ref().ok()?.get("session_name")?.scalar()
    }

    /// Its windows; none when it cannot be read.
    pub fn windows(&self) -> &[Node] {
        self.document.as_ref().map_or(&[], |document| document.items("windows"))
    }
}

/// All of them, each file once.
pub fn all(env: &Env) -> Vec<Found> {
    let places = places(env).into_iter();
    places.map(|(path, origin)| Found::read(path, origin)).collect()
}

/// Where they are, each file once.
pub fn places(env: &Env) -> Vec<(PathBuf, Origin)> {
    let local = project_files(env).into_iter().map(|path| (path, Origin::Local));
    let folder = find::global_directory(env);
    let global = folder.iter().flat_map(|folder| files(folder));
    let global = global.map(|path| (path, Origin::Global));
    let mut seen = HashSet::new();
    let mut is_new = |path: &Path| seen.insert(std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()));
    local.chain(global).filter(|(path, _)| is_new(path)).collect()
}

/// The documents of the projects that the command is run in, one a directory: from where it is run up to the user's home, or
/// to the root where that is not above it.
fn project_files(env: &Env) -> Vec<PathBuf> {
    let home = env.home().and_then(|home| std::fs::canonicalize(home).ok());
    let mut files = Vec::new();
    for directory in env.directory.ancestors() {
        files.extend(find::in_project(directory));
        if home.is_some() && std::fs::canonicalize(directory).ok() == home {
            break;
        }
    }
    files
}

/// The documents in a directory, in the order of their names.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let is_document = |path: &PathBuf| {
        let extension = path.extension().and_then(OsStr::to_str);
        extension.is_some_and(|extension| find::EXTENSIONS.contains(&extension)) && path.is_file()
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_document).collect();
    files.sort();
    files
}

/// A directory for all projects, and what is in it.
#[derive(Debug, Serialize)]
pub struct Folder {
    /// Absolute.
    pub path: String,
    /// What names it.
    pub source: &'static str,
    /// Whether it is there.
    pub exists: bool,
    /// Whether it is the one that counts.
    pub active: bool,
    /// How many documents it holds.
    pub workspace_count: usize,
}

/// The directories for all projects, in the order in which they are looked for.
pub fn folders(env: &Env) -> Vec<Folder> {
    let counts = find::global_directory(env);
    let folder = |global: Global| Folder {
        active: global.exists && counts.as_ref() == Some(&global.path),
        workspace_count: files(&global.path).len(),
        path: global.path.display().to_string(),
        source: global.source,
        exists: global.exists,
    };
    find::global_directories(env).into_iter().map(folder).collect()
}
