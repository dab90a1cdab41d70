//! Answers for panes that no rule knows: from how they ended, the kernel, the CPU and what moves.
//!
//! Its rules are named `fallback:…`, so that a reader can see that no rule file spoke.

use super::argv;
use super::engine::{finish, Case};
use super::facts::said_of_input;
use super::format::{Input, Region};
use super::identify::Subject;
use super::prompt;
use super::words::{asks, complaint, doing, headline, menu_question, question};
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
        let last = last_words(evidence);
        let with = |ended: String| match &last {
            Some(line) => fill("{ended}: {line}", |key| {
                Some(if key == "ended" { &ended } else { line }.clone())
            }),
            None => ended,
        };
        if let Some(signal) = death.signal.as_deref().filter(|s| !s.is_empty() && *s != "0") {
            let why = format!("tmux: the pane is dead, signal {signal}");
            return Some(make(
                StatusKind::Error,
                Some(Need::Failed),
                "killed",
                with(template::killed(&name, signal)),
                why,
            ));
        }
        let (kind, need, rule) = match death.status {
            Some(0) => (StatusKind::Idle, None, "exited"),
            Some(_) => (StatusKind::Error, Some(Need::Failed), "failed"),
            None => (StatusKind::Idle, None, "ended"),
        };
        let (summary, why) = match death.status {
            Some(n) => (
                template::exited(&name, n),
                format!("tmux: the pane is dead, status {n}"),
            ),
            None => (
                fill("[{name} ]ended (pane is dead)", |_| Some(name.clone())),
                "tmux: the pane is dead".to_owned(),
            ),
        };
        return Some(make(kind, need, rule, with(summary), why));
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

/// The program that the pane was started with, as far as tmux tells. What is several commands was run by a shell.
fn start_name(evidence: &Evidence<'_>) -> Option<String> {
    let mut words = argv::words(&evidence.pane.start_command);
    // tmux shows a command of one argument in quotes, with those inside escaped.
    if let ([one], true) = (words.as_slice(), evidence.pane.start_command.starts_with('"')) {
        words = argv::words(one);
    }
    let parted = |word: &String| matches!(word.as_str(), "&&" | "||" | "|" | "&") || word.ends_with(';');
    if words.iter().any(parted) {
        return Some("sh".to_owned());
    }
    let name = argv::read(&words, "").names.into_iter().next()?;
    (name
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-')))
    .then_some(name)
}

/// The last line that a dead pane's program printed; the row below it is tmux's.
fn last_words(evidence: &Evidence<'_>) -> Option<String> {
    let rows = evidence.screen?.iter().rev().map(|row| template::tidy(row));
    let mut said = rows.filter(|row| row.chars().any(char::is_alphanumeric) && !row.starts_with("Pane is dead"));
    said.next()
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
        Some(Input::Line) if reads_commands(case) => {
            let why = kernel(Input::Line);
            return prompting(case, at_prompt(case), why);
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
        if line.ends_with(['?', ':', ']', ')', '？', '：', '】', '）']) {
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
    let what = doing(case);
    let summary = if headline(case).is_none() {
        match what.contains(" running ") {
            true => what,
            false => format!("{what} running"),
        }
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
    if !full_screen && is_continuation(left) {
        let begun = case.view.text(Region::AboveCursor(6));
        let begun = begun.plain.lines().rev().find(|line| !is_continuation(line));
        let begun = begun.and_then(|line| Some(prompt::split(line)?.1.trim().to_owned()));
        let summary = fill("{name} prompt, unfinished[: {begun}]", |key| {
            if key == "name" {
                Some(name.to_owned())
            } else {
                begun.clone()
            }
        });
        return prompting(case, summary, why);
    }
    let in_brackets = left.trim().starts_with('(') && left.trim().ends_with(')') && !left.trim().contains(' ');
    if !full_screen && (in_brackets || prompt::split(left).is_some_and(|(sign, _)| is_prompt_word(sign))) {
        return prompting(case, at_prompt(case), why);
    }
    let dialog = case.evidence.pane.cursor_visible || !full_screen;
    let asked = case
        .view
        .dialog(full_screen)
        .or_else(|| question(case).filter(|line| looks_asked(line) && (dialog || asks_outright(line))))
        .or_else(|| menu_question(case).filter(|_| !full_screen));
    if let Some(line) = asked {
        return waiting(case, "raw-question", asks(name, &line), why);
    }
    let summary = fill("{name} is open[: {line}]", |key| match key {
        "name" => Some(doing(case)),
        _ => headline(case),
    });
    let agent = case.subject.program.is_some_and(|p| p.agent);
    let kind = if dialog || agent {
        StatusKind::Waiting
    } else {
        StatusKind::Idle
    };
    finish(case, kind, None, "fallback:raw".into(), summary, why)
}

/// Whether a line belongs to a statement that an earlier line began: `... `, `...> `, `->`.
fn is_continuation(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("...") && !line.starts_with("....") || line == "->" || line.starts_with("-> ")
}

/// `psql prompt shop=#, last command: select 1;`, with the complaint of that command.
fn at_prompt(case: &Case<'_>) -> String {
    let name = case.subject.name.as_str();
    let found = case.view.prompt();
    let left = case.view.cursor_line().map_or("", |(_, left)| left);
    let sign = prompt::split(left).map_or(left, |(sign, _)| sign).trim();
    let complaint = complaint(case);
    // A sign that says no more than the program's name is no news, and a long one leaves no room for what went wrong.
    let word = sign.to_lowercase();
    let plain: String = word.chars().filter(|c| c.is_alphabetic()).collect();
    let telling = !plain.is_empty()
        && !word.contains(name)
        && !name.contains(plain.as_str())
        && text::width(sign) <= if complaint.is_some() { 12 } else { 30 };
    let started = |command: &str| {
        let rest = command.strip_prefix(name).map(str::trim);
        !rest.is_some_and(|rest| case.subject.args.trim().ends_with(rest))
    };
    let typed = prompt::split(left).map_or("", |(_, typed)| typed.trim());
    if !typed.is_empty() {
        return fill("{name} prompt[ {sign}], typed: {typed}", |key| match key {
            "name" => Some(name.to_owned()),
            "sign" => telling.then(|| sign.to_owned()),
            _ => Some(typed.to_owned()),
        });
    }
    fill(
        "{name} prompt[ {sign}][, last command: {command}][ ({output})]",
        |key| match key {
            "name" => Some(name.to_owned()),
            "sign" => telling.then(|| sign.to_owned()),
            "command" => found.and_then(|p| p.command.clone()).filter(|command| started(command)),
            _ => complaint.clone(),
        },
    )
}

/// Whether a program that reads lines shows its prompt and no question: a bare sign or its own name, and it is no script.
fn reads_commands(case: &Case<'_>) -> bool {
    let name = case.subject.name.as_str();
    let left = case.view.cursor_line().map_or("", |(_, left)| left);
    let Some((sign, typed)) = prompt::split(left) else {
        return false;
    };
    let word: String = sign.chars().filter(|c| c.is_alphanumeric()).collect();
    // `DB<1>`, `octave:1>`, `iex(1)>`: only a prompt counts what was typed.
    let counted = counts(sign.trim());
    let script = name.contains('.') || case.subject.program.is_some_and(|p| p.family == "shells");
    let own = word.is_empty() || name.contains(word.to_lowercase().as_str());
    // A bare sign may stand before an answer, too; with something typed only a REPL's own is sure.
    let typing = !typed.trim().is_empty();
    counted || !script && own && (!typing || case.subject.interactive)
}

/// Whether a prompt numbers its commands and says nothing else.
fn counts(sign: &str) -> bool {
    let inner = sign.trim_end_matches('>').trim_end_matches(['>', ')', ']']);
    let word = inner.trim_end_matches(|c: char| c.is_ascii_digit());
    sign.ends_with('>') && word.len() < inner.len() && word.ends_with(['<', '(', '[', ':']) && !word.contains(' ')
}

/// Whether a prompt or a question stands before the visible cursor.
fn at_sign(case: &Case<'_>) -> bool {
    let left = case.view.cursor_line().map_or("", |(_, left)| left);
    let prompt = prompt::split(left).is_some_and(|(sign, typed)| is_prompt_word(sign) && typed.trim().is_empty());
    let menu = !case.evidence.pane.cursor_visible && menu_question(case).is_some();
    prompt && case.evidence.pane.cursor_visible || menu || question(case).is_some_and(|line| looks_asked(&line))
}

/// Whether a text before the cursor looks like a prompt of a REPL: short, without blanks inside words of prose.
pub fn is_prompt_word(sign: &str) -> bool {
    text::width(sign) <= 40 && sign.split_whitespace().count() <= 3 && !sign.contains('?')
}

/// Whether a line is put to somebody: it ends as questions end.
fn looks_asked(line: &str) -> bool {
    let end = line.trim_end();
    // `name: (default)` asks, too.
    let default = end.ends_with(')') && end.contains(": (");
    let closed =
        default || end.ends_with(['?', ':', ']', '>', '？', '：', '】']) || end.ends_with("...") || end.ends_with('…');
    closed || end.contains("? ") || offers(end)
}

/// Whether it names the answers.
fn offers(line: &str) -> bool {
    ["(y", "[y", "(Y", "[Y", "yes/no", "y/n"]
        .iter()
        .any(|part| line.contains(part))
}

/// Whether a line asks in so many words. Where a full screen hides its cursor, it may rest on any text.
fn asks_outright(line: &str) -> bool {
    let sentence = line
        .split_once(['?', '？'])
        .is_some_and(|(before, _)| before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '\'' | ')')));
    sentence || offers(line)
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

/// At a prompt: it waits, and needs nobody.
fn prompting(case: &Case<'_>, summary: String, why: Vec<String>) -> Verdict {
    finish(case, StatusKind::Waiting, None, "fallback:prompt".into(), summary, why)
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
