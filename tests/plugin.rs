//! The plugin's shell side on real tmux: loading, hooks, keys, the offer to build, and uninstalling.

mod support;

use std::fs;
use std::path::Path;
use support::{program, repository, shell_word, skip, wait_for, Server, HELPER};

/// The hooks of ours that are set, a line each.
fn our_hooks(server: &Server) -> Vec<String> {
    let hooks = server.run("show-hooks -g ; show-hooks -gw");
    let ours = hooks.lines().filter(|line| line.contains("@tmux-status-bin-resolved"));
    ours.map(str::to_owned).collect()
}

/// What `key` does after the prefix; empty when it does nothing.
fn binding(server: &Server, key: &str) -> String {
    let keys = server.run("list-keys -T prefix");
    let of_key = |line: &&str| line.split_whitespace().skip_while(|w| *w != "prefix").nth(1) == Some(key);
    keys.lines().find(of_key).unwrap_or_default().to_owned()
}

/// Everything a plugin can leave in a server.
fn traces(server: &Server) -> String {
    server.run(
        "show-hooks -g ; show-hooks -gw ; list-keys ; show-options -s ; show-options -g ; show-options -gw ; \
         show-environment -g ; show-environment -gh ; show-options -w -t work:0 ; show-options -p -t work:0.0",
    )
}

/// A helper that loads the plugin as the real one does, and does `misdeed` when a hook or key runs it.
fn helper_that(server: &Server, misdeed: &str) -> std::path::PathBuf {
    let real = shell_word(Path::new(HELPER));
    server.write_script(
        "helper",
        &format!("case $1 in refresh) {misdeed} ;; *) exec {real} \"$@\" ;; esac"),
    )
}

/// Events of every kind that has a hook.
fn make_events(server: &Server) {
    let events = "new-window -d -t work: -n one ; split-window -d -t work:one ; rename-window -t work:one two ; \
                  kill-pane -t work:two.1 ; new-session -d -s other ; rename-session -t other another ; \
                  kill-window -t work:two ; kill-session -t another";
    for event in events.split(';') {
        server.run(event);
    }
}

#[test]
fn sourcing_ten_times_leaves_one_entry_of_each_hook_and_of_each_key() {
    let server = Server::start();
    server.source_plugin();
    let once = our_hooks(&server);
    for _ in 0..9 {
        server.source();
    }
    assert_eq!(our_hooks(&server), once);
    assert!(once.len() >= 15, "{once:?}");
    assert!(
        once.iter().any(|line| line.starts_with("window-renamed[91] ")),
        "{once:?}"
    );
    let keys = server.run("list-keys -T prefix");
    assert_eq!(keys.lines().filter(|line| line.contains("@tmux-status-")).count(), 3);
}

#[test]
fn a_server_that_loads_the_plugin_from_its_configuration_has_a_true_file_without_further_ado() {
    let config = "set -g @tmux-status-bin \"{helper}\"\nrun-shell \"'{plugin}/tmux-status.tmux'\"\n";
    let server = Server::setup().config(config).start();
    wait_for("the first window in the file", || server.names().len() == 1);
    server.run("new-window -d -n second");
    wait_for("the second window", || server.names().contains(&"second".to_owned()));
}

#[test]
fn hooks_of_the_user_and_of_other_plugins_survive_sourcing_and_uninstalling() {
    let server = Server::start();
    server.tmux(&["set-hook", "-g", "window-renamed", "set -gF @first '#{hook_window}'"]);
    server.source_plugin();
    server.tmux(&["set-hook", "-ga", "window-renamed", "set -gF @last '#{hook_window}'"]);
    server.source();
    server.run("rename-window new-name");
    wait_for("our hook to run", || server.names() == ["new-name"]);
    let values = || server.tmux(&["display-message", "-p", "#{@first} #{@last}"]);
    assert_eq!(values(), "@0 @0");
    assert!(server.script("scripts/uninstall", &[]).status.success());
    server.run("set -gu @first ; set -gu @last ; rename-window newer");
    assert_eq!(values(), "@0 @0");
    assert_eq!(our_hooks(&server), [""; 0]);
}

#[test]
fn a_hook_that_another_plugin_wiped_is_back_after_the_next_key() {
    let server = Server::start();
    server.source_plugin();
    let whole = our_hooks(&server);
    server.tmux(&["set-hook", "-g", "window-linked", "set -g @theirs 1"]);
    assert_eq!(our_hooks(&server).len(), whole.len() - 1);
    let terminal = server.attach();
    terminal.press(&["C-b", "M-r"]);
    wait_for("the hook to be put back", || our_hooks(&server) == whole);
    let linked = server.run("show-hooks -g window-linked");
    assert!(linked.contains("@theirs"), "{linked}");
}

#[test]
fn nothing_appears_in_any_pane_when_the_helper_fails_dies_prints_or_is_gone() {
    let server = Server::start();
    let log = server.room().join("log");
    let misdeeds = [
        "exit 3",
        "kill -9 $$",
        "echo noise; echo more >&2; exit 2",
        // Gone from now on: every further call is a 127.
        "rm -f \"$0\"",
    ];
    let terminal = server.attach();
    for misdeed in misdeeds {
        let _ = fs::remove_file(&log);
        let helper = helper_that(&server, &format!("echo >>{}; {misdeed}", shell_word(&log)));
        server.use_helper(&helper);
        server.source();
        // A helper that dies leaves the note that a refresh is owed; without it every event forks one.
        server.run("set-environment -gh TMUX_STATUS_D 0");
        make_events(&server);
        wait_for("the helper to be called", || log.exists());
        server.run("set-environment -gh TMUX_STATUS_D 0");
        make_events(&server);
        terminal.press(&["C-b", "M-r"]);
        // Jobs that started before this one have ended, too.
        server.run_shell("sleep 0.3");
        assert_eq!(server.panes_in_a_mode(), 0, "{misdeed}");
        assert!(!terminal.screen().contains("returned"), "{misdeed}");
    }
    // The measure measures: a hook that fails aloud is seen.
    server.tmux(&["set-hook", "-g", "window-renamed[5]", "run-shell -b 'exit 3'"]);
    server.run("rename-window loud");
    wait_for("view-mode", || server.panes_in_a_mode() == 1);
}

#[test]
fn without_a_helper_there_are_no_hooks_and_the_key_offers_to_build_it() {
    let server = Server::start();
    server.source();
    assert_eq!(our_hooks(&server), [""; 0]);
    let terminal = server.attach();
    terminal.press(&["C-b", "M-r"]);
    let question = "tmux-status: its helper is not built yet. Build it now? (y/n)";
    terminal.wait_for(question);
    terminal.press(&["n"]);
    wait_for("the question to go", || !terminal.last_line().contains(question));
    assert_eq!(server.run("list-windows -F x"), "x");
}

#[test]
fn a_helper_of_another_version_counts_as_none_and_is_named_as_such() {
    let server = Server::start();
    server.use_helper(&server.write_script("old", "echo 0"));
    server.source();
    assert_eq!(our_hooks(&server), [""; 0]);
    assert!(binding(&server, "M-r").contains("belongs to another version of the plugin"));
}

#[test]
fn a_foreign_program_of_the_helpers_name_that_never_ends_does_not_hold_up_tmux() {
    let server = Server::start();
    server.write_script("bin/tmux-status", "exec sleep 4");
    let start = std::time::Instant::now();
    server.source();
    assert!(start.elapsed().as_millis() < 3500, "{:?}", start.elapsed());
    assert!(binding(&server, "M-r").contains("is not built yet"));
}

#[test]
fn hooks_whose_helper_has_vanished_are_gone_after_the_next_source() {
    let server = Server::start();
    let helper = helper_that(&server, "exit 0");
    server.use_helper(&helper);
    server.source();
    assert!(!our_hooks(&server).is_empty());
    fs::remove_file(helper).unwrap();
    server.source();
    assert_eq!(our_hooks(&server), [""; 0]);
    assert_eq!(server.run("show-options -gqv @tmux-status-bin-resolved"), "");
}

#[test]
fn yes_builds_in_a_window_that_ends_with_the_plugin_loaded_and_waits_for_enter() {
    let server = Server::start();
    // Stands for cargo: it puts the helper where it was told to.
    let real = shell_word(Path::new(HELPER));
    server.write_script(
        "bin/cargo",
        &format!("echo \"cargo $*\"; while [ \"$1\" != --target-dir ]; do shift; done; mkdir -p \"$2/release\" && cp {real} \"$2/release/\""),
    );
    server.source();
    let terminal = server.attach();
    terminal.press(&["C-b", "M-r"]);
    terminal.wait_for("(y/n)");
    terminal.press(&["y"]);
    terminal.wait_for("Press Enter to close this window.");
    let screen = terminal.screen();
    assert!(
        screen.contains("cargo build --release --locked --target-dir"),
        "{screen}"
    );
    assert!(screen.contains("\nBuilt; loaded: "), "{screen}");
    assert!(!our_hooks(&server).is_empty());
    terminal.press(&["Enter"]);
    wait_for("the window to close", || server.run("list-windows -F x") == "x");
    terminal.press(&["C-b", "M-r"]);
    terminal.wait_for("1 window");
}

#[test]
fn a_build_that_fails_says_what_to_type() {
    let server = Server::start();
    server.write_script(
        "bin/cargo",
        "case $1 in --version) echo cargo 1.0;; *) echo 'error: no network'; exit 101;; esac",
    );
    let out = server.script("scripts/build", &[]);
    let words = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(1));
    assert!(
        words.contains("To try again, type: ") && words.contains("cargo 1.0"),
        "{words}"
    );
}

#[test]
fn autobuild_builds_in_one_window_that_takes_no_focus_however_often_it_is_sourced() {
    let server = Server::start();
    server.write_script("bin/cargo", "echo building; exec sleep 600");
    server.run("set-option -g @tmux-status-autobuild on");
    for _ in 0..5 {
        server.source();
    }
    let windows = || server.tmux(&["list-windows", "-a", "-F", "#{window_name} #{window_active}"]);
    wait_for("the window of the build", || windows().contains("tmux-status build 0"));
    // The session that tmux takes when nobody names one is another now.
    server.run("new-session -d -s later");
    for _ in 0..5 {
        server.source();
    }
    // Jobs that started before this one have ended, too.
    server.run_shell("sleep 0.3");
    assert_eq!(windows().matches("tmux-status build").count(), 1, "{}", windows());
}

#[test]
fn the_default_key_never_replaces_a_binding_and_a_chosen_key_always_does() {
    for helper in [true, false] {
        let server = Server::start();
        if helper {
            server.use_helper(Path::new(HELPER));
        }
        server.run("bind-key M-r display-message mine");
        server.tmux(&["bind-key", "R", "display-message", "mine too"]);
        server.source();
        assert!(binding(&server, "M-r").ends_with("display-message mine"));
        server.run("set-option -g @tmux-status-key R");
        server.source();
        assert!(binding(&server, "R").contains("@tmux-status-"));
        server.run("set-option -g @tmux-status-key \\;");
        server.source();
        assert_eq!(binding(&server, "R"), "");
        assert!(binding(&server, "\\;").contains("@tmux-status-"));
        server.run("set-option -g @tmux-status-key none");
        server.source();
        assert_eq!(binding(&server, "\\;"), "");
        assert!(binding(&server, "M-r").ends_with("display-message mine"));
    }
}

#[test]
fn a_prefix_table_that_is_empty_is_no_obstacle() {
    let server = Server::start();
    server.run("unbind-key -a -T prefix");
    server.source_plugin();
    assert!(!our_hooks(&server).is_empty());
    assert!(binding(&server, "M-r").contains("refresh"));
}

#[test]
fn the_key_answers_on_the_status_line_and_refreshes_the_file() {
    let server = Server::start();
    server.source_plugin();
    server.run("set-option -g display-time 60000");
    let terminal = server.attach();
    let inode = || std::os::unix::fs::MetadataExt::ino(&fs::metadata(server.status_file()).unwrap());
    wait_for("the client in the file", || {
        server.status()["sessions"][0]["attached"] == true
    });
    let before = inode();
    terminal.press(&["C-b", "M-r"]);
    terminal.wait_for("1 window, ");
    // A forced refresh writes although nothing has changed; the file is another one then.
    assert_ne!(inode(), before);
}

#[test]
fn the_key_answers_with_the_status_line_off() {
    let server = Server::start();
    server.run("set-option -g status off");
    server.source_plugin();
    server.run("set-option -g display-time 60000");
    let terminal = server.attach();
    terminal.press(&["C-b", "M-r"]);
    terminal.wait_for("1 window, ");
}

#[test]
fn uninstalling_leaves_no_trace_and_says_what_it_did() {
    let server = Server::start();
    server.run("set-option -g @tmux-status-panes active");
    server.run("set-option -g @tmux-status-watch off");
    server.run("bind-key M-x display-message theirs");
    server.tmux(&["set-option", "-g", "@tmux-status-bin", HELPER]);
    server.tmux(&["set-option", "-g", "status-format[1]", "<#{tmux_status}>\\;"]);
    server.tmux(&["set-option", "-g", "status-right", "a \"#{tmux_status}\" $x 'b' %H"]);
    server.tmux(&[
        "new-window",
        "-d",
        "-t",
        "work:",
        "printf 'Overwrite it? [y/N] '; read x",
    ]);
    let before = traces(&server);
    server.source_plugin();
    server.tmux(&["set-option", "-p", "-t", "work:0.0", "@tmux-status-report", "{}"]);
    server.run("set-option -w -t work:0 @tmux-status-parked 12");
    wait_for("the status line and the window's options", || {
        server.refresh();
        let now = traces(&server);
        now.contains("@tmux-status-line") && now.contains("tmux_status=") && now.contains("@tmux-status-icon")
    });
    wait_for("the published path", || {
        !server
            .tmux(&["show-options", "-gqv", "@tmux-status-state-path"])
            .is_empty()
    });
    assert_ne!(traces(&server), before);
    let records = server.room().join("state/thegrid/tmux-status.shells");
    fs::create_dir(&records).unwrap();
    fs::write(records.join("12.3.456"), "").unwrap();
    let out = server.script("scripts/uninstall", &["--files"]);
    let words = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(traces(&server), before);
    assert!(words.contains("hooks, 3 keys after the prefix ("), "{words}");
    assert!(!server.room().join("state/thegrid").exists(), "{words}");
    let again = server.script("scripts/uninstall", &[]);
    assert!(String::from_utf8_lossy(&again.stdout).contains("Nothing of tmux-status"));
    assert!(again.status.success());
    assert_eq!(traces(&server), before);
}

#[test]
fn uninstalling_waits_for_a_refresh_that_is_on_its_way() {
    let server = Server::start();
    let before = traces(&server);
    let started = server.room().join("started");
    let late = "sleep 0.5; tmux set-option -g @tmux-status-path /late";
    let helper = helper_that(&server, &format!("touch {}; {late}", shell_word(&started)));
    server.use_helper(&helper);
    server.source();
    server.run("set-option -gu @tmux-status-bin");
    wait_for("the first refresh", || started.exists());
    assert!(server.script("scripts/uninstall", &[]).status.success());
    assert_eq!(traces(&server), before);
}

#[test]
fn uninstalling_takes_the_offer_to_build_away_too() {
    let server = Server::start();
    let before = traces(&server);
    server.source();
    assert_ne!(traces(&server), before);
    assert!(server.script("scripts/uninstall", &[]).status.success());
    assert_eq!(traces(&server), before);
}

#[test]
fn the_plugins_path_may_hold_blanks_quotes_and_what_tmux_and_sh_expand() {
    let server = Server::setup().plugin_in("it's a \"place\" #{x} $HOME;").start();
    server.source();
    assert!(binding(&server, "M-r").contains("confirm-before"));
    let terminal = server.attach();
    server.write_script("bin/cargo", "echo building; exit 1");
    terminal.press(&["C-b", "M-r"]);
    terminal.wait_for("(y/n)");
    terminal.press(&["y"]);
    terminal.wait_for("To try again, type: ");
    terminal.press(&["Enter"]);

    let helper = server.plugin().join("tmux-status");
    std::os::unix::fs::symlink(HELPER, &helper).unwrap();
    server.use_helper(&helper);
    server.source();
    wait_for("the first status file", || server.try_status().is_some());
    server.run("new-window -d -n second");
    wait_for("the second window", || server.names().contains(&"second".to_owned()));
    assert!(server.script("scripts/uninstall", &[]).status.success());
    assert_eq!(our_hooks(&server), [""; 0]);
}

#[test]
fn other_default_shells_are_no_obstacle() {
    for shell in ["fish", "zsh"] {
        let Some(path) = program(shell) else {
            skip(
                "other_default_shells_are_no_obstacle",
                &format!("{shell} is not installed"),
            );
            continue;
        };
        let server = Server::setup().env("SHELL", &path).start();
        server.tmux(&["set-option", "-g", "default-shell", path.to_str().unwrap()]);
        server.source_plugin();
        server.run("new-window -d -n second");
        wait_for("the second window", || server.names().contains(&"second".to_owned()));
        assert_eq!(server.panes_in_a_mode(), 0);
    }
}

#[test]
fn a_c_locale_is_no_obstacle() {
    let server = Server::setup().env("LC_ALL", "C").env("LANG", "C").start();
    server.run("rename-window größer");
    server.source_plugin();
    wait_for("the name as it is", || server.names() == ["größer"]);
    server.run("rename-window 日本");
    wait_for("the new name", || server.names() == ["日本"]);
}

#[test]
fn sourcing_takes_two_tmux_calls_and_one_that_is_not_ours() {
    for helper in [true, false] {
        let server = Server::start();
        if helper {
            server.use_helper(&helper_that(&server, "exit 0"));
        }
        let log = server.log_tmux_calls();
        server.source();
        let calls = fs::read_to_string(log).unwrap();
        assert_eq!(calls.lines().count(), 2, "{calls}");
    }
}

#[test]
fn tpm_loads_it_at_the_start_of_tmux_and_after_a_change_of_the_configuration() {
    let tpm = Path::new("/usr/share/tmux-plugin-manager/tpm");
    if !tpm.is_file() {
        skip(
            "tpm_loads_it_at_the_start_of_tmux",
            "tmux-plugin-manager is not installed",
        );
        return;
    }
    // TPM finds its plugins in the text of ~/.tmux.conf, or of $XDG_CONFIG_HOME/tmux/tmux.conf.
    let server = Server::setup()
        .config(&format!(
            "set-environment -g TMUX_PLUGIN_MANAGER_PATH \"{{room}}/config/tmux/plugins/\"\n\
             set -g @plugin 'someone/tmux-status'\n\
             set -g @tmux-status-bin \"{{helper}}\"\n\
             set -g display-time 60000\n\
             run-shell {}\n",
            tpm.display()
        ))
        .plugin_in("config/tmux/plugins/tmux-status")
        .prepare();
    let config = shell_word(&server.config_file());
    let terminal = server.terminal(&format!("exec tmux -f {config} new-session -s work"));
    terminal.wait_for("[work]");
    wait_for("the client in the file", || {
        server
            .try_status()
            .is_some_and(|status| status["sessions"][0]["attached"] == true)
    });
    let hooks = our_hooks(&server);
    assert!(hooks.len() >= 15, "{hooks:?}");
    terminal.press(&["C-b", "M-r"]);
    terminal.wait_for("1 window, ");
    server.tmux(&["source-file", server.config_file().to_str().unwrap()]);
    assert_eq!(our_hooks(&server), hooks);
    assert_eq!(server.panes_in_a_mode(), 0);
}

#[test]
fn without_a_server_or_tmux_the_plugin_does_nothing_and_says_nothing() {
    let server = Server::setup().prepare();
    let mut command = server.command(server.plugin().join("tmux-status.tmux"));
    let out = command.output().unwrap();
    assert!(
        out.status.success() && out.stdout.is_empty() && out.stderr.is_empty(),
        "{out:?}"
    );
    fs::remove_file(server.room().join("bin/tmux")).unwrap();
    for name in ["bash", "env", "dirname"] {
        std::os::unix::fs::symlink(program(name).unwrap(), server.room().join("bin").join(name)).unwrap();
    }
    let out = command.env("PATH", server.room().join("bin")).output().unwrap();
    assert!(
        out.status.success() && out.stdout.is_empty() && out.stderr.is_empty(),
        "{out:?}"
    );
}

#[test]
fn the_scripts_say_what_is_missing_and_how_to_get_it() {
    let server = Server::setup().prepare();
    let bin = server.room().join("few");
    fs::create_dir(&bin).unwrap();
    for name in ["sh", "dirname", "sed", "env"] {
        std::os::unix::fs::symlink(program(name).unwrap(), bin.join(name)).unwrap();
    }
    let refusal = |script: &str| {
        let mut command = server.command(server.plugin().join(script));
        let out = command.env("PATH", &bin).output().unwrap();
        assert_eq!(out.status.code(), Some(1));
        assert_eq!(out.stdout, b"");
        String::from_utf8(out.stderr).unwrap()
    };
    assert!(refusal("scripts/build").contains("https://rustup.rs"));
    for script in ["scripts/demo", "scripts/test"] {
        let words = refusal(script);
        assert!(
            words.contains("tmux is missing") && words.contains("apt install tmux"),
            "{words}"
        );
        for (version, too_old) in [("3.1c", true), ("2.9a", true), ("3.2", false), ("next-3.8", false)] {
            server.write_script("few/tmux", &format!("echo tmux {version}"));
            let words = refusal(script);
            assert_eq!(
                words.contains("is too old: 3.2 or newer"),
                too_old,
                "{version}: {words}"
            );
            assert_eq!(words.contains("https://rustup.rs"), !too_old, "{version}: {words}");
        }
        fs::remove_file(bin.join("tmux")).unwrap();
    }
}

#[test]
fn the_script_and_the_helper_speak_the_same_protocol() {
    let script = fs::read_to_string(repository().join("tmux-status.tmux")).unwrap();
    let line = format!("\nPROTOCOL={}\n", tmux_status::cli::PROTOCOL);
    assert!(script.contains(&line));
}

#[test]
fn the_readme_lists_every_option_as_the_helper_knows_it() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    for option in tmux_status::tmux::option::OPTIONS {
        let default = match option.default {
            words if words.contains(' ') => words.to_owned(),
            value => format!("`{value}`"),
        };
        let row = format!("| `{}` | {default} | {} |", option.name, option.help);
        assert!(readme.contains(&row), "README.md lacks the row\n{row}");
    }
}
