//! What `agents install` and `uninstall` do to settings as people have them, in homes of their own.

#[path = "support/homes.rs"]
mod homes;
#[path = "support/mod.rs"]
mod support;

use homes::{agents, beside, commands, done, failed, file_of, home, write, EDITED, NEW};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::path::Path;
use std::process::Command;
use support::{skip, words, Stamp};

/// Settings as people have them.
fn settings() -> Vec<(&'static str, String)> {
    let theirs = r#"{
    "hooks": {
        "Stop": [
            {
                "hooks": [
                    { "type": "command", "command": "afplay done.wav", "timeout": 3 }
                ]
            }
        ],
        "PreToolUse": [
            {
                "matcher": "Bash",
                "hooks": [ { "type": "command", "command": "guard \"$X\"" } ]
            }
        ]
    },
    "model": "large"
}
"#;
    let text = |text: &str| text.to_owned();
    vec![
        ("plain", text("{\n  \"model\": \"large\"\n}\n")),
        ("without a final newline", text("{\n  \"model\": \"large\"\n}")),
        ("empty", String::new()),
        ("an empty object", text("{}")),
        ("blank", text("\n\n")),
        ("tabs", text("{\n\t\"a\": {\n\t\t\"b\": [1, 2]\n\t}\n}\n")),
        ("wide indentation", text("{\n        \"a\": true\n}\n")),
        ("CRLF", text("{\r\n  \"a\": 1,\r\n  \"b\": {\r\n    \"c\": null\r\n  }\r\n}\r\n")),
        ("comments", text("// mine\n{\n  /* a */ \"a\": 1, // why\n  // \"b\": 2\n  \"c\": 3 // last\n}\n// end\n")),
        ("trailing commas", text("{\n  \"a\": [\n    1,\n    2,\n  ],\n}\n")),
        ("BOM", text("\u{feff}{\n  \"a\": 1\n}\n")),
        ("one line", text(r#"{"b":{"z":1,"a":[2]},"a":1.50e3}"#)),
        ("blank lines", text("{\n\n  \"a\": 1,\n\n\n  \"b\": 2\n\n}\n\n\n")),
        ("odd order and escapes", text("{\n  \"z\": \"\\u00e9 \\/ é 日本\",\n  \"a\": 1,\n  \"z2\": 0.10\n}\n")),
        ("hooks of others", text(theirs)),
        ("hooks on one line", text("{\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\":\"command\",\"command\":\"x\"}]}]},\n  \"a\": 1\n}\n")),
        ("empty hooks", text("{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n")),
    ]
}

#[test]
fn installed_and_uninstalled_settings_are_what_they_were_to_the_byte() {
    let server = home(NEW);
    for (name, text) in settings() {
        for agent in EDITED {
            write(&file_of(&server, agent), &text);
        }
        done(&server, &["install"]);
        let status = done(&server, &["status"]);
        for agent in EDITED {
            let path = file_of(&server, agent);
            let line = format!("{agent:<9} installed      {}", path.display());
            assert!(status.lines().any(|told| told == line), "{name}: {status}");
            assert_ne!(fs::read_to_string(&path).unwrap(), text, "{name}");
        }
        let stamps = || {
            EDITED
                .iter()
                .map(|agent| Stamp::of(&file_of(&server, agent)))
                .collect::<Vec<_>>()
        };
        let once = stamps();
        let again = done(&server, &["install"]);
        assert!(
            stamps() == once && again.matches("there already").count() == EDITED.len(),
            "{name}: {again}"
        );
        done(&server, &["uninstall"]);
        for agent in EDITED {
            let path = file_of(&server, agent);
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "{agent}: {name}");
            assert_eq!(
                beside(&path),
                [path.file_name().unwrap().to_str().unwrap()],
                "{agent}: {name}"
            );
        }
    }
}

#[test]
fn settings_of_five_megabytes_are_edited_as_others() {
    let server = home(NEW);
    let path = file_of(&server, "claude");
    let mut huge = String::from("{\n  \"list\": [\n");
    while huge.len() < 5_000_000 {
        huge += "    \"Bash(cargo test -p some-crate --features \\\"a b\\\" -- --nocapture:*)\",\n";
    }
    huge += "    \"end\"\n  ]\n}\n";
    write(&path, &huge);
    done(&server, &["install"]);
    let value: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert!(value["list"].as_array().unwrap().len() > 10_000 && value["hooks"]["Stop"].is_array());
    done(&server, &["uninstall"]);
    assert!(fs::read_to_string(&path).unwrap() == huge);
}

#[test]
fn hooks_and_settings_of_others_are_as_they_were() {
    let server = home(NEW);
    let path = file_of(&server, "claude");
    for (name, text) in settings() {
        let Ok(before) = serde_json::from_str::<Value>(&text) else {
            continue;
        };
        write(&path, &text);
        done(&server, &["install", "claude"]);
        let mut after: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let ours = |hook: &Value| hook["command"].as_str().unwrap().contains(" report --hook claude ");
        for (event, groups) in after["hooks"].as_object_mut().unwrap() {
            let groups = groups.as_array_mut().unwrap();
            let count = groups.len();
            groups.retain(|group| !group["hooks"].as_array().unwrap().iter().any(ours));
            assert!(groups.len() + 1 == count, "{name}: one of ours for {event}");
        }
        let hooks = after["hooks"].as_object_mut().unwrap();
        hooks.retain(|event, groups| !groups.as_array().unwrap().is_empty() || before["hooks"][event].is_array());
        if hooks.is_empty() && before.get("hooks").is_none() {
            after.as_object_mut().unwrap().remove("hooks");
        }
        assert_eq!(after, before, "{name}");
        // The order of keys is part of the text, not of the values.
        let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&after), keys(&before), "{name}");
    }
}

#[test]
fn what_changes_between_stays_and_only_our_hooks_go() {
    let server = home(NEW);
    let path = file_of(&server, "claude");
    let text = "{\n  \"model\": \"large\" // mine\n}\n";
    write(&path, text);
    done(&server, &["install"]);
    let changed = fs::read_to_string(&path)
        .unwrap()
        .replacen("\"large\",", "\"small\",\n  \"new\": [1, 2],", 1);
    write(&path, &changed);
    done(&server, &["uninstall"]);
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "{\n  \"model\": \"small\",\n  \"new\": [1, 2] // mine\n}\n"
    );
    // It is the only copy of what was there before.
    assert_eq!(
        fs::read_to_string(path.with_extension("json.tmux-status-backup")).unwrap(),
        text
    );
}

#[test]
fn a_dry_run_shows_a_diff_and_changes_nothing() {
    let server = home(NEW);
    let path = file_of(&server, "claude");
    write(
        &path,
        "{\n  \"model\": \"lar\u{1b}ge\"\n}\n".replace('\u{1b}', "\\u001b") + "// \u{1b}[31m\n",
    );
    fs::create_dir_all(server.room().join("config/opencode")).unwrap();
    let before = Stamp::of(&path);
    let told = done(&server, &["install", "--dry-run"]);
    assert!(
        told.starts_with(&format!("--- {0}\n+++ {0}\n@@ ", path.display())),
        "{told}"
    );
    assert!(
        told.contains("\n+  \"hooks\": {\n") && told.contains("\n+export const TmuxStatus"),
        "{told}"
    );
    assert!(!told.contains('\u{1b}'), "{told:?}");
    assert!(Stamp::of(&path) == before && beside(&path) == ["settings.json"]);
    assert!(!file_of(&server, "opencode").exists());
    done(&server, &["install"]);
    let before = Stamp::of(&path);
    let told = done(&server, &["uninstall", "--dry-run"]);
    assert!(
        told.contains("\n-  \"hooks\": {\n") && told.contains("\n-export const TmuxStatus"),
        "{told}"
    );
    assert!(Stamp::of(&path) == before && file_of(&server, "opencode").exists());
}

#[test]
fn a_link_into_a_folder_of_dotfiles_stays_one_and_rights_are_kept() {
    let server = home(NEW);
    let path = file_of(&server, "claude");
    let real = server.room().join("dotfiles/claude.json");
    write(&real, "{}\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    symlink("../../dotfiles/claude.json", &path).unwrap();
    done(&server, &["install"]);
    assert!(fs::symlink_metadata(&path).unwrap().is_symlink());
    assert_eq!(commands(&real).len(), 12);
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(
        beside(&real),
        ["claude.json"],
        "the backup is where the settings are named"
    );
    done(&server, &["uninstall"]);
    assert!(fs::symlink_metadata(&path).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "{}\n");
}

/// Makes something in the place of settings.
type Make<'a> = &'a dyn Fn(&Path);

#[test]
fn one_agents_broken_settings_are_told_and_the_others_go_on() {
    let bad: &[(&str, Make)] = &[
        ("is no valid JSON", &|path| write(path, "{\n  \"a\": 1,\n  \"b\"\n}\n")),
        ("holds no object", &|path| write(path, "[1, 2]\n")),
        ("has hooks that are no object", &|path| {
            write(path, "{\"hooks\": \"none\"}")
        }),
        ("has hooks.Stop that is no list", &|path| {
            write(path, "{\"hooks\": {\"Stop\": 1}}")
        }),
        ("is not UTF-8", &|path| write(path, b"{\"a\": \"\xff\"}")),
        ("it is a folder", &|path| fs::create_dir_all(path).unwrap()),
        ("it is a link to nowhere/x.json, which is not there", &|path| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            symlink("nowhere/x.json", path).unwrap();
        }),
        ("it is no file", &|path| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        }),
        ("it is read-only", &|path| {
            write(path, "{}\n");
            fs::set_permissions(path, fs::Permissions::from_mode(0o444)).unwrap();
        }),
        ("it has 40 MB", &|path| {
            write(path, "");
            fs::File::options()
                .write(true)
                .open(path)
                .unwrap()
                .set_len(40_000_000)
                .unwrap();
        }),
    ];
    for (why, make) in bad {
        let server = home(NEW);
        let (path, other) = (file_of(&server, "claude"), file_of(&server, "qwen"));
        make(&path);
        write(&other, "{}\n");
        let before = path.is_file().then(|| Stamp::of(&path));
        let error = failed(&server, &["install"]);
        assert!(
            error.starts_with("tmux-status: claude: cannot ") && error.contains(why),
            "{why}: {error}"
        );
        assert!(
            error.contains(&path.display().to_string()) && error.contains("\nhint: "),
            "{error}"
        );
        assert_eq!(path.is_file().then(|| Stamp::of(&path)), before, "{why}");
        assert_eq!(beside(&path), ["settings.json"], "{why}: nothing is left behind");
        assert_eq!(commands(&other).len(), 9, "{why}: the other agent");
        if *why != "it is read-only" {
            let out = agents(&server, &["status"]);
            let told = words(&out).0;
            assert!(
                out.status.code() == Some(1) && told.contains("claude    broken ") && told.contains(why),
                "{told}"
            );
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written_leaves_the_settings_as_they_were() {
    if rustix::process::geteuid().is_root() {
        return skip("a_folder_that_cannot_be_written_…", "root may write everywhere");
    }
    let server = home(NEW);
    let path = file_of(&server, "claude");
    write(&path, "{}\n");
    let rights = |mode| fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(mode)).unwrap();
    rights(0o555);
    let error = failed(&server, &["install"]);
    rights(0o755);
    assert!(error.contains("cannot write"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "{}\n");
}
