//! What a tool is, and the list of all: everything that is told about a tool is made from its one value here.
//!
//! Each tool is a file in `tools/TOOLSET/`, with its arguments and its reply as structs whose doc comments are the
//! descriptions in its schemas. Deliberately absent: state. A tool is a constant.

use super::host::Host;
use super::outcome::Problem;
use super::tools;
use rmcp::model::JsonObject;
use schemars::generate::SchemaSettings;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::{json, Value};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// What a toolset is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Toolset {
    /// Reads.
    Inspect,
    /// Changes tmux's objects without giving anything to a program.
    Manage,
    /// Starts programs or types into them.
    Execute,
    /// Takes away what cannot be had back.
    Teardown,
}

impl Toolset {
    /// All, in the order in which they are told.
    pub const ALL: [Toolset; 4] = [Self::Inspect, Self::Manage, Self::Execute, Self::Teardown];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Inspect => "inspect",
            Self::Manage => "manage",
            Self::Execute => "execute",
            Self::Teardown => "teardown",
        }
    }
}

/// The four hints of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// It may destroy something.
    pub destructive: bool,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: bool,
    /// It hands on what programs show, or reaches a program.
    pub open_world: bool,
}

impl Hints {
    /// Of a tool that reads what tmux knows.
    pub const READ: Hints = Hints {
        read_only: true,
        destructive: false,
        idempotent: true,
        open_world: false,
    };

    /// Of a tool that reads what programs show.
    pub const READ_SCREEN: Hints = Hints {
        open_world: true,
        ..Self::READ
    };

    /// Of a tool that changes tmux's objects, each time anew.
    pub const CHANGE: Hints = Hints {
        read_only: false,
        destructive: false,
        idempotent: false,
        open_world: false,
    };

    /// Of a tool that sets something.
    pub const SET: Hints = Hints {
        idempotent: true,
        ..Self::CHANGE
    };

    /// Of a tool that takes away what cannot be had back.
    pub const DELETE: Hints = Hints {
        destructive: true,
        ..Self::SET
    };

    pub(super) fn to_json(self) -> JsonObject {
        let hints = [
            ("readOnlyHint", self.read_only),
            ("destructiveHint", self.destructive),
            ("idempotentHint", self.idempotent),
            ("openWorldHint", self.open_world),
        ];
        hints
            .map(|(name, is)| (name.to_owned(), Value::Bool(is)))
            .into_iter()
            .collect()
    }
}

/// How far a tool reaches, for those who decide whether to offer it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capability {
    /// `none`, `configured-process`, `pane-input` or `pane-command`.
    pub reach: &'static str,
    /// Of `observe`, `change` and `delete`.
    pub effects: &'static [&'static str],
    /// Of `tmux-metadata`, `terminal-content`, `process-environment` and `configured-command`.
    pub outputs: &'static [&'static str],
    /// Arguments that tmux would expand as formats, and what is done about it: `double-hash-once` or
    /// `validated-variable-name`.
    pub literal: &'static [(&'static str, &'static str)],
    /// Whether it makes what is typed later reach more panes.
    pub amplifies: bool,
    /// Tools that can be called through it.
    pub nested: &'static [&'static str],
}

impl Capability {
    /// Of a tool that reads what tmux knows.
    pub const METADATA: Capability = Capability {
        reach: "none",
        effects: &["observe"],
        outputs: &["tmux-metadata"],
        literal: &[],
        amplifies: false,
        nested: &[],
    };

    /// Of a tool that reads what programs show.
    pub const SCREEN: Capability = Capability {
        outputs: &["tmux-metadata", "terminal-content"],
        ..Self::METADATA
    };

    /// Of a tool that changes tmux's objects.
    pub const CHANGE: Capability = Capability {
        effects: &["change"],
        ..Self::METADATA
    };

    /// Of a tool that takes away what cannot be had back.
    pub const DELETE: Capability = Capability {
        effects: &["delete"],
        ..Self::METADATA
    };
}

/// A tool's row in the capability record. What passes through tmux (names, paths, screens) may be a secret, and may be
/// written by anybody; no tool is free of that.
pub fn capability_row(tool: &Tool, effects: &[&str], outputs: &[&str], nested: &[&str]) -> Value {
    let capability = &tool.capability;
    let literal: JsonObject = capability
        .literal
        .iter()
        .map(|(name, rule)| ((*name).to_owned(), json!(rule)))
        .collect();
    json!({
        "toolset": tool.toolset.as_str(),
        "processReach": capability.reach,
        "tmuxEffects": effects,
        "outputClasses": outputs,
        "mayExposeSecrets": true,
        "mayReturnUntrustedContent": true,
        "inputLiteralization": literal,
        "amplifiesFutureInput": capability.amplifies,
        "nestedAuthority": nested,
    })
}

/// A call that is under way.
#[derive(Debug, Clone)]
pub struct Call {
    /// Says when its client wants no answer any more.
    pub cancelled: CancellationToken,
    /// Bytes that the line of its reply takes beside the reply itself.
    pub envelope: usize,
}

/// What a call comes to, later.
pub type Later = Pin<Box<dyn Future<Output = Result<Value, Problem>> + Send>>;

/// How a tool is run.
#[derive(Clone, Copy)]
pub enum Run {
    /// In a thread of its own, for what takes as long as tmux takes to answer. There are few such threads: never wait for
    /// anything else in one.
    Asks(fn(&Host, JsonObject) -> Result<Value, Problem>),
    /// For what waits: as a task beside others. It may block nothing but through [`Host::ask`].
    Waits(fn(Arc<Host>, JsonObject, Call) -> Later),
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Run::Asks(_) => "Asks",
            Run::Waits(_) => "Waits",
        })
    }
}

/// A tool.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does, for the one who chooses among many: short.
    pub description: &'static str,
    /// Where it belongs.
    pub toolset: Toolset,
    /// What a client may count on.
    pub hints: Hints,
    /// How far it reaches.
    pub capability: Capability,
    /// The schema of its arguments.
    pub input: fn() -> JsonObject,
    /// The schema of its reply.
    pub output: fn() -> JsonObject,
    /// What it does.
    pub run: Run,
}

/// Every tool, by name.
pub fn all() -> Vec<&'static Tool> {
    let mut tools: Vec<&Tool> = [
        tools::inspect::TOOLS,
        tools::manage::TOOLS,
        tools::execute::TOOLS,
        tools::teardown::TOOLS,
    ]
    .concat();
    tools.sort_by_key(|tool| tool.name);
    tools
}

/// Reads a tool's arguments, runs it, and writes its reply.
///
/// # Errors
/// Those of the tool, and arguments that do not fit.
pub fn ask<A: DeserializeOwned, R: Serialize>(
    host: &Host,
    arguments: JsonObject,
    run: impl FnOnce(&Host, A) -> Result<R, Problem>,
) -> Result<Value, Problem> {
    reply(run(host, read(arguments)?)?)
}

/// A tool's arguments.
///
/// # Errors
/// When they do not fit, saying which and why.
pub fn read<A: DeserializeOwned>(arguments: JsonObject) -> Result<A, Problem> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| Problem::input(error.to_string()))
}

/// A tool's reply.
///
/// # Errors
/// None are expected: every reply can be written as JSON.
pub fn reply(reply: impl Serialize) -> Result<Value, Problem> {
    serde_json::to_value(reply).map_err(|error| Problem::refused(format!("the reply cannot be written: {error}")))
}

/// The schema of `T`, without what a reader does not need. Give to a tool as `schema::<Args>`.
pub fn schema<T: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    slim(&mut schema);
    match schema {
        Value::Object(mut schema) => {
            schema.remove("title");
            schema.remove("description");
            schema.entry("properties").or_insert_with(|| json!({}));
            schema
        }
        _ => JsonObject::new(),
    }
}

/// Takes the titles of types out, which say nothing, and sizes of integers that are those of this program.
fn slim(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            let unsized_format = |format: &Value| format.as_str().is_some_and(|word| word.starts_with("uint"));
            if object.get("format").is_some_and(unsized_format) {
                object.remove("format");
            }
            // What an omitted argument that may be null is taken for goes without saying.
            if object.get("default") == Some(&Value::Null) {
                object.remove("default");
            }
            for (name, value) in object.iter_mut() {
                // A schema cannot tell a property named `default` from the keyword, but none of ours holds a schema.
                if name != "default" {
                    slim(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(slim),
        _ => {}
    }
}
