//! What users of comparable tools reported as wrong, each as a condition and its right answer.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/screens.rs"]
mod screens;
mod support;

use screens::{claude, is, published, rules, Screen};
use serde_json::Value;
use support::{wait_for, words, Server};
use tmux_status::model::{AgentState, Need, StatusKind};
use tmux_status::text;

#[test]
fn case_1_an_activity_line_above_an_empty_box_is_active_for_every_glyph() {
    for glyph in "·✢✳✶✻✽*●◐◓⠋⠙◉✦❖".chars() {
        for line in [
            "Verb… (33s · ↓ 2.0k tokens)",
            "Zwei Wörter… (1m 2s)",
            "動詞… (esc to interrupt)",
        ] {
            is(&claude(&format!("❯ go on\n\n{glyph} {line}")), StatusKind::Active, None);
        }
    }
}

#[test]
fn case_2_a_title_that_turns_is_active() {
    for mark in "◐◑◒◓⠂⠐⠋⣿".chars() {
        let screen = Screen {
            title: format!("{mark} Fix the parser"),
            look: "moving",
            ..claude("● The parser splits")
        };
        is(&screen, StatusKind::Active, None);
    }
}

#[test]
fn case_3_a_stale_title_over_a_finished_turn_is_waiting_after_a_short_grace() {
    let at_rest = Screen {
        title: "⠂ Fix the parser".to_owned(),
        ..claude("● Done.\n\n✻ Cooked for 12s")
    };
    let rest = is(&at_rest, StatusKind::Waiting, None);
    let work = is(&claude("✻ Cooking… (12s)"), StatusKind::Active, None);
    let seen = published(&[(0, work), (1000, rest.clone()), (2000, rest)]);
    assert_eq!(
        seen.iter().map(|v| v.kind).collect::<Vec<_>>(),
        [StatusKind::Active, StatusKind::Active, StatusKind::Waiting]
    );
}

#[test]
fn case_4_without_a_title_the_screen_is_enough() {
    is(&claude("✻ Cooking… (12s · ↓ 40 tokens)"), StatusKind::Active, None);
}

#[test]
fn case_5_a_finished_line_is_no_activity() {
    for line in [
        "✻ Sautéed for 19s",
        "● Baked for 1m 2s",
        "✻ Worked for 3s · 2 shells still running",
    ] {
        is(&claude(&format!("● Done.\n\n{line}")), StatusKind::Waiting, None);
    }
}

#[test]
fn case_6_a_resume_dialog_names_its_question() {
    let rows = "
────────────────────────────────────────
  Resume from summary or in full?

  This session is 2h old and 120k tokens.

  ❯ 1. Resume from summary (recommended)
    2. Resume full session as-is

  Enter to confirm · Esc to cancel";
    let verdict = is(&Screen::of("claude", rows), StatusKind::Waiting, Some(Need::Question));
    assert!(verdict.summary.contains("Resume from summary"), "{}", verdict.summary);
}

#[test]
fn case_7_a_finished_turn_may_quote_anything() {
    for quoted in [
        "  Continue? [y/N]",
        "  It says: esc to interrupt",
        "  Do you want to proceed?\n  ❯ 1. Yes\n    2. No",
        "  1. Read\n  2. Edit\n  3. Test",
    ] {
        is(
            &claude(&format!("● Such tools ask:\n{quoted}")),
            StatusKind::Waiting,
            None,
        );
    }
}

#[test]
fn case_8_an_activity_line_far_above_the_bottom_counts() {
    let tasks: String = (0..9).map(|n| format!("\n     ◻ Task {n}")).collect();
    let mut screen = claude(&format!("✶ Fixing the parser… (2m 3s)\n  ⎿  ✔ Read it{tasks}"));
    screen
        .rows
        .insert(screen.rows.len() - 1, "  my status line │ 43%".to_owned());
    is(&screen, StatusKind::Active, None);
}

#[test]
fn case_9_a_background_shell_is_told_of_and_is_no_work() {
    let mut screen = claude("● The server is up.");
    *screen.rows.last_mut().unwrap() = "  1 shell · ← for agents · ↓ to manage".to_owned();
    let verdict = is(&screen, StatusKind::Waiting, None);
    assert!(verdict.summary.contains("background 1"), "{}", verdict.summary);
}

#[test]
fn case_10_an_interruption_is_waiting_within_two_seconds() {
    let work = is(&claude("✻ Cooking… (12s)"), StatusKind::Active, None);
    let rest = is(
        &claude("● The parser\n  ⎿  Interrupted · What should Claude do instead?"),
        StatusKind::Waiting,
        None,
    );
    let seen = published(&[(0, work), (500, rest.clone()), (1500, rest)]);
    assert_eq!(seen[2].kind, StatusKind::Waiting);
}

#[test]
fn case_11_an_answered_permission_is_gone_at_once() {
    let dialog = " Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel";
    let asks = is(
        &Screen::of("claude", dialog),
        StatusKind::Waiting,
        Some(Need::Permission),
    );
    let refused = is(
        &claude("● Bash(rm -rf build)\n  ⎿  Tool use rejected"),
        StatusKind::Waiting,
        None,
    );
    let approved = Screen {
        agent_state: Some(AgentState::Busy),
        ..claude("● Bash(rm -rf build)\n  ⎿  removed")
    };
    let approved = is(&approved, StatusKind::Active, None);
    for next in [refused, approved] {
        let seen = published(&[(0, asks.clone()), (1000, next.clone())]);
        assert_eq!((seen[1].kind, seen[1].need), (next.kind, next.need));
    }
}

#[test]
fn case_12_a_killed_agents_last_screen_belongs_to_the_shell() {
    let screen = Screen {
        cursor: true,
        title: "⠂ Fix the parser".to_owned(),
        ..Screen::of(
            "bash",
            "✻ Cooking… (12s · esc to interrupt)\n\nKilled\ndev@box:~/project$ ",
        )
    };
    let verdict = screen.judge(&rules());
    assert!(!verdict.agent && verdict.kind != StatusKind::Active, "{verdict:#?}");
}

#[test]
fn case_13_a_version_number_or_an_interpreter_is_seen_through() {
    for (word, command_line) in [
        ("2.1.139", "/home/dev/.local/share/claude/versions/2.1.139"),
        ("node", "node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"),
        ("bash", "bash /usr/local/bin/claude"),
    ] {
        let screen = Screen {
            word: word.to_owned(),
            command_line: command_line.to_owned(),
            ..claude("✻ Cooking… (12s)")
        };
        let verdict = is(&screen, StatusKind::Active, None);
        assert_eq!(verdict.program.as_deref(), Some("claude"), "{word}");
    }
}

#[test]
fn case_14_a_trust_dialog_at_the_start_is_named() {
    let rows = "
 Accessing workspace:
 /home/dev/project

 Quick safety check: Is this a project you created or one you trust?

 ❯ 1. Yes, I trust this folder
   2. No, exit

 Enter to confirm · Esc to cancel";
    let verdict = is(&Screen::of("claude", rows), StatusKind::Waiting, Some(Need::Question));
    assert!(verdict.summary.contains("trust"), "{}", verdict.summary);
}

#[test]
fn case_15_an_approval_is_seen_on_the_screen_alone() {
    let rows = "
  Would you like to run the following command?

  $ rm -rf build

› 1. Yes, proceed (y)
  2. No, and tell Codex what to do differently (esc)

  Press enter to confirm or esc to cancel";
    is(&Screen::of("codex", rows), StatusKind::Waiting, Some(Need::Permission));
}

#[test]
fn case_16_an_agents_error_stands_until_its_next_turn() {
    let error = is(
        &claude("❯ go on\n\n● API Error: 529 Overloaded"),
        StatusKind::Error,
        Some(Need::Failed),
    );
    assert!(error.summary.contains("529"), "{}", error.summary);
    let scrolled = is(&claude("● Earlier text"), StatusKind::Waiting, None);
    let work = is(&claude("✻ Cooking… (1s)"), StatusKind::Active, None);
    let seen = published(&[(0, error), (5000, scrolled.clone()), (6000, work), (16_000, scrolled)]);
    let kinds: Vec<StatusKind> = seen.iter().map(|v| v.kind).collect();
    assert_eq!(kinds[..3], [StatusKind::Error, StatusKind::Error, StatusKind::Active]);
    assert_eq!(kinds[3], StatusKind::Waiting);
}

/// A server whose shell is at its prompt: keys typed before may get lost in its start.
fn ready() -> Server {
    let server = Server::start();
    wait_for("the shell", || {
        explained(&server, "work:0")["summary"].to_string().contains("prompt")
    });
    server
}

fn explained(server: &Server, target: &str) -> Value {
    let out = server.helper(&["explain", "--json", "-t", target]);
    serde_json::from_str(&words(&out).0).unwrap_or_default()
}

#[test]
fn case_17_copy_mode_changes_nothing() {
    let server = ready();
    server.tmux(&[
        "send-keys",
        "-t",
        "work:0",
        "printf 'Really? [y/N] '; read -r answer",
        "Enter",
    ]);
    wait_for(&format!("the question: {}", explained(&server, "work:0")), || {
        explained(&server, "work:0")["need"] == "question"
    });
    let before = explained(&server, "work:0");
    server.tmux(&["copy-mode", "-t", "work:0"]);
    server.tmux(&["send-keys", "-t", "work:0", "-X", "halfpage-up"]);
    let after = explained(&server, "work:0");
    assert_eq!(
        (&after["statusKind"], &after["need"]),
        (&before["statusKind"], &before["need"])
    );
}

#[test]
fn case_18_progress_on_one_line_is_active() {
    let screen = Screen {
        look: "moving",
        cooked: true,
        cursor: true,
        ..Screen::of("fetch-all", "$ fetch-all\n 43% [#####      ] 12 MB/s")
    };
    is(&screen, StatusKind::Active, None);
}

#[test]
fn case_19_silence_is_told_apart() {
    let quiet = |command: &str, ticks, state| Screen {
        cooked: true,
        cursor: true,
        cpu_ticks: ticks,
        process_state: state,
        wchan: Some("do_sys_poll"),
        ..Screen::of(command, &format!("$ {command}"))
    };
    is(&quiet("rustc big.rs", 190, 'R'), StatusKind::Active, None);
    is(&quiet("my-server --quiet", 0, 'S'), StatusKind::Running, None);
    is(&quiet("my-server --quiet", 0, 'T'), StatusKind::Idle, None);
    let stopped = Screen {
        cursor: true,
        ..Screen::of(
            "bash",
            "dev@box:~$ my-server\n^Z\n[1]+  Stopped                 my-server\ndev@box:~$ ",
        )
    };
    let verdict = is(&stopped, StatusKind::Waiting, None);
    assert!(verdict.summary.contains("stopped"), "{}", verdict.summary);
}

#[test]
fn case_20_whatever_blocks_on_a_line_waits() {
    for words in ["password for dev: ", "xyzzy", "数"] {
        let screen = Screen {
            cooked: true,
            cursor: true,
            wchan: Some("n_tty_read"),
            ..Screen::of("something", &format!("$ something\n{words}"))
        };
        is(&screen, StatusKind::Waiting, Some(Need::Question));
    }
}

#[test]
fn case_21_a_summary_is_cut_between_clusters() {
    let family = "👩‍👩‍👧‍👦";
    for said in [
        "漢字".repeat(60),
        family.repeat(60),
        "e\u{301}".repeat(120),
        "שלום ".repeat(30),
    ] {
        let verdict = claude(&format!("● {said}")).judge(&rules());
        assert!(text::width(&verdict.summary) <= 80, "{}", verdict.summary);
        let cut = verdict.summary.trim_end_matches('…');
        let rest = said.get(..).unwrap();
        let shown = cut.rsplit(": ").next().unwrap().trim_end();
        assert!(rest.starts_with(shown), "{shown}");
        let next = rest[shown.len()..].chars().next();
        assert!(!matches!(next, Some('\u{200d}' | '\u{301}')), "{shown}");
    }
}

#[test]
fn case_22_an_agent_that_asks_in_the_other_pane_speaks_for_the_window() {
    let server = ready();
    let asks = "stty -icanon -echo; printf ' Do you want to proceed?\\n ❯ 1. Yes\\n   2. No\\n\\n Esc to cancel'; cat";
    let agent = server.write_script("claude", asks);
    server.tmux(&["send-keys", "-t", "work:0", &agent.display().to_string(), "Enter"]);
    server.tmux(&["split-window", "-t", "work:0", "vi"]);
    wait_for("the agent's question", || {
        server.refresh();
        let status = server.status();
        let window = &status["sessions"][0]["windows"][0];
        window["statusKind"] == "waiting"
            && window["summary"]
                .as_str()
                .is_some_and(|s| s.contains("claude waits for permission"))
    });
}

#[test]
fn what_ran_before_says_nothing_of_what_runs_now() {
    let before =
        "dev@box:~$ python3 -m http.server 8000\nServing HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...\n^C";
    for (typed, command_line) in [
        ("sleep 300", "sleep 300"),
        ("sudo ./poll.sh", "bash ./poll.sh"),
        ("FOO=1 /usr/bin/poll --all", "/usr/bin/poll --all"),
    ] {
        let mut screen = Screen::of(command_line, &format!("{before}\ndev@box:~$ {typed}"));
        screen.cooked = true;
        screen.rows.push(String::new());
        let verdict = screen.judge(&rules());
        assert!(!verdict.summary.contains("8000"), "{typed}: {verdict:#?}");
    }
    let mut screen = Screen::of("python3 -m http.server 8000", before.trim_end_matches("\n^C"));
    screen.cooked = true;
    screen.rows.push(String::new());
    let verdict = screen.judge(&rules());
    assert!(verdict.summary.contains("8000"), "its own output counts: {verdict:#?}");
}
