//! Where other programs keep their files.

use super::super::env::Env;
use super::super::refusal::{Code, Refusal};
use super::super::yaml::Format;
use super::Program;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The file that `input` names: a path, or a name in the directory in which the program keeps its files. A file at a path need
/// not be there: who reads it says so.
///
/// # Errors
/// When that directory has none of that name.
pub fn find(program: Program, input: &str, env: &Env) -> Result<PathBuf, Refusal> {
    if input.contains('/') || Format::of(Path::new(input)).is_some() {
        return Ok(env.path(OsStr::new(input)));
    }
    let missing = |what: String| {
        let refusal = Refusal::new(Code::WorkspaceNotFound, what);
        refusal.with_hint("a file elsewhere is written as a path, such as ./file.yml")
    };
    let Some(folder) = folder(program, env) else {
        return Err(missing("HOME is not set".to_owned()));
    };
    let files = ["yml", "yaml"].map(|extension| folder.join(format!("{input}.{extension}")));
    let found = files.into_iter().find(|path| path.is_file());
    found.ok_or_else(|| missing(format!("there is no “{input}” in {}", folder.display())))
}

fn folder(program: Program, env: &Env) -> Option<PathBuf> {
    let home = |name: &str| env.home().map(|home| home.join(name));
    match program {
        Program::Teamocil => home(".teamocil"),
        Program::Tmuxinator => {
            let named = env.get("TMUXINATOR_CONFIG").filter(|value| !value.is_empty());
            named.map(|value| env.path(value)).or_else(|| home(".tmuxinator"))
        }
    }
}
