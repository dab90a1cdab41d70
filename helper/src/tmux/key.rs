//! Key bindings in the prefix table: ours, and which ones were there before.

use super::option::{RESOLVED_BIN, SOURCE};

/// The key that forces a refresh when the user names none.
pub const DEFAULT_REFRESH: &str = "M-r";
/// What a user sets a key option to in order to have no key.
pub const NONE: &str = "none";

/// A binding of the prefix table, as `list-keys -T prefix` prints it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The key, as tmux names it.
    pub key: String,
    /// Whether it is one of ours.
    pub ours: bool,
}

/// What became of a wanted key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// It is to be bound.
    Bind(String),
    /// The user wants none.
    None,
    /// The default key is taken by a binding that is not ours; it is left alone.
    Taken(String),
}

/// The tmux command behind the refresh key: the answer goes to the client that pressed it. When the helper has vanished or
/// fails, the plugin is loaded again, which says what is wrong.
fn refresh_command() -> String {
    let refresh = format!("#{{q:{RESOLVED_BIN}}} refresh --full --message #{{q:client_name}} >/dev/null 2>&1");
    format!("run-shell -b \"{refresh} || #{{q:{SOURCE}}}/tmux-status.tmux >/dev/null 2>&1 || :\"")
}

/// Reads what `list-keys -T prefix` printed.
pub fn parse(listing: &str) -> Vec<Binding> {
    let binding = |line: &str| {
        let rest = line.strip_prefix("bind-key")?.split_once("-T prefix")?.1.trim_start();
        let (key, command) = rest.split_once(char::is_whitespace)?;
        // tmux writes keys that its own parser would take for something else as \; or \#.
        let key = key.strip_prefix('\\').filter(|k| !k.is_empty()).unwrap_or(key);
        Some(Binding {
            key: key.to_owned(),
            ours: is_ours(command),
        })
    };
    listing.lines().filter_map(binding).collect()
}

fn is_ours(command: &str) -> bool {
    command.contains("@tmux-status-") || command.contains("tmux-status.tmux")
}

/// What to do with the refresh key, given the user's option and what is bound already.
///
/// A key that the user names is always bound; the default never replaces a binding.
pub fn wanted(option: &str, bound: &[Binding]) -> Wanted {
    match option {
        NONE => Wanted::None,
        "" if bound.iter().any(|b| b.key == DEFAULT_REFRESH && !b.ours) => Wanted::Taken(DEFAULT_REFRESH.to_owned()),
        "" => Wanted::Bind(DEFAULT_REFRESH.to_owned()),
        key => Wanted::Bind(key.to_owned()),
    }
}

/// The tmux commands that unbind our older keys and bind the wanted one.
pub fn install(wanted: &Wanted, bound: &[Binding]) -> Vec<Vec<String>> {
    let words = |words: &[&str]| words.iter().map(|w| super::command::data(w)).collect::<Vec<_>>();
    let keep = match wanted {
        Wanted::Bind(key) => Some(key),
        _ => None,
    };
    let stale = bound.iter().filter(|b| b.ours && Some(&b.key) != keep);
    let mut commands: Vec<_> = stale
        .map(|b| words(&["unbind-key", "-T", "prefix", "--", &b.key]))
        .collect();
    if let Some(key) = keep {
        commands.push(words(&["bind-key", "-T", "prefix", "--", key, &refresh_command()]));
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = "bind-key    -T prefix C-b     send-prefix\n\
        bind-key -r -T prefix M-Up    resize-pane -U 5\n\
        bind-key    -T prefix \\;     last-pane\n\
        bind-key    -T prefix M-r     run-shell -b \"#{q:@tmux-status-bin-resolved} refresh\"\n";

    #[test]
    fn keys_are_read_with_repeat_flags_and_escapes() {
        let bound = parse(LISTING);
        assert_eq!(
            bound.iter().map(|b| b.key.as_str()).collect::<Vec<_>>(),
            ["C-b", "M-Up", ";", "M-r"]
        );
        assert_eq!(bound.iter().filter(|b| b.ours).count(), 1);
    }

    #[test]
    fn a_default_key_gives_way_and_a_chosen_one_does_not() {
        let theirs = [Binding {
            key: "M-r".into(),
            ours: false,
        }];
        assert_eq!(wanted("", &theirs), Wanted::Taken("M-r".into()));
        assert_eq!(wanted("M-r", &theirs), Wanted::Bind("M-r".into()));
        assert_eq!(wanted("", &[]), Wanted::Bind("M-r".into()));
        assert_eq!(wanted("none", &[]), Wanted::None);
    }

    #[test]
    fn a_key_that_is_no_longer_wanted_is_unbound() {
        let ours = [
            Binding {
                key: "M-r".into(),
                ours: true,
            },
            Binding {
                key: "x".into(),
                ours: false,
            },
        ];
        let commands = install(&wanted("R", &ours), &ours);
        assert_eq!(commands[0], ["unbind-key", "-T", "prefix", "--", "M-r"]);
        assert_eq!(commands[1][..5], ["bind-key", "-T", "prefix", "--", "R"]);
        assert_eq!(install(&wanted("M-r", &ours), &ours).len(), 1);
        assert_eq!(install(&wanted("none", &ours), &ours).len(), 1);
    }
}
