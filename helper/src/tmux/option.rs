//! The plugin's tmux options: their names, defaults and what they may hold, in one table.

use crate::theme;
use crate::wish;

/// One user option.
#[derive(Debug)]
pub struct UserOption {
    /// Its tmux name.
    pub name: &'static str,
    /// What holds when it is not set, in words.
    pub default: &'static str,
    /// What it does, for `doctor` and the README.
    pub help: &'static str,
    /// The values it may have; empty = any text.
    pub values: &'static [&'static str],
}

/// Key that forces a refresh, after the prefix.
pub const KEY: &str = "@tmux-status-key";
/// Key that opens the dashboard, after the prefix.
pub const DASHBOARD_KEY: &str = "@tmux-status-dashboard-key";
/// Key that jumps to the next window that needs its user, after the prefix.
pub const NEXT_KEY: &str = "@tmux-status-next-key";
/// Windows that never need anyone.
pub const IGNORE: &str = "@tmux-status-ignore";
/// What marks a state.
pub const ICONS: &str = "@tmux-status-icons";
/// How a state is coloured.
pub const COLOURS: &str = "@tmux-status-colours";
/// How the user is told of a window that needs them.
pub const NOTIFY: &str = "@tmux-status-notify";
/// Which needs they are told of.
pub const NOTIFY_ON: &str = "@tmux-status-notify-on";
/// The command line of their own that tells them.
pub const NOTIFY_COMMAND: &str = "@tmux-status-notify-command";
/// The model that words summaries.
pub const AI_COMMAND: &str = "@tmux-status-ai-command";
/// What is never sent to a model.
pub const AI_EXCLUDE: &str = "@tmux-status-ai-exclude";
/// Place of the status file.
pub const FILE: &str = "@tmux-status-file";
/// Which pane speaks for its window.
pub const PANES: &str = "@tmux-status-panes";
/// Whether windows carry their state in options of their own.
pub const WINDOW_OPTIONS: &str = "@tmux-status-window-options";
/// Whether the driver runs.
pub const WATCH: &str = "@tmux-status-watch";
/// Seconds between two looks of the driver.
pub const INTERVAL: &str = "@tmux-status-interval";
/// Whether all sessions are saved by themselves, and where.
pub const AUTOSAVE: &str = "@tmux-status-autosave";
/// The helper to run.
pub const BIN: &str = "@tmux-status-bin";
/// Whether a missing helper is built without asking.
pub const AUTOBUILD: &str = "@tmux-status-autobuild";

/// Every option a user may set.
pub const OPTIONS: &[UserOption] = &[
    UserOption {
        name: KEY,
        default: "M-r",
        help: "key, after the prefix, that forces a refresh; none: no key",
        values: &[],
    },
    UserOption {
        name: DASHBOARD_KEY,
        default: "A",
        help: "key, after the prefix, that opens the dashboard; none: no key",
        values: &[],
    },
    UserOption {
        name: NEXT_KEY,
        default: "N",
        help: "key, after the prefix, that jumps to the window that needs you most; none: no key",
        values: &[],
    },
    UserOption {
        name: IGNORE,
        default: "no window",
        help: "windows that never need you: patterns for their names, with * and ?, a comma between two; ops:* is all of a session",
        values: &[],
    },
    UserOption {
        name: ICONS,
        default: "unicode",
        help: "unicode or ascii, then icons of your own: ascii question=?? done=ok",
        values: &[],
    },
    UserOption {
        name: COLOURS,
        default: "default",
        help: "default or none, then colours of your own, as tmux names them: question=colour208 done=#50fa7b",
        values: &[],
    },
    UserOption {
        name: NOTIFY,
        default: "off",
        help: "how you are told of a window that needs you and that nobody looks at: off, or some of bell message desktop command",
        values: &[],
    },
    UserOption {
        name: NOTIFY_ON,
        default: "permission question failed done",
        help: "what you are told of",
        values: &[],
    },
    UserOption {
        name: NOTIFY_COMMAND,
        default: "no command",
        help: "shell command for the way command; what it is about stands in its environment",
        values: &[],
    },
    UserOption {
        name: AI_COMMAND,
        default: "off",
        help: "model that words the summaries: claude, codex, gemini, llm, ollama, or a command line of your own; on: as ai.toml says",
        values: &[],
    },
    UserOption {
        name: AI_EXCLUDE,
        default: "no window",
        help: "windows whose text is never sent to a model: patterns as for ignore, or of directories: /work/secret",
        values: &[],
    },
    UserOption {
        name: FILE,
        default: "$XDG_STATE_HOME/thegrid/tmux-status.json",
        help: "absolute path of the status file",
        values: &[],
    },
    UserOption {
        name: PANES,
        default: "attention",
        help: "attention: a pane that needs you speaks for its window; active: always the active pane",
        values: &["attention", "active"],
    },
    UserOption {
        name: WINDOW_OPTIONS,
        default: "on",
        help: "off: windows carry no options with their state, for window-status-format",
        values: &["on", "off"],
    },
    UserOption {
        name: WATCH,
        default: "on",
        help: "off: no driver; the file then follows hooks and the refresh key alone",
        values: &["on", "off"],
    },
    UserOption {
        name: INTERVAL,
        default: "1",
        help: "seconds between two looks of the driver, 1 to 60; unset, they are 2 above 200 windows",
        values: &[],
    },
    UserOption {
        name: AUTOSAVE,
        default: "off",
        help: "on, or the absolute path of a folder: all sessions are saved there, for after a reboot",
        values: &[],
    },
    UserOption {
        name: BIN,
        default: "target/release, ~/.cargo/bin, PATH",
        help: "absolute path of the tmux-status helper",
        values: &[],
    },
    UserOption {
        name: AUTOBUILD,
        default: "off",
        help: "on: a missing helper is built in a window of its own, without asking",
        values: &["on", "off"],
    },
];

/// What the user has set, in the order of [`OPTIONS`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options(Vec<String>);

impl Options {
    /// A format of all of them, each ended by `end`.
    pub fn format(end: &str) -> String {
        let one = |option: &UserOption| format!("#{{{}}}{end}", option.name);
        OPTIONS.iter().map(one).collect()
    }

    /// Out of the fields that [`Options::format`] printed, with what follows them; `None` when those are too few.
    pub fn read<'a, 'b>(fields: &'a [&'b str]) -> Option<(Self, &'a [&'b str])> {
        let (values, rest) = fields.split_at_checked(OPTIONS.len())?;
        Some((Self(values.iter().map(|value| (*value).to_owned()).collect()), rest))
    }

    /// The value of one of [`OPTIONS`]; empty when it is not set.
    pub fn get(&self, name: &str) -> &str {
        let value = OPTIONS.iter().zip(&self.0).find(|(option, _)| option.name == name);
        value.map_or("", |(_, value)| value)
    }
}

/// The value that turns something off.
pub const OFF: &str = "off";

/// Set while the plugin is loaded: the absolute path of the helper that its hooks run.
pub const RESOLVED_BIN: &str = "@tmux-status-bin-resolved";
/// The plugin's folder.
pub const SOURCE: &str = "@tmux-status-source";
/// Where the status file is, for readers that were started with another environment.
pub const PUBLISHED_FILE: &str = "@tmux-status-path";
/// Where our own state is, likewise.
pub const PUBLISHED_STATE: &str = "@tmux-status-state-path";

/// What `#{tmux_status}` stands for, as tmux draws it: a hidden environment variable.
pub const VARIABLE: &str = "tmux_status";
/// The same as an option: setting one has every client drawn anew.
pub const LINE: &str = "@tmux-status-line";
/// Window options: kind, need, icon, colour and summary, as tmux draws them. They end with their window.
pub const WINDOW: [&str; 5] = [
    "@tmux-status-kind",
    "@tmux-status-need",
    "@tmux-status-icon",
    "@tmux-status-colour",
    "@tmux-status-summary",
];

/// Window option: the epoch second at which its user has parked it. It ends with its window.
pub const PARKED: &str = "@tmux-status-parked";
/// Pane option: what a hook of the agent in the pane last reported; see [`crate::agents::report`]. It ends with its pane.
pub const REPORT: &str = "@tmux-status-report";
/// Window option: the epoch second of the last report from any of its panes, since a report alone is no activity to tmux.
pub const REPORTED_AT: &str = "@tmux-status-reported-at";

/// Hidden environment variable: the epoch second at which a refresh became owed; 0 when none is.
pub const OWED: &str = "TMUX_STATUS_D";
/// Hidden environment variable: the epoch second until which hooks wake the driver; it moves on with each of its looks.
pub const DRIVER_UNTIL: &str = "TMUX_STATUS_UNTIL";
/// Hidden environment variable: the channel on which the driver waits (`wait-for`).
pub const CHANNEL: &str = "TMUX_STATUS_CHANNEL";
/// Environment variable, while a key of ours opens a view: the client whose key it was.
pub const CLIENT: &str = "TMUX_STATUS_CLIENT";
/// Hidden environment variable holding `%s`, so that `#{T:…}` gives the time in a format.
pub const NOW: &str = "TMUX_STATUS_NOW";

/// The tmux commands that tell readers where the status file and the state are, for [`super::command::Tmux::effect_if`].
pub fn publish(places: &[String; 2]) -> Vec<Vec<String>> {
    let names = [PUBLISHED_FILE, PUBLISHED_STATE];
    let set = |(name, place): (&str, &String)| ["set-option", "-g", name, place].map(str::to_owned).to_vec();
    names.into_iter().zip(places).map(set).collect()
}

/// The seconds that [`INTERVAL`] holds.
pub fn interval(value: &str) -> Option<u64> {
    value.parse().ok().filter(|seconds| (1..=60).contains(seconds))
}

impl UserOption {
    /// Why `value` is not one this option may have.
    pub fn problem(&self, value: &str) -> Option<String> {
        if value.is_empty() {
            return None;
        }
        if !self.values.is_empty() && !self.values.contains(&value) {
            return Some(format!(
                "{} is {value:?}: it may be {}",
                self.name,
                self.values.join(" or ")
            ));
        }
        let words = match self.name {
            ICONS => theme::Icons::read(value, false).1,
            COLOURS => theme::Colours::read(value).1,
            NOTIFY => wish::ways_problem(value),
            NOTIFY_ON => wish::needs_problem(value),
            _ => None,
        };
        if let Some(why) = words {
            return Some(format!("{} is {value:?}: {why}", self.name));
        }
        if self.name == INTERVAL && interval(value).is_none() {
            return Some(format!(
                "{} is {value:?}: it must be a whole number from 1 to 60",
                self.name
            ));
        }
        if self.name == AUTOSAVE && !matches!(value, "on" | OFF) && !value.starts_with('/') {
            return Some(format!(
                "{} is {value:?}: it must be on, off, or an absolute path",
                self.name
            ));
        }
        let path = self.name == FILE || self.name == BIN;
        (path && !value.starts_with('/')).then(|| format!("{} is {value:?}: it must be an absolute path", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str) -> &'static UserOption {
        OPTIONS.iter().find(|o| o.name == name).unwrap()
    }

    #[test]
    fn only_listed_values_and_absolute_paths_are_accepted() {
        assert_eq!(option(PANES).problem("active"), None);
        assert_eq!(option(PANES).problem(""), None);
        assert!(option(PANES).problem("all").unwrap().contains("attention or active"));
        assert!(option(FILE).problem("status.json").unwrap().contains("absolute"));
        assert_eq!(option(FILE).problem("/tmp/status.json"), None);
        assert!(option(ICONS).problem("emoji").unwrap().contains("emoji"));
        assert!(option(COLOURS).problem("done=pinkish").unwrap().contains("pinkish"));
        assert_eq!(option(KEY).problem("M-x"), None);
        assert_eq!(option(INTERVAL).problem("5"), None);
        for wrong in ["0", "61", "1.5", "fast"] {
            assert!(option(INTERVAL).problem(wrong).unwrap().contains("1 to 60"), "{wrong}");
        }
    }
}
