//! A sentence from a model instead of a rule's: what is asked, when, and what is made of the answer.
//!
//! Nothing here runs a model: that is `summarise`. Nothing here writes. A model words; what a window needs its user for
//! always comes from evidence.

pub mod answer;
pub mod config;
pub mod due;
pub mod exclude;
pub mod request;
