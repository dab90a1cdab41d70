//! Windows whose text is never sent, as their user names them (`@tmux-status-ai-exclude`).

use crate::status::ignore::{glob, listed, Ignore};
use regex::RegexSet;

/// Patterns for windows' names, and for directories.
#[derive(Debug, Default)]
pub struct Exclude {
    names: Ignore,
    directories: Option<RegexSet>,
}

impl Exclude {
    /// Reads patterns with a comma between two: those with a slash are for directories and what is in them (`~` is `home`),
    /// the others for names, as in [`Ignore::new`].
    pub fn new(option: &str, home: &str) -> Self {
        let (directories, names): (Vec<&str>, Vec<&str>) = listed(option).partition(|pattern| is_directory(pattern));
        let whole = |pattern: &&str| {
            let pattern = match pattern.strip_prefix('~') {
                Some(rest) => format!("{home}{rest}"),
                None => (*pattern).to_owned(),
            };
            format!("^{}(?:/.*)?$", glob(pattern.trim_end_matches('/')))
        };
        let directories: Vec<String> = directories.iter().map(whole).collect();
        Self {
            names: Ignore::new(&names.join(",")),
            directories: (!directories.is_empty())
                .then(|| RegexSet::new(directories).ok())
                .flatten(),
        }
    }

    /// Whether a window of that name, in any of those sessions, with a pane in one of those directories, is one.
    pub fn covers<'a>(
        &self,
        sessions: impl Iterator<Item = &'a str>,
        window: &str,
        mut directories: impl Iterator<Item = &'a str>,
    ) -> bool {
        let there = |set: &RegexSet| directories.any(|directory| set.is_match(directory));
        self.names.names(sessions, window) || self.directories.as_ref().is_some_and(there)
    }
}

fn is_directory(pattern: &str) -> bool {
    pattern.contains('/') || pattern == "~"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_left_out_by_name_session_or_directory() {
        let exclude = Exclude::new("bank, private:*,/work/secret, ~/keys/,/srv/*/vault", "/home/dev");
        let covers = |session: &'static str, window: &str, directory: &'static str| {
            exclude.covers([session].into_iter(), window, [directory].into_iter())
        };
        assert!(covers("a", "bank", "/") && covers("private", "x", "/"));
        assert!(covers("a", "b", "/work/secret") && covers("a", "b", "/work/secret/deep/er"));
        assert!(covers("a", "b", "/home/dev/keys") && covers("a", "b", "/srv/x/vault/y"));
        assert!(!covers("a", "b", "/work/secrets") && !covers("a", "b", "/work") && !covers("a", "b", ""));
        assert!(!Exclude::new("", "/home/dev").covers(["a"].into_iter(), "b", ["/"].into_iter()));
    }
}
