//! What `doctor` asks of a server: version, options, keys and hooks, in one tmux process.

use super::command::{sequence, Failure, Tmux};
use super::hook::{self, EVENTS, LAST_SESSION};
use super::listing;
use super::option::{OPTIONS, PUBLISHED_FILE, PUBLISHED_STATE, RESOLVED_BIN, SOURCE};
use super::version;
use std::collections::BTreeMap;

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
    /// Sessions whose own hooks hide our global ones, with the hooks' names.
    pub hidden_hooks: Vec<(String, String)>,
    /// Options that look like ours and are not known.
    pub unknown_options: Vec<String>,
    options: BTreeMap<String, String>,
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
const INTERNAL: [&str; 4] = [RESOLVED_BIN, SOURCE, PUBLISHED_FILE, PUBLISHED_STATE];

fn names() -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().map(|option| option.name).chain(INTERNAL)
}

/// Formats fall back to the environment.
const LOCALE: &str = "#{?LC_ALL,#{LC_ALL},#{?LC_CTYPE,#{LC_CTYPE},#{LANG}}}";

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
        "#{{pid}}{nonce}#{{version}}{nonce}{}{nonce}{LOCALE}{nonce}{options}",
        hook::missing_format()
    );
    // Hooks of sessions themselves: they replace the global ones there. Ids only.
    let local = "#{S:display-message -p 'S##{session_name}' ; show-hooks -t '#{session_id}' ; }";
    let command = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let end = command(&["display-message", "-p", &nonce]);
    let answer = tmux.call(&sequence(vec![
        command(&["display-message", "-p", &header]),
        // Within if-shell a command that fails (there may be no prefix table) does not drop what follows.
        command(&["if-shell", "-F", "1", "list-keys -T prefix"]),
        end.clone(),
        command(&["show-options", "-g"]),
        end,
        command(&["run-shell", "-C", local]),
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
    let (version, missing, locale) = (part(), part(), part());
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
        unknown_options: unknown.map(str::to_owned).collect(),
        options,
    })
}

fn client_version(tmux: &Tmux) -> String {
    tmux.call(&["-V"])
        .map(|a| String::from_utf8_lossy(&a.stdout).trim().to_owned())
        .unwrap_or_default()
}

/// `S` and a session's name, then its own hooks, `NAME[INDEX] command` a line.
fn hidden_hooks(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut session = "";
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('S') {
            session = name;
        } else if let Some((hook, _)) = line.split_once('[') {
            if EVENTS.contains(&hook) || hook == LAST_SESSION {
                found.push((session.to_owned(), hook.to_owned()));
            }
        }
    }
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sessions_own_hooks_are_named_when_they_hide_ours() {
        let text = "Swork\nwindow-linked[0] display-message x\nwindow-linked[1] y\nafter-copy-mode[0] z\nSother\n";
        assert_eq!(hidden_hooks(text), [("work".to_owned(), "window-linked".to_owned())]);
    }
}
