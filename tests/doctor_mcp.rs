//! What `doctor --mcp` finds in the set-up of MCP clients, and that it writes nothing.

#![allow(clippy::unwrap_used, clippy::panic)] // a test may stop where it fails

mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use support::{words, Server, HELPER};

/// A home with those files, below it or below `work`, the folder in which `doctor` is started.
struct Homes {
    server: Server,
}

impl Homes {
    fn with(files: &[(&str, &str)]) -> Self {
        let server = Server::quiet();
        let homes = Self { server };
        fs::create_dir_all(homes.at("bin")).unwrap();
        fs::create_dir_all(homes.at("work")).unwrap();
        symlink(HELPER, homes.at("bin/tmux-status")).unwrap();
        for (file, text) in files {
            let path = homes.at(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        homes
    }

    fn at(&self, file: &str) -> std::path::PathBuf {
        self.server.room().join("clients").join(file)
    }

    /// What it says, and whether it found something broken.
    fn doctor_with(&self, args: &[&str], env: &[(&str, &str)]) -> (String, bool) {
        let path = std::env::var("PATH").unwrap();
        let mut command = self.server.command(HELPER);
        command
            .args(["doctor", "--mcp"])
            .args(args)
            .current_dir(self.at("work"))
            .env("HOME", self.at(""))
            .env("PATH", format!("{}:{path}", self.at("bin").display()))
            .env_remove("CODEX_HOME")
            .env_remove("CLAUDE_CONFIG_DIR")
            .env_remove("GEMINI_CLI_HOME")
            .envs(env.iter().copied());
        let out = command.output().unwrap();
        (words(&out).0, out.status.code() == Some(1))
    }

    fn doctor(&self) -> (String, bool) {
        self.doctor_with(&[], &[])
    }
}

/// The advice below the line that has all of `parts`.
#[track_caller]
fn advice(told: &str, parts: &[&str]) -> String {
    let mut lines = told
        .lines()
        .skip_while(|line| !parts.iter().all(|part| line.contains(part)));
    lines.next().unwrap_or_else(|| panic!("{parts:?} is not in {told}"));
    let advice = lines.next().and_then(|line| line.trim().strip_prefix("-> "));
    advice
        .unwrap_or_else(|| panic!("no advice for {parts:?} in {told}"))
        .to_owned()
}

#[test]
fn it_starts_and_tells_its_server_and_toolsets() {
    let homes = Homes::with(&[]);
    let (told, broken) = homes.doctor();
    assert!(!broken, "{told}");
    assert!(
        told.contains("starts and lists 42 tools: 20 inspect, 13 manage, 9 execute, no teardown"),
        "{told}"
    );
    assert!(told.contains("its tmux server: the default one, here "), "{told}");
    assert!(told.contains("no client that is known here"), "{told}");
    let read_only = [
        ("LIBTMUX_TOOLSETS", "inspect"),
        ("LIBTMUX_EXCLUDE_TOOLS", "search_panes"),
    ];
    let (told, _) = homes.doctor_with(&[], &read_only);
    assert!(
        told.contains("19 tools: 19 inspect, no manage, no execute, no teardown"),
        "{told}"
    );
    let (told, broken) = homes.doctor_with(&["-L", "nobody"], &[]);
    assert!(!broken && told.contains("/nobody, as -S or -L says"), "{told}");
    assert!(
        advice(&told, &["no tmux server runs there"]).contains("server_gone"),
        "{told}"
    );
    let (told, broken) = homes.doctor_with(&[], &[("LIBTMUX_TOOLSETS", "inspct")]);
    assert!(broken && told.contains("unknown toolset"), "{told}");
}

const JSON: &str = r#"{ "mcpServers": { "tmux": { "command": "tmux-status", "args": ["mcp"] } } }"#;

#[test]
fn sound_entries_of_every_client_are_told_with_what_they_come_to() {
    let codex = "[mcp_servers.tmux]\ncommand = \"tmux-status\"\nargs = [\"mcp\", \"-L\", \"agents\"]\n\
                 env_vars = [\"TMUX\", \"TMUX_PANE\"]\n";
    let code =
        "{ // mine\n \"servers\": { \"t\": { \"type\": \"stdio\", \"command\": \"tmux-status\", \"args\": [\"mcp\"],\n\
                \"env\": { \"LIBTMUX_TOOLSETS\": \"inspect\" }, }, } }";
    let files = [
        (".claude.json", JSON),
        (".codex/config.toml", codex),
        (".gemini/settings.json", JSON),
        (".cursor/mcp.json", JSON),
        (".config/Code/User/mcp.json", code),
    ];
    let homes = Homes::with(&files);
    let (told, broken) = homes.doctor();
    assert!(!broken && !told.contains("note"), "{told}");
    for (client, parts) in [
        ("Claude Code, ", "mcpServers.tmux starts it with 42 tools"),
        ("Codex, ", "/agents, as -S or -L says"),
        ("Gemini CLI, ", "mcpServers.tmux starts it with 42 tools"),
        ("Cursor, ", "mcpServers.tmux starts it with 42 tools"),
        ("VS Code, ", "servers.t starts it with 20 tools"),
    ] {
        let line = told
            .lines()
            .find(|line| line.contains(client))
            .unwrap_or_else(|| panic!("{client}: {told}"));
        assert!(line.starts_with("ok ") && line.contains(parts), "{line}");
    }
    for (file, text) in files {
        assert_eq!(fs::read_to_string(homes.at(file)).unwrap(), text, "nothing is written");
    }
}

/// What one entry of Claude Code's comes to.
fn entry(entry: &str) -> (String, bool) {
    let text = format!("{{ \"mcpServers\": {{ \"tmux\": {entry} }} }}");
    Homes::with(&[("work/.mcp.json", &text)]).doctor()
}

#[test]
fn what_is_wrong_with_an_entry_is_told_with_what_to_do() {
    for (text, what, fix) in [
        (r#"{ "command": "tmux-status mcp" }"#, "one program's name", "into args"),
        (
            r#"{ "command": "tmux-status" }"#,
            "is no MCP server",
            "\"mcp\" into args",
        ),
        (
            r#"{ "command": "tmux-status", "args": ["show"] }"#,
            "is no MCP server",
            "\"mcp\"",
        ),
        (
            r#"{ "command": "tmux-status", "args": ["mpc"] }"#,
            "its args are wrong",
            "[\"mcp\"]",
        ),
        (
            r#"{ "command": "tmux-status", "args": ["mcp", "--safety", "readonly"] }"#,
            "--safety has been removed",
            "inspect",
        ),
        (
            r#"{ "command": "/nowhere/tmux-status", "args": ["mcp"] }"#,
            "cannot be run",
            "make the command /",
        ),
        (
            r#"{ "command": "bin/tmux-status", "args": ["mcp"] }"#,
            "depends on the folder",
            "make the command /",
        ),
        (
            r#"{ "type": "http", "command": "tmux-status", "args": ["mcp"] }"#,
            "the type http",
            "stdio",
        ),
        (
            r#"{ "command": "tmux-status", "args": ["mcp"], "env": { "LIBTMUX_TOOLSETS": "all" } }"#,
            "unknown toolset",
            "inspect",
        ),
    ] {
        let (told, broken) = entry(text);
        assert!(broken, "{text}: {told}");
        let advice = advice(&told, &["mcpServers.tmux", what]);
        assert!(advice.contains(fix), "{text}: {advice}");
    }
    for (text, what) in [
        (
            r#"{ "command": "tmux-status", "args": ["mcp"], "disabled": true }"#,
            "is switched off",
        ),
        (
            r#"{ "command": "env", "args": ["tmux-status", "mcp"] }"#,
            "not looked into",
        ),
        (
            r#"{ "command": "${HOME}/bin/tmux-status", "args": ["mcp"] }"#,
            "known to its client alone",
        ),
    ] {
        let (told, broken) = entry(text);
        assert!(!broken, "{text}: {told}");
        advice(&told, &["mcpServers.tmux", what]);
    }
}

#[test]
fn files_that_cannot_be_read_and_entries_in_the_wrong_place_are_told() {
    let homes = Homes::with(&[
        (".claude.json", "{ \"mcpServers\": {"),
        ("work/.vscode/mcp.json", JSON),
        (".codex/config.toml", "[mcp_servers.tmux\n"),
        (".cursor/mcp.json", "{ \"mcpServers\": {} }"),
        ("work/.gemini/settings.json", ""),
    ]);
    fs::create_dir_all(homes.at(".gemini/settings.json")).unwrap();
    let (told, broken) = homes.doctor();
    assert!(broken, "{told}");
    advice(&told, &["Claude Code", ".claude.json cannot be read"]);
    advice(&told, &["Codex", "config.toml cannot be read"]);
    advice(&told, &["Gemini CLI", "settings.json cannot be read"]);
    assert_eq!(
        advice(&told, &["VS Code", "is not seen", "reads servers"]),
        "move it into servers"
    );
    assert!(
        advice(&told, &["Cursor does not start it"]).contains("\"args\": [\"mcp\"]"),
        "{told}"
    );
}

#[test]
fn variables_that_codex_keeps_back_and_folders_that_are_named_elsewhere_are_minded() {
    let codex = "[mcp_servers.tmux]\ncommand = \"tmux-status\"\nargs = [\"mcp\"]\nenv_vars = [\"TMUX\"]\n";
    let homes = Homes::with(&[("elsewhere/config.toml", codex), (".codex/config.toml", "broken")]);
    let elsewhere = homes.at("elsewhere");
    let (told, broken) = homes.doctor_with(&[], &[("CODEX_HOME", elsewhere.to_str().unwrap())]);
    assert!(!broken, "{told}");
    let advice = advice(&told, &["Codex does not hand on TMUX_PANE"]);
    assert!(advice.contains("env_vars = [\"TMUX\", \"TMUX_PANE\"]"), "{advice}");
}

#[test]
fn what_claude_code_keeps_for_this_folder_counts_and_that_of_others_does_not() {
    let homes = Homes::with(&[]);
    let here = homes.at("work").canonicalize().unwrap();
    let text = |folder: &Path| format!("{{ \"projects\": {{ {:?}: {JSON} }} }}", folder.to_str().unwrap());
    fs::write(homes.at(".claude.json"), text(&here)).unwrap();
    let (told, _) = homes.doctor();
    assert!(told.contains("mcpServers.tmux starts it"), "{told}");
    fs::write(homes.at(".claude.json"), text(Path::new("/other"))).unwrap();
    let (told, _) = homes.doctor();
    assert!(
        advice(&told, &["Claude Code does not start it"]).contains("claude mcp add"),
        "{told}"
    );
}
