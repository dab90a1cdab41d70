//! The files that are all ours: Copilot's hooks, and a plugin for OpenCode.

use super::{call, edit};

const COPILOT: &[&str] = &[
    "sessionStart",
    "userPromptSubmitted",
    "preToolUse",
    "notification",
    "postToolUse",
    "agentStop",
    "errorOccurred",
    "sessionEnd",
];

/// Copilot's file of hooks.
pub fn copilot(helper: &str) -> String {
    let entry = |event: &&str| {
        let command = edit::quoted(&call::command(helper, "copilot", Some(event)));
        format!("    \"{event}\": [{{ \"type\": \"command\", \"bash\": {command}, \"timeoutSec\": 5 }}]")
    };
    let entries: Vec<_> = COPILOT.iter().map(entry).collect();
    format!(
        "{{\n  \"version\": 1,\n  \"hooks\": {{\n{}\n  }}\n}}\n",
        entries.join(",\n")
    )
}

/// The line of the plugin that names the helper, but for the name.
const JS_HELPER: &str = "const HELPER = ";

/// OpenCode's plugin.
pub fn opencode(helper: &str) -> String {
    include_str!("opencode.js").replace("\"{helper}\"", &edit::quoted(helper))
}

/// The helper that a file of our own calls.
pub fn helper_of(text: &str, agent: &str) -> Option<String> {
    let literals = text.lines().filter_map(|line| match line.strip_prefix(JS_HELPER) {
        Some(literal) => Some(literal.to_owned()),
        None => Some(
            line.split_once("\"bash\": ")?
                .1
                .rsplit_once(", \"timeoutSec\"")?
                .0
                .to_owned(),
        ),
    });
    literals
        .filter_map(|literal| serde_json::from_str::<String>(&literal).ok())
        .find_map(|found| {
            call::helper_of(&found, agent)
                .or_else(|| found.starts_with('/').then_some(found).filter(|_| agent == "opencode"))
        })
}
