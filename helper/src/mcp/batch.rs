//! Several calls in one: in order, one after another, under one approval, and never longer than a client may take.
//!
//! Which replies are left out of one that would be too long is decided in the order of the rows, so that it does not
//! depend on how long anything took.

use super::host::Host;
use super::limits::{BATCH_CALLS, BATCH_LINE_BYTES};
use super::outcome::{self, Problem};
use super::registry::{self, Call, Tool};
use super::server;
use rmcp::model::JsonObject;
use rmcp::ErrorData;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use std::sync::Arc;

/// What to do when a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum OnError {
    /// Make no further call.
    #[default]
    Stop,
    /// Make the others.
    Continue,
}

/// A call in a batch.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    tool: String,
    #[serde(default)]
    arguments: JsonObject,
}

/// Arguments of a batch.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Args {
    operations: Vec<Operation>,
    #[serde(default)]
    on_error: OnError,
}

/// What a call in a batch came to.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub struct Row {
    /// Its place in the batch, from 0.
    pub index: usize,
    /// The tool.
    pub tool: String,
    /// Whether it did what was asked.
    pub success: bool,
    /// The whole result of the call; null where it was left out, or there is none.
    #[schemars(required)]
    pub result: Value,
    /// Why it was no call at all.
    pub error: Option<RowError>,
    /// Whether the result was left out for its length.
    pub result_truncated: bool,
}

/// A protocol error.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct RowError {
    /// JSON-RPC's number.
    pub code: i32,
    /// What was wrong.
    pub message: String,
    /// The same for programs.
    pub data: Value,
}

/// What a batch came to.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    /// A row for each call that was made, in order.
    pub results: Vec<Row>,
    /// How many did what was asked.
    pub succeeded: usize,
    /// How many did not.
    pub failed: usize,
    /// The row after which no further call was made.
    pub stopped_at: Option<usize>,
    /// What was to be done when a call fails.
    pub on_error: OnError,
    /// Whether a result was left out.
    pub truncated: bool,
    /// Bytes of the results that were left out.
    pub truncated_bytes: usize,
}

/// Runs a batch of the tools `may`.
///
/// # Errors
/// Arguments that do not fit. A call that fails is a row, and no error of the batch.
pub async fn run(
    host: Arc<Host>,
    arguments: JsonObject,
    call: Call,
    may: &'static [&'static str],
    most: usize,
) -> Result<Value, Problem> {
    let args: Args = registry::read(arguments)?;
    let count = args.operations.len();
    if count == 0 || count > most {
        return Err(Problem::input(format!(
            "operations takes 1 to {most} calls; these are {count}"
        )));
    }
    let mut reply = Reply::new(args.on_error);
    for operation in args.operations {
        if reply.is_over() || call.cancelled.is_cancelled() {
            break;
        }
        let row = one(&host, reply.results.len(), operation, &call, may).await;
        reply.add(row);
    }
    registry::reply(reply.fit(&call))
}

impl Row {
    /// A call that was made.
    pub fn of(index: usize, tool: &str, outcome: Result<Value, Problem>) -> Self {
        Self {
            index,
            tool: tool.to_owned(),
            success: outcome.is_ok(),
            result: json!(outcome::result(outcome)),
            error: None,
            result_truncated: false,
        }
    }
}

impl Reply {
    /// Of a batch that no call of was made yet.
    pub fn new(on_error: OnError) -> Self {
        Self {
            results: Vec::new(),
            succeeded: 0,
            failed: 0,
            stopped_at: None,
            on_error,
            truncated: false,
            truncated_bytes: 0,
        }
    }

    /// Adds a call's row.
    pub fn add(&mut self, row: Row) {
        if row.success {
            self.succeeded += 1;
        } else {
            self.failed += 1;
            self.stopped_at = (self.on_error == OnError::Stop).then_some(row.index);
        }
        self.results.push(row);
    }

    /// Whether no further call is to be made.
    pub fn is_over(&self) -> bool {
        self.stopped_at.is_some()
    }

    /// The same without the results that its line has no room for.
    #[must_use]
    pub fn fit(mut self, call: &Call) -> Self {
        cut(&mut self, BATCH_LINE_BYTES.saturating_sub(call.envelope));
        self
    }
}

async fn one(host: &Arc<Host>, index: usize, operation: Operation, call: &Call, may: &[&'static str]) -> Row {
    let Operation { tool: name, arguments } = operation;
    let shown = crate::text::one_line(&name, 60);
    match find(host, &name, may) {
        Ok(tool) => Row::of(index, &shown, server::run(host, tool, arguments, call.clone()).await),
        Err(Refusal::Excluded(why)) => Row::of(index, &shown, Err(Problem::input(why))),
        Err(Refusal::NoSuch(error)) => Row {
            result: Value::Null,
            error: Some(error),
            ..Row::of(index, &shown, Err(Problem::input("")))
        },
    }
}

enum Refusal {
    /// It could be called, but for the one who started this.
    Excluded(String),
    /// It cannot be called here.
    NoSuch(RowError),
}

fn find(host: &Host, name: &str, may: &[&'static str]) -> Result<&'static Tool, Refusal> {
    let tool = registry::all()
        .into_iter()
        .find(|tool| tool.name == name && may.contains(&tool.name));
    let Some(tool) = tool else {
        let message = format!("{:?} cannot be called in this batch", crate::text::one_line(name, 60));
        let ErrorData { code, message, data } = ErrorData::invalid_params(message, Some(Problem::input("").data()));
        return Err(Refusal::NoSuch(RowError {
            code: code.0,
            message: message.into_owned(),
            data: data.unwrap_or_default(),
        }));
    };
    match host.selection.excluded.contains(tool.name) {
        true => Err(Refusal::Excluded(host.selection.refusal(tool))),
        false => Ok(tool),
    }
}

/// Leaves results out until the reply takes no more than `most` bytes as a result of the protocol: as data and as text.
fn cut(reply: &mut Reply, most: usize) {
    // Room for the number of bytes left out, in both.
    const SPARE: usize = 64;
    let results: Vec<Value> = reply.results.iter_mut().map(|row| row.result.take()).collect();
    let bare = registry::reply(&*reply).map_or(usize::MAX, |value| length(&json!(outcome::result(Ok(value)))));
    let mut left = most.saturating_sub(bare).saturating_sub(SPARE);
    for (row, result) in reply.results.iter_mut().zip(results) {
        let bytes = result.to_string();
        // Once as it is, once within a string.
        let twice = bytes.len() + length(&Value::String(bytes.clone())) - 2;
        if result.is_null() || twice <= left {
            left = left.saturating_sub(twice);
            row.result = result;
        } else {
            row.result_truncated = true;
            reply.truncated = true;
            reply.truncated_bytes += bytes.len();
        }
    }
}

fn length(value: &Value) -> usize {
    value.to_string().len()
}

/// The schema of a batch's arguments, where the tools `may` can be called in it.
pub fn input(may: &[&'static str]) -> JsonObject {
    let mut shared = JsonObject::new();
    let tools = registry::all().into_iter().filter(|tool| may.contains(&tool.name));
    let one_of: Vec<Value> = tools.map(|tool| operation(tool, &mut shared)).collect();
    // No schema is satisfied by nothing to choose from.
    let items = if one_of.is_empty() {
        json!(false)
    } else {
        json!({ "oneOf": one_of })
    };
    let schema = json!({
        "type": "object",
        "properties": {
            "operations": {
                "description": "The calls to make, in order.",
                "type": "array",
                "minItems": 1,
                "maxItems": BATCH_CALLS,
                "items": items,
            },
            "on_error": {
                "description": "Whether a call that fails ends the batch.",
                "type": "string",
                "enum": ["stop", "continue"],
                "default": "stop",
            },
        },
        "required": ["operations"],
        "additionalProperties": false,
        "$defs": shared,
    });
    match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    }
}

/// A call of `tool` in a batch. A property that several tools have alike stands in `shared` once.
fn operation(tool: &Tool, shared: &mut JsonObject) -> Value {
    let mut arguments = (tool.input)();
    if let Some(Value::Object(properties)) = arguments.get_mut("properties") {
        for (name, property) in properties {
            let property_of_all = shared.entry(name.clone()).or_insert_with(|| property.clone());
            if property_of_all == property {
                *property = json!({ "$ref": format!("#/$defs/{name}") });
            }
        }
    }
    json!({
        "type": "object",
        "properties": {
            "tool": { "const": tool.name, "type": "string", "description": "Tool." },
            "arguments": arguments,
        },
        "required": ["tool"],
        "additionalProperties": false,
    })
}
