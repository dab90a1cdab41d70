//! What is meant by a document: every value inherited, expanded and checked. Pure data; what builds it and what is built
//! from it need not know of each other.

use std::path::PathBuf;
use std::time::Duration;

/// Names and values, in the order in which they were written. Values are text as tmux takes it.
pub type Pairs = Vec<(String, String)>;

/// A session to build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its name, as a person wrote it: tmux gets it as data.
    pub name: String,
    /// Absolute.
    pub start_directory: PathBuf,
    /// Set on the session.
    pub environment: Pairs,
    /// Options of the session.
    pub options: Pairs,
    /// Options of the whole server, `set-option -g`.
    pub global_options: Pairs,
    /// What runs before the windows are made.
    pub before_script: Option<Script>,
    /// Whether to wait for the panes' shells before they are typed to.
    pub readiness: Readiness,
    /// At least one.
    pub windows: Vec<Window>,
    /// What the reader should know, and what nothing fails for: one line each.
    pub warnings: Vec<String>,
}

/// A program that runs before the windows are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The words as they were written, for all who are told: the values of variables may be secret.
    pub written: Vec<String>,
    /// The program and its arguments; a program that starts with a dot is relative to the document, and absolute here.
    pub arguments: Vec<String>,
    /// Where it runs: absolute.
    pub directory: PathBuf,
    /// Whether it has, outside of quotes, what a shell would take for an operator or a command: here it is text.
    pub has_operators: bool,
    /// The variables in it that are not set, and stay as they were written.
    pub unset: Vec<String>,
}

/// Which panes are waited for before they are typed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Readiness {
    /// Those that run the user's shell.
    #[default]
    Auto,
    /// All that are typed to, whatever runs in them.
    Always,
    /// None.
    Never,
}

/// A window to build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// None: tmux names it.
    pub name: Option<String>,
    /// None: the next that is free.
    pub index: Option<u32>,
    /// The name of a layout or a saved one, as written; None: tiled.
    pub layout: Option<String>,
    /// Whether it is the one to be shown.
    pub focus: bool,
    /// Whether its active pane fills it.
    pub zoomed: bool,
    /// Set before the layout and the panes' commands.
    pub options: Pairs,
    /// Set after the panes' commands.
    pub options_after: Pairs,
    /// At least one.
    pub panes: Vec<Pane>,
}

/// A pane to build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pane {
    /// Absolute.
    pub start_directory: PathBuf,
    /// What runs in it instead of the user's shell: a shell command line, `shell` over `window_shell`.
    pub shell: Option<String>,
    /// What it has beside the session's environment; what its commands mention and the loader knows is among it.
    pub environment: Pairs,
    /// Whether it is the active one of its window.
    pub focus: bool,
    /// What is typed into it: what is inherited, then its own.
    pub commands: Vec<Command>,
}

/// Something to type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// What is typed; empty: nothing but Enter.
    pub text: String,
    /// Whether Enter is pressed after it.
    pub enter: bool,
    /// Whether a blank goes before it, so that shells that are set so do not remember it.
    pub suppress_history: bool,
    /// How long to wait before it.
    pub sleep_before: Duration,
    /// How long to wait after it.
    pub sleep_after: Duration,
}
