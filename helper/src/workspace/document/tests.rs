use super::*;
use crate::workspace::refusal::Code;
use crate::workspace::spec::{Command, Pane, Readiness, Window};
use crate::workspace::yaml::Format;
use proptest::prelude::*;
use std::path::PathBuf;
use std::time::Duration;

fn env() -> Env {
    let variables = [
        ("HOME", "/home/me"),
        ("USER", "me"),
        ("EVIL", "x; touch /tmp/evil $(touch /tmp/evil)"),
        ("PWD", "/loader"),
        ("TERM", "loader"),
        ("EMPTY", ""),
        ("DOTS", "a.b"),
    ];
    Env::new(variables, "/run")
}

fn taken(text: &str, session_name: Option<&str>, lenient: bool) -> Result<Session, Refusal> {
    let (path, env) = (PathBuf::from("/docs/w.yaml"), env());
    let tree = yaml::read(text.as_bytes(), Format::Yaml, "/docs/w.yaml")?;
    session(
        &tree,
        &Source {
            path: &path,
            env: &env,
            session_name,
            lenient,
        },
    )
}

fn meant(text: &str) -> Session {
    taken(text, None, false).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

fn refused(text: &str) -> Refusal {
    taken(text, None, false)
        .err()
        .unwrap_or_else(|| panic!("{text}: was taken"))
}

/// The one window of a session that says no more than that.
fn window(lines: &str) -> Window {
    let text = format!("session_name: s\nwindows:\n  - window_name: w\n{lines}");
    let mut windows = meant(&text).windows;
    assert_eq!(windows.len(), 1);
    windows.remove(0)
}

/// The one pane likewise, as a value in one line.
fn pane(value: &str) -> Pane {
    let mut panes = window(&format!("    panes: [{value}]\n")).panes;
    assert_eq!(panes.len(), 1);
    panes.remove(0)
}

fn texts(pane: &Pane) -> Vec<&str> {
    pane.commands.iter().map(|command| command.text.as_str()).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    pairs.iter().map(owned).collect()
}

#[test]
fn the_smallest_document_has_all_defaults() {
    let session = meant("session_name: s\nwindows:\n  - panes:\n    -\n");
    let pane = Pane {
        start_directory: "/run".into(),
        shell: None,
        environment: vec![],
        focus: false,
        commands: vec![],
    };
    let window = Window {
        name: None,
        index: None,
        layout: None,
        focus: false,
        options: vec![],
        options_after: vec![],
        panes: vec![pane],
    };
    let expected = Session {
        name: "s".into(),
        start_directory: "/run".into(),
        environment: vec![],
        options: vec![],
        global_options: vec![],
        before_script: None,
        readiness: Readiness::Auto,
        windows: vec![window],
        warnings: vec![],
    };
    assert_eq!(session, expected);
    assert_eq!(meant("session_name: s\nwindows: [{}]"), expected);
    assert_eq!(meant("session_name: s\nwindows: [{panes: []}]"), expected);
    assert_eq!(meant("session_name: s\nwindows: [{panes: }]"), expected);
}

#[test]
fn a_pane_without_commands_has_many_forms() {
    let blank = [
        "", "~", "null", "blank", "pane", "{}", "[]", "[null]", "[blank]", "[pane]",
    ];
    let within = [
        "{shell_command: }",
        "{shell_command: []}",
        "{shell_command: [~]}",
        "{shell_command: blank}",
        "{focus: no}",
    ];
    for value in blank.iter().skip(1).chain(&within) {
        assert_eq!(texts(&pane(value)), [""; 0], "{value}");
    }
    for value in ["''", "['']", "{shell_command: ''}", "{shell_command: [{cmd: ''}]}"] {
        let pane = pane(value);
        assert_eq!(texts(&pane), [""], "{value}");
        assert!(pane.commands[0].enter);
    }
}

#[test]
fn commands_have_many_forms_and_stay_as_written() {
    let cases: &[(&str, &[&str])] = &[
        ("vim", &["vim"]),
        ("[a, b]", &["a", "b"]),
        ("[a, null, b]", &["a", "b"]),
        ("[a, pane]", &["a", "pane"]),
        ("{shell_command: a}", &["a"]),
        ("{shell_command: [a, {cmd: b}]}", &["a", "b"]),
        ("{shell_command: {cmd: pane}}", &["pane"]),
        ("{shell_command: {shell_command: [a]}}", &["a"]),
        ("yes", &["yes"]),
        ("True", &["True"]),
        ("007", &["007"]),
        ("1e3", &["1e3"]),
        ("\"a\\nb\"", &["a\nb"]),
        ("' a '", &[" a "]),
        (
            "'~/x $USER ${USER} `id` $(id); $EVIL'",
            &["~/x $USER ${USER} `id` $(id); $EVIL"],
        ),
    ];
    for (value, expected) in cases {
        assert_eq!(texts(&pane(value)), *expected, "{value}");
    }
}

#[test]
fn before_commands_go_from_the_session_to_the_pane() {
    let session = meant(
        "session_name: s\nshell_command_before: [s1, s2]\nwindows:\n  - shell_command_before: w\n    panes:\n      - own\n      - \
         {shell_command_before: {shell_command: [p]}, shell_command: own}\n      - blank\n      - \n  - panes: [blank]\n",
    );
    let panes = &session.windows[0].panes;
    assert_eq!(texts(&panes[0]), ["s1", "s2", "w", "own"]);
    assert_eq!(texts(&panes[1]), ["s1", "s2", "w", "p", "own"]);
    assert_eq!(texts(&panes[2]), ["s1", "s2", "w"]);
    assert_eq!(texts(&panes[3]), ["s1", "s2", "w"]);
    assert_eq!(texts(&session.windows[1].panes[0]), ["s1", "s2"]);
}

#[test]
fn enter_and_delays_hold_until_a_later_command_says_otherwise() {
    let pane = pane(
        "{enter: off, sleep_before: 2, shell_command_before: [{cmd: a, sleep_after: .5}], shell_command: [b, {cmd: c, enter: on, \
         sleep_before: 0}, d, {cmd: e, sleep_after: 0, sleep_before: '1.5'}]}",
    );
    let ways = |command: &Command| {
        (
            command.enter,
            command.sleep_before.as_millis(),
            command.sleep_after.as_millis(),
        )
    };
    let all: Vec<_> = pane.commands.iter().map(ways).collect();
    let expected = [
        (false, 2000, 500),
        (false, 2000, 500),
        (true, 0, 500),
        (true, 0, 500),
        (true, 1500, 0),
    ];
    assert_eq!(all, expected);
    let other = &window("    panes: [{shell_command: {cmd: a, enter: no}}, b]\n").panes[1];
    assert!(other.commands[0].enter, "it goes on to the next pane");
    assert_eq!(other.commands[0].sleep_before, Duration::ZERO);
}

#[test]
fn history_is_suppressed_unless_somebody_nearer_says_no() {
    let of = |text: &str| meant(text).windows[0].panes[0].commands[0].suppress_history;
    for (session, window, pane, expected) in [
        ("", "", "", true),
        ("no", "", "", false),
        ("no", "yes", "", true),
        ("", "false", "", false),
        ("yes", "no", "1", true),
        ("1", "on", "0", false),
    ] {
        let line = |value: &str| {
            if value.is_empty() {
                String::new()
            } else {
                format!("suppress_history: {value}")
            }
        };
        let text = format!(
            "session_name: s\n{}\nwindows: [{{{}{} panes: [{{shell_command: a, {}}}]}}]",
            line(session),
            line(window),
            if window.is_empty() { "" } else { "," },
            line(pane)
        );
        assert_eq!(of(&text), expected, "{text}");
    }
}

#[test]
fn directories_go_from_the_nearest_that_says_something() {
    let cases = [
        // session, window, pane, where the pane starts
        ("", "", "", "/run"),
        ("/a", "", "", "/a"),
        ("/a", "/b", "", "/b"),
        ("/a", "/b", "/c", "/c"),
        ("/a", "b", "", "/a/b"),
        ("/a", "./b", "../c", "/a/c"),
        ("/a", "", "./c", "/a/c"),
        ("/a", "..", "..", "/"),
        ("./", "", "", "/docs"),
        (".", "x", "", "/docs/x"),
        ("../x", "", "", "/x"),
        ("x", "", "", "/docs/x"),
        ("", "./b", "", "/docs/b"),
        ("", "", "b", "/docs/b"),
        ("", "/b", "c", "/b/c"),
        ("'~'", "", "", "/home/me"),
        ("~/src/", "$USER", "${USER}.d", "/home/me/src/me/me.d"),
        ("~root", "", "", "/docs/~root"),
        ("''", "", "", "/run"),
        ("/a", "~", "", "/a"),
    ];
    for (session, window, pane, expected) in cases {
        let text = format!(
            "session_name: s\nstart_directory: {session}\nwindows:\n  - start_directory: {window}\n    panes:\n      - start_directory: \
             {pane}\n"
        );
        let meant = meant(&text);
        assert_eq!(
            meant.windows[0].panes[0].start_directory,
            PathBuf::from(expected),
            "{text}"
        );
        if window.is_empty() && pane.is_empty() {
            assert_eq!(meant.start_directory, PathBuf::from(expected), "{text}");
        }
    }
}

#[test]
fn a_directory_with_a_variable_that_is_not_set_is_told_of() {
    let session = meant("session_name: s\nstart_directory: $NONE/x\nwindows: [{}]");
    assert_eq!(session.start_directory, PathBuf::from("/docs/$NONE/x"));
    assert_eq!(session.warnings.len(), 1);
    assert!(
        session.warnings[0].starts_with("/docs/w.yaml:2:18: a variable of"),
        "{:?}",
        session.warnings
    );
}

#[test]
fn a_panes_environment_replaces_its_windows_and_not_the_sessions() {
    let session = meant(
        "session_name: s\nenvironment: {S: 1, X: '~/$USER', Y: yes, N: }\nwindows:\n  - environment: {W: 08, E: $NONE}\n    panes:\n      \
         - a\n      - environment: {P: x}\n      - environment: {}\n  - panes: [a]\n",
    );
    assert_eq!(
        session.environment,
        pairs(&[("S", "1"), ("X", "/home/me/me"), ("Y", "yes"), ("N", "")])
    );
    let of = |window: usize, pane: usize| session.windows[window].panes[pane].environment.clone();
    assert_eq!(of(0, 0), pairs(&[("W", "08"), ("E", "$NONE")]));
    assert_eq!(of(0, 1), pairs(&[("P", "x")]));
    assert_eq!(of(0, 2), []);
    assert_eq!(of(1, 0), []);
}

#[test]
fn what_commands_mention_is_handed_over_and_never_pasted() {
    let environment = |value: &str| pane(value).environment;
    assert_eq!(
        environment("'echo $USER ${USER} $NONE $ $1 $$ $PWD $TERM'"),
        pairs(&[("USER", "me")])
    );
    let evil = ("EVIL", "x; touch /tmp/evil $(touch /tmp/evil)");
    assert_eq!(
        environment("'echo ${EVIL:-x} ${#USER}'"),
        pairs(&[evil, ("USER", "me")])
    );
    assert_eq!(texts(&pane("echo $EVIL")), ["echo $EVIL"]);
    assert_eq!(environment("{shell: sh -c '$EMPTY'}"), pairs(&[("EMPTY", "")]));
    assert_eq!(
        environment("{shell_command_before: echo $USER}"),
        pairs(&[("USER", "me")])
    );
    assert_eq!(
        environment("{environment: {USER: you}, shell_command: echo $USER}"),
        pairs(&[("USER", "you")])
    );
    let session = meant("session_name: s\nenvironment: {USER: you}\nwindows: [{panes: [echo $USER]}]");
    assert_eq!(session.windows[0].panes[0].environment, []);
}

#[test]
fn shells_come_from_the_pane_or_its_window_and_stay_as_written() {
    let window = window("    window_shell: top $USER\n    panes: [{shell: vim ~}, blank, {shell: ''}]\n");
    let shells: Vec<_> = window.panes.iter().map(|pane| pane.shell.as_deref()).collect();
    assert_eq!(shells, [Some("vim ~"), Some("top $USER"), Some("top $USER")]);
}

#[test]
fn options_are_text_as_tmux_takes_it() {
    let values =
        "{a: on, b: true, c: False, d: 30, e: 67%, f: $USER, g: '#{x} $NONE', h: , i: 0x1f, j: 'true', k: yes}";
    let window = window(&format!(
        "    options: {values}\n    options_after: {{synchronize-panes: on}}\n"
    ));
    let expected = [
        ("a", "on"),
        ("b", "on"),
        ("c", "off"),
        ("d", "30"),
        ("e", "67%"),
        ("f", "me"),
        ("g", "#{x} $NONE"),
        ("h", ""),
        ("i", "0x1f"),
        ("j", "true"),
        ("k", "yes"),
    ];
    assert_eq!(window.options, pairs(&expected));
    assert_eq!(window.options_after, pairs(&[("synchronize-panes", "on")]));
    let session = meant("session_name: s\noptions: {x: ~/a}\nglobal_options: {y: '~/a'}\nwindows: [{}]");
    assert_eq!(session.options, pairs(&[("x", "/home/me/a")]));
    assert_eq!(session.global_options, pairs(&[("y", "/home/me/a")]));
}

#[test]
fn the_rest_of_a_window() {
    let window = window(
        "    window_index: 5\n    layout: main-vertical\n    focus: on\n    panes: [a, {focus: yes}, {focus: no}]\n",
    );
    assert_eq!(
        (window.index, window.layout.as_deref(), window.focus),
        (Some(5), Some("main-vertical"), true)
    );
    assert_eq!(
        window.panes.iter().map(|pane| pane.focus).collect::<Vec<_>>(),
        [false, true, false]
    );
    let names = meant(
        "session_name: s\nwindows: [{window_name: $USER}, {window_name: 007}, {window_name: ''}, {window_name: }]",
    );
    let names: Vec<_> = names.windows.iter().map(|window| window.name.as_deref()).collect();
    assert_eq!(names, [Some("me"), Some("007"), Some(""), None]);
}

#[test]
fn a_name_is_expanded_and_one_that_tmux_would_change_is_refused() {
    assert_eq!(
        meant("session_name: session - ${USER} ($NONE)\nwindows: [{}]").name,
        "session - me ($NONE)"
    );
    assert_eq!(meant("session_name: 5\nwindows: [{}]").name, "5");
    for bad in ["a.b", "'a:b'", "$DOTS", "''", "' '", "$EMPTY", "\"a\\nb\""] {
        let refusal = refused(&format!("session_name: {bad}\nwindows: [{{}}]"));
        assert_eq!(refusal.code, Code::InvalidWorkspace, "{bad}");
        assert!(
            refusal.message.starts_with("/docs/w.yaml:1:15: session_name is "),
            "{refusal}"
        );
        assert!(refusal.hint.unwrap().contains("-s NAME"));
    }
    let named = |name| taken("session_name: a.b\nwindows: [{}]", Some(name), false);
    assert_eq!(named("other").unwrap().name, "other");
    assert_eq!(named("o.k").unwrap_err().code, Code::Usage);
}

#[test]
fn a_script_is_words_and_no_shell_reads_it() {
    let script = |value: &str| {
        let session = meant(&format!(
            "session_name: s\nstart_directory: ./d\nbefore_script: {value}\nwindows: [{{}}]"
        ));
        let script = session.before_script.unwrap();
        assert_eq!(script.directory, PathBuf::from("/docs/d"));
        script.arguments
    };
    assert_eq!(script("./x.sh a  b"), ["/docs/x.sh", "a", "b"]);
    assert_eq!(script("../x.sh"), ["/x.sh"]);
    assert_eq!(script("make && true"), ["make", "&&", "true"]);
    assert_eq!(script("~/x '~' \"$USER\" $NONE"), ["/home/me/x", "~", "me", "$NONE"]);
    assert_eq!(
        script("sh -c 'echo $EVIL' $EVIL"),
        ["sh", "-c", "echo $EVIL", "x; touch /tmp/evil $(touch /tmp/evil)"]
    );
    assert_eq!(script(r#"a\ b '' "c\"d\n" e\$USER"#), ["a b", "", "c\"d\\n", "e$USER"]);
    for none in ["", "''", "' '"] {
        let session = meant(&format!("session_name: s\nbefore_script: {none}\nwindows: [{{}}]"));
        assert_eq!(session.before_script, None);
    }
    for bad in ["\"a 'b\"", "a\\", "\"''\"", "[a]"] {
        let refusal = refused(&format!("session_name: s\nbefore_script: {bad}\nwindows: [{{}}]"));
        assert!(
            refusal.message.starts_with("/docs/w.yaml:2:16: before_script "),
            "{refusal}"
        );
    }
}

#[test]
fn readiness_has_many_words() {
    let of = |value: &str| {
        let text = format!("session_name: s\nworkspace_builder_options: {{pane_readiness: {value}}}\nwindows: [{{}}]");
        meant(&text).readiness
    };
    for word in ["always", "true", "on", "yes", "1", "' ALWAYS '"] {
        assert_eq!(of(word), Readiness::Always, "{word}");
    }
    for word in ["never", "false", "off", "no", "0"] {
        assert_eq!(of(word), Readiness::Never, "{word}");
    }
    assert_eq!((of("auto"), of("")), (Readiness::Auto, Readiness::Auto));
    refused("session_name: s\nworkspace_builder_options: {pane_readiness: maybe}\nwindows: [{}]");
    let session = meant("session_name: s\nworkspace_builder_options: {speed: 3}\nwindows: [{}]");
    assert_eq!(session.warnings.len(), 1);
    assert!(
        session.warnings[0].contains("workspace_builder_options.speed is not known"),
        "{:?}",
        session.warnings
    );
}

#[test]
fn what_asks_for_python_is_refused_and_what_asks_for_nothing_is_not() {
    meant("session_name: s\nplugins: []\nworkspace_builder: classic\nworkspace_builder_paths: []\nwindows: [{}]");
    meant("session_name: s\nplugins:\nworkspace_builder: ''\nworkspace_builder_paths: \nwindows: [{}]");
    for line in [
        "plugins: [a.B]",
        "workspace_builder: other",
        "workspace_builder_paths: [x]",
        "plugins: a.B",
    ] {
        let refusal = refused(&format!("session_name: s\n{line}\nwindows: [{{}}]"));
        assert_eq!(refusal.code, Code::UnsupportedKey, "{line}");
        assert!(refusal.message.contains("/docs/w.yaml:2:"), "{refusal}");
        assert!(refusal.hint.unwrap().contains("tmuxp load /docs/w.yaml"));
    }
}

#[test]
fn keys_that_are_not_known_are_refused_with_their_place() {
    let cases = [
        (
            "session_name: s\nfoo: 1\nwindows: [{}]",
            "/docs/w.yaml:2:1: foo is no key of a workspace",
        ),
        (
            "session_name: s\nwindows:\n  - name: x",
            "/docs/w.yaml:3:5: windows[0].name is no key of a window",
        ),
        (
            "session_name: s\nwindows: [{panes: [a, {cmd: x}]}]",
            "/docs/w.yaml:2:24: windows[0].panes[1].cmd is no key of a pane",
        ),
        (
            "session_name: s\nwindows: [{panes: [[{cmd: x, sleep: 1}]]}]",
            "/docs/w.yaml:2:30: windows[0].panes[0][0].sleep is no key of a command",
        ),
        (
            "session_name: s\nsocket_name: x\nwindows: [{}]",
            "/docs/w.yaml:2:1: socket_name is no key of a workspace",
        ),
    ];
    for (text, expected) in cases {
        let refusal = refused(text);
        assert_eq!(
            (refusal.code, refusal.message.as_str()),
            (Code::UnsupportedKey, expected)
        );
        let hint = refusal.hint.unwrap();
        assert!(hint.contains("x-") && hint.contains("--lenient"), "{hint}");
        let lenient = taken(text, None, true).unwrap();
        assert_eq!(lenient.warnings, [format!("{expected}; it is passed over")]);
    }
}

#[test]
fn keys_of_ones_own_mean_nothing_anywhere() {
    let text = "session_name: s\nx-a: {b: [1]}\nwindows:\n  - x-b: 1\n    panes:\n      - x-c: 1\n        shell_command: {cmd: a, x-d: 1}\n";
    let plain = "session_name: s\nwindows:\n  - panes: [a]\n";
    assert_eq!(meant(text), meant(plain));
}

#[test]
fn values_of_the_wrong_kind_are_refused_with_their_place() {
    let cases = [
        ("[]", "1:1: the document must be a mapping, and is a list"),
        ("windows: [{}]", "1:1: the document has no session_name"),
        ("session_name: s", "1:1: the document has no windows"),
        ("session_name: s\nwindows: []", "2:10: windows is empty"),
        (
            "session_name: s\nwindows: x",
            "2:10: windows must be a list, and is text",
        ),
        (
            "session_name: [s]\nwindows: [{}]",
            "1:15: session_name must be text, and is a list",
        ),
        (
            "session_name: s\nwindows: [vim]",
            "2:11: windows[0] must be a mapping, and is text",
        ),
        (
            "session_name: s\nwindows: [{panes: vim}]",
            "2:19: windows[0].panes must be a list, and is text",
        ),
        (
            "session_name: s\nwindows: [{panes: [[[a]]]}]",
            "2:21: windows[0].panes[0][0] must be text, and is a list",
        ),
        (
            "session_name: s\nwindows: [{focus: maybe}]",
            "2:19: windows[0].focus must be true or false, and is text",
        ),
        (
            "session_name: s\nwindows: [{window_index: -1}]",
            "2:26: windows[0].window_index must be a whole number",
        ),
        (
            "session_name: s\nwindows: [{window_index: 2147483648}]",
            "must be a whole number",
        ),
        (
            "session_name: s\nwindows: [{window_index: 1}, {window_index: '1'}]",
            "2:45: windows[1].window_index is 1, which another window has",
        ),
        (
            "session_name: s\nwindows: [{options: [a]}]",
            "2:21: windows[0].options must be a mapping, and is a list",
        ),
        (
            "session_name: s\nwindows: [{options: {a: [b]}}]",
            "2:25: windows[0].options.a must be text, and is a list",
        ),
        (
            "session_name: s\nenvironment: {a=b: 1}\nwindows: [{}]",
            "2:15: environment.a=b is no name",
        ),
        (
            "session_name: s\noptions: {-g: 1}\nwindows: [{}]",
            "2:11: options.-g is no name",
        ),
        (
            "session_name: s\nwindows: [{panes: [{sleep_before: -1}]}]",
            "windows[0].panes[0].sleep_before must be a number of seconds",
        ),
        (
            "session_name: s\nwindows: [{panes: [{sleep_after: nan}]}]",
            "must be a number of seconds",
        ),
        (
            "session_name: s\nwindows: [{panes: [{sleep_after: 1e300}]}]",
            "must be a number of seconds",
        ),
        (
            "session_name: s\nwindows: [{panes: [[{enter: no}]]}]",
            "windows[0].panes[0][0] has no cmd",
        ),
        ("session_name: s\nwindows: [{panes: [\"a\\0b\"]}]", "holds a NUL"),
    ];
    for (text, expected) in cases {
        let refusal = refused(text);
        assert_eq!(refusal.code, Code::InvalidWorkspace, "{refusal}");
        assert!(
            refusal.message.starts_with("/docs/w.yaml:") && refusal.message.contains(expected),
            "{text}: {refusal}"
        );
    }
}

#[test]
fn without_a_home_a_directory_in_it_is_refused() {
    let env = Env::new([("USER", "me")], "/run");
    let tree = Node::from(serde_json::json!({"session_name": "s", "start_directory": "~/x", "windows": [{}]}));
    let source = Source {
        path: Path::new("/docs/w.json"),
        env: &env,
        session_name: None,
        lenient: false,
    };
    let refusal = session(&tree, &source).unwrap_err();
    assert!(refusal.message.contains("HOME"), "{refusal}");
}

/// Trees of the keys that are known and of what may stand there.
fn trees() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        Just(Node::from(yaml::Value::Null)),
        any::<bool>().prop_map(Node::from),
        (-2i64..5).prop_map(|number| yaml::Value::Number(number.to_string()).into()),
        "(\\$USER|\\$\\{|~|/|\\.\\./|'|\"|\\\\|[a-z#;$]| ){0,6}".prop_map(Node::from),
        any::<String>().prop_map(Node::from),
    ];
    let keys = prop_oneof![
        prop::sample::select(
            &[
                "session_name",
                "windows",
                "panes",
                "shell_command",
                "shell_command_before",
                "start_directory",
                "environment",
                "options",
                "focus",
                "enter",
                "sleep_before",
                "cmd",
                "before_script",
                "window_index",
                "workspace_builder_options",
                "x-a",
            ][..]
        )
        .prop_map(str::to_owned),
        "[a-z]{0,3}",
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Node::from),
            prop::collection::btree_map(keys.clone(), inner, 0..7).prop_map(Node::map),
        ]
    })
}

proptest! {
    #[test]
    fn no_tree_brings_it_down(tree in trees(), windows in prop::collection::vec(trees(), 0..3), lenient: bool) {
        let env = env();
        let source = Source { path: Path::new("/docs/w.yaml"), env: &env, session_name: None, lenient };
        let _ = session(&tree, &source);
        let whole = Node::map([("session_name", Node::from("s")), ("windows", Node::map([("panes", Node::from(windows.clone()))]))]);
        let _ = session(&whole, &source);
        let whole = Node::map([("session_name", Node::from("s")), ("before_script", tree), ("windows", windows.into())]);
        let _ = session(&whole, &source);
    }

    #[test]
    fn a_command_is_typed_as_written(text in "[^\0]{1,20}") {
        prop_assume!(text != "blank" && text != "pane");
        let tree = serde_json::json!({"session_name": "s", "windows": [{"panes": [text, {"shell_command": [text, {"cmd": text}]}]}]});
        let env = env();
        let source = Source { path: Path::new("/docs/w.yaml"), env: &env, session_name: None, lenient: false };
        let panes = session(&tree.into(), &source).unwrap().windows.remove(0).panes;
        prop_assert_eq!(texts(&panes[0]), [text.as_str()]);
        prop_assert_eq!(texts(&panes[1]), [text.as_str(), text.as_str()]);
    }
}
