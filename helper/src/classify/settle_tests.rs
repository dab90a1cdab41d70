use super::*;

type Seen = (StatusKind, Option<Need>, &'static str);

const WORKING: Seen = (StatusKind::Active, None, "agents/claude:activity-line");
const PROMPT: Seen = (StatusKind::Waiting, None, "agents/claude:prompt");
const ASKS: Seen = (StatusKind::Waiting, Some(Need::Permission), "agents/claude:permission");
const FAILED: Seen = (StatusKind::Error, Some(Need::Failed), "agents/claude:error");

fn verdict((kind, need, rule): Seen) -> Verdict {
    let program = rule.split(['/', ':']).nth(1).unwrap().to_owned();
    Verdict {
        kind,
        need,
        command: program.clone(),
        agent: rule.starts_with("agents/"),
        program: Some(program),
        rule: rule.into(),
        summary: rule.into(),
        evidence: vec![],
        volatile: false,
    }
}

fn look(at_ms: u64) -> Look {
    Look {
        at_ms,
        pane_pid: 1,
        fingerprint: Fingerprint::default(),
        activity: 0,
        cpu_ticks: None,
        visited: false,
        turn_ended_ms: None,
    }
}

/// Runs looks at the given milliseconds and gives what each of them published.
fn run(looks: &[(u64, Seen)]) -> Vec<Memory> {
    let mut memories: Vec<Memory> = Vec::new();
    for (at_ms, seen) in looks {
        let next = settle(memories.last(), verdict(*seen), None, &look(*at_ms));
        memories.push(next);
    }
    memories
}

fn kinds(memories: &[Memory]) -> Vec<StatusKind> {
    memories.iter().map(|m| m.verdict.kind).collect()
}

#[test]
fn a_rest_between_two_repaints_never_shows() {
    let seen = run(&[(0, WORKING), (1000, PROMPT), (1400, WORKING), (2400, WORKING)]);
    assert_eq!(kinds(&seen), [StatusKind::Active; 4]);
    assert_eq!(seen[3].since, 0);
    assert!(
        seen[1].verdict.volatile,
        "the next look must come although nothing moves"
    );
}

#[test]
fn a_rest_that_lasts_shows_within_two_seconds_and_raises_done() {
    let seen = run(&[(0, WORKING), (1000, PROMPT), (2000, PROMPT)]);
    assert_eq!(
        kinds(&seen),
        [StatusKind::Active, StatusKind::Active, StatusKind::Waiting]
    );
    assert_eq!(seen[2].since, 2);
    assert_eq!(seen[2].verdict.need, Some(Need::Done));
}

#[test]
fn a_single_look_long_after_needs_no_confirmation() {
    let seen = run(&[(0, WORKING), (60_000, PROMPT)]);
    assert_eq!(seen[1].verdict.kind, StatusKind::Waiting);
}

#[test]
fn a_question_shows_at_once_and_goes_with_its_dialog() {
    let seen = run(&[(0, WORKING), (200, ASKS), (1200, PROMPT)]);
    assert_eq!(seen[1].verdict.need, Some(Need::Permission));
    assert_eq!(seen[2].verdict.need, None);
}

#[test]
fn an_agents_error_stands_until_its_next_turn() {
    let seen = run(&[
        (0, WORKING),
        (1000, FAILED),
        (5000, PROMPT),
        (9000, WORKING),
        (10_000, PROMPT),
        (11_000, PROMPT),
    ]);
    let expected = [
        StatusKind::Active,
        StatusKind::Error,
        StatusKind::Error,
        StatusKind::Active,
        StatusKind::Active,
        StatusKind::Waiting,
    ];
    assert_eq!(kinds(&seen), expected);
    assert_eq!(seen[2].since, 1);
    assert_eq!(seen[2].verdict.need, Some(Need::Failed));
    assert_eq!(seen[5].verdict.need, Some(Need::Done));
}

#[test]
fn a_visit_clears_failed_and_done_and_nothing_else_does() {
    let failed = run(&[(0, WORKING), (1000, FAILED), (60_000, FAILED)]).pop().unwrap();
    assert_eq!(failed.verdict.need, Some(Need::Failed));
    let visited = settle(
        Some(&failed),
        verdict(FAILED),
        None,
        &Look {
            visited: true,
            ..look(61_000)
        },
    );
    assert_eq!((visited.verdict.kind, visited.verdict.need), (StatusKind::Error, None));
    let later = settle(Some(&visited), verdict(FAILED), None, &look(62_000));
    assert_eq!((later.verdict.need, later.since), (None, visited.since));
    let question = settle(
        Some(&later),
        verdict(ASKS),
        None,
        &Look {
            visited: true,
            ..look(63_000)
        },
    );
    assert_eq!(question.verdict.need, Some(Need::Permission));
}

#[test]
fn the_end_of_a_long_command_is_worth_telling_and_of_a_short_one_not() {
    let make = (StatusKind::Active, None, "builds/make:moving");
    let shell = (StatusKind::Waiting, None, "shells/bash:last-command");
    assert_eq!(
        run(&[(0, make), (15_000, make), (16_000, shell)])[2].verdict.need,
        Some(Need::Done)
    );
    assert_eq!(run(&[(0, make), (2_000, shell)])[1].verdict.need, None);
    assert_eq!(run(&[(0, shell), (60_000, shell)])[1].verdict.need, None);
}

#[test]
fn kind_and_need_have_their_beginnings_apart() {
    let seen = run(&[
        (5_000, PROMPT),
        (65_000, PROMPT),
        (66_000, ASKS),
        (99_000, ASKS),
        (100_000, PROMPT),
    ]);
    assert_eq!(seen.iter().map(|m| m.since).collect::<Vec<_>>(), [5; 5]);
    let needs: Vec<_> = seen.iter().map(|m| m.need_since).collect();
    assert_eq!(needs, [None, None, Some(66), Some(66), None]);
}

#[test]
fn a_new_life_of_the_pane_starts_afresh() {
    let old = run(&[(0, WORKING), (1000, FAILED)]).pop().unwrap();
    let new = settle(
        Some(&old),
        verdict(PROMPT),
        None,
        &Look {
            pane_pid: 2,
            ..look(2000)
        },
    );
    assert_eq!(
        (new.verdict.kind, new.verdict.need, new.since),
        (StatusKind::Waiting, None, 2)
    );
    assert_eq!(
        change(
            Some(&old),
            &Look {
                pane_pid: 2,
                ..look(2000)
            }
        ),
        None
    );
}

#[test]
fn looks_in_quick_succession_agree_about_movement() {
    let rows = |text: &str| Fingerprint::of(&[text.to_owned()], (0, 0));
    let first = Look {
        fingerprint: rows("a"),
        ..look(1000)
    };
    let memory = settle(None, verdict(WORKING), change(None, &first), &first);
    let second = Look {
        fingerprint: rows("b"),
        ..look(2000)
    };
    let moved = change(Some(&memory), &second);
    assert!(moved.unwrap().screen);
    let memory = settle(Some(&memory), verdict(WORKING), moved, &second);
    let third = Look { at_ms: 2050, ..second };
    assert!(
        change(Some(&memory), &third).unwrap().screen,
        "fifty milliseconds of rest are no rest"
    );
    let memory = settle(Some(&memory), verdict(WORKING), change(Some(&memory), &third), &third);
    let fourth = Look { at_ms: 3000, ..second };
    assert!(!change(Some(&memory), &fourth).unwrap().screen);
}

#[test]
fn memory_survives_the_state_file() {
    let memory = run(&[(0, WORKING), (1000, FAILED)]).pop().unwrap();
    let text = serde_json::to_string(&memory).unwrap();
    assert_eq!(serde_json::from_str::<Memory>(&text).unwrap(), memory);
}

#[test]
fn fingerprints_are_the_same_in_every_run() {
    let rows = ["hello".to_owned(), "world   ".to_owned()];
    assert_eq!(Fingerprint::of(&rows, (0, 1)).content, 2_964_920_326_765_971_817);
    assert_eq!(
        Fingerprint::of(&rows, (0, 1)).content,
        Fingerprint::of(&["hello".into(), "world".into()], (3, 0)).content
    );
    assert_ne!(
        Fingerprint::of(&rows, (0, 1)).above,
        Fingerprint::of(&rows, (0, 0)).above
    );
}
