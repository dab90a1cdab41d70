//! The subcommands, one a file: arguments, then what it does, in terms of the layers below.

pub mod explain;
