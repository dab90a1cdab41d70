//! What an agent's hook says: from the JSON that the agent hands to its hooks to a state and a line of text.
//!
//! Pure. The events of each agent are tables, as they were seen to come; an event that is in none says nothing. A hook
//! announces what begins or ends; what a user does to it (Esc, a refusal) many agents announce to nobody, so a report is
//! only ever as good as the look that weighs it.

use super::tool;
use crate::model::Reported::{self, Done, Error, Permission, Question, Waiting, Working};
use serde_json::Value;

/// What is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The state; `None` takes the last report back.
    pub state: Option<Reported>,
    /// What is added to it; untrusted, may be empty.
    pub text: String,
}

/// What one event of an agent means.
struct Event {
    name: &'static str,
    when: When,
    says: Says,
    text: Text,
}

/// Which payloads of an event are meant; the first entry that fits holds.
enum When {
    Always,
    /// The value at this place is one of these words.
    Is(&'static str, &'static [&'static str]),
    /// The text at this place has these words.
    Says(&'static str, &'static str),
    /// The value at this place is true.
    True(&'static str),
    /// Something that the agent has started and waits for still runs.
    Background,
}

enum Says {
    State(Reported),
    Clear,
    Nothing,
}

/// Where the text comes from.
enum Text {
    Empty,
    Words(&'static str),
    /// The tool and what it is used on.
    Tool,
    /// The tool that a message names.
    Named(&'static str),
    /// The question that a tool asks.
    Question,
    /// The first line of the first of these places that holds one.
    At(&'static [&'static str]),
    /// What still runs.
    Background,
}

const fn event(name: &'static str, when: When, says: Says, text: Text) -> Event {
    Event { name, when, says, text }
}

const NAME: &str = "/hook_event_name";
const TOOL: &str = "/tool_name";
/// Tools whose use is a question to the user.
const ASKING: &[&str] = &["AskUserQuestion", "ask_user_question", "request_user_input", "ask_user"];
/// Tools that ask the user to approve a plan.
const PLAN: &[&str] = &["ExitPlanMode", "exit_plan_mode"];
const APPROVE: Text = Text::Words("approve the plan?");
const COMPACTING: Text = Text::Words("compacting");
const MESSAGE: Text = Text::At(&["/message"]);

/// Claude Code, and those whose hooks have its shape: Codex, Qwen Code.
const CLAUDE: &[Event] = &[
    // In the middle of a turn.
    event(
        "SessionStart",
        When::Is("/source", &["compact"]),
        Says::Nothing,
        Text::Empty,
    ),
    event("SessionStart", When::Always, Says::State(Waiting), Text::Empty),
    event("UserPromptSubmit", When::Always, Says::State(Working), Text::Empty),
    event(
        "PreToolUse",
        When::Is(TOOL, ASKING),
        Says::State(Question),
        Text::Question,
    ),
    event("PreToolUse", When::Is(TOOL, PLAN), Says::State(Question), APPROVE),
    event("PreToolUse", When::Always, Says::State(Working), Text::Tool),
    event(
        "PermissionRequest",
        When::Is(TOOL, ASKING),
        Says::State(Question),
        Text::Question,
    ),
    event(
        "PermissionRequest",
        When::Is(TOOL, PLAN),
        Says::State(Question),
        APPROVE,
    ),
    event("PermissionRequest", When::Always, Says::State(Permission), Text::Tool),
    event("PostToolUse", When::Always, Says::State(Working), Text::Empty),
    event(
        "PostToolUseFailure",
        When::True("/is_interrupt"),
        Says::State(Waiting),
        Text::Words("interrupted"),
    ),
    event("PostToolUseFailure", When::Always, Says::State(Working), Text::Empty),
    // For versions that do not announce the request itself. The other types repeat what has been said.
    event(
        "Notification",
        When::Says("/message", "needs your permission"),
        Says::State(Permission),
        Text::Named("/message"),
    ),
    event(
        "Notification",
        When::Is("/notification_type", &["elicitation_dialog"]),
        Says::State(Question),
        MESSAGE,
    ),
    event("PreCompact", When::Always, Says::State(Working), COMPACTING),
    event(
        "PostCompact",
        When::Is("/trigger", &["manual"]),
        Says::State(Waiting),
        Text::Empty,
    ),
    event("PostCompact", When::Always, Says::State(Working), Text::Empty),
    event("Stop", When::Background, Says::State(Working), Text::Background),
    event(
        "Stop",
        When::Always,
        Says::State(Done),
        Text::At(&["/last_assistant_message"]),
    ),
    event(
        "StopFailure",
        When::Always,
        Says::State(Error),
        Text::At(&["/last_assistant_message", "/error_details", "/error"]),
    ),
    event(
        "Interrupt",
        When::Always,
        Says::State(Waiting),
        Text::Words("interrupted"),
    ),
    event("SessionEnd", When::Always, Says::Clear, Text::Empty),
];

const GEMINI: &[Event] = &[
    event("SessionStart", When::Always, Says::State(Waiting), Text::Empty),
    event("BeforeAgent", When::Always, Says::State(Working), Text::Empty),
    event(
        "BeforeTool",
        When::Is(TOOL, ASKING),
        Says::State(Question),
        Text::Question,
    ),
    event("BeforeTool", When::Is(TOOL, PLAN), Says::State(Question), APPROVE),
    event("BeforeTool", When::Always, Says::State(Working), Text::Tool),
    event("AfterTool", When::Always, Says::State(Working), Text::Empty),
    event(
        "Notification",
        When::Is("/details/type", ASKING),
        Says::State(Question),
        Text::Question,
    ),
    event(
        "Notification",
        When::Is("/details/type", PLAN),
        Says::State(Question),
        APPROVE,
    ),
    event(
        "Notification",
        When::Is("/notification_type", &["ToolPermission"]),
        Says::State(Permission),
        Text::Tool,
    ),
    event(
        "AfterAgent",
        When::Always,
        Says::State(Done),
        Text::At(&["/prompt_response"]),
    ),
    event("SessionEnd", When::Always, Says::Clear, Text::Empty),
];

/// `permissionRequest` is missing on purpose: it comes before the rules that may allow the tool without asking.
const COPILOT: &[Event] = &[
    event("sessionStart", When::Always, Says::State(Waiting), Text::Empty),
    event("userPromptSubmitted", When::Always, Says::State(Working), Text::Empty),
    event(
        "preToolUse",
        When::Is("/toolName", ASKING),
        Says::State(Question),
        Text::Question,
    ),
    event(
        "preToolUse",
        When::Is("/toolName", PLAN),
        Says::State(Question),
        APPROVE,
    ),
    event("preToolUse", When::Always, Says::State(Working), Text::Tool),
    event("postToolUse", When::Always, Says::State(Working), Text::Empty),
    event(
        "notification",
        When::Is("/notification_type", &["permission_prompt"]),
        Says::State(Permission),
        MESSAGE,
    ),
    event(
        "notification",
        When::Is("/notification_type", &["elicitation_dialog"]),
        Says::State(Question),
        MESSAGE,
    ),
    event("agentStop", When::Always, Says::State(Done), Text::Empty),
    // A tool that fails is told to the model, which goes on.
    event(
        "errorOccurred",
        When::Is("/errorContext", &["tool_execution"]),
        Says::Nothing,
        Text::Empty,
    ),
    event(
        "errorOccurred",
        When::Always,
        Says::State(Error),
        Text::At(&["/error/message", "/error/name"]),
    ),
    event("sessionEnd", When::Always, Says::Clear, Text::Empty),
];

/// As our own plugin hands them on.
const OPENCODE: &[Event] = &[
    event(
        "session.status",
        When::Is("/properties/status/type", &["busy"]),
        Says::State(Working),
        Text::Empty,
    ),
    event(
        "session.status",
        When::Is("/properties/status/type", &["retry"]),
        Says::State(Working),
        Text::At(&["/properties/status/message"]),
    ),
    event("session.idle", When::Always, Says::State(Done), Text::Empty),
    event(
        "tool.execute.before",
        When::Is("/tool", &["question"]),
        Says::Nothing,
        Text::Empty,
    ),
    event("tool.execute.before", When::Always, Says::State(Working), Text::Tool),
    event("tool.execute.after", When::Always, Says::State(Working), Text::Empty),
    event("permission.asked", When::Always, Says::State(Permission), Text::Tool),
    event("permission.replied", When::Always, Says::State(Working), Text::Empty),
    event("question.asked", When::Always, Says::State(Question), Text::Question),
    event("question.replied", When::Always, Says::State(Working), Text::Empty),
    event("question.rejected", When::Always, Says::State(Working), Text::Empty),
    event(
        "session.error",
        When::Is("/properties/error/name", &["MessageAbortedError"]),
        Says::State(Waiting),
        Text::Words("interrupted"),
    ),
    event(
        "session.error",
        When::Always,
        Says::State(Error),
        Text::At(&["/properties/error/data/message", "/properties/error/name"]),
    ),
];

/// What the hook of `agent` (the name of its rule file) says with this payload; `None` when it says nothing. `event` is
/// its name where the payload does not tell it.
pub fn said(agent: &str, event: Option<&str>, payload: &Value) -> Option<Said> {
    let (events, place) = match agent {
        "claude" | "codex" | "qwen" => (CLAUDE, NAME),
        "gemini" => (GEMINI, NAME),
        "copilot" => (COPILOT, ""),
        "opencode" => (OPENCODE, "/type"),
        _ => return None,
    };
    let name = event.or_else(|| payload.pointer(place)?.as_str())?;
    let found = events
        .iter()
        .find(|event| event.name == name && event.when.holds(payload))?;
    let state = match found.says {
        Says::State(state) => Some(state),
        Says::Clear => None,
        Says::Nothing => return None,
    };
    // What a subagent does is work of the turn, what it asks is asked; but no end of it is the end of the turn.
    let ends = !matches!(state, Some(Working | Permission | Question));
    let of_subagent = payload.get("agent_id").is_some_and(|id| !id.is_null());
    (!(ends && of_subagent)).then(|| Said {
        state,
        text: found.text.of(payload),
    })
}

/// Whether a process with these arguments works for several panes: Codex's server has the environment of the pane that
/// happened to start it.
pub fn is_server(arguments: &[String]) -> bool {
    arguments.iter().any(|argument| argument == "app-server")
}

impl When {
    fn holds(&self, payload: &Value) -> bool {
        match self {
            When::Always => true,
            When::Is(place, words) => payload
                .pointer(place)
                .and_then(Value::as_str)
                .is_some_and(|word| words.contains(&word)),
            When::Says(place, words) => payload
                .pointer(place)
                .and_then(Value::as_str)
                .is_some_and(|text| text.contains(words)),
            When::True(place) => payload.pointer(place) == Some(&Value::Bool(true)),
            When::Background => awaited(payload).is_some(),
        }
    }
}

impl Text {
    fn of(&self, payload: &Value) -> String {
        match self {
            Text::Empty => String::new(),
            Text::Words(words) => (*words).to_owned(),
            Text::Tool => tool::used(payload),
            Text::Named(place) => payload
                .pointer(place)
                .and_then(Value::as_str)
                .map_or_else(String::new, tool::named_in),
            Text::Question => tool::question(payload),
            Text::At(places) => places
                .iter()
                .find_map(|place| line_at(payload, place))
                .unwrap_or_default(),
            Text::Background => {
                let what = awaited(payload).and_then(|task| line_at(task, "/description"));
                what.map_or_else(|| "background work".to_owned(), |what| format!("background: {what}"))
            }
        }
    }
}

/// The first line of a text that is not blank. A text that is JSON itself (as some errors are) stands for its message.
fn line_at(payload: &Value, place: &str) -> Option<String> {
    let text = payload.pointer(place)?.as_str()?;
    if text.trim_start().starts_with('{') {
        if let Ok(inner) = serde_json::from_str::<Value>(text) {
            let message = inner.pointer("/message").or_else(|| inner.pointer("/error/message"));
            if let Some(message) = message.and_then(Value::as_str) {
                return tool::first_line(message);
            }
        }
    }
    tool::first_line(text)
}

/// A background task that ends with a turn of the agent's own. A shell may run for ever.
fn awaited(payload: &Value) -> Option<&Value> {
    let is = |task: &Value, key: &str, word: &str| task.get(key).and_then(Value::as_str) == Some(word);
    let tasks = payload.get("background_tasks")?.as_array()?;
    tasks
        .iter()
        .find(|task| is(task, "status", "running") && !is(task, "type", "shell"))
}

#[cfg(test)]
#[path = "payload_tests.rs"]
mod tests;
