//! What the line of `tmux-status init` leaves alone in a shell: hooks, traps, options, `$?`, and shells that are not in a pane.

#[path = "support/shell.rs"]
mod shell;
mod support;

use shell::{folder, line, record, says, screen, seen_status, send, start, start_with, waits_for, SHELLS};
use std::fs;
use std::os::unix::fs::symlink;
use support::{wait_for, Server, HELPER};

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
