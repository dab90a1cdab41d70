//! Windows made by hand, for the tests of the dashboard.

use super::state::Model;
use super::update::{update, Effect, Msg};
use crate::model::{Link, Need, PaneId, Server, SessionId, StatusKind, WindowId};
use crate::output::Size;
use crate::reader::Look;
use crate::status::notice::Notice;
use crate::status::state::{KnownServer, KnownSession, State};
use crate::status::window::KnownWindow;
use crate::tmux::window::Picture;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The epoch second of all tests.
pub const NOW: u64 = 1_000_000;

/// `(name, command, kind, need, seconds since, summary)`.
pub type Window<'a> = (&'a str, &'a str, StatusKind, Option<Need>, u64, &'a str);

/// A look at sessions with these windows; ids count up from 0.
pub fn look(sessions: &[(&str, &[Window<'_>])]) -> Look {
    let mut state = State::default();
    state.generated_at = NOW - 1;
    state.server = Some(KnownServer {
        server: Server {
            pid: std::process::id(),
            start_time: 1,
            socket: "/tmp/tmux-1/default".to_owned(),
            version: "3.5a".to_owned(),
        },
        started: None,
    });
    for (session, windows) in sessions {
        let mut links = Vec::new();
        for (name, command, kind, need, past, summary) in *windows {
            let number = u32::try_from(state.windows.len()).unwrap();
            let since = NOW - past;
            state.windows.insert(
                WindowId(number),
                KnownWindow {
                    name: (*name).to_owned(),
                    command: (*command).to_owned(),
                    kind: *kind,
                    need: *need,
                    since,
                    need_since: need.map(|_| since),
                    visited: false,
                    parked_at: None,
                    parked: false,
                    notice: Notice::default(),
                    by_rules: None,
                    ignored: false,
                    transitions: Vec::new(),
                    summary: (*summary).to_owned(),
                    pane: PaneId(number + 10),
                    panes: vec![PaneId(number + 10)],
                },
            );
            links.push(Link {
                window: WindowId(number),
                index: u32::try_from(links.len()).unwrap(),
                active: links.is_empty(),
            });
        }
        let number = u32::try_from(state.sessions.len()).unwrap();
        state.sessions.push(KnownSession {
            id: SessionId(number),
            name: (*session).to_owned(),
            attached: u32::from(number == 0),
            activity: Some(NOW - 100 * u64::from(number)),
            windows: links,
        });
    }
    Look { state, ended: false }
}

/// The windows that most tests are about.
pub fn usual() -> Look {
    use Need::{Failed, Permission, Question};
    use StatusKind::{Active, Error, Idle, Running, Waiting};
    look(&[
        (
            "app",
            &[
                (
                    "claude",
                    "claude",
                    Waiting,
                    Some(Permission),
                    190,
                    "claude waits for permission: Bash rm -rf build",
                ),
                ("build", "cargo", Active, None, 6, "cargo: compiling serde_json (41/93)"),
                ("web", "vite", Running, None, 7300, "vite on http://localhost:5173"),
                ("api.go", "nvim", Idle, None, 560, "editing api.go (modified)"),
            ],
        ),
        (
            "ops",
            &[
                (
                    "deploy",
                    "make",
                    Error,
                    Some(Failed),
                    80,
                    "bash prompt, last command: make deploy (exited 2)",
                ),
                ("db", "sudo", Waiting, Some(Question), 61, "password for dev"),
                (
                    "shell",
                    "bash",
                    Waiting,
                    None,
                    1900,
                    "bash prompt, last command: git push (exited 0)",
                ),
            ],
        ),
    ])
}

/// A picture of these rows, without a cursor.
pub fn picture(rows: &[u8]) -> Picture {
    let rows = rows.to_vec();
    Picture { rows, cursor: None }
}

/// A dashboard of that size which has seen `look`.
pub fn model(look: Look, columns: usize, rows: usize) -> Model {
    let mut model = Model::new(Size { columns, rows }, NOW, String::new());
    see(&mut model, look);
    model
}

/// Has it see something new.
pub fn see(model: &mut Model, look: Look) -> Vec<Effect> {
    let look = Box::new(Ok(look));
    update(model, Msg::News { look, seconds: NOW })
}

/// Presses keys: one a character, `\n` is Enter, `\t` Tab, `\x1b` Esc, `\x08` Backspace, `\x03` Ctrl-C.
pub fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for c in keys.chars() {
        let (code, modifiers) = match c {
            '\n' => (KeyCode::Enter, KeyModifiers::NONE),
            '\t' => (KeyCode::Tab, KeyModifiers::NONE),
            '\x1b' => (KeyCode::Esc, KeyModifiers::NONE),
            '\x08' => (KeyCode::Backspace, KeyModifiers::NONE),
            '\x03' => (KeyCode::Char('c'), KeyModifiers::CONTROL),
            c => (KeyCode::Char(c), KeyModifiers::NONE),
        };
        effects.extend(update(model, Msg::Key(KeyEvent::new(code, modifiers))));
    }
    effects
}

/// The number of the selected window.
pub fn chosen(model: &Model) -> Option<u32> {
    model.chosen.map(|chosen| chosen.window.0)
}
