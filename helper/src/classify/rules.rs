//! Rules ready to be asked: programs, their rules and patterns that are compiled when first needed.
//!
//! Embedded rules are constants that the build script writes, so loading them costs nothing. A user's file becomes the
//! same types and is kept for the life of the process: rules are read once per start, and a constant's lifetime keeps
//! every type here plain.

use super::engines::Engine;
use super::format::{ComposerText, MatchText, Probe, Region, RuleFile, RuleText, When};
use super::{literal, pattern};
use crate::model::{Need, StatusKind};
use std::ops::Range;
use std::sync::OnceLock;

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// The programs whose rules are built in, ordered by family and name.
pub fn embedded() -> &'static [Program] {
    EMBEDDED
}

/// One program: how it is known, and its rules.
#[derive(Debug)]
pub struct Program {
    /// The folder of its file.
    pub family: &'static str,
    /// The name of its file.
    pub id: &'static str,
    /// Its name in summaries; `None` when it is the command that was found.
    pub name: Option<&'static str>,
    /// Whether it is a coding agent.
    pub agent: bool,
    /// Whether the program it starts speaks for the window.
    pub wrapper: bool,
    /// Whether its rules are tried for every program.
    pub shared: bool,
    /// Command names, exact or with a trailing `*`.
    pub commands: &'static [&'static str],
    /// Names or path pieces of scripts.
    pub scripts: &'static [&'static str],
    /// Patterns on the title.
    pub titles: &'static [&'static Pattern],
    /// Its input box.
    pub composer: Option<Composer>,
    /// Its rules in order.
    pub rules: &'static [Rule],
}

/// How to find an input box.
#[derive(Debug, Clone, Copy)]
pub struct Composer {
    /// Its first line.
    pub start: &'static Pattern,
    /// The line below that ends it.
    pub end: Option<&'static Pattern>,
}

/// One rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Unique in its file.
    pub id: &'static str,
    /// The verdict's kind.
    pub kind: StatusKind,
    /// What the user is needed for.
    pub need: Option<Need>,
    /// Patterns that must all match.
    pub all: &'static [&'static Pattern],
    /// Patterns of which one must match, when there are any.
    pub any: &'static [&'static Pattern],
    /// Patterns that must not match.
    pub none: &'static [&'static Pattern],
    /// Patterns that only fill captures.
    pub note: &'static [&'static Pattern],
    /// Conditions that are not text.
    pub when: When,
    /// A finder that must succeed.
    pub probe: Option<Probe>,
    /// The summary's template.
    pub summary: &'static str,
}

/// A pattern on one region, compiled when a text first holds what every match of it holds.
#[derive(Debug)]
pub struct Pattern {
    /// Where it looks.
    pub region: Region,
    /// The pattern as written.
    pub source: &'static str,
    /// Lower-case texts of which every match holds one; empty when unknown.
    literals: &'static [&'static str],
    /// Whether every match begins where a line does.
    from_line: bool,
    engine: OnceLock<Option<Engine>>,
}

impl Pattern {
    /// A pattern that is not compiled yet.
    pub const fn new(region: Region, source: &'static str, literals: &'static [&'static str], from_line: bool) -> Self {
        Pattern {
            region,
            source,
            literals,
            from_line,
            engine: OnceLock::new(),
        }
    }

    /// Whether it is found in `text`; `lower` is the same text in ASCII lower case.
    pub fn is_match(&self, text: &str, lower: &str) -> bool {
        self.may_match(lower) && self.engine().is_some_and(|engine| engine.last(text).is_some())
    }

    /// The match nearest the end of `text`.
    pub fn last_match(&self, text: &str, lower: &str) -> Option<Found> {
        if !self.may_match(lower) {
            return None;
        }
        let engine = self.engine()?;
        let captures = engine.last(text)?;
        let groups = engine.names().filter_map(|name| {
            let span = captures.get_group_by_name(name)?;
            Some((name.to_owned(), text.get(span.range())?.to_owned()))
        });
        Some(Found {
            span: captures.get_match()?.range(),
            groups: groups.collect(),
        })
    }

    /// Whether it can be compiled at all.
    pub fn compiles(&self) -> bool {
        self.engine().is_some()
    }

    /// The names of its groups.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.engine().into_iter().flat_map(Engine::names)
    }

    fn may_match(&self, lower: &str) -> bool {
        self.literals.is_empty() || self.literals.iter().any(|literal| lower.contains(literal))
    }

    fn engine(&self) -> Option<&Engine> {
        // Files are checked before they get here; what still fails (a pattern beyond the size limit) never matches.
        self.engine
            .get_or_init(|| Engine::build(self.source, self.from_line))
            .as_ref()
    }
}

/// A match: where, and what its named groups hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The whole match, in bytes of the text.
    pub span: Range<usize>,
    /// Names and texts of the groups that took part.
    pub groups: Vec<(String, String)>,
}

impl Program {
    /// A user's file as a program. It lives as long as the process.
    pub fn from_file(family: &str, id: &str, file: RuleFile) -> Program {
        Program {
            family: keep(family),
            id: keep(id),
            name: (!file.name_from_command).then(|| keep(file.name.as_deref().unwrap_or(id))),
            agent: file.agent,
            wrapper: file.wrapper,
            shared: file.shared,
            commands: keep_all(file.commands.iter().map(|c| keep(c))),
            scripts: keep_all(file.scripts.iter().map(|s| keep(s))),
            titles: keep_all(file.titles.iter().map(|t| keep_pattern(Region::Title, t))),
            composer: file.composer.as_ref().map(Composer::from_text),
            rules: keep_all(file.rules.iter().map(Rule::from_text)),
        }
    }

    /// `over` laid on `self`: rules with a known id replace it in place, others go first, identities add up.
    pub fn overridden(&self, over: RuleFile) -> Program {
        let name_from_command = over.name_from_command;
        let named = over.name.is_some();
        let over = Program::from_file(self.family, self.id, over);
        let is_new = |rule: &&Rule| self.rules.iter().all(|old| old.id != rule.id);
        let replacement = |old: &'static Rule| over.rules.iter().find(|rule| rule.id == old.id).unwrap_or(old);
        let (own, others) = (over.rules.iter().filter(is_new), self.rules.iter().map(replacement));
        Program {
            family: self.family,
            id: self.id,
            name: if named || name_from_command {
                over.name
            } else {
                self.name
            },
            agent: self.agent || over.agent,
            wrapper: self.wrapper || over.wrapper,
            shared: self.shared || over.shared,
            commands: keep_all(over.commands.iter().chain(self.commands).copied()),
            scripts: keep_all(over.scripts.iter().chain(self.scripts).copied()),
            titles: keep_all(over.titles.iter().chain(self.titles).copied()),
            composer: over.composer.or(self.composer),
            rules: keep_all(own.chain(others).cloned()),
        }
    }
}

impl Composer {
    fn from_text(text: &ComposerText) -> Composer {
        let pattern = |source: &str| keep_pattern(Region::default(), source);
        Composer {
            start: pattern(&text.start),
            end: text.end.as_deref().map(pattern),
        }
    }
}

impl Rule {
    fn from_text(text: &RuleText) -> Rule {
        let patterns =
            |list: &[MatchText]| keep_all(list.iter().map(|m| keep_pattern(m.region(text.region), m.source())));
        Rule {
            id: keep(&text.id),
            kind: text.kind,
            need: text.need,
            all: patterns(&text.all),
            any: patterns(&text.any),
            none: patterns(&text.none),
            note: patterns(&text.note),
            when: text.when.clone(),
            probe: text.probe,
            summary: keep(&text.summary),
        }
    }
}

fn keep(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn keep_all<T>(items: impl Iterator<Item = T>) -> &'static [T] {
    Box::leak(items.collect::<Vec<T>>().into_boxed_slice())
}

fn keep_pattern(region: Region, source: &str) -> &'static Pattern {
    let source = &pattern::ascii(source);
    let literals = keep_all(literal::required(source).iter().map(|l| keep(l)));
    Box::leak(Box::new(Pattern::new(
        region,
        keep(source),
        literals,
        literal::from_line(source),
    )))
}
