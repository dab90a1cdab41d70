//! `explain`: why a window, or a recorded screen, has its verdict.

use crate::classify::{Explanation, Rules};
use crate::cli::ServerArgs;
use crate::output;
use crate::refresh;
use crate::sample::{self, Sample, Scrub};
use crate::summary::explanation::readable;
use crate::tmux::command::Tmux;
use crate::tmux::target;
use anyhow::Context as _;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// What to explain, and how.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The pane to explain, as tmux names targets; without it, the current one
    #[arg(short = 't', value_name = "TARGET", conflicts_with = "sample")]
    pub target: Option<String>,
    /// Recorded screens to judge instead of a live window
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub sample: Vec<PathBuf>,
    /// Also record what was seen as a sample, for a rule's test. Homes, user and host names and secrets are taken out; read it
    /// before you share it
    #[arg(long, value_name = "FILE", conflicts_with = "sample")]
    pub record: Option<PathBuf>,
    /// One JSON object a line: id, statusKind, need, summary, rule, evidence, command
    #[arg(long)]
    pub json: bool,
}

/// Runs it.
///
/// # Errors
/// When a sample cannot be read, or the target is not there.
pub fn run(args: &ExplainArgs, server: &ServerArgs) -> anyhow::Result<u8> {
    let (rules, problems) = Rules::load(crate::classify::user_folder().as_deref());
    for problem in problems {
        output::warn(&format!("tmux-status: rules: {problem}"));
    }
    let print = |id: &str, rows: &[String], explanation: &Explanation| {
        let text = if args.json {
            line(id, explanation)
        } else {
            readable(id, rows, explanation)
        };
        output::print(format!("{text}\n").as_bytes())
    };
    for path in &args.sample {
        let sample = Sample::read(path)?;
        print(&sample.id, &sample.rows, &rules.explain(&sample.evidence()))?;
    }
    if args.sample.is_empty() {
        let tmux = Tmux::new(server.socket());
        let own = server.own_pane().map(|pane| pane.to_string());
        let id = target::pane(&tmux, args.target.as_deref().or(own.as_deref()))?;
        refresh::with_evidence(&tmux, &rules, id, |evidence| {
            let explanation = rules.explain(evidence);
            if let Some(path) = &args.record {
                let sample = sample::record(evidence, &explanation.verdict, &Scrub::here());
                std::fs::write(path, format!("{sample:#}\n"))
                    .with_context(|| format!("cannot write the sample {}", path.display()))?;
            }
            print(&id.to_string(), evidence.screen.unwrap_or_default(), &explanation)?;
            anyhow::Ok(())
        })??;
    }
    Ok(0)
}

/// An explanation as one line of JSON.
pub fn line(id: &str, explanation: &Explanation) -> String {
    let verdict = &explanation.verdict;
    json!({
        "id": id,
        "statusKind": verdict.kind.as_str(),
        "need": verdict.need.map(|need| need.as_str()),
        "summary": verdict.summary,
        "rule": verdict.rule,
        "evidence": verdict.evidence,
        "command": verdict.command,
    })
    .to_string()
}
