//! The files: the status file that programs read, our own state beside it, and how both are written.

pub mod answers;
pub mod errors;
pub mod ignore;
pub mod lock;
pub mod next;
pub mod notice;
pub mod paths;
pub mod read;
pub mod schema;
pub mod settings;
pub mod speaker;
pub mod state;
pub mod window;
pub mod write;
