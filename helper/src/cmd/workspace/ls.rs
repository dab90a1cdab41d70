//! `workspace ls`: the documents that are found by name, or for this project.

use super::{surroundings, Reader};
use crate::output;
use crate::text;
use crate::theme::Colour;
use crate::workspace::env::Env;
use crate::workspace::list::{self, Folder, Found, Origin};
use crate::workspace::yaml::{Format, Node};
use anyhow::Result;
use clap::Args;
use serde::Serialize;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// How much is told.
#[derive(Debug, Args)]
pub struct LsArgs {
    /// By directory
    #[arg(long)]
    tree: bool,
    /// With windows and panes; programs get the whole document
    #[arg(long)]
    full: bool,
}

/// What programs are told of a document.
#[derive(Debug, Serialize)]
struct Record {
    name: String,
    path: String,
    source: Origin,
    format: Format,
    size: u64,
    /// When it was written: epoch seconds.
    mtime: Option<f64>,
    session_name: Option<String>,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    config: Option<serde_json::Value>,
}

#[derive(Debug, Serialize)]
struct Listing {
    schema_version: u32,
    global_workspace_dirs: Vec<Folder>,
    workspaces: Vec<Record>,
}

/// Runs it.
pub fn run(args: &LsArgs, reader: Reader, colours: bool) -> Result<u8> {
    let env = surroundings(reader);
    let found = list::all(&env);
    let records = || found.iter().map(|found| record(found, args.full));
    match reader {
        Reader::Human => output::print(
            Shown {
                env: &env,
                colours,
                args,
            }
            .all(&found)
            .as_bytes(),
        )
        .map(|_| ())?,
        Reader::Json => {
            let listing = Listing {
                schema_version: 1,
                global_workspace_dirs: list::folders(&env),
                workspaces: records().collect(),
            };
            super::print_record(&listing, reader)?;
        }
        Reader::Ndjson => records().try_for_each(|record| super::print_record(&record, reader))?,
    }
    Ok(0)
}

fn record(found: &Found, full: bool) -> Record {
    let since = found.modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let document = found.document.as_ref();
    Record {
        name: found.name.clone(),
        path: found.path.display().to_string(),
        source: found.origin,
        format: found.format,
        size: found.size,
        mtime: since.map(|since| since.as_secs_f64()),
        session_name: found.session_name().map(str::to_owned),
        error: document.err().map(|refusal| refusal.message.clone()),
        config: document.ok().filter(|_| full).map(Node::to_json),
    }
}

/// How people see it.
struct Shown<'a> {
    env: &'a Env,
    colours: bool,
    args: &'a LsArgs,
}

impl Shown<'_> {
    fn all(&self, found: &[Found]) -> String {
        let folders = list::folders(self.env);
        if found.is_empty() {
            return self.nothing(&folders) + &self.idle(&folders);
        }
        let mut out = String::new();
        let width = found.iter().map(|found| text::width(&text::clean(&found.name))).max();
        let mut above = None;
        for found in found {
            if self.args.tree && above != found.path.parent() {
                above = found.path.parent();
                let folder = above.map(|above| self.path(above)).unwrap_or_default();
                out += &format!("{}\n", paint(self.colours, Colour::Indexed(4), &folder));
            }
            out += &self.line(found, width.unwrap_or(0));
            if self.args.full {
                out += &windows(found, if self.args.tree { "    " } else { "  " });
            }
        }
        out + &self.idle(&folders)
    }

    /// The directories whose documents do not count while another is there.
    fn idle(&self, folders: &[Folder]) -> String {
        let active = folders.iter().find(|folder| folder.active);
        let line = |folder: &Folder| {
            let active = active
                .map(|active| self.path(Path::new(&active.path)))
                .unwrap_or_default();
            let (path, many) = (self.path(Path::new(&folder.path)), folder.workspace_count);
            let line = format!(
                "{path}: {}, not used while {active} is there",
                text::count(many, "workspace")
            );
            format!("{}\n", paint(self.colours, Colour::Indexed(8), &line))
        };
        let idle = folders
            .iter()
            .filter(|folder| !folder.active && folder.workspace_count > 0);
        idle.map(line).collect()
    }

    fn line(&self, found: &Found, width: usize) -> String {
        let name = text::clean(&found.name);
        let gap = " ".repeat(width.saturating_sub(text::width(&name)));
        let name = paint(self.colours, Colour::Indexed(6), &name);
        let what = match &found.document {
            Err(refusal) => {
                let message = text::clean(&refusal.message);
                return format!(
                    "{}{name}{gap}  {}\n",
                    self.indent(),
                    paint(self.colours, Colour::Indexed(1), &message)
                );
            }
            Ok(_) if self.args.tree => found.session_name().map(text::clean).unwrap_or_default(),
            Ok(_) => paint(self.colours, Colour::Indexed(8), &self.path(&found.path)),
        };
        format!("{}{}\n", self.indent(), format!("{name}{gap}  {what}").trim_end())
    }

    fn indent(&self) -> &'static str {
        if self.args.tree {
            "  "
        } else {
            ""
        }
    }

    fn path(&self, path: &Path) -> String {
        text::clean(&self.env.shown(path))
    }

    fn nothing(&self, folders: &[Folder]) -> String {
        let folder = folders.iter().find(|folder| folder.active).or(folders.first());
        let folder = match folder {
            Some(folder) => format!("files in {}", self.path(Path::new(&folder.path))),
            None => "a directory for all projects, as HOME is not set".to_owned(),
        };
        format!("no workspaces: neither .tmuxp.yaml here or above, nor {folder}\n")
    }
}

/// Text in a colour, for terminals that take it. The text is clean already.
pub fn paint(colours: bool, colour: Colour, text: &str) -> String {
    if !colours || text.is_empty() {
        return text.to_owned();
    }
    format!("\x1b[{}m{text}\x1b[0m", colour.for_terminal())
}

/// A line a window: its name, and how many panes it has.
fn windows(found: &Found, indent: &str) -> String {
    let line = |window: &Node| {
        let name = window.get("window_name").and_then(Node::scalar).unwrap_or("(unnamed)");
        let panes = window.items("panes").len().max(1);
        format!("{indent}{}: {}\n", text::clean(name), text::count(panes, "pane"))
    };
    found.windows().iter().map(line).collect()
}
