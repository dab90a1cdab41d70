//! `get_status`: what every window is doing and which one needs its user, as the status line has it.

use crate::classify::Source;
use crate::fault::Fault;
use crate::mcp::host::Host;
use crate::mcp::id::SessionArg;
use crate::mcp::outcome::{Kind, Problem};
use crate::mcp::registry::{ask, schema, Capability, Hints, Run, Tool, Toolset};
use crate::model::{Link, Need, StatusKind};
use crate::reader::{Files, Look};
use crate::refresh;
use crate::status::state::{KnownPane, KnownSession, State};
use crate::status::window::KnownWindow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "get_status",
    title: "Get Status",
    description:
        "Tell what every window is doing (active, running, waiting, idle, error), what it needs its user for, in \
        a line, since when and from which evidence: the same that the status line shows. Prefer it to reading screens. \
        More than 90 s of age_seconds: nothing keeps it up to date.",
    toolset: Toolset::Inspect,
    hints: Hints::READ,
    capability: Capability::SCREEN,
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Asks(|host, arguments| ask(host, arguments, run)),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Only this session: `$` id or exact name.
    #[serde(default)]
    session: Option<SessionArg>,
    /// Only windows of these kinds.
    #[serde(default)]
    kinds: Option<Vec<KindArg>>,
    /// Only windows that need their user.
    #[serde(default)]
    needing: bool,
    /// Tell the evidence, too.
    #[serde(default)]
    evidence: bool,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum KindArg {
    Active,
    Running,
    Waiting,
    Idle,
    Error,
}

impl From<StatusKind> for KindArg {
    fn from(kind: StatusKind) -> Self {
        match kind {
            StatusKind::Active => Self::Active,
            StatusKind::Running => Self::Running,
            StatusKind::Waiting => Self::Waiting,
            StatusKind::Idle => Self::Idle,
            StatusKind::Error => Self::Error,
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct Reply {
    /// In tmux's order.
    sessions: Vec<SessionStatus>,
    /// Windows of the server that need their user, whatever was asked for.
    needing: usize,
    /// Windows of the server.
    windows: usize,
    /// Epoch seconds.
    generated_at: u64,
    /// How old that is.
    age_seconds: u64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct SessionStatus {
    session_id: String,
    name: String,
    attached: bool,
    windows: Vec<WindowStatus>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct WindowStatus {
    window_id: String,
    /// The pane that speaks for it.
    pane_id: String,
    index: u32,
    name: String,
    /// `session:index`.
    target: String,
    active: bool,
    /// What it is doing.
    kind: KindArg,
    /// `permission`, `question`, `failed` or `done`; absent when it needs nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    need: Option<&'static str>,
    summary: String,
    /// What the rules say, where a model has worded the summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_rules: Option<ByRules>,
    /// Epoch seconds at which its kind began.
    since: u64,
    /// Epoch seconds at which its need came up.
    #[serde(skip_serializing_if = "Option::is_none")]
    need_since: Option<u64>,
    /// The foreground program.
    command: String,
    /// Which coding agent runs in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    /// What it rests on: `hook`, `record`, `shell`, `screen` or `process`.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    /// Whether its user has put it aside.
    parked: bool,
    /// Clauses, the strongest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Vec<String>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct ByRules {
    kind: KindArg,
    summary: String,
}

fn run(host: &Host, args: Args) -> Result<Reply, Problem> {
    let look = look(host)?;
    if look.ended {
        return Err(Problem::new(
            Kind::ServerGone,
            "the server that the status is of has ended",
        ));
    }
    let state = &look.state;
    let named = args.session.as_ref();
    let wanted = |session: &&KnownSession| named.is_none_or(|named| is(session, named, state));
    let sessions: Vec<&KnownSession> = state.sessions.iter().filter(wanted).collect();
    if let Some(named) = named.filter(|_| sessions.is_empty()) {
        return Err(Problem::gone(format!("the status knows no session {}", named.shown())));
    }
    let (windows, needing) = state.counts();
    Ok(Reply {
        sessions: sessions
            .into_iter()
            .map(|session| tell(state, session, &args))
            .collect(),
        needing,
        windows,
        generated_at: state.generated_at,
        age_seconds: (refresh::now_ms() / 1000).saturating_sub(state.generated_at),
    })
}

/// An id goes before a name.
fn is(session: &KnownSession, named: &SessionArg, state: &State) -> bool {
    let by_id = |session: &KnownSession| Some(session.id) == named.id();
    by_id(session) || session.name == named.0 && !state.sessions.iter().any(by_id)
}

fn look(host: &Host) -> Result<Look<KnownPane>, Problem> {
    let look = Files::find(&host.tmux, host.flag()).and_then(|files| files.look());
    look.map_err(|error| {
        let hint = error.downcast_ref::<Fault>().and_then(|fault| fault.hint.clone());
        let hint = hint.map(|hint| format!(" ({hint})")).unwrap_or_default();
        let mut problem = Problem::refused(format!("{error:#}{hint}"));
        problem.retryable = true;
        problem
    })
}

fn tell(state: &State, session: &KnownSession, args: &Args) -> SessionStatus {
    let places = session
        .windows
        .iter()
        .filter_map(|link| Some((link, state.windows.get(&link.window)?)));
    let wanted = |(_, window): &(&Link, &KnownWindow)| {
        let kind = KindArg::from(window.kind);
        args.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind)) && (!args.needing || window.calls().is_some())
    };
    SessionStatus {
        session_id: session.id.to_string(),
        name: session.name.clone(),
        attached: session.attached > 0,
        windows: places
            .filter(wanted)
            .map(|(link, window)| tell_window(state, session, link, window, args.evidence))
            .collect(),
    }
}

fn tell_window(
    state: &State,
    session: &KnownSession,
    link: &Link,
    window: &KnownWindow,
    evidence: bool,
) -> WindowStatus {
    let verdict = state.panes.get(&window.pane).map(|pane| &pane.memory.verdict);
    let agent = verdict.filter(|verdict| verdict.agent);
    WindowStatus {
        window_id: link.window.to_string(),
        pane_id: window.pane.to_string(),
        index: link.index,
        name: window.name.clone(),
        target: format!("{}:{}", session.name, link.index),
        active: link.active,
        kind: window.kind.into(),
        need: window.calls().map(Need::as_str),
        summary: window.summary.clone(),
        by_rules: window.by_rules.as_ref().map(|evident| ByRules {
            kind: evident.kind.into(),
            summary: evident.summary.clone(),
        }),
        since: window.since,
        need_since: window.calls().and(window.need_since),
        command: window.command.clone(),
        agent: agent.map(|verdict| verdict.program.clone().unwrap_or_else(|| window.command.clone())),
        source: verdict.map(|verdict| Source::of(verdict).as_str()),
        parked: window.parked,
        evidence: verdict.filter(|_| evidence).map(|verdict| verdict.evidence.clone()),
    }
}
