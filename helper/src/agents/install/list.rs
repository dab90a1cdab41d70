//! The agents whose hooks can be set: where each keeps its settings, and which of its events are reported.
//!
//! Events that begin or end something are enough; each costs the agent the start of a process.

use super::own;

/// An agent whose hooks can be set.
#[derive(Debug)]
pub struct Agent {
    /// The name of its rule file.
    pub id: &'static str,
    /// Its folder of settings.
    pub(super) home: Home,
    /// The file in it that holds hooks.
    pub(super) file: &'static str,
    pub(super) shape: Shape,
    /// What its user has to know.
    pub note: Option<&'static str>,
}

/// Where its folder is: what a variable names, or below the home.
#[derive(Debug)]
pub(super) struct Home {
    pub variable: &'static str,
    pub below_variable: &'static str,
    pub below_home: &'static str,
}

#[derive(Debug)]
pub(super) enum Shape {
    /// Its settings, with what they hold besides.
    Settings {
        events: &'static [Event],
        /// Those that every version knows, where older ones refuse their settings for an event that they do not know.
        old_events: Option<&'static [Event]>,
        /// In the agent's own unit.
        timeout: u32,
        /// Whether entries have names.
        named: bool,
    },
    /// A file of our own, made from the helper's path.
    Own(fn(&str) -> String),
}

/// An event, and which of its kinds are meant where the agent can tell.
pub(super) type Event = (&'static str, Option<&'static str>);

/// The first Claude Code that knows all of [`CLAUDE`].
pub(super) const CLAUDE_KNOWS: [u32; 3] = [2, 1, 78];
const CLAUDE: &[Event] = &[
    ("SessionStart", None),
    ("UserPromptSubmit", None),
    ("PreToolUse", None),
    ("PermissionRequest", None),
    ("PostToolUse", None),
    ("PostToolUseFailure", None),
    ("Notification", Some("elicitation_dialog")),
    ("PreCompact", None),
    ("PostCompact", None),
    ("Stop", None),
    ("StopFailure", None),
    ("SessionEnd", None),
];
const OLD_CLAUDE: &[Event] = &[
    ("SessionStart", None),
    ("UserPromptSubmit", None),
    ("PreToolUse", None),
    ("PostToolUse", None),
    ("Notification", None),
    ("Stop", None),
    ("SessionEnd", None),
];
const CODEX: &[Event] = &[
    ("SessionStart", None),
    ("UserPromptSubmit", None),
    ("PreToolUse", None),
    ("PermissionRequest", None),
    ("PostToolUse", None),
    ("PreCompact", None),
    ("PostCompact", None),
    ("Interrupt", None),
    ("Stop", None),
    ("SessionEnd", None),
];
const GEMINI: &[Event] = &[
    ("SessionStart", None),
    ("BeforeAgent", None),
    ("BeforeTool", None),
    ("AfterTool", None),
    ("Notification", None),
    ("AfterAgent", None),
    ("SessionEnd", None),
];
const QWEN: &[Event] = &[
    ("SessionStart", None),
    ("UserPromptSubmit", None),
    ("PermissionRequest", None),
    ("PreToolUse", None),
    ("PostToolUse", None),
    ("PostToolUseFailure", None),
    ("Stop", None),
    ("StopFailure", None),
    ("SessionEnd", None),
];
/// Every agent whose hooks can be set.
pub const AGENTS: &[Agent] = &[
    Agent {
        id: "claude",
        home: Home {
            variable: "CLAUDE_CONFIG_DIR",
            below_variable: "",
            below_home: ".claude",
        },
        file: "settings.json",
        shape: Shape::Settings {
            events: CLAUDE,
            old_events: Some(OLD_CLAUDE),
            timeout: 5,
            named: false,
        },
        note: None,
    },
    Agent {
        id: "codex",
        home: Home {
            variable: "CODEX_HOME",
            below_variable: "",
            below_home: ".codex",
        },
        file: "hooks.json",
        shape: Shape::Settings {
            events: CODEX,
            old_events: None,
            timeout: 5,
            named: false,
        },
        note: Some(
            "Codex asks at its next start whether you trust these hooks, and runs none before you do; \
             with its background server hooks cannot tell their pane, so only codex --no-daemon reports",
        ),
    },
    Agent {
        id: "copilot",
        home: Home {
            variable: "COPILOT_HOME",
            below_variable: "",
            below_home: ".copilot",
        },
        file: "hooks/tmux-status.json",
        shape: Shape::Own(own::copilot),
        note: None,
    },
    Agent {
        id: "gemini",
        home: Home {
            variable: "GEMINI_CLI_HOME",
            below_variable: ".gemini",
            below_home: ".gemini",
        },
        file: "settings.json",
        shape: Shape::Settings {
            events: GEMINI,
            old_events: None,
            timeout: 5000,
            named: true,
        },
        note: None,
    },
    Agent {
        id: "opencode",
        home: Home {
            variable: "XDG_CONFIG_HOME",
            below_variable: "opencode",
            below_home: ".config/opencode",
        },
        file: "plugins/tmux-status.js",
        shape: Shape::Own(own::opencode),
        note: None,
    },
    Agent {
        id: "qwen",
        home: Home {
            variable: "QWEN_HOME",
            below_variable: "",
            below_home: ".qwen",
        },
        file: "settings.json",
        // Older versions read milliseconds; newer ones read seconds, and milliseconds from 1000 on.
        shape: Shape::Settings {
            events: QWEN,
            old_events: None,
            timeout: 5000,
            named: true,
        },
        note: None,
    },
];
