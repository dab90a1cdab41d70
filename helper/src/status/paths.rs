//! Where the files are.
//!
//! Absent on purpose: any search for an older place. There is one, and `@tmux-status-file` for those who want another.

use crate::fault::Fault;
use crate::tmux::server::Socket;
use anyhow::{Context, Result};
use std::env;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// macOS distributed notification that shows or hides a dashboard; posted by other programs, named here so that nobody
/// renames it.
pub const NOTIFICATION_TOGGLE: &str = "com.thegrid.tmux.toggle";
/// macOS distributed notification that asks for a refresh at once; here `tmux-status refresh` does the same.
pub const NOTIFICATION_REFRESH: &str = "com.thegrid.tmux.refresh";

/// The places of one server's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// The folder of all but an overridden status file; mode 0700.
    pub folder: PathBuf,
    /// The status file.
    pub status: PathBuf,
    /// Our own state.
    pub state: PathBuf,
    /// The driver's lock: held by `watch` or by another driver, never by a one-shot refresh.
    pub driver_lock: PathBuf,
    /// The writers' lock, held from a look to its file.
    pub write_lock: PathBuf,
    /// The last errors of runs that nobody saw.
    pub errors: PathBuf,
    /// What a model has said.
    pub answers: PathBuf,
    /// The lock of the one that asks a model.
    pub answers_lock: PathBuf,
    /// The folder in which a model's command runs: empty, so that there is nothing for it to read.
    pub model_folder: PathBuf,
    /// The folder in which sessions are saved by themselves, unless the user wants another.
    pub sessions: PathBuf,
}

impl Paths {
    /// The places for the server at `socket`, in `$XDG_STATE_HOME/thegrid` or `~/.local/state/thegrid`.
    ///
    /// # Errors
    /// Without an absolute XDG_STATE_HOME or HOME there is no place.
    pub fn of(socket: &Socket) -> Result<Self> {
        let folder = state_home().ok_or_else(|| {
            Fault::new(
                "no place for the files: neither XDG_STATE_HOME nor HOME is an absolute path",
                "set HOME, or XDG_STATE_HOME, to an absolute path",
            )
        })?;
        Ok(Self::within(folder.join("thegrid"), socket.file_id()))
    }

    pub(super) fn within(folder: PathBuf, file_id: Option<&str>) -> Self {
        let id = file_id.map(|id| format!("@{id}")).unwrap_or_default();
        let file = |ending: &str| folder.join(format!("tmux-status{id}{ending}"));
        Self {
            status: file(".json"),
            state: file(".state.json"),
            driver_lock: file(".lock"),
            write_lock: file(".write.lock"),
            errors: file(".errors.log"),
            answers: file(".ai.json"),
            answers_lock: file(".ai.lock"),
            model_folder: file(".ai"),
            sessions: file(".sessions"),
            folder,
        }
    }

    /// The same with the status file where the user wants it; anything but an absolute path is ignored.
    pub fn with_status_file(mut self, wanted: impl AsRef<Path>) -> Self {
        if wanted.as_ref().is_absolute() {
            self.status = wanted.as_ref().to_owned();
        }
        self
    }

    /// Makes the folders that are missing.
    ///
    /// # Errors
    /// Names the folder that cannot be made.
    pub fn make_folders(&self) -> Result<()> {
        for folder in [Some(self.folder.as_path()), self.status.parent()]
            .into_iter()
            .flatten()
        {
            make_folder(folder)?;
        }
        Ok(())
    }
}

/// Where shells keep the records of their commands, of all servers; `None` where there is no place for files.
pub fn shells() -> Option<PathBuf> {
    state_home().map(|folder| folder.join("thegrid/tmux-status.shells"))
}

/// Where the user's own files are (rules, settings of the model): below an absolute `XDG_CONFIG_HOME`, else below `~/.config`.
pub fn config() -> Option<PathBuf> {
    let home = || Some(absolute_variable("HOME")?.join(".config"));
    Some(absolute_variable("XDG_CONFIG_HOME").or_else(home)?.join("tmux-status"))
}

/// Makes a folder for its user alone, and those above it.
///
/// # Errors
/// Names the folder.
pub fn make_folder(folder: &Path) -> Result<()> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))
}

/// `$XDG_STATE_HOME`, if absolute as the XDG base directory specification demands, else `~/.local/state`.
fn state_home() -> Option<PathBuf> {
    absolute_variable("XDG_STATE_HOME").or_else(|| absolute_variable("HOME").map(|home| home.join(".local/state")))
}

fn absolute_variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_another_server_carries_its_name() {
        let paths = Paths::within("/s/thegrid".into(), Some("work"));
        assert_eq!(paths.status, Path::new("/s/thegrid/tmux-status@work.json"));
        assert_eq!(paths.state, Path::new("/s/thegrid/tmux-status@work.state.json"));
        assert_eq!(paths.driver_lock, Path::new("/s/thegrid/tmux-status@work.lock"));
        assert_eq!(paths.write_lock, Path::new("/s/thegrid/tmux-status@work.write.lock"));
    }

    #[test]
    fn the_default_server_has_the_names_that_other_programs_know() {
        let paths = Paths::within("/s/thegrid".into(), None);
        assert_eq!(paths.status, Path::new("/s/thegrid/tmux-status.json"));
        assert_eq!(paths.driver_lock, Path::new("/s/thegrid/tmux-status.lock"));
    }

    #[test]
    fn only_an_absolute_path_moves_the_status_file() {
        let paths = Paths::within("/s".into(), None);
        assert_eq!(
            paths.clone().with_status_file("/x/y.json").status,
            Path::new("/x/y.json")
        );
        assert_eq!(paths.clone().with_status_file("y.json"), paths);
        assert_eq!(paths.clone().with_status_file(""), paths);
    }
}
