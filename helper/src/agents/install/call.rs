//! The command line that an agent's hook runs: our helper, and how one of ours is told from anybody else's.

use crate::text::for_shell;

/// What comes before and after: a helper that is gone, or that fails, is nothing to the agent. Without the first, fish has
/// words to say about it, and some agents run hooks with their user's shell.
const START: &str = "test -x ";
const THEN: &str = " && ";
const END: &str = " >/dev/null 2>&1 || :";
const REPORT: &str = " report --hook ";

/// The command for sh that reports an event of `agent`; `event` where the payload does not name it.
pub fn command(helper: &str, agent: &str, event: Option<&str>) -> String {
    let event = event.map_or_else(String::new, |event| format!(" --event {event}"));
    let word = for_shell(helper);
    format!("{START}{word}{THEN}{word}{REPORT}{agent}{event}{END}")
}

/// The helper that `command` calls, if it is one of ours for `agent`, of this or another version. One that somebody has
/// built around it is theirs.
pub fn helper_of(command: &str, agent: &str) -> Option<String> {
    let (words, rest) = command.rsplit_once(REPORT)?;
    // The path, which may hold anything, stands there twice.
    let words = words.strip_prefix(START)?;
    let word = words.get(..words.len().checked_sub(THEN.len())? / 2)?;
    if words != format!("{word}{THEN}{word}") {
        return None;
    }
    let rest = rest.strip_prefix(agent)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || " -_>/&|:".contains(c);
    if !(rest.is_empty() || rest.starts_with(' ')) || !rest.chars().all(plain) {
        return None;
    }
    let inner = word.strip_prefix('\'').and_then(|word| word.strip_suffix('\''));
    let path = inner.map_or_else(|| word.to_owned(), |inner| inner.replace(r"'\''", "'"));
    (path.starts_with('/') && for_shell(&path) == word).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_of_ours_names_its_helper_whatever_its_path() {
        for path in [
            "/usr/bin/tmux-status",
            "/a b/it's/$(x)/tmux-status",
            "/a report --hook claude/x",
            "/é'/x",
        ] {
            let command = command(path, "claude", None);
            assert_eq!(helper_of(&command, "claude").as_deref(), Some(path), "{command}");
            assert_eq!(helper_of(&command, "codex"), None);
        }
        let command = command("/x/tmux-status", "copilot", Some("agentStop"));
        assert_eq!(
            command,
            "test -x /x/tmux-status && /x/tmux-status report --hook copilot --event agentStop >/dev/null 2>&1 || :"
        );
        assert_eq!(helper_of(&command, "copilot").as_deref(), Some("/x/tmux-status"));
    }

    #[test]
    fn what_somebody_else_has_written_is_theirs() {
        for command in [
            "echo done",
            "tmux-status report --hook claude",
            "/x/tmux-status report --hook claude",
            "log; test -x /x/t && /x/t report --hook claude",
            "test -x /x/t && /x/other report --hook claude",
            "test -x /x/t && /x/t report --hook claude; say done",
            "test -x /x/t && /x/t report --hook claude-next",
            "test -x /x/t && /x/t report done",
            "test -x t && t report --hook claude",
            "test -x '/x/a'b' && '/x/a'b' report --hook claude",
            "test -x  &&  report --hook claude",
        ] {
            assert_eq!(helper_of(command, "claude"), None, "{command}");
        }
    }
}
