use super::*;
use proptest::prelude::*;

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
