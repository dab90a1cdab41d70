//! One line for a person who waits, drawn anew at each step and gone at the end.

use crate::output::Size;
use crate::text;
use crate::workspace::load::event::Event;
use crate::workspace::spec::Session;
use std::collections::VecDeque;
use std::io::Write;

/// Cells of a bar.
const BAR: usize = 10;

/// Lines that are made of what is known.
const PRESETS: [(&str, &str); 5] = [
    ("default", "{status_icon} {session} {bar} {progress} {window}"),
    ("minimal", "{status_icon} {session} {window_progress}"),
    (
        "window",
        "{status_icon} {session} {window_bar} {window_progress_rel} {window}",
    ),
    ("pane", "{status_icon} {session} {pane_bar} {session_pane_progress}"),
    (
        "verbose",
        "{status_icon} {session} {bar} {overall_percent}% window {window_index} of {window_total} ({window}), \
         pane {pane_index} of {pane_total}",
    ),
];

/// What a line may be made of.
const TOKENS: [&str; 18] = [
    "session",
    "window",
    "window_index",
    "window_total",
    "window_progress",
    "window_progress_rel",
    "windows_done",
    "windows_remaining",
    "pane_index",
    "pane_total",
    "pane_progress",
    "progress",
    "session_pane_progress",
    "overall_percent",
    "bar",
    "pane_bar",
    "window_bar",
    "status_icon",
];

/// How it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// The line, with tokens in braces.
    template: String,
    /// How many lines of what was done stand below it.
    lines: usize,
}

impl Style {
    /// That of a preset or a template; `lines` below it, -1: as many as the terminal has.
    ///
    /// # Errors
    /// When a template has a token that is none; that.
    pub fn new(format: &str, lines: i32, terminal: Size) -> Result<Self, String> {
        let preset = PRESETS.iter().find(|(name, _)| *name == format);
        let template = preset.map_or(format, |(_, template)| *template).to_owned();
        if let Some(odd) = tokens(&template).find(|token| !TOKENS.contains(token)) {
            return Err(odd.to_owned());
        }
        let most = terminal.rows.saturating_sub(2);
        let lines = usize::try_from(lines).unwrap_or(most).min(most);
        Ok(Self { template, lines })
    }
}

fn tokens(template: &str) -> impl Iterator<Item = &str> {
    let pieces = template.split('{').skip(1);
    pieces.filter_map(|piece| piece.split_once('}').map(|(token, _)| token))
}

/// What is known of one session.
#[derive(Debug, Clone, Default)]
pub struct State {
    session: String,
    /// The windows' names.
    names: Vec<String>,
    /// Panes of each window.
    panes: Vec<usize>,
    windows_done: usize,
    panes_done: usize,
    /// The window that something was last done to, and the pane in it: from 1.
    at: (usize, usize),
}

impl State {
    fn of(session: &Session) -> Self {
        Self {
            session: text::clean(&session.name),
            names: session
                .windows
                .iter()
                .map(|window| text::clean(window.name.as_deref().unwrap_or_default()))
                .collect(),
            panes: session.windows.iter().map(|window| window.panes.len()).collect(),
            ..Self::default()
        }
    }

    fn value(&self, token: &str) -> String {
        let windows = self.panes.len();
        let all: usize = self.panes.iter().sum();
        let here = self.at.0.checked_sub(1);
        let name = here.and_then(|at| self.names.get(at));
        let pane_total = here.and_then(|at| self.panes.get(at)).copied().unwrap_or(0);
        let of = |done: usize, all: usize| format!("{done}/{all}");
        match token {
            "session" => self.session.clone(),
            "window" => name.cloned().unwrap_or_default(),
            "window_index" => self.at.0.to_string(),
            "window_total" => windows.to_string(),
            "window_progress" => of(self.at.0, windows),
            "window_progress_rel" => of(self.windows_done, windows),
            "windows_done" => self.windows_done.to_string(),
            "windows_remaining" => windows.saturating_sub(self.windows_done).to_string(),
            "pane_index" => self.at.1.to_string(),
            "pane_total" => pane_total.to_string(),
            "pane_progress" => of(self.at.1, pane_total),
            "progress" => format!("{} win · {} pane", of(self.at.0, windows), of(self.at.1, pane_total)),
            "session_pane_progress" => of(self.panes_done, all),
            "overall_percent" => (self.panes_done * 100).checked_div(all).unwrap_or(0).to_string(),
            "bar" | "pane_bar" => bar(self.panes_done, all),
            "window_bar" => bar(self.windows_done, windows),
            "status_icon" if self.windows_done == windows => "✓".to_owned(),
            "status_icon" => "…".to_owned(),
            _ => String::new(),
        }
    }

    fn line(&self, template: &str) -> String {
        let mut line = String::new();
        let mut pieces = template.split('{');
        line.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            match piece.split_once('}') {
                Some((token, rest)) => line.extend([self.value(token).as_str(), rest]),
                None => line.extend(["{", piece]),
            }
        }
        line
    }
}

fn bar(done: usize, all: usize) -> String {
    let full = (done * BAR).checked_div(all).unwrap_or(0).min(BAR);
    format!("{}{}", "█".repeat(full), "░".repeat(BAR - full))
}

/// Draws on standard error.
#[derive(Debug)]
pub struct Progress {
    style: Style,
    columns: usize,
    state: State,
    recent: VecDeque<String>,
    /// Lines that stand there now.
    drawn: usize,
}

impl Progress {
    /// On a terminal that is so wide.
    pub fn new(style: Style, terminal: Size) -> Self {
        Self {
            style,
            columns: terminal.columns,
            state: State::default(),
            recent: VecDeque::new(),
            drawn: 0,
        }
    }

    /// A session is begun; its user may be asked first.
    pub fn begin(&mut self, session: &Session) {
        self.state = State::of(session);
        self.recent.clear();
    }

    /// Something has happened.
    pub fn tell(&mut self, event: &Event<'_>) {
        match event {
            // The terminal is the script's.
            Event::ScriptStarted { .. } => return self.clear(),
            Event::Window { made, name } => {
                let name = text::clean(name.unwrap_or_default());
                self.recent
                    .push_back(format!("window {} {name}", made.window.saturating_add(1)));
                self.state.at = (made.window.saturating_add(1), 1);
            }
            Event::Pane { made } | Event::PaneDone { made } => {
                self.state.at = (made.window.saturating_add(1), made.pane.saturating_add(1));
                self.state.panes_done += usize::from(matches!(event, Event::PaneDone { .. }));
            }
            Event::WindowDone { .. } => self.state.windows_done += 1,
            Event::Warning(warning) => self.recent.push_back(text::clean(&warning.message)),
            _ => {}
        }
        while self.recent.len() > self.style.lines {
            self.recent.pop_front();
        }
        self.draw();
    }

    /// Takes the lines away.
    pub fn clear(&mut self) {
        write(&self.erased());
        self.drawn = 0;
    }

    fn erased(&self) -> String {
        match self.drawn {
            0 => String::new(),
            1 => "\r\x1b[J".to_owned(),
            lines => format!("\r\x1b[{}A\x1b[J", lines - 1),
        }
    }

    fn draw(&mut self) {
        let room = self.columns.saturating_sub(1);
        let line = text::one_line(&self.state.line(&self.style.template), room);
        let below = self
            .recent
            .iter()
            .map(|line| text::one_line(&format!("  {line}"), room));
        let lines: Vec<String> = std::iter::once(line).chain(below).collect();
        write(&format!("{}{}", self.erased(), lines.join("\n")));
        self.drawn = lines.len();
    }
}

fn write(text: &str) {
    let mut err = std::io::stderr().lock();
    // A terminal that is gone needs nothing.
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{PaneId, WindowId};
    use crate::tmux::build::Made;

    const TERMINAL: Size = Size { columns: 80, rows: 24 };

    fn state() -> State {
        State {
            session: "s".to_owned(),
            names: vec!["v".to_owned(), "w".to_owned()],
            panes: vec![1, 3],
            windows_done: 1,
            panes_done: 2,
            at: (2, 1),
        }
    }

    #[test]
    fn a_line_is_made_of_tokens() {
        let line = |template: &str| state().line(template);
        assert_eq!(line("{session} {window_progress} {"), "s 2/2 {");
        assert_eq!(
            line("{session_pane_progress} {overall_percent}% {bar}"),
            "2/4 50% █████░░░░░"
        );
        assert_eq!(line("{progress} {window}"), "2/2 win · 1/3 pane w");
        assert_eq!(line("{windows_remaining}{status_icon}"), "1…");
    }

    #[test]
    fn the_window_that_is_named_is_the_one_whose_panes_are_counted() {
        let mut progress = Progress::new(Style::new("", 0, TERMINAL).unwrap(), TERMINAL);
        progress.state = state();
        let made = Made {
            window: 0,
            pane: 0,
            window_id: WindowId(1),
            pane_id: PaneId(1),
        };
        progress.tell(&Event::PaneDone { made: &made });
        assert_eq!(progress.state.line("{progress} {window}"), "1/2 win · 1/1 pane v");
    }

    #[test]
    fn a_style_is_a_preset_or_a_template() {
        assert!(Style::new("verbose", 3, TERMINAL).is_ok());
        assert_eq!(
            Style::new("{session} {nonsense}", 3, TERMINAL),
            Err("nonsense".to_owned())
        );
        assert_eq!(Style::new("plain", 0, TERMINAL).unwrap().lines, 0);
        assert_eq!(Style::new("plain", -1, TERMINAL).unwrap().lines, 22);
        for (_, template) in PRESETS {
            assert!(tokens(template).all(|token| TOKENS.contains(&token)), "{template}");
        }
    }

    #[test]
    fn nothing_is_divided_by_nothing() {
        for token in TOKENS {
            State::default().value(token);
        }
    }
}
