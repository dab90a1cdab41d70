//! Documents that lie about: finding, listing, searching and editing them.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use std::fs;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::{words, Server, HELPER};

/// A home with nothing in it, and no tmux server.
fn room() -> Server {
    Server::setup().prepare()
}

fn home(server: &Server) -> PathBuf {
    server.room().join("home")
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// `workspace` with these words, run in `directory`, where the workspace directories are those of the home alone.
fn command(server: &Server, directory: &Path, args: &[&str]) -> Command {
    let mut command = server.command(HELPER);
    command.arg("workspace").args(args).current_dir(directory);
    for name in [
        "XDG_CONFIG_HOME",
        "TMUXP_CONFIGDIR",
        "EDITOR",
        "NO_COLOR",
        "FORCE_COLOR",
    ] {
        command.env_remove(name);
    }
    command
}

fn run(server: &Server, directory: &Path, args: &[&str]) -> Output {
    command(server, directory, args).output().unwrap()
}

#[track_caller]
fn json(out: &Output) -> Value {
    let (text, errors) = words(out);
    assert!(out.status.success(), "{errors}");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The paths that a listing has, below the room.
fn paths(server: &Server, listing: &Value) -> Vec<String> {
    let list = listing.get("workspaces").unwrap_or(listing).as_array().unwrap();
    let below = |path: &str| {
        Path::new(path)
            .strip_prefix(server.room())
            .unwrap()
            .display()
            .to_string()
    };
    list.iter()
        .map(|entry| below(entry["path"].as_str().unwrap()))
        .collect()
}

const ONE: &str = "session_name: one\nwindows:\n- window_name: editor\n  panes: [vim, git log]\n- panes: [top]\n";

#[test]
fn nearer_projects_come_first_one_a_directory_and_then_those_for_all() {
    let server = room();
    let home = home(&server);
    let deep = home.join("code/app/src");
    fs::create_dir_all(&deep).unwrap();
    put(&home.join("code/app/.tmuxp.yaml"), ONE);
    put(&home.join("code/app/.tmuxp.json"), "{}");
    put(&home.join("code/.tmuxp.json"), "{}");
    put(&home.join(".tmuxp.yml"), ONE);
    // Above the home nothing is looked for.
    put(&server.room().join(".tmuxp.yaml"), ONE);
    put(&home.join(".config/tmuxp/b.yaml"), ONE);
    put(&home.join(".config/tmuxp/a.json"), "{}");
    put(&home.join(".config/tmuxp/notes.txt"), "no");
    put(&home.join(".tmuxp/unused.yaml"), ONE);
    let listing = json(&run(&server, &deep, &["ls", "--json"]));
    assert_eq!(
        paths(&server, &listing),
        [
            "home/code/app/.tmuxp.yaml",
            "home/code/.tmuxp.json",
            "home/.tmuxp.yml",
            "home/.config/tmuxp/a.json",
            "home/.config/tmuxp/b.yaml"
        ]
    );
    let sources: Vec<_> = listing["workspaces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["source"])
        .collect();
    assert_eq!(sources, ["local", "local", "local", "global", "global"]);
    let out = run(&server, server.room(), &["ls", "--json"]);
    assert!(
        paths(&server, &json(&out)).contains(&".tmuxp.yaml".to_owned()),
        "outside of the home, up to the root"
    );
}

#[test]
fn the_first_directory_that_exists_counts_even_an_empty_one() {
    let server = room();
    let home = home(&server);
    put(&home.join(".tmuxp/old.yaml"), ONE);
    let listed = |set: &[(&str, &Path)]| {
        let out = command(&server, server.room(), &["ls", "--json"])
            .envs(set.iter().copied())
            .output()
            .unwrap();
        json(&out)
    };
    assert_eq!(paths(&server, &listed(&[])), ["home/.tmuxp/old.yaml"]);
    let missing = home.join("missing");
    assert_eq!(
        paths(&server, &listed(&[("TMUXP_CONFIGDIR", &missing)])),
        ["home/.tmuxp/old.yaml"]
    );
    let empty = home.join("empty");
    fs::create_dir(&empty).unwrap();
    let listing = listed(&[("TMUXP_CONFIGDIR", &empty)]);
    assert!(paths(&server, &listing).is_empty());
    let folders = listing["global_workspace_dirs"].as_array().unwrap();
    let told: Vec<_> = folders
        .iter()
        .map(|folder| {
            (
                folder["source"].as_str().unwrap(),
                &folder["exists"],
                &folder["active"],
                &folder["workspace_count"],
            )
        })
        .collect();
    let (yes, no, none, one) = (Value::from(true), Value::from(false), Value::from(0), Value::from(1));
    assert_eq!(
        told,
        [
            ("$TMUXP_CONFIGDIR", &yes, &yes, &none),
            ("$XDG_CONFIG_HOME/tmuxp", &no, &no, &none),
            ("~/.tmuxp", &yes, &no, &one)
        ]
    );
    put(&home.join("config/tmuxp/new.yaml"), ONE);
    let listing = listed(&[("XDG_CONFIG_HOME", &home.join("config"))]);
    assert_eq!(paths(&server, &listing), ["home/config/tmuxp/new.yaml"]);
    let twice = listed(&[("TMUXP_CONFIGDIR", &home.join(".tmuxp"))]);
    assert_eq!(
        twice["global_workspace_dirs"].as_array().unwrap().len(),
        2,
        "named twice, listed once"
    );
}

#[test]
fn what_does_not_count_is_told_to_people() {
    let server = room();
    let home = home(&server);
    put(&home.join(".tmuxp/legacy.yaml"), ONE);
    put(&home.join(".config/tmuxp/new.yaml"), ONE);
    let (text, _) = words(&run(&server, server.room(), &["ls"]));
    assert!(text.contains("~/.config/tmuxp/new.yaml"), "{text}");
    assert!(
        text.ends_with("~/.tmuxp: 1 workspace, not used while ~/.config/tmuxp is there\n"),
        "{text}"
    );
    let (_, errors) = words(&run(&server, server.room(), &["load", "-d", "legacy"]));
    assert!(errors.contains("for that one, write ~/.tmuxp/legacy.yaml"), "{errors}");
    let homeless = command(&server, Path::new("/"), &["ls"])
        .env_remove("HOME")
        .output()
        .unwrap();
    assert!(words(&homeless).0.contains("HOME is not set"), "{homeless:?}");
}

#[test]
fn what_is_reached_twice_is_listed_once() {
    let server = room();
    let folder = home(&server).join(".config/tmuxp");
    put(&folder.join(".tmuxp.yaml"), ONE);
    put(&folder.join("real.yaml"), ONE);
    symlink("real.yaml", folder.join("same.yaml")).unwrap();
    let listing = json(&run(&server, &folder, &["ls", "--json"]));
    assert_eq!(
        paths(&server, &listing),
        ["home/.config/tmuxp/.tmuxp.yaml", "home/.config/tmuxp/real.yaml"]
    );
}

#[test]
fn a_broken_file_is_listed_with_what_is_wrong() {
    let server = room();
    let folder = home(&server).join(".tmuxp");
    put(&folder.join("a.yaml"), "session_name: [\n");
    put(&folder.join("b.yaml"), ONE);
    let listing = json(&run(&server, server.room(), &["ls", "--json", "--full"]));
    let [broken, whole] = listing["workspaces"].as_array().unwrap().as_slice() else {
        panic!("{listing}")
    };
    assert!(broken["error"].as_str().unwrap().contains("a.yaml:"), "{broken}");
    assert_eq!((&broken["session_name"], broken.get("config")), (&Value::Null, None));
    assert_eq!(whole["session_name"], "one");
    assert_eq!(whole["config"]["windows"][0]["panes"][1], "git log");
    assert_eq!(
        (&whole["format"], whole["size"].as_u64().unwrap()),
        (&Value::from("yaml"), ONE.len() as u64)
    );
    assert!(whole["mtime"].as_f64().unwrap() > 0.0);
    let (text, _) = words(&run(&server, server.room(), &["ls"]));
    assert!(text.contains("a.yaml:") && text.contains("~/.tmuxp/b.yaml"), "{text}");
}

#[test]
fn people_see_names_directories_and_windows() {
    let server = room();
    let folder = home(&server).join(".tmuxp");
    let (text, _) = words(&run(&server, server.room(), &["ls"]));
    assert!(text.contains("no workspaces"), "{text}");
    put(&folder.join("work.yaml"), ONE);
    put(&folder.join("od\u{1b}[31md.yaml"), ONE);
    let (text, _) = words(&run(&server, server.room(), &["ls", "--tree", "--full"]));
    assert!(!text.contains('\u{1b}'), "{text}");
    assert!(text.contains("~/.tmuxp\n  od [31md  one\n"), "{text}");
    assert!(text.contains("  work"), "{text}");
    assert!(text.contains("    editor: 2 panes\n    (unnamed): 1 pane\n"), "{text}");
    let (text, _) = words(&run(&server, server.room(), &["ls", "--color", "always"]));
    assert!(text.contains("\u{1b}[36mwork\u{1b}[0m"), "{text}");
}

#[test]
fn a_record_a_line_for_programs_that_read_lines() {
    let server = room();
    put(&home(&server).join(".tmuxp/a.yaml"), ONE);
    put(&home(&server).join(".tmuxp/b.yaml"), ONE);
    let (text, _) = words(&run(&server, server.room(), &["--ndjson", "ls", "--json"]));
    let names: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["name"].clone())
        .collect();
    assert_eq!(names, ["a", "b"]);
    let (text, _) = words(&run(&server, server.room(), &["search", "--ndjson", "vim"]));
    assert_eq!(text.lines().count(), 2, "{text}");
}

/// Names of what a search finds in three documents.
#[track_caller]
fn found(server: &Server, args: &[&str]) -> Vec<String> {
    let out = run(server, server.room(), &[&["search", "--json"], args].concat());
    let list = json(&out);
    list.as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["name"].as_str().unwrap().to_owned())
        .collect()
}

fn library() -> Server {
    let server = room();
    let folder = home(&server).join(".tmuxp");
    put(&folder.join("api.yaml"), "session_name: Backend\nwindows:\n- window_name: editor\n  panes: [vim, {shell_command: [{cmd: 'make a.b'}]}]\n");
    put(
        &folder.join("site.yaml"),
        "session_name: web\nwindows:\n- window_name: server\n  panes: [[npm start, npm test]]\n",
    );
    put(&folder.join("torn.yaml"), "session_name: [\n");
    server
}

#[test]
fn a_search_looks_where_it_is_told() {
    let server = library();
    assert_eq!(found(&server, &["vim"]), ["api"]);
    assert_eq!(found(&server, &["npm test"]), ["site"]);
    assert_eq!(found(&server, &["^e"]), ["api"], "a window's name");
    assert_eq!(found(&server, &["--field", "session", "e"]), ["api", "site"]);
    assert_eq!(found(&server, &["-f", "s", "-f", "w", "vim"]), [""; 0]);
    assert_eq!(found(&server, &["window:server"]), ["site"]);
    assert_eq!(found(&server, &["w:server", "p:api"]), [""; 0]);
    assert_eq!(
        found(&server, &["name:torn"]),
        ["torn"],
        "a broken file still has a name"
    );
    assert_eq!(found(&server, &["nobody:x"]), [""; 0], "which is no field, but text");
}

#[test]
fn a_search_takes_its_terms_as_it_is_told() {
    let server = library();
    assert_eq!(found(&server, &["s:backend"]), [""; 0]);
    assert_eq!(found(&server, &["-i", "s:backend"]), ["api"]);
    assert_eq!(found(&server, &["-S", "s:backend"]), ["api"]);
    assert_eq!(found(&server, &["--smart-case", "s:bAckend"]), [""; 0]);
    assert_eq!(found(&server, &["make a.b"]), ["api"]);
    assert_eq!(found(&server, &["-F", "a.b"]), ["api"]);
    assert_eq!(found(&server, &["-F", "a.*b"]), [""; 0]);
    assert_eq!(found(&server, &["pane:star"]), ["site"]);
    assert_eq!(found(&server, &["-w", "pane:star"]), [""; 0]);
    assert_eq!(found(&server, &["-w", "pane:start"]), ["site"]);
    assert_eq!(found(&server, &["-v", "vim"]), ["site", "torn"]);
    assert_eq!(found(&server, &["vim", "npm"]), [""; 0]);
    assert_eq!(found(&server, &["--any", "vim", "npm"]), ["api", "site"]);
    assert_eq!(found(&server, &["-v", "--any", "vim", "npm"]), ["torn"]);
}

#[test]
fn a_search_tells_what_matched() {
    let server = library();
    let list = json(&run(&server, server.room(), &["search", "--json", "npm", "web"]));
    let [hit] = list.as_array().unwrap().as_slice() else {
        panic!("{list}")
    };
    assert_eq!(hit["matched_fields"], serde_json::json!(["session", "pane"]));
    assert_eq!(
        hit["matches"],
        serde_json::json!({ "session": ["web"], "pane": ["npm start", "npm test"] })
    );
    assert_eq!(
        (&hit["session_name"], &hit["source"]),
        (&Value::from("web"), &Value::from("global"))
    );
    let (text, _) = words(&run(&server, server.room(), &["search", "npm t", "--color=always"]));
    assert!(text.contains("  pane: \u{1b}[33mnpm t\u{1b}[0mest\n"), "{text}");
}

#[test]
fn nothing_found_is_an_empty_list_and_a_bad_pattern_is_a_mistake() {
    let server = library();
    let out = run(&server, server.room(), &["search", "--json", "nowhere"]);
    assert_eq!((out.status.code(), json(&out)), (Some(0), serde_json::json!([])));
    let out = run(&server, server.room(), &["search", "nowhere"]);
    let (text, errors) = words(&out);
    assert_eq!((out.status.code(), text), (Some(0), String::new()));
    assert!(errors.contains("no workspace"), "{errors}");
    for bad in ["(", "s:", ""] {
        let out = run(&server, server.room(), &["search", "--json", bad]);
        let record: Value = serde_json::from_str(&words(&out).1).unwrap();
        assert_eq!(
            (out.status.code(), &record["code"]),
            (Some(2), &Value::from("usage")),
            "{bad}"
        );
    }
}

/// An editor that writes its arguments into a file, and ends with a status.
fn editor(server: &Server, status: u8) -> PathBuf {
    let path = server.room().join("my editor");
    let script = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > '{}/args'\nexit {status}\n",
        server.room().display()
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn an_editor_is_run_without_a_shell_and_its_status_is_ours() {
    let server = room();
    let file = home(&server).join(".tmuxp/work.yaml");
    put(&file, ONE);
    let editor = editor(&server, 7);
    let said = format!("'{}' --wait \"two words\" '$HOME;x'", editor.display());
    let out = command(&server, server.room(), &["edit", "work"])
        .env("EDITOR", said)
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(7), "{}", words(&out).1);
    let args = fs::read_to_string(server.room().join("args")).unwrap();
    assert_eq!(args, format!("--wait\ntwo words\n$HOME;x\n{}\n", file.display()));
    let out = command(&server, server.room(), &["edit", "--json", "work"])
        .env("EDITOR", "sh -c 'echo said; exit 3' x")
        .output()
        .unwrap();
    let record: Value = serde_json::from_str(&words(&out).0).unwrap();
    assert_eq!(out.status.code(), Some(3));
    assert_eq!(
        (&record["child_status"], &record["stdout"]),
        (&Value::from(3), &Value::from("said\n"))
    );
}

#[test]
fn what_cannot_be_edited_is_told() {
    let server = room();
    put(&home(&server).join(".tmuxp/work.yaml"), ONE);
    for (file, editor, code, exit) in [
        ("nosuch", "true", "workspace_not_found", 1),
        ("./nosuch.yaml", "true", "workspace_not_found", 1),
        ("work", "'open", "usage", 2),
        ("work", "''", "usage", 2),
        ("work", "/no/such/editor", "file_failed", 1),
    ] {
        let out = command(&server, server.room(), &["edit", "--json", file])
            .env("EDITOR", editor)
            .output()
            .unwrap();
        let record: Value = serde_json::from_str(&words(&out).1).unwrap();
        assert_eq!(
            (record["code"].as_str().unwrap(), out.status.code()),
            (code, Some(exit)),
            "{file} {editor}"
        );
    }
}

#[test]
fn debug_info_hides_the_home() {
    let server = room();
    let out = run(&server, &home(&server), &["debug-info", "--json"]);
    let info = json(&out);
    assert_eq!((&info["cwd"], &info["home"]), (&Value::from("~"), &Value::from("~")));
    assert_eq!(info["tmux_available"], true);
    assert!(info["tmux_version"]
        .as_str()
        .unwrap()
        .starts_with(|c: char| c.is_ascii_alphanumeric()));
    for key in ["architecture", "platform", "shell", "workspace_version"] {
        assert!(info.get(key).is_some(), "{key}");
    }
    assert_eq!(info["workspace_dirs"][1]["path"], "~/.tmuxp");
    let (text, _) = words(&out);
    assert!(!text.contains(home(&server).to_str().unwrap()), "{text}");
    let (text, _) = words(&run(&server, &home(&server), &["debug-info"]));
    assert!(
        text.contains("directory   ~\n") && text.contains("~/.tmuxp (~/.tmuxp): missing"),
        "{text}"
    );
}

#[test]
fn where_the_directory_is_gone_names_still_count() {
    let server = room();
    put(
        &home(&server).join(".config/tmuxp/minimal.yaml"),
        "session_name: m\nwindows: [{}]\n",
    );
    let gone = server.room().join("gone");
    let helper = |words: &str| {
        fs::create_dir(&gone).unwrap();
        let script = format!("rmdir ../gone && exec '{HELPER}' workspace {words}");
        let mut shell = server.command("sh");
        shell.args(["-c", &script]).current_dir(&gone);
        shell.env_remove("XDG_CONFIG_HOME").env_remove("TMUXP_CONFIGDIR");
        shell.output().unwrap()
    };
    let out = helper("ls");
    let (said, told) = words(&out);
    assert!(out.status.success() && said.contains("minimal.yaml"), "{out:?}");
    assert!(
        told.contains("warning: the directory that this is run in is gone"),
        "{told}"
    );
    let out = helper("load --dry-run minimal");
    let home = home(&server);
    let expected = format!("m in {}\n", home.display());
    assert!(out.status.success() && words(&out).0.starts_with(&expected), "{out:?}");
    let out = helper("load -d minimal");
    assert!(out.status.success(), "{out:?}");
    let path = server.tmux(&["display-message", "-p", "-t", "m:", "#{session_path}"]);
    assert_eq!(path.trim_end(), home.to_str().unwrap());
    let out = helper("load -d ./x.yaml");
    assert!(words(&out).1.contains("there is no such file"), "{out:?}");
}

#[test]
fn who_pipes_a_workspace_is_told_to_write_it_first() {
    let server = room();
    for (input, told) in [
        ("-", "a workspace is not read from standard input"),
        ("/dev/null", "it is not a regular file"),
    ] {
        let out = run(&server, &home(&server), &["load", "-d", input]);
        let expected = format!("{told}; nothing was changed\nhint: write ");
        assert!(words(&out).1.contains(&expected), "{out:?}");
    }
}
