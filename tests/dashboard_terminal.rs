//! The dashboard and its terminal: how large it is, who it belongs to, and that it is given back.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/dashboard.rs"]
mod dashboard;
#[path = "support/mod.rs"]
mod support;

use dashboard::{clients, dashboards, in_a_shell, open, shown, with_a_question};
use support::{runs, signal, wait_for, Server, Terminal, HELPER};

/// The terminal is as it was: what is typed is shown, the cursor too, and the screen is the first one.
#[track_caller]
fn is_given_back(terminal: &Terminal<'_>) {
    wait_for("the first screen", || {
        terminal.ask("#{alternate_on}#{cursor_flag}#{mouse_any_flag}") == "010"
    });
    terminal.press(&["echo give", "n-back", "Enter"]);
    terminal.wait_for("\ngiven-back");
}

#[test]
fn it_fits_itself_to_the_terminal_while_it_is_open() {
    let server = with_a_question();
    let terminal = in_a_shell(&server, "");
    terminal.wait_for("SUMMARY");
    for (columns, rows) in [(40, 12), (1, 1), (160, 45), (20, 6), (90, 24)] {
        terminal.resize(columns, rows);
        wait_for("its new size", || {
            terminal.ask("#{pane_width}x#{pane_height}") == format!("{columns}x{rows}")
        });
    }
    // Smaller ones leave hints out.
    terminal.wait_for("v preview");
    assert!(terminal.screen().contains("1 needs you"), "{}", terminal.screen());
    terminal.press(&["q"]);
    terminal.wait_for("ended with 0");
    is_given_back(&terminal);
}

#[test]
fn a_small_terminal_gets_a_window_instead_of_a_popup_and_no_window_stays() {
    let server = with_a_question();
    let terminal = server.attach();
    terminal.resize(22, 14);
    wait_for("the small client", || {
        server.run("list-clients -F #{client_width}x#{client_height}") == "22x14"
    });
    terminal.press(&["C-b", "A"]);
    terminal.wait_for("1 needs you");
    let client = &clients(&server)[0];
    assert_eq!(shown(&server, client), "work:dashboard");
    terminal.press(&["Enter"]);
    wait_for("the jump", || shown(&server, client) == "ops:ask");
    wait_for("the window's end", || {
        !server.run("list-windows -a -F #{window_name}").contains("dashboard")
    });
}

#[test]
fn the_terminal_is_given_back_after_every_signal_that_ends_it() {
    let server = with_a_question();
    for name in ["TERM", "HUP", "INT"] {
        let terminal = in_a_shell(&server, "");
        terminal.wait_for("SUMMARY");
        signal(dashboards(&server)[0], name);
        is_given_back(&terminal);
    }
}

#[test]
fn ctrl_c_ends_it_and_ctrl_z_hands_the_terminal_to_the_shell_for_a_while() {
    let server = with_a_question();
    let terminal = in_a_shell(&server, "");
    terminal.wait_for("SUMMARY");
    terminal.press(&["C-z"]);
    wait_for("the first screen", || terminal.ask("#{alternate_on}") == "0");
    terminal.press(&["fg", "Enter"]);
    terminal.wait_for("SUMMARY");
    terminal.press(&["C-c"]);
    is_given_back(&terminal);
}

#[test]
fn ctrl_z_in_a_popup_does_nothing() {
    let server = with_a_question();
    let terminal = server.attach();
    open(&terminal);
    terminal.press(&["C-z", "?"]);
    terminal.wait_for("type to filter");
}

#[test]
fn a_server_that_ends_under_it_is_told_and_the_terminal_is_given_back() {
    let server = with_a_question();
    let popup = server.attach();
    open(&popup);
    let terminal = in_a_shell(&server, "");
    terminal.wait_for("SUMMARY");
    // One that a hook has started would find no server, and say so in the files.
    wait_for("the hooks' helpers", || {
        server.processes_with(&format!("{HELPER} refresh")).is_empty()
    });
    let pid = server.pid();
    signal(pid, "KILL");
    wait_for("the end", || !runs(pid));
    terminal.wait_for("This tmux server has ended");
    // That of the popup went with its terminal.
    wait_for("one dashboard", || dashboards(&server).len() == 1);
    terminal.press(&["Enter"]);
    terminal.wait_for("cannot go there");
    terminal.press(&["q"]);
    terminal.wait_for("ended with 0");
    is_given_back(&terminal);
}

#[test]
fn a_client_that_goes_away_takes_its_dashboard_with_it() {
    let server = with_a_question();
    let terminal = server.attach();
    open(&terminal);
    server.run("detach-client -a");
    server.tmux(&["detach-client", "-s", "work"]);
    wait_for("its end", || dashboards(&server).is_empty());
}

#[test]
fn it_asks_for_a_terminal_when_there_is_none() {
    let server = Server::start();
    let out = server.helper(&["dashboard"]);
    let (_, errors) = support::words(&out);
    assert_eq!(out.status.code(), Some(1));
    assert!(
        errors.contains("needs a terminal") && errors.contains("hint: tmux-status show"),
        "{errors}"
    );
}
