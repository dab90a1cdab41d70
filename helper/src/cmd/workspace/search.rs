//! `workspace search`: documents by what is in them.

use super::ls::paint;
use super::{surroundings, Reader};
use crate::output;
use crate::text;
use crate::theme::Colour;
use crate::workspace::env::Env;
use crate::workspace::list::{self, Found, Origin};
use crate::workspace::search::{Field, Manner, Match, Query};
use anyhow::Result;
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;

/// What to search for, and where.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// A regular expression; FIELD:PATTERN searches that field alone. All must match
    #[arg(value_name = "PATTERN", required = true)]
    terms: Vec<String>,
    /// Search this field; may be given again. Otherwise, all are searched
    #[arg(short, long = "field", value_name = "FIELD", ignore_case = true)]
    fields: Vec<Field>,
    /// Take capital letters and small ones for the same
    #[arg(short, long)]
    ignore_case: bool,
    /// Do so for patterns without capital letters
    #[arg(short = 'S', long)]
    smart_case: bool,
    /// Take patterns as text
    #[arg(short = 'F', long)]
    fixed_strings: bool,
    /// Match whole words alone
    #[arg(short, long)]
    word_regexp: bool,
    /// Find what does not match
    #[arg(short = 'v', long)]
    invert_match: bool,
    /// One pattern that matches is enough
    #[arg(long)]
    any: bool,
}

/// What programs are told of a document that was found.
#[derive(Debug, Serialize)]
struct Record<'a> {
    name: &'a str,
    path: String,
    source: Origin,
    session_name: Option<&'a str>,
    matched_fields: Vec<Field>,
    /// The values that matched, by field.
    matches: BTreeMap<Field, Vec<String>>,
}

/// Runs it.
///
/// # Errors
/// When a pattern is none.
pub fn run(args: &SearchArgs, reader: Reader, colours: bool) -> Result<u8> {
    let query = Query::new(&args.terms, &args.manner())?;
    let env = surroundings(reader);
    let found = list::all(&env);
    let hits: Vec<(&Found, Vec<Match>)> = found
        .iter()
        .filter_map(|found| Some((found, query.ask(found)?)))
        .collect();
    let mut records = hits.iter().map(|(found, matches)| record(found, matches));
    match reader {
        Reader::Human if hits.is_empty() => output::warn("no workspace has that in it"),
        Reader::Human => {
            let text: String = hits
                .iter()
                .map(|(found, hits)| shown(found, hits, &env, colours))
                .collect();
            output::print(text.as_bytes())?;
        }
        Reader::Json => super::print_record(&records.collect::<Vec<_>>(), reader)?,
        Reader::Ndjson => records.try_for_each(|record| super::print_record(&record, reader))?,
    }
    Ok(0)
}

impl SearchArgs {
    fn manner(&self) -> Manner {
        Manner {
            fields: self.fields.clone(),
            ignore_case: self.ignore_case,
            smart_case: self.smart_case,
            fixed: self.fixed_strings,
            words: self.word_regexp,
            invert: self.invert_match,
            any: self.any,
        }
    }
}

fn record<'a>(found: &'a Found, hits: &[Match]) -> Record<'a> {
    let mut matches: BTreeMap<Field, Vec<String>> = BTreeMap::new();
    for hit in hits {
        matches.entry(hit.field).or_default().push(hit.value.clone());
    }
    Record {
        name: &found.name,
        path: found.path.display().to_string(),
        source: found.origin,
        session_name: found.session_name(),
        matched_fields: matches.keys().copied().collect(),
        matches,
    }
}

/// A line for the document, and one for each value that matched.
fn shown(found: &Found, hits: &[Match], env: &Env, colours: bool) -> String {
    let name = paint(colours, Colour::Indexed(6), &text::clean(&found.name));
    let path = paint(colours, Colour::Indexed(8), &text::clean(&env.shown(&found.path)));
    let mut out = format!("{name}  {path}\n");
    // Both stand above.
    for hit in hits
        .iter()
        .filter(|hit| !matches!(hit.field, Field::Name | Field::Path))
    {
        let field = format!("{:?}", hit.field).to_lowercase();
        out += &format!("  {field}: {}\n", marked(hit, colours));
    }
    out
}

/// A value with what matched in colour; without, where it has to be cleaned first.
fn marked(hit: &Match, colours: bool) -> String {
    let value = text::clean(&hit.value);
    if value != hit.value {
        return value;
    }
    let mut out = String::new();
    let mut last = 0;
    for &(start, end) in &hit.spans {
        out += value.get(last..start).unwrap_or_default();
        out += &paint(colours, Colour::Indexed(3), value.get(start..end).unwrap_or_default());
        last = end;
    }
    out + value.get(last..).unwrap_or_default()
}
