//! The MCP server with the official SDK's client: what it makes of the handshake, the list, calls and the resource.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

mod support;

use rmcp_client::model::{CallToolRequestParams, ReadResourceRequestParams, ResourceContents};
use rmcp_client::transport::TokioChildProcess;
use rmcp_client::ServiceExt;
use serde_json::{json, Value};
use support::{Server, HELPER};

#[test]
fn the_official_client_finds_its_way() {
    let server = Server::quiet();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut command = server.command(HELPER);
        command.arg("mcp");
        let transport = TokioChildProcess::new(tokio::process::Command::from(command)).unwrap();
        let client = ().serve(transport).await.unwrap();
        let info = client.peer_info().unwrap();
        assert_eq!(info.server_info.as_ref().unwrap().name, "tmux-status");
        let tools = client.list_all_tools().await.unwrap();
        assert!(tools.iter().any(|tool| tool.name == "list_sessions"));
        let arguments = |value: Value| value.as_object().unwrap().clone();
        let call = CallToolRequestParams::new("list_sessions").with_arguments(arguments(json!({})));
        let result = client.call_tool(call).await.unwrap();
        assert_ne!(result.is_error, Some(true));
        assert_eq!(result.structured_content.unwrap()["sessions"][0]["name"], "work");
        let call = CallToolRequestParams::new("get_pane_info").with_arguments(arguments(json!({ "pane": "%9" })));
        let result = client.call_tool(call).await.unwrap();
        assert_eq!(result.is_error, Some(true));
        assert_eq!(result.structured_content.unwrap()["data"]["kind"], "object_gone");
        let call = CallToolRequestParams::new("no_such_tool");
        assert!(client.call_tool(call).await.is_err());
        let resources = client.list_all_resources().await.unwrap();
        let uri = resources[0].uri.clone();
        let read = client.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap();
        let ResourceContents::TextResourceContents { text, .. } = &read.contents[0] else {
            panic!("the resource is text");
        };
        assert_eq!(serde_json::from_str::<Value>(text).unwrap()["frozen"], true);
        client.cancel().await.unwrap();
    });
}
