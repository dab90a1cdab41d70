//! `search_panes`.

use crate::mcp::host::Host;
use crate::mcp::id::{SessionArg, WindowArg};
use crate::mcp::limits::{PATTERN_BYTES, SEARCH_BYTES, SEARCH_LINES, SEARCH_MATCHES, SEARCH_PANES, SEARCH_TIME};
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::model::PaneId;
use crate::tmux::drive::search::{self, Place, Scope};
use regex::{Regex, RegexBuilder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "search_panes",
    title: "Search Pane Contents",
    description:
        "Find text on many panes at once: which one shows the error. Reads up to 64 panes, 8,192 lines and 1 MiB, \
        and compares for 250 ms at most; `limit` names what stopped it.",
    toolset: Toolset::Inspect,
    hints: Hints::READ_SCREEN,
    capability: Capability::SCREEN,
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Text to look for, at most 4,096 bytes.
    #[schemars(length(max = 4096))]
    pattern: String,
    /// Take it as a regular expression (Rust's, linear in time).
    #[serde(default)]
    regex: bool,
    /// Tell capitals from small letters.
    #[serde(default)]
    match_case: bool,
    /// Search what has scrolled off, too.
    #[serde(default)]
    history: bool,
    /// Only this session: `$` id or exact name.
    #[serde(default)]
    session: Option<SessionArg>,
    /// Only this window: `@` id.
    #[serde(default)]
    window: Option<WindowArg>,
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// In tmux's order, top first.
    matches: Vec<Match>,
    /// How many panes were read.
    panes_searched: usize,
    /// Whether there may be more.
    capped: bool,
    /// Why: `panes`, `lines`, `bytes`, `time` or `matches`.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Match {
    /// Its pane.
    pane: String,
    /// That pane's window.
    window_id: String,
    /// Its place among the lines that were read, from 0 at the top.
    line: usize,
    /// The line.
    text: String,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let pattern = compile(&args)?;
    let read = read(host, &args)?;
    Ok(find(&pattern, &read))
}

fn compile(args: &Args) -> Result<Regex, Problem> {
    let bytes = args.pattern.len();
    if bytes == 0 || bytes > PATTERN_BYTES {
        return Err(Problem::input(format!(
            "pattern takes 1 to {PATTERN_BYTES} bytes; this one takes {bytes}"
        )));
    }
    let pattern = if args.regex {
        args.pattern.clone()
    } else {
        regex::escape(&args.pattern)
    };
    RegexBuilder::new(&pattern)
        .case_insensitive(!args.match_case)
        .build()
        .map_err(|error| Problem::input(format!("pattern is no regular expression: {error}")))
}

/// What is searched, in order, and what stopped the reading.
struct Read {
    panes: Vec<(Place, String)>,
    limit: Option<&'static str>,
}

fn read(host: &Host, args: &Args) -> Result<Read, Problem> {
    let tmux = &host.tmux;
    let window = args.window.map(|window| window.0);
    let session = args.session.as_ref();
    let (places, mut screens) = if args.history {
        (search::all_places(tmux)?, HashMap::new())
    } else {
        let session = session.and_then(SessionArg::id);
        search::screens(tmux, Scope { session, window })?
    };
    if let Some(window) = window.filter(|window| places.iter().all(|place| place.window != *window)) {
        return Err(Problem::gone(format!("there is no window {window}")));
    }
    let in_session =
        |place: &Place| session.is_none_or(|named| Some(place.session) == named.id() || place.session_name == named.0);
    if let Some(named) = session.filter(|_| !places.iter().any(in_session)) {
        return Err(Problem::gone(format!("there is no session {}", named.shown())));
    }
    let mut seen = BTreeSet::new();
    let mut wanted: Vec<Place> = places.into_iter().filter(in_session).collect();
    wanted.retain(|place| window.is_none_or(|window| place.window == window) && seen.insert(place.pane));
    let mut limit = (wanted.len() > SEARCH_PANES).then_some("panes");
    wanted.truncate(SEARCH_PANES);
    if args.history {
        let (ask, short) = budget(&wanted);
        limit = limit.or(short.then_some("lines"));
        screens = search::histories(tmux, &ask)?;
    }
    let panes = wanted.into_iter().filter_map(|place| {
        let text = screens.remove(&place.pane)?;
        Some((place, text))
    });
    Ok(Read {
        panes: panes.collect(),
        limit,
    })
}

/// How many lines above its screen are asked of each pane, so that all together are no more than may be read; and whether
/// that leaves some out.
fn budget(places: &[Place]) -> (Vec<(PaneId, u32)>, bool) {
    let rows: usize = places.iter().map(|place| place.height as usize).sum();
    let mut left = SEARCH_LINES.saturating_sub(rows);
    let mut short = false;
    let ask = places.iter().map(|place| {
        let above = (place.history as usize).min(left);
        short |= above < place.history as usize;
        left -= above;
        (place.pane, u32::try_from(above).unwrap_or(u32::MAX))
    });
    (ask.collect(), short)
}

fn find(pattern: &Regex, read: &Read) -> Reply {
    let began = Instant::now();
    let mut reply = Reply {
        matches: Vec::new(),
        panes_searched: 0,
        capped: false,
        limit: read.limit,
    };
    let (mut lines, mut bytes) = (0, 0);
    'panes: for (place, text) in &read.panes {
        reply.panes_searched += 1;
        for (line, text) in text.lines().enumerate() {
            lines += 1;
            bytes += text.len() + 1;
            let limits = [
                ("lines", lines > SEARCH_LINES),
                ("bytes", bytes > SEARCH_BYTES),
                ("time", began.elapsed() > SEARCH_TIME),
                (
                    "matches",
                    reply.matches.len() >= SEARCH_MATCHES && pattern.is_match(text),
                ),
            ];
            if let Some((limit, _)) = limits.into_iter().find(|(_, hit)| *hit) {
                reply.limit = Some(limit);
                break 'panes;
            }
            if pattern.is_match(text) {
                reply.matches.push(Match {
                    pane: place.pane.to_string(),
                    window_id: place.window.to_string(),
                    line,
                    text: text.to_owned(),
                });
            }
        }
    }
    reply.capped = reply.limit.is_some();
    reply
}
