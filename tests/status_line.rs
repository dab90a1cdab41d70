//! What tmux draws of the state, on a real client's screen: the status line, the windows' options, and the recipes in the README.

mod support;

use std::fs;
use std::os::unix::fs::symlink;
use support::{repository, runs, tmux_data, wait_for, words, Server, HELPER};

/// A session `app` as in the README: one window that is calm, one that asks, one that has failed.
fn app() -> Server {
    let config = "set -g automatic-rename off\nset -g allow-rename off\nset -g remain-on-exit on\n\
                  set -g default-command 'exec sleep 10000'\n";
    let server = Server::setup().config(config).start();
    server.run("rename-session -t work app");
    server.run("rename-window -t app:0 editor");
    server.tmux(&["new-window", "-d", "-n", "claude", "-t", "app:", ASKS]);
    server.tmux(&["new-window", "-d", "-n", "deploy", "-t", "app:", "exit 3"]);
    server
}

const ASKS: &str = "printf 'Overwrite it? [y/N] '; read x";

/// A client of it, in a terminal of 100 columns.
fn attach(server: &Server) -> support::Terminal<'_> {
    let terminal = server.terminal("exec tmux attach-session -t =app");
    terminal.wait_for("[app] ");
    terminal
}

fn line(server: &Server) -> String {
    server.tmux(&["show-options", "-gqv", "@tmux-status-line"])
}

/// Waits until the line is published that the README shows.
#[track_caller]
fn wait_for_line(server: &Server) {
    wait_for("the line", || {
        if server.run("show-options -gqv @tmux-status-watch") == "off" {
            server.refresh();
        }
        line(server).contains("app:1 claude")
    });
}

fn window_option(server: &Server, window: &str, name: &str) -> String {
    server.tmux(&[
        "show-options",
        "-wqv",
        "-t",
        &format!("app:{window}"),
        &format!("@tmux-status-{name}"),
    ])
}

/// The blocks of the README's section, each with its language.
fn recipes() -> Vec<(String, String)> {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let section = readme
        .split("\n## ")
        .find(|part| part.starts_with("Status line\n"))
        .unwrap();
    let blocks = section.split("\n```").skip(1).step_by(2);
    blocks
        .map(|block| block.split_once('\n').unwrap())
        .map(|(language, text)| (language.to_owned(), text.to_owned()))
        .collect()
}

/// What the README shows and what is there, without the clock and however many blanks.
#[track_caller]
fn alike(shown: &str, screen: &str) -> bool {
    let words = |line: &str| -> Vec<String> {
        let words = line.split_whitespace().map(str::to_owned);
        words.filter(|word| !(word.len() == 5 && word.contains(':'))).collect()
    };
    words(screen).starts_with(&words(shown))
}

#[test]
fn the_recipes_in_the_readme_work_as_they_stand() {
    let recipes = recipes();
    let languages: Vec<&str> = recipes.iter().map(|(language, _)| language.as_str()).collect();
    assert_eq!(languages, ["tmux", "", "tmux", "", "tmux"]);
    let text = |number: usize| recipes[number].1.as_str();
    let server = app();
    symlink(HELPER, server.room().join("bin/tmux-status")).unwrap();
    let conf = server.room().join("recipe.conf");
    let follow = |recipe: &str| {
        fs::write(&conf, recipe).unwrap();
        server.tmux(&["source-file", conf.to_str().unwrap()]);
    };
    follow(text(0));
    server.source_with_driver();
    wait_for_line(&server);
    let terminal = attach(&server);
    wait_for("the line on the screen", || alike(text(1), &terminal.last_line()));
    assert!(
        terminal.screen_with_colours().contains("\u{1b}[33m?1"),
        "{}",
        terminal.screen_with_colours()
    );

    follow(text(2));
    wait_for("signs on the screen", || alike(text(3), &terminal.last_line()));
    assert!(
        terminal.screen_with_colours().contains("\u{1b}[31m✗"),
        "{}",
        terminal.screen_with_colours()
    );
    terminal.press(&["C-b", "W"]);
    terminal.wait_for("? claude: sh asks: Overwrite it? [y/N]");
    terminal.press(&["q"]);

    server.run("set-option -gu window-status-format ; set-option -gu window-status-current-format");
    follow(text(4));
    wait_for("the segment on the screen", || alike(text(1), &terminal.last_line()));
}

#[test]
fn the_line_follows_what_happens_and_is_empty_when_nobody_calls() {
    let server = app();
    server.run("set-option -g status-right <#{tmux_status}>");
    server.source_with_driver();
    let terminal = attach(&server);
    terminal.wait_for("<?1 ✗1 app:1 claude>");
    server.run("send-keys -t app:claude y Enter");
    terminal.wait_for("<✗1 app:2 deploy>");
    server.run("kill-window -t app:claude");
    server.run("select-window -t app:deploy");
    terminal.wait_for("<>");
    assert_eq!(line(&server), "");
}

#[test]
fn a_theme_that_sets_its_status_line_after_the_plugin_is_no_obstacle() {
    let server = app();
    server.source_with_driver();
    wait_for_line(&server);
    let terminal = attach(&server);
    server.tmux(&[
        "set-option",
        "-g",
        "status-left",
        "[app] #[fg=black,bg=cyan]<#{tmux_status}>#[default] ",
    ]);
    server.run("set-option -g status-left-length 60");
    terminal.wait_for("<?1 ✗1 app:1 claude>");
    // What a theme has chosen there holds on both sides of it.
    let screen = terminal.screen_with_colours();
    assert!(
        screen.contains("<\u{1b}[33m?1\u{1b}[30m \u{1b}[31m✗1\u{1b}[30m app:1 claude>"),
        "{screen}"
    );
    server.run("set-option -g status-left ''");
    terminal.wait_until_gone("app:1 claude>");
    // One that a session has of its own is no other matter, and stays as its user wrote it.
    server.run("set-option -t app status-right <#{tmux_status}>");
    terminal.wait_for("<?1 ✗1 app:1 claude>");
    assert_eq!(server.run("show-options -v -t app status-right"), "<#{tmux_status}>");
    // Programs are not told.
    assert!(!server.run("show-environment -g").contains("tmux_status"));
}

#[test]
fn sourcing_again_and_a_status_line_that_is_off_change_nothing() {
    let server = app();
    server.run("set-option -g status off");
    server.tmux(&[
        "set-option",
        "-g",
        "status-right",
        "a #{tmux_status} 'b' \"c\" \\#{x} $d %H \\;",
    ]);
    server.source_plugin();
    wait_for_line(&server);
    let value = || server.run("show-options -gv status-right");
    for _ in 0..3 {
        server.source();
        server.refresh();
    }
    assert_eq!(value(), "a #{tmux_status} 'b' \"c\" \\#{x} $d %H ;");
    assert_eq!(server.run("show-options -gv status"), "off");
}

#[test]
fn names_and_summaries_are_drawn_as_they_are() {
    let server = app();
    let ask = "printf '#[fg=red]#(touch pwned)#{host} %%H [y/N] '; read x";
    server.run("kill-window -t app:claude");
    server.tmux(&["new-window", "-d", "-n", "x", "-t", "app:1", ask]);
    server.run("rename-window -t app:0 e");
    let name = tmux_data("#(touch pwned)#[bg=red]%H#");
    server.tmux(&["rename-window", "-t", "app:1", &name]);
    server.run("set-option -g status-right <#{tmux_status}>");
    server.tmux(&[
        "set-option",
        "-g",
        "window-status-format",
        "#I|#{@tmux-status-summary}|",
    ]);
    server.source_with_driver();
    wait_for("the summary", || {
        window_option(&server, "1", "summary").contains("pwned")
    });
    let terminal = attach(&server);
    terminal.wait_for("1|sh asks: #[fg=red]#(touch pwned)#{host} %H [y/N]|");
    terminal.wait_for("<?1 ✗1 app:1 #(touch pwned)##[");
    // Expanded once more, it is still inert.
    server.tmux(&[
        "set-option",
        "-g",
        "window-status-format",
        "#I|#{E:@tmux-status-summary}|",
    ]);
    server.tmux(&["set-option", "-g", "status-right", "<#{T:@tmux-status-line}>"]);
    terminal.wait_for("1|sh asks: #[fg=red]#(touch pwned)#{host} ");
    terminal.wait_for("<?1 ✗1 app:1 #(touch pwned)##[");
    server.run_shell("sleep 0.3");
    for folder in [server.room().to_owned(), server.room().join("home")] {
        assert!(!folder.join("pwned").exists());
    }
}

#[test]
fn windows_carry_their_state_and_again_when_it_was_unset_and_not_when_it_is_unwanted() {
    let server = app();
    server.source_plugin();
    wait_for_line(&server);
    let claude = |name| window_option(&server, "claude", name);
    let all = || ["kind", "need", "icon", "colour", "summary"].map(claude).join(" ");
    let whole = "waiting question ? colour3 sh asks: Overwrite it? [y/N]";
    assert_eq!(all(), whole);
    assert_eq!(window_option(&server, "editor", "need"), "");
    server.run("set-option -wu -t app:claude @tmux-status-icon");
    server.refresh_with(&["--full"]);
    assert_eq!(all(), whole);
    server.run("set-option -g @tmux-status-icons question=Q");
    server.refresh_with(&["--full"]);
    assert_eq!(claude("icon"), "Q");
    server.run("respawn-window -k -t app:claude sleep 10000");
    wait_for("another state", || {
        server.refresh();
        claude("kind") == "running"
    });
    assert_eq!(claude("need"), "");
    server.run("set-option -g @tmux-status-window-options off");
    server.refresh_with(&["--full"]);
    assert!(!server.run("show-options -w -t app:claude").contains("tmux-status"));
    // Without a look at everything, too, a window gets none.
    server.run("respawn-window -k -t app:claude exit 3");
    wait_for("an end", || {
        server.refresh();
        server.state()["windows"]
            .as_object()
            .unwrap()
            .values()
            .filter(|window| window["kind"] == "error")
            .count()
            == 2
    });
    assert!(!server.run("show-options -w -t app:claude").contains("tmux-status"));
}

#[test]
fn a_server_that_starts_again_has_all_of_it_again() {
    let config = "set -g @tmux-status-bin \"{helper}\"\nset -g status-right '<#{tmux_status}>'\n\
                  run-shell \"'{plugin}/tmux-status.tmux'\"\n";
    let server = Server::setup().config(config).start();
    for _ in 0..2 {
        server.tmux(&["new-window", "-d", "-n", "asks", "-t", "work:", ASKS]);
        wait_for("the line", || line(&server).ends_with("asks#[pop-default]"));
        wait_for("the window's options", || {
            server.run("show-options -wqv -t work:asks @tmux-status-need") == "question"
        });
        assert_eq!(server.run("show-options -gv status-right"), "<#{tmux_status}>");
        let pid = server.pid();
        server.run("kill-server");
        wait_for("the end of the server", || !runs(pid));
        server.run("new-session -d -s work");
    }
}

/// How many tmux processes of each command the log has.
fn calls(log: &std::path::Path, command: &str) -> usize {
    let calls = fs::read_to_string(log).unwrap_or_default();
    calls
        .lines()
        .filter(|line| line.split_whitespace().nth(3) == Some(command))
        .count()
}

#[test]
fn a_look_that_changes_nothing_is_one_tmux_process_and_one_that_does_is_two() {
    let server = app();
    server.source_plugin();
    wait_for_line(&server);
    server.refresh();
    let log = server.log_tmux_calls();
    let look = || {
        let _ = fs::remove_file(&log);
        server.refresh();
        fs::read_to_string(&log).unwrap().lines().count()
    };
    assert_eq!(look(), 1);
    assert_eq!(look(), 1);
    server.run("set-option -g @tmux-status-ignore claude,deploy");
    assert_eq!((look(), look()), (2, 1));
    assert_eq!(line(&server), "");
}

#[test]
fn a_driver_with_nothing_new_to_tell_sets_nothing() {
    let server = app();
    let log = server.log_tmux_calls();
    server.source_with_driver();
    wait_for_line(&server);
    let looks = || calls(&log, "display-message");
    let settled = looks();
    wait_for("two more looks", || looks() > settled + 1);
    let (sets, before) = (calls(&log, "source-file"), looks());
    wait_for("three more looks", || looks() > before + 2);
    assert_eq!(calls(&log, "source-file"), sets);
    assert!(sets > 0);
}

#[test]
fn segment_prints_the_same_text_and_nothing_once_the_server_has_ended() {
    let server = app();
    let segment = |args: &[&str]| {
        let out = server.helper(&[&["segment"], args].concat());
        assert!(out.status.success() && out.stderr.is_empty(), "{out:?}");
        words(&out).0
    };
    let early = server.helper(&["segment"]);
    assert!(
        !early.status.success() && words(&early).1.contains("hint: "),
        "{early:?}"
    );
    server.source_plugin();
    wait_for_line(&server);
    assert_eq!(segment(&[]), "?1 ✗1 app:1 claude\n");
    assert_eq!(segment(&["--format", "tmux"]), format!("{}\n", line(&server)));
    let pid = server.pid();
    server.run("kill-server");
    wait_for("the end of the server", || !runs(pid));
    assert_eq!(segment(&[]), "\n");
}
