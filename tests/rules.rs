//! What holds for every rule file, and for any screen whatever.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

use proptest::prelude::*;
use std::collections::BTreeMap;
use tmux_status::classify::{Rules, VALUES};
use tmux_status::model::{Change, Death, Evidence, Pane, PaneId, Process, Terminal};
use tmux_status::text;

/// A rule file's values are those that the check of rule files knows, and its page names each.
#[test]
fn the_page_on_writing_rules_names_every_value() {
    let page = include_str!("../helper/rules/README.md");
    let list = page
        .split("a capture or one of `")
        .nth(1)
        .unwrap()
        .split('`')
        .next()
        .unwrap();
    let mut named: Vec<&str> = list.split_whitespace().collect();
    let mut known = VALUES.to_vec();
    named.sort_unstable();
    known.sort_unstable();
    assert_eq!(named, known);
}

#[test]
fn summaries_use_only_values_that_a_pattern_captures_or_the_engine_gives() {
    let (rules, _) = Rules::load(None);
    for program in rules.programs() {
        for rule in program.rules {
            let patterns = rule.all.iter().chain(rule.any).chain(rule.note);
            let captured: Vec<String> = patterns
                .flat_map(|p| p.names().map(str::to_owned).collect::<Vec<_>>())
                .collect();
            for part in rule.summary.split('{').skip(1) {
                let name = part.split('}').next().unwrap();
                assert!(
                    VALUES.contains(&name) || captured.iter().any(|c| c == name),
                    "{}/{}:{}: nothing gives {{{name}}}",
                    program.family,
                    program.id,
                    rule.id
                );
            }
            let brackets = (rule.summary.matches('[').count(), rule.summary.matches(']').count());
            assert_eq!(brackets.0, brackets.1, "{}:{}", program.id, rule.id);
        }
    }
}

#[test]
fn every_pattern_compiles_and_none_matches_an_empty_or_ordinary_line() {
    let (rules, _) = Rules::load(None);
    for program in rules.programs() {
        for rule in program.rules {
            for pattern in rule.all.iter().chain(rule.any).chain(rule.none).chain(rule.note) {
                assert!(pattern.compiles(), "{}:{}: {}", program.id, rule.id, pattern.source);
            }
            // A rule whose only evidence is text must not fire on any text at all.
            if rule.probe.is_none() && rule.when == Default::default() {
                let anything =
                    |p: &&&tmux_status::classify::rules::Pattern| p.is_match("q", "q") && p.is_match("%", "%");
                let loose = rule.all.iter().all(|p| anything(&p)) && !rule.all.is_empty();
                assert!(!loose, "{}:{} matches everything", program.id, rule.id);
            }
        }
    }
}

#[test]
fn no_command_is_claimed_twice() {
    let (rules, _) = Rules::load(None);
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    for program in rules.programs() {
        for command in program.commands {
            if let Some(other) = owners.insert(command, program.id) {
                panic!("{command} belongs to {other} and to {}", program.id);
            }
        }
    }
}

fn any_pane() -> impl Strategy<Value = (Pane, Vec<String>, Vec<Process>, Option<Terminal>, Option<Change>)> {
    let command = prop_oneof![
        Just("bash".to_owned()),
        Just("claude".to_owned()),
        Just("node".to_owned()),
        Just("vim".to_owned()),
        Just("make".to_owned()),
        Just("2.1.139".to_owned()),
        any::<String>(),
    ];
    let row = prop_oneof![
        any::<String>(),
        Just("────────────────────".to_owned()),
        Just("❯ ".to_owned()),
        Just("dev@box:~$ ".to_owned()),
        Just("漢字👩‍💻e\u{301}\u{202e}".to_owned()),
    ];
    let process = (
        any::<u8>(),
        any::<u8>(),
        any::<bool>(),
        proptest::collection::vec(any::<String>(), 0..4),
        any::<char>(),
    )
        .prop_map(|(pid, group, on_terminal, args, state)| Process {
            pid: pid.into(),
            pgid: group.into(),
            tpgid: Some(group.into()),
            on_terminal,
            args,
            state,
            ..Process::default()
        });
    (
        (
            command,
            any::<String>(),
            any::<u16>(),
            any::<u16>(),
            any::<bool>(),
            proptest::option::of(any::<i32>()),
        ),
        proptest::collection::vec(row, 0..60),
        proptest::collection::vec(process, 0..5),
        proptest::option::of((any::<bool>(), any::<bool>())),
        proptest::option::of((
            any::<u32>(),
            any::<bool>(),
            any::<bool>(),
            proptest::option::of(any::<u64>()),
        )),
    )
        .prop_map(
            |((command, title, x, y, alternate, dead), rows, processes, terminal, change)| {
                let pane = Pane {
                    id: PaneId(1),
                    index: 0,
                    active: true,
                    pid: 1,
                    tty: "/dev/pts/0".into(),
                    width: u32::from(x),
                    height: u32::from(y),
                    cursor_x: u32::from(x) % 90,
                    cursor_y: u32::from(y) % 60,
                    cursor_visible: true,
                    alternate,
                    mode: String::new(),
                    dead: dead.filter(|n| n % 5 == 0).map(|n| Death {
                        status: Some(n),
                        signal: None,
                    }),
                    title,
                    command,
                    path: "/".into(),
                    start_command: String::new(),
                    report: String::new(),
                };
                let terminal = terminal.map(|(canonical, echo)| Terminal {
                    canonical,
                    echo,
                    signals: true,
                });
                let change = change.map(|(elapsed, screen, output, cpu_ticks)| Change {
                    elapsed_ms: elapsed.into(),
                    screen,
                    output,
                    cpu_ticks,
                    ..Change::default()
                });
                (pane, rows, processes, terminal, change)
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn any_screen_gets_one_clean_line((pane, rows, processes, terminal, change) in any_pane()) {
        let (rules, _) = Rules::load(None);
        let evidence = Evidence {
            pane: &pane,
            window_name: "w",
            bell: false,
            screen: Some(&rows),
            processes: (!processes.is_empty()).then_some(&processes),
            terminal,
            agent_state: None,
            told: None,
            last_command: None,
            change,
            now: 0,
        };
        let verdict = rules.judge(&evidence);
        prop_assert!(!verdict.summary.trim().is_empty());
        prop_assert!(text::width(&verdict.summary) <= 80 && verdict.summary.chars().count() <= 80);
        prop_assert_eq!(text::one_line(&verdict.summary, 80), verdict.summary.clone());
        prop_assert_eq!(rules.explain(&evidence).verdict, verdict);
    }
}
