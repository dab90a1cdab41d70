use super::*;

fn entries(helper: &str) -> Vec<Entry> {
    [("Stop", None), ("Notification", Some("elicitation_dialog"))]
        .map(|(event, matcher)| Entry {
            event,
            matcher,
            command: call::command(helper, "claude", None),
            timeout: 5,
            name: None,
        })
        .to_vec()
}

fn installed(text: &str) -> String {
    with(text, "claude", &entries("/opt/tmux-status")).unwrap_or_else(|why| panic!("{text}: {why}"))
}

/// Settings as people have them.
const TEXTS: &[&str] = &[
    "{\n  \"model\": \"opus\"\n}\n",
    "{\n  \"model\": \"opus\"\n}",
    "{\n    \"model\": \"opus\",\n    \"env\": {\"A\": \"b\"}\n}\n",
    "{\n\t\"model\": \"opus\",\n\t\"permissions\": {\n\t\t\"allow\": [\n\t\t\t\"Bash(ls:*)\"\n\t\t]\n\t}\n}\n",
    "{\r\n  \"model\": \"opus\",\r\n  \"x\": [\r\n    1,\r\n    2\r\n  ]\r\n}\r\n",
    "// mine\n{\n  // why\n  \"model\": \"opus\", // really\n  /* and */ \"y\": 1 // last\n}\n// end\n",
    "{\n  \"model\": \"opus\",\n  \"x\": [1, 2,],\n}\n",
    "\u{feff}{\n  \"model\": \"opus\"\n}\n",
    "{\"model\":\"opus\",\"x\":{\"y\":[1,2]}}",
    "{ \"model\": \"opus\" }\n",
    "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"say done\" }\n        ]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}\n",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"guard \\\"$X\\\" \\u00e9\"\n          }\n        ]\n      } // theirs\n    ]\n  }\n}\n",
    "{\n  \"hooks\": {},\n  \"model\": \"opus\"\n}\n",
    "{\n  \"hooks\": {\"Stop\": [], \"Other\": [{\"hooks\": []}]},\n  \"model\": \"opus\"\n}\n",
    "\n\n{\n\n  \"model\": \"opus\"\n\n}\n\n",
];

/// How many of them, at the end, come back with other white space or without a list that was empty before.
const NOT_TO_THE_BYTE: usize = 3;

#[test]
fn what_is_put_in_can_be_taken_out_to_the_byte() {
    for text in &TEXTS[..TEXTS.len() - NOT_TO_THE_BYTE] {
        let with_ours = installed(text);
        assert_ne!(&with_ours, text);
        let again = without(&with_ours, "claude").unwrap();
        assert_eq!(&again, text, "by way of\n{with_ours}");
    }
}

#[test]
fn twice_is_once_and_a_helper_that_moved_is_followed_in_place() {
    for text in TEXTS {
        let once = installed(text);
        assert_eq!(installed(&once), once, "{text}");
        let moved = with(&once, "claude", &entries("/new place/tmux-status")).unwrap();
        assert_eq!(moved, once.replace("/opt/tmux-status", "'/new place/tmux-status'"));
    }
}

#[test]
fn everything_else_stays_where_it_was() {
    for text in TEXTS {
        let with_ours = installed(text);
        let mut rest = with_ours.as_str();
        for piece in text.split(|c: char| !c.is_alphanumeric()) {
            let at = rest
                .find(piece)
                .unwrap_or_else(|| panic!("{piece:?} is missing from\n{with_ours}"));
            rest = &rest[at + piece.len()..];
        }
        assert_eq!(with_ours.contains("\r\n"), text.contains("\r\n"));
        let newlines = with_ours.matches('\n').count();
        let carriage = with_ours.matches("\r\n").count();
        assert!(carriage == 0 || carriage == newlines, "{with_ours:?}");
        assert_eq!(with_ours.starts_with(BOM), text.starts_with(BOM));
        assert_eq!(with_ours.ends_with('\n'), text.ends_with('\n'), "{with_ours:?}");
    }
}

#[test]
fn the_entries_have_the_shape_that_agents_read() {
    let text = installed("");
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        value,
        serde_json::json!({"hooks": {
            "Stop": [{"hooks": [
                {"type": "command", "command": "test -x /opt/tmux-status && /opt/tmux-status report --hook claude >/dev/null 2>&1 || :", "timeout": 5}
            ]}],
            "Notification": [{"matcher": "elicitation_dialog", "hooks": [
                {"type": "command", "command": "test -x /opt/tmux-status && /opt/tmux-status report --hook claude >/dev/null 2>&1 || :", "timeout": 5}
            ]}],
        }})
    );
    assert!(
        text.starts_with("{\n  \"hooks\": {\n    \"Stop\": [\n") && text.ends_with("}\n"),
        "{text}"
    );
    for blank in ["{}", "{}\n", " \n"] {
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&installed(blank)).unwrap(),
            value,
            "{blank:?}"
        );
    }
}

#[test]
fn a_path_of_any_kind_comes_through_json_and_back() {
    for helper in ["/it's/\"quoted\"\\ /tmux-status", "/日本/tmux-status", "/a\u{7f}/x"] {
        let text = with("{}", "claude", &entries(helper)).unwrap();
        let there = commands(&text, "claude").unwrap();
        assert_eq!(there.len(), 2, "{text}");
        assert!(there
            .iter()
            .all(|(_, command)| call::helper_of(command, "claude").as_deref() == Some(helper)));
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }
}

#[test]
fn entries_of_an_older_version_are_brought_up_to_date() {
    let old = |event: &'static str| Entry {
        event,
        matcher: None,
        command: call::command("/old/tmux-status", "claude", None),
        timeout: 9,
        name: None,
    };
    let text = with("{\n  \"model\": \"opus\"\n}\n", "claude", &[old("Gone"), old("Stop")]).unwrap();
    let new = installed(&text);
    let there: Vec<_> = commands(&new, "claude")
        .unwrap()
        .into_iter()
        .map(|(event, _)| event)
        .collect();
    assert_eq!(there, ["Stop", "Notification"], "{new}");
    assert!(
        !new.contains("/old/") && !new.contains("Gone") && new.contains("\"timeout\": 9"),
        "{new}"
    );
}

#[test]
fn an_entry_that_stands_twice_stands_once_afterwards() {
    let once = installed("{}");
    let command = quoted(&entries("/opt/tmux-status")[0].command);
    let entry = format!("{{\"type\": \"command\", \"command\": {command}, \"timeout\": 5}}");
    let doubled =
        format!("{{\n  \"hooks\": {{\n    \"Stop\": [\n      {{\"hooks\": [{entry}, {entry}]}}\n    ]\n  }}\n}}\n");
    let mended = installed(&doubled);
    assert_eq!(
        commands(&mended, "claude").unwrap().len(),
        commands(&once, "claude").unwrap().len(),
        "{mended}"
    );
}

#[test]
fn settings_that_cannot_be_edited_say_why() {
    let deep = format!("{{\"a\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    for (text, why) in [
        ("{", "no valid JSON"),
        ("{\"a\": 1", "no valid JSON"),
        ("{\"a\" 1}", "no valid JSON"),
        ("not json", "no valid JSON"),
        ("[]", "no object"),
        ("\"text\"", "no object"),
        ("// only a comment", "no object"),
        ("{\"hooks\": []}", "hooks that are no object"),
        ("{\"hooks\": null}", "hooks that are no object"),
        ("{\"hooks\": {\"Stop\": {}}}", "hooks.Stop that is no list"),
        ("{\"hooks\": {}, \"hooks\": {}}", "hooks twice"),
        (deep.as_str(), "nests too deep"),
    ] {
        let error = with(text, "claude", &entries("/x")).unwrap_err();
        assert!(error.contains(why), "{text:.40}: {error}");
    }
}

#[test]
fn hooks_of_odd_shapes_are_left_alone() {
    let text = "{\n  \"hooks\": {\n    \"disabled\": [\"x\"],\n    \"enabled\": true,\n    \"Other\": [7, {\"hooks\": 1}, {\"hooks\": [null, {\"command\": 7}]}]\n  }\n}\n";
    assert_eq!(without(&installed(text), "claude").unwrap(), text);
}

/// Settings of any content, with hooks of others in them, in one of the layouts that programs and people write.
fn any_settings() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    use serde_json::{Map, Value};
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-z]{1,4}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    });
    let group =
        "[ -~]{0,12}".prop_map(|command| serde_json::json!({"hooks": [{"type": "command", "command": command}]}));
    let groups = proptest::collection::vec(group, 1..3).prop_map(Value::from);
    let hooks = proptest::collection::btree_map(prop_oneof![Just("Stop".to_owned()), "[A-Z][a-z]{1,6}"], groups, 1..4);
    let members = proptest::collection::btree_map("[a-z]{1,6}", value, 0..5);
    (members, proptest::option::of(hooks), 0..5_usize).prop_map(|(members, hooks, layout)| {
        let mut object: Map<String, Value> = members.into_iter().filter(|(key, _)| key != "hooks").collect();
        if let Some(hooks) = hooks {
            object.insert("hooks".to_owned(), Value::Object(hooks.into_iter().collect()));
        }
        let pretty = serde_json::to_string_pretty(&object).unwrap_or_default();
        match layout {
            0 => serde_json::to_string(&object).unwrap_or_default(),
            1 => pretty.replace('\n', "\r\n"),
            2 => pretty.lines().map(|line| format!("{} // {{ \" [\n", line)).collect(),
            3 => format!("/* }} */{pretty}\n\n"),
            _ => pretty,
        }
    })
}

proptest::proptest! {
    #[test]
    fn any_settings_keep_what_is_theirs(text in any_settings()) {
        let value = |text: &str| -> serde_json::Value {
            // Comments of ours stand at a line's end, or first.
            let plain: Vec<_> = text.lines().map(|line| line.split(" // { \" [").next().unwrap_or_default()).collect();
            serde_json::from_str(plain.join("\n").trim_start_matches("/* } */")).unwrap()
        };
        let once = installed(&text);
        proptest::prop_assert_eq!(&installed(&once), &once);
        proptest::prop_assert_eq!(once.matches("// { \" [").count(), text.matches("// { \" [").count());
        let there = commands(&once, "claude").unwrap();
        proptest::prop_assert_eq!(there.len(), 2, "{}", once);
        let back = without(&once, "claude").unwrap();
        proptest::prop_assert_eq!(value(&back), value(&text), "by way of {}", once);
    }
}
