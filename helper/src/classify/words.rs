//! The words of a summary for what no rule knows: what runs, what it asks, what it said last.

use super::engine::Case;
use super::fallback::is_prompt_word;
use super::format::Region;
use super::prompt;
use crate::summary::template::{self, fill};
use crate::text;

/// The question above a list of choices: the nearest line that ends as a question.
pub fn menu_question(case: &Case<'_>) -> Option<String> {
    let near = case.view.text(Region::Last(10));
    let line = near
        .plain
        .lines()
        .rev()
        .find(|line| line.contains("? ") || line.trim_end().ends_with('?'))?;
    Some(template::tidy(line))
}

/// The last line a command printed, when it is an error's own words.
pub fn complaint(case: &Case<'_>) -> Option<String> {
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
            "attempt to",
            "unexpected",
            "denied",
            "refused",
        ]
        .iter()
        .any(|word| lower.contains(word))
    };
    printed.plain.lines().rev().find(is_error).map(template::tidy)
}

/// `deploy.py asks: Proceed? [y/N]`, without saying the name twice.
pub fn asks(name: &str, line: &str) -> String {
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
pub fn doing(case: &Case<'_>) -> String {
    let subject = &case.subject;
    let name = subject.name.as_str();
    let shell = subject.program.is_some_and(|p| p.family == "shells");
    if subject.interactive || typed_inside(case).is_some() {
        // A shell that is not at its prompt runs a builtin, a REPL a statement; only the line it was typed on says which.
        let on_screen = || case.view.lines.iter().rev().find_map(|line| typed_on(line.text));
        let anywhere = || super::history::running(case.view.said).or_else(on_screen);
        let typed = if shell { anywhere() } else { typed_inside(case) };
        return match typed {
            Some(command) => text::one_line(&template::tidy(&format!("{name} running {command}")), 60),
            None => name.to_owned(),
        };
    }
    if let Some(looped) = loop_typed(case) {
        return looped;
    }
    let args = template::tidy(&subject.args);
    let args = match args.find(name) {
        Some(at) => args.get(at + name.len()..).unwrap_or_default().trim(),
        None => args.as_str(),
    };
    // A program given in the command line is no name of anything.
    let code = ["-c ", "-e ", "-r ", "-E ", "--eval "]
        .iter()
        .any(|option| args.starts_with(option));
    let args = if code && text::width(args) > 24 { "" } else { args };
    text::one_line(format!("{name} {args}").trim_end(), 48)
}

/// `bash running while true; do …`: what a shell's loop runs now says less than the loop.
fn loop_typed(case: &Case<'_>) -> Option<String> {
    let process = case.subject.process?;
    let shell = case
        .evidence
        .processes?
        .iter()
        .find(|p| p.pid == process.ppid && p.pgid != process.pgid)?;
    // Behind a bare `>` stand the further lines of a command.
    let lines = case.view.lines.iter().rev().map(|line| line.text);
    let typed = lines.filter(|line| !line.starts_with("> ")).find_map(typed_on)?;
    let loops = ["for ", "while ", "until "].iter().any(|word| typed.starts_with(word));
    let said = || template::tidy(&format!("{} running {typed}", shell.comm));
    loops.then(|| text::one_line(&said(), 60))
}

fn typed_on(line: &str) -> Option<&str> {
    let (sign, typed) = prompt::split(line)?;
    Some(typed.trim()).filter(|typed| !typed.is_empty() && is_prompt_word(sign))
}

/// What was typed last at the program's own prompt, which says its name or another word: `shop=# select 1;`.
fn typed_inside<'a>(case: &'a Case<'_>) -> Option<&'a str> {
    let name = case.subject.name.as_str();
    let (sign, typed) = case
        .view
        .lines
        .iter()
        .rev()
        .find_map(|line| prompt::split(line.text).filter(|(_, typed)| !typed.trim().is_empty()))?;
    let sign = sign.trim();
    let word = sign.to_lowercase();
    let plain = word.trim_matches(|c: char| !c.is_alphanumeric());
    let shell = case.subject.program.is_some_and(|p| p.family == "shells");
    let bare = plain.is_empty() && sign.ends_with('>') && case.subject.interactive && !shell;
    let own = bare || !plain.is_empty() && (name.contains(plain) || word.contains(name));
    // A shell's own line on which the program was started names it.
    let started = typed.split_whitespace().any(|word| super::argv::base(word) == name);
    let begun = || {
        case.view.lines.iter().any(|line| {
            typed_on(line.text)
                .is_some_and(|typed| typed.split_whitespace().any(|word| super::argv::base(word) == name))
        })
    };
    let telling =
        plain.len() >= 2 && (sign.ends_with("]>") || !sign.contains([' ', '['])) && sign.ends_with(['>', '#', '$']);
    (!started && (own || telling && begun())).then(|| typed.trim())
}

/// The last that the program printed: not the line it was started on, not a frame, without its time and its bar.
pub fn headline(case: &Case<'_>) -> Option<String> {
    let full_screen = case.evidence.pane.alternate;
    if full_screen {
        // A full screen has its title or question above and keys below.
        let asks = |line: &&str| {
            let end = line
                .trim_end()
                .trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ':' | '?' | ')'));
            (end.ends_with([':', '?'])) && end.split_whitespace().count() >= 3
        };
        let tail = case.view.text(Region::default());
        let top = case.view.text(Region::Top(3));
        let title = top.plain.lines().find(|line| letters(line) >= 3);
        let line = tail.plain.lines().find(asks).or(title)?;
        return Some(columns(&template::tidy(line))).filter(|line| !is_noise(line));
    }
    let args = template::tidy(case.subject.args.trim());
    let text = case.view.text(Region::Last(8));
    let inside = typed_inside(case);
    let mut bars: Vec<String> = Vec::new();
    for raw in text.plain.lines().rev() {
        let line = template::without_bar(&template::tidy(raw));
        let bar = line.contains('%') && text::width(&line) + 6 < text::width(raw.trim());
        if !bar && !bars.is_empty() {
            break;
        }
        if letters(&line) < 2 || is_job(&line) || is_noise(&line) {
            continue;
        }
        let started_here = typed_on(raw).is_some_and(|typed| {
            inside == Some(typed)
                || args.is_empty()
                || typed.contains(case.subject.name.as_str())
                || template::tidy(typed).ends_with(&args)
        });
        let echoes_command = !args.is_empty() && line.ends_with(&args);
        if started_here || echoes_command {
            break;
        }
        if !bar {
            return Some(without_time(&request(&line).unwrap_or(line)));
        }
        bars.push(line);
        if bars.len() == 2 {
            break;
        }
    }
    bars.reverse();
    if let [bar] = bars.as_slice() {
        return Some(bar.clone());
    }
    (!bars.is_empty()).then(|| bars.iter().map(|bar| short_bar(bar)).collect::<Vec<_>>().join(", "))
}

fn letters(line: &str) -> usize {
    line.chars().filter(|c| c.is_alphanumeric()).count()
}

/// `[2] 8962`: a shell's note that it started a job.
fn is_job(line: &str) -> bool {
    line.starts_with('[') && line.chars().all(|c| c.is_ascii_digit() || matches!(c, '[' | ']' | ' '))
}

/// Single signs or numbers in many columns: an animation, a table of measurements.
fn is_noise(line: &str) -> bool {
    let count = |says_nothing: &dyn Fn(&str) -> bool| line.split_whitespace().filter(|word| says_nothing(word)).count();
    let all = count(&|_| true);
    let short = count(&|word| word.chars().count() < 2);
    let numbers = count(&|word| word.bytes().all(|b| b.is_ascii_digit() || b == b'.'));
    all >= 8 && short.max(numbers) * 10 > all * 7
}

/// A progress line up to its share, where that leaves a label: `Building 8% 0:56` among others is `Building 8%`.
fn short_bar(line: &str) -> String {
    match line.split_once('%') {
        Some((before, _)) if letters(before) > 4 => format!("{before}%"),
        _ => line.to_owned(),
    }
}

/// A line of columns as text: frames between them become one blank.
fn columns(line: &str) -> String {
    text::clean(&line.replace(|c: char| ('\u{2500}'..='\u{259f}').contains(&c), " "))
}

/// A web server's log line: `GET /orders (200)`.
fn request(line: &str) -> Option<String> {
    let (_, quoted) = line.split_once('"')?;
    let (request, after) = quoted.split_once('"')?;
    let (request, _) = request.split_once(" HTTP/")?;
    let status = after
        .split_whitespace()
        .next()
        .filter(|s| s.len() == 3 && s.bytes().all(|b| b.is_ascii_digit()))?;
    Some(format!("{request} ({status})"))
}

/// A log line without the time it begins with, and without syslog's host and process.
fn without_time(line: &str) -> String {
    let is_time = |word: &str| {
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        let marks = word.bytes().filter(|b| matches!(b, b':' | b'-' | b'/' | b'.')).count();
        word.contains([':', '-', '/']) && digits >= 4 && marks >= 2 && digits + marks + 5 >= word.len()
    };
    let month = |word: &str| {
        [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        .contains(&word)
    };
    let mut rest = line;
    let mut timed = false;
    while let Some((word, after)) = rest.split_once(' ') {
        let day = timed || rest.split(' ').nth(2).is_some_and(is_time);
        let zone = timed && matches!(word, "UTC" | "AM" | "PM" | "GMT");
        if !(is_time(word)
            || zone
            || month(word) && day
            || rest.len() < line.len() && !timed && word.parse::<u8>().is_ok())
        {
            break;
        }
        timed |= is_time(word);
        rest = after.trim_start();
    }
    // `devbox app[812]: text`
    let process = |word: &str| word.ends_with("]:") && word.contains('[');
    if timed && rest.split(' ').nth(1).is_some_and(process) {
        rest = rest.split_once("]: ").map_or(rest, |(_, text)| text);
    }
    match timed && letters(rest) >= 2 {
        true => rest.to_owned(),
        false => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_line_says_its_text() {
        for (line, said) in [
            ("Nov 30 08:05:00 devbox app[812]: INFO took 9ms", "INFO took 9ms"),
            ("2026-11-30 09:12:04.113 UTC [1] LOG: ready", "[1] LOG: ready"),
            ("2026-11-30T09:12:04Z ready now", "ready now"),
            ("[15:46:23] build #213: SUCCESS", "build #213: SUCCESS"),
            ("3:56:14 PM [vite] page reload src/a.js", "[vite] page reload src/a.js"),
            ("May I come in", "May I come in"),
            ("127.0.0.1 refused", "127.0.0.1 refused"),
        ] {
            assert_eq!(without_time(line), said);
        }
        assert_eq!(
            request("127.0.0.1 - - [30/Nov/2026 15:47:00] \"GET /p2.html HTTP/1.1\" 200 -").as_deref(),
            Some("GET /p2.html (200)")
        );
    }
}
