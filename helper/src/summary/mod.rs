//! The words of summaries: the same everywhere, so that people and programs can rely on them.

pub mod ai;
pub mod explanation;
pub mod redact;
pub mod template;
