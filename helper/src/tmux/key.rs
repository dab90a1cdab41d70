//! Key bindings in the prefix table: ours, and which ones were there before.

use super::command::word;
use super::option::{CLIENT, DASHBOARD_KEY, KEY, NEXT_KEY, PUBLISHED_STATE, RESOLVED_BIN, SOURCE};

/// What one of our keys does.
#[derive(Debug)]
pub struct Action {
    /// The option that names its key.
    pub option: &'static str,
    /// The key when the user names none.
    pub default: &'static str,
    /// What pressing it does, for `doctor`: prefix M-r …
    pub does: &'static str,
    /// How the helper is run.
    runs: Runs,
}

/// How a key runs the helper.
#[derive(Debug)]
enum Runs {
    /// Without a terminal, with these arguments: a tmux format.
    Unseen(fn() -> String),
    /// With this subcommand and the client that pressed the key, in a popup over its windows, or in a window where the
    /// terminal is too small for one.
    InPopup(&'static str),
}

/// All our keys.
pub const ACTIONS: &[Action] = &[
    Action {
        option: KEY,
        default: "M-r",
        does: "refreshes",
        runs: Runs::Unseen(|| "refresh --full --message #{q:client_name}".to_owned()),
    },
    Action {
        option: DASHBOARD_KEY,
        default: "A",
        does: "opens the dashboard",
        runs: Runs::InPopup("dashboard"),
    },
    Action {
        option: NEXT_KEY,
        default: "N",
        does: "jumps to the window that needs you",
        runs: Runs::Unseen(next),
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
    fn command(&self, bin: &str) -> String {
        match self.runs {
            Runs::Unseen(arguments) => {
                let run = format!("#{{q:{RESOLVED_BIN}}} {} >/dev/null 2>&1", arguments());
                format!("run-shell -b \"{run} || #{{q:{SOURCE}}}/tmux-status.tmux >/dev/null 2>&1 || :\"")
            }
            Runs::InPopup(subcommand) => in_popup(subcommand, bin),
        }
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

/// The least size of a terminal, in cells, in which a popup leaves something of the windows below in sight, and the least in
/// which one is of use at all.
const ROOMY: (u32, u32) = (100, 30);
const LEAST: (u32, u32) = (24, 8);

/// The tmux commands that run the helper where its user sees it, and afterwards find out whether there was one.
///
/// Popups expand no formats in what they run, and tmux is a good deal slower when `run-shell` does so before: the client's name
/// gets there by the environment, and the helper's path is written out.
fn in_popup(subcommand: &str, bin: &str) -> String {
    // Given as words, they need no shell. A window may take its time: there q: quotes for tmux's own parser.
    let run = format!("{} {subcommand} --from-key", word(bin));
    let slowly = format!("run-shell -C \"new-window -n {subcommand} #{{q:{RESOLVED_BIN}}} {subcommand} --from-key\"");
    let has = |(columns, rows): (u32, u32)| {
        format!("#{{&&:#{{e|>=:#{{client_width}},{columns}}},#{{e|>=:#{{client_height}},{rows}}}}}")
    };
    let (roomy, fits) = (has(ROOMY), has(LEAST));
    let popup = |size: &str| format!("display-popup -E -w {size} -h {size} {run}");
    let (some, all) = (popup("90%"), popup("100%"));
    format!(
        "set-environment -gF {CLIENT} '#{{client_name}}' ; \
         if-shell -F '{roomy}' {{ {some} }} {{ if-shell -F '{fits}' {{ {all} }} {{ {slowly} }} }} ; \
         set-environment -gu {CLIENT} ; \
         run-shell -b \"test -x #{{q:{RESOLVED_BIN}}} || #{{q:{SOURCE}}}/tmux-status.tmux >/dev/null 2>&1 || :\""
    )
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

/// The tmux commands that unbind our older keys and bind the wanted ones to the helper `bin`; `option` tells an option's value.
pub fn install<'a>(bin: &str, option: impl Fn(&str) -> &'a str, bound: &[Binding]) -> Vec<Vec<String>> {
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
    let bind =
        |(key, action): &(String, &Action)| words(&["bind-key", "-T", "prefix", "--", key, &action.command(bin)]);
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
            let commands = install("/x y/tmux-status", chosen(refresh), &bound);
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
