//! Documents that people have: tmuxp's examples, each in YAML and JSON, and pairs of documents that mean the same.
//!
//! `workspace/tmuxp/` is tmuxp's, under its licence.

use std::fs;
use std::path::{Path, PathBuf};
use tmux_status::workspace::document::{self, Source};
use tmux_status::workspace::env::Env;
use tmux_status::workspace::refusal::{Code, Refusal};
use tmux_status::workspace::spec::Session;
use tmux_status::workspace::yaml::{self, Format, Node, Value};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/workspace/tmuxp")
        .join(name)
}

fn env() -> Env {
    let variables = [
        ("HOME", "/home/me"),
        ("USER", "me"),
        ("MY_ENV_VAR", "foo"),
        ("PWD", "/loader"),
    ];
    Env::new(variables, "/run")
}

/// What a file means, as if it stood in `/docs`.
fn meant(path: &Path) -> Result<Session, Refusal> {
    means(&yaml::read_file(path)?)
}

fn means(document: &Node) -> Result<Session, Refusal> {
    let env = env();
    let source = Source {
        path: Path::new("/docs/w.yaml"),
        env: &env,
        session_name: None,
        lenient: false,
    };
    document::session(document, &source)
}

/// The examples that end so, by name.
fn examples(extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder("examples"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|ends| ends == extension))
        .collect();
    paths.sort();
    paths
}

fn stem(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}

#[test]
fn all_examples_are_taken_but_the_one_that_asks_for_python() {
    let (yaml, json) = (examples("yaml"), examples("json"));
    assert!(
        yaml.len() >= 20 && json.len() >= 15,
        "{} and {}",
        yaml.len(),
        json.len()
    );
    for path in yaml.iter().chain(&json) {
        match meant(path) {
            Ok(session) => assert!(!session.windows.is_empty()),
            Err(refusal) => {
                assert_eq!(
                    (refusal.code, stem(path)),
                    (Code::UnsupportedKey, "plugin-system"),
                    "{refusal}"
                );
            }
        }
    }
}

/// Their JSON has other names or commands than their YAML has; the test below makes twins of them.
const APART: [&str; 5] = [
    "focus-window-and-panes",
    "main-pane-height",
    "main-pane-height-percentage",
    "start-directory",
    "suppress-history",
];

#[test]
fn an_example_means_the_same_in_yaml_and_json() {
    let (mut alike, mut apart) = (0, 0);
    for path in examples("json") {
        let same = meant(&path).ok() == meant(&path.with_extension("yaml")).ok();
        assert_eq!(same, !APART.contains(&stem(&path)), "{}", stem(&path));
        *if same { &mut alike } else { &mut apart } += 1;
    }
    assert_eq!((apart, alike >= 10), (APART.len(), true));
}

#[test]
fn an_example_means_the_same_when_it_is_written_again() {
    for path in examples("yaml").iter().chain(&examples("json")) {
        let read = yaml::read_file(path).unwrap();
        for format in [Format::Yaml, Format::Json] {
            let written = yaml::write(&read, format);
            let again = yaml::read(written.as_bytes(), format, "again").unwrap();
            assert_eq!(means(&again).ok(), means(&read).ok(), "{written}");
        }
    }
}

#[test]
fn short_forms_mean_what_they_are_short_for() {
    let short = meant(&folder("fixtures/expand2-unexpanded.yaml")).unwrap();
    let long = fs::read_to_string(folder("fixtures/expand2-expanded.yaml")).unwrap();
    let long = yaml::read(long.replace("{HOME}", "/home/me").as_bytes(), Format::Yaml, "long").unwrap();
    assert_eq!(short, means(&long).unwrap());
    assert_eq!(short.windows.len(), 3);
}

/// Every `cmd` below a node, in order.
fn commands(node: &Node) -> Vec<String> {
    match &node.value {
        Value::List(items) => items.iter().flat_map(commands).collect(),
        Value::Map(entries) => {
            let of = |entry: &yaml::Entry| match entry.key.text.as_str() {
                "cmd" => vec![entry.value.scalar().unwrap().to_owned()],
                _ => commands(&entry.value),
            };
            entries.iter().flat_map(of).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn the_sessions_commands_go_before_those_of_all_panes() {
    let session = meant(&folder("fixtures/shell_command_before_session.yaml")).unwrap();
    let expected = yaml::read_file(&folder("fixtures/shell_command_before_session-expected.yaml")).unwrap();
    let panes = session.windows.iter().flat_map(|window| &window.panes);
    let typed: Vec<_> = panes
        .flat_map(|pane| pane.commands.iter().map(|command| command.text.clone()))
        .collect();
    assert_eq!(typed, commands(expected.get("windows").unwrap()));
    assert_eq!(typed.iter().filter(|text| *text == "echo \"hi\"").count(), 5);
}

/// tmuxp would type the values; here the pane's shell has them.
#[test]
fn variables_in_commands_stay_for_the_panes_shell() {
    let session = meant(&folder("examples/env-variables.yaml")).unwrap();
    assert_eq!(session.name, "session - me (foo)");
    assert_eq!(session.start_directory, PathBuf::from("/loader/test"));
    assert_eq!(session.before_script.unwrap().arguments, ["foo/test3.sh"]);
    assert_eq!(session.windows[1].name.as_deref(), Some("logging for me"));
    let typed: Vec<_> = session.windows[1].panes[0]
        .commands
        .iter()
        .map(|command| command.text.as_str())
        .collect();
    assert_eq!(typed, ["echo ${PWD}", "htop", "ls $PWD"]);
    assert_eq!(session.windows[1].panes[0].environment, [], "PWD is the pane's own");
}
