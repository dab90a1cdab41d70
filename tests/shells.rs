//! Shells that tell of their commands: real ones, with the line of `tmux-status init` in their start-up file, in real panes.

mod support;

use serde_json::Value;
use std::fs;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use support::{now, program, skip, wait_for, words, Server, HELPER};

const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// The line that the README names, with the helper under test.
fn line(shell: &str) -> String {
    match shell {
        "fish" => format!("{HELPER} init fish | source"),
        _ => format!("eval \"$({HELPER} init {shell})\""),
    }
}

/// A server whose first window runs `shell`, with `rc` as the whole of its start-up file; `None` where it is not installed.
fn start(test: &str, shell: &str, rc: &str) -> Option<Server> {
    start_with(test, shell, rc, Server::setup())
}

fn start_with(test: &str, shell: &str, rc: &str, setup: support::Setup) -> Option<Server> {
    if program(shell).is_none() {
        skip(test, &format!("{shell} is not installed"));
        return None;
    }
    let server = setup.prepare();
    let (command, file) = match shell {
        "bash" => ("exec bash --noprofile --rcfile {room}/home/rc -i", "home/rc"),
        "zsh" => ("exec zsh -d -i", "home/.zshrc"),
        _ => ("exec fish -i", "config/fish/config.fish"),
    };
    let prompt = match shell {
        "bash" => "PS1='$ '; PS2='> '",
        "zsh" => "PROMPT='$ '; PROMPT2='> '; unsetopt prompt_cr prompt_sp",
        _ => "function fish_prompt; printf '$ '; end; function fish_greeting; end; function fish_right_prompt; end",
    };
    fs::create_dir_all(server.room().join("config/fish")).unwrap();
    fs::write(server.room().join(file), format!("{prompt}\n{rc}\n")).unwrap();
    let room = server.room().to_str().unwrap();
    let command = command.replace("{room}", room);
    server.tmux(&["new-session", "-d", "-s", "work", "-x", "100", "-y", "30", &command]);
    wait_for("the prompt", || screen(&server).trim_end().ends_with('$'));
    Some(server)
}

fn screen(server: &Server) -> String {
    server.tmux(&["capture-pane", "-p", "-t", "work:0"])
}

fn send(server: &Server, text: &str) {
    server.tmux(&["send-keys", "-t", "work:0", "-l", text]);
    server.tmux(&["send-keys", "-t", "work:0", "Enter"]);
}

fn explained(server: &Server) -> Value {
    let out = server.helper(&["explain", "--json", "-t", "work:0"]);
    serde_json::from_str(&words(&out).0).unwrap_or_default()
}

/// Types a line and waits for the summary that begins and ends so, which is returned whole.
#[track_caller]
fn says(server: &Server, typed: &str, starts: &str, ends: &str) -> Value {
    send(server, typed);
    waits_for(server, starts, ends)
}

#[track_caller]
fn waits_for(server: &Server, starts: &str, ends: &str) -> Value {
    let mut last = Value::Null;
    let end = std::time::Instant::now() + support::DEADLINE;
    loop {
        let told = explained(server);
        let summary = told["summary"].as_str().unwrap_or_default();
        if summary.starts_with(starts) && summary.ends_with(ends) {
            return told;
        }
        last = if told.is_null() { last } else { told };
        assert!(
            std::time::Instant::now() < end,
            "waited for {starts:?} … {ends:?}, in vain: {last}\n{}",
            screen(server)
        );
    }
}

fn folder(server: &Server) -> PathBuf {
    server.room().join("state/thegrid/tmux-status.shells")
}

/// Runs a command that exits so, and has the shell say what it sees of that. What is on the screen then, without what the
/// prompt holds.
#[track_caller]
fn seen_status(server: &Server, shell: &str, command: &str) -> String {
    let rest = || wait_for("the prompt", || screen(server).trim_end().ends_with("\n$"));
    send(server, command);
    rest();
    let echo = if shell == "fish" { "$status" } else { "$?" };
    send(server, &format!("echo \"<{echo}>\""));
    wait_for("the status", || screen(server).contains("\n<"));
    rest();
    screen(server).trim_end().to_owned()
}

/// All records, joined.
fn records(server: &Server) -> String {
    let entries = fs::read_dir(folder(server)).into_iter().flatten().flatten();
    entries
        .map(|entry| fs::read_to_string(entry.path()).unwrap_or_default())
        .collect()
}

/// The record of the only shell.
fn record(server: &Server) -> PathBuf {
    fs::read_dir(folder(server)).unwrap().next().unwrap().unwrap().path()
}

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
        assert!(!records(&server).contains("hunter"), "{own}: {}", records(&server));
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

/// Hooks of the user's own, which show what they see of `$?` in the next prompt.
const OWN_HOOKS: &[(&str, &str, &str)] = &[
    ("bash", "PROMPT_COMMAND='seen=$?'; PS1='[$seen] $ '", ""),
    ("bash", "PROMPT_COMMAND='seen=$?; '; PS1='[$seen] $ '", ""),
    ("bash", "PROMPT_COMMAND=(true 'seen=$?'); PS1='[$seen] $ '", ""),
    ("bash", "export PROMPT_COMMAND='seen=$?'; PS1='[$seen] $ '", ""),
    ("bash", "PS1='[$?] $ '", "PROMPT_COMMAND=\"history -a; $PROMPT_COMMAND\""),
    (
        "bash",
        "",
        "was=$PROMPT_COMMAND; wrap() { seen=$?; back \"$seen\"; eval \"$was\"; }; back() { return \"$1\"; }; \
         PROMPT_COMMAND=wrap; PS1='[$seen] $ '",
    ),
    ("zsh", "precmd() { seen=$? }; setopt prompt_subst; PROMPT='[$seen] $ '", ""),
    ("zsh", "PROMPT='[%?] $ '", ""),
    ("zsh", "f() { seen=$? }; precmd_functions=(f); setopt prompt_subst; PROMPT='[$seen] $ '", ""),
    ("fish", "function f --on-event fish_postexec; set -g seen $status; end; function fish_prompt; printf '[%s] $ ' $seen; end", ""),
    ("fish", "function fish_prompt; printf '[%s] $ ' $status; end", ""),
];

#[test]
fn the_users_own_hooks_run_and_see_the_status() {
    for (shell, before, after) in OWN_HOOKS {
        let rc = format!("{before}\n{}\n{after}", line(shell));
        let Some(server) = start("the user's own hooks", shell, &rc) else {
            continue;
        };
        let last = format!("{shell} prompt, last command: ");
        // What puts itself before ours costs one command's status, before ours is the first again.
        send(&server, "true");
        waits_for(&server, &last, "");
        says(
            &server,
            "sh -c 'exit 3'",
            &format!("{last}sh -c 'exit 3'"),
            "(exited 3)",
        );
        wait_for(&format!("[3] by {before}{after}"), || {
            screen(&server).trim_end().ends_with("[3] $")
        });
        says(&server, "true", &format!("{last}true"), "(exited 0)");
        wait_for(&format!("[0] by {before}{after}"), || {
            screen(&server).trim_end().ends_with("[0] $")
        });
    }
}

#[test]
fn traps_and_ps0_of_the_users_own_stay() {
    let rc = format!(
        "PS0='[ps0]\\n'; trap 'debugged=$BASH_COMMAND' DEBUG; trap 'failed=$BASH_COMMAND' ERR; trap 'echo left' EXIT\n{}",
        line("bash")
    );
    let Some(server) = start("traps stay", "bash", &rc) else {
        return;
    };
    let last = "bash prompt, last command: ";
    says(&server, "false", &format!("{last}false"), "(exited 1)");
    send(&server, "echo \"<$failed> $(trap -p | grep -c '^trap')\"");
    wait_for("three traps", || screen(&server).contains("\n<false> 3\n"));
    assert!(screen(&server).contains("[ps0]\nfalse") || screen(&server).contains("$ false\n[ps0]"));
}

#[test]
fn odd_options_aliases_and_functions_do_not_matter() {
    let odd = [
        (
            "bash",
            "set -u -o noclobber -o noglob -o pipefail; IFS=0123456789; HISTTIMEFORMAT='%F %T '; shopt -s expand_aliases nocasematch; \
             alias printf=false history=false local=false return=false umask=false command=false shopt=false test=false; \
             printf() { false; }; history() { false; }",
        ),
        ("bash", "set -e"),
        (
            "zsh",
            "setopt no_unset no_clobber no_glob ksh_arrays sh_word_split err_return extended_glob warn_create_global ksh_glob \
             no_multi_os; IFS=0123456789; alias print=false local=false typeset=false emulate=false return=false; print() { false; }",
        ),
        ("zsh", "setopt err_exit"),
        ("fish", "function printf; false; end; function echo; false; end; function test; false; end; alias count=false"),
    ];
    for (shell, setting) in odd {
        let rc = format!("{setting}\n{}", line(shell));
        let Some(server) = start_odd(shell, &rc) else { continue };
        let last = format!("{shell} prompt, last command: ");
        says(&server, "true", &format!("{last}true"), "(exited 0)");
        // A failure that ends neither a shell with `set -e` nor one of the functions.
        says(&server, "! true", &format!("{last}! true"), "(exited 1)");
        says(&server, "true", &format!("{last}true"), "(exited 0)");
        assert!(
            !screen(&server).contains("tmux_status"),
            "{setting}: {}",
            screen(&server)
        );
    }
}

/// The same with a prompt that needs none of the functions that are odd.
fn start_odd(shell: &str, rc: &str) -> Option<Server> {
    let rc = match shell {
        "fish" => format!("{rc}\nfunction fish_prompt; builtin printf '$ '; end"),
        _ => rc.to_owned(),
    };
    start("odd options", shell, &rc)
}

#[test]
fn the_line_twice_does_no_more_than_once() {
    for (shell, count) in [
        (
            "bash",
            "printf '%s\\n' \"<$PS0\" \"${PROMPT_COMMAND[@]}\" | grep -c '__tmux_status_[be]'",
        ),
        (
            "zsh",
            "print -l $precmd_functions $preexec_functions | grep -c __tmux_status",
        ),
        ("fish", "functions --handlers | grep -c __tmux_status"),
    ] {
        let line = line(shell);
        let Some(server) = start("the line twice", shell, &format!("{line}\n{line}")) else {
            continue;
        };
        let last = format!("{shell} prompt, last command: ");
        says(&server, "sh -c 'exit 3'", &format!("{last}sh -c"), "(exited 3)");
        send(&server, &line);
        waits_for(&server, &last, "(exited 0)");
        says(&server, "sh -c 'exit 3'", &format!("{last}sh -c"), "(exited 3)");
        send(&server, &format!("clear; {count}"));
        wait_for("two hooks", || screen(&server).starts_with("2\n"));
    }
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
fn outside_of_tmux_and_in_scripts_nothing_is_written() {
    for shell in SHELLS {
        let Some(server) = start("outside of tmux", shell, "") else {
            continue;
        };
        let script = match shell {
            "fish" => format!("{}; true", line(shell)),
            _ => format!("{}; echo \"<${{PROMPT_COMMAND-}}$?>\"", line(shell)),
        };
        let mut command = server.command(shell);
        let out = command
            .args(["-c", &script])
            .env("TMUX", "/x,1,0")
            .env("TMUX_PANE", "%0")
            .output()
            .unwrap();
        assert!(out.status.success() && out.stderr.is_empty(), "{out:?}");
        for variables in [
            "unset TMUX TMUX_PANE",
            "export TMUX=x TMUX_PANE='%0'",
            "export TMUX=/x,1,0 TMUX_PANE='%1/../..'",
        ] {
            let file = server.room().join("home/outside");
            fs::write(&file, format!("PS1='$ '\nPROMPT='$ '\n{}\n", line(shell))).unwrap();
            let (rc, run) = match shell {
                "bash" => (format!("--noprofile --rcfile {} -i", file.display()), "bash"),
                "zsh" => {
                    fs::copy(&file, server.room().join("home/.zshrc")).unwrap();
                    ("-d -i".to_owned(), "zsh")
                }
                _ => (format!("-i -C '{}'", line(shell)), "fish"),
            };
            let terminal = server.terminal(&format!("{variables}; exec {run} {rc}"));
            terminal.press(&["echo done-$((40+2)) || echo done-42", "Enter"]);
            if shell == "fish" {
                terminal.press(&["echo done-(math 40 + 2)", "Enter"]);
            }
            terminal.wait_for("done-42\n");
        }
        assert!(!folder(&server).exists(), "{shell}");
    }
}

#[test]
fn a_place_that_cannot_be_written_harms_nothing() {
    let undisturbed = |command: &str, shell: &str, status: u32| {
        let echo = if shell == "fish" { "$status" } else { "$?" };
        format!("$ {command}\n$ echo \"<{echo}>\"\n<{status}>\n$")
    };
    for shell in SHELLS {
        let setup = Server::setup().env("XDG_STATE_HOME", "/dev/null/none");
        let Some(server) = start_with("no place", shell, &line(shell), setup) else {
            continue;
        };
        let seen = seen_status(&server, shell, "sh -c 'exit 3'");
        assert_eq!(seen, undisturbed("sh -c 'exit 3'", shell, 3));
    }
    for shell in SHELLS {
        let Some(server) = start("a place that goes", shell, &line(shell)) else {
            continue;
        };
        let cleared = format!("{shell} prompt, last command: clear");
        says(&server, "clear", &cleared, "(exited 0)");
        let file = record(&server);
        fs::remove_dir_all(folder(&server)).unwrap();
        let seen = seen_status(&server, shell, "sh -c 'exit 3'");
        assert_eq!(seen, undisturbed("sh -c 'exit 3'", shell, 3));
        // It is back, and the disk is full. fish then says so itself, once.
        fs::create_dir(folder(&server)).unwrap();
        says(&server, "clear", &cleared, "(exited 0)");
        fs::remove_file(&file).unwrap();
        symlink("/dev/full", &file).unwrap();
        let seen = seen_status(&server, shell, "sh -c 'exit 4'");
        let quiet = seen.replacen("write: No space left on device\n", "", usize::from(shell == "fish"));
        assert_eq!(quiet, undisturbed("sh -c 'exit 4'", shell, 4));
        // As good as without.
        let told = waits_for(&server, &format!("{shell} prompt"), "");
        assert!(!told["evidence"].to_string().contains("record"), "{told}");
    }
}

/// Page faults of the children that a process has waited for: they only grow when there was one.
fn of_children(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    fields[8].parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_prompt_starts_no_process() {
    for shell in SHELLS {
        let Some(server) = start("no process", shell, &line(shell)) else {
            continue;
        };
        let pid: u32 = server.run("display-message -p -t work:0 #{pane_pid}").parse().unwrap();
        let last = format!("{shell} prompt, last command: ");
        // fish looks after its history and the like at its first command.
        says(&server, "echo warm", &format!("{last}echo warm"), "(exited 0)");
        let before = of_children(pid);
        for n in 0..5 {
            says(&server, &format!("echo {n}"), &format!("{last}echo {n}"), "(exited 0)");
            send(&server, "");
        }
        says(&server, "false", &format!("{last}false"), "(exited 1)");
        assert_eq!(of_children(pid), before, "{shell}");
        says(&server, "sh -c true", &format!("{last}sh -c true"), "(exited 0)");
        assert!(of_children(pid) > before, "{shell}: what is counted does not count");
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
fn older_shells_do_with_what_they_have() {
    // Without EPOCHREALTIME (before bash 5), without PS0 (before 4.4), and with a string of prompt commands (before 5.1).
    let script = format!("$({HELPER} init bash)");
    for (older, duration) in [
        (format!("x=\"{script}\"; eval \"${{x//EPOCHREALTIME/OLD}}\""), " s)"),
        (
            format!("x=\"{script}\"; OLD=(3 2); eval \"${{x//BASH_VERSINFO/OLD}}\""),
            "(exited 0)",
        ),
    ] {
        let rc = format!("PROMPT_COMMAND='seen=$?'; PS1='[$seen] $ '\n{older}");
        let Some(server) = start("older shells", "bash", &rc) else {
            return;
        };
        let last = "bash prompt, last command: ";
        says(
            &server,
            "sh -c 'exit 3'",
            &format!("{last}sh -c 'exit 3'"),
            "(exited 3)",
        );
        wait_for("[3]", || screen(&server).trim_end().ends_with("[3] $"));
        send(&server, "");
        waits_for(&server, &format!("{last}sh -c 'exit 3'"), "(exited 3)");
        says(&server, "sleep 1.5", &format!("{last}sleep 1.5"), duration);
    }
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
