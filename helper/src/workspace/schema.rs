//! The JSON schema of documents, for editors that check and complete what is written.

/// JSON Schema, draft 2020-12. It says what [`super::document`] takes; what that refuses for other reasons than its shape is
/// not in it.
pub const TEXT: &str = include_str!("schema.json");
