use super::*;

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
        (script.written, script.arguments)
    };
    assert_eq!(script("./x '$A' \"$USER\"$EVIL").0, ["./x", "$A", "$USER$EVIL"]);
    let script = |value: &str| script(value).1;
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
