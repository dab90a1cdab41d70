//! Every recorded screen of an agent keeps its verdict when it shows the same thing in another way.
//!
//! A rule that leans on one recording's accident (a glyph, a verb, a width, a file's name, what the transcript happens to
//! say) turns this red. Each change below is one that a new release, another user or another prompt makes.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/looks.rs"]
mod looks;

use looks::{is_rule, wrapped, Look, Subject, IN_BETWEEN, MISLEADING, STATUS_LINES, TYPED};
use regex::Regex;
use serde_json::{json, Value};
use std::collections::BTreeMap;
use tmux_status::classify::Rules;
use tmux_status::text;

/// Changes a sample, or has nothing to change in it. The number picks one of several variants.
type Change = fn(&Subject, usize) -> Option<Subject>;

/// Every agent sample that is judged by a rule of its agent.
fn subjects(rules: &Rules) -> Vec<Subject> {
    let mut all = Vec::new();
    for sample in corpus::read("agents") {
        let agent = sample.group.replace("-code", "");
        let subject = Subject::of(&agent, &sample.value, rules);
        if sample.accepts(subject.said.kind) {
            all.push(subject);
        }
    }
    for entry in std::fs::read_dir(corpus::tests_folder().join("samples/agents")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut value: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        value["id"] = json!(name);
        all.push(Subject::of(name.split('-').next().unwrap(), &value, rules));
    }
    all.retain(|subject| subject.said.rule.starts_with("agents/"));
    all.sort_by(|a, b| a.id.cmp(&b.id));
    all
}

#[track_caller]
fn keeps_its_verdict(what: &str, variants: usize, change: Change) {
    let (rules, _) = Rules::load(None);
    let mut wrong: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut tried = 0;
    for (at, subject) in subjects(&rules).into_iter().enumerate() {
        // Two variants a sample; all of them are seen, as there are many samples of each situation.
        let chosen = match std::env::var_os("GENERALITY_ALL") {
            Some(_) => (0..variants).collect(),
            None => vec![at % variants, (at / variants + at + 1) % variants],
        };
        for variant in chosen {
            let Some(changed) = change(&subject, variant) else {
                continue;
            };
            tried += 1;
            let got = changed.judge(&rules);
            if (got.kind, got.need) != (subject.said.kind, subject.said.need) {
                let list = wrong
                    .entry(format!("{} -> {}", subject.said.rule, got.rule))
                    .or_default();
                list.push(format!("{} #{variant}", subject.id));
                if let Ok(folder) = std::env::var("GENERALITY_SHOW") {
                    let path = format!("{folder}/{}-{variant}.txt", subject.id);
                    let look = changed.looks.last().unwrap();
                    let rows = look.rows.join("\n");
                    let text = format!(
                        "{what}: {:?} -> {got:?}\ntitle {:?}\n{rows}\n",
                        subject.said, look.title
                    );
                    std::fs::write(path, text).unwrap();
                }
            }
        }
    }
    assert!(tried > 20, "{what}: only {tried} samples were changed");
    let count: usize = wrong.values().map(Vec::len).sum();
    assert!(
        wrong.is_empty(),
        "{what}: {count} of {tried} lost their verdict: {wrong:#?}"
    );
}

/// What only ever marks something that turns.
const SPINNERS: &[char] = &['◐', '◓', '◑', '⠋', '⠙', '⠹', '⠼', '⠏'];

/// Stars and bullets: of finished entries, and with a time in brackets of work.
const BULLETS: &[char] = &[
    '·', '✢', '✳', '✶', '✻', '✽', '*', '●', '◉', '◍', '✦', '⏺', '◆', '○', '◎',
];

#[test]
fn with_other_marks() {
    keeps_its_verdict("other marks", 14, |subject, variant| {
        let activity = activity();
        let all: Vec<char> = SPINNERS.iter().chain(BULLETS).copied().collect();
        let shift = |marks: &[char], c: char| {
            let at = marks.iter().position(|&mark| mark == c)?;
            Some(marks[(at + 1 + variant) % marks.len()])
        };
        subject.each(|look| {
            for row in &mut look.rows {
                let indent = row.len() - row.trim_start().len();
                let rest = &row[indent..];
                let Some(first) = rest.chars().next() else { continue };
                let after = &rest[first.len_utf8()..];
                let choice = after.trim_start().starts_with(|c: char| c.is_ascii_digit());
                if choice || !after.starts_with(' ') {
                    continue;
                }
                // In a language that the rule does not know only the turning mark tells.
                let shape = activity.is_match(row) && subject.said.rule != "agents/qwen:spinner";
                let mark = match shape {
                    true => shift(&all, first),
                    false => shift(SPINNERS, first).or_else(|| shift(BULLETS, first)),
                };
                if let Some(mark) = mark {
                    *row = format!("{}{mark}{after}", &row[..indent]);
                }
            }
            Some(())
        })
    });
}

#[test]
fn with_another_moving_bar() {
    keeps_its_verdict("another moving bar", 3, |subject, variant| {
        let (full, empty) = [('▪', '·'), ('█', '░'), ('◼', '◻')][variant];
        let has = |look: &Look| look.rows.iter().any(|row| row.contains('⬝'));
        subject.looks.iter().any(has).then_some(())?;
        subject.each(|look| {
            for row in &mut look.rows {
                *row = row.replace('⬝', &empty.to_string()).replace('■', &full.to_string());
            }
            Some(())
        })
    });
}

#[test]
fn with_another_mark_at_the_choice() {
    keeps_its_verdict("another mark at the choice", 4, |subject, variant| {
        let mark = ["❯", "›", "▸", "●"][variant];
        let choice = Regex::new(r"^([│┃ ]*)[❯›●>] ?( *[0-9]\. )").unwrap();
        subject.asks().then_some(())?;
        let mut found = false;
        let changed = subject.each(|look| {
            for row in &mut look.rows {
                *row = choice.replace(row, format!("${{1}}{mark} ${{2}}")).into_owned();
            }
            Some(())
        });
        found |= subject
            .looks
            .iter()
            .any(|look| look.rows.iter().any(|row| choice.is_match(row)));
        changed.filter(|_| found)
    });
}

/// `<mark> <words>… (` in any agent's fashion.
fn activity() -> Regex {
    Regex::new(r"^( *[^A-Za-z0-9\s│┃>❯›]{1,4} +)([^(…\n]+?)((?:…|\.\.\.)? \((?:[0-9]|esc))").unwrap()
}

#[test]
fn with_other_verbs() {
    keeps_its_verdict("other verbs", 7, |subject, variant| {
        let verb = [
            "Flibbertigibbeting",
            "Überlegt",
            "思考中",
            "Reading 3 files",
            "Fixing quoted input in src/parse.rs",
            "Counting sheep, one by one",
            "Sharpening the axe: what's next?",
        ][variant];
        let activity = activity();
        (subject.said.kind == "active").then_some(())?;
        let has = |look: &Look| look.rows.iter().any(|row| activity.is_match(row));
        subject.looks.iter().any(has).then_some(())?;
        subject.each(|look| {
            for row in &mut look.rows {
                *row = activity.replace(row, format!("${{1}}{verb}${{3}}")).into_owned();
            }
            Some(())
        })
    });
}

#[test]
fn with_other_times_and_counts() {
    keeps_its_verdict("other times and counts", 5, |subject, variant| {
        let time = ["1m 5s", "2h 3m 4s", "59m 59s", "3s", "125s"][variant];
        let tokens = [
            "↑ 1.3k tokens",
            "↓ 12.4k tokens · thought for 4s",
            "↓ 3 tokens · thinking",
            "↑ 0 tokens",
            "↓ 250k tokens",
        ][variant];
        let elapsed = Regex::new(r"\((esc to (?:cancel|interrupt)(?:, | · ))?(?:[0-9]+m )?[0-9]+s\b").unwrap();
        let count = Regex::new(r"[↓↑] [0-9.]+k? tokens").unwrap();
        let has = |look: &Look| look.rows.iter().any(|row| elapsed.is_match(row));
        subject.looks.iter().any(has).then_some(())?;
        subject.each(|look| {
            for row in &mut look.rows {
                *row = elapsed.replace(row, format!("(${{1}}{time}")).into_owned();
                *row = count.replace(row, tokens).into_owned();
            }
            Some(())
        })
    });
}

#[test]
fn with_other_names_and_places() {
    keeps_its_verdict("other names and places", 3, |subject, variant| {
        let names = [
            [
                ("dev@devbox", "root@10.0.0.7"),
                ("/home/dev", "/root"),
                ("project", "api"),
                ("mock-large", "opus-9"),
                ("notes.txt", "src/a b.rs"),
                ("master", "feat/x-1"),
            ],
            [
                ("dev@devbox", "ana@Anas-MacBook"),
                ("/home/dev", "/Users/ana"),
                ("project", "Meine App"),
                ("mock-large", "gpt-7"),
                ("notes.txt", "über.md"),
                ("master", "main"),
            ],
            [
                ("dev@devbox", "me@x"),
                ("/home/dev", "/srv/git"),
                ("project", "漢字"),
                ("mock-large", "local (q4)"),
                ("notes.txt", "x"),
                ("master", "dev/1.2.3"),
            ],
        ][variant];
        let renamed = |text: &str| {
            names
                .iter()
                .fold(text.to_owned(), |text, (old, new)| text.replace(old, new))
        };
        let mut changed = subject.each(|look| {
            for row in &mut look.rows {
                *row = renamed(row);
            }
            look.title = renamed(&look.title);
            Some(())
        })?;
        for key in ["pane_current_path", "window_name"] {
            if let Some(Value::String(old)) = changed.pane.get(key) {
                let new = renamed(old);
                changed.pane.insert(key.to_owned(), json!(new));
            }
        }
        Some(changed)
    });
}

#[test]
fn with_another_title() {
    keeps_its_verdict("another title", 3, |subject, variant| {
        let topic = ["Fix the login", "esc to interrupt", "Thinking… (12s)"][variant];
        (!subject.said.by_title).then_some(())?;
        let agent = subject.agent.clone();
        subject.each(|look| {
            let title = look.title.clone();
            look.title = match agent.as_str() {
                "claude" => match title.split_once(' ') {
                    Some((mark, _)) if mark.chars().count() == 1 => format!("{mark} {topic}"),
                    _ => return None,
                },
                "codex" => {
                    let parts: Vec<&str> = title.split(" | ").collect();
                    match parts.as_slice() {
                        [mark, _, folder] if mark.starts_with('[') => format!("{mark} | {topic} | {folder}"),
                        [first, folder] => match first.chars().next() {
                            Some(mark) if !mark.is_ascii() => format!("{mark} {topic} | {folder}"),
                            _ => format!("{topic} | {folder}"),
                        },
                        _ => return None,
                    }
                }
                "gemini" => title.split('(').next()?.to_owned() + "(" + topic + ")",
                "opencode" => format!("OC | {topic}"),
                "copilot" => format!("{topic} - GitHub Copilot"),
                "cline" => format!("> {topic}"),
                "qwen" => format!("Qwen - {topic}"),
                _ => return None,
            };
            Some(())
        })
    });
}

#[test]
fn without_a_title() {
    keeps_its_verdict("no title", 2, |subject, variant| {
        let title = ["", "devbox"][variant];
        let rests_on_title = subject.said.by_title || subject.said.rule.contains("title");
        (!rests_on_title && !subject.said.rule.ends_with("action-required")).then_some(())?;
        subject.each(|look| {
            title.clone_into(&mut look.title);
            Some(())
        })
    });
}

#[test]
fn with_a_status_line_below_the_box() {
    keeps_its_verdict("a status line below the box", 6, |subject, variant| {
        (!subject.asks()).then_some(())?;
        let most = match subject.agent.as_str() {
            "claude" | "copilot" | "qwen" | "gemini" => 3,
            _ => return None,
        };
        let lines: Vec<String> = (0..=variant % most)
            .map(|at| STATUS_LINES[(variant + at) % STATUS_LINES.len()].to_owned())
            .collect();
        let agent = subject.agent.clone();
        subject.each(|look| {
            let end = look.composer(&agent)?.end;
            look.insert(end, &lines);
            Some(())
        })
    });
}

#[test]
fn with_a_list_below_the_activity_line() {
    keeps_its_verdict(
        "a list below the activity line",
        IN_BETWEEN.len(),
        |subject, variant| {
            let activity = activity();
            (subject.said.kind == "active" && matches!(subject.agent.as_str(), "claude" | "gemini" | "qwen"))
                .then_some(())?;
            let lines: Vec<String> = IN_BETWEEN[variant].iter().map(|&line| line.to_owned()).collect();
            let agent = subject.agent.clone();
            subject.each(|look| {
                let start = look.composer(&agent)?.start;
                let at = (0..start).rev().find(|&at| activity.is_match(&look.rows[at]))?;
                look.insert(at + 1, &lines);
                Some(())
            })
        },
    );
}

#[test]
fn with_misleading_words_in_the_transcript() {
    keeps_its_verdict("misleading words", MISLEADING.len(), |subject, variant| {
        let lines: Vec<String> = MISLEADING[variant].iter().map(|&line| line.to_owned()).collect();
        let agent = subject.agent.clone();
        let activity = activity();
        let (asks, kind) = (subject.asks(), subject.said.kind);
        let fired = subject.said.rows.clone();
        (!asks).then_some(())?;
        subject.each(|look| {
            let start = look.composer(&agent)?.start;
            // An error's and an activity's own lines stay the last ones.
            let at = match kind {
                "waiting" => start,
                "active" => {
                    let of_rule = fired.iter().copied().filter(|&at| at < start).min();
                    let line = (0..start).rev().find(|&at| activity.is_match(&look.rows[at]));
                    line.or(of_rule).unwrap_or(start)
                }
                _ => return None,
            };
            let at = look.end_of_transcript(at);
            // Not into a list that belongs to an answer's next line.
            look.rows.get(at.checked_sub(1)?)?;
            let mut lines = lines.clone();
            if agent == "opencode" {
                lines = lines.iter().map(|line| format!("   {line}")).collect();
            }
            look.insert(at, &lines);
            Some(())
        })
    });
}

#[test]
fn with_a_prompt_half_typed() {
    keeps_its_verdict("a prompt half typed", TYPED.len(), |subject, variant| {
        let agent = subject.agent.clone();
        (!subject.asks()).then_some(())?;
        let typed = TYPED[variant];
        let by_box = ["agents/claude:error", "agents/claude:queued"].contains(&subject.said.rule.as_str());
        (!by_box).then_some(())?;
        subject.each(|look| {
            let rows = look.composer(&agent)?;
            let (first, rest, inner) = match agent.as_str() {
                "claude" => ("❯\u{a0}", "  ", rows.start + 1..rows.end - 1),
                "cline" | "copilot" => ("❯ ", "  ", rows.start + 1..rows.end - 1),
                "qwen" => ("> ", "  ", rows.start + 1..rows.end - 1),
                "codex" => ("› ", "  ", rows.clone()),
                "gemini" => (" > ", "   ", rows.end - 1..rows.end),
                "opencode" => ("  ┃  ", "  ┃  ", rows.start + 1..rows.start + 2),
                _ => return None,
            };
            let lines: Vec<String> = typed
                .iter()
                .enumerate()
                .map(|(at, line)| {
                    format!("{}{line}", if at == 0 { first } else { rest })
                        .trim_end()
                        .to_owned()
                })
                .collect();
            look.remove(inner.clone());
            look.insert(inner.start, &lines);
            look.y = inner.start + lines.len() - 1;
            look.x = text::width(lines.last().unwrap());
            Some(())
        })
    });
}

#[test]
fn in_another_width() {
    keeps_its_verdict("another width", 3, |subject, variant| {
        let width = subject.width() * [75, 130, 240][variant] / 100;
        // What is drawn over something else cannot be wrapped row by row.
        let overlaid = subject.agent == "opencode" && subject.asks() || subject.pane["pane_width"] == json!(47);
        (variant > 0 || !overlaid).then_some(())?;
        let mut changed = subject.each(|look| {
            let mut rows = Vec::new();
            let mut y = None;
            for (at, row) in look.rows.iter().enumerate() {
                if at == look.y {
                    y = Some(rows.len());
                }
                if is_rule(row.trim()) {
                    let indent = row.len() - row.trim_start().len();
                    let mark = row.trim().chars().next().unwrap();
                    rows.push(" ".repeat(indent) + &mark.to_string().repeat(width.saturating_sub(2 * indent)));
                } else {
                    rows.extend(wrapped(row, width));
                }
            }
            look.y = y.unwrap_or(look.y + rows.len() - look.rows.len());
            look.rows = rows;
            Some(())
        })?;
        changed.pane.insert("pane_width".to_owned(), json!(width));
        Some(changed)
    });
}
