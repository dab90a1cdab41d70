//! Documents by what is in them: terms that match one or several of their fields.

use super::list::Found;
use super::refusal::{Code, Refusal};
use super::yaml::{Node, Value};
use regex::{Regex, RegexBuilder};
use std::collections::BTreeSet;

/// What can be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Field {
    /// The file's name without its extension.
    #[value(alias = "n")]
    Name,
    /// The session's name.
    #[value(alias = "s", alias = "session_name")]
    Session,
    /// The file's path.
    #[value(alias = "p")]
    Path,
    /// The windows' names.
    #[value(alias = "w")]
    Window,
    /// What the panes run.
    Pane,
}

impl Field {
    /// All, in the order in which they are told.
    pub const ALL: [Self; 5] = [Self::Name, Self::Session, Self::Path, Self::Window, Self::Pane];

    /// What a document has of it.
    pub fn values(self, found: &Found) -> Vec<String> {
        let text = |node: Option<&Node>| node.and_then(Node::scalar).map(str::to_owned);
        match self {
            Self::Name => vec![found.name.clone()],
            Self::Session => found.session_name().map(str::to_owned).into_iter().collect(),
            Self::Path => vec![found.path.display().to_string()],
            Self::Window => found
                .windows()
                .iter()
                .filter_map(|window| text(window.get("window_name")))
                .collect(),
            Self::Pane => {
                let panes = found.windows().iter().flat_map(|window| window.items("panes"));
                panes.flat_map(typed).collect()
            }
        }
    }
}

/// What a pane runs: text, in any of the forms that a pane has.
fn typed(pane: &Node) -> Vec<String> {
    match &pane.value {
        Value::List(commands) => commands.iter().flat_map(typed).collect(),
        Value::Map(_) => {
            let parts = ["shell_command", "cmd", "shell"].map(|key| pane.get(key));
            parts.into_iter().flatten().flat_map(typed).collect()
        }
        _ => pane.scalar().map(str::to_owned).into_iter().collect(),
    }
}

/// How terms are taken.
#[derive(Debug, Clone, Default)]
pub struct Manner {
    /// The fields that are searched by terms that name none; all, when there are none.
    pub fields: Vec<Field>,
    /// Whether capital letters do not count.
    pub ignore_case: bool,
    /// Whether they count only in terms that have some.
    pub smart_case: bool,
    /// Whether terms are text, and no patterns.
    pub fixed: bool,
    /// Whether they match whole words alone.
    pub words: bool,
    /// Whether what does not match is wanted.
    pub invert: bool,
    /// Whether one term is enough.
    pub any: bool,
}

/// A question to documents.
#[derive(Debug)]
pub struct Query {
    terms: Vec<Term>,
    invert: bool,
    any: bool,
}

#[derive(Debug)]
struct Term {
    fields: Vec<Field>,
    pattern: Regex,
}

/// Where in a document a term was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The field.
    pub field: Field,
    /// Its whole value.
    pub value: String,
    /// The bytes of it that matched, in order: not empty, and none twice.
    pub spans: Vec<(usize, usize)>,
}

impl Query {
    /// Reads the terms: `PATTERN`, or `FIELD:PATTERN`.
    ///
    /// # Errors
    /// When one is no pattern, or empty ([`Code::Usage`]).
    pub fn new(terms: &[String], manner: &Manner) -> Result<Self, Refusal> {
        Ok(Self {
            terms: terms
                .iter()
                .map(|term| Term::read(term, manner))
                .collect::<Result<_, _>>()?,
            invert: manner.invert,
            any: manner.any,
        })
    }

    /// What a document answers with; none when it is not among those that are wanted. What is wanted since it does not match
    /// answers with nothing.
    pub fn ask(&self, found: &Found) -> Option<Vec<Match>> {
        let hits: Vec<Vec<Match>> = self.terms.iter().map(|term| term.ask(found)).collect();
        let fits = match self.any {
            true => hits.iter().any(|hits| !hits.is_empty()),
            false => hits.iter().all(|hits| !hits.is_empty()),
        };
        if self.invert {
            return (!fits).then(Vec::new);
        }
        fits.then(|| merge(hits.into_iter().flatten()))
    }
}

impl Term {
    fn read(written: &str, manner: &Manner) -> Result<Self, Refusal> {
        let named = written.split_once(':').and_then(|(field, rest)| {
            let field = <Field as clap::ValueEnum>::from_str(field, true).ok()?;
            Some((vec![field], rest))
        });
        let all = || match manner.fields.as_slice() {
            [] => Field::ALL.to_vec(),
            fields => fields.to_vec(),
        };
        let (fields, text) = named.unwrap_or_else(|| (all(), written));
        if text.is_empty() {
            return Err(Refusal::new(
                Code::Usage,
                format!("there is nothing to search for in “{written}”"),
            ));
        }
        let mut pattern = if manner.fixed {
            regex::escape(text)
        } else {
            text.to_owned()
        };
        if manner.words {
            pattern = format!(r"\b(?:{pattern})\b");
        }
        let lower = manner.ignore_case || manner.smart_case && !text.chars().any(char::is_uppercase);
        let pattern = RegexBuilder::new(&pattern)
            .case_insensitive(lower)
            .build()
            .map_err(|error| {
                let why = error.to_string();
                let why = why.lines().last().unwrap_or_default().trim();
                let what = format!("“{text}” is no pattern: {}", why.strip_prefix("error: ").unwrap_or(why));
                Refusal::new(Code::Usage, what).with_hint("-F takes it as text")
            })?;
        Ok(Self { fields, pattern })
    }

    fn ask(&self, found: &Found) -> Vec<Match> {
        let mut hits = Vec::new();
        for &field in &self.fields {
            for value in field.values(found) {
                if self.pattern.is_match(&value) {
                    let spans = self.pattern.find_iter(&value).filter(|hit| !hit.is_empty());
                    let spans = spans.map(|hit| (hit.start(), hit.end())).collect();
                    hits.push(Match { field, value, spans });
                }
            }
        }
        hits
    }
}

/// Each value once, with all that was found in it.
fn merge(hits: impl Iterator<Item = Match>) -> Vec<Match> {
    let mut merged: Vec<Match> = Vec::new();
    for hit in hits {
        match merged
            .iter_mut()
            .find(|known| known.field == hit.field && known.value == hit.value)
        {
            Some(known) => known.spans.extend(hit.spans),
            None => merged.push(hit),
        }
    }
    for hit in &mut merged {
        hit.spans = united(std::mem::take(&mut hit.spans));
    }
    merged.sort_by_key(|hit| hit.field);
    merged
}

/// Spans in order, those that touch made one.
fn united(spans: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut united: Vec<(usize, usize)> = Vec::new();
    for (start, end) in spans.into_iter().collect::<BTreeSet<_>>() {
        match united.last_mut() {
            Some((_, last)) if start <= *last => *last = end.max(*last),
            _ => united.push((start, end)),
        }
    }
    united
}
