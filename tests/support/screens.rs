//! Screens made by hand, judged as a pane's: a shell's terminal in which one program is in the foreground.

#![allow(dead_code, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use tmux_status::classify::settle::{self, Fingerprint, Look, Memory};
use tmux_status::classify::Rules;
use tmux_status::model::{
    AgentState, Change, Evidence, Need, Pane, PaneId, Process, Report, Reported, StatusKind, Terminal, Told, Verdict,
};
use tmux_status::text;

/// What stands on a screen, and what else is known of it.
#[derive(Debug, Clone)]
pub struct Screen {
    /// The foreground program's command line.
    pub command_line: String,
    /// tmux's word for it; its own name when empty.
    pub word: String,
    pub title: String,
    /// `still`, `moving` or `first`.
    pub look: &'static str,
    pub agent_state: Option<AgentState>,
    /// What the foreground program reported, how long ago, in milliseconds.
    pub told: Option<(Reported, u64)>,
    /// What it added.
    pub told_text: String,
    /// Whether the cursor is shown, at the end of the last row.
    pub cursor: bool,
    pub alternate: bool,
    /// Canonical and echoing, as a program leaves it that reads lines or nothing.
    pub cooked: bool,
    pub cpu_ticks: u64,
    /// First letter of its process's state.
    pub process_state: char,
    pub wchan: Option<&'static str>,
    /// Whether its widest row is narrower than the pane: one that fills it goes on in the next.
    pub narrower: bool,
    pub rows: Vec<String>,
}

impl Screen {
    pub fn of(command_line: &str, rows: &str) -> Screen {
        Screen {
            command_line: command_line.to_owned(),
            word: String::new(),
            title: String::new(),
            look: "still",
            agent_state: None,
            told: None,
            told_text: String::new(),
            cursor: false,
            alternate: false,
            cooked: false,
            cpu_ticks: 0,
            process_state: 'S',
            wchan: None,
            narrower: false,
            rows: rows.trim_matches('\n').lines().map(str::to_owned).collect(),
        }
    }

    pub fn judge(&self, rules: &Rules) -> Verdict {
        let args: Vec<String> = self.command_line.split(' ').map(str::to_owned).collect();
        let comm = args[0].rsplit('/').next().unwrap().to_owned();
        let process = |pid, comm: &str, args: Vec<String>| Process {
            pid,
            ppid: pid - 1,
            pgid: pid,
            tpgid: Some(3),
            state: 'S',
            comm: comm.to_owned(),
            args,
            on_terminal: true,
            ..Process::default()
        };
        let mut processes = [process(2, "bash", vec!["-bash".to_owned()]), process(3, &comm, args)];
        processes[1].state = self.process_state;
        processes[1].wchan = self.wchan.map(str::to_owned);
        let last = self.rows.len() - 1;
        let widest = self.rows.iter().map(|row| text::width(row)).max().unwrap();
        let pane = Pane {
            id: PaneId(1),
            index: 0,
            active: true,
            pid: 2,
            tty: "/dev/pts/0".into(),
            width: (widest.max(40) + usize::from(self.narrower)) as u32,
            height: 24,
            cursor_x: text::width(&self.rows[last]) as u32,
            cursor_y: last as u32,
            cursor_visible: self.cursor,
            alternate: self.alternate,
            mode: String::new(),
            dead: None,
            title: self.title.clone(),
            command: if self.word.is_empty() { comm } else { self.word.clone() },
            path: "/home/dev/project".into(),
            start_command: String::new(),
            report: String::new(),
        };
        let moving = self.look == "moving";
        let change = Change {
            elapsed_ms: 2000,
            screen: moving,
            above: moving,
            output: moving,
            cpu_ticks: Some(self.cpu_ticks),
            ..Change::default()
        };
        rules.judge(&Evidence {
            pane: &pane,
            window_name: "w",
            bell: false,
            screen: Some(&self.rows),
            processes: Some(&processes),
            terminal: Some(Terminal {
                canonical: self.cooked,
                echo: self.cooked,
                signals: self.cooked,
            }),
            agent_state: self.agent_state,
            told: self.told.map(|(state, age_ms)| Told {
                report: Report {
                    state,
                    at_ms: 0,
                    pid: 3,
                    started: None,
                    text: self.told_text.clone(),
                },
                fresh: age_ms < settle::FRESH_MS,
            }),
            last_command: None,
            change: (self.look != "first").then_some(change),
            now: 0,
        })
    }
}

/// What is published of verdicts seen at these milliseconds.
pub fn published(seen: &[(u64, Verdict)]) -> Vec<Verdict> {
    let mut memories: Vec<Memory> = Vec::new();
    for (at_ms, verdict) in seen {
        let look = Look {
            at_ms: *at_ms,
            pane_pid: 1,
            fingerprint: Fingerprint::default(),
            activity: 0,
            cpu_ticks: None,
            visited: false,
            turn_ended_ms: None,
        };
        memories.push(settle::settle(memories.last(), verdict.clone(), None, &look));
    }
    memories.into_iter().map(|memory| memory.verdict).collect()
}

/// The rules that are built in.
pub fn rules() -> Rules {
    Rules::load(None).0
}

const BOX: &str = "
────────────────────────────────────────
❯\u{a0}
────────────────────────────────────────
  ? for shortcuts";

/// Claude with this above its box.
pub fn claude(above: &str) -> Screen {
    Screen::of("claude", &format!("{}\n{BOX}", above.trim_matches('\n')))
}

/// Judges a screen, and looks that this comes of it.
#[track_caller]
pub fn is(screen: &Screen, kind: StatusKind, need: Option<Need>) -> Verdict {
    let verdict = screen.judge(&rules());
    assert_eq!((verdict.kind, verdict.need), (kind, need), "{verdict:#?}\n{screen:#?}");
    verdict
}
