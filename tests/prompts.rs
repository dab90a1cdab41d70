//! Shells at their prompt, whatever the prompt looks like: each of many prompts, at several widths, must read as waiting
//! with the command that was run last, with what is typed, and with a failure where there was one.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

use serde_json::json;
use tmux_status::classify::Rules;
use tmux_status::model::{Need, StatusKind, Verdict};
use tmux_status::sample::Sample;
use tmux_status::text;

/// A prompt: the shell that draws it, its lines (the last one is where commands are typed), and what stands at the right
/// edge of that line.
struct Prompt(&'static str, &'static [&'static str], &'static str);

const PROMPTS: &[Prompt] = &[
    Prompt("bash", &["dev@box:~/code/api$ "], ""),
    Prompt("bash", &["bash-5.2$ "], ""),
    Prompt("bash", &["root@box:/etc# "], ""),
    Prompt("bash", &["[root@db-1 ~]# "], ""),
    Prompt("bash", &["[ann@build 14:02:11 src]$ "], ""),
    Prompt("bash", &["(venv) ann@box:~/p$ "], ""),
    Prompt("bash", &["(base) [ann@node3 ~]$ "], ""),
    Prompt("bash", &["~/p (feature/login *$%) $ "], ""),
    Prompt("bash", &["ann ~/p (main ✗) $ "], ""),
    Prompt("bash", &["12:01:44 ann@box ~/p [main] » "], ""),
    Prompt("bash", &["$ "], ""),
    Prompt("bash", &["> "], ""),
    Prompt("bash", &["λ "], ""),
    Prompt("bash", &["┌──(kali㉿kali)-[~/p]", "└─$ "], ""),
    Prompt("bash", &["╭─ann@box ~/p ‹main*›", "╰─➤ $ "], ""),
    Prompt("bash", &["ann in ~/p on main", "→ "], ""),
    Prompt("bash", &["utilisateur@poste:~/Téléchargements$ "], ""),
    Prompt("bash", &["開発@サーバ:~/作業$ "], ""),
    Prompt("bash", &["пользователь@хост:~/проект$ "], ""),
    Prompt("bash", &[" ann \u{e0b0} ~/p \u{e0b0} \u{e0a0} main \u{e0b0} "], ""),
    Prompt("bash", &["\u{e0b6}ann\u{e0b0} ~/p \u{e0b0} "], ""),
    Prompt("bash", &["dev > api > main > "], ""),
    Prompt("bash", &["🐧 ~/site 🚀 "], ""),
    Prompt("bash", &["ann@box:~/a/very/long/path/that/goes/on/src$ "], ""),
    Prompt("zsh", &["box% "], ""),
    Prompt("zsh", &["ann@box ~ % "], ""),
    Prompt("zsh", &["➜  api git:(main) ✗ "], ""),
    Prompt("zsh", &["➜  ~ "], ""),
    Prompt("zsh", &["➜  api git:(main) "], ""),
    Prompt("zsh", &["❯ "], "14:02:11"),
    Prompt("zsh", &["~/p main ❯ "], "✔ 14:02"),
    Prompt("zsh", &["~/p main*", "❯ "], ""),
    Prompt(
        "zsh",
        &["api on \u{e0a0} main [!?] is 📦 v1.2.0 via \u{e718} v20.1.0", "❯ "],
        "",
    ),
    Prompt("zsh", &["api on \u{e0a0} main via 🐍 v3.12 (venv) took 12s", "➜ "], ""),
    Prompt(
        "zsh",
        &["╭─ ~/p \u{e0b1} main !2 ·········· ✔ \u{e0b3} 14:02 ─╮", "╰─❯ "],
        "─╯",
    ),
    Prompt("zsh", &["# ann @ box in ~/p on git:main x [14:02:11]", "$ "], ""),
    Prompt("zsh", &["[14:02:11] ann:p > "], ""),
    Prompt("fish", &["ann@box ~/p (main)> "], ""),
    Prompt("fish", &["~/p> "], "14:02:11"),
    Prompt("fish", &["ann@box ~/c/api [main|✚1]> "], ""),
    Prompt("nu", &["~/p> "], "11/30/2026 02:02:11 PM"),
    Prompt("nu", &["~/p〉"], ""),
    Prompt("ksh", &["$ "], ""),
    Prompt("mksh", &["box:~/p $ "], ""),
    Prompt("tcsh", &["box:~/p> "], ""),
    Prompt("dash", &["$ "], ""),
    Prompt("dash", &["# "], ""),
    Prompt("sh", &["/ # "], ""),
    Prompt("sh", &["box:/srv$ "], ""),
    Prompt("elvish", &["~/p> "], ""),
];

const WIDTHS: &[usize] = &[47, 64, 80, 132, 200];

/// Rows as a terminal of `width` shows them: long lines go on in the next row.
fn wrapped(lines: &[String], width: usize) -> Vec<String> {
    let mut rows = Vec::new();
    for line in lines {
        let mut row = String::new();
        for c in line.chars() {
            if text::width(&row) + text::width(c.encode_utf8(&mut [0; 4])) > width {
                rows.push(std::mem::take(&mut row));
            }
            row.push(c);
        }
        rows.push(row);
    }
    rows
}

impl Prompt {
    /// The prompt with `typed` behind it, as its rows stand on the screen.
    fn drawn(&self, typed: &str, width: usize) -> Vec<String> {
        let mut lines: Vec<String> = self.1.iter().map(|line| (*line).to_owned()).collect();
        let last = lines.last_mut().unwrap();
        last.push_str(typed);
        let free = (width - 1).saturating_sub(text::width(last) + text::width(self.2));
        if !self.2.is_empty() && free > 5 {
            last.push_str(&" ".repeat(free));
            last.push_str(self.2);
        }
        lines
    }

    /// The verdict for a screen on which these commands were run, each with what it printed, and `typed` stands behind the
    /// prompt now.
    fn judge(&self, ran: &[(&str, &[&str])], typed: &str, width: usize) -> Verdict {
        let mut lines: Vec<String> = Vec::new();
        for (command, output) in ran {
            lines.extend(self.drawn(command, width));
            lines.extend(output.iter().map(|line| (*line).to_owned()));
        }
        let mut rows = wrapped(&lines, width);
        let mut before = self.drawn(typed, width);
        // The cursor stands behind what is typed, before a prompt on the right.
        let last = format!("{}{typed}", self.1.last().unwrap());
        before.pop();
        rows.extend(wrapped(&before, width));
        let at = wrapped(std::slice::from_ref(&last), width);
        let cursor = (text::width(at.last().unwrap()), rows.len() + at.len() - 1);
        rows.extend(wrapped(&[self.drawn(typed, width).pop().unwrap()], width));
        let edits = !matches!(self.0, "dash" | "sh");
        let sample = Sample::from_json(&json!({
            "id": self.0,
            "pane": {
                "pane_width": width, "pane_height": rows.len() + 2, "cursor_x": cursor.0, "cursor_y": cursor.1,
                "cursor_flag": 1, "pane_current_command": self.0, "pane_current_path": "/home/ann/p",
                "screen": rows,
                "terminal": {"icanon": !edits, "echo": !edits, "isig": true},
                "process_tree": [{"pid": 9, "ppid": 1, "pgid": 9, "tpgid": 9, "stat": "Ss+", "comm": self.0,
                    "args": format!("-{}", self.0), "wchan": if edits { "do_sys_poll" } else { "n_tty_read" }}],
            },
        }))
        .unwrap();
        let (rules, _) = Rules::load(None);
        rules.judge(&sample.evidence())
    }
}

fn each(mut check: impl FnMut(&Prompt, usize) -> Result<(), String>) {
    let mut wrong = Vec::new();
    for prompt in PROMPTS {
        for &width in WIDTHS {
            if let Err(why) = check(prompt, width) {
                wrong.push(format!("{} {:?} at {width}: {why}", prompt.0, prompt.1));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn expect(
    verdict: &Verdict,
    kind: StatusKind,
    need: Option<Need>,
    mention: &[&str],
    never: &[&str],
) -> Result<(), String> {
    let summary = &verdict.summary;
    let says = mention.iter().all(|part| summary.contains(part)) && !never.iter().any(|part| summary.contains(part));
    if verdict.kind == kind && verdict.need == need && says {
        Ok(())
    } else {
        Err(format!(
            "{} {:?} {} {summary:?}",
            verdict.kind.as_str(),
            verdict.need,
            verdict.rule
        ))
    }
}

#[test]
fn the_last_command_is_told_behind_any_prompt() {
    each(|prompt, width| {
        let verdict = prompt.judge(&[("cd p", &[]), ("ls src", &["lib.rs", "main.rs"])], "", width);
        expect(
            &verdict,
            StatusKind::Waiting,
            None,
            &[&format!("{} prompt, last command: ls src", prompt.0)],
            &["typed", "cd p"],
        )
    });
}

#[test]
fn what_is_typed_and_not_sent_is_told_behind_any_prompt() {
    each(|prompt, width| {
        if matches!(prompt.0, "dash" | "sh") {
            return Ok(()); // the kernel collects the line; nothing tells it from a question but the prompt before it
        }
        let verdict = prompt.judge(&[("cd p", &[]), ("ls src", &["lib.rs"])], "git push", width);
        expect(
            &verdict,
            StatusKind::Waiting,
            None,
            &["prompt, typed: git push"],
            &["ls src"],
        )
    });
}

#[test]
fn a_failure_is_told_behind_any_prompt() {
    each(|prompt, width| {
        let output: &[&str] = &["cc -c a.c", "a.c:1: oops", "make: *** [Makefile:2: all] Error 1"];
        let verdict = prompt.judge(&[("ls", &["Makefile  a.c"]), ("make", output)], "", width);
        let mention = ["prompt, last command: make (failed: ", "Error 1"];
        expect(&verdict, StatusKind::Error, Some(Need::Failed), &mention, &[])
    });
}

#[test]
fn a_failure_at_the_first_prompt_of_a_screen_is_told() {
    each(|prompt, width| {
        let verdict = prompt.judge(&[("make", &["make: *** [Makefile:2: all] Error 1"])], "", width);
        expect(
            &verdict,
            StatusKind::Error,
            Some(Need::Failed),
            &["last command: make (failed: "],
            &[],
        )
    });
}

#[test]
fn an_earlier_failure_is_history() {
    each(|prompt, width| {
        let ran: &[(&str, &[&str])] = &[
            ("make", &["make: *** [Makefile:2: all] Error 1"]),
            ("ls src", &["lib.rs"]),
        ];
        let verdict = prompt.judge(ran, "", width);
        expect(
            &verdict,
            StatusKind::Waiting,
            None,
            &["last command: ls src"],
            &["failed", "Error"],
        )
    });
}

#[test]
fn a_screen_with_nothing_but_prompts_has_run_nothing() {
    each(|prompt, width| {
        let verdict = prompt.judge(&[("", &[]), ("", &[])], "", width);
        expect(
            &verdict,
            StatusKind::Waiting,
            None,
            &["prompt, nothing run yet"],
            &["last"],
        )
    });
}
