//! What `show`, `doctor` and `explain` say in every state of server and files, and how they leave a terminal alone.

mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use support::{runs, shell_word, wait_for, words, Server, HELPER};

#[test]
fn before_the_first_refresh_readers_say_what_to_type() {
    let server = Server::setup().prepare();
    for args in [["show"].as_slice(), &["show", "--json"]] {
        let out = server.helper(args);
        let (stdout, stderr) = words(&out);
        assert_eq!((out.status.code(), stdout.as_str()), (Some(1), ""));
        assert!(stderr.starts_with("tmux-status: no status to show from "), "{stderr}");
        assert!(stderr.contains("\nhint: tmux-status refresh makes one"), "{stderr}");
    }
    let out = server.helper(&["doctor"]);
    let told = words(&out).0;
    assert_eq!(out.status.code(), Some(1));
    for part in [
        "note no tmux server at ",
        "is missing or no status file\n       -> tmux-status refresh",
    ] {
        assert!(told.contains(part), "{part:?} is not in {told}");
    }
}

#[test]
fn show_tells_an_ended_server_from_none_and_from_a_living_one() {
    let server = Server::quiet();
    server.refresh();
    let show = || {
        let out = server.helper(&["show"]);
        assert!(out.status.success() && out.stderr.is_empty(), "{out:?}");
        words(&out).0
    };
    let file = server.status_file();
    let table = show();
    assert!(
        table.contains("work:0 quiet") && table.contains("\n1 window, "),
        "{table}"
    );
    assert!(table.ends_with(&format!(" old\n{}\n", file.display())), "{table}");
    assert!(!table.contains("has ended"), "{table}");
    let pid = server.pid();
    server.run("kill-server");
    wait_for("the end of the server", || !runs(pid));
    assert!(
        show().contains("This tmux server has ended; tmux-status refresh"),
        "{}",
        show()
    );
    server.refresh();
    let table = show();
    assert!(
        table.starts_with("no tmux server; ") && !table.contains("has ended"),
        "{table}"
    );
    let json = server.helper(&["show", "--json"]);
    assert_eq!(json.stdout, fs::read(&file).unwrap());
    let out = server.helper(&["doctor"]);
    let told = words(&out).0;
    assert_eq!(out.status.code(), Some(0), "{told}");
    assert!(
        told.contains("note no tmux server at ") && told.contains("holds 0 sessions, "),
        "{told}"
    );
}

#[test]
fn no_command_starts_a_server() {
    let server = Server::quiet();
    let pid = server.pid();
    server.run("kill-server");
    wait_for("the end of the server", || !runs(pid));
    // Its configuration would be read, with whatever that starts.
    let trace = server.room().join("started");
    fs::write(
        server.config_file(),
        format!("run-shell \"touch {}\"\nset -g exit-empty off\n", trace.display()),
    )
    .unwrap();
    for args in [
        ["refresh"].as_slice(),
        &["show"],
        &["doctor"],
        &["explain"],
        &["explain", "-t", "work:0"],
    ] {
        server.helper(args);
        assert!(!server.try_tmux(&["list-sessions"]).status.success(), "{args:?}");
        assert!(!trace.exists(), "{args:?}");
    }
    for script in ["tmux-status.tmux", "scripts/uninstall"] {
        let out = server.command(server.plugin().join(script)).output().unwrap();
        assert!(!server.try_tmux(&["list-sessions"]).status.success(), "{out:?}");
        assert!(!trace.exists(), "{script}: {out:?}");
    }
}

#[test]
fn doctor_names_a_damaged_status_file_and_show_survives_a_damaged_state() {
    let server = Server::quiet();
    server.refresh();
    fs::write(server.status_file(), "{").unwrap();
    fs::write(server.state_file(), "{").unwrap();
    let told = words(&server.helper(&["doctor"])).0;
    assert!(
        told.contains("BAD  ") && told.contains("is missing or no status file"),
        "{told}"
    );
    let out = server.helper(&["show"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(words(&out).1.contains("hint: tmux-status refresh"), "{out:?}");
}

#[test]
fn a_reader_who_leaves_or_a_closed_or_full_output_is_no_panic() {
    let server = Server::quiet();
    for _ in 0..20 {
        server.run("new-window -d -t work:");
    }
    server.refresh();
    let helper = shell_word(Path::new(HELPER));
    for command in [
        "show",
        "show --json",
        "doctor",
        "explain -t work:0",
        "completions bash",
        "--help",
        "refresh --print",
    ] {
        for (end, codes) in [
            // sh tells the code of the last of a pipe, so the helper's is written where it can be seen.
            ("| true", 0..=0),
            (">&-", 0..=1),
            (">/dev/full", 1..=1),
            ("2>&- >&-", 0..=1),
        ] {
            let script = format!("{{ sleep 0.05; {helper} {command}; echo $? >code; }} {end}");
            let script = if end == "| true" {
                script
            } else {
                format!("{helper} {command} {end}; echo $? >code")
            };
            let out = server.command("sh").args(["-c", &script]).output().unwrap();
            let code = fs::read_to_string(server.room().join("code")).unwrap();
            let stderr = words(&out).1;
            let code: i32 = code.trim().parse().unwrap();
            let codes = match command {
                // The plugin is not loaded, which doctor calls bad.
                "doctor" => 1..=1,
                // clap prints this, and minds nothing.
                "--help" => 0..=1,
                _ => codes,
            };
            assert!(codes.contains(&code), "{command} {end}: {code}: {stderr}");
            assert!(!stderr.contains("panicked"), "{command} {end}: {stderr}");
        }
    }
}

#[test]
fn a_live_table_ends_when_its_reader_has_left() {
    let server = Server::quiet();
    server.refresh();
    let mut command = server.command(HELPER);
    let mut show = command
        .args(["show", "--watch"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(show.stdout.take().unwrap());
    lines.read_line(&mut String::new()).unwrap();
    drop(lines);
    let mut names = 0..;
    wait_for("the live table to end", || {
        server.run(&format!("rename-window -t work:0 name-{}", names.next().unwrap()));
        server.refresh();
        show.try_wait().unwrap().is_some()
    });
    assert!(show.wait().unwrap().success());
}

#[test]
fn a_live_table_follows_the_file() {
    let server = Server::quiet();
    server.refresh();
    let terminal = server.terminal(&format!("exec {} show --watch", shell_word(Path::new(HELPER))));
    terminal.wait_for("work:0 quiet");
    server.run("rename-window -t work:0 renamed");
    server.refresh();
    terminal.wait_for("work:0 renamed");
    assert!(!terminal.screen().contains("work:0 quiet"));
}

#[test]
fn colours_are_for_terminals_without_no_color() {
    let server = Server::quiet();
    server.refresh();
    let show = format!("{} show; exec cat", shell_word(Path::new(HELPER)));
    let terminal = server.terminal(&show);
    terminal.wait_for("1 window, ");
    assert!(terminal.screen_with_colours().contains("\x1b["));
    let terminal = server.terminal(&format!("export NO_COLOR=1; {show}"));
    terminal.wait_for("1 window, ");
    assert!(!terminal.screen_with_colours().contains('\x1b'));
    for args in [
        ["show"].as_slice(),
        &["doctor"],
        &["explain", "-t", "work:0"],
        &["--help"],
    ] {
        assert!(!server.helper(args).stdout.contains(&0x1b), "{args:?}");
    }
}

#[test]
fn escape_sequences_in_names_titles_texts_and_folders_never_reach_the_terminal() {
    // As BEL-ended and C1 sequences, too; a window's name may hold them, tmux or not.
    let evil = "\u{1b}]0;owned\u{7}\u{9b}31mred\u{202e}\u{200b}\r\n\u{7f}x";
    let server = Server::quiet();
    server.tmux(&["new-window", "-d", "-t", "work:", "-n", evil]);
    server.tmux(&["new-session", "-d", "-s", evil]);
    let title = server.write_script(
        "title",
        "printf '\\033]2;a\\302\\233b\\342\\200\\256c\\007'; printf 'C\\302\\233D\\342\\200\\256'; exec cat",
    );
    server.tmux(&["new-window", "-d", "-t", "work:7", title.to_str().unwrap()]);
    wait_for("the text", || server.run("capture-pane -p -t work:7").contains('C'));
    let state = server.room().join("st\u{1b}[31mate\u{9b}");
    let helper = |args: &[&str]| {
        server
            .command(HELPER)
            .args(args)
            .env("XDG_STATE_HOME", &state)
            .output()
            .unwrap()
    };
    assert!(helper(&["refresh", "--full"]).status.success());
    server.tmux(&["set-option", "-g", "@tmux-status-file", "x\u{1b}]0;owned\u{7}y"]);
    let nowhere = "/nowhere/\u{1b}[31m\u{9b}";
    for args in [
        ["show"].as_slice(),
        &["doctor"],
        &["explain", "-t", "work:7"],
        &["explain", "-t", "work:1"],
        &["explain", "-t", evil],
        &["explain", "--json", "-t", "work:7"],
        &["-S", nowhere, "refresh"],
        &["-S", nowhere, "doctor"],
        &["-S", nowhere, "show"],
        &["explain", "--sample", nowhere],
    ] {
        let out = helper(args);
        let (stdout, stderr) = words(&out);
        assert!(
            !stdout.is_empty() || !stderr.is_empty() || args.contains(&"refresh"),
            "{args:?}"
        );
        for text in [stdout, stderr] {
            let bad = text
                .chars()
                .find(|c| c.is_control() && *c != '\n' || "\u{202e}\u{200b}".contains(*c));
            assert_eq!(bad, None, "{args:?}: {text:?}");
        }
    }
}

#[test]
fn readers_started_with_another_state_folder_find_the_file_that_the_server_published() {
    let server = Server::quiet();
    server.source_plugin();
    wait_for("the published path", || {
        !server.run("show-options -gqv @tmux-status-state-path").is_empty()
    });
    let elsewhere = server.room().join("elsewhere");
    let helper = |args: &[&str]| {
        server
            .command(HELPER)
            .args(args)
            .env("XDG_STATE_HOME", &elsewhere)
            .output()
            .unwrap()
    };
    let json = helper(&["show", "--json"]);
    assert_eq!(json.stdout, fs::read(server.status_file()).unwrap());
    let table = words(&helper(&["show"])).0;
    assert!(
        table.ends_with(&format!("{}\n", server.status_file().display())),
        "{table}"
    );
    let told = words(&helper(&["doctor"])).0;
    assert!(
        told.contains("the server's hooks write ") && told.contains("this shell would write "),
        "{told}"
    );
    assert!(!elsewhere.join("thegrid/tmux-status.json").exists());
}
