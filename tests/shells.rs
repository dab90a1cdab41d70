//! Shells that tell of their commands: real ones, with the line of `tmux-status init` in their start-up file, in real panes.

#[path = "support/shell.rs"]
mod shell;
mod support;

use serde_json::Value;
use shell::{explained, folder, line, record, records, says, screen, send, start, waits_for, SHELLS};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};
use support::{now, program, wait_for, words, Server};

#[test]
fn each_shell_tells_which_command_ran_last_and_how_it_ended() {
    for shell in SHELLS {
        let Some(server) = start("each shell tells", shell, &line(shell)) else {
            continue;
        };
        let last = format!("{shell} prompt, last command: ");
        let after = |command: &str| format!("{last}{command} (");
        waits_for(&server, &format!("{shell} prompt, nothing run yet"), "");
        let told = says(&server, "true", &after("true"), "(exited 0)");
        assert_eq!((&told["statusKind"], &told["need"]), (&"waiting".into(), &Value::Null));
        let told = says(&server, "sh -c 'exit 3'", &after("sh -c 'exit 3'"), "(exited 3)");
        assert_eq!(
            (&told["statusKind"], &told["need"]),
            (&"error".into(), &"failed".into())
        );
        says(&server, "nosuchcommand", &last, ")");
        let told = waits_for(&server, &after("nosuchcommand"), ")");
        assert!(told["summary"].as_str().unwrap().contains("(failed: "), "{told}");
        let told = says(&server, "sh -c 'kill -9 $$'", &after("sh -c 'kill -9 $$'"), ")");
        assert_eq!(told["statusKind"], "error");
        says(&server, "sleep 1.2", &after("sleep 1.2"), "(exited 0, 1 s)");
        send(&server, "sleep 600");
        wait_for("sleep", || explained(&server)["command"] == "sleep");
        server.run("send-keys -t work:0 C-c");
        let told = waits_for(&server, &after("sleep 600"), "(interrupted)");
        assert_eq!((&told["statusKind"], &told["need"]), (&"waiting".into(), &Value::Null));
        // Nothing is left of it on the screen.
        says(&server, "clear", &after("clear"), "(exited 0)");
        // What was printed is no failure where the shell knows better.
        let quoted = "echo 'fatal: it $(x) #(y) #{z} ü ☃ \"q\"'";
        says(&server, quoted, &after(quoted), "(exited 0)");
        send(&server, "echo 'one");
        says(&server, "two'", &after("echo 'one two'"), "(exited 0)");
        let long = format!("true {}", "word ".repeat(1000));
        // Pasted: fish paints a line of that length anew at every key.
        server.tmux(&["set-buffer", &long]);
        server.run("paste-buffer -p -t work:0");
        says(&server, "", &format!("{last}true word word"), "(exited 0)");
        // Neither an empty line nor one given up is a command.
        says(&server, "false", &after("false"), "(exited 1)");
        let prompts =
            || screen(&server).matches("$ false").count() + screen(&server).lines().filter(|l| *l == "$").count();
        for give_up in [&["Enter"][..], &["Enter"], &["x", "C-c"]] {
            let before = prompts();
            server.tmux(&[&["send-keys", "-t", "work:0"], give_up].concat());
            if give_up.len() == 1 {
                wait_for("one more prompt", || prompts() > before);
            }
        }
        waits_for(&server, &after("false"), "(exited 1)");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(
            (mode(&record(&server)), mode(&folder(&server))),
            (0o600, 0o700),
            "{shell}"
        );
    }
}

#[test]
fn a_prompt_that_looks_like_none_is_known_by_what_the_shell_says() {
    let prompts = [
        ("bash", "PS1='\\n\\n'"),
        ("zsh", "PROMPT=$'\\n\\n'"),
        ("fish", "function fish_prompt; printf '\\n\\n'; end"),
    ];
    for (shell, prompt) in prompts {
        let Some(server) = start("a prompt like none", shell, &line(shell)) else {
            continue;
        };
        send(&server, prompt);
        let last = format!("{shell} prompt, last command: ");
        waits_for(&server, &last, "(exited 0)");
        says(
            &server,
            "sh -c 'exit 4'",
            &format!("{last}sh -c 'exit 4'"),
            "(exited 4)",
        );
        says(&server, "clear", &format!("{last}clear"), "(exited 0)");
    }
}

#[test]
fn a_loop_of_builtins_is_at_work_and_no_prompt() {
    for (shell, endless) in [("zsh", "while true; do :; done"), ("fish", "while true; end")] {
        let Some(server) = start("a loop of builtins", shell, &line(shell)) else {
            continue;
        };
        let told = says(&server, endless, &format!("{shell} running {endless}"), "");
        assert_eq!(
            (&told["statusKind"], &told["rule"]),
            (&"active".into(), &"shells/shell:running".into())
        );
        server.run("send-keys -t work:0 C-c");
        waits_for(&server, &format!("{shell} prompt, last command: {endless}"), ")");
    }
}

#[test]
fn what_history_does_not_keep_is_not_recorded() {
    for (shell, own) in [
        ("bash", "HISTCONTROL=ignoreboth"),
        ("bash", "HISTCONTROL=ignorespace:erasedups"),
        ("bash", "HISTIGNORE='*hunter*'"),
        ("zsh", "setopt hist_ignore_space"),
        ("zsh", "HISTORY_IGNORE='*hunter*'"),
        ("zsh", "zshaddhistory() { [[ $1 != *hunter* ]] }"),
        ("fish", "true"),
        ("fish", "set -g fish_private_mode 1"),
    ] {
        let rc = format!("{own}\n{}", line(shell));
        let Some(server) = start("what history does not keep", shell, &rc) else {
            continue;
        };
        send(&server, "true");
        waits_for(&server, &format!("{shell} prompt, last command: true"), "(exited 0)");
        // Its status is told, and what the screen shows of it.
        let told = says(
            &server,
            " : hunter2; sh -c 'exit 5'",
            &format!("{shell} prompt"),
            "(exited 5)",
        );
        assert_eq!(told["statusKind"], "error", "{own}");
        // Nor is it taken for the command before it.
        let kept = records(&server);
        assert!(!kept.contains("hunter") && !kept.contains("true"), "{own}: {kept}");
        says(
            &server,
            "false",
            &format!("{shell} prompt, last command: false"),
            "(exited 1)",
        );
    }
    // Where nothing is ignored for its text, the same command twice is that command, even if it is kept once.
    let rc = format!("HISTCONTROL=ignoredups\n{}", line("bash"));
    let Some(server) = start("what history keeps once", "bash", &rc) else {
        return;
    };
    for _ in 0..2 {
        says(
            &server,
            "sh -c 'exit 6'; clear; (exit 6)",
            "bash prompt, last command: sh -c 'exit 6'",
            "(exited 6)",
        );
        send(&server, "clear");
        waits_for(&server, "bash prompt, last command: clear", "(exited 0)");
    }
    send(&server, "set +o history");
    send(&server, " : hunter2; sh -c 'exit 5'");
    waits_for(&server, "bash prompt", "(exited 5)");
    send(&server, "set -o history; clear");
    wait_for("an empty screen", || !screen(&server).contains("hunter"));
    assert!(!records(&server).contains("set +o") && !records(&server).contains("hunter"));
}

#[test]
fn a_shell_within_a_shell_speaks_for_itself_as_long_as_it_runs() {
    let Some(server) = start("a shell within", "bash", &line("bash")) else {
        return;
    };
    says(&server, "true", "bash prompt, last command: true", "(exited 0)");
    send(&server, "clear");
    says(&server, "bash --norc --noprofile", "bash prompt", "");
    wait_for("the inner shell", || screen(&server).contains("bash-"));
    // It says nothing: what the outer one said is not believed of it.
    let told = explained(&server);
    assert!(!told["evidence"].to_string().contains("record"), "{told}");
    says(
        &server,
        "exit 7",
        "bash prompt, last command: bash --norc --noprofile",
        "(exited 7)",
    );
    // One in its place has its process id, and another name or nothing run yet.
    let rc = server.room().join("home/rc");
    says(
        &server,
        &format!("exec bash --noprofile --rcfile {} -i", rc.display()),
        "bash prompt, nothing run yet",
        "",
    );
    if program("zsh").is_some() {
        send(&server, "exec zsh -f");
        wait_for("zsh", || {
            explained(&server)["summary"]
                .as_str()
                .is_some_and(|s| s.starts_with("zsh prompt"))
        });
        let told = explained(&server);
        assert!(!told["evidence"].to_string().contains("record"), "{told}");
    }
}

#[test]
fn a_quiet_shells_record_is_not_read_again_and_a_full_look_removes_what_is_stale() {
    let Some(server) = start("a quiet shell", "bash", &line("bash")) else {
        return;
    };
    says(&server, "true", "bash prompt, last command: true", "(exited 0)");
    let activity = || {
        server
            .run("display-message -p -t work:0 #{window_activity}")
            .parse::<u64>()
            .unwrap()
    };
    wait_for("a quiet second", || now() > activity() + 1);
    server.refresh();
    let summary = || {
        server.status()["sessions"][0]["windows"][0]["summary"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(summary(), "bash prompt, last command: true (exited 0)");
    let file = record(&server);
    let changed = fs::read_to_string(&file).unwrap().replace("ended 0", "ended 9");
    fs::write(&file, changed).unwrap();
    let stale = folder(&server).join(format!("{}.99.99", server.pid()));
    fs::write(&stale, "").unwrap();
    let long_ago = SystemTime::now() - Duration::from_secs(300);
    fs::File::options()
        .write(true)
        .open(&stale)
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    server.refresh();
    assert_eq!(summary(), "bash prompt, last command: true (exited 0)");
    assert!(stale.exists());
    server.refresh_with(&["--full"]);
    assert_eq!(summary(), "bash prompt, last command: true (exited 9)");
    assert!(!stale.exists() && file.exists());
}

#[test]
fn a_shell_that_is_not_known_is_refused() {
    let server = Server::setup().prepare();
    let out = server.helper(&["init", "tcsh"]);
    assert_eq!(out.status.code(), Some(2));
    for shell in SHELLS {
        assert!(words(&server.helper(&["init", shell])).0.contains("tmux-status 1"));
    }
}
