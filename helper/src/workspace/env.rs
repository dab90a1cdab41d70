//! Where a command was run, and what its environment says. What is read from a document depends on it; as an argument, not
//! as something that is all around.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The environment and the directory of whoever loads a document.
#[derive(Debug, Clone, Default)]
pub struct Env {
    variables: BTreeMap<OsString, OsString>,
    /// Where the command was run: absolute, or empty if that is gone.
    pub directory: PathBuf,
}

impl Env {
    /// That of this process.
    pub fn of_process() -> Self {
        // What is relative stays so then, and is not found.
        Self::new(std::env::vars_os(), std::env::current_dir().unwrap_or_default())
    }

    /// Whether the directory where the command was run is gone.
    pub fn is_nowhere(&self) -> bool {
        self.directory.as_os_str().is_empty()
    }

    /// Where begins what says no directory of its own: where the command was run or, if that is gone, at home, as tmux has it.
    pub fn start(&self) -> &Path {
        match self.is_nowhere() {
            true => self.home().unwrap_or(Path::new("/")),
            false => &self.directory,
        }
    }

    /// One that is made up.
    pub fn new<K: Into<OsString>, V: Into<OsString>>(
        variables: impl IntoIterator<Item = (K, V)>,
        directory: impl Into<PathBuf>,
    ) -> Self {
        let pair = |(key, value): (K, V)| (key.into(), value.into());
        Self {
            variables: variables.into_iter().map(pair).collect(),
            directory: directory.into(),
        }
    }

    /// A variable; none when it is not set. It may be empty.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// A variable as text; none when it is not set, or no UTF-8.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.to_str()
    }

    /// The user's home, if the environment says it.
    pub fn home(&self) -> Option<&Path> {
        self.get("HOME").filter(|home| !home.is_empty()).map(Path::new)
    }

    /// A path as it is shown: with the home as `~`.
    pub fn shown(&self, path: &Path) -> String {
        match self.home().and_then(|home| path.strip_prefix(home).ok()) {
            Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
            Some(rest) => format!("~/{}", rest.display()),
            None => path.display().to_string(),
        }
    }

    /// A path that somebody wrote: `~` and `~/…` are the home, what is relative is relative to where the command was run.
    pub fn path(&self, written: &OsStr) -> PathBuf {
        let path = Path::new(written);
        let home = path
            .strip_prefix("~")
            .ok()
            .and_then(|rest| Some(self.home()?.join(rest)));
        // By its components: without `.` and doubled slashes.
        self.directory
            .join(home.as_deref().unwrap_or(path))
            .components()
            .collect()
    }
}
