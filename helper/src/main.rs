//! The `tmux-status` command: parse, run, and turn an error into one line, a hint and an exit code.

// No input may end the program in a panic; tests may.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::todo,
        clippy::unimplemented,
        clippy::indexing_slicing
    )
)]

use std::process::ExitCode;
use tmux_status::cli;
use tmux_status::fault::Fault;
use tmux_status::{output, text};

fn main() -> ExitCode {
    let (name, done) = cli::main(std::env::args_os());
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => ExitCode::from(tell(name, &error)),
    }
}

/// Prints the error and returns the exit code.
fn tell(name: &str, error: &anyhow::Error) -> u8 {
    let fault = error.downcast_ref::<Fault>();
    let line = format!("{name}: {}", text::clean(&format!("{error:#}")));
    if fault.is_some_and(|fault| fault.on_stdout) {
        // Nobody listens any more when this fails, too.
        let _ = output::print(format!("{line}\n").as_bytes());
    } else {
        output::warn(&line);
    }
    if let Some(hint) = fault.and_then(|fault| fault.hint.as_deref()) {
        output::warn(&format!("hint: {}", text::clean(hint)));
    }
    fault.map_or(1, |fault| fault.code)
}
