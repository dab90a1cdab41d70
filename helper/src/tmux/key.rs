//! Key bindings in the prefix table: ours, and which ones were there before.

use super::option::{DASHBOARD_KEY, KEY, NEXT_KEY, PUBLISHED_STATE, RESOLVED_BIN, SOURCE};

/// What one of our keys does.
#[derive(Debug)]
pub struct Action {
    /// The option that names its key.
    pub option: &'static str,
    /// The key when the user names none.
    pub default: &'static str,
    /// What pressing it does, for `doctor`: prefix M-r …
    pub does: &'static str,
    /// The arguments of the helper, as a tmux format.
    arguments: fn() -> String,
}

/// All our keys.
pub const ACTIONS: &[Action] = &[
    Action {
        option: KEY,
        default: "M-r",
        does: "refreshes",
        arguments: || "refresh --full --message #{q:client_name}".to_owned(),
    },
    Action {
        option: DASHBOARD_KEY,
        default: "A",
        does: "opens the dashboard",
        arguments: || "dashboard --popup #{q:client_name}".to_owned(),
    },
    Action {
        option: NEXT_KEY,
        default: "N",
        does: "jumps to the window that needs you",
        arguments: next,
    },
];

/// `next`, with all that it needs to know: it asks tmux nothing before it jumps.
fn next() -> String {
    // Quoted for sh, to which `$1` is an argument.
    let at = super::seat::standpoint_format();
    format!("next --client #{{q:client_name}} --at '{at}' --state=#{{q:{PUBLISHED_STATE}}}")
}

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

impl Action {
    /// The tmux command behind the key: it acts on the client that pressed it. When the helper has vanished or fails, the
    /// plugin is loaded again, which says what is wrong.
    fn command(&self) -> String {
        let run = format!("#{{q:{RESOLVED_BIN}}} {} >/dev/null 2>&1", (self.arguments)());
        format!("run-shell -b \"{run} || #{{q:{SOURCE}}}/tmux-status.tmux >/dev/null 2>&1 || :\"")
    }

    /// What to do about its key, given the user's `option` and what is bound already.
    ///
    /// A key that the user names is always bound; the default never replaces a binding.
    pub fn wanted(&self, option: &str, bound: &[Binding]) -> Wanted {
        match option {
            NONE => Wanted::None,
            "" if bound.iter().any(|b| b.key == self.default && !b.ours) => Wanted::Taken(self.default.to_owned()),
            "" => Wanted::Bind(self.default.to_owned()),
            key => Wanted::Bind(key.to_owned()),
        }
    }
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

/// The tmux commands that unbind our older keys and bind the wanted ones; `option` tells an option's value.
pub fn install<'a>(option: impl Fn(&str) -> &'a str, bound: &[Binding]) -> Vec<Vec<String>> {
    let words = |words: &[&str]| words.iter().map(|w| super::command::data(w)).collect::<Vec<_>>();
    let keys = ACTIONS
        .iter()
        .filter_map(|action| match action.wanted(option(action.option), bound) {
            Wanted::Bind(key) => Some((key, action)),
            Wanted::None | Wanted::Taken(_) => None,
        });
    let keys: Vec<_> = keys.collect();
    let stale = bound
        .iter()
        .filter(|b| b.ours && keys.iter().all(|(key, _)| *key != b.key));
    let unbind = stale.map(|b| words(&["unbind-key", "-T", "prefix", "--", &b.key]));
    let bind = |(key, action): &(String, &Action)| words(&["bind-key", "-T", "prefix", "--", key, &action.command()]);
    unbind.chain(keys.iter().map(bind)).collect()
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

    fn binding(key: &str, ours: bool) -> Binding {
        Binding { key: key.into(), ours }
    }

    #[test]
    fn a_default_key_gives_way_and_a_chosen_one_does_not() {
        for action in ACTIONS {
            let theirs = [binding(action.default, false)];
            let default = || action.default.to_owned();
            assert_eq!(action.wanted("", &theirs), Wanted::Taken(default()));
            assert_eq!(action.wanted(action.default, &theirs), Wanted::Bind(default()));
            assert_eq!(action.wanted("", &[]), Wanted::Bind(default()));
            assert_eq!(action.wanted("none", &[]), Wanted::None);
        }
    }

    #[test]
    fn a_key_that_is_no_longer_wanted_is_unbound() {
        let bound = [binding("M-r", true), binding("x", false), binding("N", true)];
        let chosen = |refresh: &'static str| move |name: &str| if name == KEY { refresh } else { "" };
        let keys = |refresh| -> Vec<[String; 2]> {
            let commands = install(chosen(refresh), &bound);
            commands.iter().map(|c| [c[0].clone(), c[4].clone()]).collect()
        };
        let pair = |command: &str, key: &str| [command, key].map(str::to_owned);
        let others = [pair("bind-key", "A"), pair("bind-key", "N")];
        assert_eq!(keys("R")[..2], [pair("unbind-key", "M-r"), pair("bind-key", "R")]);
        assert_eq!(keys("R")[2..], others);
        assert_eq!(keys("")[0], pair("bind-key", "M-r"));
        assert_eq!(keys("none")[0], pair("unbind-key", "M-r"));
        assert_eq!(keys("none")[1..], others);
    }
}
