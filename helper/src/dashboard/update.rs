//! What happens when something has happened: the model after it, and what is to be done about it.

use super::files::{Done, NotSaved};
use super::keys::{self, Action};
use super::preview::Preview;
use super::selection;
use super::state::{Asked, Model, Only, Order, Overlay, Problem};
use super::workspaces::{Choice, Document};
use crate::model::{PaneId, SessionId, StatusKind, WindowId};
use crate::output::Size;
use crate::reader::Look;
use crate::text;
use crate::theme::Face;
use crate::tmux::client::Spot;
use crate::tmux::window::Picture;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use std::path::PathBuf;

/// Milliseconds between two pictures of one pane; of one that works on visibly, since its state tells no more of it.
const PICTURES: u64 = 300;
const PICTURES_OF_ACTIVE: u64 = 1000;
/// Milliseconds between two pictures while the selection moves.
const PICTURES_ON_THE_MOVE: u64 = 80;
/// Seconds until ages move.
const AGES: u64 = 60;

/// Something that happened.
#[derive(Debug)]
pub enum Msg {
    /// Some time has passed.
    Tick {
        /// Epoch seconds.
        seconds: u64,
        /// Whether the server has ended.
        ended: bool,
    },
    /// The terminal has this size.
    Size(Size),
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The mouse was pressed at this column and row.
    Click(usize, usize),
    /// Its wheel was turned.
    Wheel {
        /// The column it is at.
        x: usize,
        /// The row it is at.
        y: usize,
        /// By how many rows, down if positive.
        rows: isize,
    },
    /// The files say something new.
    News {
        /// What.
        look: Box<Result<Look, Problem>>,
        /// Epoch seconds.
        seconds: u64,
    },
    /// A picture of a pane; `None` when there is none.
    Picture(PaneId, Option<Picture>),
    /// Why a pane's window is in its state.
    Explained(String),
    /// The refresh is over.
    Refreshed(Option<String>),
    /// A session was saved there, or why not.
    Saved(SessionId, Result<PathBuf, NotSaved>),
    /// The documents that can be loaded.
    Found(Vec<Document>),
    /// A document was loaded, or why not, in words.
    Loaded(Result<Done, String>),
    /// Parking, or unparking, was refused.
    NotParked(WindowId, String),
    /// The jump was made, or why not.
    Jumped(Option<String>),
}

/// Something to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Take a picture of a pane.
    Picture(PaneId),
    /// Go there.
    Jump(Spot),
    /// Park or unpark a window.
    Park(WindowId, Option<u64>),
    /// Find out why a pane has its state.
    Explain(PaneId),
    /// Look at every window.
    Refresh,
    /// Save a session as a document; whether a file in its place may be replaced.
    Save(SessionId, bool),
    /// Find documents.
    Find,
    /// Load a document.
    Load(PathBuf),
    /// Give the terminal to the shell for a while.
    Suspend,
    /// End.
    Quit,
}

/// Takes in what happened.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let mut effects = Vec::new();
    match msg {
        Msg::Tick { seconds, ended } => {
            if seconds.abs_diff(model.clock) >= AGES {
                model.clock = seconds;
            }
            if let Ok(look) = &mut model.look {
                look.ended = ended;
            }
        }
        Msg::Size(size) => {
            model.size = size;
            model.wheeled = false;
        }
        Msg::Key(event) => effects.extend(key(model, event)),
        Msg::Paste(pasted) if model.takes_text() => type_in(model, &pasted),
        Msg::Paste(_) => {}
        Msg::Click(x, y) => effects.extend(click(model, x, y)),
        Msg::Wheel { x, y, rows } => wheel(model, x, y, rows),
        Msg::News { look, seconds } => news(model, *look, seconds),
        Msg::Picture(pane, picture) => {
            model.asked.open = false;
            let wanted = model.place().is_some_and(|place| place.window.pane == pane);
            if wanted {
                model.preview = picture.map(|picture| Preview::read(pane, &picture));
            }
        }
        Msg::Explained(told) => {
            if let Some(Overlay::Explain { text, .. }) = &mut model.overlay {
                *text = Some(told);
            }
        }
        Msg::Refreshed(failure) => {
            model.refreshing = false;
            model.message = Some(match failure {
                Some(why) => (why, true),
                None => ("every window was looked at".to_owned(), false),
            });
        }
        Msg::Saved(session, saved) => said_of_saving(model, session, saved),
        Msg::Found(found) => {
            if let Some(Overlay::Load(choice)) = &mut model.overlay {
                choice.found = Some(found);
            }
        }
        Msg::Loaded(Ok(done)) => {
            model.message = Some((done.said, false));
            model.awaited = done.session;
            selection::awaited(model);
        }
        Msg::Loaded(Err(why)) => model.message = Some((why, true)),
        Msg::NotParked(window, why) => {
            model.parking.remove(&window);
            model.message = Some((why, true));
        }
        Msg::Jumped(None) => effects.push(Effect::Quit),
        Msg::Jumped(Some(why)) => model.message = Some((why, true)),
    }
    selection::settle(model);
    effects.extend(picture(model));
    effects
}

fn key(model: &mut Model, event: KeyEvent) -> Vec<Effect> {
    model.message = None;
    model.awaited = None;
    model.wheeled = false;
    if model.takes_text() {
        if let Some(c) = keys::typed(event) {
            type_in(model, c.encode_utf8(&mut [0; 4]));
            return Vec::new();
        }
    }
    let Some(action) = keys::action(event) else {
        return Vec::new();
    };
    let replaces = model.replaces.take();
    if model.overlay.is_some() {
        return over(model, action);
    }
    match action {
        Action::Save => save(model, replaces).into_iter().collect(),
        _ => act(model, action, event.code),
    }
}

/// Saves the session of the selected window; pressed again, in place of the file that was in the way.
fn save(model: &mut Model, replaces: Option<SessionId>) -> Option<Effect> {
    let session = model.place()?.session.id;
    Some(Effect::Save(session, replaces == Some(session)))
}

fn said_of_saving(model: &mut Model, session: SessionId, saved: Result<PathBuf, NotSaved>) {
    model.message = Some(match saved {
        Ok(path) => (format!("saved to {}", path.display()), false),
        Err(NotSaved { why, taken }) if taken => {
            model.replaces = Some(session);
            (format!("{why}; w again replaces it"), true)
        }
        Err(NotSaved { why, .. }) => (format!("not saved: {why}"), true),
    });
}

fn act(model: &mut Model, action: Action, code: KeyCode) -> Vec<Effect> {
    let page = isize::try_from(model.layout().list.rows.saturating_sub(1).max(1)).unwrap_or(1);
    match action {
        Action::Go => return model.place().map(go).into_iter().collect(),
        Action::Up => selection::step(model, -1),
        Action::Down => selection::step(model, 1),
        Action::PageUp => selection::step(model, -page),
        Action::PageDown => selection::step(model, page),
        Action::First => selection::step(model, isize::MIN),
        Action::Last => selection::step(model, isize::MAX),
        Action::Filter => model.typing = true,
        Action::Only => only(model, face(code).map(Only::Face)),
        Action::Needing => only(model, Some(Only::Needing)),
        Action::Group => {
            model.order = match model.order {
                Order::Need => Order::Session,
                Order::Session => Order::Need,
            };
        }
        Action::Preview => model.preview_wanted = !model.preview_wanted,
        Action::Park => return park(model).into_iter().collect(),
        Action::Explain => return explain(model).into_iter().collect(),
        Action::Refresh => {
            if !std::mem::replace(&mut model.refreshing, true) {
                return vec![Effect::Refresh];
            }
        }
        Action::Load => {
            lay_over(model, Overlay::Load(Choice::default()));
            return vec![Effect::Find];
        }
        // What a second press does depends on the first.
        Action::Save => {}
        Action::Help => lay_over(model, Overlay::Help),
        Action::Erase => {
            if !model.filter.pop() {
                model.typing = false;
            }
            selection::first(model);
        }
        Action::Clear => {
            model.filter.clear();
            selection::first(model);
        }
        Action::Back => {
            if !model.typing && !model.filtered() {
                return vec![Effect::Quit];
            }
            model.typing = false;
            model.filter.clear();
            model.only = Only::All;
        }
        Action::Quit => return vec![Effect::Quit],
        Action::Suspend => return vec![Effect::Suspend],
    }
    Vec::new()
}

/// The same while something lies over the list.
fn over(model: &mut Model, action: Action) -> Vec<Effect> {
    if let Some(Overlay::Load(choice)) = &mut model.overlay {
        if choice.press(action) {
            let line = choice.line();
            model.overlay_top = (line + 2).saturating_sub(model.layout().list.rows);
            return Vec::new();
        }
        if action == Action::Go {
            let Some(chosen) = choice.chosen() else {
                return Vec::new();
            };
            model.overlay = None;
            model.message = Some(("loading …".to_owned(), false));
            return vec![Effect::Load(chosen)];
        }
    }
    let page = model.layout().list.rows.saturating_sub(1).max(1);
    let top = &mut model.overlay_top;
    match action {
        Action::Up => *top = top.saturating_sub(1),
        Action::Down => *top += 1,
        Action::PageUp => *top = top.saturating_sub(page),
        Action::PageDown => *top += page,
        Action::First => *top = 0,
        Action::Last => *top = usize::MAX,
        Action::Suspend => return vec![Effect::Suspend],
        Action::Quit => return vec![Effect::Quit],
        Action::Go => {
            model.overlay = None;
            return model.place().map(go).into_iter().collect();
        }
        Action::Back | Action::Help | Action::Explain | Action::Load | Action::Erase => model.overlay = None,
        _ => {}
    }
    Vec::new()
}

fn lay_over(model: &mut Model, overlay: Overlay) {
    model.overlay = Some(overlay);
    model.overlay_top = 0;
}

fn go(place: crate::status::state::Place<'_>) -> Effect {
    Effect::Jump(Spot {
        session: place.session.id,
        window: place.link.window,
        pane: place.window.pane,
    })
}

/// The state that a digit stands for.
fn face(code: KeyCode) -> Option<Face> {
    let KeyCode::Char(c) = code else { return None };
    let digit = usize::try_from(c.to_digit(10)?).ok()?;
    Face::ALL.get((digit + 9) % 10).copied()
}

/// The digit of a state, as [`face`] takes it.
pub fn digit(face: Face) -> usize {
    (face as usize + 1) % 10
}

fn only(model: &mut Model, wanted: Option<Only>) {
    let Some(wanted) = wanted else { return };
    model.only = if model.only == wanted { Only::All } else { wanted };
    selection::first(model);
}

fn type_in(model: &mut Model, typed: &str) {
    if let Some(Overlay::Load(choice)) = &mut model.overlay {
        choice.type_in(typed);
        model.overlay_top = 0;
    } else {
        model.filter.push(typed);
        selection::first(model);
    }
}

fn park(model: &mut Model) -> Option<Effect> {
    let (clock, place) = (model.clock, model.place()?);
    let (id, name) = (place.link.window, text::one_line(&place.window.name, 40));
    let at = (!place.window.parked).then_some(clock.max(1));
    let what = if at.is_some() {
        "is parked: it needs nobody until it changes; p takes that back"
    } else {
        "is no longer parked"
    };
    model.message = Some((format!("{name} {what}"), false));
    model.parking.insert(id, at);
    apply_parking(model);
    Some(Effect::Park(id, at))
}

/// Shows as parked what its user has just parked, before a look has seen it.
fn apply_parking(model: &mut Model) {
    let Ok(look) = &mut model.look else { return };
    let windows = &mut look.state.windows;
    model
        .parking
        .retain(|id, at| windows.get(id).is_some_and(|window| window.parked_at != *at));
    for (id, at) in &model.parking {
        if let Some(window) = windows.get_mut(id) {
            window.parked = at.is_some();
        }
    }
}

fn explain(model: &mut Model) -> Option<Effect> {
    let place = model.place()?;
    let of = format!("{}:{} {}", place.session.name, place.link.index, place.window.name);
    let pane = place.window.pane;
    lay_over(model, Overlay::Explain { of, text: None });
    Some(Effect::Explain(pane))
}

fn news(model: &mut Model, look: Result<Look, Problem>, seconds: u64) {
    // Where the selected window was, if it goes.
    let at = selection::position(model);
    model.look = look;
    model.clock = seconds;
    apply_parking(model);
    selection::keep(model, at);
    selection::awaited(model);
}

fn click(model: &mut Model, x: usize, y: usize) -> Option<Effect> {
    model.message = None;
    let list = model.layout().list;
    if model.overlay.is_some() {
        model.overlay = None;
        return None;
    }
    let (_, row) = list.within(x, y)?;
    let line = model.top + row;
    let chosen = model.entries().get(line)?.chosen()?;
    if model.chosen == Some(chosen) {
        return model.place().map(go);
    }
    model.chosen = Some(chosen);
    None
}

/// Scrolls what is under the mouse. What is beyond an end is put right when the model settles.
fn wheel(model: &mut Model, x: usize, y: usize, rows: isize) {
    let layout = model.layout();
    if model.overlay.is_some() {
        model.overlay_top = model.overlay_top.saturating_add_signed(rows);
    } else if layout.preview.within(x, y).is_some() {
        let room = layout.picture().rows;
        let top = |preview: &Preview| preview.top(room, model.preview_top);
        let top = model.preview.as_ref().map(top);
        model.preview_top = top.map(|top| top.saturating_add_signed(rows));
    } else {
        model.top = model.top.saturating_add_signed(rows);
        model.wheeled = true;
    }
}

/// Asks for a picture when there is something new to see on the selected window's screen.
fn picture(model: &mut Model) -> Option<Effect> {
    if model.asked.open || model.layout().preview.rows == 0 {
        return None;
    }
    let about = model.about()?;
    let past = model.now_ms.saturating_sub(model.asked.at_ms);
    let due = match &model.asked.about {
        None => true,
        Some(asked) if asked.pane != about.pane => past >= PICTURES_ON_THE_MOVE,
        Some(_) if model.preview.is_none() && past < PICTURES_OF_ACTIVE => false,
        Some(asked) if *asked != about => past >= PICTURES,
        Some(_) => about.window.kind == StatusKind::Active && past >= PICTURES_OF_ACTIVE,
    };
    if !due {
        return None;
    }
    let pane = about.pane;
    model.asked = Asked {
        about: Some(about),
        at_ms: model.now_ms,
        open: true,
    };
    Some(Effect::Picture(pane))
}

/// Whether a picture waits for its time, which is sooner than the next tick.
pub fn waits_for_a_picture(model: &Model) -> bool {
    model.layout().preview.rows > 0 && !model.asked.open && model.asked.about != model.about()
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
