//! A document from a session that runs: names, places, layouts, directories, options and what runs.
//!
//! What a document cannot say, and what cannot be known, is said in notes for whoever reads it.

mod directory;
mod foreground;
mod layout;
mod options;
mod pane;
mod typed;

use super::document;
use super::refusal::{Code, Refusal};
use super::yaml::Format;
use crate::model::{PaneId, SessionId, WindowId};
use crate::process;
use crate::shells::Records;
use crate::status::paths;
use crate::text;
use crate::tmux::command::{Failure, Tmux};
use crate::tmux::drive::inventory::{self, Inventory, Place, Session};
use serde_json::{json, Map, Value};
use std::path::PathBuf;

/// A session as a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Frozen {
    /// A mapping with keys in the order in which a person would write them.
    document: Value,
    /// What was not kept: a line each, in plain text.
    pub notes: Vec<String>,
}

impl Frozen {
    /// The lines above the document: who has written it, and what is not in it.
    pub fn comments(&self, writer: &str) -> Vec<String> {
        let mut lines = vec![format!("Written by {writer}.")];
        if !self.notes.is_empty() {
            lines.push("What this file does not have:".to_owned());
            lines.extend(self.notes.iter().map(|note| format!("- {note}")));
        }
        lines
    }

    /// The document in that format: where it knows no comments, the notes are in the document itself.
    pub fn document(&self, format: Format) -> Value {
        let mut document = self.document.clone();
        if let (Format::Json, false, Some(root)) = (format, self.notes.is_empty(), document.as_object_mut()) {
            let own = root.entry(document::OWN_KEY).or_insert_with(|| json!({}));
            own["notes"] = self.notes.as_slice().into();
        }
        document
    }
}

/// All that is known of a server at one instant.
pub struct Source {
    /// What tmux says.
    pub inventory: Inventory,
    table: process::Table,
    records: Records,
    path: Vec<PathBuf>,
    home: Option<PathBuf>,
}

impl Source {
    /// Reads the server.
    ///
    /// # Errors
    /// When it cannot be asked. A server without sessions is one without sessions.
    pub fn read(tmux: &Tmux) -> Result<Self, Refusal> {
        let inventory = look(tmux)?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        Ok(Self {
            records: Records::new(paths::shells(), inventory.server),
            inventory,
            table: process::Table::read(),
            path: std::env::split_paths(&path).collect(),
            home: std::env::var_os("HOME").map(PathBuf::from),
        })
    }

    /// The session called `name`; without a name that of `own`, else the only one.
    ///
    /// # Errors
    /// When there is none, or several to choose from.
    pub fn choose(
        &self,
        name: Option<&str>,
        own: Option<PaneId>,
        here: Option<SessionId>,
    ) -> Result<&Session, Refusal> {
        let sessions = &self.inventory.sessions;
        let is_named =
            |session: &&Session| Some(session.name.as_str()) == name || Some(session.id.to_string().as_str()) == name;
        if let Some(name) = name {
            let found = sessions.iter().find(is_named);
            return found.ok_or_else(|| {
                Refusal::new(Code::SessionNotFound, format!("there is no session called {name}"))
                    .with_hint(self.known())
            });
        }
        let shown = |session: &&Session| own.is_some_and(|pane| self.holds(session, pane));
        // A pane that is linked into several sessions is in the one that its process was started in, if it still is.
        let mine = sessions
            .iter()
            .find(|session| shown(session) && here == Some(session.id));
        let mine = mine.or_else(|| sessions.iter().find(shown));
        match (mine, sessions.as_slice()) {
            (Some(session), _) => Ok(session),
            (None, [only]) => Ok(only),
            (None, []) => Err(Refusal::new(Code::SessionNotFound, "the server has no sessions")),
            (None, _) => Err(Refusal::new(Code::Usage, "there are several sessions").with_hint(self.known())),
        }
    }

    fn known(&self) -> String {
        let names: Vec<&str> = self
            .inventory
            .sessions
            .iter()
            .map(|session| session.name.as_str())
            .collect();
        format!("name one of these: {}", names.join(", "))
    }

    fn holds(&self, session: &Session, pane: PaneId) -> bool {
        let windows = session
            .places
            .iter()
            .filter_map(|place| self.inventory.windows.get(&place.window));
        windows.flat_map(|window| &window.panes).any(|known| known.id == pane)
    }

    /// The document of one session, which will be loaded by itself.
    ///
    /// # Errors
    /// When its name is one that no document may have.
    pub fn freeze(&self, session: &Session) -> Result<Frozen, Refusal> {
        let mut frozen = self.freeze_with_others(session)?;
        let shares = |other: &Session| other.id != session.id && other.group == session.group;
        if !session.group.is_empty() && self.inventory.sessions.iter().any(shares) {
            let group = text::clean(&session.group);
            frozen.notes.push(format!(
                "the session shares its windows with others of the group {group}; loaded, it has its own"
            ));
        }
        Ok(frozen)
    }

    /// The document of one session that is kept with those that share its windows.
    ///
    /// # Errors
    /// As for [`Source::freeze`].
    pub fn freeze_with_others(&self, session: &Session) -> Result<Frozen, Refusal> {
        check_name(session)?;
        let mut freezing = Freezing {
            source: self,
            session,
            literal: false,
            notes: Vec::new(),
        };
        let document = freezing.document();
        let notes = freezing.notes.iter().map(|note| text::clean(note)).collect();
        Ok(Frozen { document, notes })
    }

    /// What is lost of a session of which nothing is kept but whose windows it shares.
    ///
    /// # Errors
    /// As for [`Source::freeze`].
    pub fn lost_but_windows(&self, session: &Session) -> Result<Vec<String>, Refusal> {
        check_name(session)?;
        let options = lost("options", &options::names(&session.options));
        let all = options.into_iter().chain(lost_of(session));
        Ok(all.map(|note| text::clean(&format!("the session {note}"))).collect())
    }
}

/// Refuses a session with a name that no document may have.
fn check_name(session: &Session) -> Result<(), Refusal> {
    document::check_name(&session.name).map_err(|why| {
        let what = format!("the session “{}” cannot be written, as its name {why}", session.name);
        Refusal::new(Code::InvalidWorkspace, what).with_hint("rename the session first")
    })
}

/// What tmux says of a server.
///
/// # Errors
/// When it cannot be asked.
pub fn look(tmux: &Tmux) -> Result<Inventory, Refusal> {
    inventory::read(tmux).map_err(|failure| refusal(tmux, &failure))
}

/// The refusal for what tmux did not do.
fn refusal(tmux: &Tmux, failure: &Failure) -> Refusal {
    let what = format!("cannot ask tmux at {}: {failure}", tmux.socket());
    Refusal::new(failure.into(), what)
}

/// One session, being written.
struct Freezing<'a> {
    source: &'a Source,
    session: &'a Session,
    /// Whether the document says that nothing of it is expanded.
    literal: bool,
    notes: Vec<String>,
}

/// A window's place with its panes as they are written.
struct Written<'a> {
    place: &'a Place,
    window: &'a inventory::Window,
    options: options::Written,
    panes: Vec<pane::Written>,
}

impl Written<'_> {
    fn directories(&self) -> impl Iterator<Item = &str> {
        self.panes
            .iter()
            .map(|pane| pane.directory.as_str())
            .filter(|path| !path.is_empty())
    }
}

impl<'a> Freezing<'a> {
    fn document(&mut self) -> Value {
        let session = self.session;
        let windows: Vec<Written<'_>> = session.places.iter().filter_map(|place| self.window(place)).collect();
        let common = directory::most_common(windows.iter().flat_map(Written::directories));
        let options = options::written(&session.options);
        self.literal = expands(session, &options.options, &windows);
        let mut document = Map::new();
        document.insert("session_name".to_owned(), session.name.as_str().into());
        let own = self.literal.then(|| json!({"literal": true}));
        document.extend(own.map(|own| (document::OWN_KEY.to_owned(), own)));
        document.extend(common.map(|path| ("start_directory".to_owned(), self.directory(path))));
        self.session_notes(&options.notes);
        extend(&mut document, "options", options.options);
        let values: Vec<Value> = windows.iter().map(|window| self.window_value(window, common)).collect();
        document.insert("windows".to_owned(), values.into());
        document.into()
    }

    fn session_notes(&mut self, notes: &[String]) {
        let hooks_and_variables = lost_of(self.session);
        let notes = notes.iter().chain(&hooks_and_variables);
        self.notes.extend(notes.map(|note| format!("the session {note}")));
    }

    fn window(&self, place: &'a Place) -> Option<Written<'a>> {
        let window = self.source.inventory.windows.get(&place.window)?;
        let read = |pane| pane::read(pane, &self.session.default_command, self.source);
        Some(Written {
            place,
            window,
            options: options::written(&window.options),
            panes: window.panes.iter().map(read).collect(),
        })
    }

    fn window_value(&mut self, written: &Written<'_>, above: Option<&str>) -> Value {
        let (place, window) = (written.place, written.window);
        let common = directory::most_common(written.directories()).or(above);
        let mut value = Map::new();
        value.insert("window_name".to_owned(), window.name.as_str().into());
        value.insert("window_index".to_owned(), place.index.into());
        let main = [window.main_pane[0].as_str(), window.main_pane[1].as_str()];
        let layout = layout::written(&window.layout, main);
        value.extend(layout.map(|layout| ("layout".to_owned(), layout.into())));
        let own = common.filter(|path| above != Some(path));
        value.extend(own.map(|path| ("start_directory".to_owned(), self.directory(path))));
        let focus = place.active && self.session.places.len() > 1;
        value.extend(focus.then(|| ("focus".to_owned(), true.into())));
        let options = &written.options;
        extend(&mut value, "options", options.options.clone());
        let mut after = options.after.clone();
        // Its name is its name: one that tmux has given it would be another as soon as something runs.
        after.insert("automatic-rename".to_owned(), false.into());
        extend(&mut value, "options_after", after);
        let own = window.zoomed.then(|| json!({"zoomed": true}));
        value.extend(own.map(|own| (document::OWN_KEY.to_owned(), own)));
        self.window_notes(place, window, &options.notes);
        let panes: Vec<Value> = (written.panes.iter().zip(&window.panes))
            .map(|(pane, known)| self.pane_value(pane, known, written, common))
            .collect();
        value.insert("panes".to_owned(), panes.into());
        value.into()
    }

    fn window_notes(&mut self, place: &Place, window: &inventory::Window, notes: &[String]) {
        let name = format!("window {} ({})", place.index, window.name);
        let hooks = lost("hooks", &window.hooks);
        self.notes
            .extend(notes.iter().chain(&hooks).map(|note| format!("{name} {note}")));
        let fixed = window
            .options
            .iter()
            .any(|(option, value)| option == "window-size" && value == "manual");
        if fixed {
            self.notes
                .push(format!("{name} has a size of its own, which is left out"));
        }
        let others = self.others(place.window);
        if !others.is_empty() && self.session.group.is_empty() {
            let others = others.join(", ");
            self.notes
                .push(format!("{name} is in {others}, too; loaded, each has its own"));
        }
    }

    /// The other sessions that a window is linked into.
    fn others(&self, window: WindowId) -> Vec<&'a str> {
        let sessions = self.source.inventory.sessions.iter();
        let others = sessions.filter(|other| other.id != self.session.id);
        let linked = others.filter(|other| other.places.iter().any(|place| place.window == window));
        linked.map(|other| other.name.as_str()).collect()
    }

    fn pane_value(
        &mut self,
        pane: &pane::Written,
        known: &inventory::Pane,
        of: &Written<'_>,
        common: Option<&str>,
    ) -> Value {
        let name = format!("pane {}.{}", of.place.index, known.index);
        self.notes
            .extend(pane.notes.iter().map(|note| format!("{name} {note}")));
        let own = Some(pane.directory.as_str()).filter(|path| !path.is_empty() && common != Some(path));
        let directory = own.map(|path| self.directory(path));
        let focus = known.active && of.panes.len() > 1;
        pane.value(directory, focus)
    }

    fn directory(&self, path: &str) -> Value {
        let home = self.source.home.as_deref().filter(|_| !self.literal);
        directory::written(path, home).into()
    }
}

/// Whether loading would take a part of a name, a directory or an option for a variable or for the home directory.
fn expands(session: &Session, options: &Map<String, Value>, windows: &[Written<'_>]) -> bool {
    let names = windows.iter().map(|written| written.window.name.as_str());
    let directories = windows.iter().flat_map(Written::directories);
    let of_windows = windows.iter().flat_map(|written| written.options.all());
    let values = options.values().chain(of_windows).filter_map(Value::as_str);
    std::iter::once(session.name.as_str())
        .chain(names)
        .chain(directories)
        .chain(values)
        .any(document::is_expanded)
}

/// What no document has of a session.
fn lost_of(session: &Session) -> Vec<String> {
    let (hooks, variables) = (lost("hooks", &session.hooks), lost("variables", &session.variables));
    hooks.into_iter().chain(variables).collect()
}

/// What is said of things that are left out, of which only the names are told.
fn lost(what: &str, names: &[String]) -> Option<String> {
    let told = names.join(", ");
    (!names.is_empty()).then(|| format!("has {what} of its own ({told}), which are left out"))
}

/// Adds a mapping that has something in it.
fn extend(to: &mut Map<String, Value>, key: &str, map: Map<String, Value>) {
    if !map.is_empty() {
        to.insert(key.to_owned(), json!(map));
    }
}
