use super::*;

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
