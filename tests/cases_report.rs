//! The cases of `cases.rs` in which an agent reports: what it says against what its screen shows.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/screens.rs"]
mod screens;
mod support;

use screens::{claude, rules, Screen};
use tmux_status::classify::settle::{settle, Fingerprint, Look};
use tmux_status::model::{Need, Reported, StatusKind, Verdict};

/// A report of that age, in milliseconds, against a screen.
fn told(screen: &Screen, state: Reported, age_ms: u64, text: &str) -> Verdict {
    let screen = Screen {
        told: Some((state, age_ms)),
        told_text: text.to_owned(),
        ..screen.clone()
    };
    screen.judge(&rules())
}

const DIALOG: &str = "● Bash(rm -rf build)\n\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel";

#[test]
fn case_10_a_report_of_work_ends_with_the_prompt_that_stands_still() {
    let rest = claude("● Bash(cargo test)\n  ⎿  Interrupted by user");
    let verdict = told(&rest, Reported::Working, 100, "Bash cargo test");
    assert_eq!(
        verdict.kind,
        StatusKind::Active,
        "the screen has not followed: {verdict:#?}"
    );
    assert!(
        verdict.volatile && verdict.summary.contains("cargo test"),
        "{verdict:#?}"
    );
    let verdict = told(&rest, Reported::Working, 1000, "");
    assert_eq!(
        (verdict.kind, verdict.need),
        (StatusKind::Waiting, None),
        "{verdict:#?}"
    );
    let streams = Screen { look: "moving", ..rest };
    let verdict = told(&streams, Reported::Working, 60_000, "");
    assert_eq!(verdict.kind, StatusKind::Active, "output flows: {verdict:#?}");
}

#[test]
fn case_11_a_report_of_a_dialog_ends_with_the_dialog() {
    let asks = Screen::of("claude", DIALOG);
    let verdict = told(&asks, Reported::Permission, 60_000, "");
    assert_eq!(verdict.need, Some(Need::Permission), "{verdict:#?}");
    let rest = claude("● Bash(rm -rf build)\n  ⎿  Tool use rejected");
    let verdict = told(&rest, Reported::Permission, 100, "Bash rm -rf build");
    assert_eq!(verdict.need, Some(Need::Permission), "not drawn yet: {verdict:#?}");
    assert_eq!(verdict.summary, "claude waits for permission: Bash rm -rf build");
    let refused = told(&rest, Reported::Permission, 2000, "Bash rm -rf build");
    assert_eq!(
        (refused.kind, refused.need),
        (StatusKind::Waiting, None),
        "{refused:#?}"
    );
    let works = claude("● Bash(rm -rf build)\n\n✻ Cooking… (12s · ↓ 40 tokens · esc to interrupt)\n");
    let approved = told(&works, Reported::Permission, 2000, "");
    assert_eq!(
        (approved.kind, approved.need),
        (StatusKind::Active, None),
        "{approved:#?}"
    );
}

#[test]
fn case_15_a_dialog_holds_against_any_report() {
    for state in Reported::ALL {
        for age in [0, 5000] {
            let verdict = told(&Screen::of("claude", DIALOG), state, age, "");
            assert_eq!(verdict.need, Some(Need::Permission), "{state:?}: {verdict:#?}");
        }
    }
}

#[test]
fn a_report_speaks_for_a_program_that_no_rule_knows() {
    let screen = Screen::of("mybot", "thinking about it");
    let states = [
        (Reported::Working, StatusKind::Active, None, "mybot working: step 2"),
        (
            Reported::Waiting,
            StatusKind::Waiting,
            None,
            "mybot waiting for input at prompt: step 2",
        ),
        (
            Reported::Done,
            StatusKind::Waiting,
            None,
            "mybot waiting for input at prompt: step 2",
        ),
        (
            Reported::Permission,
            StatusKind::Waiting,
            Some(Need::Permission),
            "mybot waits for permission: step 2",
        ),
        (
            Reported::Question,
            StatusKind::Waiting,
            Some(Need::Question),
            "mybot asks: step 2",
        ),
        (
            Reported::Error,
            StatusKind::Error,
            Some(Need::Failed),
            "mybot failed: step 2",
        ),
    ];
    for (state, kind, need, summary) in states {
        let verdict = told(&screen, state, 600_000, "step 2");
        assert_eq!(
            (verdict.kind, verdict.need, verdict.summary.as_str()),
            (kind, need, summary)
        );
    }
    let moves = Screen {
        look: "moving",
        ..screen.clone()
    };
    let verdict = told(&moves, Reported::Done, 5000, "");
    assert_eq!(verdict.kind, StatusKind::Active, "what moves has gone on: {verdict:#?}");
    let reads = Screen {
        cooked: true,
        cursor: true,
        wchan: Some("n_tty_read"),
        ..Screen::of("mybot", "Name: ")
    };
    let verdict = told(&reads, Reported::Working, 5000, "");
    assert_eq!(
        verdict.need,
        Some(Need::Question),
        "case 20, the kernel knows better: {verdict:#?}"
    );
}

#[test]
fn a_report_fills_in_what_the_screen_does_not_say_and_tells_no_secret() {
    let works = claude("✻ Cooking… (12s · esc to interrupt)\n");
    let verdict = told(
        &works,
        Reported::Working,
        5000,
        "Bash curl -H 'Authorization: Bearer abcdef0123456789abcdef'",
    );
    assert_eq!(verdict.kind, StatusKind::Active);
    assert!(!verdict.summary.contains("abcdef0123456789"), "{verdict:#?}");
    let failed = told(&claude("● All done\n"), Reported::Error, 5000, "rate limit");
    assert_eq!(
        (failed.kind, failed.need),
        (StatusKind::Error, Some(Need::Failed)),
        "{failed:#?}"
    );
    assert!(failed.summary.contains("rate limit"), "{failed:#?}");
}

#[test]
fn a_short_turn_is_told_by_its_report_alone_and_once() {
    let verdict = told(&claude("● All done\n"), Reported::Done, 5000, "");
    let look = |at_ms, turn_ended_ms, visited| Look {
        at_ms,
        pane_pid: 1,
        fingerprint: Fingerprint::default(),
        activity: 0,
        cpu_ticks: None,
        visited,
        turn_ended_ms,
    };
    let first = settle(None, verdict.clone(), None, &look(1000, None, false));
    let done = settle(Some(&first), verdict.clone(), None, &look(3000, Some(2500), false));
    assert_eq!(done.verdict.need, Some(Need::Done));
    let seen = settle(Some(&done), verdict.clone(), None, &look(4000, Some(2500), true));
    let later = settle(Some(&seen), verdict, None, &look(5000, Some(2500), false));
    assert_eq!((seen.verdict.need, later.verdict.need), (None, None));
}
