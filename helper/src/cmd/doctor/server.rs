//! The tmux server: whether it answers, its version, its locale.

use super::{bad, good, note, Advice, Finding};
use crate::refresh;
use crate::tmux::command::{Failure, Tmux};
use crate::tmux::inquiry::Inquiry;
use crate::tmux::version;

pub fn findings(tmux: &Tmux, asked: Result<&Inquiry, &Failure>, advice: &Advice) -> Vec<Finding> {
    let socket = tmux.socket();
    match asked {
        Ok(inquiry) if version::is_too_old(&inquiry.version) => {
            vec![bad(
                format!("tmux {} at {socket} is too old", inquiry.version),
                "install tmux 3.2 or newer",
            )]
        }
        Ok(inquiry) => {
            let mut found = vec![good(format!(
                "tmux {} answers at {socket} (pid {})",
                inquiry.version, inquiry.pid
            ))];
            if inquiry.client_version.trim_start_matches("tmux ") != inquiry.version {
                found.push(note(
                    format!(
                        "the tmux on PATH is {}, the server is {}",
                        inquiry.client_version, inquiry.version
                    ),
                    format!("restart the server when it suits you: {}", advice.tmux("kill-server")),
                ));
            }
            found.push(locale(&inquiry.locale));
            found
        }
        Err(Failure::NoServer) => {
            vec![note(
                format!("no tmux server at {socket}"),
                "start tmux, or name another server with -L or -S",
            )]
        }
        Err(failure) => vec![refused(tmux, failure, advice)],
    }
}

fn refused(tmux: &Tmux, failure: &Failure, advice: &Advice) -> Finding {
    let fault = refresh::refusal(tmux, failure);
    match failure {
        Failure::Refused(words) if words.contains("Permission denied") => bad(
            format!("no access to the tmux server at {}: {words}", tmux.socket()),
            "it is another user's, or the rights of the socket or its folder have changed: run this as its owner, or name another server with -L or -S",
        ),
        Failure::Refused(_) | Failure::Io(_) => {
            bad(fault.what, format!("see what tmux itself says: {}", advice.tmux("list-sessions")))
        }
        _ => bad(fault.what, fault.hint.unwrap_or_default()),
    }
}

fn locale(locale: &str) -> Finding {
    let folded = locale.to_ascii_lowercase().replace('-', "");
    if folded.contains("utf8") {
        return good(format!("the server's locale is {locale}"));
    }
    let named = if locale.is_empty() { "not set" } else { locale };
    note(
        format!(
            "the server's locale is {named}: the status file is right, but tmux may draw letters beyond ASCII as _"
        ),
        "start tmux with a UTF-8 locale, such as LANG=C.UTF-8, or with tmux -u",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tmux::server::Socket;

    #[test]
    fn a_server_that_may_not_be_reached_is_told_from_one_that_refuses() {
        let tmux = Tmux::new(Socket::resolve(Some("/nowhere/s".as_ref()), None));
        let advice = Advice {
            flag: " -S /nowhere/s".into(),
        };
        let told = |words: &str| refused(&tmux, &Failure::Refused(words.into()), &advice);
        let finding = told("error connecting to /nowhere/s (Permission denied)");
        assert!(finding.what.starts_with("no access "), "{finding:?}");
        assert!(finding.fix.unwrap().contains("run this as its owner"));
        let finding = told("protocol version mismatch (client 8, server 7)");
        assert!(finding.fix.unwrap().ends_with("tmux -S /nowhere/s list-sessions"));
    }
}
