//! What there is of a session while it is built, and afterwards.

use super::event::{ScriptOutput, Warning};
use crate::model::{SessionId, WindowId};
use crate::tmux::build::scene::Running;
use crate::tmux::build::Made;
use crate::workspace::plan::{Scope, Setting};
use serde::Serialize;

/// Where the windows go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Into a new session; its columns and rows, if not tmux's own choice.
    New(Option<(u32, u32)>),
    /// Into one that runs, as it was before.
    Into(Running),
}

/// How far it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Nothing was changed.
    #[default]
    Preflight,
    /// The session was being made.
    Session,
    /// The script ran.
    Script,
    /// Options and environment were being set.
    Settings,
    /// Windows and panes were being made.
    Windows,
    /// Shells were waited for.
    Readiness,
    /// Commands were being typed.
    Commands,
    /// What comes at the end was being done.
    Finish,
    /// All of it was done.
    Completed,
    /// A session of that name was there, and is taken as it is.
    Reused,
    /// Its user did not want it.
    Declined,
}

/// What there is of a session that was, or was not quite, built.
#[derive(Debug, Clone, Default)]
pub struct Built {
    /// How far it came.
    pub stage: Stage,
    /// The session.
    pub session: Option<SessionId>,
    /// Whether it was made here.
    pub owned: bool,
    /// Whether it was removed again.
    pub removed: bool,
    /// Windows and panes, in the order of the document.
    pub made: Vec<Made>,
    /// The window that only waits for the others, in a session that was made here.
    pub(super) waiting: Option<WindowId>,
    /// The indexes of the windows.
    pub(super) indexes: Vec<u32>,
    /// What was set before the windows were made.
    pub(super) set: Vec<Setting>,
    /// What the script has printed, where it was captured.
    pub script: Option<ScriptOutput>,
    /// What went wrong, and did no harm.
    pub warnings: Vec<Warning>,
}

impl Built {
    /// One for which nothing was done.
    pub fn untouched(stage: Stage, session: Option<SessionId>) -> Self {
        Self {
            stage,
            session,
            ..Self::default()
        }
    }

    /// The windows.
    pub fn windows(&self) -> Vec<WindowId> {
        let mut ids: Vec<WindowId> = self.made.iter().map(|made| made.window_id).collect();
        ids.dedup();
        ids
    }

    /// What was set and still is: a session that was removed took its own along.
    pub fn settings(&self) -> Vec<Setting> {
        let stays = |setting: &&Setting| !self.removed || matches!(setting.scope, Scope::Server | Scope::Global);
        self.set.iter().filter(stays).cloned().collect()
    }

    /// Whether something of it is there now.
    pub fn remains(&self) -> bool {
        let lives = self.session.is_some() && !self.removed;
        let changed = self.owned || !self.made.is_empty() || self.stage > Stage::Script;
        lives && changed || !self.settings().is_empty()
    }
}

impl PartialOrd for Stage {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        (*self as u8).partial_cmp(&(*other as u8))
    }
}
