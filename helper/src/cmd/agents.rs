//! `agents`: puts our hooks into the settings of coding agents, takes them out, and says where they are.

use crate::agents::install::{Agent, Change, Standing, AGENTS};
use crate::fault::Fault;
use crate::output;
use crate::text;
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use similar::TextDiff;
use std::path::Path;
use std::time::Duration;

/// How long the lines of a diff may be looked for; a coarser one is as true.
const DIFF: Duration = Duration::from_secs(1);

/// What to do with agents' hooks.
#[derive(Debug, Args)]
pub struct AgentsArgs {
    #[command(subcommand)]
    command: AgentsCommand,
}

#[derive(Debug, Subcommand)]
enum AgentsCommand {
    /// Add hooks that report to the agents' settings, with a backup beside them
    Install(ChangeArgs),
    /// Take them out again
    Uninstall(ChangeArgs),
    /// Say which agents have them, and in which file
    Status(NamesArgs),
}

#[derive(Debug, Args)]
struct NamesArgs {
    /// Which agents; without a name those whose folder of settings is there
    #[arg(value_name = "NAME", value_parser = names())]
    names: Vec<String>,
}

#[derive(Debug, Args)]
struct ChangeArgs {
    #[command(flatten)]
    which: NamesArgs,
    /// Change nothing; print what would change, as a diff
    #[arg(long)]
    dry_run: bool,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(AGENTS.iter().map(|agent| agent.id))
}

/// Runs it: exit code 1 when anything of it failed.
///
/// # Errors
/// When this helper's own path cannot be put into a file, or standard output cannot be written.
pub fn run(args: &AgentsArgs) -> Result<u8> {
    let helper = own_path()?;
    match &args.command {
        AgentsCommand::Install(args) => each(&args.which, |agent| install(agent, &helper, args.dry_run)),
        AgentsCommand::Uninstall(args) => each(&args.which, |agent| uninstall(agent, args.dry_run)),
        AgentsCommand::Status(args) => status(args, &helper),
    }
}

/// The path by which hooks call this helper.
fn own_path() -> Result<String> {
    let path = std::env::current_exe()?;
    let usable = path
        .to_str()
        .filter(|path| !path.contains(char::is_control) && Path::new(path).is_file());
    Ok(usable.map(str::to_owned).ok_or_else(|| {
        Fault::new(
            format!("the helper's path {} cannot be put into settings", path.display()),
            "install tmux-status again, in a folder with a plain name",
        )
    })?)
}

/// Does it for each agent that is meant; one that fails is told, and the others go on.
fn each(which: &NamesArgs, act: impl Fn(&Agent) -> Result<String>) -> Result<u8> {
    let mut failed = false;
    let mut any = false;
    for agent in chosen(which) {
        let done = match agent.is_found() {
            Ok(false) if which.names.is_empty() => continue,
            Ok(_) => act(agent),
            Err(fault) => Err(fault.into()),
        };
        any = true;
        match done {
            Ok(told) => {
                output::print(told.as_bytes())?;
            }
            Err(error) => {
                failed = true;
                output::warn(&format!(
                    "tmux-status: {}: {}",
                    agent.id,
                    text::clean(&format!("{error:#}"))
                ));
                if let Some(hint) = error.downcast_ref::<Fault>().and_then(|fault| fault.hint.as_deref()) {
                    output::warn(&format!("hint: {}", text::clean(hint)));
                }
            }
        }
    }
    if !any {
        let known: Vec<_> = AGENTS.iter().map(|agent| agent.id).collect();
        return Err(Fault::new(
            "no agent has a folder of settings here",
            format!("name one to have its folder made: {}", known.join(" ")),
        )
        .into());
    }
    Ok(u8::from(failed))
}

fn chosen(which: &NamesArgs) -> Vec<&'static Agent> {
    if which.names.is_empty() {
        return AGENTS.iter().collect();
    }
    AGENTS
        .iter()
        .filter(|agent| which.names.iter().any(|name| name == agent.id))
        .collect()
}

fn install(agent: &Agent, helper: &str, dry_run: bool) -> Result<String> {
    let id = agent.id;
    let Some(change) = agent.install(helper)? else {
        return Ok(format!("{id}: hooks are there already, in {}\n", shown(&agent.path()?)));
    };
    if dry_run {
        return Ok(diff(&change));
    }
    change.apply()?;
    let done = if change.updates() {
        "hooks brought up to date in"
    } else {
        "hooks added to"
    };
    let mut told = format!("{id}: {done} {}", shown(change.path()));
    if let Some(backup) = change.backup() {
        told += &format!("; as it was: {}", shown(backup));
    }
    told.push('\n');
    if agent.is_partly(&change) {
        told +=
            "  only the events that every Claude Code knows: an old one would refuse its settings for the others, and \
                 `claude --version` does not say 2.1.78 or newer\n";
    }
    if let Some(note) = agent.note {
        told += &format!("  {note}\n");
    }
    Ok(told)
}

fn uninstall(agent: &Agent, dry_run: bool) -> Result<String> {
    let id = agent.id;
    let Some(change) = agent.uninstall()? else {
        return Ok(format!("{id}: no hooks of ours in {}\n", shown(&agent.path()?)));
    };
    if dry_run {
        return Ok(diff(&change));
    }
    change.apply()?;
    let verb = if change.removes() {
        "removed"
    } else {
        "hooks taken out of"
    };
    Ok(format!("{id}: {verb} {}\n", shown(change.path())))
}

fn status(args: &NamesArgs, helper: &str) -> Result<u8> {
    let mut failed = false;
    let mut out = String::new();
    for agent in chosen(args) {
        let path = agent.path().map(|path| shown(&path)).unwrap_or_default();
        let (word, more) = match agent.standing(helper) {
            Ok(Standing::NotFound) => ("not found", None),
            Ok(Standing::NotInstalled) => ("not installed", None),
            Ok(Standing::Installed) => ("installed", None),
            Ok(Standing::Outdated { helper: there }) => ("outdated", Some(outdated(agent, helper, &there))),
            Err(fault) => {
                failed = true;
                (
                    "broken",
                    Some(format!("{fault}\n       -> {}", fault.hint.clone().unwrap_or_default())),
                )
            }
        };
        out += &format!("{:<9} {word:<14} {path}\n", agent.id);
        for line in more.iter().flat_map(|more| more.lines()) {
            out += &format!("          {}\n", line.trim());
        }
    }
    output::print(out.as_bytes())?;
    Ok(u8::from(failed))
}

/// What is wrong with hooks that call the helper `there`, and what to do.
fn outdated(agent: &Agent, helper: &str, there: &str) -> String {
    let what = if !Path::new(there).is_file() {
        format!("they call {}, which is gone", text::clean(there))
    } else if there != helper {
        format!("they call {}", text::clean(there))
    } else {
        "they are those of another version".to_owned()
    };
    format!("{what}\n-> tmux-status agents install {}", agent.id)
}

fn shown(path: &Path) -> String {
    text::clean(&path.display().to_string())
}

/// What would change, as `diff -u` prints it. Settings are other people's text: no control character of theirs acts.
fn diff(change: &Change) -> String {
    let (before, after) = change.texts();
    let path = shown(change.path());
    let mut config = TextDiff::configure();
    config.timeout(DIFF);
    let diff = config
        .diff_lines(before, after)
        .unified_diff()
        .header(&path, &path)
        .to_string();
    diff.chars()
        .filter(|c| matches!(c, '\n' | '\t') || !c.is_control())
        .collect()
}
