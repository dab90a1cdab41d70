//! `workspace debug-info`: what somebody has to know who is to find out why something does not work.

use super::{server, surroundings, Reader};
use crate::cli::ServerArgs;
use crate::output;
use crate::text;
use crate::tmux::command::Tmux;
use crate::tmux::version;
use crate::workspace::list::{self, Folder};
use anyhow::Result;
use clap::Args;
use serde::Serialize;
use std::path::Path;

/// Nothing to say.
#[derive(Debug, Args)]
pub struct DebugInfoArgs {}

/// All of it; the user's home is `~` in every path.
#[derive(Debug, Serialize)]
struct Info {
    schema_version: u32,
    workspace_version: &'static str,
    platform: &'static str,
    architecture: &'static str,
    shell: Option<String>,
    home: Option<String>,
    cwd: String,
    tmux_available: bool,
    tmux_version: Option<String>,
    tmux_socket: Option<String>,
    workspace_dirs: Vec<Folder>,
}

/// Runs it.
pub fn run(named: &ServerArgs, reader: Reader) -> Result<u8> {
    let env = surroundings(reader);
    let path = |path: &Path| env.shown(path);
    // A TMUX that cannot be is one of the things that are looked for here.
    let server = server::choose(named, &env).ok();
    let tmux = Tmux::new(server.as_ref().unwrap_or(named).socket());
    let version = version::of_program(&tmux);
    let folder = |folder: Folder| Folder {
        path: path(Path::new(&folder.path)),
        ..folder
    };
    let info = Info {
        schema_version: 1,
        workspace_version: env!("CARGO_PKG_VERSION"),
        platform: std::env::consts::OS,
        architecture: std::env::consts::ARCH,
        shell: env.get("SHELL").map(|shell| path(Path::new(shell))),
        home: env.home().map(path),
        cwd: path(&env.directory),
        tmux_available: version.is_some(),
        tmux_version: version,
        tmux_socket: server.map(|server| path(server.socket().path())),
        workspace_dirs: list::folders(&env).into_iter().map(folder).collect(),
    };
    if reader.is_program() {
        super::print_record(&info, reader)?;
    } else {
        output::print(shown(&info).as_bytes())?;
    }
    Ok(0)
}

fn shown(info: &Info) -> String {
    let or = |value: &Option<String>, none: &str| value.clone().unwrap_or_else(|| none.to_owned());
    let mut lines = vec![
        ("version", info.workspace_version.to_owned()),
        ("platform", format!("{} {}", info.platform, info.architecture)),
        ("tmux -V", or(&info.tmux_version, "there is none on PATH")),
        ("socket", or(&info.tmux_socket, "TMUX is not what tmux puts there")),
        ("shell", or(&info.shell, "SHELL is not set")),
        ("home", or(&info.home, "HOME is not set")),
        ("directory", info.cwd.clone()),
    ];
    for folder in &info.workspace_dirs {
        let what = match (folder.active, folder.exists) {
            (true, _) => format!("in use, {}", text::count(folder.workspace_count, "file")),
            (_, true) => "there, not in use".to_owned(),
            _ => "missing".to_owned(),
        };
        lines.push(("workspaces", format!("{} ({}): {what}", folder.path, folder.source)));
    }
    let line = |(name, value): &(&str, String)| format!("{name:<11} {}\n", text::clean(value));
    lines.iter().map(line).collect()
}
