//! `capture_since`.

use crate::mcp::host::Host;
use crate::mcp::id::{self, PaneArg};
use crate::mcp::limits::{PANE_TEXT_BYTES, TAIL_TIME};
use crate::mcp::outcome::Problem;
use crate::mcp::plain;
use crate::mcp::registry::{self, schema, Call, Capability, Hints, Run, Tool, Toolset};
use crate::mcp::tap::{Ended, Opened, Tail, Taps};
use crate::mcp::views::newest;
use crate::model::PaneId;
use crate::tmux::drive::daemon;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use std::time::Instant;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "capture_since",
    title: "Read New Pane Output",
    description:
        "Read what a pane has printed since the last call. The first call, without cursor, returns the screen and a cursor; \
        give that to the next. New text is the raw output: redrawn lines repeat. missed: something is not in it, since the \
        pane printed more than is kept, or is no longer followed (10 minutes without a call, 8 panes at once); then text is \
        the screen, or the newest of it. Meanwhile the pane's pipe (pipe-pane) is used; if its user has it, the screen is \
        looked at: source.",
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
    /// From the last reply; omit to begin.
    #[serde(default)]
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    pane: String,
    text: String,
    /// For the next call.
    cursor: String,
    /// Whether output is missing before the text.
    missed: bool,
    /// Whether nothing will follow.
    closed: bool,
    /// Whether the text is the screen, not what is new.
    first: bool,
    /// `pipe` or `screen`.
    source: &'static str,
}

async fn run(host: Arc<Host>, arguments: JsonObject, _: Call) -> Result<Value, Problem> {
    let args: Args = registry::read(arguments)?;
    let pane = args.pane.0;
    let Some(text) = args.cursor else {
        return begin(&host, pane, false).await;
    };
    let cursor = Cursor::read(&text).filter(|cursor| cursor.pane == pane);
    let Some(cursor) = cursor else {
        return Err(Problem::input(format!(
            "this cursor is none that capture_since gave for {pane}"
        )));
    };
    let Some(mut tail) = host.taps.kept(&cursor.tail).filter(|tail| tail.pane == pane) else {
        return begin(&host, pane, true).await;
    };
    let news = tail.tap.since(cursor.offset);
    if cursor.offset > news.end {
        return Err(Problem::input(format!(
            "this cursor is none that capture_since gave for {pane}"
        )));
    }
    if let Some(Ended::Lost(problem)) = news.ended {
        return Err(problem);
    }
    tail.asked = Instant::now();
    host.taps.keep(tail);
    let closed = news.ended.is_some();
    let (text, taken) = plain::strip(&news.bytes, closed);
    let left = u64::try_from(news.bytes.len() - taken).unwrap_or(0);
    registry::reply(Reply {
        pane: pane.to_string(),
        text: newest(&text, None, PANE_TEXT_BYTES).text + if text.ends_with('\n') { "\n" } else { "" },
        cursor: Cursor {
            offset: news.end - left,
            ..cursor
        }
        .write(),
        missed: news.missed,
        closed,
        first: false,
        source: news.source.as_str(),
    })
}

/// Follows a pane from now on.
async fn begin(host: &Arc<Host>, pane: PaneId, missed: bool) -> Result<Value, Problem> {
    let Opened { tap, offset, sight } = Taps::open(host, pane).await?;
    let source = tap.since(offset).source;
    let id = daemon::mark();
    host.taps.keep(Tail {
        id: id.clone(),
        pane,
        tap,
        asked: Instant::now(),
    });
    forget_later(host);
    let text = sight.rows.join("\n");
    registry::reply(Reply {
        pane: pane.to_string(),
        text: newest(text.trim_end_matches('\n'), None, PANE_TEXT_BYTES).text,
        cursor: Cursor { pane, tail: id, offset }.write(),
        missed,
        closed: sight.dead,
        first: true,
        source: source.as_str(),
    })
}

/// Lets go of this pane, too, when nobody asks for it any more.
fn forget_later(host: &Arc<Host>) {
    let host = Arc::clone(host);
    tokio::spawn(async move {
        let mut wait = Some(TAIL_TIME);
        while let Some(time) = wait {
            tokio::time::sleep(time).await;
            wait = host.taps.let_go();
        }
    });
}

/// A place in what a pane prints.
struct Cursor {
    pane: PaneId,
    tail: String,
    offset: u64,
}

impl Cursor {
    fn write(&self) -> String {
        format!("{}:{}:{}", self.pane, self.tail, self.offset)
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let pane = PaneId(id::number(parts.next()?, "%")?);
        let tail = parts.next()?;
        let offset = parts.next()?.parse().ok()?;
        let plain = !tail.is_empty() && tail.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (plain && parts.next().is_none()).then(|| Self {
            pane,
            tail: tail.to_owned(),
            offset,
        })
    }
}
