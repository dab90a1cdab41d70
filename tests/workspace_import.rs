//! Files of other programs as documents.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::{json, Value};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use support::{repository, words, Server, HELPER};
use tmux_status::workspace::document::{self, Source};
use tmux_status::workspace::env::Env;
use tmux_status::workspace::import::{self, Program};
use tmux_status::workspace::refusal::{Code, Refusal};

fn room() -> Server {
    Server::setup().prepare()
}

fn run(server: &Server, args: &[&str]) -> Output {
    let mut command = server.command(HELPER);
    command.args(["workspace", "import"]).args(args);
    for name in ["XDG_CONFIG_HOME", "TMUXP_CONFIGDIR", "TMUXINATOR_CONFIG"] {
        command.env_remove(name);
    }
    command.output().unwrap()
}

fn env() -> Env {
    Env::new([("HOME", "/home/me")], "/here")
}

/// Translates a text; the document and the warnings.
fn translate(program: Program, text: &str, lossy: bool) -> Result<(Value, Vec<String>), Refusal> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.file.yml");
    fs::write(&path, text).unwrap();
    let imported = import::import(program, &path, &env(), lossy)?;
    loads(&imported.document, &path);
    Ok((imported.document.to_json(), imported.warnings))
}

/// Every document that comes out is one that can be loaded.
#[track_caller]
fn loads(document: &tmux_status::workspace::yaml::Node, path: &Path) {
    let env = env();
    let source = Source {
        path,
        env: &env,
        session_name: None,
        lenient: false,
    };
    document::session(document, &source).unwrap();
}

#[track_caller]
fn refused(program: Program, text: &str, key: &str) {
    let refusal = translate(program, text, false).unwrap_err();
    assert_eq!(refusal.code, Code::UnsupportedKey, "{refusal}");
    assert!(refusal.message.contains(key), "{refusal}");
    let (_, warnings) = translate(program, text, true).unwrap();
    assert!(warnings.iter().any(|warning| warning.contains(key)), "{warnings:?}");
}

fn fixture(name: &str) -> PathBuf {
    repository().join("tests/workspace/tmuxp").join(name)
}

#[test]
fn tmuxinator_windows_in_all_their_forms() {
    let (document, warnings) = translate(
        Program::Tmuxinator,
        r#"
name: shop
root: code
pre_window: [nvm use, 'export A=1']
startup_window: logs
windows:
- editor:
    root: sub
    layout: main-vertical
    pre: [cd x, null, make]
    panes: [vim, null, [a, b]]
- server: rails s
- several: [git pull, git merge]
- empty:
- logs: tail -f log
- sync: {synchronize: after, panes: [a, b]}
"#,
        false,
    )
    .unwrap();
    assert_eq!(warnings, [""; 0]);
    let several = |commands: &[&str]| json!({ "shell_command": commands });
    assert_eq!(
        document,
        json!({
            "session_name": "shop", "start_directory": "/here/code", "shell_command_before": "nvm use; export A=1",
            "windows": [
                { "window_name": "editor", "start_directory": "/here/code/sub", "layout": "main-vertical",
                  "shell_command_before": "cd x && make", "panes": ["vim", null, several(&["a", "b"])] },
                { "window_name": "server", "panes": ["rails s"] },
                { "window_name": "several", "panes": [several(&["git pull", "git merge"])] },
                { "window_name": "empty", "panes": [null] },
                { "window_name": "logs", "focus": true, "panes": ["tail -f log"] },
                { "window_name": "sync", "options_after": { "synchronize-panes": "on" }, "panes": ["a", "b"] }
            ]
        })
    );
}

#[test]
fn old_names_of_tmuxinator_and_what_runs_before_everything() {
    let text = "project_name: a.b\nproject_root: ~/x\nrbenv: 2.0\npre: [echo 'it', make]\ntabs: [one: ls]\n";
    let (document, warnings) = translate(Program::Tmuxinator, text, false).unwrap();
    assert_eq!(document["session_name"], "a_b");
    assert_eq!(document["start_directory"], "/home/me/x");
    assert_eq!(document["shell_command_before"], "rbenv shell 2.0");
    let words = shell_words::split(document["before_script"].as_str().unwrap()).unwrap();
    assert_eq!(words, ["sh", "-c", "echo 'it'; make"]);
    assert!(warnings.iter().any(|warning| warning.contains("a_b")), "{warnings:?}");
    assert!(
        warnings.iter().any(|warning| warning.contains("before_script")),
        "{warnings:?}"
    );
}

#[test]
fn what_tmuxinator_says_and_we_cannot_is_refused_by_name() {
    for (line, key) in [
        ("socket_name: foo", "socket_name"),
        ("cli_args: -f x", "cli_args"),
        ("tmux_options: -2", "tmux_options"),
        ("on_project_start: make", "on_project_start"),
        ("post: make", "post"),
        ("startup_window: 2", "startup_window"),
        ("attach: false", "attach"),
        ("enable_pane_titles: true", "enable_pane_titles"),
    ] {
        refused(Program::Tmuxinator, &format!("{line}\nwindows: [a: ls]\n"), key);
    }
    refused(Program::Tmuxinator, "windows: [a: {panes: [left: ls]}]", "left");
    refused(
        Program::Tmuxinator,
        "windows: [a: {synchronize: before, panes: [x]}]",
        "synchronize",
    );
    refused(Program::Tmuxinator, "windows: [a: {zoom: 1, panes: [x]}]", "zoom");
    let (document, _) = translate(Program::Tmuxinator, "windows: [a: {panes: [left: [x, y]]}]", true).unwrap();
    assert_eq!(
        document["windows"][0]["panes"][0],
        json!({ "shell_command": ["x", "y"] })
    );
    for wrong in [
        "{}",
        "windows: {a: b}",
        "windows: [{a: 1, b: 2}]",
        "windows: [null]",
        "- a",
        "windows: [a: {panes: [{x: 1, y: 2}]}]",
    ] {
        assert_eq!(
            translate(Program::Tmuxinator, wrong, true).unwrap_err().code,
            Code::InvalidWorkspace,
            "{wrong}"
        );
    }
}

#[test]
fn teamocil_panes_get_one_line_each() {
    let (document, warnings) = translate(
        Program::Teamocil,
        r#"
session:
  name: team
  root: ~/w
  windows:
  - name: one
    root: ./sub
    layout: tiled
    focus: true
    options: {main-pane-width: 80, synchronize-panes: false}
    panes:
    - commands: [cd x, ls]
    - cmd: top
      focus: true
    - plain
    - {}
    - cmd: pane
  - name: two
    clear: false
    cmd_separator: ' && '
    splits: [{cmd: [a, b]}]
"#,
        false,
    )
    .unwrap();
    assert_eq!(warnings, [""; 0]);
    assert_eq!(
        document,
        json!({
            "session_name": "team", "start_directory": "/home/me/w",
            "windows": [
                { "window_name": "one", "start_directory": "/home/me/w/sub", "layout": "tiled", "focus": true,
                  "options": { "main-pane-width": "80", "synchronize-panes": "false" },
                  "panes": ["cd x; ls", { "shell_command": "top", "focus": true }, "plain", null,
                            { "shell_command": { "cmd": "pane" } }] },
                { "window_name": "two", "panes": ["a && b"] }
            ]
        })
    );
}

#[test]
fn what_teamocil_says_and_we_cannot_is_refused_by_name() {
    let window = |line: &str| format!("windows:\n- name: a\n  {line}\n  panes: [x]\n");
    refused(Program::Teamocil, &window("clear: true"), "clear");
    refused(Program::Teamocil, &window("with_env_var: true"), "with_env_var");
    refused(
        Program::Teamocil,
        &window("options: {synchronize-panes: on}"),
        "synchronize-panes",
    );
    refused(
        Program::Teamocil,
        "windows: [{name: a, panes: [{cmd: x, width: 50}]}]",
        "width",
    );
    refused(
        Program::Teamocil,
        "windows: [{name: a, panes: [{cmd: x, target: bottom-right}]}]",
        "target",
    );
    refused(Program::Teamocil, "pre: x\nwindows: [{name: a}]", "pre");
    refused(Program::Teamocil, "session: {windows: [{name: a}]}\nmore: 1", "more");
    let filters = window("filters: {before: [b, c], after: d}");
    refused(Program::Teamocil, &filters, "filters");
    let (document, _) = translate(Program::Teamocil, &filters, true).unwrap();
    assert_eq!(document["windows"][0]["panes"][0], "b; c; x; d");
}

#[test]
fn ruby_is_never_run_and_never_lost() {
    for program in [Program::Teamocil, Program::Tmuxinator] {
        let text = "# <%= fine %>\nname: <%= `touch /tmp/x` %>\nwindows: [a: ls]\n";
        let refusal = translate(program, text, true).unwrap_err();
        assert_eq!(refusal.code, Code::InvalidWorkspace);
        assert!(refusal.message.contains(":2:7:"), "{refusal}");
    }
    assert!(translate(Program::Tmuxinator, "# <% 1 %>\nwindows: [a: ls]\n", false).is_ok());
}

#[test]
fn tmuxps_own_files_are_imported() {
    let take = |program, name: &str, lossy| import::import(program, &fixture(name), &env(), lossy);
    for name in ["test1", "test2"] {
        let imported = take(Program::Teamocil, &format!("import_teamocil/{name}.yaml"), false).unwrap();
        loads(&imported.document, Path::new("/here/x.yaml"));
    }
    assert!(take(Program::Teamocil, "import_teamocil/test3.yaml", false).is_err());
    loads(
        &take(Program::Teamocil, "import_teamocil/test3.yaml", true)
            .unwrap()
            .document,
        Path::new("/here/x.yaml"),
    );
    assert!(
        take(Program::Teamocil, "import_teamocil/test4.yaml", true).is_err(),
        "a template"
    );
    loads(
        &take(Program::Tmuxinator, "import_tmuxinator/test1.yaml", false)
            .unwrap()
            .document,
        Path::new("/here/x.yaml"),
    );
    for name in ["test2", "test3"] {
        let name = format!("import_tmuxinator/{name}.yaml");
        assert_eq!(
            take(Program::Tmuxinator, &name, false).unwrap_err().code,
            Code::UnsupportedKey
        );
        let imported = take(Program::Tmuxinator, &name, true).unwrap();
        loads(&imported.document, Path::new("/here/x.yaml"));
        assert_eq!(
            (imported.name.as_str(), imported.warnings.len()),
            ("sample", 3),
            "{:?}",
            imported.warnings
        );
        assert_eq!(
            imported
                .document
                .get("windows")
                .unwrap()
                .to_json()
                .as_array()
                .unwrap()
                .len(),
            9
        );
    }
}

#[test]
fn the_layouts_of_tmuxps_teamocil_file_are_imported_one_by_one() {
    let text = fs::read(fixture("import_teamocil/layouts.yaml")).unwrap();
    let yaml = tmux_status::workspace::yaml::Format::Yaml;
    let layouts = tmux_status::workspace::yaml::read(&text, yaml, "layouts")
        .unwrap()
        .to_json();
    let layouts = layouts.as_object().unwrap();
    assert_eq!(layouts.len(), 4);
    for (name, layout) in layouts {
        let (document, _) = translate(Program::Teamocil, &layout.to_string(), true).unwrap();
        assert!(!document["windows"].as_array().unwrap().is_empty(), "{name}");
    }
}

#[test]
fn a_name_is_looked_for_where_the_program_keeps_its_files() {
    let server = room();
    let home = server.room().join("home");
    for (folder, name) in [
        (".teamocil", "team.yml"),
        (".tmuxinator", "mux.yml"),
        ("other", "mux.yaml"),
    ] {
        fs::create_dir_all(home.join(folder)).unwrap();
        let text = if folder == ".teamocil" {
            "windows: [{name: a}]"
        } else {
            "windows: [a: ls]"
        };
        fs::write(
            home.join(folder).join(name),
            format!("name: {folder}\n{text}\n").replace("name: .", "name: "),
        )
        .unwrap();
    }
    let name = |out: &Output| serde_json::from_str::<Value>(&words(out).0).unwrap()["session_name"].clone();
    assert_eq!(name(&run(&server, &["teamocil", "--json", "team"])), "teamocil");
    assert_eq!(name(&run(&server, &["tmuxinator", "--json", "mux"])), "tmuxinator");
    let mut command = server.command(HELPER);
    command
        .args(["workspace", "import", "tmuxinator", "--json", "mux"])
        .env("TMUXINATOR_CONFIG", "~/other");
    assert_eq!(name(&command.output().unwrap()), "other");
    let out = run(&server, &["teamocil", "--json", "mux"]);
    let record: Value = serde_json::from_str(&words(&out).1).unwrap();
    assert_eq!(
        (out.status.code(), &record["code"]),
        (Some(1), &json!("workspace_not_found"))
    );
}

#[test]
fn a_person_gets_a_file_that_is_found_by_its_name() {
    let server = room();
    let source = server.room().join("mux.yml");
    fs::write(&source, "name: my/site\nwindows: [a: ls]\n").unwrap();
    let source = source.to_str().unwrap();
    let out = run(&server, &["tmuxinator", source]);
    assert_eq!(out.status.code(), Some(2), "nobody can be asked");
    let out = run(&server, &["tmuxinator", "-y", source]);
    assert!(out.status.success(), "{}", words(&out).1);
    let saved = server.room().join("home/.config/tmuxp/my%2Fsite.yaml");
    assert!(fs::read_to_string(&saved)
        .unwrap()
        .starts_with("session_name: my/site\n"));
    let out = run(&server, &["tmuxinator", "-y", source]);
    assert!(
        !out.status.success() && words(&out).1.contains("is there already"),
        "{}",
        words(&out).1
    );
    let json_file = server.room().join("out.json");
    let out = run(
        &server,
        &["tmuxinator", "--json", source, "-o", json_file.to_str().unwrap()],
    );
    let record: Value = serde_json::from_str(&words(&out).0).unwrap();
    assert_eq!(
        (&record["command"], &record["format"]),
        (&json!("import"), &json!("json"))
    );
    assert!(serde_json::from_str::<Value>(&fs::read_to_string(json_file).unwrap()).is_ok());
}

#[test]
fn a_name_becomes_the_name_of_a_file() {
    let server = room();
    let source = server.room().join("mux.yml");
    for (name, file) in [("-x", "_-x.yaml"), ("a\tb", "a%09b.yaml"), (".x/y", "_x%2Fy.yaml")] {
        fs::write(&source, json!({"name": name, "windows": [{"a": "ls"}]}).to_string()).unwrap();
        let out = run(&server, &["tmuxinator", "-y", source.to_str().unwrap()]);
        assert!(out.status.success(), "{}", words(&out).1);
        let saved = server.room().join("home/.config/tmuxp").join(file);
        assert!(saved.is_file(), "{file}: {out:?}");
    }
}

#[test]
fn commands_that_are_called_as_blank_panes_are_stay_commands() {
    let commands = |program, text: &str| {
        let (document, _) = translate(program, text, false).unwrap();
        document["windows"][0].clone()
    };
    for word in ["pane", "blank", "null"] {
        let window = commands(Program::Tmuxinator, &format!("name: x\nwindows: [a: '{word}']"));
        assert_eq!(window["panes"], json!([{"shell_command": {"cmd": word}}]));
        let text = format!("name: x\nwindows: [a: {{pre: '{word}', panes: [['{word}']]}}]");
        let window = commands(Program::Tmuxinator, &text);
        assert_eq!(window["shell_command_before"], json!({"cmd": word}));
        assert_eq!(window["panes"], json!([{"shell_command": {"cmd": word}}]));
        let text = format!("windows: [{{name: a, panes: [{{cmd: '{word}', focus: true}}]}}]");
        let window = commands(Program::Teamocil, &text);
        assert_eq!(
            window["panes"],
            json!([{"shell_command": {"cmd": word}, "focus": true}])
        );
    }
}

#[test]
fn names_are_not_expanded_where_they_were_not() {
    let own = |text: &str| {
        let (document, warnings) = translate(Program::Tmuxinator, text, false).unwrap();
        (document["x-tmux-status"].clone(), warnings)
    };
    for text in [
        "name: $USER\nwindows: [a: ls]",
        "name: x\nwindows: ['~': ls]",
        "name: x\nroot: /srv/$HOME\nwindows: [a: ls]",
    ] {
        assert_eq!(own(text), (json!({"literal": true}), Vec::new()), "{text}");
    }
    assert_eq!(own("name: x\nroot: ~/src\nwindows: [a: echo $HOME]").0, Value::Null);
    let (key, warnings) = own("name: x\nroot: $WORK\nwindows: ['$a': ls]");
    assert!(
        key.is_null() && warnings.len() == 1 && warnings[0].contains("$a"),
        "{warnings:?}"
    );
    let text = "windows: [{name: a, options: {'@dir': ~/x}, panes: [ls]}]";
    let (document, _) = translate(Program::Teamocil, text, false).unwrap();
    assert_eq!(document["x-tmux-status"], json!({"literal": true}));
}

#[test]
fn what_was_lost_is_told_beside_the_document() {
    let server = room();
    let source = server.room().join("mux.yml");
    fs::write(&source, "socket_name: x\nwindows: [a: ls]\n").unwrap();
    let source = source.to_str().unwrap();
    let out = run(&server, &["tmuxinator", "--json", "--lossy", source]);
    let (text, told) = words(&out);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["session_name"], "mux");
    let record: Value = serde_json::from_str(&told).unwrap();
    assert!(record["message"].as_str().unwrap().contains("socket_name"), "{told}");
    let out = run(
        &server,
        &["tmuxinator", "--json", "--lossy", "--log-level", "error", source],
    );
    assert_eq!(words(&out).1, "");
}

#[test]
fn all_that_has_no_counterpart_is_named_at_once() {
    let text = "name: x\nsocket_name: y\non_project_stop: z\nwindows:\n- a: {odd: 1, panes: [ls]}\n- b: {odd: 2}\n";
    let refusal = translate(Program::Tmuxinator, text, false).unwrap_err();
    let expected = "my.file.yml:2:1: socket_name has no counterpart here; nor have on_project_stop, a window's odd";
    assert!(refusal.message.ends_with(expected), "{refusal}");
    assert!(refusal.hint.unwrap().starts_with("take them out"));
    let refusal = translate(
        Program::Teamocil,
        "odd: 1\nwindows: [{name: a, old: 1, panes: [ls]}]",
        false,
    )
    .unwrap_err();
    assert!(
        refusal
            .message
            .ends_with("odd has no counterpart here; nor have a window's old"),
        "{refusal}"
    );
}
