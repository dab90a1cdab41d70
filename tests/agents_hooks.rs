//! Which agents `agents install` finds, which hooks they get, and what becomes of those.

#[path = "support/homes.rs"]
mod homes;
#[path = "support/mod.rs"]
mod support;

use homes::{agents, commands, done, failed, fake_claude, file_of, home, write, FILES, NEW};
use std::fs;
use std::path::{Path, PathBuf};
use support::{program, shell_word, skip, wait_for, words, Server, HELPER};
use tmux_status::agents::report::decode;

/// A copy of the helper in a place that is awkward to quote.
fn copied_helper(server: &Server, folder: &str) -> PathBuf {
    let helper = server.room().join(folder).join("tmux-status");
    fs::create_dir_all(helper.parent().unwrap()).unwrap();
    fs::copy(HELPER, &helper).unwrap();
    helper
}

#[test]
fn hooks_follow_a_helper_that_moved_and_the_backup_stays_the_first() {
    let server = home(NEW);
    let helpers = [copied_helper(&server, "a"), copied_helper(&server, "b b")];
    let run =
        |helper: &Path, args: &[&str]| words(&server.command(helper).arg("agents").args(args).output().unwrap()).0;
    let text = "{\n  \"model\": \"large\"\n}\n";
    let path = file_of(&server, "claude");
    write(&path, text);
    write(&server.room().join("config/opencode/opencode.json"), "{}");
    run(&helpers[0], &["install"]);
    let status = run(&helpers[1], &["status", "claude", "opencode"]);
    let told = format!("they call {}\n", helpers[0].display());
    assert!(
        status.matches("outdated").count() == 2 && status.matches(&told).count() == 2,
        "{status}"
    );
    fs::remove_file(&helpers[0]).unwrap();
    let status = run(&helpers[1], &["status", "claude"]);
    assert!(
        status.contains("which is gone\n") && status.contains("-> tmux-status agents install claude"),
        "{status}"
    );
    let doctor = words(&server.command(&helpers[1]).arg("doctor").output().unwrap()).0;
    let gone = format!("BAD  the hooks of claude call {}, which is gone", helpers[0].display());
    assert!(doctor.contains(&gone), "{doctor}");
    run(&helpers[1], &["install"]);
    let doctor = words(&server.command(&helpers[1]).arg("doctor").output().unwrap()).0;
    assert!(
        doctor.contains("ok   these agents report what they do: claude opencode"),
        "{doctor}"
    );
    let word = shell_word(&helpers[1]);
    let start = format!("test -x {word} && {word} report --hook claude ");
    assert!(
        commands(&path).iter().all(|(_, command)| command.starts_with(&start)),
        "{:?}",
        commands(&path)
    );
    assert_eq!(commands(&path).len(), 12);
    assert_eq!(
        fs::read_to_string(path.with_extension("json.tmux-status-backup")).unwrap(),
        text
    );
    run(&helpers[1], &["uninstall"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn without_a_name_only_agents_that_are_here_are_meant_and_a_name_makes_what_is_missing() {
    let server = home(NEW);
    let error = failed(&server, &["install"]);
    assert!(
        error.contains("hint: name one") && FILES.iter().all(|(id, _)| error.contains(id)),
        "{error}"
    );
    let status = done(&server, &["status"]);
    assert_eq!(status.matches("not found").count(), FILES.len(), "{status}");
    fs::create_dir(server.room().join("home/.codex")).unwrap();
    let told = done(&server, &["install"]);
    assert!(
        told.starts_with("codex: hooks added") && told.contains("whether you trust these hooks"),
        "{told}"
    );
    assert!(!file_of(&server, "claude").exists());
    let told = done(&server, &["install", "qwen", "opencode", "copilot"]);
    assert_eq!(told.matches("hooks added to ").count(), 3, "{told}");
    for (agent, _) in FILES {
        let made = ["codex", "qwen", "opencode", "copilot"].contains(agent);
        assert_eq!(file_of(&server, agent).exists(), made, "{agent}");
    }
    done(&server, &["uninstall"]);
    for (agent, _) in FILES {
        assert!(
            !file_of(&server, agent).exists(),
            "{agent}: a file that was made goes again"
        );
    }
    let out = agents(&server, &["install", "emacs"]);
    let (_, error) = words(&out);
    assert_eq!(out.status.code(), Some(2));
    assert!(FILES.iter().all(|(id, _)| error.contains(id)), "{error}");
}

#[test]
fn an_old_or_unknown_claude_gets_only_events_for_which_it_does_not_refuse_its_settings() {
    for (version, count) in [
        ("1.0.58", 7),
        ("2.1.77", 7),
        ("2.1.78", 12),
        ("2.1.332", 12),
        ("3.0.0", 12),
        ("dev", 7),
    ] {
        let server = home(version);
        write(&file_of(&server, "claude"), "{}\n");
        let told = done(&server, &["install"]);
        let events: Vec<_> = commands(&file_of(&server, "claude"))
            .into_iter()
            .map(|(event, _)| event)
            .collect();
        assert_eq!(events.len(), count, "{version}: {events:?}");
        assert_eq!(
            told.contains("only the events that every Claude Code knows"),
            count == 7,
            "{told}"
        );
        assert_eq!(events.contains(&"StopFailure".to_owned()), count == 12, "{events:?}");
    }
    // What a version that was asked once knows is not taken back when it cannot be asked.
    let server = home(NEW);
    write(&file_of(&server, "claude"), "{}\n");
    done(&server, &["install"]);
    for odd in ["exit 1", "echo 1.0.0; exit 1", "echo dev", ":"] {
        server.write_script("bin/claude", odd);
        assert!(done(&server, &["install"]).contains("there already"), "{odd}");
    }
    // After an update there is more to report.
    let server = home("2.0.1");
    write(&file_of(&server, "claude"), "{}\n");
    done(&server, &["install"]);
    fake_claude(&server, NEW);
    let told = done(&server, &["install"]);
    assert!(told.starts_with("claude: hooks brought up to date in "), "{told}");
    assert_eq!(commands(&file_of(&server, "claude")).len(), 12);
    done(&server, &["uninstall"]);
    assert_eq!(fs::read_to_string(file_of(&server, "claude")).unwrap(), "{}\n");
}

#[test]
fn folders_are_where_the_environment_says() {
    let server = home(NEW);
    let places = [
        ("claude", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("codex", "CODEX_HOME", "hooks.json"),
        ("copilot", "COPILOT_HOME", "hooks/tmux-status.json"),
        ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
        ("opencode", "XDG_CONFIG_HOME", "opencode/plugins/tmux-status.js"),
        ("qwen", "QWEN_HOME", "settings.json"),
    ];
    for (agent, variable, file) in places {
        let folder = server.room().join("else where").join(agent);
        let out = server
            .command(HELPER)
            .args(["agents", "install", agent])
            .env(variable, &folder)
            .output()
            .unwrap();
        assert!(out.status.success() && folder.join(file).is_file(), "{agent}: {out:?}");
    }
    let out = server
        .command(HELPER)
        .args(["agents", "install", "claude"])
        .env("HOME", "")
        .output()
        .unwrap();
    let error = words(&out).1;
    assert!(
        out.status.code() == Some(1) && error.contains("neither $CLAUDE_CONFIG_DIR nor $HOME"),
        "{error}"
    );
}

#[test]
fn a_file_of_another_with_our_name_is_left_alone() {
    let server = home(NEW);
    for agent in ["opencode", "copilot"] {
        let path = file_of(&server, agent);
        write(&path, "// mine\n");
        let error = failed(&server, &["install", agent]);
        assert!(error.contains("is there and not ours"), "{error}");
        assert!(done(&server, &["uninstall", agent]).contains("no hooks of ours"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "// mine\n");
    }
}

#[test]
fn installed_hooks_report_from_a_pane_and_are_silent_once_the_helper_is_gone() {
    let server = Server::start();
    fake_claude(&server, NEW);
    let helper = copied_helper(&server, "it's a \"place\" with $x");
    for agent in ["claude", "copilot"] {
        let out = server
            .command(&helper)
            .args(["agents", "install", agent])
            .output()
            .unwrap();
        assert!(out.status.success(), "{out:?}");
        let (_, command) = commands(&file_of(&server, agent))
            .into_iter()
            .find(|(e, _)| e.to_lowercase().ends_with("stop"))
            .unwrap();
        let room = shell_word(server.room());
        let payload = r#"{"hook_event_name":"Stop","stopReason":"end_turn","last_assistant_message":"All green."}"#;
        let body = format!("cd {room}\necho '{payload}' | sh -c \"$(cat command)\" >out 2>&1; echo $? >ended.part; mv ended.part ended; exec cat");
        fs::write(server.room().join("command"), &command).unwrap();
        let script = server.write_script("agent", &body);
        let pane = server.open(&format!("exec {}", shell_word(&script)));
        wait_for("the hook", || server.room().join("ended").exists());
        assert_eq!(fs::read_to_string(server.room().join("ended")).unwrap(), "0\n");
        assert_eq!(fs::read_to_string(server.room().join("out")).unwrap(), "");
        let value = server.tmux(&["show-options", "-pqv", "-t", &pane, "@tmux-status-report"]);
        assert_eq!(decode(&value).unwrap().state.as_str(), "done", "{agent}");
        fs::remove_file(server.room().join("ended")).unwrap();
        let gone = command.replace("place", "no place");
        for shell in ["sh", "bash", "dash", "zsh", "fish"]
            .iter()
            .filter(|shell| program(shell).is_some())
        {
            let out = server.command(shell).args(["-c", &gone]).output().unwrap();
            assert_eq!(
                (out.status.code(), words(&out)),
                (Some(0), Default::default()),
                "{shell}: {gone}"
            );
        }
    }
}

#[test]
fn the_opencode_plugin_tells_events_in_order_and_only_those_of_the_turn() {
    if program("node").is_none() {
        return skip("the_opencode_plugin_tells_…", "node is not installed");
    }
    let server = home(NEW);
    done(&server, &["install", "opencode"]);
    let plugin = file_of(&server, "opencode");
    let log = server.room().join("told");
    let fake = server.write_script("fake", &format!("echo \"$*\" \"$(cat)\" >>{}", shell_word(&log)));
    let text = fs::read_to_string(&plugin).unwrap();
    let module = server.room().join("plugin.mjs");
    fs::write(
        &module,
        text.replace(&format!("{HELPER:?}"), &format!("{:?}", fake.to_str().unwrap())),
    )
    .unwrap();
    let driver = r#"
        import { TmuxStatus } from "./plugin.mjs"
        const plugin = await TmuxStatus()
        const event = (type, properties) => plugin.event({ event: { type, properties } })
        await event("session.created", { info: { id: "main" }, sessionID: "main" })
        await event("session.status", { sessionID: "main", status: { type: "busy" } })
        await event("session.status", { sessionID: "main", status: { type: "busy" } })
        await plugin["tool.execute.before"]({ tool: "bash", sessionID: "main" }, { args: { command: "ls", n: 7 } })
        await event("session.created", { info: { id: "sub", parentID: "main" }, sessionID: "sub" })
        await event("session.status", { sessionID: "sub", status: { type: "busy" } })
        await event("permission.asked", { sessionID: "sub", permission: "bash", patterns: ["rm x", "y"], metadata: { diff: "z" } })
        await event("session.idle", { sessionID: "sub" })
        await event("message.part.delta", { sessionID: "main", delta: "x" })
        await event("session.error", { sessionID: "main", error: { name: "APIError", data: { message: "bad request" } } })
        await event("session.status", { sessionID: "main", status: { type: "idle" } })
        await event("session.idle", { sessionID: "main" })
        await event("session.status", { sessionID: "main", status: { type: "busy" } })
        await event("session.idle", { sessionID: "main" })
    "#;
    fs::write(server.room().join("driver.mjs"), driver).unwrap();
    let node = |tmux: &str| {
        server
            .command("node")
            .arg("driver.mjs")
            .envs([("TMUX", tmux), ("TMUX_PANE", tmux)])
            .output()
            .unwrap()
    };
    let out = node("");
    assert!(
        !out.status.success() && !log.exists(),
        "outside tmux it has no hooks at all"
    );
    let out = node("%0");
    assert!(out.status.success(), "{out:?}");
    let told = fs::read_to_string(&log).unwrap();
    let lines: Vec<_> = told
        .lines()
        .map(|line| line.strip_prefix("report --hook opencode ").unwrap())
        .collect();
    assert_eq!(
        lines,
        [
            r#"{"type":"session.status","properties":{"status":{"type":"busy"}}}"#,
            r#"{"type":"tool.execute.before","tool":"bash","args":{"command":"ls"}}"#,
            r#"{"type":"permission.asked","properties":{"permission":"bash","patterns":["rm x"],"metadata":{}}}"#,
            r#"{"type":"session.error","properties":{"error":{"name":"APIError","data":{"message":"bad request"}}}}"#,
            r#"{"type":"session.status","properties":{"status":{"type":"busy"}}}"#,
            r#"{"type":"session.idle","properties":{}}"#,
        ]
    );
}
