use super::*;

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
        zoomed: false,
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
