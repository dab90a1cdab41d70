//! The dashboard on a terminal: waits for keys, signals, time and the files, has the model updated, draws, and does what is to
//! be done.
//!
//! What takes time is done in threads of their own, each for one thing: a server that hangs holds up no key.

use super::draw::{draw, Pen};
use super::files;
use super::state::{Model, Problem};
use super::update::{update, waits_for_a_picture, Effect, Msg};
use crate::classify::{self, Rules};
use crate::fault::Fault;
use crate::model::PaneId;
use crate::output::{self, Size};
use crate::reader::{Files, Follow, Look};
use crate::refresh::{self, How, Pipeline};
use crate::summary::explanation;
use crate::terminal::{self, Before, Input, Screen};
use crate::text::width;
use crate::theme::Theme;
use crate::tmux::command::Tmux;
use crate::tmux::seat::{self, Hints};
use crate::tmux::{client, window};
use crate::upkeep::{self, Pace};
use anyhow::Result;
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::event::{self, Event, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use signal_hook::consts::{SIGTSTP, SIGWINCH};
use signal_hook::low_level::emulate_default_handler;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How often the files are looked at.
const INTERVAL: Duration = Duration::from_millis(250);
/// The same while a picture waits for its time.
const SOON: Duration = Duration::from_millis(40);
/// Cells between two pieces of a row that are near each other.
const NEAR: u16 = 8;
/// Rows that a turn of the mouse's wheel moves by.
const WHEEL: isize = 3;

/// What the dashboard says of the window that it is in.
const NAME: &str = "this dashboard";

/// What the dashboard starts with.
#[derive(Debug)]
pub struct Start {
    /// The server.
    pub tmux: Tmux,
    /// The client that goes where its user wants to, and the pane that the dashboard is in.
    pub who: Hints,
    /// What the commands in hints need to act on the same server.
    pub flag: String,
}

/// What the loop waits for.
#[derive(Debug)]
enum Happened {
    Typed(Event),
    Signal(i32),
    Told(Msg),
    /// Where the server says its files are, and what its user has set.
    Found(Box<Result<Files>>),
}

/// Shows the dashboard until its user leaves or a signal ends it.
///
/// # Errors
/// When standard output is no terminal, or the system refuses to tell of signals.
pub fn run(start: Start) -> Result<()> {
    let Some(size) = output::size() else {
        return Err(Fault::new(
            "the dashboard needs a terminal, and standard output is none",
            "tmux-status show prints the same as a table",
        )
        .into());
    };
    let (send, happened) = mpsc::channel();
    let tell = send.clone();
    terminal::signals(move |signal| tell.send(Happened::Signal(signal)).is_ok())?;
    // The first frame waits for no process: where the files are is known well enough without asking the server. What its user
    // has set follows. Only if there is nothing to show is it asked first.
    let (tmux, flag) = (start.tmux.clone(), start.flag.clone());
    let find = move || Files::find(&tmux, flag.clone());
    let likely = Files::likely(&start.tmux, start.flag.clone());
    let mut view = View::new(likely, start, size, send.clone());
    let known = view.model.look.is_ok();
    if !known {
        view.found(find());
    }
    let first = view.changes()?;
    let popup = view.who.pane.is_none() && !terminal::has_shell();
    let before = if popup { Before::Nothing } else { Before::Kept };
    let _screen = Screen::enter(Input::All, before, &first)?;
    let keys = send.clone();
    thread::spawn(move || read_keys(&keys));
    if known {
        thread::spawn(move || send.send(Happened::Found(Box::new(find()))));
    }
    view.live(&happened)
}

/// Keys, the mouse and what is pasted, until the terminal is gone.
fn read_keys(send: &Sender<Happened>) {
    while let Ok(event) = event::read() {
        if send.send(Happened::Typed(event)).is_err() {
            return;
        }
    }
}

struct View {
    tmux: Tmux,
    who: Hints,
    /// The files; `None` where nobody knows where they are.
    follow: Option<Follow>,
    theme: Theme,
    colours: bool,
    model: Model,
    began: Instant,
    /// What is to be done once the first frame is there.
    held: Option<Vec<Effect>>,
    send: Sender<Happened>,
    /// What is on the terminal; `None` when that is nothing.
    drawn: Option<Buffer>,
}

impl View {
    fn new(files: Result<Files>, start: Start, size: Size, send: Sender<Happened>) -> Self {
        let mut view = Self {
            tmux: start.tmux,
            who: start.who,
            follow: None,
            theme: Theme::read("", "", !output::takes_unicode()),
            colours: output::takes_colours(),
            model: Model::new(size, seconds(), start.flag),
            began: Instant::now(),
            held: Some(Vec::new()),
            send,
            drawn: None,
        };
        view.found(files);
        view
    }

    fn live(mut self, happened: &Receiver<Happened>) -> Result<()> {
        let mut looked = Instant::now();
        for effect in self.held.take().unwrap_or_default() {
            self.start(effect);
        }
        loop {
            let patience = if waits_for_a_picture(&self.model) {
                SOON
            } else {
                INTERVAL
            };
            let mut left = match happened.recv_timeout(patience) {
                Ok(event) => self.handle(event)?,
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => true,
            };
            // What came meanwhile is drawn at once, not one by one: a wheel that is turned fast leaves no trail.
            while let (false, Ok(event)) = (left, happened.try_recv()) {
                left = self.handle(event)?;
            }
            if left {
                return Ok(());
            }
            if looked.elapsed() >= INTERVAL {
                looked = Instant::now();
                self.look();
            } else {
                self.tick();
            }
            if !self.draw()? {
                return Ok(());
            }
        }
    }

    /// Takes in what happened; whether that is the end.
    fn handle(&mut self, event: Happened) -> Result<bool> {
        let msg = match event {
            Happened::Told(msg) => msg,
            Happened::Signal(SIGWINCH) => {
                // A terminal that is gone has no size.
                let Some(size) = output::size() else { return Ok(true) };
                self.drawn = None;
                Msg::Size(size)
            }
            Happened::Signal(SIGTSTP) => return self.suspend().map(|()| false),
            Happened::Signal(signal) => {
                terminal::leave();
                // Ends this process as if it had never listened.
                emulate_default_handler(signal)?;
                return Ok(true);
            }
            Happened::Found(files) => {
                self.found(*files);
                return Ok(false);
            }
            Happened::Typed(event) => match message(event) {
                Some(msg) => msg,
                None => return Ok(false),
            },
        };
        for effect in self.take_in(msg) {
            match effect {
                Effect::Quit => return Ok(true),
                Effect::Suspend => self.suspend()?,
                other => self.start(other),
            }
        }
        Ok(false)
    }

    /// Goes on with these files.
    fn found(&mut self, files: Result<Files>) {
        match files {
            Ok(files) => {
                self.theme = files.theme();
                self.follow = Some(Follow::new(files, self.who.pane, NAME));
                self.look();
            }
            Err(error) => self.news(Err(problem(error))),
        }
    }

    /// Has the model updated, and starts what is to be done in the background; the rest is handed back.
    fn take_in(&mut self, msg: Msg) -> Vec<Effect> {
        self.model.now_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        update(&mut self.model, msg)
    }

    fn tick(&mut self) {
        let mut ended = false;
        if let Ok(look) = &mut self.model.look {
            look.ask_again();
            ended = look.ended;
        }
        let seconds = seconds();
        for effect in self.take_in(Msg::Tick { seconds, ended }) {
            self.start(effect);
        }
    }

    /// Reads the files if they have been written.
    fn look(&mut self) {
        match self.follow.as_mut().map(Follow::news) {
            None | Some(Ok(None)) => self.tick(),
            Some(Ok(Some(look))) => self.news(Ok(look)),
            Some(Err(error)) => self.news(Err(problem(error))),
        }
    }

    fn news(&mut self, look: Result<Look, Problem>) {
        if look.is_err() && look == self.model.look {
            return;
        }
        let look = Box::new(look);
        let seconds = seconds();
        for effect in self.take_in(Msg::News { look, seconds }) {
            self.start(effect);
        }
    }

    /// Draws, if that changes anything; whether somebody still sees it.
    fn draw(&mut self) -> Result<bool> {
        let bytes = self.changes()?;
        Ok(bytes.is_empty() || output::print(&bytes)?)
    }

    /// What the terminal has to be told to show what is so.
    fn changes(&mut self) -> Result<Vec<u8>> {
        let pen = Pen {
            theme: &self.theme,
            colours: self.colours,
        };
        let area = area(self.model.size);
        let mut buffer = Buffer::empty(area);
        draw(&self.model, pen, &mut buffer);
        let mut bytes = Vec::new();
        let before = self.drawn.take().filter(|drawn| drawn.area == area).unwrap_or_else(|| {
            bytes.extend_from_slice(b"\x1b[0m\x1b[2J");
            Buffer::empty(area)
        });
        let changed = before.diff(&buffer);
        if !changed.is_empty() {
            CrosstermBackend::new(&mut bytes).draw(bridged(changed, &buffer).into_iter())?;
        }
        self.drawn = Some(buffer);
        Ok(bytes)
    }

    /// Stops until the shell continues us; without a shell there would be nobody to do so.
    fn suspend(&mut self) -> Result<()> {
        if terminal::has_shell() {
            terminal::leave();
            emulate_default_handler(SIGTSTP)?;
            terminal::enter(Input::All, Before::Kept, b"")?;
            self.drawn = None;
            if let Some(size) = output::size() {
                self.model.size = size;
            }
        }
        Ok(())
    }

    /// Does something that takes time, elsewhere.
    fn start(&mut self, effect: Effect) {
        if let Some(held) = &mut self.held {
            return held.push(effect);
        }
        let tmux = self.tmux.clone();
        let work: Box<dyn FnOnce() -> Msg + Send> = match effect {
            Effect::Picture(pane) => Box::new(move || Msg::Picture(pane, window::picture(&tmux, pane).ok())),
            Effect::Park(id, at) => Box::new(move || match window::park(&tmux, id, at) {
                Ok(()) => Msg::Tick {
                    seconds: seconds(),
                    ended: false,
                },
                Err(failure) => Msg::NotParked(id, format!("not parked: {failure}")),
            }),
            Effect::Explain(pane) => Box::new(move || Msg::Explained(explain(&tmux, pane))),
            Effect::Save(id, replace) => Box::new(move || Msg::Saved(id, files::save(&tmux, id, replace))),
            Effect::Find => Box::new(|| Msg::Found(files::list())),
            Effect::Load(path) => Box::new(move || Msg::Loaded(files::load(&tmux, &path))),
            Effect::Refresh => Box::new(move || Msg::Refreshed(look_at_all(tmux).err().map(told))),
            Effect::Jump(spot) => {
                let hints = self.who.clone();
                Box::new(move || Msg::Jumped(jump(&tmux, &hints, spot).err().map(told)))
            }
            Effect::Suspend | Effect::Quit => return,
        };
        let send = self.send.clone();
        thread::spawn(move || send.send(Happened::Told(work())));
    }
}

/// The same with what lies between two pieces of a row that are near each other: writing it anew takes fewer bytes than going
/// over it, and a terminal takes 4096 at once.
fn bridged<'a>(changed: Vec<(u16, u16, &'a Cell)>, buffer: &'a Buffer) -> Vec<(u16, u16, &'a Cell)> {
    let mut all: Vec<(u16, u16, &Cell)> = Vec::with_capacity(changed.len() * 2);
    for (x, y, cell) in changed {
        if let Some((last, _, before)) = all
            .last()
            .filter(|(last, row, _)| *row == y && (2..=NEAR).contains(&x.saturating_sub(*last)))
        {
            let between: Vec<_> = (last + 1..x)
                .filter_map(|x| Some((x, y, buffer.cell((x, y))?)))
                .collect();
            // Where a character takes two cells, the second is none of its own.
            let narrow = |cell: &Cell| width(cell.symbol()) == 1;
            if narrow(before) && between.iter().all(|(_, _, cell)| narrow(cell)) {
                all.extend(between);
            }
        }
        all.push((x, y, cell));
    }
    all
}

fn area(size: Size) -> Rect {
    let cells = |cells: usize| u16::try_from(cells).unwrap_or(u16::MAX);
    Rect::new(0, 0, cells(size.columns), cells(size.rows))
}

fn seconds() -> u64 {
    refresh::now_ms() / 1000
}

fn problem(error: anyhow::Error) -> Problem {
    Problem {
        hint: error
            .downcast_ref::<Fault>()
            .and_then(|fault| fault.hint.clone())
            .unwrap_or_default(),
        what: format!("{error:#}"),
    }
}

/// An error in one line.
fn told(error: anyhow::Error) -> String {
    let Problem { what, hint } = problem(error);
    if hint.is_empty() {
        what
    } else {
        format!("{what}; {hint}")
    }
}

fn message(event: Event) -> Option<Msg> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(Msg::Key(key)),
        Event::Paste(text) => Some(Msg::Paste(text)),
        Event::Mouse(mouse) => match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                Some(Msg::Click(usize::from(mouse.column), usize::from(mouse.row)))
            }
            MouseEventKind::ScrollUp => Some(wheel(mouse, -WHEEL)),
            MouseEventKind::ScrollDown => Some(wheel(mouse, WHEEL)),
            _ => None,
        },
        // The size comes with its signal.
        _ => None,
    }
}

fn wheel(mouse: MouseEvent, rows: isize) -> Msg {
    Msg::Wheel {
        x: usize::from(mouse.column),
        y: usize::from(mouse.row),
        rows,
    }
}

/// Goes there with the client that is meant. Outside of tmux none is: anybody's could be taken then.
fn jump(tmux: &Tmux, hints: &Hints, spot: client::Spot) -> Result<()> {
    let within = hints.pane.is_some() || hints.session.is_some();
    let name = match &hints.client {
        Some(name) => Some(name.clone()),
        None if within => seat::find(tmux, hints)?.map(|seat| seat.client),
        None => None,
    };
    Ok(client::jump(tmux, &name.unwrap_or_default(), spot)?)
}

fn look_at_all(tmux: Tmux) -> Result<()> {
    let (rules, _) = Rules::load(classify::user_folder().as_deref());
    let how = How {
        full: true,
        ..How::default()
    };
    upkeep::refresh(&mut Pipeline::new(tmux, rules), how, &mut Pace::default()).map(drop)
}

/// Why it has its state in one line, then what `tmux-status explain` says.
fn explain(tmux: &Tmux, pane: PaneId) -> String {
    let (rules, _) = Rules::load(classify::user_folder().as_deref());
    let judged = refresh::with_evidence(tmux, &rules, pane, |evidence| {
        let (rows, why) = (evidence.screen.unwrap_or_default(), rules.explain(evidence));
        let details = explanation::readable(&pane.to_string(), rows, &why);
        format!("{}\n\n{details}", explanation::plain(rows, &why))
    });
    judged.unwrap_or_else(told)
}
