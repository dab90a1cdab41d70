//! `next` on real clients: the key takes the one that pressed it to the window that needs its user, and no other.

mod support;

use std::fs;
use std::os::unix::fs::symlink;
use support::{now, repository, tmux_data, wait_for, words, Server, Terminal, HELPER};

/// A server whose windows call nobody, unless a command is given.
fn calm() -> Server {
    // Keys that come as fast as a test presses them are not taken for a paste.
    let config = "set -g assume-paste-time 0\nset -g automatic-rename off\nset -g default-command 'exec sleep 10000'\n";
    let server = Server::setup().config(config).start();
    server.run("rename-window -t work:0 calm");
    server
}

/// Opens a window in `session` that asks something, and waits until it is known to.
#[track_caller]
fn asking(server: &Server, session: &str, name: &str) {
    let command = "printf 'Overwrite it? [y/N] '; read x";
    server.tmux(&["new-window", "-d", "-n", name, "-t", &format!("{session}:"), command]);
    known(server, name, |window| window["need"] == "question");
}

/// Waits until the state says so of the window called `name`; without a driver, by looking.
#[track_caller]
fn known(server: &Server, name: &str, says: impl Fn(&serde_json::Value) -> bool) {
    wait_for(name, || {
        if server.run("show-options -gqv @tmux-status-watch") == "off" {
            server.refresh();
        }
        let state = server.state();
        let windows = state["windows"].as_object().unwrap().values();
        windows.filter(|window| window["name"] == name).any(&says)
    });
}

/// A client, by its name.
struct Seat<'a> {
    terminal: Terminal<'a>,
    name: String,
    server: &'a Server,
}

impl<'a> Seat<'a> {
    #[track_caller]
    fn take(server: &'a Server, session: &str) -> Self {
        let names = || server.run("list-clients -F #{client_name}");
        let before = names();
        let terminal = server.terminal(&format!("exec tmux attach-session -t ={session}"));
        let new = || {
            let names = names();
            let new = names.lines().find(|name| before.lines().all(|old| old != *name));
            new.map(str::to_owned)
        };
        wait_for("a client", || new().is_some());
        let name = new().unwrap();
        // It has drawn its first screen, and reads keys.
        wait_for("the status line", || {
            terminal.screen().contains(&format!("[{session}] "))
        });
        Self { terminal, name, server }
    }

    /// The session and the window that it shows, and the active pane's index.
    fn at(&self) -> String {
        let format = "#{client_name} #{session_name}:#{window_name}.#{pane_index}";
        let clients = self.server.tmux(&["list-clients", "-F", format]);
        let line = clients
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{} ", self.name)));
        line.unwrap_or_default().trim().to_owned()
    }

    #[track_caller]
    fn arrives(&self, place: &str) {
        wait_for(&format!("{place} in front of {}, not {}", self.name, self.at()), || {
            self.at() == place
        });
    }

    /// Presses the key, and sees where that leads.
    #[track_caller]
    fn goes_to(&self, place: &str) {
        self.terminal.press(&["C-b", "N"]);
        self.arrives(place);
    }
}

fn next(server: &Server, args: &[&str]) {
    let out = server.helper(&[&["next"], args].concat());
    assert!(out.status.success() && out.stdout.is_empty(), "{out:?}");
}

#[test]
fn the_key_goes_through_all_windows_that_ask_across_sessions_and_back_again() {
    let server = calm();
    server.source_with_driver();
    server.run("new-session -d -s ops -n calm");
    for (session, name) in [("work", "one"), ("ops", "two"), ("work", "three")] {
        asking(&server, session, name);
    }
    let seat = Seat::take(&server, "work");
    for place in ["work:one.0", "ops:two.0", "work:three.0", "work:one.0", "ops:two.0"] {
        seat.goes_to(place);
    }
    for place in ["work:one.0", "work:three.0", "ops:two.0"] {
        next(&server, &["--previous", "--client", &seat.name]);
        seat.arrives(place);
    }
    assert_eq!(server.panes_in_a_mode(), 0);
}

#[test]
fn the_key_for_the_way_back_in_the_readme_works_as_it_stands() {
    let server = calm();
    symlink(HELPER, server.room().join("bin/tmux-status")).unwrap();
    server.source_plugin();
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let (_, rest) = readme.split_once("A key for the way back").unwrap();
    let recipe = rest.split("```").nth(1).unwrap().trim_start_matches("tmux");
    let conf = server.room().join("recipe.conf");
    fs::write(&conf, recipe).unwrap();
    server.tmux(&["source-file", conf.to_str().unwrap()]);
    for name in ["one", "two"] {
        asking(&server, "work", name);
    }
    let seat = Seat::take(&server, "work");
    for place in ["work:two.0", "work:one.0"] {
        seat.terminal.press(&["C-b", "P"]);
        seat.arrives(place);
    }
}

#[test]
fn only_the_client_that_pressed_the_key_moves() {
    let server = calm();
    server.source_plugin();
    server.run("new-session -d -s ops -n calm");
    asking(&server, "work", "one");
    let (bystander, seat) = (Seat::take(&server, "ops"), Seat::take(&server, "ops"));
    // The other one was used last.
    bystander.terminal.press(&["x"]);
    seat.goes_to("work:one.0");
    assert_eq!(bystander.at(), "ops:calm.0");
    next(&server, &["--client", &bystander.name]);
    bystander.arrives("work:one.0");
}

#[test]
fn from_a_shell_or_a_popup_the_client_that_shows_it_moves() {
    let server = Server::start();
    server.source_plugin();
    server.run("new-session -d -s ops -n calm ; new-session -d -s third -n calm");
    asking(&server, "work", "one");
    let (seat, other) = (Seat::take(&server, "ops"), Seat::take(&server, "third"));
    seat.terminal.press(&[&format!("sleep 1; {HELPER} next"), "Enter"]);
    other.terminal.press(&["x"]);
    seat.arrives("work:one.0");
    assert_eq!(other.at(), "third:calm.0");
    server.tmux(&["switch-client", "-c", &seat.name, "-t", "=ops"]);
    server.tmux(&["display-popup", "-c", &seat.name, "-E", &format!("{HELPER} next")]);
    seat.arrives("work:one.0");
    assert_eq!(other.at(), "third:calm.0");
}

#[test]
fn where_nobody_calls_the_client_is_told_so_and_stays() {
    let server = calm();
    server.source_plugin();
    server.run("set-option -g display-time 60000");
    let seat = Seat::take(&server, "work");
    seat.terminal.press(&["C-b", "N"]);
    seat.terminal.wait_for("No window needs you");
    asking(&server, "work", "one");
    seat.goes_to("work:one.0");
    seat.terminal.press(&["C-b", "N"]);
    seat.terminal.wait_for("No other window needs you");
    assert_eq!(seat.at(), "work:one.0");
}

#[test]
fn without_a_client_or_with_a_wrong_one_it_says_what_to_do() {
    let server = calm();
    server.refresh();
    for (args, why) in [
        (["next"].as_slice(), "no client is attached"),
        (&["next", "--client", "/dev/nowhere"], "there is no client /dev/nowhere"),
    ] {
        let out = server.helper(args);
        let told = words(&out).1;
        assert_eq!(out.status.code(), Some(1));
        assert!(
            told.contains(why) && told.contains("\nhint: tmux list-clients"),
            "{told}"
        );
    }
}

#[test]
fn parked_and_ignored_windows_are_passed_over() {
    let server = calm();
    server.source_plugin();
    server.run("set-option -g @tmux-status-ignore never");
    for name in ["set-aside", "never", "one"] {
        asking(&server, "work", name);
    }
    server.run(&format!(
        "set-option -w -t work:set-aside @tmux-status-parked {}",
        now()
    ));
    known(&server, "set-aside", |window| window["parked"] == true);
    let seat = Seat::take(&server, "work");
    seat.goes_to("work:one.0");
    server.run("set-option -g display-time 60000");
    seat.terminal.press(&["C-b", "N"]);
    seat.terminal.wait_for("No other window needs you");
}

#[test]
fn the_pane_that_asks_is_active_and_a_zoomed_window_stays_zoomed() {
    let server = calm();
    server.source_plugin();
    asking(&server, "work", "one");
    server.run("split-window -t work:one");
    server.run("resize-pane -Z -t work:one.1");
    known(&server, "one", |window| window["panes"].as_array().unwrap().len() == 2);
    let seat = Seat::take(&server, "work");
    seat.goes_to("work:one.0");
    assert_eq!(
        server.tmux(&["display-message", "-p", "-t", "work:one", "#{window_zoomed_flag}"]),
        "1"
    );
}

#[test]
fn a_linked_window_is_shown_in_the_clients_own_session() {
    let server = calm();
    server.source_plugin();
    asking(&server, "work", "one");
    server.run("new-session -d -s ops -n calm");
    server.run("link-window -d -s work:one -t ops:7");
    server.refresh();
    let seat = Seat::take(&server, "ops");
    seat.goes_to("ops:one.0");
    server.run("new-session -d -s third -n calm");
    let stranger = Seat::take(&server, "third");
    stranger.terminal.press(&["C-b", "N"]);
    stranger.arrives("ops:one.0");
}

/// As if a driver lived: the state is taken for true, and hooks fork nothing.
fn pretend_a_driver(server: &Server) {
    let until = (now() + 60).to_string();
    server.run(&format!("set-environment -gh TMUX_STATUS_UNTIL {until}"));
    server.run("set-environment -gh TMUX_STATUS_CHANNEL nobody");
}

/// The tmux processes from the key to the jump, as their commands.
#[track_caller]
fn calls(log: &std::path::Path, seat: &Seat, place: &str) -> Vec<String> {
    let _ = fs::remove_file(log);
    seat.goes_to(place);
    let calls = fs::read_to_string(log).unwrap();
    let command = |line: &str| line.split_whitespace().nth(3).unwrap_or_default().to_owned();
    let mut calls: Vec<String> = calls.lines().map(command).collect();
    let jumps = calls.iter().filter(|call| *call == "switch-client").count();
    let last = calls.iter().rposition(|call| call == "switch-client").unwrap();
    assert!(jumps > 0);
    // What a hook has started afterwards is no part of it.
    calls.truncate(last + 1);
    calls
}

#[test]
fn from_the_key_to_the_window_it_takes_one_tmux_process_with_a_driver_and_two_without() {
    let server = calm();
    server.source_plugin();
    asking(&server, "work", "one");
    asking(&server, "work", "two");
    let seat = Seat::take(&server, "work");
    server.refresh();
    let log = server.log_tmux_calls();
    // Jobs of the attaching that are still on their way would be counted.
    server.run_shell("sleep 0.3");
    assert_eq!(calls(&log, &seat, "work:one.0"), ["display-message", "switch-client"]);
    server.run_shell("sleep 0.3");
    pretend_a_driver(&server);
    assert_eq!(calls(&log, &seat, "work:two.0"), ["switch-client"]);
}

#[test]
fn a_window_that_has_vanished_since_is_passed_over() {
    let server = calm();
    server.source_plugin();
    for name in ["one", "two"] {
        asking(&server, "work", name);
    }
    let seat = Seat::take(&server, "work");
    server.refresh();
    let log = server.log_tmux_calls();
    server.run_shell("sleep 0.3");
    pretend_a_driver(&server);
    server.run("kill-window -t work:one");
    assert_eq!(calls(&log, &seat, "work:two.0"), ["switch-client", "switch-client"]);
}

#[test]
fn a_state_that_nobody_keeps_is_not_believed() {
    let server = calm();
    server.source_plugin();
    asking(&server, "work", "one");
    let seat = Seat::take(&server, "work");
    server.refresh();
    let forget = |state: &mut serde_json::Value| {
        for window in state["windows"].as_object_mut().unwrap().values_mut() {
            window["need"] = serde_json::Value::Null;
        }
    };
    server.edit_state(forget);
    next(&server, &["--client", &seat.name]);
    seat.arrives("work:one.0");
    server.run("select-window -t work:calm");
    fs::remove_file(server.state_file()).unwrap();
    next(&server, &["--client", &seat.name]);
    seat.arrives("work:one.0");
    // Where a driver lives, the file is all that is read.
    server.run("select-window -t work:calm");
    server.run_shell("sleep 0.3");
    pretend_a_driver(&server);
    server.edit_state(forget);
    next(&server, &["--client", &seat.name]);
    assert_eq!(seat.at(), "work:calm.0");
}

#[test]
fn a_name_that_is_a_command_is_only_a_name() {
    let server = calm();
    server.source_plugin();
    let hostile = tmux_data("$(touch pwned)';touch pwned;#(touch pwned)");
    server.tmux(&["new-session", "-d", "-s", "x$(touch x)", "-n", "calm"]);
    asking(&server, "x$(touch x)", "one");
    server.tmux(&["rename-window", "-t", "x$(touch x):one", "--", &hostile]);
    server.refresh();
    let seat = Seat::take(&server, "work");
    seat.terminal.press(&["C-b", "N"]);
    wait_for("the window", || seat.at().contains("touch pwned"));
    assert!(!server.room().join("pwned").exists());
}
