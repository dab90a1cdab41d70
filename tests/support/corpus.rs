//! Recorded looks in their compact form: `tests/corpus/FOLDER/NAME.jsonl`, one sample a line.
//!
//! A line holds `id`, `state`, `kind`, `also` (other kinds that a fair judge accepts) and `pane` as in `tests/samples`, but
//! with `screen` and `screen_next` as one text each.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use serde_json::{json, Map, Value};
use std::path::{Path, PathBuf};

/// One recorded look, or two.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The name of its file: an agent, or a family.
    pub group: String,
    /// The sample as `Sample::from_json` takes it.
    pub value: Value,
}

impl Recorded {
    pub fn id(&self) -> &str {
        self.value["id"].as_str().unwrap_or_default()
    }

    pub fn state(&self) -> &str {
        self.value["state"].as_str().unwrap_or_default()
    }

    pub fn kind(&self) -> &str {
        self.value["kind"].as_str().unwrap_or_default()
    }

    /// Whether a fair judge accepts `kind`.
    pub fn accepts(&self, kind: &str) -> bool {
        let also = self.value["also"].as_array();
        self.kind() == kind || also.is_some_and(|also| also.iter().any(|other| other == kind))
    }
}

pub fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests")
}

/// Every sample of one folder below `tests/corpus`; empty when there is no such folder.
pub fn read(folder: &str) -> Vec<Recorded> {
    let mut files: Vec<PathBuf> = match std::fs::read_dir(tests_folder().join("corpus").join(folder)) {
        Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => Vec::new(),
    };
    files.retain(|path| path.extension().is_some_and(|e| e == "jsonl"));
    files.sort();
    let mut all = Vec::new();
    for path in files {
        let group = path.file_stem().unwrap().to_string_lossy().into_owned();
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let mut value: Value = serde_json::from_str(line).unwrap();
            let pane = value["pane"].as_object_mut().unwrap();
            spread(pane, "screen");
            spread(pane, "screen_next");
            all.push(Recorded {
                group: group.clone(),
                value,
            });
        }
    }
    all
}

/// A text becomes its rows.
fn spread(pane: &mut Map<String, Value>, key: &str) {
    if let Some(text) = pane.get(key).and_then(Value::as_str) {
        let rows: Vec<&str> = text.split('\n').collect();
        pane.insert(key.to_owned(), json!(rows));
    }
}
