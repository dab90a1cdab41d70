//! `workspace convert`: where the result goes, who is asked, and which files are read at all.

mod support;

use serde_json::{json, Value};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;
use support::{words, Server, HELPER};

const DOCUMENT: &str =
    "# a comment\nsession_name: s\nx-mine: {a: 0x1f}\nunknown: [yes, ~, 1.50]\nwindows:\n  - focus: on\n    \
                        environment: {focus: on}\n    panes: [vim, {enter: no, shell_command: yes}]\n";

fn meant() -> Value {
    json!({
        "session_name": "s",
        "x-mine": {"a": "0x1f"},
        "unknown": ["yes", null, 1.5],
        "windows": [{
            "focus": true,
            "environment": {"focus": "on"},
            "panes": ["vim", {"enter": false, "shell_command": "yes"}],
        }],
    })
}

fn room() -> Server {
    let server = Server::setup().prepare();
    fs::write(server.room().join("w.yaml"), DOCUMENT).unwrap();
    server
}

fn convert(server: &Server, args: &[&str]) -> Output {
    server.helper(&[&["workspace", "convert"], args].concat())
}

fn read(server: &Server, name: &str) -> String {
    fs::read_to_string(server.room().join(name)).unwrap()
}

/// Has it fail so, and returns what it said.
#[track_caller]
fn fails(out: &Output, code: i32) -> String {
    let (stdout, stderr) = words(out);
    assert_eq!((out.status.code(), stdout.as_str()), (Some(code), ""), "{stderr}");
    stderr
}

#[test]
fn yaml_becomes_json_beside_it_and_back_with_all_keys() {
    let server = room();
    let out = convert(&server, &["-y", "w.yaml"]);
    assert!(out.status.success(), "{out:?}");
    assert!(
        words(&out).0.starts_with("saved to ") && words(&out).0.ends_with("/w.json\n"),
        "{out:?}"
    );
    assert_eq!(
        serde_json::from_str::<Value>(&read(&server, "w.json")).unwrap(),
        meant()
    );
    assert_eq!(read(&server, "w.yaml"), DOCUMENT);
    fs::remove_file(server.room().join("w.yaml")).unwrap();
    assert!(convert(&server, &["-y", "w.json"]).status.success());
    let expected = "session_name: s\nx-mine:\n  a: '0x1f'\nunknown:\n  - 'yes'\n  - null\n  - 1.50\nwindows:\n  - focus: true\n    \
                    environment:\n      focus: 'on'\n    panes:\n      - vim\n      - enter: false\n        shell_command: 'yes'\n";
    assert_eq!(read(&server, "w.yaml"), expected);
    let left = fs::read_dir(server.room())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    assert!(left
        .into_iter()
        .all(|name| !name.to_string_lossy().contains(".tmux-status-")));
}

#[test]
fn a_file_that_is_there_is_replaced_only_by_force() {
    let server = room();
    fs::write(server.room().join("w.json"), "mine").unwrap();
    for args in [
        ["-y", "w.yaml"].as_slice(),
        &["-y", "--save-to", "w.json", "w.yaml"],
        &["w.yaml"],
    ] {
        let told = fails(&convert(&server, args), 1);
        assert!(
            told.contains("w.json is there already") && told.contains("hint: --force"),
            "{told}"
        );
    }
    assert_eq!(read(&server, "w.json"), "mine");
    assert!(convert(&server, &["-y", "--force", "w.yaml"]).status.success());
    assert_eq!(
        serde_json::from_str::<Value>(&read(&server, "w.json")).unwrap(),
        meant()
    );
}

#[test]
fn behind_a_link_the_file_is_replaced_and_the_link_stays() {
    let server = room();
    let (real, link) = (server.room().join("real.json"), server.room().join("w.json"));
    fs::write(&real, "old").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    fails(&convert(&server, &["-y", "w.yaml"]), 1);
    assert!(convert(&server, &["-y", "--force", "w.yaml"]).status.success());
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(
        serde_json::from_str::<Value>(&read(&server, "real.json")).unwrap(),
        meant()
    );
}

#[test]
fn where_nobody_can_be_asked_nothing_is_written() {
    let server = room();
    let told = fails(&convert(&server, &["w.yaml"]), 2);
    assert!(
        told.contains("there is nobody to ask: Save to ") && told.contains("-y"),
        "{told}"
    );
    assert!(!server.room().join("w.json").exists());
}

#[test]
fn a_person_is_asked_and_only_a_yes_is_one() {
    let server = room();
    for (answer, says, written) in [("n", "nothing was written", false), ("y", "saved to ", true)] {
        let terminal = server.terminal(&format!("{HELPER} workspace convert w.yaml; cat"));
        terminal.wait_for("[y/N]");
        terminal.press(&[answer, "Enter"]);
        terminal.wait_for(says);
        assert_eq!(server.room().join("w.json").exists(), written);
        terminal.close();
    }
}

#[test]
fn programs_get_the_bare_document_or_a_word_of_where_it_is() {
    let server = room();
    let out = convert(&server, &["--json", "w.yaml"]);
    assert_eq!(serde_json::from_slice::<Value>(&out.stdout).unwrap(), meant());
    let out = convert(&server, &["--ndjson", "w.yaml"]);
    assert_eq!(words(&out).0.lines().count(), 1);
    assert_eq!(serde_json::from_slice::<Value>(&out.stdout).unwrap(), meant());
    assert!(!server.room().join("w.json").exists());
    let out = convert(&server, &["--json", "--save-to", "deep/er/o.yml", "w.yaml"]);
    let (said, record) = (out.stdout.clone(), fails(&out, 1));
    let record: Value = serde_json::from_str(&record).unwrap();
    let deep = server.room().join("deep");
    assert!(said.is_empty() && !deep.exists(), "no folder is made in passing");
    assert_eq!(
        record["hint"],
        format!("make it first: mkdir -p {}", deep.join("er").display())
    );
    fs::create_dir_all(deep.join("er")).unwrap();
    let out = convert(&server, &["--json", "--save-to", "deep/er/o.yml", "w.yaml"]);
    let file = deep.join("er/o.yml");
    let expected = json!({
        "schema_version": 1, "command": "convert", "status": "ok", "destination": file.to_str(), "format": "yaml", "warnings": [],
    });
    assert_eq!(serde_json::from_slice::<Value>(&out.stdout).unwrap(), expected);
    assert!(fs::read_to_string(file).unwrap().starts_with("session_name: s\n"));
    let told = fails(&convert(&server, &["--json", "--save-to", "w.yaml", "w.yaml"]), 1);
    let record: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(
        (&record["code"], &record["schema_version"]),
        (&json!("destination_exists"), &json!(1))
    );
}

#[test]
fn documents_are_found_by_path_directory_and_name() {
    let server = room();
    let room = server.room();
    fs::create_dir_all(room.join("project")).unwrap();
    fs::create_dir_all(room.join("config/tmuxp")).unwrap();
    fs::create_dir_all(room.join("home/.tmuxp")).unwrap();
    let name = |name: &str| format!("session_name: {name}\n");
    fs::write(room.join("project/.tmuxp.yml"), name("project")).unwrap();
    fs::write(room.join("config/tmuxp/a.b.yaml"), name("named")).unwrap();
    fs::write(room.join("home/.tmuxp/old.yaml"), name("old")).unwrap();
    let found = |input: &str| {
        let out = convert(&server, &["--json", input]);
        serde_json::from_slice::<Value>(&out.stdout).map_err(|_| words(&out).1)
    };
    for (input, expected) in [
        ("project/", "project"),
        ("./project", "project"),
        ("a.b", "named"),
        ("~/.tmuxp/old.yaml", "old"),
    ] {
        assert_eq!(found(input).unwrap(), json!({"session_name": expected}), "{input}");
    }
    let told = found("project").unwrap_err();
    assert!(
        told.contains("workspace_not_found") && told.contains("write ./project/"),
        "{told}"
    );
    let told = found("w").unwrap_err();
    assert!(
        told.contains("workspace_not_found") && told.contains("write ./w.yaml"),
        "{told}"
    );
    let told = found("old").unwrap_err();
    assert!(
        told.contains("there is no workspace “old” in ") && told.contains("config/tmuxp"),
        "{told}"
    );
    let told = found(".").unwrap_err();
    assert!(
        told.contains("has none of .tmuxp.yaml, .tmuxp.yml, .tmuxp.json"),
        "{told}"
    );
    let told = found("missing.yaml").unwrap_err();
    assert!(
        told.contains("workspace_not_found") && told.contains("missing.yaml: there is no such file"),
        "{told}"
    );
}

#[test]
fn what_is_no_file_of_a_sane_size_is_refused_and_never_waited_for() {
    let server = room();
    let room = server.room();
    fs::create_dir(room.join("folder.yaml")).unwrap();
    let made = server.command("mkfifo").arg("pipe.yaml").status().unwrap();
    assert!(made.success());
    fs::write(room.join("large.yaml"), "- a line of many\n".repeat(10_000_000 / 17)).unwrap();
    fs::write(room.join("bad.json"), "{\"a\": 1,}").unwrap();
    std::os::unix::fs::symlink("loop.yaml", room.join("loop.yaml")).unwrap();
    for (input, expected) in [
        ("folder.yaml", "has none of .tmuxp.yaml"),
        ("pipe.yaml", "it is not a regular file"),
        ("/dev/zero", "it is not a regular file"),
        ("large.yaml", "it is larger than 1048576 bytes"),
        ("bad.json", "bad.json:1:9: key must be a string"),
        ("loop.yaml", "cannot read "),
        ("w.yaml/x", "cannot read "),
        ("/dev/null", "\nhint: write what it holds to a file first"),
    ] {
        let told = fails(&convert(&server, &["-y", input]), 1);
        assert!(told.contains(expected), "{input}: {told}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_loses_nothing() {
    let server = room();
    let told = fails(&convert(&server, &["--save-to", "w.yaml/x.json", "w.yaml"]), 1);
    assert!(
        told.contains("cannot write ") && told.contains("nothing was changed"),
        "{told}"
    );
    fs::create_dir(server.room().join("o.json")).unwrap();
    for args in [
        &["--save-to", "o.json", "w.yaml"][..],
        &["--force", "-o", ".", "w.yaml"],
    ] {
        let told = fails(&convert(&server, args), 1);
        assert!(
            told.contains("it is a directory") && !told.contains("hint: --force"),
            "{told}"
        );
    }
    assert!(server.room().join("o.json").is_dir());
    let file = server.room().join("kept.json");
    fs::write(&file, "mine").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let told = fails(&convert(&server, &["--force", "--save-to", "kept.json", "w.yaml"]), 1);
    assert!(told.contains("it is read-only"), "{told}");
    assert_eq!(read(&server, "kept.json"), "mine");
}
