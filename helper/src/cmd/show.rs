//! `show`: the last status as a table for people, once or live, or the status file as it is.

use crate::cli::ServerArgs;
use crate::fault::Fault;
use crate::model::{Need, StatusKind};
use crate::output;
use crate::process;
use crate::refresh;
use crate::status::paths::Paths;
use crate::status::state::{KnownWindow, State};
use crate::text::{self, fit, one_line, width};
use crate::tmux::command::Tmux;
use crate::tmux::option;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// How to show it.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Print the status file as it is
    #[arg(long, conflicts_with = "watch")]
    pub json: bool,
    /// Show it again whenever it changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
}

/// How often the file is read for a live table.
const WATCH_INTERVAL: Duration = Duration::from_millis(500);

/// Runs it.
///
/// # Errors
/// When there is no status yet, or standard output cannot be written.
pub fn run(args: &ShowArgs, server: &ServerArgs) -> Result<u8> {
    let tmux = Tmux::new(server.socket());
    let places = Places::find(&tmux)?;
    if args.json {
        let bytes = std::fs::read(&places.status).map_err(|error| places.nothing(&error))?;
        output::print(&bytes)?;
        return Ok(0);
    }
    let colours = output::takes_colours();
    let now = || {
        places.table(Style {
            colours,
            columns: output::columns(),
        })
    };
    let mut shown = now()?;
    let mut read = output::print(&shown)?;
    while args.watch && read {
        thread::sleep(WATCH_INTERVAL);
        let table = now()?;
        if table != shown {
            // On a terminal the new table takes the old one's place.
            let clear: &[u8] = if output::columns().is_some() {
                b"\x1b[H\x1b[2J"
            } else {
                b""
            };
            read = output::print(&[clear, &table].concat())?;
            shown = table;
        }
    }
    Ok(0)
}

/// Where the two files are.
struct Places {
    status: PathBuf,
    state: PathBuf,
}

impl Places {
    /// As the server publishes them, else as this environment names them.
    fn find(tmux: &Tmux) -> Result<Self> {
        let published = |name: &str| {
            let answer = tmux.call(&["show-options", "-gqv", name]).ok()?;
            let path = String::from_utf8_lossy(&answer.stdout)
                .trim_end_matches('\n')
                .to_owned();
            path.starts_with('/').then(|| PathBuf::from(path))
        };
        let paths = Paths::of(tmux.socket())?;
        Ok(Self {
            status: published(option::PUBLISHED_FILE).unwrap_or(paths.status),
            state: published(option::PUBLISHED_STATE).unwrap_or(paths.state),
        })
    }

    fn nothing(&self, error: &std::io::Error) -> Fault {
        Fault::new(
            format!("no status to show from {}: {error}", self.status.display()),
            "tmux-status refresh makes one; tmux-status doctor says why the plugin has not",
        )
    }

    fn table(&self, style: Style) -> Result<Vec<u8>> {
        let state = State::read(&self.state);
        if state.generated_at == 0 {
            let error = std::io::Error::from(std::io::ErrorKind::NotFound);
            return Err(self.nothing(&error).into());
        }
        let mut table = table(&state, refresh::now_ms() / 1000, style);
        let ended = state
            .server
            .as_ref()
            .is_some_and(|known| process::started(known.server.pid) != known.started);
        if ended {
            table += "This tmux server has ended; tmux-status refresh brings the file up to date.\n";
        }
        table += &style.dim(&text::clean(&self.status.display().to_string()));
        table.push('\n');
        Ok(table.into_bytes())
    }
}

/// How the table may look.
#[derive(Debug, Clone, Copy)]
struct Style {
    colours: bool,
    columns: Option<usize>,
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        if self.colours {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn kind(self, kind: StatusKind, text: &str) -> String {
        let code = match kind {
            StatusKind::Active => "32",
            StatusKind::Running => "36",
            StatusKind::Waiting => "33",
            StatusKind::Idle => "2",
            StatusKind::Error => "31",
        };
        self.paint(code, text)
    }
}

/// A mark per kind, so that no colour is needed to tell them apart.
fn mark(window: &KnownWindow) -> &'static str {
    match (window.need, window.kind) {
        (Some(Need::Permission | Need::Question), _) => "?",
        (Some(Need::Failed), _) | (None, StatusKind::Error) => "x",
        (Some(Need::Done), _) => "*",
        (None, StatusKind::Active) => ">",
        (None, StatusKind::Running) => "-",
        (None, StatusKind::Waiting | StatusKind::Idle) => " ",
    }
}

/// One row: what stands in the columns.
struct Row<'a> {
    target: String,
    window: &'a KnownWindow,
    active: bool,
}

/// The whole table. Names are cleaned here: they come from tmux as programs have set them.
fn table(state: &State, now: u64, style: Style) -> String {
    let mut rows = Vec::new();
    for session in &state.sessions {
        for link in &session.windows {
            if let Some(window) = state.windows.get(&link.window) {
                let target = text::clean(&format!("{}:{} {}", session.name, link.index, window.name));
                rows.push(Row {
                    target,
                    window,
                    active: link.active,
                });
            }
        }
    }
    let widest = |cell: fn(&Row<'_>) -> usize, limit: usize| rows.iter().map(cell).max().unwrap_or(0).min(limit);
    let target = widest(|r| width(&r.target), 32);
    let command = widest(|r| width(&text::clean(&r.window.command)), 14);
    // Mark, kind, age and the blanks between the columns.
    let fixed = 2 + target + 2 + 1 + 7 + 2 + command + 2 + 4 + 2;
    let room = style
        .columns
        .map_or(text::SUMMARY_LIMIT, |columns| columns.saturating_sub(fixed).max(10));
    let mut out = String::new();
    for row in &rows {
        let window = row.window;
        let age = text::ago(now.saturating_sub(window.since));
        let line = [
            style.paint(if window.need.is_some() { "1;33" } else { "0" }, mark(window)),
            " ".into(),
            style.paint(if row.active { "1" } else { "0" }, &fit(&row.target, target)),
            "  ".into(),
            style.kind(window.kind, &fit(window.kind.as_str(), 8)),
            "  ".into(),
            fit(&window.command, command),
            "  ".into(),
            style.dim(&format!("{age:>4}")),
            "  ".into(),
            one_line(&window.summary, room),
        ];
        out += line.concat().trim_end();
        out.push('\n');
    }
    let (windows, needing) = state.counts();
    let age = text::ago(now.saturating_sub(state.generated_at));
    let mut foot = match (state.server.is_some(), windows) {
        (false, _) => "no tmux server".to_owned(),
        (true, _) => format!("{}, {}", text::count(windows, "window"), text::needing(needing)),
    };
    foot += &format!("; {age} old\n");
    out + &style.dim(&foot)
}
