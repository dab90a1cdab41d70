//! `doctor`: finds what is wrong with the set-up, and says what to type.
//!
//! It is in nobody's way: a lock is never taken, a missing folder never made, and what it asks of other programs has a
//! deadline.

mod agents;
mod autosave;
mod files;
mod mcp;
mod model;
mod notify;
mod plugin;
mod server;

use crate::classify::{self, Rules};
use crate::cli::{ServerArgs, PROTOCOL};
use crate::output;
use crate::process;
use crate::refresh;
use crate::text;
use crate::tmux::command::Tmux;
use crate::tmux::inquiry;
use anyhow::Result;
use clap::Args;
use std::path::Path;

/// What to look at.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Look at the MCP server instead: whether it starts, which tmux server and tools it offers, and whether the clients that
    /// have a configuration here start it as they should
    #[arg(long)]
    pub mcp: bool,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Good,
    Note,
    Bad,
}

/// One thing looked at.
#[derive(Debug)]
struct Finding {
    level: Level,
    what: String,
    fix: Option<String>,
}

fn good(what: impl Into<String>) -> Finding {
    Finding {
        level: Level::Good,
        what: what.into(),
        fix: None,
    }
}

fn note(what: impl Into<String>, fix: impl Into<String>) -> Finding {
    Finding {
        level: Level::Note,
        what: what.into(),
        fix: Some(fix.into()),
    }
}

fn bad(what: impl Into<String>, fix: impl Into<String>) -> Finding {
    Finding {
        level: Level::Bad,
        what: what.into(),
        fix: Some(fix.into()),
    }
}

/// The commands to type, such that they act on the server that was looked at.
#[derive(Debug)]
struct Advice {
    flag: String,
}

impl Advice {
    /// `tmux -L NAME REST`.
    fn tmux(&self, rest: &str) -> String {
        format!("tmux{} {rest}", self.flag)
    }

    /// `tmux-status -L NAME refresh`.
    fn refresh(&self) -> String {
        format!("tmux-status{} refresh", self.flag)
    }
}

/// Runs it: exit code 1 when something is broken.
///
/// # Errors
/// When standard output cannot be written.
pub fn run(args: &DoctorArgs, server: &ServerArgs) -> Result<u8> {
    let mut findings = vec![good(format!(
        "helper {} (protocol {PROTOCOL})",
        env!("CARGO_PKG_VERSION")
    ))];
    findings.extend(if args.mcp {
        mcp::findings(server)
    } else {
        plugin_findings(server)
    });
    print(&findings)?;
    Ok(u8::from(findings.iter().any(|f| f.level == Level::Bad)))
}

fn plugin_findings(server: &ServerArgs) -> Vec<Finding> {
    let tmux = Tmux::new(server.socket());
    let advice = Advice { flag: server.flag() };
    let asked = inquiry::ask(&tmux);
    let mut findings = server::findings(&tmux, asked.as_ref(), &advice);
    if let Ok(inquiry) = &asked {
        findings.extend(plugin::findings(inquiry, &advice));
        findings.extend(plugin::options(inquiry));
        findings.extend(model::findings(&tmux, inquiry, refresh::now_ms() / 1000));
        findings.extend(notify::findings(&tmux, inquiry, &advice));
    }
    if let Ok(inquiry) = &asked {
        findings.extend(autosave::findings(&tmux, inquiry));
    }
    findings.extend(files::findings(&tmux, asked.as_ref(), &advice));
    findings.extend(rules());
    findings.extend(agents::findings());
    findings
}

fn print(findings: &[Finding]) -> Result<()> {
    let mut out = String::new();
    for finding in findings {
        let mark = match finding.level {
            Level::Good => "ok   ",
            Level::Note => "note ",
            Level::Bad => "BAD  ",
        };
        out += &format!("{mark}{}\n", text::clean(&finding.what));
        if let Some(fix) = &finding.fix {
            out += &format!("       -> {}\n", text::clean(fix));
        }
    }
    output::print(out.as_bytes())?;
    Ok(())
}

/// Whether a program can be started: by its path, or from PATH.
fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    match program.contains('/') {
        true => process::may_run(Path::new(program)),
        false => std::env::split_paths(&path).any(|folder| process::may_run(&folder.join(program))),
    }
}

fn rules() -> Vec<Finding> {
    let (_, problems) = Rules::load(classify::user_folder().as_deref());
    let fix = "correct the file, or remove it; the built-in rules hold meanwhile";
    if problems.is_empty() {
        return vec![good("rules are sound")];
    }
    problems.iter().map(|problem| bad(problem.to_string(), fix)).collect()
}
