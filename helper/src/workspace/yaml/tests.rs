use super::*;
use proptest::prelude::*;

fn yaml(text: &str) -> Node {
    read(text.as_bytes(), Format::Yaml, "x.yaml").unwrap_or_else(|refusal| panic!("{text:?}: {refusal}"))
}

fn json(text: &str) -> Node {
    read(text.as_bytes(), Format::Json, "x.json").unwrap_or_else(|refusal| panic!("{text:?}: {refusal}"))
}

/// What a bad text is told.
fn complaint(bytes: &[u8], format: Format) -> String {
    let name = format!("x.{}", format.extension());
    read(bytes, format, &name).unwrap_err().message
}

#[test]
fn scalars_are_what_yaml_1_2_says_and_text_keeps_its_spelling() {
    let tree = yaml("- yes\n- on\n- 0777\n- 0x1f\n- 12:30\n- 1_000\n- .5\n- +1\n- 67%\n- 'true'\n- \"1\"\n");
    let texts = [
        "yes", "on", "0777", "0x1f", "12:30", "1_000", ".5", "+1", "67%", "true", "1",
    ];
    assert_eq!(tree, Node::from(texts.map(Node::from).to_vec()));
    let tree = yaml("- 30\n- -1.5e3\n- True\n- ~\n-\n- null\n- !!str 5\n- ! 6\n- !!int 7\n").to_json();
    assert_eq!(
        tree,
        serde_json::json!([30, -1.5e3, true, null, null, null, "5", "6", 7])
    );
}

#[test]
fn a_flag_is_whatever_yaml_ever_took_for_one() {
    for word in ["true", "True", "yes", "YES", "on", "1", "'1'", "' on '"] {
        assert_eq!(yaml(word).flag(), Some(true), "{word}");
    }
    for word in ["false", "no", "No", "off", "0", "'off'"] {
        assert_eq!(yaml(word).flag(), Some(false), "{word}");
    }
    for word in ["2", "maybe", "~", "[yes]", "y"] {
        assert_eq!(yaml(word).flag(), None, "{word}");
    }
}

#[test]
fn a_mapping_takes_in_others_and_its_own_keys_win() {
    let tree =
        yaml("a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  <<: [*a, *b]\n  x: 3\nd:\n  <<: *b\ne: {\"<<\": 5}\n");
    let expected = serde_json::json!({"x": 3, "y": 1, "z": 2});
    assert_eq!(tree.get("c").unwrap().to_json(), expected);
    assert_eq!(tree.get("d").unwrap().to_json(), serde_json::json!({"y": 2, "z": 2}));
    assert_eq!(tree.get("e").unwrap().to_json(), serde_json::json!({"<<": 5}));
    assert!(complaint(b"a: 1\n<<: 5\n", Format::Yaml).contains("x.yaml:2:5: \u{201c}<<\u{201d} takes in mappings"));
}

#[test]
fn places_are_lines_and_characters_from_one() {
    let tree = yaml("a: 1\nüb:\n  - c: [d, 'e']\n");
    let list = tree.get("üb").unwrap();
    let Value::List(items) = &list.value else {
        panic!("{list:?}")
    };
    let Value::Map(entries) = &items[0].value else {
        panic!("{items:?}")
    };
    assert_eq!(
        (entries[0].key.at, entries[0].value.at),
        (At { line: 3, column: 5 }, At { line: 3, column: 8 })
    );
    let tree = json("{\n  \"ä\": {\"b\": [1,\n 2]}}");
    let Value::List(items) = &tree.get("ä").unwrap().get("b").unwrap().value else {
        panic!()
    };
    assert_eq!(
        (items[0].at, items[1].at),
        (At { line: 2, column: 15 }, At { line: 3, column: 2 })
    );
}

#[test]
fn json_is_strict_and_knows_its_escapes() {
    let text = r#"{"a": "\ud83d\ude00\u00e9\/\n\"\\", "b": [1e3, -0.5, true, null, {}], "": ""}"#;
    let tree = json(text);
    assert_eq!(tree.to_json(), serde_json::from_str::<serde_json::Value>(text).unwrap());
    assert_eq!(tree.get("a").unwrap().scalar(), Some("\u{1f600}é/\n\"\\"));
    for bad in [
        "{a: 1}",
        "{\"a\": 1,}",
        "// c\n{}",
        "{'a': 1}",
        "\"\\ud83d\"",
        "{} {}",
        "[01]",
        "NaN",
        "",
    ] {
        let told = complaint(bad.as_bytes(), Format::Json);
        assert!(told.starts_with("x.json:"), "{bad}: {told}");
    }
}

#[test]
fn bad_texts_are_refused_with_their_place() {
    let deep = format!("{}1{}", "[".repeat(65), "]".repeat(65));
    let bad: &[(&[u8], &str)] = &[
        (
            b"a: 1\nb: 2\na: 3\n",
            "x.yaml:3:1: the key “a” stands here a second time",
        ),
        (b"a: {b: 1, b: 2}\n", "x.yaml:1:11: the key"),
        (b"a: 1\n---\nb: 2\n", "x.yaml:2:1: a second document"),
        (b"a:\n\t- b\n", "(YAML indents with blanks alone)"),
        (
            b"a: echo b: c\n",
            "x.yaml:1:10: mapping values are not allowed in this context (text with a colon",
        ),
        (b"a: @b\n", "(text that begins so goes in quotes)"),
        (b"a: \"\\q\"\n", "(in double quotes a backslash is written twice)"),
        (b"a:\n  b: 1\n c: 2\n", "x.yaml:3:2: "),
        (b"a: \xff\xfe\n", "x.yaml:1:4: it is not UTF-8"),
        (b"a: [1, 2\n", "x.yaml:2:"),
        (b"a: *nothing\n", "x.yaml:1:4: "),
        (b"a: &a [*a]\n", "this alias stands within what it repeats"),
        (
            b"? [a, b]\n: c\n",
            "x.yaml:1:3: a list or a mapping stands where a key belongs",
        ),
        (
            b"a: !!python/object:os.system {}\n",
            "the tag tag:yaml.org,2002:python/object:os.system is not known",
        ),
        (b"a: !foo b\n", "the tag !foo is not known"),
        (b"", "there is nothing in it"),
        (b"# only a comment\n", "there is nothing in it"),
        (deep.as_bytes(), "deeper than 64"),
    ];
    for (text, expected) in bad {
        let told = complaint(text, Format::Yaml);
        assert!(told.contains(expected), "{:?}: {told}", String::from_utf8_lossy(text));
    }
    assert!(complaint(b"{\"a\": 1, \"a\": 2}", Format::Json).contains("x.json:1:10: the key"));
}

#[test]
fn aliases_cannot_make_a_small_file_large_or_deep() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for step in 1..30 {
        let last = format!("*a{}", step - 1);
        bomb.push_str(&format!("a{step}: &a{step} [{}]\n", vec![last; 10].join(", ")));
    }
    assert!(complaint(bomb.as_bytes(), Format::Yaml).contains("repeat more than a workspace can need"));
    let mut tower = String::from("a0: &a0 x\n");
    for step in 1..200 {
        tower.push_str(&format!("a{step}: &a{step} [[[[*a{}]]]]\n", step - 1));
    }
    assert!(complaint(tower.as_bytes(), Format::Yaml).contains("deeper than 64"));
}

#[test]
fn a_mark_at_the_beginning_and_other_line_ends_do_no_harm() {
    assert_eq!(
        yaml("\u{feff}a: b\r\nc: d\r\n").to_json(),
        serde_json::json!({"a": "b", "c": "d"})
    );
    assert_eq!(json("\u{feff}{\"a\":\r\n1}\r\n").to_json(), serde_json::json!({"a": 1}));
}

#[test]
fn yaml_is_written_as_people_write_it() {
    let tree = serde_json::json!({
        "session_name": "my project",
        "start_directory": "~/src",
        "options": {"status": "on", "main-pane-height": "67%", "repeat-time": 500, "x": true},
        "windows": [
            {"window_name": "12:30", "panes": [null, "vim", "echo \"a\": b", "it's: so", ["a", "b"], {}, [], ""]},
            {"panes": [{"shell_command": "one\n  two\n", "focus": true}]},
        ],
    });
    let expected = r#"session_name: my project
start_directory: ~/src
options:
  status: 'on'
  main-pane-height: 67%
  repeat-time: 500
  x: true
windows:
  - window_name: '12:30'
    panes:
      - null
      - vim
      - 'echo "a": b'
      - 'it''s: so'
      - - a
        - b
      - {}
      - []
      - ''
  - panes:
      - shell_command: |
          one
            two
        focus: true
"#;
    assert_eq!(write(&tree.into(), Format::Yaml), expected);
}

#[test]
fn what_another_reader_would_not_take_for_text_is_quoted() {
    let words = [
        "yes",
        "No",
        "ON",
        "off",
        "y",
        "N",
        "true",
        "Null",
        "~",
        "",
        "=",
        "<<",
        "1",
        "-1",
        "+1",
        ".5",
        "0777",
        "0o17",
        "0x1F",
        "1_000",
        "1e3",
        "1.5",
        "12:30:45",
        "2001-12-14",
        "2001-12-14 21:59:43.10 -5",
        ".inf",
        "-.inf",
        ".NaN",
        "---",
        "...",
        "- a",
        "? a",
        "a: b",
        "a:",
        "a #b",
        "#a",
        "&a",
        "*a",
        "!a",
        "|",
        ">",
        "%a",
        "@a",
        "`a",
        "\"",
        "'",
        "[a",
        "{a",
        " a",
        "a ",
        "a\tb",
        "\u{85}",
        "\u{2028}",
        "\u{feff}",
        "\u{7f}",
        "\u{9b}31m",
        "\u{202e}",
    ];
    for word in words {
        let written = write(&word.into(), Format::Yaml);
        assert!(written.starts_with(['\'', '"']), "{word:?} is written {written:?}");
        assert_eq!(yaml(&written), word.into());
    }
    for word in [
        "vim .",
        "a-b",
        "67%",
        "3 panes",
        "~/src",
        "a:b",
        "https://x.y",
        "a#b",
        "$HOME",
        "ls -la | grep x",
        "e\u{301}",
        "\u{e0b0}",
    ] {
        assert_eq!(write(&word.into(), Format::Yaml).trim_end(), word);
    }
}

#[test]
fn nothing_written_can_move_a_terminal() {
    for format in [Format::Yaml, Format::Json] {
        let written = write(&"a\u{1b}[31m\u{9b}2J\u{7}\u{202e}\n\u{e0001}".into(), format);
        assert!(written.trim_end().chars().all(crate::text::is_showable), "{written:?}");
    }
}

/// Text with a taste for what is special to YAML.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ \\t\\n:#'\"\\[\\]{},&*!|>%@`?~=<a1.\\-\\\\]{0,12}",
        "\\PC{0,12}",
        any::<String>(),
        "(yes|no|on|off|[0-9][0-9:._xeE+-]{0,6}|a\n b\n\n|\n\na)",
    ]
}

fn trees() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        Just(Node::from(Value::Null)),
        any::<bool>().prop_map(Node::from),
        any::<i64>().prop_map(|number| Value::Number(number.to_string()).into()),
        texts().prop_map(Node::from),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Node::from),
            prop::collection::btree_map(texts(), inner, 0..5).prop_map(Node::map),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(tree in trees()) {
        for format in [Format::Yaml, Format::Json] {
            let written = write(&tree, format);
            let again = read(written.as_bytes(), format, "x");
            prop_assert_eq!(again.as_ref(), Ok(&tree), "{}", written);
        }
        prop_assert_eq!(&json(&compact(&tree)), &tree);
        prop_assert_eq!(&Node::from(serde_json::from_str::<serde_json::Value>(&compact(&tree)).unwrap()), &tree);
    }

    #[test]
    fn a_long_key_is_read_again(key in "[a: ]{900,1400}") {
        let tree = Node::map([(key, "x")]);
        prop_assert_eq!(yaml(&write(&tree, Format::Yaml)), tree);
    }

    #[test]
    fn no_text_brings_it_down(bytes in prop_oneof![any::<Vec<u8>>(), any::<String>().prop_map(String::into_bytes)]) {
        let _ = read(&bytes, Format::Yaml, "x");
        let _ = read(&bytes, Format::Json, "x");
    }

    #[test]
    fn no_text_that_looks_like_yaml_brings_it_down(text in "([-?:,\\[\\]{}#&*!|>'\"%@`a1 \n\t~<\\\\]|: |- |\n  |<<: |\\*a|&a |---\n|[|>][+-]?[0-9]?\n|!!str |\\\\u00){0,40}") {
        let _ = read(text.as_bytes(), Format::Yaml, "x");
    }
}
