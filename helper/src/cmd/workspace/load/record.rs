//! What programs read of a load.

use super::saved::Share;
use crate::cmd::workspace::{print_record, Reader};
use crate::model::{PaneId, SessionId, WindowId};
use crate::workspace::load::event::{Event, ScriptOutput, Warning};
use crate::workspace::load::{Built, Stage};
use crate::workspace::plan::Setting;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::spec::Session;
use anyhow::Result;
use serde::Serialize;
use serde_json::{json, Value};

/// What programs call a warning of the document itself.
pub const DOCUMENT: &str = "document";

/// What came of one input.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// The input, as it was written.
    pub input: String,
    /// Its number among the inputs, from 0.
    pub input_index: usize,
    /// The session that it is in.
    pub session_id: Option<SessionId>,
    /// Its name.
    pub session_name: String,
    /// The session whose windows it shares, where it was made to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_windows_as: Option<String>,
    /// The windows that were made, in the order of the document.
    pub window_ids: Vec<WindowId>,
    /// The panes, likewise.
    pub pane_ids: Vec<PaneId>,
    /// Whether the session was made for it.
    pub owned_session: bool,
    /// Whether a session that was there is taken as it is.
    pub reused: bool,
    /// Whether its user did not want it.
    pub declined: bool,
    /// How far it came.
    pub stage: Stage,
    /// What the script has printed.
    pub script_output: Option<ScriptOutput>,
    /// What is not as it should be.
    pub warnings: Vec<Warning>,
}

impl Outcome {
    /// What came of a build.
    pub fn of(input: &str, input_index: usize, session_name: &str, built: &Built) -> Self {
        Self {
            input: input.to_owned(),
            input_index,
            session_id: built.session,
            session_name: session_name.to_owned(),
            same_windows_as: None,
            window_ids: built.windows(),
            pane_ids: built.made.iter().map(|made| made.pane_id).collect(),
            owned_session: built.owned,
            reused: built.stage == Stage::Reused,
            declined: built.stage == Stage::Declined,
            stage: built.stage,
            script_output: built.script.clone(),
            warnings: built.warnings.clone(),
        }
    }

    /// That a session was made that shares windows.
    pub fn of_share(share: &Share, input_index: usize, session: SessionId) -> Self {
        let mut built = Built::untouched(Stage::Completed, Some(session));
        built.owned = true;
        Self {
            same_windows_as: Some(share.with.clone()),
            ..Self::of(&share.input, input_index, &share.name, &built)
        }
    }

    /// The same, with what is told of the document itself.
    #[must_use]
    pub fn with_document(mut self, session: &Session) -> Self {
        let own = session.warnings.iter().map(|message| Warning {
            code: DOCUMENT,
            message: message.clone(),
        });
        self.warnings.splice(0..0, own);
        self
    }

    /// Windows and panes in words.
    pub fn counts(&self) -> String {
        let count = crate::text::count;
        let windows = count(self.window_ids.len(), "window");
        format!("{windows}, {}", count(self.pane_ids.len(), "pane"))
    }
}

/// Why an input was not loaded, and what is left of it.
#[derive(Debug, Clone, Serialize)]
pub struct Failed {
    /// For programs.
    pub code: Code,
    /// For people.
    pub message: String,
    /// Its number among the inputs; none where it is not about one.
    pub input_index: Option<usize>,
    /// What was changed before it failed.
    pub effects: Effects,
    /// The session's name, for people.
    #[serde(skip)]
    pub session_name: String,
    /// Whether something of it remains.
    pub partial_effects: bool,
    /// Whether what was being done when a signal came may or may not have been done.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub outcome_unknown: bool,
}

/// What was changed.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Effects {
    /// How far it came.
    pub stage: Stage,
    /// The session that was made, or built in.
    pub session_id: Option<SessionId>,
    /// The windows that were made.
    pub window_ids: Vec<WindowId>,
    /// The panes that were made.
    pub pane_ids: Vec<PaneId>,
    /// Whether the session was removed again.
    pub session_removed: bool,
    /// What was set and still is.
    pub settings: Vec<Setting>,
}

impl Failed {
    /// One for which nothing was changed.
    pub fn before(refusal: &Refusal, input_index: Option<usize>) -> Self {
        Self::after(refusal, input_index, &Built::default())
    }

    /// One that left something.
    pub fn after(refusal: &Refusal, input_index: Option<usize>, built: &Built) -> Self {
        Self {
            code: refusal.code,
            message: refusal.message.clone(),
            input_index,
            effects: Effects {
                stage: built.stage,
                session_id: built.session,
                window_ids: built.windows(),
                pane_ids: built.made.iter().map(|made| made.pane_id).collect(),
                session_removed: built.removed,
                settings: built.settings(),
            },
            session_name: String::new(),
            partial_effects: built.remains(),
            outcome_unknown: refusal.code == Code::Interrupted && built.stage != Stage::Preflight,
        }
    }
}

impl Failed {
    /// The same with the name of the session.
    #[must_use]
    pub fn called(mut self, name: &str) -> Self {
        name.clone_into(&mut self.session_name);
        self
    }
}

/// All of it.
#[derive(Debug, Serialize)]
struct Report<'a> {
    schema_version: u32,
    command: &'static str,
    status: &'static str,
    results: &'a [Outcome],
    errors: &'a [Failed],
    /// What is about no one of them.
    warnings: &'a [Warning],
}

/// Writes records, as a program wants them.
#[derive(Debug)]
pub struct Records {
    reader: Reader,
    next: u64,
}

impl Records {
    /// For that reader.
    pub fn new(reader: Reader) -> Self {
        Self { reader, next: 0 }
    }

    /// Tells all of it: as one document, or as the last record.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(&mut self, results: &[Outcome], errors: &[Failed], warnings: &[Warning]) -> Result<()> {
        let report = Report {
            schema_version: 1,
            command: "load",
            status: if errors.is_empty() { "ok" } else { "error" },
            results,
            errors,
            warnings,
        };
        match self.reader {
            Reader::Human => {}
            Reader::Json => print_record(&report, self.reader)?,
            Reader::Ndjson => self.record("completed", serde_json::to_value(&report)?)?,
        }
        Ok(())
    }

    /// A record for one who reads them as they come.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn record(&mut self, event: &str, fields: Value) -> Result<()> {
        if self.reader != Reader::Ndjson {
            return Ok(());
        }
        let mut record = json!({ "schema_version": 1, "sequence": self.next, "event": event });
        if let (Some(record), Value::Object(fields)) = (record.as_object_mut(), fields) {
            record.extend(fields);
        }
        self.next += 1;
        print_record(&record, self.reader)
    }

    /// The record of something that happens to one input.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn tell(&mut self, input_index: usize, event: &Event<'_>) -> Result<()> {
        let (name, mut fields) = fields(event);
        if let Some(fields) = fields.as_object_mut() {
            fields.insert("input_index".to_owned(), json!(input_index));
        }
        self.record(name, fields)
    }
}

/// What a log keeps of it: a level, a name, and more.
pub fn for_log(event: &Event<'_>) -> (&'static str, &'static str, Value) {
    let (name, fields) = fields(event);
    let level = if matches!(event, Event::Warning(_)) {
        "warning"
    } else {
        "info"
    };
    (level, name, fields)
}

fn fields(event: &Event<'_>) -> (&'static str, Value) {
    match event {
        Event::Session { id, name } => ("session-created", json!({ "session_id": id, "session_name": name })),
        Event::ScriptStarted { arguments } => ("script-started", json!({ "arguments": arguments })),
        Event::ScriptPrinted { is_error, text } => (
            "script-output",
            json!({ "stream": if *is_error { "stderr" } else { "stdout" }, "text": text }),
        ),
        Event::ScriptEnded { status } => ("script-completed", json!({ "child_status": status })),
        Event::Window { made, name } => (
            "window-created",
            json!({ "window": made.window, "window_id": made.window_id, "window_name": name }),
        ),
        Event::Pane { made } => (
            "pane-created",
            json!({ "window": made.window, "window_id": made.window_id, "pane": made.pane, "pane_id": made.pane_id }),
        ),
        Event::PaneDone { made } => (
            "pane-completed",
            json!({ "window_id": made.window_id, "pane_id": made.pane_id }),
        ),
        Event::WindowDone { made } => ("window-completed", json!({ "window_id": made.window_id })),
        Event::Warning(warning) => ("warning", json!({ "code": warning.code, "message": warning.message })),
        Event::WorkspaceBuilt { session, focused } => (
            "workspace-completed",
            json!({ "session_id": session, "focused": focused }),
        ),
    }
}
