use super::*;

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
