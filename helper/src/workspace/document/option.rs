//! Options of tmux, and environments: names and values as text.

use super::fields::Fields;
use crate::workspace::refusal::Refusal;
use crate::workspace::spec::Pairs;
use crate::workspace::yaml::Value;

/// Options, expanded. tmux knows no `true`: such a value is `on` or `off`; all others are as written.
pub fn options(fields: &Fields<'_>, key: &str) -> Result<Pairs, Refusal> {
    let reading = fields.place.reading;
    let pairs = fields.pairs(key, |node, text| match node.value {
        Value::Bool { is, .. } => if is { "on" } else { "off" }.to_owned(),
        _ => reading.expand(text),
    })?;
    Ok(pairs.unwrap_or_default())
}

/// An environment, expanded; none when there is none, which is not the same as an empty one.
pub fn environment(fields: &Fields<'_>) -> Result<Option<Pairs>, Refusal> {
    let reading = fields.place.reading;
    fields.pairs("environment", |_, text| reading.expand(text))
}
