//! The dashboard on a terminal: waits for keys, signals, time and the files, has the model updated, draws, and does what is to
//! be done.
//!
//! What takes time is done in threads of their own, each for one thing: a server that hangs holds up no key.

use super::draw::{draw, Pen};
use super::state::{Model, Problem};
use super::update::{update, waits_for_a_picture, Effect, Msg};
use crate::classify::{self, Rules};
use crate::fault::Fault;
use crate::model::PaneId;
use crate::output::{self, Size};
use crate::reader::{Files, Follow, Look};
use crate::refresh::{self, How, Pipeline};
use crate::summary::explanation;
use crate::terminal::{self, Input, Screen};
use crate::theme::Theme;
use crate::tmux::command::Tmux;
use crate::tmux::{client, window};
use crate::upkeep;
use anyhow::Result;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{self, Event, KeyEventKind, MouseButton, MouseEventKind};
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use signal_hook::consts::{SIGTSTP, SIGWINCH};
use signal_hook::low_level::emulate_default_handler;
use std::io::{self, BufWriter, Stdout};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How often the files are looked at.
const INTERVAL: Duration = Duration::from_millis(250);
/// The same while a picture waits for its time.
const SOON: Duration = Duration::from_millis(40);
/// Rows that a turn of the mouse's wheel moves by.
const WHEEL: isize = 3;

/// What the dashboard says of the window that it is in.
const NAME: &str = "this dashboard";

/// What the dashboard starts with.
#[derive(Debug)]
pub struct Start {
    /// The server.
    pub tmux: Tmux,
    /// The client that goes where its user wants to; empty: the one that shows `own`.
    pub client: String,
    /// The pane that the dashboard is in, when it is one of the server's.
    pub own: Option<PaneId>,
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
    let mut view = View::new(
        Files::likely(&start.tmux, start.flag.clone())?,
        start,
        size,
        send.clone(),
    )?;
    let known = view.model.look.is_ok();
    if !known {
        view.found(find()?);
    }
    let _screen = Screen::enter(Input::All)?;
    view.draw()?;
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

type Screenful = Terminal<CrosstermBackend<BufWriter<Stdout>>>;

struct View {
    tmux: Tmux,
    client: String,
    own: Option<PaneId>,
    follow: Follow,
    theme: Theme,
    colours: bool,
    model: Model,
    began: Instant,
    send: Sender<Happened>,
    screen: Screenful,
    drawn: Option<Buffer>,
}

impl View {
    fn new(files: Files, start: Start, size: Size, send: Sender<Happened>) -> Result<Self> {
        let theme = files.theme();
        let mut follow = Follow::new(files, start.own, NAME);
        let look = follow.news().map_err(problem).and_then(first);
        Ok(Self {
            tmux: start.tmux,
            client: start.client,
            own: start.own,
            follow,
            theme,
            colours: output::takes_colours(),
            model: Model::new(size, look, seconds(), start.flag),
            began: Instant::now(),
            send,
            screen: screenful(size)?,
            drawn: None,
        })
    }

    fn live(mut self, happened: &Receiver<Happened>) -> Result<()> {
        let mut looked = Instant::now();
        self.tick();
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
            self.draw()?;
        }
    }

    /// Takes in what happened; whether that is the end.
    fn handle(&mut self, event: Happened) -> Result<bool> {
        let msg = match event {
            Happened::Told(msg) => msg,
            Happened::Signal(SIGWINCH) => {
                // A terminal that is gone has no size.
                let Some(size) = output::size() else { return Ok(true) };
                self.resized(size)?;
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
                if let Ok(files) = *files {
                    self.found(files);
                }
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
    fn found(&mut self, files: Files) {
        self.theme = files.theme();
        self.follow = Follow::new(files, self.own, NAME);
        self.look();
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
        let look = match self.follow.news() {
            Ok(None) => return self.tick(),
            Ok(Some(look)) => Ok(look),
            Err(error) => Err(problem(error)),
        };
        if look.is_err() && look == self.model.look {
            return;
        }
        let look = Box::new(look);
        let seconds = seconds();
        for effect in self.take_in(Msg::News { look, seconds }) {
            self.start(effect);
        }
    }

    /// Draws anew from an empty screen on.
    fn resized(&mut self, size: Size) -> Result<()> {
        output::print(b"\x1b[0m\x1b[2J")?;
        self.screen = screenful(size)?;
        self.drawn = None;
        Ok(())
    }

    /// Draws, if that changes anything.
    fn draw(&mut self) -> Result<()> {
        let pen = Pen {
            theme: &self.theme,
            colours: self.colours,
        };
        let mut buffer = Buffer::empty(area(self.model.size));
        draw(&self.model, pen, &mut buffer);
        if self.drawn.as_ref() == Some(&buffer) {
            return Ok(());
        }
        self.screen.draw(|frame| frame.buffer_mut().clone_from(&buffer))?;
        self.drawn = Some(buffer);
        Ok(())
    }

    /// Stops until the shell continues us; without a shell there would be nobody to do so.
    fn suspend(&mut self) -> Result<()> {
        if terminal::has_shell() {
            terminal::leave();
            emulate_default_handler(SIGTSTP)?;
            terminal::enter(Input::All)?;
            if let Some(size) = output::size() {
                self.resized(size)?;
                self.model.size = size;
            }
        }
        Ok(())
    }

    /// Does something that takes time, elsewhere.
    fn start(&self, effect: Effect) {
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
            Effect::Refresh => Box::new(move || Msg::Refreshed(look_at_all(tmux).err().map(told))),
            Effect::Jump(spot) => {
                let (name, own) = (self.client.clone(), self.own);
                Box::new(move || Msg::Jumped(jump(&tmux, name, own, spot).err().map(told)))
            }
            Effect::Suspend | Effect::Quit => return,
        };
        let send = self.send.clone();
        thread::spawn(move || send.send(Happened::Told(work())));
    }
}

fn screenful(size: Size) -> io::Result<Screenful> {
    let backend = CrosstermBackend::new(BufWriter::with_capacity(64 * 1024, io::stdout()));
    let viewport = Viewport::Fixed(area(size));
    Terminal::with_options(backend, TerminalOptions { viewport })
}

fn area(size: Size) -> Rect {
    let cells = |cells: usize| u16::try_from(cells).unwrap_or(u16::MAX);
    Rect::new(0, 0, cells(size.columns), cells(size.rows))
}

fn seconds() -> u64 {
    refresh::now_ms() / 1000
}

/// The first answer of files that were not read before is always one.
fn first(look: Option<Look>) -> Result<Look, Problem> {
    look.ok_or_else(|| Problem {
        what: "nothing was seen yet".to_owned(),
        hint: String::new(),
    })
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
            MouseEventKind::ScrollUp => Some(Msg::Wheel(-WHEEL)),
            MouseEventKind::ScrollDown => Some(Msg::Wheel(WHEEL)),
            _ => None,
        },
        // The size comes with its signal.
        _ => None,
    }
}

fn jump(tmux: &Tmux, name: String, own: Option<PaneId>, spot: client::Spot) -> Result<()> {
    let name = match own.filter(|_| name.is_empty()) {
        Some(pane) => client::showing(tmux, pane)?,
        None => name,
    };
    Ok(client::jump(tmux, &name, spot)?)
}

fn look_at_all(tmux: Tmux) -> Result<()> {
    let (rules, _) = Rules::load(classify::user_folder().as_deref());
    let how = How {
        full: true,
        ..How::default()
    };
    upkeep::refresh(&mut Pipeline::new(tmux, rules), how).map(drop)
}

/// What `tmux-status explain` says.
fn explain(tmux: &Tmux, pane: PaneId) -> String {
    let (rules, _) = Rules::load(classify::user_folder().as_deref());
    let judged = refresh::with_evidence(tmux, &rules, pane, |evidence| {
        explanation::readable(
            &pane.to_string(),
            evidence.screen.unwrap_or_default(),
            &rules.explain(evidence),
        )
    });
    judged.unwrap_or_else(told)
}
