//! `show` on real terminals: what a live table does to the terminal and to the server that it shows, and where `show`
//! finds its files.

mod support;

use std::fs;
use std::path::Path;
use support::{now, runs, shell_word, signal, wait_for, words, Server, Terminal, HELPER};

/// A terminal with a shell in which a live table has been started, after a line that must stay.
fn live<'a>(server: &'a Server, before: &str) -> Terminal<'a> {
    let script = server.write_script(
        "live",
        &format!(
            "{before}echo before\n{} show --watch\necho code $?\nexec cat",
            shell_word(Path::new(HELPER))
        ),
    );
    let terminal = server.terminal(&format!("exec {}", shell_word(&script)));
    terminal.wait_for("Ctrl-C ends");
    terminal
}

#[track_caller]
fn is_as_before(terminal: &Terminal<'_>, code: &str) {
    terminal.wait_for(code);
    let screen = terminal.screen();
    assert!(screen.starts_with("before\n") && !screen.contains("work:0"), "{screen}");
    assert_eq!(terminal.ask("#{alternate_on} #{cursor_flag} #{history_size}"), "0 1 0");
    // Echo is back: what is typed shows, and once more as cat returns it.
    terminal.press(&["t", "y", "p", "e", "d", "Enter"]);
    wait_for("the typing to show", || terminal.screen().matches("typed").count() == 2);
}

#[test]
fn a_live_table_gives_the_terminal_back_however_it_ends() {
    let server = Server::quiet();
    server.refresh();
    for (how, code) in [
        ("INT", "code 130"),
        ("TERM", "code 143"),
        ("HUP", "code 129"),
        ("QUIT", "code 131"),
    ] {
        let terminal = live(&server, "ulimit -c 0\ntrap : INT QUIT\n");
        assert_eq!(terminal.ask("#{alternate_on} #{cursor_flag}"), "1 0");
        // Typing must not scroll the table.
        terminal.press(&["x", "Enter"]);
        match how {
            "INT" => terminal.press(&["C-c"]),
            "QUIT" => terminal.press(&["C-\\"]),
            _ => server
                .processes_with("show --watch")
                .into_iter()
                .for_each(|pid| signal(pid, how)),
        }
        is_as_before(&terminal, code);
    }
}

#[test]
fn a_live_table_that_is_stopped_gives_the_terminal_back_until_it_goes_on() {
    let server = Server::quiet();
    server.refresh();
    let terminal = server.terminal("PS1='$ ' exec sh -i");
    terminal.wait_for("$");
    terminal.press(&[&format!("{} show --watch", HELPER), "Enter"]);
    terminal.wait_for("Ctrl-C ends");
    terminal.press(&["C-z"]);
    wait_for("the screen before", || {
        terminal.ask("#{alternate_on} #{cursor_flag}") == "0 1"
    });
    terminal.press(&["fg", "Enter"]);
    terminal.wait_for("Ctrl-C ends");
    assert_eq!(terminal.ask("#{alternate_on} #{cursor_flag}"), "1 0");
}

#[test]
fn a_live_table_ends_with_its_terminal() {
    let server = Server::quiet();
    server.refresh();
    let terminal = live(&server, "");
    let pids = server.processes_with("show --watch");
    assert_eq!(pids.len(), 1);
    terminal.close();
    wait_for("the live table to end", || !runs(pids[0]));
}

#[test]
fn a_live_table_in_the_server_that_it_shows_lets_its_own_window_rest() {
    let server = Server::quiet();
    let table = format!("exec {} show --watch", shell_word(Path::new(HELPER)));
    server.refresh();
    server.tmux(&["new-window", "-d", "-n", "live", "-t", "work:7", &table]);
    let screen = || server.run("capture-pane -p -t work:7");
    wait_for("the table with its own window", || {
        server.refresh();
        screen().contains("this table")
    });
    // tmux counts whole seconds.
    wait_for("the window to say nothing", || {
        server.refresh();
        let last: u64 = server
            .run("display-message -p -t work:7 #{window_activity}")
            .parse()
            .unwrap();
        now() >= last + 4
    });
    assert!(
        screen().contains("live") && screen().contains("running"),
        "{}",
        screen()
    );
    assert_eq!(server.run("display-message -p -t work:7 #{history_size}"), "0");
}

#[test]
fn a_live_table_shows_who_needs_its_reader_where_there_is_no_room_for_all() {
    let server = Server::setup()
        .config("set -g default-command 'exec sleep 1000'\n")
        .start();
    server.open_windows(40);
    let asks = "printf 'Continue? [y/N] '; read answer";
    server.tmux(&["new-window", "-d", "-n", "asks", "-t", "work:99", asks]);
    wait_for("the question", || {
        server.refresh();
        server.state()["windows"]
            .as_object()
            .unwrap()
            .values()
            .any(|window| window["name"] == "asks" && window["need"] == "question")
    });
    let terminal = live(&server, "");
    let screen = terminal.screen();
    let lines: Vec<_> = screen.lines().collect();
    assert!(screen.contains("? work:99 asks"), "{screen}");
    assert!(lines[0].trim_start().starts_with("WINDOW"), "{screen}");
    assert!(lines[28].starts_with("… ") && lines[28].contains(" more"), "{screen}");
    assert!(lines[29].starts_with("42 windows, "), "{screen}");
}

#[test]
fn lines_are_cut_to_the_terminal() {
    let server = Server::quiet();
    server.tmux(&["rename-window", "-t", "work:0", &"a long name 漢字 ".repeat(8)]);
    server.refresh();
    let file = server.status_file();
    assert!(file.to_str().unwrap().len() > 30);
    for columns in [20, 40, 80] {
        let show = format!("stty cols {columns}; {} show; exec cat", shell_word(Path::new(HELPER)));
        let terminal = server.terminal(&show);
        terminal.wait_for("status.json");
        // Header, window, count, path.
        assert_eq!(terminal.screen().trim_end().lines().count(), 4, "{}", terminal.screen());
    }
}

#[test]
fn a_reader_asks_the_server_once() {
    let server = Server::quiet();
    server.refresh();
    let log = server.log_tmux_calls();
    for args in [["show"].as_slice(), &["show", "--json"]] {
        fs::write(&log, "").unwrap();
        assert!(server.helper(args).status.success());
        let calls = fs::read_to_string(&log).unwrap();
        assert_eq!(calls.lines().count(), 1, "{calls}");
    }
}

#[test]
fn a_place_of_the_users_own_is_found_when_the_server_has_ended() {
    let server = Server::quiet();
    let file = server.room().join("mine.json");
    server.tmux(&["set-option", "-g", "@tmux-status-file", file.to_str().unwrap()]);
    server.refresh();
    let pid = server.pid();
    server.run("kill-server");
    wait_for("the end of the server", || !runs(pid));
    for refreshed in [false, true] {
        if refreshed {
            server.refresh();
        }
        let json = server.helper(&["show", "--json"]);
        assert_eq!(json.stdout, fs::read(&file).unwrap(), "{json:?}");
        let table = words(&server.helper(&["show"])).0;
        assert!(table.ends_with(&format!("{}\n", file.display())), "{table}");
        let told = words(&server.helper(&["doctor"])).0;
        assert!(told.contains(file.to_str().unwrap()) && !told.contains("BAD"), "{told}");
    }
}

#[test]
fn a_missing_status_is_told_in_the_same_words_by_both() {
    let server = Server::setup().prepare();
    let told = |args: &[&str]| words(&server.helper(args)).1;
    let (table, json) = (told(&["show"]), told(&["show", "--json"]));
    assert_eq!(table, json);
    assert!(table.contains("No such file or directory"), "{table}");
    let named = told(&["-L", "other", "show"]);
    assert!(named.contains("hint: tmux-status -L other refresh "), "{named}");
}

#[test]
fn output_that_cannot_be_written_is_named() {
    let server = Server::quiet();
    server.refresh();
    let helper = shell_word(Path::new(HELPER));
    for command in ["show", "show --json", "show --watch", "doctor", "completions bash"] {
        let script = format!("{helper} {command} >/dev/full");
        let out = server.command("sh").args(["-c", &script]).output().unwrap();
        let told = words(&out).1;
        assert!(
            told.starts_with("tmux-status: cannot write to standard output: No space left"),
            "{command}: {told}"
        );
    }
}
