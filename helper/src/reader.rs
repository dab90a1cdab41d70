//! What readers know: where a server's files are, and what they say. A reader asks the server once, and never again.

use crate::fault::Fault;
use crate::model::{PaneId, StatusKind};
use crate::output;
use crate::status::paths::Paths;
use crate::status::read::{self, Stamp};
use crate::status::state::{SeenPane, State};
use crate::theme::Theme;
use crate::tmux::command::Tmux;
use crate::tmux::inquiry;
use crate::tmux::option::{self, Options};
use anyhow::Result;
use serde::de::DeserializeOwned;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long the server may take to say where the files are. A reader does not wait longer for one that hangs: the files
/// most likely are where this environment names them.
const PATIENCE: Duration = Duration::from_secs(2);

/// A server's files.
#[derive(Debug)]
pub struct Files {
    /// The status file.
    pub status: PathBuf,
    /// Our state.
    pub state: PathBuf,
    /// What the user has set.
    pub options: Options,
    /// What the commands in hints need to act on the same server.
    flag: String,
}

/// What the files say, with what is wanted of the panes.
#[derive(Debug, Clone, PartialEq)]
pub struct Look<P = SeenPane> {
    /// The last look at the server.
    pub state: State<P>,
    /// Whether that server has ended since.
    pub ended: bool,
}

impl<P: DeserializeOwned> Look<P> {
    /// What the state at `path` says; an empty one when there is none that can be read.
    pub fn read(path: &Path) -> Self {
        let state = State::read(path);
        let mut look = Self { state, ended: false };
        look.ask_again();
        look
    }

    /// Finds out anew whether the server has ended. No process is started for it.
    pub fn ask_again(&mut self) {
        let server = self.state.server.as_ref();
        self.ended = server.is_some_and(|known| !known.lives());
    }
}

impl Files {
    /// As the server publishes them, else as the last refresh and this environment name them. `flag` names the server in
    /// hints, as on our command line, with a blank before it.
    ///
    /// # Errors
    /// When the environment names no place for files.
    pub fn find(tmux: &Tmux, flag: String) -> Result<Self> {
        let own = Paths::of(tmux.socket())?;
        let told = inquiry::reading(&tmux.clone().within(PATIENCE));
        let state = told.state.unwrap_or_else(|| own.state.clone());
        // With the server went its options: the state remembers where the user wanted the file.
        let remembered = || Paths::with_status_file(own, State::<SeenPane>::read(&state).status_file).status;
        Ok(Self {
            status: told.status.unwrap_or_else(remembered),
            state,
            options: told.options,
            flag,
        })
    }

    /// As this environment names them, without asking the server: most likely, and at once. What the user has set is not known
    /// then.
    ///
    /// # Errors
    /// As [`Files::find`].
    pub fn likely(tmux: &Tmux, flag: String) -> Result<Self> {
        let own = Paths::of(tmux.socket())?;
        Ok(Self {
            status: own.status,
            state: own.state,
            options: Options::default(),
            flag,
        })
    }

    /// How states look, where this is shown by our own output.
    pub fn theme(&self) -> Theme {
        let (icons, colours) = (self.options.get(option::ICONS), self.options.get(option::COLOURS));
        Theme::read(icons, colours, !output::takes_unicode())
    }

    /// The bytes of the status file.
    ///
    /// # Errors
    /// When there is none that can be read.
    pub fn status(&self) -> Result<Vec<u8>> {
        Ok(read::bytes(&self.status).map_err(|error| self.nothing(&error))?)
    }

    /// What the files say now.
    ///
    /// # Errors
    /// When there is nothing yet, with what to do about it.
    pub fn look<P: DeserializeOwned>(&self) -> Result<Look<P>> {
        let look = Look::read(&self.state);
        if look.state.generated_at == 0 {
            return Err(match std::fs::metadata(&self.status) {
                Err(error) => self.nothing(&error),
                Ok(_) => self.fault(&self.state, "it is missing, damaged or of another version"),
            }
            .into());
        }
        Ok(look)
    }

    fn nothing(&self, error: &io::Error) -> Fault {
        self.fault(&self.status, &error.to_string())
    }

    fn fault(&self, path: &Path, why: &str) -> Fault {
        let flag = &self.flag;
        Fault::new(
            format!("no status to show from {}: {why}", path.display()),
            format!("tmux-status{flag} refresh makes one; tmux-status{flag} doctor says why the plugin has not"),
        )
    }
}

/// The files, followed by a view that stays in sight. Reading them starts no process.
///
/// Where the view is itself in a window of that server, what it draws is activity to tmux, and the verdict of that window
/// would move with it: the window is told to be quiet.
#[derive(Debug)]
pub struct Follow {
    files: Files,
    own: Option<PaneId>,
    /// What the view calls itself.
    name: &'static str,
    stamp: Option<Stamp>,
}

impl Follow {
    /// Follows `files`, from the pane `own` if the view is in one of that server.
    pub fn new(files: Files, own: Option<PaneId>, name: &'static str) -> Self {
        Self {
            files,
            own,
            name,
            stamp: None,
        }
    }

    /// What the files say, when they were written since this last gave an answer.
    ///
    /// # Errors
    /// As [`Files::look`], each time.
    pub fn news(&mut self) -> Result<Option<Look>> {
        let stamp = read::stamp(&self.files.state);
        if stamp == self.stamp && stamp.is_some() {
            return Ok(None);
        }
        let mut look: Look = self.files.look()?;
        self.stamp = stamp;
        let own = self.own;
        let written = look.state.generated_at;
        for window in look
            .state
            .windows
            .values_mut()
            .filter(|window| own == Some(window.pane))
        {
            window.kind = StatusKind::Running;
            window.need = None;
            window.need_since = None;
            window.summary = self.name.to_owned();
            window.since = written;
        }
        Ok(Some(look))
    }
}
