//! The dashboard as its user meets it: in a popup over real windows, in a window, in a plain terminal.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/dashboard.rs"]
mod dashboard;
#[path = "support/mod.rs"]
mod support;

use dashboard::{clients, dashboards, in_a_shell, open, shown, with_a_question};
use std::fs;
use std::path::Path;
use support::{shell_word, tmux_data, wait_for, Server, HELPER};

#[test]
fn its_key_shows_the_window_that_needs_its_user_and_enter_goes_there() {
    let server = with_a_question();
    let terminal = server.attach();
    open(&terminal);
    let screen = terminal.screen();
    assert!(screen.contains("1 needs you") && screen.contains("? ops:1"), "{screen}");
    terminal.wait_for("Deploy now? [y/N]");
    terminal.press(&["Enter"]);
    let client = &clients(&server)[0];
    wait_for("the jump", || shown(&server, client) == "ops:ask");
    terminal.wait_until_gone("SUMMARY");
    wait_for("its end", || dashboards(&server).is_empty());
    assert_eq!(server.panes_in_a_mode(), 0);
    let left = server.try_tmux(&["show-environment", "-g", "TMUX_STATUS_CLIENT"]);
    assert!(!left.status.success(), "{left:?}");
}

#[test]
fn the_pane_that_speaks_is_the_one_that_is_gone_to() {
    let server = with_a_question();
    let asking = server.run("display-message -p -t ops:1 #{pane_id}");
    server.tmux(&["split-window", "-t", "ops:1", "sh"]);
    assert_ne!(server.run("display-message -p -t ops:1 #{pane_id}"), asking);
    server.refresh_with(&["--full"]);
    let terminal = server.attach();
    open(&terminal);
    terminal.wait_for("1 needs you");
    terminal.press(&["Enter"]);
    let client = &clients(&server)[0];
    let pane = || server.tmux(&["display-message", "-p", "-c", client, "#{session_name} #{pane_id}"]);
    wait_for("the pane", || pane() == format!("ops {asking}"));
}

#[test]
fn the_client_that_pressed_the_key_is_the_one_that_moves() {
    let server = with_a_question();
    let first = server.attach();
    let one = clients(&server)[0].clone();
    let second = server.attach();
    let two = clients(&server).into_iter().find(|name| *name != one).unwrap();
    open(&first);
    // Both are open, and the key of the second was pressed last.
    open(&second);
    first.press(&["Enter"]);
    wait_for("the jump", || shown(&server, &one) == "ops:ask");
    assert_eq!(shown(&server, &two), "work:home");
    second.press(&["q"]);
    second.wait_until_gone("SUMMARY");
    assert_eq!(shown(&server, &two), "work:home");
}

#[test]
fn typing_after_a_slash_finds_a_window_and_enter_goes_there() {
    let server = with_a_question();
    let terminal = server.attach();
    open(&terminal);
    terminal.press(&["/", "o", "p", "s", "l", "g"]);
    terminal.wait_for("/opslg");
    terminal.wait_for("1 window ·");
    terminal.wait_until_gone("ops:1");
    terminal.press(&["Enter"]);
    let client = &clients(&server)[0];
    wait_for("the jump", || shown(&server, client) == "ops:logs");
}

#[test]
fn a_parked_window_is_not_counted_from_then_on_and_unparked_it_is() {
    let server = with_a_question();
    let terminal = server.attach();
    open(&terminal);
    terminal.press(&["p"]);
    terminal.wait_for("none needs you");
    terminal.wait_for("parked 1");
    wait_for("the state", || {
        server.state()["windows"].to_string().contains("\"parked\":true")
    });
    let at = server.run("show-options -wqv -t ops:1 @tmux-status-parked");
    assert!(at.parse::<u64>().is_ok(), "{at:?}");
    terminal.press(&["G", "p"]);
    terminal.wait_for("1 needs you");
    wait_for("the option", || {
        server.run("show-options -wqv -t ops:1 @tmux-status-parked").is_empty()
    });
    wait_for("the state", || {
        !server.state()["windows"].to_string().contains("\"parked\":true")
    });
}

#[test]
fn what_happens_is_seen_while_it_is_open_and_a_refresh_can_be_asked_for() {
    let server = with_a_question();
    let terminal = server.attach();
    open(&terminal);
    server.tmux(&["new-window", "-d", "-t", "ops:", "-n", "newcomer", "sh"]);
    terminal.wait_for("newcomer");
    // No hook tells of that.
    server.tmux(&[
        "send-keys",
        "-t",
        "ops:newcomer",
        "printf 'Really? [y/N] '; read x",
        "Enter",
    ]);
    wait_for("a look that sees it", || {
        terminal.press(&["r"]);
        terminal.screen().contains("2 need you")
    });
}

#[test]
fn it_says_why_a_window_is_in_its_state_as_explain_does() {
    let server = with_a_question();
    let terminal = server.attach();
    open(&terminal);
    terminal.press(&["e"]);
    terminal.wait_for("why ops:1 ask");
    terminal.wait_for("needs you: question");
    let told = server.helper(&["explain", "-t", "ops:1"]);
    let told = String::from_utf8(told.stdout).unwrap();
    let rule = told
        .lines()
        .find(|line| line.trim_start().starts_with("rule "))
        .unwrap();
    terminal.wait_for(rule.split_whitespace().last().unwrap());
    terminal.press(&["Escape"]);
    terminal.wait_for("SUMMARY");
    terminal.press(&["?"]);
    terminal.wait_for("type to filter");
}

#[test]
fn names_that_are_hostile_are_shown_and_do_nothing() {
    let server = with_a_question();
    let trap = server.room().join("trap");
    let name = format!("#[fg=red]#(touch {}) \"`$(touch {})`", trap.display(), trap.display());
    server.tmux(&["rename-window", "-t", "ops:1", &tmux_data(&name)]);
    server.tmux(&["rename-session", "-t", "ops", &tmux_data("#{pid}'; kill-server")]);
    server.tmux(&[
        "send-keys",
        "-t",
        "work:0",
        "printf '\\033]2;#(touch trap)\\007\\033[31mred\\n'",
        "Enter",
    ]);
    server.refresh_with(&["--full"]);
    let terminal = server.attach();
    open(&terminal);
    terminal.wait_for("#[fg=red]#(touch");
    terminal.press(&["e"]);
    terminal.wait_for("needs you: question");
    terminal.press(&["Escape", "p", "p", "g", "Enter"]);
    let client = &clients(&server)[0];
    wait_for("the jump", || shown(&server, client).contains("#[fg=red]"));
    assert!(!trap.exists());
}

#[test]
fn without_a_client_that_could_move_it_says_so() {
    let server = with_a_question();
    let terminal = in_a_shell(&server, "");
    terminal.wait_for("SUMMARY");
    terminal.press(&["Enter"]);
    terminal.wait_for("no tmux client is known");
    terminal.press(&["q"]);
    terminal.wait_for("ended with 0");
}

#[test]
fn in_a_pane_it_moves_the_client_that_shows_it_and_does_not_keep_itself_going() {
    let server = with_a_question();
    let other = server.attach();
    server.tmux(&[
        "new-session",
        "-d",
        "-s",
        "mine",
        "-x",
        "100",
        "-y",
        "30",
        &format!("exec {} dashboard", shell_word(Path::new(HELPER))),
    ]);
    let terminal = server.terminal("exec tmux attach-session -t =mine");
    terminal.wait_for("SUMMARY");
    terminal.wait_for("this dashboard");
    let activity = || server.run("display-message -p -t mine: #{window_activity}");
    // What is drawn once for something that others did comes to a rest; what it did itself would not.
    let mut seen = (activity(), support::now());
    let mut looked = 0;
    wait_for("a rest of some seconds, with looks in it", || {
        let now = support::now();
        if looked != now {
            looked = now;
            server.refresh_with(&["--full"]);
        }
        let at = activity();
        if at != seen.0 {
            seen = (at, support::now());
        }
        now > seen.1 + 3
    });
    terminal.press(&["Enter"]);
    wait_for("the jump", || {
        server.run("list-clients -t ops -F #{session_name}") == "ops"
    });
    assert_eq!(
        server.run("list-clients -t work -F #{session_name}"),
        "work",
        "{}",
        other.screen()
    );
}

#[test]
fn what_is_missing_is_told_with_what_makes_it() {
    let server = Server::start();
    let terminal = in_a_shell(&server, "");
    terminal.wait_for("no status to show");
    terminal.wait_for("tmux-status refresh makes one");
    terminal.press(&["r"]);
    terminal.wait_for("SUMMARY");
    terminal.press(&["q"]);
    terminal.wait_for("ended with 0");
    let nobody = in_a_shell(&server, "-L nobody");
    nobody.wait_for("no status to show");
    nobody.press(&["q"]);
    nobody.wait_for("ended with 0");
}

#[test]
fn while_nothing_changes_it_starts_no_process_and_draws_nothing() {
    let server = with_a_question();
    let log = server.log_tmux_calls();
    let terminal = in_a_shell(&server, "");
    terminal.wait_for("Deploy now?");
    let calls = || {
        fs::read_to_string(&log)
            .unwrap_or_default()
            .lines()
            .filter(|line| !line.contains("terminal-"))
            .count()
    };
    wait_for("the calls of its start", || calls() >= 2);
    let (before, start) = (calls(), support::now());
    wait_for("some seconds to pass", || support::now() > start + 3);
    assert_eq!(calls(), before, "{}", fs::read_to_string(&log).unwrap());
    assert_eq!(before, 2, "{}", fs::read_to_string(&log).unwrap());
}

#[test]
fn icons_and_colours_are_those_that_the_user_has_chosen() {
    let server = with_a_question();
    server.tmux(&["set-option", "-g", "@tmux-status-icons", "ascii question=ASK"]);
    let terminal = server.attach();
    open(&terminal);
    terminal.wait_for("ASK ops:1");
}

#[test]
fn its_key_says_what_is_wrong_when_the_helper_is_gone() {
    let server = with_a_question();
    let helper = server.room().join("bin/gone helper");
    fs::copy(HELPER, &helper).unwrap();
    server.use_helper(&helper);
    server.source();
    let terminal = server.attach();
    open(&terminal);
    terminal.press(&["q"]);
    terminal.wait_until_gone("SUMMARY");
    fs::remove_file(&helper).unwrap();
    server.tmux(&["set-option", "-g", "display-time", "10000"]);
    terminal.press(&["C-b", "A"]);
    terminal.wait_for("tmux-status");
}

#[test]
fn a_session_is_written_as_a_workspace_and_opened_again() {
    let server = with_a_question();
    let terminal = server.attach();
    open(&terminal).press(&["w"]);
    terminal.wait_for("saved to");
    let file = server.room().join("config/tmuxp/ops.yaml");
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("session_name: ops") && text.contains("window_name: ask"),
        "{text}"
    );
    server.run("kill-session -t ops");
    terminal.press(&["o"]);
    terminal.wait_for("▸ ops");
    terminal.press(&["Enter"]);
    terminal.wait_for("ops: 2 windows");
    assert_eq!(
        server.tmux(&["list-windows", "-t", "=ops", "-F", "#{window_name}"]),
        "logs\nask"
    );
}

#[test]
fn a_workspace_that_cannot_be_opened_says_why_whatever_its_script_says() {
    let server = with_a_question();
    let folder = server.room().join("config/tmuxp");
    fs::create_dir_all(&folder).unwrap();
    server.write_script("config/tmuxp/before.sh", "echo the words of a script >&2; exit 3");
    fs::write(
        folder.join("odd.yaml"),
        "session_name: odd\nbefore_script: ./before.sh\nwindows: [{}]\n",
    )
    .unwrap();
    let terminal = server.attach();
    open(&terminal).press(&["o"]);
    terminal.wait_for("▸ odd");
    terminal.press(&["Enter"]);
    terminal.wait_for("before_script");
    assert!(
        !terminal.screen().contains("the words of a script"),
        "{}",
        terminal.screen()
    );
}
