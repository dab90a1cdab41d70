//! `send_keys_batch`.

use super::send_keys;
use crate::mcp::batch::{OnError, Reply, Row};
use crate::mcp::host::Host;
use crate::mcp::limits::BATCH_KEYS;
use crate::mcp::outcome::Problem;
use crate::mcp::registry::{self, schema, Call, Run, Tool, Toolset};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// See [`Tool`].
pub const TOOL: Tool = Tool {
    name: "send_keys_batch",
    title: "Send Keys Batch",
    description:
        "Make several send_keys calls in order, each with all its checks. The batch succeeds though a row may have \
        failed: see `failed` and each row's success.",
    toolset: Toolset::Execute,
    hints: send_keys::HINTS,
    capability: send_keys::CAPABILITY,
    input: schema::<Args>,
    output: schema::<Reply>,
    run: Run::Waits(|host, arguments, call| Box::pin(run(host, arguments, call))),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// 1 to 64 calls, in order.
    operations: Vec<send_keys::Args>,
    /// Whether a call that fails ends the batch.
    #[serde(default)]
    on_error: OnError,
}

async fn run(host: Arc<Host>, arguments: JsonObject, call: Call) -> Result<Value, Problem> {
    let args: Args = registry::read(arguments)?;
    let count = args.operations.len();
    if count == 0 || count > BATCH_KEYS {
        let what = format!("operations takes 1 to {BATCH_KEYS} calls; these are {count}");
        return Err(Problem::input(what));
    }
    let mut reply = Reply::new(args.on_error);
    for operation in args.operations {
        if reply.is_over() || call.cancelled.is_cancelled() {
            break;
        }
        let sent = host.ask(move |host| send_keys::run(host, operation)).await;
        reply.add(Row::of(
            reply.results.len(),
            "send_keys",
            sent.and_then(registry::reply),
        ));
    }
    registry::reply(reply.fit(&call))
}
