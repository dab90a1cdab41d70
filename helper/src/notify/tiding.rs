//! What somebody is told: of one window, or of several at once.

use crate::model::{Need, WindowId};
use crate::status::state::{Place, State};
use crate::text;
use crate::tmux::option::{self, Options};
use crate::wish::{Way, Wishes};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many windows are named when there are several.
const NAMED: usize = 5;

/// Cells of a session's or a window's name.
const NAME: usize = 20;

/// Cells of a title, and of a body. A terminal must take both in one piece.
const LIMITS: (usize, usize) = (60, 160);

/// Something to tell, and how. It holds no text that a shell or a format would read, but the user's own command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tiding {
    /// How.
    pub ways: Vec<Way>,
    /// The user's own command line; empty for none.
    pub command: String,
    /// The windows it is about, the most pressing first.
    pub windows: Vec<WindowId>,
    /// A few words, one line.
    pub title: String,
    /// More of them, one line.
    pub body: String,
    /// The environment of the user's command, cleaned of what a terminal would obey.
    pub facts: BTreeMap<String, String>,
}

impl Tiding {
    /// What is to be told of these windows, the most pressing first; `None` when there is nothing to tell, or no way.
    pub fn of(state: &State, due: &[WindowId], options: &Options) -> Option<Self> {
        let wishes = Wishes::read(options.get(option::NOTIFY), options.get(option::NOTIFY_ON));
        let place = |id: &WindowId| state.places().find(|place| place.link.window == *id);
        let places: Vec<Place<'_>> = due.iter().filter_map(place).collect();
        let first = places.first().filter(|_| !wishes.ways.is_empty())?;
        let (title, body) = words(&places);
        let mut tiding = Self {
            ways: wishes.ways,
            command: options.get(option::NOTIFY_COMMAND).to_owned(),
            windows: due.to_vec(),
            title: text::one_line(&title, LIMITS.0),
            body: text::one_line(&body, LIMITS.1),
            facts: BTreeMap::new(),
        };
        tiding.facts = facts(first, places.len(), &tiding.line());
        Some(tiding)
    }

    /// One to try a way with, as if it were of `place`.
    pub fn sample(place: &Place<'_>, ways: Vec<Way>, options: &Options) -> Self {
        let mut tiding = Self {
            ways,
            command: options.get(option::NOTIFY_COMMAND).to_owned(),
            windows: Vec::new(),
            title: "tmux-status".to_owned(),
            body: "a sample: so you are told of a window that needs you".to_owned(),
            facts: BTreeMap::new(),
        };
        tiding.facts = facts(place, 1, &tiding.line());
        tiding
    }

    /// All of it in one line.
    pub fn line(&self) -> String {
        format!("{}: {}", self.title, self.body)
    }
}

/// Title and body.
fn words(places: &[Place<'_>]) -> (String, String) {
    if let [place] = places {
        return (name(place), place.window.summary.clone());
    }
    let named: Vec<String> = places.iter().take(NAMED).map(name).collect();
    let more = match places.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    (
        format!("{} need you", text::count(places.len(), "window")),
        named.join(", ") + &more,
    )
}

/// `work:3 api (question)`.
fn name(place: &Place<'_>) -> String {
    let name = text::one_line(&place.window.name, NAME);
    let need = place.window.need.map_or("", Need::as_str);
    format!("{} {name} ({need})", target(place))
}

fn target(place: &Place<'_>) -> String {
    format!("{}:{}", text::one_line(&place.session.name, NAME), place.link.index)
}

fn facts(place: &Place<'_>, count: usize, line: &str) -> BTreeMap<String, String> {
    let window = place.window;
    let clean = |text: &str| text::one_line(text, 200);
    let facts = [
        ("TARGET", clean(&format!("{}:{}", place.session.name, place.link.index))),
        ("SESSION", clean(&place.session.name)),
        ("WINDOW", clean(&window.name)),
        ("WINDOW_ID", place.link.window.to_string()),
        ("PANE_ID", window.pane.to_string()),
        ("NEED", window.need.map_or("", Need::as_str).to_owned()),
        ("KIND", window.kind.as_str().to_owned()),
        ("COMMAND", clean(&window.command)),
        ("SUMMARY", clean(&window.summary)),
        ("SINCE", window.began().to_string()),
        ("COUNT", count.to_string()),
        ("TEXT", line.to_owned()),
    ];
    let named = facts.map(|(name, value)| (format!("TMUX_STATUS_{name}"), value));
    named.into_iter().collect()
}
