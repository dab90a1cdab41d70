use super::*;

/// Panes that each have `each` before their own command, in windows of a hundred.
fn many(panes: usize, each: &str) -> String {
    let window = format!("  - panes: [{}]\n", "x, ".repeat(100));
    format!(
        "session_name: s\nshell_command_before: {each}\nwindows:\n{}",
        window.repeat(panes / 100)
    )
}

fn too_much(text: &str) {
    let refusal = refused(text);
    assert_eq!(refusal.code, Code::InvalidWorkspace);
    assert!(refusal.message.contains("4 MiB"), "{refusal}");
    assert!(refusal.message.starts_with("/docs/w.yaml:"), "{refusal}");
}

#[test]
fn what_all_panes_inherit_is_bounded() {
    too_much(&many(5_000, &"x".repeat(100_000)));
    too_much(&many(9_000, &format!("[{}]", "'', ".repeat(20_000))));
    let value = "x".repeat(100_000);
    let window = format!(
        "session_name: s\nwindows: [{{environment: {{A: {value}}}, panes: [{}]}}]",
        "x, ".repeat(5_000)
    );
    too_much(&window);
    let directory = format!("start_directory: /{value}\n{}", many(5_000, "x"));
    too_much(&directory);
}

#[test]
fn panes_are_counted() {
    let refusal = refused(&many(1_100, "x"));
    assert!(
        refusal.message.contains("the 1000 that a session may have"),
        "{refusal}"
    );
    assert!(
        refusal.message.starts_with("/docs/w.yaml:14:13: windows[10].panes[0] "),
        "{refusal}"
    );
    let all = meant(&many(1_000, "x"))
        .windows
        .iter()
        .map(|window| window.panes.len())
        .sum::<usize>();
    assert_eq!(all, 1_000);
}

#[test]
fn what_variables_become_is_bounded() {
    let env = Env::new([("BIG", "x".repeat(100_000))], "/run");
    let mentions = "$BIG".repeat(20_000);
    assert!(expand::expand(&mentions, &env).len() < 5 << 20);
    let each = "$BIG ".repeat(20_000);
    for line in [
        format!("before_script: {each}"),
        format!("environment: {{A: {mentions}}}"),
        format!("options: {{a: {mentions}}}"),
        format!("start_directory: {mentions}"),
    ] {
        let text = format!("session_name: s\n{line}\nwindows: [{{}}]");
        let tree = yaml::read(text.as_bytes(), Format::Yaml, "w").unwrap();
        let source = Source {
            path: Path::new("/docs/w.yaml"),
            env: &env,
            session_name: None,
            lenient: false,
        };
        let refusal = session(&tree, &source).unwrap_err();
        assert!(refusal.message.contains("4 MiB"), "{refusal}");
    }
}

#[test]
fn a_document_of_open_braces_takes_no_longer_than_others() {
    let (start, text) = (std::time::Instant::now(), "${".repeat(500_000));
    assert_eq!(expand::expand(&text, &env()), text);
    // A second or two on a machine that is very slow; where each brace looks for its end, minutes on one that is fast.
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
}

#[test]
fn a_brace_ends_behind_its_name() {
    let of = |text: &str| expand::expand(text, &env());
    assert_eq!(of("${USER}s $USER ${USER"), "mes me ${USER");
    assert_eq!(of("${} ${USER:-x} ${${USER}}"), "${} ${USER:-x} ${me}");
}
