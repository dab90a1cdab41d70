//! Asks rules in order until one fires, and remembers why the others did not.

use super::facts::{Facts, Refusal};
use super::identify::Subject;
use super::rules::{Pattern, Program, Rule};
use super::view::View;
use super::{fallback, history, probe, report, Rules};
use crate::model::{Evidence, StatusKind, Verdict};
use crate::summary::template;
use crate::text;

/// One rule that was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// `family/program:rule`.
    pub rule: String,
    /// Why it did not fire; `None` for the one that did.
    pub refused: Option<String>,
}

/// A verdict and the way to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The verdict.
    pub verdict: Verdict,
    /// How the program was identified.
    pub identified: String,
    /// Every rule that was asked, in order; the last one fired unless the fallback did.
    pub tried: Vec<Tried>,
    /// The screen's rows, from 0, on which the rule fired.
    pub rows: Vec<usize>,
}

/// What is being judged: everything a rule may ask for.
pub struct Case<'e> {
    /// The evidence as it came.
    pub evidence: &'e Evidence<'e>,
    /// The program that speaks for the pane.
    pub subject: Subject<'e>,
    /// What is known besides text.
    pub facts: Facts,
    /// The screen.
    pub view: View<'e>,
}

/// A rule that fired: its captures and where.
struct Fired {
    captures: Vec<(String, String)>,
    rows: Vec<usize>,
    texts: Vec<String>,
}

type Trace = Option<(Vec<Tried>, Vec<usize>)>;

/// Judges and keeps the way.
pub fn explain(rules: &Rules, evidence: &Evidence<'_>) -> Explanation {
    let mut trace: Trace = Some((Vec::new(), Vec::new()));
    let verdict = decide(rules, evidence, &mut trace);
    let identified = rules.identify(evidence).how();
    let (tried, rows) = trace.unwrap_or_default();
    Explanation {
        verdict,
        identified,
        tried,
        rows,
    }
}

/// Judges one pane.
pub fn decide(rules: &Rules, evidence: &Evidence<'_>, trace: &mut Trace) -> Verdict {
    let subject = rules.identify(evidence);
    let pane = evidence.pane;
    if let Some(verdict) = fallback::unreadable(evidence, &subject) {
        return verdict;
    }
    let title = pane.title.trim().to_owned();
    let args = subject.args.clone();
    let rows = evidence.screen.unwrap_or_default();
    let facts = Facts::of(evidence);
    let mut view = View::new(rows, (pane.cursor_x, pane.cursor_y), pane.width, &title, &args);
    view.wraps = !pane.alternate && subject.program.is_none_or(|program| !program.agent);
    let shell = subject.interactive && subject.program.is_some_and(|program| program.family == "shells");
    view.said = evidence.last_command.as_ref().filter(|_| shell);
    let agent = subject.program.is_some_and(|program| program.agent);
    if let Some(process) = subject
        .process
        .filter(|_| !pane.alternate && !agent && !subject.interactive)
    {
        let started = process.args.iter().take(3).map(String::as_str);
        let leader = subject.leader.iter().flat_map(|leader| leader.split(' ').take(3));
        let words = started.chain(leader).filter_map(|word| word.rsplit('/').next());
        let own = [subject.name.as_str(), subject.command.as_str(), pane.command.as_str()];
        let names: Vec<&str> = own.into_iter().chain(words).filter(|name| !name.is_empty()).collect();
        view.forget_before(&names);
    }
    let mut case = Case {
        evidence,
        subject,
        facts,
        view,
    };
    if case.facts.stopped {
        return fallback::stopped(&case);
    }
    if let Some(composer) = case.subject.program.and_then(|program| program.composer.as_ref()) {
        case.view.find_composer(composer);
    }
    let own = case.subject.program.into_iter();
    // A shell's prompt elsewhere (ssh, a tmux within) is judged as one here.
    let inside = super::remote::shell(rules, &mut case);
    for program in own
        .chain(inside)
        .chain(rules.programs().filter(|program| program.shared))
    {
        for rule in program.rules {
            let outcome = ask(rule, &case);
            if let Some((tried, rows)) = trace {
                let name = format!("{}/{}:{}", program.family, program.id, rule.id);
                if let Ok(fired) = &outcome {
                    rows.clone_from(&fired.rows);
                }
                tried.push(Tried {
                    rule: name,
                    refused: outcome.as_ref().err().map(ToString::to_string),
                });
            }
            if let Ok(fired) = outcome {
                return report::heed(&case, verdict(&case, program, rule, fired));
            }
        }
    }
    report::heed(&case, fallback::judge(&case))
}

/// Asks one rule.
fn ask(rule: &Rule, case: &Case<'_>) -> Result<Fired, Refusal> {
    if let Some(unmet) = case.facts.unmet(&rule.when, case.view.composer.is_some()) {
        return Err(unmet);
    }
    if let Some(probe) = rule.probe {
        probe::ask(probe, &case.view, &case.facts, &case.subject).map_err(Refusal::Probe)?;
    }
    let mut fired = Fired {
        captures: Vec::new(),
        rows: Vec::new(),
        texts: Vec::new(),
    };
    for pattern in rule.all {
        if !take(pattern, case, &mut fired) {
            return Err(Refusal::NotFound(pattern.source));
        }
    }
    if !rule.any.is_empty() && !rule.any.iter().any(|pattern| take(pattern, case, &mut fired)) {
        return Err(Refusal::NoneFound);
    }
    for pattern in rule.none {
        let text = case.view.text(pattern.region);
        if pattern.is_match(&text.plain, &text.lower) {
            return Err(Refusal::Found(pattern.source));
        }
    }
    for pattern in rule.note {
        take(pattern, case, &mut fired);
    }
    Ok(fired)
}

/// Whether a pattern is found; its captures and rows are kept. The first capture of a name stays.
fn take(pattern: &Pattern, case: &Case<'_>, fired: &mut Fired) -> bool {
    let text = case.view.text(pattern.region);
    let Some(found) = pattern.last_match(&text.plain, &text.lower) else {
        return false;
    };
    for (name, value) in found.groups {
        if fired.captures.iter().all(|(known, _)| *known != name) {
            fired.captures.push((name, value));
        }
    }
    let whole = text.plain.get(found.span.clone()).unwrap_or_default();
    let first = whole.trim().lines().next().unwrap_or_default();
    fired.texts.push(text::one_line(first, 60));
    let last = found.span.end.saturating_sub(1).max(found.span.start);
    if let (Some(from), Some(to)) = (text.row_at(found.span.start), text.row_at(last)) {
        fired.rows.extend(from..=to);
    }
    true
}

fn verdict(case: &Case<'_>, program: &Program, rule: &Rule, fired: Fired) -> Verdict {
    let summary = template::fill(rule.summary, |name| {
        let captured = fired
            .captures
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.clone());
        // A last line that holds what the rule found says it twice.
        let twice = |line: &String| {
            fired
                .captures
                .iter()
                .any(|(_, found)| found.len() >= 8 && line.contains(found.as_str()))
        };
        captured.or_else(|| value(case, name).filter(|found| name != "line" || !twice(found)))
    });
    let mut evidence = case.facts.said(&rule.when);
    evidence.extend(case.view.said.map(history::as_evidence));
    evidence.extend(
        fired
            .texts
            .iter()
            .filter(|t| !t.is_empty())
            .map(|t| format!("the screen: {}", template::tidy(t))),
    );
    if evidence.is_empty() {
        evidence.push(format!("program: {}", case.subject.how()));
    }
    finish(
        case,
        rule.kind,
        rule.need,
        format!("{}/{}:{}", program.family, program.id, rule.id),
        summary,
        evidence,
    )
}

/// A verdict with what is the same for all.
pub fn finish(
    case: &Case<'_>,
    kind: StatusKind,
    need: Option<crate::model::Need>,
    rule: String,
    summary: String,
    evidence: Vec<String>,
) -> Verdict {
    let subject = &case.subject;
    let inferred = rule.starts_with("fallback:");
    let summary = if summary.is_empty() {
        text::one_line(&subject.name, text::SUMMARY_LIMIT)
    } else {
        summary
    };
    Verdict {
        kind,
        need,
        program: subject.program.filter(|p| !p.shared).map(|_| subject.name.clone()),
        command: subject.command.clone(),
        agent: subject.program.is_some_and(|p| p.agent),
        rule,
        summary: if summary.is_empty() {
            kind.as_str().to_owned()
        } else {
            summary
        },
        evidence,
        // What moves may come to rest without printing a thing, and what no rule knows may begin to.
        volatile: kind == StatusKind::Active || (kind == StatusKind::Running && inferred),
    }
}

/// The values that every template may use.
pub fn value(case: &Case<'_>, name: &str) -> Option<String> {
    let prompt = || case.view.prompt();
    match name {
        "program" => Some(case.subject.said()),
        "dialog" => case.view.dialog(case.facts.alternate),
        "doing" => Some(super::words::doing(case)),
        "args" => Some(case.subject.args.clone()),
        "target" => case.subject.target.clone(),
        "file" => case
            .subject
            .target
            .as_ref()
            .map(|t| t.rsplit('/').next().unwrap_or(t).to_owned()),
        "leader" => case.subject.leader.clone(),
        "title" => Some(case.evidence.pane.title.clone()),
        "dir" => Some(case.evidence.pane.path.clone()),
        "command" => prompt().and_then(|p| p.command.clone()),
        "typed" => prompt().map(|p| p.typed.clone()),
        "ended" => history::ended(case.view.said).map(str::to_owned),
        "took" => history::took(case.view.said),
        "status" => prompt().and_then(|p| p.status).map(|n| n.to_string()),
        "output" => {
            let text = case.view.text(super::format::Region::Output(3));
            text.plain
                .lines()
                .rev()
                .map(str::trim)
                .find(|line| line.chars().any(char::is_alphanumeric))
                .map(str::to_owned)
        }
        "line" => super::words::headline(case),
        "user" => (case.subject.name != "root" && root_prompt(case)).then(|| "root".to_owned()),
        _ => None,
    }
}

/// Whether the line at the cursor is a super-user's prompt.
fn root_prompt(case: &Case<'_>) -> bool {
    let left = case.view.cursor_line().map_or("", |(_, left)| left);
    super::prompt::split(left).is_some_and(|(prompt, _)| prompt.ends_with('#') || prompt.starts_with("root@"))
}
