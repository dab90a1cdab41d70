//! `wait_for_text`.

use crate::mcp::host::Host;
use crate::mcp::id::PaneArg;
use crate::mcp::limits::PANE_TEXT_BYTES;
use crate::mcp::matching::{Echoes, Old, Patterns};
use crate::mcp::outcome::Problem;
use crate::mcp::plain::{self, Lines};
use crate::mcp::registry::{self, schema, Call, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tap::{Ended, News, Opened, Source, Taps};
use crate::mcp::views::newest;
use crate::mcp::wait;
use crate::model::PaneId;
use crate::tmux::drive::pipe::{self, Sight};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use tokio::time::{sleep_until, Instant};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "wait_for_text",
    title: "Wait For Pane Text",
    description:
        "Wait until a pane prints a line with one of the patterns, or any output. Sees what scrolls past; text is the raw \
        output, so redrawn lines repeat. What this server typed itself does not count, what programs print does. \
        present_at_entry: it stood there before; pending: only in the line being typed. Wait for your failure words, too: \
        stop. Meanwhile the pane's pipe (pipe-pane) is used; if its user has it, the screen is looked at: source.",
    toolset: Toolset::Inspect,
    hints: Hints::READ_SCREEN,
    capability: Capability::SCREEN,
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Waits(|host, arguments, call| Box::pin(run(host, arguments, call))),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// `%` id.
    pane: PaneArg,
    /// Text within a line, each at most 4096 bytes; any output when omitted.
    #[serde(default)]
    #[schemars(length(max = 32))]
    patterns: Option<Vec<String>>,
    /// Text that ends the wait as a failure.
    #[serde(default)]
    #[schemars(length(max = 32))]
    stop: Option<Vec<String>>,
    /// Both are regular expressions.
    #[serde(default)]
    regex: bool,
    /// Case matters.
    #[serde(default)]
    match_case: bool,
    /// 30 when omitted, at most 600; 0 looks once.
    #[serde(default)]
    seconds: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Outcome {
    PresentAtEntry,
    Pending,
    Matched,
    Stopped,
    Deadline,
    PaneClosed,
    Cancelled,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    pane: String,
    outcome: Outcome,
    /// What the pane has printed meanwhile.
    text: String,
    /// How many bytes that was at first.
    bytes: u64,
    /// Place of the pattern in its list.
    #[serde(skip_serializing_if = "Option::is_none")]
    matched_index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched_pattern: Option<String>,
    /// `pipe`: all output was seen; `screen`: the pane's pipe is in use, so what came and went between two looks was not.
    source: &'static str,
    /// The deadline that was kept.
    effective_seconds: u64,
}

struct Wait {
    host: Arc<Host>,
    pane: PaneId,
    patterns: Patterns,
    stop: Patterns,
    echoes: Echoes,
}

type Found = (Outcome, Option<(usize, String)>);

async fn run(host: Arc<Host>, arguments: JsonObject, call: Call) -> Result<Value, Problem> {
    let args: Args = registry::read(arguments)?;
    let compile = |name, list: Option<Vec<String>>| {
        Patterns::compile(name, list.unwrap_or_default(), args.regex, args.match_case)
    };
    let mut wait = Wait {
        patterns: compile("patterns", args.patterns)?,
        stop: compile("stop", args.stop)?,
        host: Arc::clone(&host),
        pane: args.pane.0,
        echoes: Echoes::default(),
    };
    let (pane, seconds) = (args.pane.0, wait::seconds(args.seconds));
    let reply = |(outcome, found): Found, news: &News, bytes: &[u8], count| {
        let (text, _) = plain::strip(bytes, true);
        let (matched_index, matched_pattern) = found.unzip();
        registry::reply(Reply {
            pane: pane.to_string(),
            outcome,
            text: newest(&text, None, PANE_TEXT_BYTES).text,
            bytes: count,
            matched_index,
            matched_pattern,
            source: news.source.as_str(),
            effective_seconds: seconds,
        })
    };
    if seconds == 0 {
        let sight = host
            .ask(move |host| Ok(pipe::sight(&host.tmux, pane, 0, None)?))
            .await?;
        let closed = if sight.dead {
            Outcome::PaneClosed
        } else {
            Outcome::Deadline
        };
        let found = wait.at_entry(&sight).unwrap_or((closed, None));
        let once = News {
            bytes: Vec::new(),
            end: 0,
            missed: false,
            ended: None,
            respawns: 0,
            source: Source::Screen,
        };
        return reply(found, &once, &[], 0);
    }
    let end = Instant::now() + wait::duration(args.seconds);
    let Opened { tap, offset, sight } = Taps::open(&host, pane).await?;
    let mut listen = tap.listen();
    if let Some(found) = wait.at_entry(&sight) {
        return reply(found, &tap.since(offset), &[], 0);
    }
    let row = sight.rows.get(sight.cursor_y).map(String::as_str).unwrap_or_default();
    let before: String = row.chars().chain(std::iter::repeat(' ')).take(sight.cursor_x).collect();
    let mut lines = Lines::new(sight.width, &before);
    let mut old = before.len();
    let (mut at, mut bytes) = (offset, Vec::new());
    loop {
        let news = tap.since(at);
        at = news.end;
        bytes.extend_from_slice(&news.bytes);
        let surplus = bytes.len().saturating_sub(PANE_TEXT_BYTES);
        bytes.drain(..surplus);
        if let Some(found) = wait.in_news(&mut lines, &mut old, &news.bytes) {
            return reply(found, &news, &bytes, at - offset);
        }
        match &news.ended {
            Some(Ended::Closed) => return reply((Outcome::PaneClosed, None), &news, &bytes, at - offset),
            Some(Ended::Lost(problem)) => return Err(problem.clone()),
            None => {}
        }
        tokio::select! {
            _ = listen.changed() => {}
            () = sleep_until(end) => {
                let news = tap.since(at);
                bytes.extend_from_slice(&news.bytes);
                let found = wait.in_news(&mut lines, &mut old, &news.bytes).unwrap_or((Outcome::Deadline, None));
                return reply(found, &news, &bytes, news.end - offset);
            }
            () = call.cancelled.cancelled() => return reply((Outcome::Cancelled, None), &news, &bytes, at - offset),
        }
    }
}

impl Wait {
    /// What stands there before anything is waited for.
    fn at_entry(&mut self, sight: &Sight) -> Option<Found> {
        let (rows, cursor) = joined(sight);
        let ours = self.host.typed.of(self.pane);
        let above = rows.get(..cursor).unwrap_or_default();
        let echoes = self.echoes.on_screen(above, &ours);
        if self.patterns.is_empty() && self.stop.is_empty() {
            return None;
        }
        let old = |at: usize| {
            let typed = echoes.iter().find(|(row, _)| *row == at).map(|(_, start)| *start);
            Old::new(0, typed)
        };
        // What failed since we typed last, and not what failed before.
        let since = echoes.iter().map(|(row, _)| row + 1).max().unwrap_or(usize::MAX);
        let (mut present, mut stopped) = (None, None);
        for (at, row) in rows.iter().enumerate().filter(|(at, _)| *at != cursor) {
            let found = |patterns: &Patterns| patterns.find(row, &old(at)).map(|(at, found)| (at, found.to_owned()));
            present = present.or_else(|| found(&self.patterns));
            if at >= since {
                stopped = stopped.or_else(|| found(&self.stop));
            }
        }
        if let Some(found) = present {
            return Some((Outcome::PresentAtEntry, Some(found)));
        }
        if let Some(found) = stopped {
            return Some((Outcome::Stopped, Some(found)));
        }
        let row = rows.get(cursor)?;
        let found = self.patterns.find(row, &Old::NONE)?;
        // A line of ours that was submitted just now is about to become one above.
        let echo = self.echoes.open(row, &ours).map(|start| Old::new(0, Some(start)));
        let ours_only = echo.is_some_and(|old| self.patterns.find(row, &old).is_none());
        (!ours_only || !ours.pending.is_empty()).then(|| (Outcome::Pending, Some((found.0, found.1.to_owned()))))
    }

    /// What has come since.
    fn in_news(&mut self, lines: &mut Lines, before: &mut usize, bytes: &[u8]) -> Option<Found> {
        if bytes.is_empty() {
            return None;
        }
        let ours = self.host.typed.of(self.pane);
        for line in lines.feed(bytes) {
            let old = Old::new(*before, self.echoes.ended(&line, &ours));
            *before = 0;
            if let Some(found) = self.judge(&line, &old) {
                return Some(found);
            }
        }
        let line = lines.current();
        *before = (*before).min(line.len());
        let old = Old::new(*before, self.echoes.open(&line, &ours));
        self.judge(&line, &old)
    }

    fn judge(&self, line: &str, old: &Old) -> Option<Found> {
        let owned = |(at, pattern): (usize, &str)| (at, pattern.to_owned());
        if let Some(found) = self.stop.find(line, old) {
            return Some((Outcome::Stopped, Some(owned(found))));
        }
        if self.patterns.is_empty() {
            return old.leaves_any(line).then_some((Outcome::Matched, None));
        }
        self.patterns
            .find(line, old)
            .map(|found| (Outcome::Matched, Some(owned(found))))
    }
}

/// The lines of a screen, where those that fill a row go on in the next, and which one has the cursor.
fn joined(sight: &Sight) -> (Vec<String>, usize) {
    let (mut lines, mut cursor, mut goes_on): (Vec<String>, usize, bool) = (Vec::new(), 0, false);
    for (at, row) in sight.rows.iter().enumerate() {
        match lines.last_mut().filter(|_| goes_on) {
            Some(line) => line.push_str(row),
            None => lines.push(row.clone()),
        }
        if at == sight.cursor_y {
            cursor = lines.len() - 1;
        }
        goes_on = crate::text::width(row) >= sight.width;
    }
    (lines, cursor)
}
