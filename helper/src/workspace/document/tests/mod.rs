//! What documents mean, by feature; here is what the tests of all of them share.

mod amounts;
mod arbitrary;
mod commands;
mod directories;
mod environments;
mod own;
mod refusals;
mod root;
mod windows;

use super::*;
use crate::workspace::refusal::Code;
use crate::workspace::spec::{Command, Pane, Readiness, Window};
use crate::workspace::yaml::Format;
use std::path::PathBuf;
use std::time::Duration;

fn env() -> Env {
    let variables = [
        ("HOME", "/home/me"),
        ("USER", "me"),
        ("EVIL", "x; touch /tmp/evil $(touch /tmp/evil)"),
        ("PWD", "/loader"),
        ("TERM", "loader"),
        ("EMPTY", ""),
        ("DOTS", "a.b"),
    ];
    Env::new(variables, "/run")
}

fn taken(text: &str, session_name: Option<&str>, lenient: bool) -> Result<Session, Refusal> {
    let (path, env) = (PathBuf::from("/docs/w.yaml"), env());
    let tree = yaml::read(text.as_bytes(), Format::Yaml, "/docs/w.yaml")?;
    session(
        &tree,
        &Source {
            path: &path,
            env: &env,
            session_name,
            lenient,
        },
    )
}

fn meant(text: &str) -> Session {
    taken(text, None, false).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

fn refused(text: &str) -> Refusal {
    taken(text, None, false)
        .err()
        .unwrap_or_else(|| panic!("{text}: was taken"))
}

/// The one window of a session that says no more than that.
fn window(lines: &str) -> Window {
    let text = format!("session_name: s\nwindows:\n  - window_name: w\n{lines}");
    let mut windows = meant(&text).windows;
    assert_eq!(windows.len(), 1);
    windows.remove(0)
}

/// The one pane likewise, as a value in one line.
fn pane(value: &str) -> Pane {
    let mut panes = window(&format!("    panes: [{value}]\n")).panes;
    assert_eq!(panes.len(), 1);
    panes.remove(0)
}

fn texts(pane: &Pane) -> Vec<&str> {
    pane.commands.iter().map(|command| command.text.as_str()).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    pairs.iter().map(owned).collect()
}
