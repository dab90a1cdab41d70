//! Answers for panes that no rule knows: from how they ended, the kernel, the CPU and what moves.
//!
//! Its rules are named `fallback:…`, so that a reader can see that no rule file spoke.

use super::engine::{finish, Case};
use super::facts::said_of_input;
use super::format::{Input, Region};
use super::identify::Subject;
use super::prompt;
use crate::model::{Evidence, Need, StatusKind, Verdict};
use crate::summary::template::{self, fill};
use crate::text;

/// A dead pane, or one that could not be captured.
pub fn unreadable(evidence: &Evidence<'_>, subject: &Subject<'_>) -> Option<Verdict> {
    let make = |kind, need, rule: &str, summary: String, why: String| Verdict {
        kind,
        need,
        program: None,
        command: subject.command.clone(),
        agent: false,
        rule: format!("fallback:{rule}"),
        summary,
        evidence: vec![why],
        volatile: false,
    };
    if let Some(death) = &evidence.pane.dead {
        let name = start_name(evidence).unwrap_or_else(|| subject.command.clone());
        if let Some(signal) = death.signal.as_deref().filter(|s| !s.is_empty() && *s != "0") {
            let why = format!("tmux: the pane is dead, signal {signal}");
            return Some(make(
                StatusKind::Error,
                Some(Need::Failed),
                "killed",
                template::killed(&name, signal),
                why,
            ));
        }
        return Some(match death.status {
            Some(0) => make(
                StatusKind::Idle,
                None,
                "exited",
                template::exited(&name, 0),
                "tmux: the pane is dead, status 0".into(),
            ),
            Some(n) => {
                let why = format!("tmux: the pane is dead, status {n}");
                make(
                    StatusKind::Error,
                    Some(Need::Failed),
                    "failed",
                    template::exited(&name, n),
                    why,
                )
            }
            None => make(
                StatusKind::Idle,
                None,
                "ended",
                fill("[{name} ]ended (pane is dead)", |_| Some(name.clone())),
                "tmux: the pane is dead".into(),
            ),
        });
    }
    evidence.screen.is_none().then(|| {
        let summary = fill("the pane cannot be read[: {name}]", |_| Some(subject.command.clone()));
        make(
            StatusKind::Error,
            None,
            "unreadable",
            summary,
            "tmux gave no capture of the pane".into(),
        )
    })
}

/// The program that the pane was started with, as far as tmux tells.
fn start_name(evidence: &Evidence<'_>) -> Option<String> {
    let words: Vec<String> = evidence
        .pane
        .start_command
        .trim_matches('"')
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    let name = super::argv::read(&words, "").names.into_iter().next()?;
    (name
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-')))
    .then_some(name)
}

/// A foreground program that was stopped and has no shell to go back to.
pub fn stopped(case: &Case<'_>) -> Verdict {
    let summary = template::stopped(&doing(case));
    finish(
        case,
        StatusKind::Idle,
        None,
        "fallback:stopped".into(),
        summary,
        vec!["the kernel: it is stopped".into()],
    )
}

/// The answer from what is left: kernel, then movement, then quiet.
pub fn judge(case: &Case<'_>) -> Verdict {
    let facts = &case.facts;
    let name = case.subject.name.as_str();
    let kernel = |input| vec![said_of_input(input).to_owned()];
    match facts.input {
        Some(Input::Password) => {
            let asked = question(case);
            let summary = match &asked {
                Some(line) if line.to_lowercase().contains(name) => fill("{line}", |_| Some(line.clone())),
                Some(line) => fill("{name} asks: {line}", |key| {
                    Some(if key == "name" { name } else { line }.to_owned())
                }),
                None => fill("{name} asks for a password", |_| Some(name.to_owned())),
            };
            return waiting(case, "password", summary, kernel(Input::Password));
        }
        Some(Input::Line) => {
            let summary = match question(case) {
                Some(line) => asks(name, &line),
                None => fill("{name} waits for a line of input", |_| Some(doing(case))),
            };
            return waiting(case, "line", summary, kernel(Input::Line));
        }
        _ => {}
    }
    let raw = facts.input == Some(Input::Raw);
    let interactive_shell = case.subject.interactive && case.subject.program.is_some_and(|p| p.family == "shells");
    if facts.output_moves() {
        return moving(case, "output", "output moves");
    }
    if !raw && facts.busy == Some(true) {
        return moving(case, "busy", "its processes use the CPU");
    }
    // Where the terminal could not be asked, a full screen or a prompt before the cursor says as much.
    let unasked = facts.input.is_none();
    if (raw || unasked && (case.evidence.pane.alternate || at_sign(case))) && !interactive_shell {
        return key_by_key(case);
    }
    if let (None, Some(line)) = (facts.input, question(case)) {
        if line.ends_with(['?', ':', ']', ')']) {
            return waiting(case, "question", asks(name, &line), vec![format!("the screen: {line}")]);
        }
    }
    if case.subject.program.is_some_and(|p| p.agent) {
        // An agent at rest whose screen nobody knows more likely waits than works: working agents paint.
        let summary = fill("{name} is open[: {line}]", |key| {
            if key == "name" {
                Some(name.to_owned())
            } else {
                headline(case)
            }
        });
        return finish(
            case,
            StatusKind::Waiting,
            None,
            "fallback:agent-quiet".into(),
            summary,
            vec!["nothing moves".into()],
        );
    }
    let summary = fill("{name}[: {line}]", |key| match key {
        "name" => Some(doing(case)),
        _ => headline(case),
    });
    let summary = if headline(case).is_none() {
        format!("{} running", doing(case))
    } else {
        summary
    };
    let why = match facts.input {
        Some(input) => kernel(input),
        None => vec![format!("program: {}", case.subject.how())],
    };
    finish(
        case,
        StatusKind::Running,
        None,
        "fallback:quiet".into(),
        text::one_line(&summary, text::SUMMARY_LIMIT),
        why,
    )
}

/// A program that takes keys one by one and is at rest: a prompt with a line editor, a question, a menu, a full screen.
fn key_by_key(case: &Case<'_>) -> Verdict {
    let name = case.subject.name.as_str();
    let why = match case.facts.input {
        Some(input) => vec![said_of_input(input).to_owned()],
        None => vec!["the screen: it ends in a prompt or fills the pane, and rests".to_owned()],
    };
    let left = case.view.cursor_line().map_or("", |(_, left)| left);
    let full_screen = case.evidence.pane.alternate;
    let in_brackets = left.trim().starts_with('(') && left.trim().ends_with(')') && !left.trim().contains(' ');
    if !full_screen && (in_brackets || prompt::split(left).is_some_and(|(sign, _)| is_prompt_word(sign))) {
        let found = case.view.prompt();
        let summary = fill(
            "{name} prompt[, last command: {command}][ ({output})]",
            |key| match key {
                "name" => Some(name.to_owned()),
                "command" => found.and_then(|p| p.command.clone()),
                _ => complaint(case),
            },
        );
        return finish(case, StatusKind::Waiting, None, "fallback:prompt".into(), summary, why);
    }
    let asked = question(case)
        .filter(|line| looks_asked(line))
        .or_else(|| menu_question(case).filter(|_| !full_screen));
    if let Some(line) = asked {
        return waiting(case, "raw-question", asks(name, &line), why);
    }
    let summary = fill("{name} is open[: {line}]", |key| match key {
        "name" => Some(doing(case)),
        _ => headline(case),
    });
    let dialog = case.evidence.pane.cursor_visible || !full_screen;
    let agent = case.subject.program.is_some_and(|p| p.agent);
    let kind = if dialog || agent {
        StatusKind::Waiting
    } else {
        StatusKind::Idle
    };
    finish(case, kind, None, "fallback:raw".into(), summary, why)
}

/// Whether a prompt or a question stands before the visible cursor.
fn at_sign(case: &Case<'_>) -> bool {
    let left = case.view.cursor_line().map_or("", |(_, left)| left);
    let prompt = prompt::split(left).is_some_and(|(sign, typed)| is_prompt_word(sign) && typed.trim().is_empty());
    let menu = !case.evidence.pane.cursor_visible && menu_question(case).is_some();
    prompt && case.evidence.pane.cursor_visible || menu || question(case).is_some_and(|line| looks_asked(&line))
}

/// Whether a text before the cursor looks like a prompt of a REPL: short, without blanks inside words of prose.
fn is_prompt_word(sign: &str) -> bool {
    text::width(sign) <= 40 && sign.split_whitespace().count() <= 3 && !sign.contains('?')
}

/// Whether a line is put to somebody: it ends as questions end.
fn looks_asked(line: &str) -> bool {
    let end = line.trim_end();
    let closed = end.ends_with(['?', ':', ']', '>']) || end.ends_with("...") || end.ends_with('…');
    closed
        || ["(y", "[y", "(Y", "[Y", "yes/no", "y/n", "? "]
            .iter()
            .any(|part| end.contains(part))
}

/// The question above a list of choices: the nearest line that ends as a question.
fn menu_question(case: &Case<'_>) -> Option<String> {
    let near = case.view.text(Region::Last(10));
    let line = near
        .plain
        .lines()
        .rev()
        .find(|line| line.contains("? ") || line.trim_end().ends_with('?'))?;
    Some(template::tidy(line))
}

/// The last line a command printed, when it is an error's own words.
fn complaint(case: &Case<'_>) -> Option<String> {
    let printed = case.view.text(Region::Output(4));
    let is_error = |line: &&str| {
        let lower = line.to_ascii_lowercase();
        [
            "error",
            "exception",
            "no such",
            "not found",
            "failed",
            "invalid",
            "undefined",
        ]
        .iter()
        .any(|word| lower.contains(word))
    };
    printed.plain.lines().rev().find(is_error).map(template::tidy)
}

fn waiting(case: &Case<'_>, rule: &str, summary: String, why: Vec<String>) -> Verdict {
    finish(
        case,
        StatusKind::Waiting,
        Some(Need::Question),
        format!("fallback:{rule}"),
        summary,
        why,
    )
}

fn moving(case: &Case<'_>, rule: &str, why: &str) -> Verdict {
    let summary = fill("{name}[: {line}]", |key| match key {
        "name" => Some(doing(case)),
        _ => headline(case),
    });
    finish(
        case,
        StatusKind::Active,
        None,
        format!("fallback:{rule}"),
        summary,
        vec![why.to_owned()],
    )
}

/// `deploy.py asks: Proceed? [y/N]`, without saying the name twice.
fn asks(name: &str, line: &str) -> String {
    let line = line
        .strip_prefix(name)
        .and_then(|rest| rest.strip_prefix(": "))
        .unwrap_or(line);
    fill("{name} asks: {line}", |key| {
        Some(if key == "name" { name } else { line }.to_owned())
    })
}

/// The text left of the cursor, or the wrapped line that it ends; else the lines of a menu above it.
pub fn question(case: &Case<'_>) -> Option<String> {
    let (_, left) = case.view.cursor_line()?;
    let left = template::tidy(left);
    let telling = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count() >= 2;
    if !telling(&left) {
        return None;
    }
    // A long question wraps: lines that fill the pane's width belong to it.
    let mut whole = left.clone();
    let mut at = case.view.cursor?;
    while at > 0 && whole.chars().count() < 300 {
        at -= 1;
        let line = case.view.lines.get(at)?;
        if text::width(line.text) < case.view.width || case.view.width < 20 {
            break;
        }
        whole = format!("{}{}", line.text.trim_start(), whole);
    }
    // A bare `Enter a value:` says little: the question above it says what for.
    let above = case.view.text(Region::AboveCursor(6));
    let asked = above.plain.lines().rev().find(|line| line.trim_end().ends_with('?'));
    match asked {
        Some(asked) if !whole.contains('?') && whole.ends_with(':') => {
            Some(template::tidy(&format!("{} {}", asked.trim(), whole)))
        }
        _ => Some(whole),
    }
}

/// What runs, as it was typed, cut to leave room for what it says.
fn doing(case: &Case<'_>) -> String {
    let subject = &case.subject;
    let typed = case
        .view
        .lines
        .iter()
        .rev()
        .find_map(|line| Some(prompt::split(line.text)?.1.trim()).filter(|c| !c.is_empty()));
    if subject.interactive {
        // A shell that is not at its prompt runs a builtin; only the line it was typed on says which.
        if let Some(command) = typed.filter(|_| subject.program.is_some_and(|p| p.family == "shells")) {
            return text::one_line(&template::tidy(&format!("{} running {command}", subject.name)), 60);
        }
        return subject.name.clone();
    }
    let args = template::tidy(&subject.args);
    let args = match args.find(subject.name.as_str()) {
        Some(at) => args
            .get(at + subject.name.len()..)
            .unwrap_or_default()
            .trim()
            .to_owned(),
        None => args,
    };
    text::one_line(&format!("{} {args}", subject.name), 48)
}

/// The last line that the program printed: not the line it was started on, not a frame.
fn headline(case: &Case<'_>) -> Option<String> {
    let args = case.subject.args.trim();
    let lines = case
        .view
        .lines
        .iter()
        .rev()
        .take(8)
        .map(|line| template::tidy(line.text));
    for line in lines {
        if line.chars().filter(|c| c.is_alphanumeric()).count() < 2 {
            continue;
        }
        let started_here = prompt::split(&line).is_some_and(|(_, typed)| {
            let typed = typed.trim();
            !typed.is_empty()
                && (args.is_empty()
                    || typed.contains(case.subject.name.as_str())
                    || typed.ends_with(&template::tidy(args)))
        });
        let echoes_command = !args.is_empty() && line.ends_with(&template::tidy(args));
        return (!started_here && !echoes_command).then_some(line);
    }
    None
}
