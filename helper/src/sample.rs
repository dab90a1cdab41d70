//! Recorded looks at one pane, for rules and their tests: read back as evidence, and made from a live pane.
//!
//! A sample is JSON with tmux's own names for what tmux says. What was not taken is left out, and judged as absent.

use crate::classify::{settle, view};
use crate::model::{AgentState, Change, Death, Evidence, LastCommand, Open, Pane, PaneId, Process, Terminal, Verdict};
use crate::text;
use anyhow::Context;
use serde::Deserialize;
use serde_json::{json, Value};
use std::path::Path;

mod scrub;

pub use scrub::Scrub;

/// What a live pane's evidence looks like as a sample, with its verdict as the expected answer and nothing that says whose
/// it is.
pub fn record(evidence: &Evidence<'_>, verdict: &Verdict, scrub: &Scrub) -> Value {
    let pane = evidence.pane;
    // What stands left of the cursor may have become shorter or longer.
    let row = evidence.screen.and_then(|rows| rows.get(pane.cursor_y as usize));
    let left = row.map(|row| scrub.text(view::left_of(row, pane.cursor_x as usize)));
    let beyond = row.map_or(0, |row| (pane.cursor_x as usize).saturating_sub(text::width(row)));
    let cursor_x = left.map_or(pane.cursor_x as usize, |left| text::width(&left) + beyond);
    let flag = |value: bool| u8::from(value);
    let dead = pane.dead.clone().unwrap_or_default();
    let mut sample = json!({
        "id": format!("{}-recorded", verdict.command),
        "expect": {"kind": verdict.kind, "need": verdict.need, "rule": verdict.rule, "mention": [verdict.summary]},
        "pane": {
            "pane_id": pane.id,
            "pane_index": pane.index,
            "pane_active": flag(pane.active),
            "pane_pid": pane.pid,
            "pane_tty": pane.tty,
            "pane_width": pane.width,
            "pane_height": pane.height,
            "cursor_x": cursor_x,
            "cursor_y": pane.cursor_y,
            "cursor_flag": flag(pane.cursor_visible),
            "alternate_on": flag(pane.alternate),
            "pane_mode": pane.mode,
            "pane_dead": flag(pane.dead.is_some()),
            "pane_dead_status": dead.status.map(|status| status.to_string()).unwrap_or_default(),
            "pane_dead_signal": dead.signal.unwrap_or_default(),
            "pane_title": pane.title,
            "pane_current_command": pane.command,
            "pane_current_path": pane.path,
            "pane_start_command": pane.start_command,
            "window_name": evidence.window_name,
            "window_bell_flag": flag(evidence.bell),
            "now": evidence.now,
            "screen": evidence.screen.unwrap_or_default(),
        },
    });
    if let Some(pane) = sample.get_mut("pane").and_then(Value::as_object_mut) {
        if let Some(terminal) = evidence.terminal {
            let set = json!({"icanon": terminal.canonical, "echo": terminal.echo, "isig": terminal.signals});
            pane.insert("terminal".into(), set);
        }
        if let Some(state) = evidence.agent_state {
            pane.insert("agent_state".into(), json!(state));
        }
        if let Some(said) = &evidence.last_command {
            pane.insert("last_command".into(), json!(said));
        }
        if let Some(processes) = evidence.processes {
            pane.insert("process_tree".into(), processes.iter().map(process_row).collect());
        }
    }
    scrub.value(&mut sample);
    sample
}

fn process_row(process: &Process) -> Value {
    let mut row = json!({
        "pid": process.pid,
        "ppid": process.ppid,
        "pgid": process.pgid,
        "tpgid": process.tpgid.map_or(-1, i64::from),
        "stat": process.state.to_string(),
        "comm": process.comm,
        "args": process.args.join(" "),
        "cpu_ticks": process.cpu_ticks,
        "same_tty": process.on_terminal,
    });
    if let (Some(row), Some(open)) = (row.as_object_mut(), process.open) {
        row.insert("open".into(), json!({"terminal": open.terminal, "socket": open.socket}));
    }
    if let (Some(row), Some(wchan)) = (row.as_object_mut(), &process.wchan) {
        row.insert("wchan".into(), json!(wchan));
    }
    row
}

/// A recorded look at one pane: the format of `tests/samples`.
pub struct Sample {
    /// Its name.
    pub id: String,
    pane: Pane,
    window_name: String,
    bell: bool,
    /// The visible rows at the look that is judged.
    pub rows: Vec<String>,
    processes: Option<Vec<Process>>,
    terminal: Option<Terminal>,
    agent_state: Option<AgentState>,
    last_command: Option<LastCommand>,
    change: Option<Change>,
    now: u64,
}

impl Sample {
    /// Reads a sample's file.
    pub fn read(path: &Path) -> anyhow::Result<Sample> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read sample {}", path.display()))?;
        let value: Value =
            serde_json::from_str(&text).with_context(|| format!("sample {} is not JSON", path.display()))?;
        Sample::from_json(&value).with_context(|| format!("sample {} cannot be judged", path.display()))
    }

    /// A sample that was read already.
    pub fn from_json(value: &Value) -> anyhow::Result<Sample> {
        let pane = value
            .get("pane")
            .filter(|p| p.is_object())
            .context("it has no \"pane\"")?;
        let next = pane.get("next");
        // The second look is judged; what it did not record anew is as it was.
        let later = |key: &str| next.and_then(|n| n.get(key)).or_else(|| pane.get(key));
        let first = rows(pane.get("screen")).context("\"pane\" has no \"screen\"")?;
        let second = rows(pane.get("screen_next"));
        let cursor_next = pane.get("cursor_next").and_then(Value::as_array);
        let cursor = |at: usize, key: &str| -> u32 {
            let recorded = cursor_next.and_then(|c| c.get(at)).filter(|_| second.is_some());
            number(recorded.or_else(|| if second.is_some() { later(key) } else { pane.get(key) })).unwrap_or(0) as u32
        };
        let before = (
            number(pane.get("cursor_x")).unwrap_or(0) as u32,
            number(pane.get("cursor_y")).unwrap_or(0) as u32,
        );
        let after = (cursor(0, "cursor_x"), cursor(1, "cursor_y"));
        let processes = processes(pane);
        let change = second.as_ref().map(|second| {
            let (old, new) = (
                settle::Fingerprint::of(&first, before),
                settle::Fingerprint::of(second, after),
            );
            let seconds = next
                .and_then(|n| n.get("after_s"))
                .and_then(Value::as_f64)
                .unwrap_or(2.0);
            let activity = pane
                .get("window_activity_next")
                .or_else(|| next.and_then(|n| n.get("window_activity")));
            let moved = number(activity)
                .zip(number(pane.get("window_activity")))
                .is_some_and(|(new, old)| new > old);
            Change {
                elapsed_ms: (seconds * 1000.0) as u64,
                screen: old.content != new.content,
                above: old.above != new.above,
                cursor: before != after,
                output: moved,
                cpu_ticks: ticks_between(pane),
            }
        });
        let id = value.get("id").and_then(Value::as_str).unwrap_or("sample").to_owned();
        let text = |key: &str| later(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let signal = text("pane_dead_signal");
        let dead = (number(pane.get("pane_dead")) == Some(1)).then(|| Death {
            status: number(pane.get("pane_dead_status")).map(|n| n as i32),
            signal: if signal.is_empty() {
                number(pane.get("pane_dead_signal")).map(|n| n.to_string())
            } else {
                Some(signal)
            },
        });
        let count = |key: &str| number(pane.get(key)).unwrap_or(0);
        Ok(Sample {
            id,
            window_name: text("window_name"),
            bell: count("window_bell_flag") == 1,
            rows: second.unwrap_or(first),
            processes,
            terminal: pane.get("terminal").and_then(terminal),
            agent_state: pane
                .get("agent_state")
                .and_then(|state| AgentState::deserialize(state).ok()),
            last_command: pane
                .get("last_command")
                .and_then(|said| LastCommand::deserialize(said).ok()),
            change,
            now: pane.get("now").and_then(Value::as_f64).unwrap_or(0.0) as u64,
            pane: Pane {
                id: text("pane_id").parse().unwrap_or(PaneId(0)),
                index: count("pane_index") as u32,
                active: pane.get("pane_active").is_none_or(|v| number(Some(v)) == Some(1)),
                pid: count("pane_pid") as u32,
                tty: text("pane_tty"),
                width: count("pane_width") as u32,
                height: count("pane_height") as u32,
                cursor_x: after.0,
                cursor_y: after.1,
                cursor_visible: pane.get("cursor_flag").is_none_or(|v| number(Some(v)) != Some(0)),
                alternate: count("alternate_on") == 1,
                mode: text("pane_mode"),
                dead,
                title: text("pane_title"),
                command: text("pane_current_command"),
                path: text("pane_current_path"),
                start_command: text("pane_start_command"),
                report: String::new(),
            },
        })
    }

    /// What the classifier is given.
    pub fn evidence(&self) -> Evidence<'_> {
        Evidence {
            pane: &self.pane,
            window_name: &self.window_name,
            bell: self.bell,
            screen: Some(&self.rows),
            processes: self.processes.as_deref(),
            terminal: self.terminal,
            agent_state: self.agent_state,
            told: None,
            last_command: self.last_command.clone(),
            change: self.change,
            now: self.now,
        }
    }
}

fn rows(value: Option<&Value>) -> Option<Vec<String>> {
    let rows = value?
        .as_array()?
        .iter()
        .map(|row| row.as_str().unwrap_or_default().trim_end().to_owned());
    Some(rows.collect())
}

/// A number that may be written as text, in hexadecimal too.
fn number(value: Option<&Value>) -> Option<i64> {
    match value? {
        Value::Bool(b) => Some(i64::from(*b)),
        Value::Number(n) => n.as_i64().or_else(|| n.as_f64().map(|f| f as i64)),
        Value::String(text) => match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok().map(|n| n as i64),
            None => text.parse().ok(),
        },
        _ => None,
    }
}

fn terminal(value: &Value) -> Option<Terminal> {
    let flag = |key: &str| value.get(key).and_then(Value::as_bool);
    Some(Terminal {
        canonical: flag("icanon")?,
        echo: flag("echo")?,
        signals: flag("isig").unwrap_or(true),
    })
}

/// The recorded processes: those on the terminal first, then descendants that are not among them.
fn processes(pane: &Value) -> Option<Vec<Process>> {
    let tree = pane.get("process_tree")?.as_array()?;
    let mut all: Vec<Process> = tree.iter().map(|row| process(row, true)).collect();
    for row in pane.get("descendants").and_then(Value::as_array).into_iter().flatten() {
        let found = process(row, false);
        if all.iter().all(|known| known.pid != found.pid) {
            all.push(found);
        }
    }
    all.sort_by_key(|p| !p.on_terminal);
    Some(all)
}

fn process(row: &Value, on_terminal: bool) -> Process {
    let count = |key: &str| number(row.get(key)).unwrap_or(0) as u32;
    let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let syscall = row.get("syscall").and_then(Value::as_array).and_then(|call| {
        let number_at = |at: usize| number(call.get(at)).and_then(|n| u64::try_from(n).ok());
        Some((number_at(0)?, number_at(1).unwrap_or(0)))
    });
    Process {
        pid: count("pid"),
        ppid: count("ppid"),
        pgid: count("pgid"),
        tpgid: number(row.get("tpgid"))
            .and_then(|n| u32::try_from(n).ok())
            .filter(|&n| n > 0),
        state: text("stat").chars().next().unwrap_or('S'),
        comm: text("comm"),
        args: text("args").split_whitespace().map(str::to_owned).collect(),
        cpu_ticks: number(
            row.get("cpu_ticks_next")
                .filter(|v| !v.is_null())
                .or_else(|| row.get("cpu_ticks")),
        )
        .unwrap_or(0) as u64,
        on_terminal: row.get("same_tty").and_then(Value::as_bool).unwrap_or(on_terminal),
        wchan: row.get("wchan").and_then(Value::as_str).map(str::to_owned),
        syscall,
        open: row.get("open").map(|open| Open {
            terminal: open.get("terminal").and_then(Value::as_bool).unwrap_or_default(),
            socket: open.get("socket").and_then(Value::as_bool).unwrap_or_default(),
        }),
    }
}

/// CPU that the foreground group and what runs elsewhere below the pane used between the two looks.
fn ticks_between(pane: &Value) -> Option<u64> {
    let rows = pane
        .get("process_tree")?
        .as_array()?
        .iter()
        .chain(pane.get("descendants").and_then(Value::as_array).into_iter().flatten());
    let mut sum = None;
    for row in rows {
        let on_terminal = row.get("same_tty").and_then(Value::as_bool).unwrap_or(true);
        if on_terminal && number(row.get("pgid")) != number(row.get("tpgid")) {
            continue;
        }
        if let Some((old, new)) = number(row.get("cpu_ticks")).zip(number(row.get("cpu_ticks_next"))) {
            sum = Some(sum.unwrap_or(0) + u64::try_from(new - old).unwrap_or(0));
        }
    }
    sum
}
