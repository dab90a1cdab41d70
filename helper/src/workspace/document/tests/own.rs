use super::*;

const LITERAL: &str = "session_name: $USER\nx-tmux-status: {literal: yes, notes: [a pane had ended]}\nstart_directory: /srv/$USER\n\
                       options: {'@a': ~/x $USER}\nenvironment: {A: $USER}\nwindows:\n  - window_name: ~/src\n    options: {'@b': '~'}\n    \
                       panes: [{start_directory: '~/${USER}'}]\n";

#[test]
fn a_literal_document_is_what_it_says() {
    let session = meant(LITERAL);
    assert_eq!(session.name, "$USER");
    assert_eq!(session.start_directory, PathBuf::from("/srv/$USER"));
    assert_eq!(session.options, pairs(&[("@a", "~/x $USER")]));
    assert_eq!(session.environment, pairs(&[("A", "$USER")]));
    let window = &session.windows[0];
    assert_eq!(window.name.as_deref(), Some("~/src"));
    assert_eq!(window.options, pairs(&[("@b", "~")]));
    assert_eq!(window.panes[0].start_directory, PathBuf::from("/srv/$USER/~/${USER}"));
    assert!(session.warnings.is_empty(), "{:?}", session.warnings);
    let expanded = meant(&LITERAL.replace("literal: yes", "literal: no"));
    assert_eq!(expanded.name, "me");
    assert_eq!(expanded.windows[0].name.as_deref(), Some("/home/me/src"));
}

#[test]
fn what_would_be_expanded_is_known() {
    for text in ["$HOME", "a ${b} c", "~", "~/x", "$_"] {
        assert!(is_expanded(text), "{text}");
    }
    for text in ["", "a~", "~x", "$", "$ a", "${", "${}", "a$", "$(x)", "${a-b}"] {
        assert!(!is_expanded(text), "{text}");
    }
}

#[test]
fn a_window_may_be_zoomed() {
    assert!(window("    x-tmux-status: {zoomed: true}\n").zoomed);
    for lines in ["", "    x-tmux-status:\n", "    x-tmux-status: {zoomed: off}\n"] {
        assert!(!window(lines).zoomed, "{lines}");
    }
}

#[test]
fn what_is_not_ours_is_refused_in_our_key_and_our_key_elsewhere() {
    for (own, said) in [
        ("x-tmux-status: {zoomed: true}", "x-tmux-status.zoomed is no key of"),
        (
            "x-tmux-status: {literal: perhaps}",
            "x-tmux-status.literal must be true or false",
        ),
        ("x-tmux-status: {notes: [[]]}", "x-tmux-status.notes[0] must be text"),
        ("x-tmux-status: {notes: x}", "x-tmux-status.notes must be a list"),
        ("x-tmux-status: [literal]", "x-tmux-status must be a mapping"),
    ] {
        let refusal = refused(&format!("session_name: s\n{own}\nwindows: [{{}}]"));
        assert!(refusal.message.contains(said), "{refusal}");
    }
    for (window, said) in [
        (
            "{x-tmux-status: {literal: true}}",
            "windows[0].x-tmux-status.literal is no key of",
        ),
        (
            "{x-tmux-status: {zoomed: 3}}",
            "windows[0].x-tmux-status.zoomed must be",
        ),
        (
            "{panes: [{x-tmux-status: {}}]}",
            "windows[0].panes[0].x-tmux-status is no key of a pane",
        ),
    ] {
        let refusal = refused(&format!("session_name: s\nwindows: [{window}]"));
        assert!(refusal.message.contains(said), "{refusal}");
    }
    meant("session_name: s\nx-other: {literal: 3}\nwindows: [{x-status: 1, panes: [{x-a: 1}]}]");
}
