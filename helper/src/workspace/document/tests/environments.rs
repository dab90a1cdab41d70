use super::*;

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
