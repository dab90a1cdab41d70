//! Screens written by hand: situations that were not recorded, or were recorded in one form only.
//!
//! `tests/variants/NAME.txt` holds them, each as a head and the rows:
//!
//! ```text
//! === what it shows
//! claude waiting permission        program (or its command line in quotes), kind, need
//! says: github                     a text that the summary holds
//! title: ✳ Fix the parser
//! look: moving | first             default: the second of two equal looks
//! record: busy                     what the agent's own record says
//! cursor: shown                    at the end of the last row; default: hidden
//! screen: plain                    what a program prints; default: one that it paints
//! input: line | nothing | unknown  what the kernel tells; default: key by key
//! cpu: busy
//! ---
//! rows
//! ```

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/screens.rs"]
mod screens;

use screens::Screen;
use std::path::Path;
use tmux_status::classify::Rules;
use tmux_status::model::AgentState;

struct Variant {
    name: String,
    command_line: String,
    kind: String,
    need: Option<String>,
    says: Vec<String>,
    title: String,
    look: String,
    record: Option<AgentState>,
    cursor: bool,
    plain: bool,
    input: String,
    busy: bool,
    rows: Vec<String>,
}

fn variants() -> Vec<Variant> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/variants");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        for block in text.split("\n=== ").map(|block| block.trim_start_matches("=== ")) {
            let (head, rows) = block
                .split_once("\n---\n")
                .unwrap_or_else(|| panic!("no --- in {file}: {block}"));
            let mut lines = head.lines();
            let name = format!("{file}: {}", lines.next().unwrap());
            let line = lines.next().unwrap();
            let (command_line, rest) = match line.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap(),
                None => line.split_once(' ').unwrap(),
            };
            let mut words = rest.split_whitespace();
            let mut variant = Variant {
                name,
                command_line: command_line.to_owned(),
                kind: words.next().unwrap().to_owned(),
                need: words.next().map(str::to_owned),
                says: Vec::new(),
                title: String::new(),
                look: "still".to_owned(),
                record: None,
                cursor: false,
                plain: false,
                input: "raw".to_owned(),
                busy: false,
                rows: rows.trim_end_matches('\n').lines().map(str::to_owned).collect(),
            };
            for line in lines {
                let (key, value) = line.split_once(": ").unwrap();
                match key {
                    "says" => variant.says.push(value.to_owned()),
                    "title" => variant.title = value.to_owned(),
                    "look" => variant.look = value.to_owned(),
                    "cursor" => variant.cursor = value == "shown",
                    "screen" => variant.plain = value == "plain",
                    "input" => variant.input = value.to_owned(),
                    "cpu" => variant.busy = value == "busy",
                    "record" => variant.record = Some(serde_json::from_value(value.into()).unwrap()),
                    _ => panic!("{}: {key}", variant.name),
                }
            }
            all.push(variant);
        }
    }
    all
}

#[test]
fn every_variant_gets_its_verdict() {
    let (rules, _) = Rules::load(None);
    let all = variants();
    assert!(all.len() > 60, "{}", all.len());
    let mut wrong = Vec::new();
    for variant in all {
        let screen = Screen {
            title: variant.title.clone(),
            look: match variant.look.as_str() {
                "moving" => "moving",
                "first" => "first",
                _ => "still",
            },
            agent_state: variant.record,
            cursor: variant.cursor,
            alternate: !variant.plain,
            narrower: variant.plain,
            cooked: variant.input != "raw",
            wchan: match variant.input.as_str() {
                "line" => Some("n_tty_read"),
                "nothing" => Some("do_epoll_wait"),
                _ => None,
            },
            cpu_ticks: if variant.busy { 150 } else { 0 },
            rows: variant.rows,
            ..Screen::of(&variant.command_line, "")
        };
        let verdict = screen.judge(&rules);
        let need = verdict.need.map(|need| need.as_str().to_owned());
        let unsaid: Vec<&String> = variant
            .says
            .iter()
            .filter(|part| !verdict.summary.contains(*part))
            .collect();
        if verdict.kind.as_str() != variant.kind || need != variant.need || !unsaid.is_empty() {
            wrong.push(format!(
                "{}: wanted {} {:?} {unsaid:?}, got {} {need:?} by {}: {}",
                variant.name,
                variant.kind,
                variant.need,
                verdict.kind.as_str(),
                verdict.rule,
                verdict.summary
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
