//! Directories as they are written: once for all that share one, and the home as `~`.

use std::collections::BTreeMap;
use std::path::Path;

/// A path as it is written.
pub fn written(path: &str, home: Option<&Path>) -> String {
    let home = home.filter(|home| home.is_absolute() && home.parent().is_some());
    match home.and_then(|home| Path::new(path).strip_prefix(home).ok()) {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{}", rest.display()),
        None => path.to_owned(),
    }
}

/// What tmux says of a directory, without what the kernel adds to one that is gone; and whether it is.
pub fn cleaned(path: &str) -> (&str, bool) {
    match path.strip_suffix(" (deleted)").filter(|_| !Path::new(path).exists()) {
        Some(path) => (path, true),
        None => (path, false),
    }
}

/// The directory that most have, and of several that come as often, the first.
pub fn most_common<'a>(directories: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (at, directory) in directories.into_iter().enumerate() {
        counts.entry(directory).or_insert((0, at)).0 += 1;
    }
    let best = |(_, (count, at)): &(&str, (usize, usize))| (*count, usize::MAX - at);
    counts.into_iter().max_by_key(best).map(|(directory, _)| directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_is_a_tilde() {
        let home = Some(Path::new("/home/dev"));
        for (path, text) in [
            ("/home/dev", "~"),
            ("/home/dev/a b", "~/a b"),
            ("/home/device", "/home/device"),
            ("/srv", "/srv"),
        ] {
            assert_eq!(written(path, home), text);
            assert_eq!(written(path, None), path);
        }
        assert_eq!(written("/srv", Some(Path::new("/"))), "/srv");
    }

    #[test]
    fn the_most_common_is_the_first_of_equals() {
        assert_eq!(most_common(["/b", "/a", "/a", "/b"]), Some("/b"));
        assert_eq!(most_common(["/b", "/a", "/a"]), Some("/a"));
        assert_eq!(most_common([]), None);
    }
}
