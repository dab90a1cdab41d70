//! `workspace --generate`: what other programs need to know of the command line and of documents.

use super::Reader;
use crate::output;
use crate::workspace::called::PROGRAM;
use crate::workspace::schema;
use anyhow::Result;
use clap_complete::Shell;
use serde::Serialize;

/// What can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// The JSON schema of documents
    Schema,
    /// Completions for bash
    Bash,
    /// Completions for zsh
    Zsh,
    /// Completions for fish
    Fish,
    /// Completions for PowerShell
    #[value(name = "powershell")]
    PowerShell,
    /// Completions for elvish
    Elvish,
    /// The manual
    Man,
}

#[derive(Debug, Serialize)]
struct Generated {
    schema_version: u32,
    command: &'static str,
    artifact: Artifact,
}

#[derive(Debug, Serialize)]
struct Artifact {
    kind: What,
    content: String,
}

/// Runs it, for the command line under that name. Completions are of the program: its first word.
///
/// # Errors
/// When standard output cannot be written.
pub fn run(what: What, name: &'static str, reader: Reader) -> Result<u8> {
    let bytes = match what {
        What::Schema => schema::TEXT.as_bytes().to_vec(),
        What::Bash => completions(Shell::Bash, name),
        What::Zsh => completions(Shell::Zsh, name),
        What::Fish => completions(Shell::Fish, name),
        What::PowerShell => completions(Shell::PowerShell, name),
        What::Elvish => completions(Shell::Elvish, name),
        What::Man => manual()?,
    };
    if !reader.is_program() {
        output::print(&bytes)?;
        return Ok(0);
    }
    let generated = Generated {
        schema_version: 1,
        command: "generate",
        artifact: Artifact {
            kind: what,
            content: String::from_utf8_lossy(&bytes).into_owned(),
        },
    };
    super::print_record(&generated, reader)?;
    Ok(0)
}

/// As a subcommand it has no completions of its own: those of the whole program hold them.
fn completions(shell: Shell, name: &str) -> Vec<u8> {
    let mut script = Vec::new();
    if name == PROGRAM {
        clap_complete::generate(shell, &mut super::command(PROGRAM), PROGRAM, &mut script);
    } else {
        clap_complete::generate(shell, &mut crate::cli::whole(), "tmux-status", &mut script);
    }
    script
}

/// A page for the program, then one for each subcommand.
fn manual() -> std::io::Result<Vec<u8>> {
    let mut root = super::command(PROGRAM);
    root.build();
    let mut pages = Vec::new();
    clap_mangen::Man::new(root.clone()).render(&mut pages)?;
    for command in root.get_subcommands() {
        let page = clap_mangen::Man::new(command.clone());
        page.render_name_section(&mut pages)?;
        page.render_synopsis_section(&mut pages)?;
        page.render_options_section(&mut pages)?;
    }
    Ok(pages)
}
