//! Reads the status file back.

use super::schema::StatusFile;
use std::path::Path;

/// The status file at `path`; `None` when it is missing or is not one.
pub fn status_file(path: &Path) -> Option<StatusFile> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}
