//! `explain`: why a window, or a recorded screen, has its verdict.

use crate::classify::{Explanation, Rules};
use crate::cli::ServerArgs;
use crate::output;
use crate::refresh;
use crate::sample::{self, Sample, Scrub};
use crate::tmux::command::Tmux;
use crate::tmux::target;
use anyhow::Context as _;
use clap::Args;
use serde_json::json;
use std::fmt::Write as _;
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
        let own = server.own_pane();
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

/// An explanation for people: the verdict, what it rests on, the rows it was seen on, and what was tried before.
pub fn readable(id: &str, rows: &[String], explanation: &Explanation) -> String {
    let verdict = &explanation.verdict;
    let mut out = format!("{}: {}", crate::text::clean(id), verdict.kind.as_str());
    if let Some(need) = verdict.need {
        let _ = write!(out, ", needs you: {}", need.as_str());
    }
    let _ = write!(
        out,
        "\n  summary     {}\n  rule        {}",
        verdict.summary, verdict.rule
    );
    let _ = write!(
        out,
        "\n  program     {} (from {})",
        verdict.command,
        crate::text::clean(&explanation.identified)
    );
    for fact in &verdict.evidence {
        let _ = write!(out, "\n  evidence    {}", crate::text::clean(fact));
    }
    for &row in &explanation.rows {
        if let Some(text) = rows.get(row).filter(|text| !text.trim().is_empty()) {
            let _ = write!(out, "\n  row {row:<7} {}", crate::text::one_line(text, 100));
        }
    }
    for tried in &explanation.tried {
        if let Some(refused) = &tried.refused {
            let _ = write!(
                out,
                "\n  not         {}: {}",
                tried.rule,
                crate::text::one_line(refused, 100)
            );
        }
    }
    out
}
