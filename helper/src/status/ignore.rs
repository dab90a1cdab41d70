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
        let patterns = option.split(',').map(str::trim).filter(|pattern| !pattern.is_empty());
        let whole = |pattern: &str| {
            let pattern = match pattern.contains(':') {
                true => pattern.to_owned(),
                false => format!("*:{pattern}"),
            };
            let parts = pattern.chars().map(|c| match c {
                '*' => ".*".to_owned(),
                '?' => ".".to_owned(),
                other => regex::escape(other.encode_utf8(&mut [0; 4])),
            });
            format!("^(?s:{})$", parts.collect::<String>())
        };
        let patterns: Vec<String> = patterns.map(whole).collect();
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
