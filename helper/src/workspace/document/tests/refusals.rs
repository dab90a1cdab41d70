use super::*;

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
fn what_may_have_been_meant_is_said() {
    let hint = |text: &str| refused(text).hint.unwrap();
    let cases = [
        ("session_name: s\nwindow: [{}]", "did you mean windows?"),
        ("session_name: s\nwindows: [{focsu: on}]", "did you mean focus?"),
        ("session_name: s\nwindows: [{pane: [a]}]", "did you mean panes?"),
        (
            "session_name: s\nwindows: [{panes: [{shell_comand: a}]}]",
            "did you mean shell_command?",
        ),
        (
            "session_name: s\nwindows: [{panes: [[{qqq: a}]]}]",
            "known are cmd, enter, sleep_before, sleep_after;",
        ),
        ("name: s\nroot: x", "import a project of tmuxinator or teamocil first"),
        ("session_name: s\nsocket_name: x", "-L"),
    ];
    for (text, expected) in cases {
        assert!(hint(text).contains(expected), "{text}: {}", hint(text));
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
fn all_keys_that_are_not_known_are_told_at_once() {
    let refusal = refused("session_nam: s\nwindows:\n  - focsu: on\n    panes: [{shel: x}]\n  - {}\n");
    assert_eq!(
        refusal.message,
        "/docs/w.yaml:1:1: session_nam is no key of a workspace; not known either: windows[0].focsu (3:5), \
         windows[0].panes[0].shel (4:14)"
    );
    assert!(refusal.hint.unwrap().contains("did you mean session_name?"));
    let many: String = (0..20).map(|number| format!("key{number}: 1\n")).collect();
    let refusal = refused(&format!("session_name: s\nwindows: [{{}}]\n{many}"));
    assert!(refusal.message.contains("key9 (12:1), and 10 more"), "{refusal}");
    assert!(!refusal.message.contains("key10"), "{refusal}");
}

#[test]
fn of_a_script_is_known_whether_it_wants_a_shell_and_what_is_not_set() {
    let session = |line: &str| meant(&format!("session_name: s\nbefore_script: {line}\nwindows: [{{}}]"));
    let script = |line: &str| session(line).before_script.unwrap();
    for line in ["a | b", "a && b", "a; b", "a >b", "echo `b`", "echo \"$(b)\""] {
        assert!(script(&format!("\'{line}\'")).has_operators, "{line}");
    }
    for line in ["a b", "sh -c \"a | b\"", "a \\; b"] {
        assert!(!script(&format!("\'{line}\'")).has_operators, "{line}");
    }
    let unset = session("run $NOWHERE/x ${NOWHERE} $USER");
    assert_eq!(unset.before_script.unwrap().unset, ["NOWHERE"]);
    assert_eq!(
        unset.warnings,
        ["/docs/w.yaml:2:16: before_script: $NOWHERE is not set; it is taken as written"]
    );
    assert!(session("sh -c \'echo $NOWHERE\'").warnings.is_empty());
}
