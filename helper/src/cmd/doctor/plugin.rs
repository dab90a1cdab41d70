//! The plugin in the server: the helper that its hooks run, the hooks, the key, the options.

use super::{bad, good, note, Advice, Finding};
use crate::cli::PROTOCOL;
use crate::process::child;
use crate::text::{for_shell, one_line};
use crate::tmux::inquiry::Inquiry;
use crate::tmux::key::{self, Action, Wanted};
use crate::tmux::option;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How long a helper may take to tell its protocol; the plugin waits as long when it looks for one.
const PATIENCE: Duration = Duration::from_secs(2);

pub fn findings(inquiry: &Inquiry, advice: &Advice) -> Vec<Finding> {
    let source = inquiry.option(option::SOURCE);
    let Some(bin) = inquiry.option(option::RESOLVED_BIN) else {
        return vec![match source {
            Some(folder) => bad(
                format!("the plugin in {folder} is loaded without a helper: no hooks"),
                build(source, advice),
            ),
            None => bad(
                "the plugin is not loaded in this server: no hooks, no key",
                format!(
                    "add it to tmux.conf as the README shows, then {}",
                    read_again(inquiry, advice)
                ),
            ),
        }];
    };
    let mut found = vec![match protocol_of(bin) {
        Ok(number) if number == PROTOCOL.to_string() => good(format!("hooks run {bin}")),
        Ok(number) => bad(
            format!("hooks run {bin}, which speaks protocol {number:?} instead of {PROTOCOL}"),
            build(source, advice),
        ),
        Err(why) => bad(format!("hooks run {bin}, which {why}"), build(source, advice)),
    }];
    found.extend(chosen_helper(inquiry, bin, advice));
    found.push(if inquiry.missing_hooks.is_empty() {
        good("all hooks are set")
    } else {
        bad(
            format!(
                "hooks missing, wiped by another plugin or by set-hook without -a: {}",
                inquiry.missing_hooks.join(" ")
            ),
            format!("{} puts them back", advice.refresh()),
        )
    });
    found.extend(inquiry.hidden_hooks.iter().map(|hidden| {
        let hook = hidden.hooks.first().map(String::as_str).unwrap_or_default();
        let each = if hidden.hooks.len() > 1 {
            " (and so for the others)"
        } else {
            ""
        };
        note(
            format!(
                "{} has hooks of its own, which hide ours there: {}",
                hidden.place,
                hidden.hooks.join(" ")
            ),
            format!(
                "set them for all with set-hook -ga, then: {}{each}",
                advice.tmux(&format!("set-hook {} {hook}", hidden.unset))
            ),
        )
    }));
    found.extend(keys(inquiry, advice));
    found
}

/// How to get a helper that fits, and have the server take it.
fn build(source: Option<&str>, advice: &Advice) -> String {
    let Some(folder) = source.map(|folder| folder.trim_end_matches('/')) else {
        return "build it with scripts/build in the plugin's folder, then load the plugin again".to_owned();
    };
    format!(
        "build it: {}, then {}",
        for_shell(&format!("{folder}/scripts/build")),
        load(folder, advice)
    )
}

/// The command that has the server run the plugin's script.
fn load(folder: &str, advice: &Advice) -> String {
    // A word for the server's shell, within a format, as a word for the user's shell.
    let script = for_shell(&format!("{folder}/tmux-status.tmux")).replace('#', "##");
    format!("load it: {}", advice.tmux(&format!("run-shell {}", for_shell(&script))))
}

/// How to have the server read its configuration once more.
fn read_again(inquiry: &Inquiry, advice: &Advice) -> String {
    let file = inquiry.config_files.as_str();
    if file.contains(',') || !Path::new(file).is_file() {
        return "load tmux.conf again".to_owned();
    }
    advice.tmux(&format!("source-file {}", for_shell(file)))
}

/// What `bin --protocol` prints, or why it prints nothing.
fn protocol_of(bin: &str) -> Result<String, String> {
    let ran = child::run(Command::new(bin).arg("--protocol"), None, PATIENCE, || ());
    match ran {
        Ok(Some((output, ()))) if output.success => Ok(one_line(&String::from_utf8_lossy(&output.stdout), 40)),
        Ok(Some(_)) => Err("fails when it is asked for its protocol".to_owned()),
        Ok(None) => Err(format!("does not answer within {} s", PATIENCE.as_secs())),
        Err(error) => Err(format!("cannot be run: {error}")),
    }
}

/// Whether the helper that the user has named is the one that runs.
fn chosen_helper(inquiry: &Inquiry, bin: &str, advice: &Advice) -> Option<Finding> {
    let chosen = inquiry.option(option::BIN)?;
    let same = match (Path::new(chosen).canonicalize(), Path::new(bin).canonicalize()) {
        (Ok(chosen), Ok(bin)) => chosen == bin,
        _ => chosen == bin,
    };
    // A relative path is told with the other options.
    if same || !chosen.starts_with('/') {
        return None;
    }
    let why = match protocol_of(chosen) {
        Ok(number) if number == PROTOCOL.to_string() => "was set after the plugin was loaded".to_owned(),
        Ok(number) => format!("speaks protocol {number:?} instead of {PROTOCOL}"),
        Err(why) => why,
    };
    let fix = match inquiry.option(option::SOURCE) {
        Some(folder) => format!("correct {}, then {}", option::BIN, load(folder, advice)),
        None => format!("correct {}, then load the plugin again", option::BIN),
    };
    Some(note(
        format!("hooks do not run the helper of {}: {chosen} {why}", option::BIN),
        fix,
    ))
}

fn keys(inquiry: &Inquiry, advice: &Advice) -> Vec<Finding> {
    let bound = key::parse(&inquiry.prefix_keys);
    let ours = |key: &str| bound.iter().any(|b| b.key == key && b.ours);
    let finding = |action: &Action| {
        let (option, does) = (action.option, action.does);
        match action.wanted(inquiry.option(option).unwrap_or_default(), &bound) {
            Wanted::None => good(format!("no key {does}, as {option} says")),
            Wanted::Taken(key) => note(
                format!("no key {does}: prefix {key} is bound to something else, which was left alone"),
                format!("choose another in tmux.conf: set -g {option} KEY"),
            ),
            Wanted::Bind(key) if ours(&key) => good(format!("prefix {key} {does}")),
            Wanted::Bind(key) => bad(
                format!("no key {does}: prefix {key} is not bound to it"),
                format!(
                    "{}; if that does not help, tmux does not know this key: set {option}",
                    read_again(inquiry, advice)
                ),
            ),
        }
    };
    key::ACTIONS.iter().map(finding).collect()
}

/// Options with values that they may not have, and names that are none.
pub fn options(inquiry: &Inquiry) -> Vec<Finding> {
    let value = |option: &option::UserOption| option.problem(inquiry.option(option.name)?);
    let mut found: Vec<_> = option::OPTIONS
        .iter()
        .filter_map(|option| {
            Some(bad(
                value(option)?,
                format!("the default holds ({}): {}", option.default, option.help),
            ))
        })
        .collect();
    for name in &inquiry.unknown_options {
        let known: Vec<_> = option::OPTIONS.iter().map(|option| option.name).collect();
        found.push(note(
            format!("{name} is no option of this plugin"),
            format!("these are: {}", known.join(" ")),
        ));
    }
    found
}
