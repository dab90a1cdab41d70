//! Finding a document: by its path, by the directory of a project, or by a name in the workspace directory.

use super::env::Env;
use super::refusal::{Code, Refusal};
use super::server_save::INDEX;
use super::yaml::Format;
use super::{autosave, called};
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

/// The one to save documents in: the one that counts, or else the one that would if it were there.
pub fn directory_to_save_in(env: &Env) -> Option<PathBuf> {
    let mut all = global_directories(env);
    let there = all.iter().position(|global| global.exists).unwrap_or(0);
    (there < all.len()).then(|| all.swap_remove(there).path)
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
    if input == "-" {
        let refusal = Refusal::new(Code::Usage, "a workspace is not read from standard input");
        return Err(refusal.with_hint("write it to a file first, and name that"));
    }
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

/// The directory that `input` is, if it is written as a path and one is there.
pub fn directory(input: &str, env: &Env) -> Option<PathBuf> {
    let path = env.path(OsStr::new(input));
    (is_path(input) && path.is_dir()).then_some(path)
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
    Err(match (local(name, env), elsewhere(name, env)) {
        (Some(path), _) => refusal.with_hint(format!(
            "a name is never a file of the current directory; for that one, write {path}"
        )),
        (None, Some(path)) => refusal.with_hint(format!(
            "one is in a directory that does not count while another is there; for that one, write {}",
            env.shown(&path)
        )),
        (None, None) => refusal.with_hint(format!(
            "{} ls shows which there are; a file or a directory is written as a path",
            called::name()
        )),
    })
}

/// The document of that name in a workspace directory that does not count.
fn elsewhere(name: &str, env: &Env) -> Option<PathBuf> {
    let directories = global_directories(env).into_iter().map(|global| global.path);
    let mut files = directories.flat_map(|directory| candidates(&directory, name).collect::<Vec<_>>());
    files.find(|path| is_there(path))
}

/// What somebody may have meant who wrote a name, as a path.
fn local(name: &str, env: &Env) -> Option<String> {
    let here = env.directory.join(name);
    if here.is_dir() {
        let is_save = || here.join(INDEX).is_file() || autosave::newest(&here).is_some();
        let holds = in_project(&here).is_some() || is_save();
        return holds.then(|| format!("./{name}/"));
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    /// A room with a home, and its environment with these variables, whose values are folders in it.
    fn room(variables: &[(&str, &str)]) -> (TempDir, Env) {
        let room = tempfile::tempdir().unwrap();
        let home = room.path().join("home");
        fs::create_dir(&home).unwrap();
        let own = variables.iter().map(|(name, folder)| (*name, room.path().join(folder)));
        let env = Env::new(own.chain([("HOME", home)]), room.path());
        (room, env)
    }

    fn put(room: &TempDir, path: &str) -> PathBuf {
        let path = room.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        path
    }

    #[test]
    fn the_first_directory_that_exists_counts_even_empty() {
        let (room, env) = room(&[("TMUXP_CONFIGDIR", "mine"), ("XDG_CONFIG_HOME", "xdg")]);
        assert_eq!(global_directory(&env), None);
        assert_eq!(directory_to_save_in(&env), Some(room.path().join("mine")));
        for folder in ["home/.tmuxp", "xdg/tmuxp", "mine"] {
            let path = room.path().join(folder);
            fs::create_dir_all(&path).unwrap();
            assert_eq!(directory_to_save_in(&env), Some(path.clone()));
            assert_eq!(global_directory(&env), Some(path));
        }
        let sources: Vec<_> = global_directories(&env)
            .into_iter()
            .map(|global| global.source)
            .collect();
        assert_eq!(sources, ["$TMUXP_CONFIGDIR", "$XDG_CONFIG_HOME/tmuxp", "~/.tmuxp"]);
    }

    #[test]
    fn without_variables_the_configuration_of_the_home_counts() {
        let (room, env) = room(&[]);
        let path = room.path().join("home/.config/tmuxp");
        fs::create_dir_all(&path).unwrap();
        assert_eq!(global_directory(&env), Some(path));
        assert_eq!(global_directories(&Env::new([("USER", "me")], "/")), []);
        let unset = Env::new([("TMUXP_CONFIGDIR", ""), ("XDG_CONFIG_HOME", ""), ("HOME", "")], "/");
        assert_eq!(global_directories(&unset), []);
        assert_eq!(directory_to_save_in(&unset), None);
    }

    #[test]
    fn a_name_is_looked_for_in_one_directory_by_its_endings() {
        let (room, env) = room(&[]);
        let json = put(&room, "home/.config/tmuxp/a.json");
        put(&room, "home/.tmuxp/old.yaml");
        put(&room, "a.yaml");
        assert_eq!(find("a", &env).unwrap(), json);
        let yml = put(&room, "home/.config/tmuxp/a.yml");
        assert_eq!(find("a", &env).unwrap(), yml);
        fs::create_dir(room.path().join("home/.config/tmuxp/a.yaml")).unwrap();
        assert_eq!(find("a", &env).unwrap(), yml, "a folder is no document");
        assert_eq!(find("old", &env).unwrap_err().code, Code::WorkspaceNotFound);
        assert_eq!(find("", &env).unwrap_err().code, Code::Usage);
        assert_eq!(find("..", &env).unwrap_err().code, Code::WorkspaceNotFound);
    }

    #[test]
    fn who_names_what_is_here_is_told_its_path() {
        let (room, env) = room(&[]);
        let hint = |name: &str| find(name, &env).unwrap_err().hint.unwrap();
        put(&room, "file.yml");
        put(&room, "project/.tmuxp.json");
        put(&room, "saved/tmux-server.yaml");
        put(&room, "saves/2026-01-02T03.04.05Z/tmux-server.yaml");
        put(&room, "other/a.yaml");
        for (name, path) in [
            ("file", "./file.yml"),
            ("project", "./project/"),
            ("saved", "./saved/"),
            ("saves", "./saves/"),
        ] {
            assert!(hint(name).ends_with(&format!("write {path}")), "{}", hint(name));
        }
        for name in ["other", "nothing"] {
            assert!(hint(name).contains(" ls shows which"), "{}", hint(name));
        }
    }

    #[test]
    fn a_path_is_taken_from_where_one_is_and_a_directory_for_its_own_document() {
        let (room, env) = room(&[]);
        put(&room, "p/.tmuxp.json");
        assert_eq!(find("./p", &env).unwrap(), room.path().join("p/.tmuxp.json"));
        let yaml = put(&room, "p/.tmuxp.yaml");
        assert_eq!(find("p/", &env).unwrap(), yaml);
        assert_eq!(
            find("./p/./.tmuxp.json", &env).unwrap(),
            room.path().join("p/.tmuxp.json")
        );
        assert_eq!(
            find("not-there.YAML", &env).unwrap(),
            room.path().join("not-there.YAML")
        );
        assert_eq!(find("~/x.yml", &env).unwrap(), room.path().join("home/x.yml"));
        assert_eq!(find("~", &env).unwrap_err().code, Code::WorkspaceNotFound);
    }
}
