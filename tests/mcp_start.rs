//! How the MCP server starts: which tools it offers, which server it talks to, and what it refuses to start with.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Value};
use std::collections::BTreeSet;
use std::fs;
use support::{signal, wait_for, words, Server, HELPER};

fn offered(mcp: &mut Mcp) -> BTreeSet<String> {
    let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
    mcp.tools().iter().map(name).collect()
}

fn capabilities(mcp: &mut Mcp) -> Value {
    let answer = mcp.request("resources/read", json!({ "uri": "tmux://capabilities" }));
    let content = &answer["result"]["contents"][0];
    assert_eq!(content["mimeType"], "application/json");
    serde_json::from_str(content["text"].as_str().unwrap()).unwrap()
}

/// The names that a selection offers, and the toolsets that it names.
fn select(
    server: &Server,
    toolsets: Option<&str>,
    tools: Option<&str>,
    exclude: Option<&str>,
) -> (BTreeSet<String>, Value) {
    let env: Vec<(&str, &str)> = [
        ("LIBTMUX_TOOLSETS", toolsets),
        ("LIBTMUX_TOOLS", tools),
        ("LIBTMUX_EXCLUDE_TOOLS", exclude),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, value?)))
    .collect();
    let mut mcp = Mcp::start_with(server, &[], &env);
    let offered = offered(&mut mcp);
    let told = capabilities(&mut mcp);
    let names: BTreeSet<String> = serde_json::from_value(told["effectiveTools"].clone()).unwrap();
    assert_eq!(names, offered, "the resource tells what the list tells");
    assert_eq!(told["toolCount"], offered.len());
    (offered, told["toolsets"].clone())
}

#[test]
fn toolsets_are_expanded_then_tools_added_then_exclusions_taken_away() {
    let server = Server::quiet();
    let all = select(&server, Some("teardown,execute,manage,inspect"), None, None).0;
    let (usual, sets) = select(&server, None, None, None);
    assert_eq!(sets, json!(["inspect", "manage", "execute"]));
    assert!(usual.is_subset(&all));
    let (inspect, sets) = select(&server, Some(" inspect "), None, None);
    assert_eq!(sets, json!(["inspect"]));
    assert!(inspect.contains("get_status") && inspect.is_subset(&all));
    assert!(select(&server, Some(""), None, None).0.is_empty());
    let one = select(&server, Some(""), Some("list_panes"), None).0;
    assert_eq!(one, BTreeSet::from(["list_panes".to_owned()]));
    let less = select(
        &server,
        Some("inspect"),
        Some("list_panes , list_windows"),
        Some("list_panes, get_status"),
    )
    .0;
    let gone: BTreeSet<String> = ["list_panes", "get_status"].map(str::to_owned).into();
    assert_eq!(less, &inspect - &gone, "an exclusion wins");
    assert_eq!(select(&server, Some("inspect"), Some(""), Some("  ")).0, inspect);
}

#[test]
fn nothing_selected_still_has_its_resource() {
    let server = Server::quiet();
    let mut mcp = Mcp::start_with(&server, &[], &[("LIBTMUX_TOOLSETS", "")]);
    assert_eq!(mcp.tools(), Vec::<Value>::new());
    assert_eq!(capabilities(&mut mcp)["toolCount"], 0);
}

#[test]
fn a_tool_that_is_not_offered_is_no_tool_to_call() {
    let server = Server::quiet();
    let mut mcp = Mcp::start_with(
        &server,
        &[],
        &[
            ("LIBTMUX_TOOLSETS", ""),
            ("LIBTMUX_TOOLS", "list_panes"),
            ("LIBTMUX_EXCLUDE_TOOLS", "list_windows"),
        ],
    );
    let call = |name: &str| json!({ "name": name, "arguments": {} });
    for (name, says) in [
        ("list_sessions", "LIBTMUX_TOOLSETS"),
        ("list_windows", "LIBTMUX_EXCLUDE_TOOLS"),
        ("no_such_tool", "there is no tool"),
        ("List_Panes", "there is no tool"),
    ] {
        let error = mcp.error("tools/call", call(name));
        assert_eq!(
            (&error["code"], &error["data"]["kind"]),
            (&json!(-32602), &json!("invalid_input")),
            "{name}"
        );
        assert!(error["message"].as_str().unwrap().contains(says), "{error}");
    }
    mcp.ok("list_panes", json!({}));
}

#[test]
fn the_resource_tells_each_tool_as_the_list_does() {
    let server = Server::quiet();
    let socket = server.run("display-message -p #{socket_path}");
    let mut mcp = Mcp::start(&server);
    let list = mcp.request("resources/list", json!({}))["result"]["resources"].clone();
    assert_eq!(
        (&list[0]["uri"], &list[1]),
        (&json!("tmux://capabilities"), &Value::Null)
    );
    let templates = mcp.request("resources/templates/list", json!({}));
    assert_eq!(templates["result"]["resourceTemplates"], json!([]));
    let other = mcp.error("resources/read", json!({ "uri": "tmux://capabilities/x" }));
    assert!(other["message"].as_str().unwrap().contains("no resource"), "{other}");
    let told = capabilities(&mut mcp);
    assert_eq!((&told["frozen"], &told["schemaVersion"]), (&json!(true), &json!(2)));
    let connection = &told["connection"];
    assert_eq!(connection["resolvedSocketPath"], json!(socket));
    assert_eq!(
        (&connection["serverState"], &connection["configurationProvenance"]),
        (&json!("existing"), &json!("unknown"))
    );
    let tools = mcp.tools();
    assert_eq!(told["tools"].as_array().unwrap().len(), tools.len());
    for (row, tool) in told["tools"].as_array().unwrap().iter().zip(&tools) {
        let meta = tool["_meta"]
            .as_object()
            .unwrap()
            .values()
            .next()
            .unwrap()
            .as_object()
            .unwrap();
        let row = row.as_object().unwrap();
        assert_eq!((&row["name"], &row["title"]), (&tool["name"], &tool["title"]));
        for (key, value) in meta {
            assert_eq!(&row[key], value, "{} {key}", tool["name"]);
        }
        for (hint, value) in row["annotations"].as_object().unwrap() {
            assert_eq!(&tool["annotations"][hint], value);
        }
        for argument in meta["inputLiteralization"].as_object().unwrap().keys() {
            assert!(
                tool["inputSchema"]["properties"][argument].is_object(),
                "{} {argument}",
                tool["name"]
            );
        }
    }
    // Once the server is gone the resource still says what was true at the start.
    server.run("kill-server");
    assert_eq!(capabilities(&mut mcp), told);
}

/// Arguments and variables, and what is said of them.
type Fault = (
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
    &'static str,
);

#[test]
fn what_makes_no_sense_stops_the_start_before_tmux_is_asked() {
    let server = Server::quiet();
    let log = server.log_tmux_calls();
    let faults: &[Fault] = &[
        (
            &[],
            &[("LIBTMUX_TOOLSETS", "inspect,")],
            "LIBTMUX_TOOLSETS contains an empty name",
        ),
        (
            &[],
            &[("LIBTMUX_TOOLSETS", ",inspect")],
            "LIBTMUX_TOOLSETS contains an empty name",
        ),
        (
            &[],
            &[("LIBTMUX_TOOLSETS", "inspect,,execute")],
            "LIBTMUX_TOOLSETS contains an empty name",
        ),
        (&[], &[("LIBTMUX_TOOLSETS", "Inspect")], "unknown toolset \"Inspect\""),
        (&[], &[("LIBTMUX_TOOLSETS", "all")], "unknown toolset \"all\""),
        (
            &[],
            &[("LIBTMUX_TOOLS", "list_panes,")],
            "LIBTMUX_TOOLS contains an empty name",
        ),
        (&[], &[("LIBTMUX_TOOLS", "list_pane")], "unknown tool \"list_pane\""),
        (&[], &[("LIBTMUX_EXCLUDE_TOOLS", "nope")], "unknown tool \"nope\""),
        (
            &[],
            &[("LIBTMUX_EXCLUDE_TOOLS", "list_panes,,get_status")],
            "contains an empty name",
        ),
        (
            &[],
            &[("LIBTMUX_ENVIRONMENT_VALUES", "HOME,,PATH")],
            "LIBTMUX_ENVIRONMENT_VALUES contains an empty name",
        ),
        (
            &[],
            &[("LIBTMUX_SAFETY", "readonly")],
            "LIBTMUX_SAFETY has been removed",
        ),
        (&[], &[("TMUX_MCP_SAFETY", "")], "TMUX_MCP_SAFETY has been removed"),
        (&[], &[("LIBTMUX_WATCH", "1")], "LIBTMUX_WATCH has been removed"),
        (&[], &[("TMUX_MCP_CONFIRM", "1")], "TMUX_MCP_CONFIRM has been removed"),
        (&["--safety", "readonly"], &[], "--safety has been removed"),
        (&["--safety"], &[], "--safety has been removed"),
        (&["--watch"], &[], "--watch has been removed"),
        (&["--confirm"], &[], "--confirm has been removed"),
        (&["--no-confirm"], &[], "--no-confirm has been removed"),
        (
            &[],
            &[("LIBTMUX_TMUX_CONFIG", "")],
            "LIBTMUX_TMUX_CONFIG must be an absolute path",
        ),
        (
            &[],
            &[("LIBTMUX_TMUX_CONFIG", "tmux.conf")],
            "LIBTMUX_TMUX_CONFIG must be an absolute path",
        ),
        (
            &[],
            &[("LIBTMUX_SOCKET_PATH", "sock")],
            "LIBTMUX_SOCKET_PATH must be an absolute path",
        ),
        (&[], &[("LIBTMUX_SOCKET", "a/b")], "LIBTMUX_SOCKET must be a name"),
        (
            &[],
            &[("LIBTMUX_SOCKET", "a"), ("LIBTMUX_SOCKET_PATH", "/a")],
            "both name a socket",
        ),
        (
            &["--dedicated", "-L", "x"],
            &[],
            "--dedicated names a socket of its own",
        ),
        (&["-S", "/a", "-L", "x"], &[], "cannot be used with"),
        (&["--socket", "/a", "--socket-name", "x"], &[], "both name a socket"),
        (&["--nope"], &[], "unexpected argument"),
    ];
    for (args, env, says) in faults {
        let mut command = server.command(HELPER);
        let out = command
            .arg("mcp")
            .args(*args)
            .envs(env.iter().copied())
            .output()
            .unwrap();
        let (stdout, stderr) = words(&out);
        assert!(!out.status.success() && stdout.is_empty(), "{args:?} {env:?}: {out:?}");
        assert!(stderr.contains(says), "{args:?} {env:?}: {stderr}");
    }
    assert!(
        !log.exists(),
        "tmux was asked: {}",
        fs::read_to_string(&log).unwrap_or_default()
    );
}

#[test]
fn retired_settings_say_what_to_do_instead() {
    let server = Server::setup().prepare();
    let mut command = server.command(HELPER);
    let out = command.arg("mcp").env("LIBTMUX_SAFETY", "mutating").output().unwrap();
    assert!(words(&out).1.contains("mutating is inspect,manage,execute"), "{out:?}");
}

/// Which server a start with these arguments and variables talks to, as its resource says, and how it was chosen.
fn socket_of(server: &Server, args: &[&str], env: &[(&str, &str)]) -> (String, String) {
    let told = capabilities(&mut Mcp::start_with(server, args, env));
    let text = |key: &str| told["connection"][key].as_str().unwrap().to_owned();
    (text("resolvedSocketPath"), text("socketProvenance"))
}

#[test]
fn the_server_is_the_users_own_unless_another_is_named() {
    let server = Server::quiet();
    let default = server.run("display-message -p #{socket_path}");
    let named = default.replace("/default", "/other");
    let path = format!("{}/elsewhere", server.room().display());
    let is = |args: &[&str], env: &[(&str, &str)], socket: &str, how: &str| {
        assert_eq!(
            socket_of(&server, args, env),
            (socket.to_owned(), how.to_owned()),
            "{args:?} {env:?}"
        );
    };
    is(&[], &[], &default, "tmux-default");
    is(&[], &[("TMUX", "")], &default, "tmux-default");
    let inside = format!("{named},1,0");
    is(&[], &[("TMUX", &inside)], &named, "operator-current");
    is(
        &[],
        &[("LIBTMUX_SOCKET", "other"), ("TMUX", &format!("{path},1,0"))],
        &named,
        "operator-environment",
    );
    is(&[], &[("LIBTMUX_SOCKET_PATH", &path)], &path, "operator-environment");
    is(
        &[],
        &[("LIBTMUX_SOCKET_PATH", " "), ("LIBTMUX_SOCKET", "")],
        &default,
        "tmux-default",
    );
    let both = [("LIBTMUX_SOCKET_PATH", "not absolute"), ("LIBTMUX_SOCKET", "a/b")];
    is(&["-L", "other"], &both, &named, "operator-flag");
    is(&["-S", &path], &both, &path, "operator-flag");
    is(&["--socket-name", "other"], &both, &named, "operator-flag");
    is(&["--socket", &path], &both, &path, "operator-flag");
    let mut mcp = Mcp::start_with(&server, &["-L", "other"], &[]);
    assert_eq!(mcp.kind("list_sessions", json!({})), "server_gone");
}

fn dedicated(server: &Server, env: &[(&str, &str)]) -> Mcp {
    Mcp::start_with(server, &["--dedicated"], env)
}

fn provenance(mcp: &mut Mcp) -> (bool, String) {
    let told = capabilities(mcp);
    let sets: Vec<String> = serde_json::from_value(told["toolsets"].clone()).unwrap();
    let configuration = told["connection"]["configurationProvenance"].as_str().unwrap();
    (sets.contains(&"teardown".to_owned()), configuration.to_owned())
}

#[test]
fn a_server_of_its_own_is_started_and_ended_with_its_starter() {
    let server = Server::setup().prepare();
    let mut mcp = dedicated(&server, &[]);
    assert_eq!(provenance(&mut mcp), (true, "shipped-minimal".to_owned()));
    assert_eq!(mcp.ok("list_sessions", json!({})), json!({ "sessions": [] }));
    assert_eq!(server.processes_with("start-server").len(), 1);
    assert!(mcp.close().success());
    wait_for("the end of its server", || {
        server.processes_with("start-server").is_empty()
    });
}

#[test]
fn a_signal_ends_it_as_a_closed_pipe_does() {
    let server = Server::setup().prepare();
    let mut mcp = dedicated(&server, &[]);
    signal(mcp.pid(), "TERM");
    assert!(mcp.wait().success());
    wait_for("the end of its server", || {
        server.processes_with("start-server").is_empty()
    });
}

#[test]
fn a_server_of_its_own_outlives_its_starter_while_another_uses_it() {
    let server = Server::setup().prepare();
    let mut first = dedicated(&server, &[]);
    let mut second = dedicated(&server, &[]);
    assert_eq!(provenance(&mut first).1, "shipped-minimal");
    assert_eq!(provenance(&mut second), (false, "unknown".to_owned()));
    assert!(first.close().success());
    second.ok("list_sessions", json!({}));
    assert!(second.close().success());
    let left = Mcp::start_with(&server, &["-L", "tmux-status-mcp"], &[]).ok("list_sessions", json!({}));
    assert_eq!(
        left,
        json!({ "sessions": [] }),
        "who has not started it does not end it"
    );
}

#[test]
fn the_last_that_uses_a_server_of_its_own_ends_it_if_it_has_started_it() {
    let server = Server::setup().prepare();
    let first = dedicated(&server, &[]);
    let second = dedicated(&server, &[]);
    assert!(second.close().success());
    assert!(first.close().success());
    wait_for("the end of its server", || {
        server.processes_with("start-server").is_empty()
    });
}

#[test]
fn with_a_configuration_named_no_server_is_started() {
    let server = Server::setup().prepare();
    let mut mcp = dedicated(&server, &[("LIBTMUX_TMUX_CONFIG", "/dev/null")]);
    assert_eq!(provenance(&mut mcp), (false, "operator-claimed".to_owned()));
    assert_eq!(mcp.kind("list_sessions", json!({})), "server_gone");
}

#[test]
fn a_server_that_is_named_is_left_alone() {
    let server = Server::quiet();
    assert!(Mcp::start(&server).close().success());
    assert_eq!(server.run("list-sessions -F #{session_name}"), "work");
}
