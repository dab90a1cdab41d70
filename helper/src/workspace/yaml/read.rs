//! YAML, by the events of its parser: what a bad text would make large or deep is refused while it grows.

use super::build::Builder;
use super::scalar;
use super::tree::{At, Node, Value};
use super::Flaw;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, Tag};
use std::borrow::Cow;

const CORE: &str = "tag:yaml.org,2002:";

/// The one document of a text.
pub fn read(text: &str) -> Result<Node, Flaw> {
    let mut builder = Builder::default();
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| Flaw::new(at(error.marker()), explain(error.info())))?;
        if matches!(event, Event::DocumentStart(_)) {
            documents += 1;
            if documents > 1 {
                return Err(Flaw::new(
                    at(&span.start),
                    "a second document begins here; a workspace is one",
                ));
            }
        }
        take(&mut builder, event, span)?;
    }
    let start = At { line: 1, column: 1 };
    builder
        .finish()
        .ok_or_else(|| Flaw::new(start, "there is nothing in it"))
}

fn take(builder: &mut Builder, event: Event<'_>, span: Span) -> Result<(), Flaw> {
    let at = at(&span.start);
    match event {
        Event::Alias(anchor) => builder.alias(anchor, at),
        Event::Scalar(text, style, anchor, tag) => {
            let merges = style == ScalarStyle::Plain && text == "<<" && tag.is_none();
            let written = text.to_string();
            let value = value(text, style, tag.as_deref()).map_err(|what| Flaw::new(at, what))?;
            builder.scalar(Node { value, at }, written, merges, anchor)
        }
        Event::SequenceStart(anchor, tag) => known(tag, "seq", at).and_then(|()| builder.open_list(at, anchor)),
        Event::MappingStart(anchor, tag) => known(tag, "map", at).and_then(|()| builder.open_map(at, anchor)),
        Event::SequenceEnd | Event::MappingEnd => builder.close(at),
        Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => Ok(()),
    }
}

/// A scalar, as its quotes or its tag say.
fn value(text: Cow<'_, str>, style: ScalarStyle, tag: Option<&Tag>) -> Result<Value, String> {
    match tag {
        None if style == ScalarStyle::Plain => Ok(scalar::resolve(&text)),
        None => Ok(Value::Text(text.into_owned())),
        Some(tag) if tag.handle.is_empty() && tag.suffix == "!" => Ok(Value::Text(text.into_owned())),
        Some(tag) if tag.handle == CORE => match tag.suffix.as_str() {
            "str" => Ok(Value::Text(text.into_owned())),
            "null" | "bool" | "int" | "float" => Ok(scalar::resolve(&text)),
            _ => Err(unknown(tag)),
        },
        Some(tag) => Err(unknown(tag)),
    }
}

fn known(tag: Option<Cow<'_, Tag>>, word: &str, at: At) -> Result<(), Flaw> {
    match tag {
        Some(tag) if tag.handle != CORE || tag.suffix != word => Err(Flaw::new(at, unknown(&tag))),
        _ => Ok(()),
    }
}

fn unknown(tag: &Tag) -> String {
    format!("the tag {}{} is not known here; leave it out", tag.handle, tag.suffix)
}

fn at(marker: &Marker) -> At {
    At {
        line: marker.line(),
        column: marker.col() + 1,
    }
}

/// What the parser says, and what it most often means.
fn explain(said: &str) -> String {
    let meant = match said {
        _ if said.contains("tab") => "YAML indents with blanks alone",
        _ if said.contains("mapping values are not allowed") => "text with a colon and a blank in it goes in quotes",
        _ if said.contains("unexpected character") => "text that begins so goes in quotes",
        _ if said.contains("unknown escape") => "in double quotes a backslash is written twice",
        _ if said.contains("expected key") => "see whether all keys of this mapping begin in the same column",
        _ => return said.to_owned(),
    };
    format!("{said} ({meant})")
}
