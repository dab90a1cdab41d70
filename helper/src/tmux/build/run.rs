//! Runs what builds sessions.

use super::super::command::{word, Answer, Failure, Tmux};
use super::super::drive::{ask, odd, refused};
use super::{Group, Words};
use crate::model::{SessionId, WindowId};

/// Makes a session as [`super::new_session`] says.
///
/// # Errors
/// See [`Failure`].
pub fn create(tmux: &Tmux, arguments: &[String]) -> Result<(SessionId, WindowId), Failure> {
    tmux.socket().prepare().map_err(Failure::Io)?;
    let answer = tmux.call(arguments)?;
    if !answer.success {
        return Err(refused(tmux, answer));
    }
    let text = String::from_utf8_lossy(&answer.stdout);
    let ids = text.trim().split_once(' ').and_then(|(session, window)| {
        let ids = (session.parse().ok()?, window.parse().ok()?);
        Some(ids)
    });
    // That a server cannot have its socket there is no failure to tmux.
    ids.ok_or_else(|| match answer.stderr.as_str() {
        "" => odd(&text),
        words => Failure::Refused(words.to_owned()),
    })
}

/// Makes a session that shares the windows of another and starts new ones where that does; its id.
///
/// # Errors
/// See [`Failure`].
pub fn share(tmux: &Tmux, with: SessionId, name: &str) -> Result<SessionId, Failure> {
    // tmux takes an id that it does not know for the name of a new group.
    let folder = ask(
        tmux,
        &["display-message", "-p", "-t", &with.to_string(), "#{session_path}"],
    )?;
    let arguments = super::sharing_session(with, name, folder.trim_end_matches('\n'));
    let answer = tmux.call(&arguments)?;
    if !answer.success {
        return Err(refused(tmux, answer));
    }
    let text = String::from_utf8_lossy(&answer.stdout);
    text.trim().parse().map_err(|_| odd(&text))
}

/// Runs groups of commands in one tmux process, one group after the other, also when one fails.
///
/// # Errors
/// See [`Failure`]. What tmux itself has refused is in the answer, beside what was printed.
pub fn groups(tmux: &Tmux, groups: &[Group]) -> Result<Answer, Failure> {
    let script: String = groups.iter().filter(|group| !group.is_empty()).map(line).collect();
    let (answer, ()) = tmux.call_while(&["source-file", "-"], Some(script.into_bytes()), || ())?;
    Ok(answer)
}

/// A group as a line of a tmux configuration file.
pub(super) fn line(group: &Group) -> String {
    let command = |words: &Words| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    group.iter().map(command).collect::<Vec<_>>().join(" ; ") + "\n"
}

/// `text` as a word there. tmux takes blanks, and what looks like a comment, away after a newline within quotes.
fn quoted(text: &str) -> String {
    word(text).replace('\n', "'\"\\n\"'")
}

/// What a server that was started with the configuration `text` cannot read of it, a line each; `name` is what they call it. Nothing
/// of it is run.
///
/// # Errors
/// See [`Failure`].
pub fn complaints(tmux: &Tmux, text: Vec<u8>, name: &str) -> Result<Vec<String>, Failure> {
    let (answer, ()) = tmux.call_while(&["source-file", "-n", "-"], Some(text), || ())?;
    let line = |line: &str| match line.strip_prefix("-:") {
        Some(rest) => format!("{name}:{rest}"),
        None => line.to_owned(),
    };
    // Which stream has them depends on the version.
    let told = format!("{}\n{}", String::from_utf8_lossy(&answer.stdout), answer.stderr);
    let lines = told.lines().filter(|line| !answer.success && !line.is_empty());
    Ok(lines.map(line).collect())
}

/// Ends a session.
///
/// # Errors
/// See [`Failure`].
pub fn kill_session(tmux: &Tmux, session: SessionId) -> Result<(), Failure> {
    tmux.effect(&["kill-session", "-t", &session.to_string()]).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newline_keeps_what_follows_it() {
        assert_eq!(quoted("a\n  # b"), "'a'\"\\n\"'  # b'");
    }
}
