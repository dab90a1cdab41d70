//! Windows that never need anyone, as their user names them (`@tmux-status-ignore`).

use regex::RegexSet;

/// Patterns for windows' names.
#[derive(Debug, Default)]
pub struct Ignore {
    /// Each matches a whole `session:window`.
    patterns: Option<RegexSet>,
}

impl Ignore {
    /// Reads patterns with a comma between two; `*` stands for anything and `?` for one character. One without a colon is for
    /// windows of every session.
    pub fn new(option: &str) -> Self {
        let whole = |pattern: &str| match pattern.contains(':') {
            true => glob(pattern),
            false => glob(&format!("*:{pattern}")),
        };
        let patterns: Vec<String> = listed(option).map(|pattern| format!("^{}$", whole(pattern))).collect();
        Self {
            // Whatever is too large for a pattern names no window.
            patterns: (!patterns.is_empty()).then(|| RegexSet::new(patterns).ok()).flatten(),
        }
    }

    /// Whether a window of that name, in any of those sessions, is one.
    pub fn names<'a>(&self, mut sessions: impl Iterator<Item = &'a str>, window: &str) -> bool {
        let Some(patterns) = &self.patterns else { return false };
        sessions.any(|session| patterns.is_match(&format!("{session}:{window}")))
    }
}

/// The patterns of an option, which has a comma between two.
pub fn listed(option: &str) -> impl Iterator<Item = &str> {
    option.split(',').map(str::trim).filter(|pattern| !pattern.is_empty())
}

/// A regular expression for a pattern in which `*` stands for anything and `?` for one character.
pub fn glob(pattern: &str) -> String {
    let part = |c: char| match c {
        '*' => ".*".to_owned(),
        '?' => ".".to_owned(),
        other => regex::escape(other.encode_utf8(&mut [0; 4])),
    };
    format!("(?s:{})", pattern.chars().map(part).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_for_names_or_for_a_session_and_a_name() {
        let ignore = Ignore::new("logs*, scratch ,ops:*,s?:a.b,");
        let named = |session: &str, window: &str| ignore.names([session].into_iter(), window);
        assert!(named("work", "logs") && named("work", "logs-2") && named("x", "scratch"));
        assert!(named("ops", "db") && named("s1", "a.b"));
        assert!(!named("work", "my-logs") && !named("opsy", "db") && !named("s1", "axb") && !named("", ""));
        assert!(ignore.names(["work", "ops"].into_iter(), "db"), "one session is enough");
        assert!(!Ignore::new("").names(["a"].into_iter(), "b"));
        assert!(!Ignore::new(" , ").names(["a"].into_iter(), "b"));
    }
}
