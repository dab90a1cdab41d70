//! The tmux hooks that make a refresh owed, and how they are kept from storming.
//!
//! Each hook runs inside the server until a refresh is really owed: the first event notes the time in a hidden
//! environment variable and forks one helper; until that helper has taken its look (it clears the note in the same queue
//! pass), further events find the note and do nothing. A note older than two seconds belongs to a helper that died, so it
//! counts for nothing: a hook never goes deaf.
//!
//! While a driver lives, the event wakes it instead, which forks nothing. The driver says in each of its looks until when
//! to rely on that; one that died or was stopped says nothing more, and hooks fork helpers again. Ids, names and paths of panes are not interpolated anywhere here.

use super::option::{CHANNEL, DRIVER_UNTIL, NOW, OWED, RESOLVED_BIN};

/// Our place in every hook's array. A fixed index makes sourcing idempotent and leaves a user's `-ga` entries alone.
pub const INDEX: u32 = 91;

/// The events after which the file may be wrong.
///
/// Absent on purpose: `pane-title-changed` (spinners set titles ten times a second) and `pane-focus-*` (they need an
/// option that changes what programs see).
pub const EVENTS: &[&str] = &[
    "after-new-window",
    "alert-bell",
    "client-attached",
    "client-detached",
    "client-session-changed",
    "pane-died",
    "pane-exited",
    "session-created",
    "session-renamed",
    "session-window-changed",
    "window-layout-changed",
    "window-linked",
    "window-pane-changed",
    RENAMED,
    "window-unlinked",
];

/// The event after which the server may be about to exit. When no session is left it starts its helper without `-b`: jobs started with `-b` get
/// SIGTERM when the server exits (measured on 3.2a–3.5a).
pub const LAST_SESSION: &str = "session-closed";

/// The event that windows with automatic names fire without end.
const RENAMED: &str = "window-renamed";

/// A part of our hook commands that no other plugin's has.
const MARK: &str = "--hook ";

fn all() -> impl Iterator<Item = &'static str> {
    EVENTS.iter().copied().chain([LAST_SESSION])
}

/// The shell command that runs the helper after `event`, silent and successful whatever happens: output or a non-zero
/// exit would put the user's active pane into view-mode. tmux runs it with `sh`, whatever `default-shell` is.
fn job(event: &str, end: &str) -> String {
    // q: quotes for sh; the value is an absolute path that the plugin itself has put there.
    format!("#{{q:{RESOLVED_BIN}}} refresh {MARK}{event} >/dev/null 2>&1 {end}")
}

/// The tmux command of one hook. One that outlived its plugin (a helper put it back while the plugin was being uninstalled)
/// does nothing.
fn command(event: &str) -> String {
    // A note from the future (the clock was set back) is as void as an old one.
    let owed = between(&format!("#{{e|-:#{{T:{NOW}}},#{{{OWED}}}}}"), 0, 2);
    let unloaded = format!("#{{==:#{{{RESOLVED_BIN}}},}}");
    let mut nothing = format!("#{{||:{unloaded},{owed}}}");
    if event == RENAMED {
        // A window that takes its name from what runs in it may do so twice a second; a driver sees it at its next look.
        nothing = format!(
            "#{{||:{nothing},#{{&&:#{{automatic-rename}},{}}}}}",
            driver_lives_format()
        );
    }
    let guarded = format!(
        "if-shell -F '{nothing}' '' {{ set-environment -ghF {OWED} \"#{{T:{NOW}}}\" ; {} {{ run-shell -b \"{}\" }} }}",
        wake_driver(),
        job(event, "|| :")
    );
    if event != LAST_SESSION {
        return guarded;
    }
    // Unguarded and not of the server's jobs only where no session is left.
    let last = format!("if-shell -F '#{{{RESOLVED_BIN}}}' 'run-shell \"{}\"'", job(event, "&"));
    format!("if-shell -F '#{{S:.}}' {{ {guarded} }} {{ {last} }}")
}

/// A format that is true while the number `value` is at least `least` and below `end`.
fn between(value: &str, least: u64, end: u64) -> String {
    format!("#{{&&:#{{e|>=:{value},{least}}},#{{e|<:{value},{end}}}}}")
}

/// A format that is true while a driver lives.
pub(super) fn driver_lives_format() -> String {
    let left = format!("#{{e|-:#{{{DRIVER_UNTIL}}},#{{T:{NOW}}}}}");
    // Farther ahead than a driver ever promises is a clock that was set back.
    between(&left, 1, LONGEST_PROMISE + 1)
}

/// The beginning of a tmux command: it wakes a driver that lives, or else does what is put after it.
fn wake_driver() -> String {
    let lives = driver_lives_format();
    // wait-for expands no formats itself.
    format!("if-shell -F '{lives}' {{ run-shell -C 'wait-for -S #{{{CHANNEL}}}' }}")
}

/// Seconds ahead that a driver may promise to live.
pub const LONGEST_PROMISE: u64 = 70;

/// Whether a driver that has promised to live until that epoch second is to be believed at the epoch second `now`.
pub fn is_promised(until: u64, now: u64) -> bool {
    (1..=LONGEST_PROMISE).contains(&until.saturating_sub(now))
}

/// The channel on which this process waits, when it is the driver.
pub fn own_channel() -> String {
    format!("tmux-status-{}", std::process::id())
}

/// The tmux command that a driver starts with: one that was killed may have left a process waiting, which is let go.
pub fn driver_starts() -> Vec<String> {
    let old = format!("#{{{CHANNEL}}}");
    ["if-shell", "-F", &old, &format!("run-shell -C 'wait-for -S {old}'")]
        .map(str::to_owned)
        .to_vec()
}

/// The tmux command that a driver ends with: hooks fork helpers from now on, unless another driver has begun.
pub fn driver_ends() -> Vec<String> {
    let own = format!("#{{==:#{{{CHANNEL}}},{}}}", own_channel());
    let forget = format!("set-environment -ghu {DRIVER_UNTIL} ; set-environment -ghu {CHANNEL}");
    ["if-shell", "-F", &own, &forget].map(str::to_owned).to_vec()
}

/// The tmux commands that note that this driver lives until that epoch second, with a `;` between them.
pub fn driver_lives(until: u64) -> Vec<String> {
    let set = |name: &str, value: String| vec!["set-environment".into(), "-gh".into(), name.to_owned(), value];
    super::command::sequence(vec![set(DRIVER_UNTIL, until.to_string()), set(CHANNEL, own_channel())])
}

/// The tmux commands that set every hook of ours.
pub fn install() -> Vec<Vec<String>> {
    let command = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let start =
        [NOW, OWED].map(|name| command(&["set-environment", "-gh", name, if name == NOW { "%s" } else { "0" }]));
    // -g finds the right table for session, window and pane hooks on every version.
    let set = |event| command(&["set-hook", "-g", &format!("{event}[{INDEX}]"), &self::command(event)]);
    start.into_iter().chain(all().map(set)).collect()
}

/// The tmux command that starts a refresh of everything at once.
pub fn refresh_loaded() -> Vec<String> {
    ["run-shell", "-b", &job("load --full", "|| :")]
        .map(str::to_owned)
        .to_vec()
}

/// The tmux command that makes a refresh owed, as the hooks do; `event` is a word of ours.
pub fn owe(event: &str) -> Vec<String> {
    // The hooks' own command is text for tmux to parse; a condition that always holds has it do so.
    ["if-shell", "-F", "#{==:1,1}", &command(event)]
        .map(str::to_owned)
        .to_vec()
}

/// A format that is the names of the hooks that are not set as [`install`] sets them, each followed by a blank.
///
/// Hooks are options, so that a format can read them by name and index.
pub fn missing_format() -> String {
    all()
        .map(|event| format!("#{{?#{{m:*{MARK}*,#{{{event}[{INDEX}]}}}},,{event} }}"))
        .collect()
}

/// Arguments of the tmux command that notes that no refresh is owed, where the plugin is loaded.
pub fn clear_owed() -> [String; 4] {
    let clear = format!("set-environment -gh {OWED} 0");
    ["if-shell".into(), "-F".into(), format!("#{{{RESOLVED_BIN}}}"), clear]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_interpolate_nothing_a_pane_can_set() {
        for event in all() {
            let command = command(event).replace(&format!("{MARK}{event}"), "");
            for untrusted in ["name", "title", "command", "path", "hook"] {
                let command = command.replace("#{automatic-rename}", "");
                assert!(!command.contains(untrusted), "{event}: {untrusted}");
            }
        }
    }

    #[test]
    fn only_a_promise_for_the_near_future_is_believed() {
        assert!(is_promised(1001, 1000) && is_promised(1000 + LONGEST_PROMISE, 1000));
        for until in [0, 999, 1000, 1001 + LONGEST_PROMISE, u64::MAX] {
            assert!(!is_promised(until, 1000), "{until}");
        }
    }

    #[test]
    fn a_session_that_closes_is_never_waited_for_and_never_in_the_background_of_tmux() {
        let command = command(LAST_SESSION);
        assert!(command.contains("'run-shell \"") && command.ends_with("&\"' }"));
    }
}
