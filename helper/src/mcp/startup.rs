//! How the server is set up: flags and variables, all of them checked before tmux is asked anything.

use super::select::{self, Choice};
use crate::fault::Fault;
use crate::tmux::server::Socket;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The variable that names a socket by its path.
const SOCKET_PATH: &str = "LIBTMUX_SOCKET_PATH";
/// The variable that names a socket by its name.
const SOCKET_NAME: &str = "LIBTMUX_SOCKET";
/// The variable that names a configuration.
const CONFIG: &str = "LIBTMUX_TMUX_CONFIG";
/// The variable that names environment variables whose values may be told.
pub const ENVIRONMENT: &str = "LIBTMUX_ENVIRONMENT_VALUES";

/// Variables that once meant something: to pass over them would offer more than their user wants.
const RETIRED: [(&str, &str); 4] = [
    ("LIBTMUX_SAFETY", SAFETY),
    ("TMUX_MCP_SAFETY", SAFETY),
    ("LIBTMUX_WATCH", WATCH),
    ("TMUX_MCP_CONFIRM", CONFIRM),
];

/// What to do instead of naming a level of safety.
pub const SAFETY: &str = "unset it and name toolsets in LIBTMUX_TOOLSETS: readonly is inspect, mutating is \
     inspect,manage,execute, destructive is inspect,manage,execute,teardown";
/// What to do instead of watching.
pub const WATCH: &str = "unset it: capture_since and wait_for_text watch the panes that they are asked about";
/// What to do instead of confirming.
pub const CONFIRM: &str =
    "unset it: clients ask their user; LIBTMUX_TOOLSETS and LIBTMUX_EXCLUDE_TOOLS take tools away";

/// The name of the socket of a server that is not the user's.
pub const DEDICATED: &str = "tmux-status-mcp";

/// The flags of the command line.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `-S`.
    pub socket_path: Option<PathBuf>,
    /// `-L`.
    pub socket_name: Option<String>,
    /// `--dedicated`.
    pub dedicated: bool,
}

/// How the socket was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chosen {
    /// By a flag.
    Flag,
    /// By a variable of ours.
    Variable,
    /// By TMUX: the server that this process runs in.
    Current,
    /// By nothing: tmux's default.
    Default,
    /// A server for this alone.
    Dedicated,
}

impl Chosen {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Flag => "operator-flag",
            Self::Variable => "operator-environment",
            Self::Current => "operator-current",
            Self::Default => "tmux-default",
            Self::Dedicated => "dedicated",
        }
    }
}

/// Everything that was set, and makes sense.
#[derive(Debug, Clone)]
pub struct Startup {
    /// The server's socket.
    pub socket: Socket,
    /// How it was chosen.
    pub chosen: Chosen,
    /// A configuration that the one who starts this says the server has.
    pub config: Option<PathBuf>,
    /// The tools.
    pub choice: Choice,
    /// Environment variables whose values may be told.
    pub told: BTreeSet<String>,
}

/// Reads flags, and variables through `variable`.
///
/// # Errors
/// Whatever is contradictory, misspelt or no longer known.
pub fn read(flags: &Flags, variable: impl Fn(&str) -> Option<OsString>) -> Result<Startup, Fault> {
    for (name, instead) in RETIRED {
        if variable(name).is_some() {
            return Err(Fault::new(format!("{name} has been removed"), instead));
        }
    }
    let text = |name: &str| text(name, variable(name));
    let choice = Choice::read(
        text(select::TOOLSETS)?.as_deref(),
        text(select::TOOLS)?.as_deref(),
        text(select::EXCLUDE)?.as_deref(),
    )?;
    let told = text(ENVIRONMENT)?.unwrap_or_default();
    let told = select::names(ENVIRONMENT, &told)?
        .into_iter()
        .map(str::to_owned)
        .collect();
    let config = text(CONFIG)?.map(|path| absolute(CONFIG, &path)).transpose()?;
    let (socket, chosen) = socket(
        flags,
        text(SOCKET_PATH),
        text(SOCKET_NAME),
        variable("TMUX").is_some_and(|value| !value.is_empty()),
    )?;
    Ok(Startup {
        socket,
        chosen,
        config,
        choice,
        told,
    })
}

type Variable = Result<Option<String>, Fault>;

fn socket(flags: &Flags, path: Variable, name: Variable, in_tmux: bool) -> Result<(Socket, Chosen), Fault> {
    let by_flag = flags.socket_path.is_some() || flags.socket_name.is_some();
    if by_flag && flags.dedicated {
        return Err(Fault::new(
            "--dedicated names a socket of its own",
            "leave -S and -L out, or --dedicated",
        ));
    }
    if flags.socket_path.is_some() && flags.socket_name.is_some() {
        return Err(Fault::new("-S and -L both name a socket", "give one of them"));
    }
    if flags.dedicated {
        return Ok((Socket::resolve(None, Some(DEDICATED)), Chosen::Dedicated));
    }
    if by_flag {
        let socket = Socket::resolve(flags.socket_path.as_deref(), flags.socket_name.as_deref());
        return Ok((socket, Chosen::Flag));
    }
    let given = |value: Option<String>| value.filter(|value| !value.trim().is_empty());
    match (given(path?), given(name?)) {
        (Some(_), Some(_)) => Err(Fault::new(
            format!("{SOCKET_PATH} and {SOCKET_NAME} both name a socket"),
            "set one of them",
        )),
        (Some(path), None) => {
            let path = absolute(SOCKET_PATH, &path)?;
            Ok((Socket::resolve(Some(&path), None), Chosen::Variable))
        }
        (None, Some(name)) if name.contains('/') => Err(Fault::new(
            format!("{SOCKET_NAME} must be a name, not a path"),
            format!("a path goes into {SOCKET_PATH}"),
        )),
        (None, Some(name)) => Ok((Socket::resolve(None, Some(&name)), Chosen::Variable)),
        (None, None) => {
            let chosen = if in_tmux { Chosen::Current } else { Chosen::Default };
            Ok((Socket::resolve(None, None), chosen))
        }
    }
}

fn absolute(variable: &str, path: &str) -> Result<PathBuf, Fault> {
    let path = Path::new(path);
    path.is_absolute().then(|| path.to_owned()).ok_or_else(|| {
        Fault::new(
            format!("{variable} must be an absolute path"),
            "write it out from / on, or unset the variable",
        )
    })
}

fn text(name: &str, value: Option<OsString>) -> Result<Option<String>, Fault> {
    let text = value.map(OsString::into_string).transpose();
    text.map_err(|_| Fault::new(format!("{name} is not UTF-8"), "mend its value, or unset it"))
}
