//! `doctor`: finds what is wrong with the set-up, and says what to type.

use crate::classify::{self, Rules};
use crate::cli::{ServerArgs, PROTOCOL};
use crate::output;
use crate::process;
use crate::refresh;
use crate::status::lock::Lock;
use crate::status::paths::Paths;
use crate::status::state::State;
use crate::status::{errors, read};
use crate::text;
use crate::tmux::command::{Failure, Tmux};
use crate::tmux::inquiry::{self, Inquiry};
use crate::tmux::key::{self, Wanted};
use crate::tmux::{option, version};
use anyhow::Result;
use std::path::Path;
use std::process::{Command, Stdio};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Good,
    Note,
    Bad,
}

/// One thing looked at.
#[derive(Debug)]
struct Finding {
    level: Level,
    what: String,
    fix: Option<String>,
}

fn good(what: impl Into<String>) -> Finding {
    Finding {
        level: Level::Good,
        what: what.into(),
        fix: None,
    }
}

fn note(what: impl Into<String>, fix: impl Into<String>) -> Finding {
    Finding {
        level: Level::Note,
        what: what.into(),
        fix: Some(fix.into()),
    }
}

fn bad(what: impl Into<String>, fix: impl Into<String>) -> Finding {
    Finding {
        level: Level::Bad,
        what: what.into(),
        fix: Some(fix.into()),
    }
}

/// Runs it: exit code 1 when something is broken.
///
/// # Errors
/// When standard output cannot be written.
pub fn run(server: &ServerArgs) -> Result<u8> {
    let tmux = Tmux::new(server.socket());
    let mut findings = vec![good(format!(
        "helper {} (protocol {PROTOCOL})",
        env!("CARGO_PKG_VERSION")
    ))];
    let asked = inquiry::ask(&tmux);
    findings.extend(server_findings(&tmux, asked.as_ref()));
    if let Ok(inquiry) = &asked {
        findings.extend(plugin_findings(inquiry));
        findings.extend(key_findings(inquiry));
        findings.extend(option_findings(inquiry));
    }
    findings.extend(file_findings(&tmux, asked.as_ref().ok()));
    findings.extend(rule_findings());
    let mut out = String::new();
    for finding in &findings {
        let mark = match finding.level {
            Level::Good => "ok   ",
            Level::Note => "note ",
            Level::Bad => "BAD  ",
        };
        out += &format!("{mark}{}\n", text::clean(&finding.what));
        if let Some(fix) = &finding.fix {
            out += &format!("       -> {}\n", text::clean(fix));
        }
    }
    output::print(out.as_bytes())?;
    Ok(u8::from(findings.iter().any(|f| f.level == Level::Bad)))
}

fn server_findings(tmux: &Tmux, asked: Result<&Inquiry, &Failure>) -> Vec<Finding> {
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
                    "restart the server when it suits you: tmux kill-server",
                ));
            }
            found.push(locale_finding(&inquiry.locale));
            found
        }
        Err(Failure::NoServer) => {
            vec![note(
                format!("no tmux server at {socket}"),
                "start tmux, or name another server with -L or -S",
            )]
        }
        Err(failure) => {
            let fault = refresh::refusal(tmux, failure);
            vec![bad(fault.what, fault.hint.unwrap_or_default())]
        }
    }
}

fn locale_finding(locale: &str) -> Finding {
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

fn plugin_findings(inquiry: &Inquiry) -> Vec<Finding> {
    let Some(bin) = inquiry.option(option::RESOLVED_BIN) else {
        return vec![bad(
            "the plugin is not loaded in this server: no hooks, no key",
            "add the plugin to tmux.conf as the README shows, then: tmux source-file ~/.tmux.conf",
        )];
    };
    let mut found = vec![match protocol_of(bin) {
        Some(number) if number == PROTOCOL.to_string() => good(format!("hooks run {bin}")),
        Some(number) => bad(
            format!("hooks run {bin}, which speaks protocol {number:?} instead of {PROTOCOL}"),
            "build it again (cargo build --release --locked in the plugin's folder), then source tmux.conf again",
        ),
        None => bad(
            format!("hooks run {bin}, which does not answer"),
            "build it (cargo build --release --locked in the plugin's folder), then source tmux.conf again",
        ),
    }];
    found.push(if inquiry.missing_hooks.is_empty() {
        good("all hooks are set")
    } else {
        bad(
            format!(
                "hooks missing, wiped by another plugin or by set-hook without -a: {}",
                inquiry.missing_hooks.join(" ")
            ),
            "tmux-status refresh puts them back",
        )
    });
    found.extend(inquiry.hidden_hooks.iter().map(|(session, hooks)| {
        note(
            format!("session {session} has hooks of its own, which hide ours there: {hooks}"),
            format!("set them with set-hook -g instead, then: tmux set-hook -u -t '{session}' HOOK"),
        )
    }));
    found
}

/// What `bin --protocol` prints.
fn protocol_of(bin: &str) -> Option<String> {
    let out = Command::new(bin)
        .arg("--protocol")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

fn key_findings(inquiry: &Inquiry) -> Vec<Finding> {
    if inquiry.option(option::RESOLVED_BIN).is_none() {
        return Vec::new();
    }
    let bound = key::parse(&inquiry.prefix_keys);
    let ours = |key: &str| bound.iter().any(|b| b.key == key && b.ours);
    vec![
        match key::wanted(inquiry.option(option::KEY).unwrap_or_default(), &bound) {
            Wanted::None => good("no refresh key is wanted"),
            Wanted::Taken(key) => note(
                format!("the key prefix {key} is bound to something else, which was left alone"),
                format!("choose another in tmux.conf: set -g {} KEY", option::KEY),
            ),
            Wanted::Bind(key) if ours(&key) => good(format!("prefix {key} refreshes")),
            Wanted::Bind(key) => bad(
                format!("prefix {key} is not bound to a refresh"),
                format!(
                    "source tmux.conf again; if that does not help, tmux does not know this key: set {}",
                    option::KEY
                ),
            ),
        },
    ]
}

fn option_findings(inquiry: &Inquiry) -> Vec<Finding> {
    let value = |option: &option::UserOption| option.problem(inquiry.option(option.name)?);
    let mut found: Vec<_> = option::OPTIONS
        .iter()
        .filter_map(|option| {
            Some(bad(
                value(option)?,
                format!("the default holds ({}): {}", option.default, option.help),
            ))
        })
        .collect();
    for name in &inquiry.unknown_options {
        let known: Vec<_> = option::OPTIONS.iter().map(|option| option.name).collect();
        found.push(note(
            format!("{name} is no option of this plugin"),
            format!("these are: {}", known.join(" ")),
        ));
    }
    found
}

fn file_findings(tmux: &Tmux, inquiry: Option<&Inquiry>) -> Vec<Finding> {
    let own = match Paths::of(tmux.socket()) {
        Ok(own) => own,
        Err(error) => {
            return vec![bad(
                format!("{error:#}"),
                "set HOME or XDG_STATE_HOME to an absolute path",
            )]
        }
    };
    let wanted = inquiry.and_then(|i| i.option(option::FILE)).unwrap_or_default();
    let paths = own.with_status_file(wanted);
    let mut found = Vec::new();
    let published = inquiry.and_then(|i| i.option(option::PUBLISHED_FILE));
    if let Some(published) = published.filter(|p| Path::new(p) != paths.status) {
        found.push(note(
            format!(
                "the server's hooks write {published}, this shell would write {}",
                paths.status.display()
            ),
            "start tmux and this shell with the same XDG_STATE_HOME (readers find the published file anyway)",
        ));
    }
    found.push(
        match paths.make_folders().and_then(|()| Lock::try_take(&paths.write_lock)) {
            Err(error) => bad(
                format!("{error:#}"),
                "make the folder writable, or set XDG_STATE_HOME to one that is",
            ),
            Ok(None) => note(
                format!("{} is held: a refresh runs", paths.write_lock.display()),
                "if it stays so: a stopped tmux-status process holds it (ps ax | grep tmux-status)",
            ),
            Ok(Some(_)) => good(format!("{} is writable", paths.folder.display())),
        },
    );
    // Opened only when it is there: a look must not make another program's lock.
    if paths.driver_lock.exists() && matches!(Lock::try_take(&paths.driver_lock), Ok(None)) {
        found.push(good(format!(
            "{} is held: a driver keeps the file fresh",
            paths.driver_lock.display()
        )));
    }
    let now = refresh::now_ms() / 1000;
    found.push(match read::status_file(&paths.status) {
        Some(file) => good(format!(
            "{} holds {}, {} old",
            paths.status.display(),
            text::count(file.sessions.len(), "session"),
            text::ago(now.saturating_sub(file.generated_at))
        )),
        None => bad(
            format!("{} is missing or no status file", paths.status.display()),
            "tmux-status refresh writes it",
        ),
    });
    let state = State::read(&paths.state);
    let owner = state.server.as_ref().map(|known| &known.server);
    if let (Some(owner), Some(inquiry)) = (owner, inquiry) {
        if owner.pid != inquiry.pid && process::started(owner.pid).is_some() {
            found.push(note(
                format!(
                    "the files belong to the server {} at {}, not to this one",
                    owner.pid, owner.socket
                ),
                "start one of them with a socket name of its own (tmux -L NAME)",
            ));
        }
    }
    let last = errors::last(&paths.errors);
    found.extend(last.iter().rev().take(5).map(|line| {
        let (time, error) = line.split_once(' ').unwrap_or(("0", line));
        let age = text::ago(now.saturating_sub(time.parse().unwrap_or(now)));
        note(
            format!("{age} ago a hook's refresh failed: {error}"),
            format!("all of them: {}", paths.errors.display()),
        )
    }));
    found
}

fn rule_findings() -> Vec<Finding> {
    let (_, problems) = Rules::load(classify::user_folder().as_deref());
    let fix = "correct the file, or remove it; the built-in rules hold meanwhile";
    if problems.is_empty() {
        return vec![good("rules are sound")];
    }
    problems.iter().map(|problem| bad(problem.to_string(), fix)).collect()
}
