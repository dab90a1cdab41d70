//! What a rule file may say: the words of `rules/README.md` as types, shared by the build script and the program.
//!
//! Both read the same TOML through these types, so an unknown word is refused at build time in an embedded file and
//! reported with its line in a user's file. Nothing here compiles a pattern or judges a screen.

use super::pattern;
use crate::model::{Need, StatusKind};
use serde::Deserialize;

/// The most non-blank lines of a pane that any region may hold.
pub const MOST_LINES: u8 = 20;

/// Values that every summary may use, beside what patterns capture.
pub const VALUES: &[&str] = &[
    "program", "doing", "dialog", "args", "target", "leader", "file", "title", "dir", "command", "typed", "status",
    "output", "line", "user", "ended", "took",
];

/// A whole rule file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RuleFile {
    /// The program's name in summaries; the file's name when left out.
    pub name: Option<String>,
    /// The name is the command that was found (one file for many shells).
    #[serde(default)]
    pub name_from_command: bool,
    /// Whether it is a coding agent.
    #[serde(default)]
    pub agent: bool,
    /// A thin starter: the program it runs speaks for the window where that one has rules.
    #[serde(default)]
    pub wrapper: bool,
    /// Rules tried for every program after its own.
    #[serde(default)]
    pub shared: bool,
    /// Command names, exact; a trailing `*` matches any rest.
    #[serde(default)]
    pub commands: Vec<String>,
    /// Names or path pieces of scripts that an interpreter runs.
    #[serde(default)]
    pub scripts: Vec<String>,
    /// Patterns on the pane's title, asked only where the command says nothing.
    #[serde(default)]
    pub titles: Vec<String>,
    /// Where the program's input box is.
    pub composer: Option<ComposerText>,
    /// The rules, first match wins.
    #[serde(default, rename = "rule")]
    pub rules: Vec<RuleText>,
}

/// How to find an input box near the bottom.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComposerText {
    /// Its first line; the lowest match counts.
    pub start: String,
    /// The line that ends it, looked for below the start; without one the box is the start's own lines.
    pub end: Option<String>,
}

/// One rule as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RuleText {
    /// Unique in its file.
    pub id: String,
    /// The verdict's kind.
    pub kind: StatusKind,
    /// What the user is needed for.
    pub need: Option<Need>,
    /// The region of patterns that name none.
    #[serde(default, rename = "in")]
    pub region: Region,
    /// Every one must match.
    #[serde(default)]
    pub all: Vec<MatchText>,
    /// At least one must match.
    #[serde(default)]
    pub any: Vec<MatchText>,
    /// Not one may match.
    #[serde(default)]
    pub none: Vec<MatchText>,
    /// Patterns that only fill captures; no match is no obstacle.
    #[serde(default)]
    pub note: Vec<MatchText>,
    /// Conditions on evidence other than text.
    #[serde(default)]
    pub when: When,
    /// A named finder for what a pattern cannot tell.
    pub probe: Option<Probe>,
    /// The summary's template.
    pub summary: String,
}

/// A pattern, in the rule's region or in its own.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum MatchText {
    /// In the rule's region.
    Here(String),
    /// In the region it names.
    There(MatchIn),
}

/// A pattern with its own region.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchIn {
    /// Where to look.
    #[serde(rename = "in")]
    pub region: Region,
    /// What to look for.
    pub re: String,
}

/// Conditions on evidence that is not text; one that is left out holds. Evidence that was not taken fails a condition
/// that asks for it.
#[derive(Debug, Deserialize, Clone, PartialEq, Eq, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct When {
    /// How the foreground program reads its terminal.
    #[serde(default)]
    pub input: Option<Input>,
    /// Whether the screen, the cursor or the output moved since the look before.
    #[serde(default)]
    pub changed: Option<bool>,
    /// Whether rows above the cursor's changed: output, not typing.
    #[serde(default)]
    pub changed_above: Option<bool>,
    /// Whether it is known that nothing moved; `false` holds at a first look, too.
    #[serde(default)]
    pub still: Option<bool>,
    /// Whether the input box was found.
    #[serde(default)]
    pub composer: Option<bool>,
    /// Whether the processes used the CPU noticeably.
    #[serde(default)]
    pub busy: Option<bool>,
    /// Whether the alternate screen is on.
    #[serde(default)]
    pub alternate: Option<bool>,
    /// Whether the cursor is visible.
    #[serde(default)]
    pub cursor: Option<bool>,
}

/// How the foreground program reads its terminal.
#[derive(Debug, Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Input {
    /// Blocked on a line of input: a question.
    Line,
    /// A line that is not shown: a password.
    Password,
    /// Key by key: a line editor or a full-screen program.
    Raw,
    /// It does not read its terminal.
    Nothing,
}

/// A named finder written in Rust.
#[derive(Debug, Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Probe {
    /// The program is a shell that sits at its prompt; fills `command`, `typed` and the region `output`.
    ShellPrompt,
    /// As above, and nothing was run since the screen was cleared.
    ShellFresh,
    /// As above, and the command before it is still visible.
    ShellRan,
    /// As above, and something is typed that was not sent.
    ShellTyped,
    /// As above, and the prompt or the shell's record tells the exit status of a failure; fills `status`.
    ShellStatus,
    /// As above, and the shell's record tells that its last command did not fail; fills `ended` and `took`.
    ShellEnded,
    /// As above, and nothing tells that the last command did not fail.
    ShellDoubt,
    /// The program is a shell that says that a command of its own runs.
    ShellRuns,
    /// The program draws the whole screen: the alternate screen is on, or its terminal is in raw mode.
    FullScreen,
    /// A box with buttons stands on the screen; fills `dialog` with what it asks.
    Dialog,
    /// The program is in the foreground now, seen in the process table or by tmux.
    Foreground,
}

/// A named part of a pane, never its history. `N` counts non-blank lines.
#[derive(Debug, Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(try_from = "String")]
pub enum Region {
    /// The last N lines: `last:N`, `last` for one, `tail` for the most there is.
    Last(u8),
    /// The first N rows, for programs with a title bar: `top:N`, at most 5.
    Top(u8),
    /// The line the cursor is on: `cursor`.
    Cursor,
    /// That line left of the cursor: `before-cursor`.
    BeforeCursor,
    /// N lines above the cursor's: `above-cursor:N`.
    AboveCursor(u8),
    /// The input box: `composer`.
    Composer,
    /// N lines above the input box: `above-composer:N`.
    AboveComposer(u8),
    /// N lines below it: `below-composer:N`.
    BelowComposer(u8),
    /// The last N lines that the last command of a shell printed: `output:N`.
    Output(u8),
    /// The last command line of a shell: `command`.
    Command,
    /// The pane's title: `title`.
    Title,
    /// The program's arguments, joined by blanks: `args`.
    Args,
}

impl Default for Region {
    fn default() -> Self {
        Region::Last(MOST_LINES)
    }
}

impl TryFrom<String> for Region {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (name, count) = match text.split_once(':') {
            Some((name, n)) => (
                name,
                Some(n.parse::<u8>().map_err(|_| format!("not a number of lines: {text}"))?),
            ),
            None => (text.as_str(), None),
        };
        let most = if name == "top" { 5 } else { MOST_LINES };
        if count.is_some_and(|n| n == 0 || n > most) {
            return Err(format!("a region holds 1 to {most} lines: {text}"));
        }
        Ok(match (name, count) {
            ("tail", None) => Region::Last(MOST_LINES),
            ("last", n) => Region::Last(n.unwrap_or(1)),
            ("top", n) => Region::Top(n.unwrap_or(1)),
            ("cursor", None) => Region::Cursor,
            ("before-cursor", None) => Region::BeforeCursor,
            ("above-cursor", n) => Region::AboveCursor(n.unwrap_or(1)),
            ("composer", None) => Region::Composer,
            ("above-composer", n) => Region::AboveComposer(n.unwrap_or(1)),
            ("below-composer", n) => Region::BelowComposer(n.unwrap_or(1)),
            ("output", n) => Region::Output(n.unwrap_or(1)),
            ("command", None) => Region::Command,
            ("title", None) => Region::Title,
            ("args", None) => Region::Args,
            _ => return Err(format!("no region is called {text}")),
        })
    }
}

impl RuleFile {
    /// Reads and checks one file; the error names the line where it is known.
    pub fn parse(text: &str) -> Result<RuleFile, String> {
        let file: RuleFile = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_at(text, span.start));
            format!("line {line}: {}", error.message())
        })?;
        file.check().map_err(|(needle, reason)| {
            // Text in single quotes stands as it is; in double quotes a backslash is written twice.
            let single = needle.replace('"', "'");
            let id = [
                format!("id = {needle}"),
                format!("id = {single}"),
                format!("id={needle}"),
            ];
            let written = id
                .into_iter()
                .chain([needle.clone(), needle.replace('\\', r"\\"), single]);
            let at = written.into_iter().find_map(|needle| text.find(needle.as_str()));
            format!("line {}: {reason}", at.map_or(1, |at| line_at(text, at)))
        })?;
        Ok(file)
    }

    /// Every pattern of the file, rule by rule.
    pub fn patterns(&self) -> impl Iterator<Item = &str> {
        self.rules
            .iter()
            .flat_map(|rule| rule.all.iter().chain(&rule.any).chain(&rule.none).chain(&rule.note))
            .map(MatchText::source)
            .chain(self.titles.iter().map(String::as_str))
            .chain(
                self.composer
                    .iter()
                    .flat_map(|c| std::iter::once(c.start.as_str()).chain(c.end.as_deref())),
            )
    }

    /// What the types cannot hold; on failure what to look for in the text, and the reason.
    fn check(&self) -> Result<(), (String, String)> {
        for pattern in self.patterns() {
            let wrong = |reason: &str| (pattern.to_owned(), format!("not a pattern: {pattern}: {reason}"));
            pattern::check(pattern).map_err(|reason| wrong(&reason))?;
            if pattern.contains(r"\p") || pattern.contains(r"\P") || pattern.contains(r"\B") {
                return Err(wrong("Unicode classes take too long to compile: name the characters"));
            }
        }
        let mut seen: Vec<&str> = Vec::new();
        for rule in &self.rules {
            let wrong = |reason: String| Err((format!("\"{}\"", rule.id), format!("rule {}: {reason}", rule.id)));
            if seen.contains(&rule.id.as_str()) {
                return wrong("the id is used twice".to_owned());
            }
            seen.push(&rule.id);
            if let Some(pattern) = rule
                .all
                .iter()
                .chain(&rule.any)
                .chain(&rule.none)
                .find(|m| pattern::matches_empty(m.source()))
            {
                return wrong(format!("a pattern matches the empty text: {}", pattern.source()));
            }
            let says = |patterns: &[MatchText]| patterns.iter().any(|m| !pattern::matches_anything(m.source()));
            let any_says = !rule.any.is_empty() && rule.any.iter().all(|m| !pattern::matches_anything(m.source()));
            if !says(&rule.all) && !any_says && rule.probe.is_none() && rule.when == When::default() {
                return wrong(
                    "it would match everything: give it a telling pattern, a probe or a condition".to_owned(),
                );
            }
            if let Some(reason) = rule.wrong_summary() {
                return wrong(reason);
            }
        }
        Ok(())
    }
}

impl RuleText {
    /// Why the summary cannot be filled.
    fn wrong_summary(&self) -> Option<String> {
        if self.summary.trim().is_empty() {
            return Some("the summary is empty".to_owned());
        }
        let (mut open, mut name) = (false, None::<String>);
        let patterns = self.all.iter().chain(&self.any).chain(&self.note);
        let captured: Vec<String> = patterns.flat_map(|m| pattern::captures(m.source())).collect();
        for c in self.summary.chars() {
            match (c, &mut name) {
                ('}', Some(known)) => {
                    if !VALUES.contains(&known.as_str()) && !captured.contains(known) {
                        return Some(format!("no pattern captures {{{known}}}, and it is no built-in value"));
                    }
                    name = None;
                }
                (_, Some(known)) => known.push(c),
                ('{', None) => name = Some(String::new()),
                ('[', None) if open => return Some("the summary opens a [ within another".to_owned()),
                ('[', None) => open = true,
                (']', None) if !open => return Some("the summary closes a ] that was not opened".to_owned()),
                (']', None) => open = false,
                _ => {}
            }
        }
        let unclosed = name.is_some() || open;
        unclosed.then(|| "the summary does not close a { or a [".to_owned())
    }
}

impl MatchText {
    /// The pattern.
    pub fn source(&self) -> &str {
        match self {
            MatchText::Here(source) => source,
            MatchText::There(there) => &there.re,
        }
    }

    /// Its region, in a rule whose own region is `region`.
    pub fn region(&self, region: Region) -> Region {
        match self {
            MatchText::Here(_) => region,
            MatchText::There(there) => there.region,
        }
    }
}

fn line_at(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|&b| b == b'\n').count() + 1
}
