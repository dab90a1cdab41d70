//! Finding a document: by its path, by the directory of a project, or by a name in the workspace directory.

use super::env::Env;
use super::refusal::{Code, Refusal};
use super::yaml::Format;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What a document of a project is called, in the order in which they are looked for.
const PROJECT_NAMES: [&str; 3] = [".tmuxp.yaml", ".tmuxp.yml", ".tmuxp.json"];

/// What documents end in, likewise.
pub const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// A directory that may hold documents for all projects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Global {
    /// Absolute, if the environment is.
    pub path: PathBuf,
    /// What names it: `$TMUXP_CONFIGDIR`, `$XDG_CONFIG_HOME/tmuxp` or `~/.tmuxp`.
    pub source: &'static str,
    /// Whether it is there.
    pub exists: bool,
}

/// The directories for all projects, in order; the first that exists is the one that counts, even an empty one.
pub fn global_directories(env: &Env) -> Vec<Global> {
    let set = |name: &str| {
        env.get(name)
            .filter(|value| !value.is_empty())
            .map(|value| env.path(value))
    };
    let configured = set("XDG_CONFIG_HOME").or_else(|| env.home().map(|home| home.join(".config")));
    let candidates = [
        (set("TMUXP_CONFIGDIR"), "$TMUXP_CONFIGDIR"),
        (configured.map(|folder| folder.join("tmuxp")), "$XDG_CONFIG_HOME/tmuxp"),
        (env.home().map(|home| home.join(".tmuxp")), "~/.tmuxp"),
    ];
    let mut globals: Vec<Global> = Vec::new();
    for (path, source) in candidates {
        // Two variables may name the same.
        if let Some(path) = path.filter(|path| globals.iter().all(|global| global.path != *path)) {
            let exists = path.is_dir();
            globals.push(Global { path, source, exists });
        }
    }
    globals
}

/// The one that counts; none when none is there.
pub fn global_directory(env: &Env) -> Option<PathBuf> {
    let found = global_directories(env).into_iter().find(|global| global.exists);
    found.map(|global| global.path)
}

/// The document of a project directory, if it has one.
pub fn in_project(directory: &Path) -> Option<PathBuf> {
    let paths = PROJECT_NAMES.iter().map(|name| directory.join(name));
    paths.into_iter().find(|path| is_there(path))
}

/// The document that `input` names: a path, a directory written as a path, or a name in the workspace directory. A file at a
/// path need not be there: who reads it says so.
///
/// # Errors
/// When a directory has none, or the workspace directory has none of that name.
pub fn find(input: &str, env: &Env) -> Result<PathBuf, Refusal> {
    if !is_path(input) {
        return by_name(input, env);
    }
    let path = env.path(OsStr::new(input));
    if !path.is_dir() {
        return Ok(path);
    }
    in_project(&path).ok_or_else(|| {
        let what = format!("{} has none of {}", path.display(), PROJECT_NAMES.join(", "));
        Refusal::new(Code::WorkspaceNotFound, what)
    })
}

/// Whether something is written as a path: `x/y`, `.`, `..`, `~`, or a name with an extension that documents have.
fn is_path(input: &str) -> bool {
    input.contains('/') || matches!(input, "." | ".." | "~") || Format::of(Path::new(input)).is_some()
}

fn by_name(name: &str, env: &Env) -> Result<PathBuf, Refusal> {
    if name.is_empty() {
        return Err(Refusal::new(Code::Usage, "the name of a workspace is empty"));
    }
    let directory = global_directory(env);
    let files = directory.iter().flat_map(|directory| candidates(directory, name));
    if let Some(path) = files.into_iter().find(|path| is_there(path)) {
        return Ok(path);
    }
    let whose = match &directory {
        Some(directory) => format!("in {}", directory.display()),
        None => {
            let looked: Vec<_> = global_directories(env)
                .iter()
                .map(|global| global.path.display().to_string())
                .collect();
            format!("since no workspace directory is there ({})", looked.join(", "))
        }
    };
    let refusal = Refusal::new(
        Code::WorkspaceNotFound,
        format!("there is no workspace “{name}” {whose}"),
    );
    Err(match local(name, env) {
        Some(path) => refusal.with_hint(format!(
            "a name is never a file of the current directory; for that one, write {path}"
        )),
        None => refusal
            .with_hint("tmux-status workspace ls shows which there are; a file or a directory is written as a path"),
    })
}

/// What somebody may have meant who wrote a name, as a path.
fn local(name: &str, env: &Env) -> Option<String> {
    let here = env.directory.join(name);
    if here.is_dir() {
        return in_project(&here).map(|_| format!("./{name}/"));
    }
    let files = std::iter::once(here).chain(candidates(&env.directory, name));
    let found = files.into_iter().find(|path| is_there(path))?;
    Some(format!("./{}", found.file_name()?.to_string_lossy()))
}

fn candidates<'a>(directory: &'a Path, name: &'a str) -> impl Iterator<Item = PathBuf> + 'a {
    EXTENSIONS
        .iter()
        .map(move |extension| directory.join(format!("{name}.{extension}")))
}

fn is_there(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|meta| !meta.is_dir())
}
