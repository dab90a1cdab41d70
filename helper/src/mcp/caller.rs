//! Which pane this process runs in, if any: what tmux's variables say, held against the server that it talks to.

use crate::model::PaneId;
use crate::tmux::server::Socket;
use schemars::JsonSchema;
use serde::Serialize;
use std::ffi::OsStr;
use std::path::Path;

/// What the inherited variables say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// Nothing: this process does not run in tmux.
    Detached,
    /// A pane of the server at our socket, if that server still has this process id.
    Here {
        /// The server's process id then.
        server: u32,
        /// The pane.
        pane: PaneId,
    },
    /// A pane of a server at another socket.
    Elsewhere,
    /// Something that makes no sense, so that no pane can be ruled out: guards must refuse.
    Unclear,
}

/// How a pane relates to this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Relation {
    /// This process does not run in tmux.
    Unknown,
    /// The pane that this process runs in: both server and pane are proved.
    #[serde(rename = "self")]
    #[schemars(rename = "self")]
    Own,
    /// Any other.
    Other,
}

impl Caller {
    /// What TMUX (`socket,pid,session`) and TMUX_PANE say to one who talks to the server at `socket`.
    pub fn of(tmux: Option<&OsStr>, pane: Option<&OsStr>, socket: &Socket) -> Self {
        let said = |value: Option<&OsStr>| value.is_some_and(|value| !value.is_empty());
        if !said(tmux) && !said(pane) {
            return Self::Detached;
        }
        let pane = pane
            .and_then(OsStr::to_str)
            .and_then(|pane| super::id::number(pane, "%"));
        let (Some(tmux), Some(pane)) = (tmux.and_then(OsStr::to_str), pane) else {
            return Self::Unclear;
        };
        // The path may hold commas itself.
        let mut parts = tmux.rsplitn(3, ',');
        let (session, pid, path) = (parts.next(), parts.next(), parts.next());
        let (Some(_), Some(server), Some(path)) = (
            session.and_then(|session| session.parse::<i64>().ok()),
            pid.and_then(|pid| pid.parse::<u32>().ok()),
            path.filter(|path| !path.is_empty()),
        ) else {
            return Self::Unclear;
        };
        if Socket::resolve(Some(Path::new(path)), None).path() != socket.path() {
            return Self::Elsewhere;
        }
        Self::Here {
            server,
            pane: PaneId(pane),
        }
    }

    /// How `pane` of the server with the process id `server` relates to it.
    pub fn relation(&self, server: u32, pane: PaneId) -> Relation {
        match self {
            Self::Detached => Relation::Unknown,
            Self::Here { server: s, pane: p } if (*s, *p) == (server, pane) => Relation::Own,
            _ => Relation::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tmux: &str, pane: &str) -> Caller {
        let socket = Socket::resolve(Some("/nowhere/a,b".as_ref()), None);
        Caller::of(Some(tmux.as_ref()), Some(pane.as_ref()), &socket)
    }

    #[test]
    fn only_server_and_pane_together_are_ones_own() {
        let here = of("/nowhere/a,b,42,0", "%03");
        assert_eq!(here.relation(42, PaneId(3)), Relation::Own);
        assert_eq!(here.relation(42, PaneId(4)), Relation::Other);
        assert_eq!(
            here.relation(43, PaneId(3)),
            Relation::Other,
            "another server at that socket"
        );
        assert_eq!(of("/nowhere/else,42,0", "%3"), Caller::Elsewhere);
        assert_eq!(of("", "").relation(42, PaneId(3)), Relation::Unknown);
    }

    #[test]
    fn what_makes_no_sense_is_unclear() {
        for (tmux, pane) in [
            ("/nowhere/a,b,42,0", ""),
            ("", "%3"),
            ("/nowhere/a,b,42,0", "3"),
            (",42,0", "%3"),
            ("/nowhere/a,b,x,0", "%3"),
            ("garbage", "%3"),
        ] {
            assert_eq!(of(tmux, pane), Caller::Unclear, "{tmux} {pane}");
        }
    }
}
