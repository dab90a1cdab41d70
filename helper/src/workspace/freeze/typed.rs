//! The line that a person would type for a program that runs, from its arguments.
//!
//! A shell hands on what was typed, so mostly the arguments are it. Not so for scripts, which the kernel runs by naming their
//! interpreter first, and for programs that have written a title of their own over their arguments.

use crate::classify::argv::base;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A line, and what of it may not be what was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// For a POSIX shell.
    pub line: String,
    /// Whether the program has overwritten its arguments, so that some may be missing.
    pub doubtful: bool,
}

/// How much of a script is read for its first line.
const FIRST_LINE: usize = 256;

/// The line for `arguments`, of a program that runs in `directory`; `None` without any. `path` are the folders where a shell
/// looks for programs.
pub fn line(arguments: &[String], directory: &Path, path: &[PathBuf]) -> Option<Typed> {
    let (first, rest) = arguments.split_first()?;
    if let Some(title) = title(first, rest) {
        let words = title.split_whitespace().map(shell_words::quote);
        return Some(Typed {
            line: words.collect::<Vec<_>>().join(" "),
            doubtful: true,
        });
    }
    // A login shell has a dash before its name.
    let first = first.strip_prefix('-').unwrap_or(first);
    let words = match script(first, rest, directory, path) {
        Some((script, rest)) => std::iter::once(script).chain(rest.iter().cloned()).collect(),
        None => std::iter::once(first.to_owned())
            .chain(rest.iter().cloned())
            .collect::<Vec<_>>(),
    };
    Some(Typed {
        line: shell_words::join(words),
        doubtful: false,
    })
}

/// What a program has written over its arguments, up to the colon behind which it says what it does: `npm run dev`, and
/// `nginx` of `nginx: master process`.
fn title<'a>(first: &'a str, rest: &[String]) -> Option<&'a str> {
    let overwritten = first.contains(' ') && !first.contains('/') && rest.iter().all(String::is_empty);
    overwritten.then(|| first.split(':').next().unwrap_or(first).trim())
}

/// The script that an interpreter was started for, as it is typed, with what stands behind it.
fn script<'a>(
    interpreter: &str,
    rest: &'a [String],
    directory: &Path,
    path: &[PathBuf],
) -> Option<(String, &'a [String])> {
    let at = rest.iter().position(|word| !word.starts_with('-'))?;
    let (file, behind) = (rest.get(at)?, rest.get(at + 1..)?);
    let options = rest.get(..at)?;
    if let Some(name) = package_program(interpreter, file, path).filter(|_| options.is_empty()) {
        return Some((name, behind));
    }
    // What the kernel has put before it stands in the script's first line.
    let named = shebang(&directory.join(file))?;
    let given = |word: &String| named.contains(word);
    let same = named.iter().any(|word| base(word) == base(interpreter)) && options.iter().all(given);
    same.then(|| (command_name(file, path), behind))
}

/// The words of a script's first line behind `#!`.
fn shebang(file: &Path) -> Option<Vec<String>> {
    // A pipe in its place would make this wait.
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut start = Vec::new();
    let limit = u64::try_from(FIRST_LINE).ok()?;
    File::open(file).ok()?.take(limit).read_to_end(&mut start).ok()?;
    let text = String::from_utf8_lossy(&start);
    let line = text.strip_prefix("#!")?.lines().next()?;
    Some(line.split_whitespace().map(str::to_owned).collect())
}

/// A program's file as it is called: by its name where a shell finds just this one.
fn command_name(file: &str, path: &[PathBuf]) -> String {
    let place = Path::new(file);
    let name = place.file_name().and_then(|name| name.to_str());
    let first = |name: &&str| {
        path.iter()
            .map(|folder| folder.join(name))
            .find(|found| found.is_file())
    };
    let found = name.filter(|name| first(name).is_some_and(|found| found == place));
    found.unwrap_or(file).to_owned()
}

/// The program that a package of node's has installed on `path` and that runs this file of it.
fn package_program(interpreter: &str, file: &str, path: &[PathBuf]) -> Option<String> {
    if !base(interpreter).starts_with("node") {
        return None;
    }
    let (_, inner) = file.rsplit_once("/node_modules/")?;
    let mut folders = inner.split('/');
    let first = folders.next()?;
    let package = if first.starts_with('@') { folders.next()? } else { first };
    let stem = Path::new(inner).file_stem()?.to_str()?;
    let stem = stem.strip_suffix("-cli").unwrap_or(stem);
    let installed = |name: &&str| path.iter().any(|folder| folder.join(name).exists());
    [stem, package].into_iter().find(installed).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn typed(words: &str, path: &[PathBuf]) -> String {
        let words: Vec<String> = words.split('|').map(str::to_owned).collect();
        line(&words, Path::new("/"), path).unwrap().line
    }

    #[test]
    fn arguments_are_quoted_for_a_shell() {
        for (words, line) in [
            ("vim|notes.md", "vim notes.md"),
            ("vim|my notes.md", "vim 'my notes.md'"),
            ("ssh|-p|2222|dev@box", "ssh -p 2222 dev@box"),
            ("sudo|journalctl|-f", "sudo journalctl -f"),
            ("grep|$HOME; rm *|x", "grep '$HOME; rm *' x"),
            ("grep|", "grep ''"),
            ("echo|it's", r"echo 'it'\''s'"),
            ("-bash", "bash"),
            ("npm run dev", "npm run dev"),
            ("nginx: master process nginx -g daemon off;", "nginx"),
            ("python3|-m|http.server", "python3 -m http.server"),
            ("python3|/nowhere/app.py|-x", "python3 /nowhere/app.py -x"),
        ] {
            assert_eq!(typed(words, &[]), line);
        }
        assert_eq!(line(&[], Path::new("/"), &[]), None);
    }

    #[test]
    fn a_script_is_called_by_its_name() {
        let room = tempfile::tempdir().unwrap();
        let (bin, lib) = (
            room.path().join("tools"),
            room.path().join("lib/node_modules/@x/codex/dist"),
        );
        fs::create_dir_all(&bin).unwrap();
        fs::create_dir_all(&lib).unwrap();
        for (name, first) in [
            ("serve", "#!/usr/bin/env python3"),
            ("watchit", "#!/usr/bin/node --enable-source-maps"),
            ("codex", "#!/bin/sh"),
        ] {
            fs::write(bin.join(name), format!("{first}\n")).unwrap();
        }
        fs::write(lib.join("index.js"), "").unwrap();
        let (path, at) = ([bin.clone()], bin.display());
        let lib = lib.display();
        for (words, line) in [
            (format!("python3|{at}/serve|8000"), "serve 8000".to_owned()),
            (
                format!("/usr/bin/node|--enable-source-maps|{at}/watchit"),
                "watchit".to_owned(),
            ),
            // An option that the script does not ask for was typed.
            (format!("python3|-u|{at}/serve"), format!("python3 -u {at}/serve")),
            (format!("ruby|{at}/serve"), format!("ruby {at}/serve")),
            (format!("node|{lib}/index.js|resume"), "codex resume".to_owned()),
        ] {
            assert_eq!(typed(&words, &path), line, "{words}");
        }
        assert_eq!(typed(&format!("python3|{at}/serve"), &[]), format!("{at}/serve"));
    }
}
