//! What a call comes to: a reply, or a problem that a program can act on without reading prose.

use crate::tmux::command::Failure;
use crate::tmux::layout;
use rmcp::model::{CallToolResult, Content};
use serde_json::{json, Value};

/// What kind of problem it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The arguments, or a guard that looked at what they name.
    InvalidInput,
    /// What was named is not there (any more).
    ObjectGone,
    /// tmux said no.
    Refused,
    /// No server runs there.
    ServerGone,
    /// The server did not answer in time.
    Unresponsive,
    /// The server's version is too old.
    UnsupportedVersion,
    /// It would hit the pane that this process runs in, or what holds it.
    SelfProtection,
    /// A part of it was done, and what was done stands.
    PartialEffect,
}

impl Kind {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid_input",
            Self::ObjectGone => "object_gone",
            Self::Refused => "refused",
            Self::ServerGone => "server_gone",
            Self::Unresponsive => "unresponsive",
            Self::UnsupportedVersion => "unsupported_version",
            Self::SelfProtection => "self_protection",
            Self::PartialEffect => "partial_effect",
        }
    }
}

/// Why a call was refused, where the kind leaves that open. A closed list, so that nobody has to read the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Somebody looks at the pane.
    Attended,
    /// The pane is in a mode.
    Mode,
    /// The program in the pane has ended.
    Dead,
    /// The pane takes no input.
    InputOff,
    /// A command runs in the pane.
    Reserved,
    /// It is the pane of this process, or that cannot be ruled out.
    Caller,
    /// More panes would be typed into than the one that was named.
    Cohort,
    /// No shell is in the foreground.
    NotAShell,
    /// tmux is too old for it.
    Version,
    /// The value is an environment variable's, which are kept back.
    Withheld,
}

impl Reason {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Attended => "attended",
            Self::Mode => "mode",
            Self::Dead => "dead",
            Self::InputOff => "input_off",
            Self::Reserved => "reserved",
            Self::Caller => "caller",
            Self::Cohort => "cohort",
            Self::NotAShell => "not_a_shell",
            Self::Version => "version",
            Self::Withheld => "withheld",
        }
    }
}

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What it is.
    pub kind: Kind,
    /// Why, where the kind leaves that open.
    pub reason: Option<Reason>,
    /// In a sentence, and what to do about it.
    pub message: String,
    /// Whether the same call may succeed later.
    pub retryable: bool,
}

impl Problem {
    /// A problem of that kind.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            reason: None,
            message: message.into(),
            retryable: matches!(kind, Kind::ServerGone | Kind::Unresponsive),
        }
    }

    /// Arguments that do not do.
    pub fn input(message: impl Into<String>) -> Self {
        Self::new(Kind::InvalidInput, message)
    }

    /// Something that is not there.
    pub fn gone(message: impl Into<String>) -> Self {
        Self::new(Kind::ObjectGone, message)
    }

    /// tmux said no.
    pub fn refused(message: impl Into<String>) -> Self {
        Self::new(Kind::Refused, message)
    }

    /// The same, with the reason.
    #[must_use]
    pub fn because(mut self, reason: Reason) -> Self {
        self.reason = Some(reason);
        self.retryable |= reason == Reason::Reserved;
        self
    }

    /// What a program is told.
    pub fn data(&self) -> Value {
        let mut data = json!({
            "kind": self.kind.as_str(),
            "retryable": self.retryable,
            "stale": self.kind == Kind::ObjectGone,
        });
        if let (Some(reason), Some(object)) = (self.reason, data.as_object_mut()) {
            object.insert("reason".to_owned(), json!(reason.as_str()));
        }
        data
    }

    /// All of it.
    pub fn to_json(&self) -> Value {
        json!({ "message": self.message, "data": self.data() })
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let message = failure.to_string();
        match failure {
            Failure::NoServer => Self::new(
                Kind::ServerGone,
                "no tmux server runs at this socket; it is not started by asking",
            ),
            Failure::Hangs(_) => Self::new(Kind::Unresponsive, format!("tmux: {message}")),
            Failure::TooOld(_) => Self::new(Kind::UnsupportedVersion, message).because(Reason::Version),
            Failure::Refused(words) if names_something_gone(&words) => Self::gone(format!("tmux: {words}")),
            Failure::Refused(_) | Failure::NotInstalled | Failure::Io(_) => Self::refused(format!("tmux: {message}")),
        }
    }
}

impl From<layout::Unfit> for Problem {
    fn from(unfit: layout::Unfit) -> Self {
        let message = unfit.to_string();
        match unfit {
            layout::Unfit::Wrong(_) => Self::input(message),
            layout::Unfit::TooNew => Self::new(Kind::UnsupportedVersion, message).because(Reason::Version),
        }
    }
}

/// Whether tmux says that what an id names is not there.
fn names_something_gone(words: &str) -> bool {
    ["can't find ", "no such ", "no current target"]
        .iter()
        .any(|start| words.contains(start))
}

/// The result of a call, as the protocol carries it: the reply as data and, for clients that know no data, as text.
pub fn result(outcome: Result<Value, Problem>) -> CallToolResult {
    let (value, is_error) = match outcome {
        Ok(value) => (value, false),
        Err(problem) => (problem.to_json(), true),
    };
    CallToolResult {
        content: vec![Content::text(value.to_string())],
        structured_content: Some(value),
        is_error: Some(is_error),
        meta: None,
    }
}
