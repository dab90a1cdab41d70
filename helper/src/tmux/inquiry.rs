//! What `doctor` asks of a server: version, options, keys and hooks, in one tmux process.

use super::command::{sequence, Failure, Tmux};
use super::hook::{self, EVENTS, LAST_SESSION};
use super::listing;
use super::option::{Options, LINE, OPTIONS, PUBLISHED_FILE, PUBLISHED_STATE, RESOLVED_BIN, SOURCE};
use super::snapshot::NOWHERE;
use super::version;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A server's set-up.
#[derive(Debug)]
pub struct Inquiry {
    /// The server's process id.
    pub pid: u32,
    /// The server's version.
    pub version: String,
    /// The locale in the server's environment, as the first of LC_ALL, LC_CTYPE and LANG that is set; empty without any.
    pub locale: String,
    /// What `tmux -V` says.
    pub client_version: String,
    /// `list-keys -T prefix`.
    pub prefix_keys: String,
    /// Hooks of ours that are not set.
    pub missing_hooks: Vec<String>,
    /// Hooks of a session, a window or a pane itself that hide our global ones there.
    pub hidden_hooks: Vec<Hidden>,
    /// The configuration files that the server has read.
    pub config_files: String,
    /// Options that look like ours and are not known.
    pub unknown_options: Vec<String>,
    options: BTreeMap<String, String>,
}

/// Hooks that hide ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    /// Where: `session $0`, `window @1`, `pane %2`, as ids only, since names may hold anything.
    pub place: String,
    /// Their names.
    pub hooks: Vec<String>,
    /// The arguments of tmux's `set-hook` that unset one of them there, but for its name.
    pub unset: String,
}

impl Inquiry {
    /// An option's value, when it is set.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }
}

/// Names of options that the plugin sets itself.
const INTERNAL: [&str; 5] = [RESOLVED_BIN, SOURCE, PUBLISHED_FILE, PUBLISHED_STATE, LINE];

fn names() -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().map(|option| option.name).chain(INTERNAL)
}

/// Formats fall back to the environment.
const LOCALE: &str = "#{?LC_ALL,#{LC_ALL},#{?LC_CTYPE,#{LC_CTYPE},#{LANG}}}";

/// What a reader of the files asks of the server.
#[derive(Debug, Default)]
pub struct Reading {
    /// Where the server says that the status file is.
    pub status: Option<PathBuf>,
    /// Where it says that our state is.
    pub state: Option<PathBuf>,
    /// What the user has set.
    pub options: Options,
}

/// What a reader of the files needs to know: nothing when the server does not answer.
pub fn reading(tmux: &Tmux) -> Reading {
    let nonce = listing::nonce();
    let ours = [PUBLISHED_FILE, PUBLISHED_STATE]
        .map(|name| format!("#{{{name}}}{nonce}"))
        .concat();
    let format = Options::format(&nonce) + &ours;
    let answer = tmux.call(&["display-message", "-p", "-t", NOWHERE, &format]);
    let text = answer.map(|answer| String::from_utf8_lossy(&answer.stdout).into_owned());
    let text = text.unwrap_or_default();
    let fields: Vec<&str> = text.split(&nonce).collect();
    let path = |path: &&str| path.starts_with('/').then(|| PathBuf::from(path));
    match Options::read(&fields) {
        Some((options, [status, state, ..])) => Reading {
            status: path(status),
            state: path(state),
            options,
        },
        _ => Reading::default(),
    }
}

/// Every session's, window's and pane's own hooks, each after a line with its place. By ids only.
const LOCAL_HOOKS: &str = "#{S:display-message -p 'S#{session_id}' ; show-hooks -t '#{session_id}' ; \
    #{W:display-message -p 'W#{window_id}' ; show-hooks -w -t '#{window_id}' ; \
    #{P:display-message -p 'P#{s/%//:pane_id}' ; show-hooks -p -t '#{pane_id}' ; }}}";

/// Asks.
///
/// # Errors
/// See [`Failure`].
pub fn ask(tmux: &Tmux) -> Result<Inquiry, Failure> {
    // `list-keys` is one of the commands that start a server. (`tmux -N` would prevent it, but not before 3.2.)
    if tmux.socket().nobody_listens() {
        return Err(Failure::NoServer);
    }
    let nonce = listing::nonce();
    let options = names().map(|name| format!("#{{{name}}}{nonce}")).collect::<String>();
    let header = format!(
        "#{{pid}}{nonce}#{{version}}{nonce}{}{nonce}{LOCALE}{nonce}#{{config_files}}{nonce}{options}",
        hook::missing_format()
    );
    let command = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let end = command(&["display-message", "-p", &nonce]);
    let answer = tmux.call(&sequence(vec![
        command(&["display-message", "-p", "-t", NOWHERE, &header]),
        // Within if-shell a command that fails (there may be no prefix table) does not drop what follows.
        command(&["if-shell", "-F", "1", "list-keys -T prefix"]),
        end.clone(),
        command(&["show-options", "-g"]),
        end,
        command(&["run-shell", "-C", LOCAL_HOOKS]),
    ]))?;
    let text = String::from_utf8_lossy(&answer.stdout);
    let mut parts = text.split(&nonce);
    let odd = || {
        version::refusal_of(tmux).unwrap_or_else(|| {
            Failure::Refused(if answer.stderr.is_empty() {
                "an odd answer".into()
            } else {
                answer.stderr.clone()
            })
        })
    };
    let pid = parts.next().and_then(|pid| pid.parse().ok()).ok_or_else(odd)?;
    let mut part = || parts.next().unwrap_or_default().trim_matches('\n').to_owned();
    let (version, missing, locale, config_files) = (part(), part(), part(), part());
    let options: BTreeMap<_, _> = names().map(|name| (name.to_owned(), part())).collect();
    let (prefix_keys, all_options, hooks) = (part(), part(), part());
    let unknown = all_options.lines().filter_map(|line| line.split_whitespace().next());
    let unknown = unknown.filter(|name| name.starts_with("@tmux-status-") && !names().any(|known| known == *name));
    Ok(Inquiry {
        pid,
        version,
        locale,
        client_version: client_version(tmux),
        prefix_keys,
        missing_hooks: missing.split_whitespace().map(str::to_owned).collect(),
        hidden_hooks: hidden_hooks(&hooks),
        config_files,
        unknown_options: unknown.map(str::to_owned).collect(),
        options,
    })
}

fn client_version(tmux: &Tmux) -> String {
    tmux.call(&["-V"])
        .map(|a| String::from_utf8_lossy(&a.stdout).trim().to_owned())
        .unwrap_or_default()
}

/// The places' lines, `S$0`, `W@1` or `P2`, each with its own hooks after it, `NAME[INDEX] command` a line.
fn hidden_hooks(text: &str) -> Vec<Hidden> {
    let mut found: Vec<Hidden> = Vec::new();
    let mut place = None;
    for line in text.lines() {
        if let Some(new) = hidden_place(line) {
            place = Some(new);
        } else if let (Some((place, unset)), Some((hook, _))) = (&place, line.split_once('[')) {
            if !EVENTS.contains(&hook) && hook != LAST_SESSION {
                continue;
            }
            match found.iter_mut().find(|hidden| hidden.place == *place) {
                Some(hidden) if hidden.hooks.iter().any(|known| known == hook) => {}
                Some(hidden) => hidden.hooks.push(hook.to_owned()),
                None => found.push(Hidden {
                    place: place.clone(),
                    hooks: vec![hook.to_owned()],
                    unset: unset.clone(),
                }),
            }
        }
    }
    found
}

/// A place's line in words, and how `set-hook` names it.
fn hidden_place(line: &str) -> Option<(String, String)> {
    // Hooks have small letters only.
    let (kind, id) = line.split_at_checked(1)?;
    Some(match kind {
        "S" => (format!("session {id}"), format!("-u -t '{id}'")),
        "W" => (format!("window {id}"), format!("-uw -t {id}")),
        "P" => (format!("pane %{id}"), format!("-up -t %{id}")),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_of_a_session_a_window_and_a_pane_are_named_when_they_hide_ours() {
        let text = "S$0\nwindow-linked[0] display-message x\nwindow-linked[1] y\nafter-copy-mode[0] z\n\
            W@1\nwindow-renamed[0] x\nP2\npane-died[0] x\npane-exited[0] x\nS$1\nW@1\nwindow-renamed[0] x\nP2\n";
        let hidden = |place: &str, hooks: &[&str], unset: &str| Hidden {
            place: place.to_owned(),
            hooks: hooks.iter().map(|hook| (*hook).to_owned()).collect(),
            unset: unset.to_owned(),
        };
        assert_eq!(
            hidden_hooks(text),
            [
                hidden("session $0", &["window-linked"], "-u -t '$0'"),
                hidden("window @1", &["window-renamed"], "-uw -t @1"),
                hidden("pane %2", &["pane-died", "pane-exited"], "-up -t %2"),
            ]
        );
    }
}
