//! The keys of one mapping: only known ones, and values of the kind that is wanted.

use super::amount::EACH;
use super::{own, Reading};
use crate::workspace::called;
use crate::workspace::refusal::{Code, Refusal};
use crate::workspace::spec::Pairs;
use crate::workspace::yaml::{self, At, Entry, Node, Value};
use std::time::Duration;

/// Keys that begin so are their author's, and mean nothing here.
const OWN: &str = "x-";

/// Where in the document one is.
#[derive(Debug, Clone)]
pub struct Place<'a> {
    /// The document.
    pub reading: &'a Reading<'a>,
    /// The way from its root: `windows[0].panes[1]`; empty at the root.
    path: String,
}

impl<'a> Place<'a> {
    pub fn root(reading: &'a Reading<'a>) -> Self {
        let path = String::new();
        Self { reading, path }
    }

    pub fn key(&self, key: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        let path = format!("{}{dot}{key}", self.path);
        Self { path, ..self.clone() }
    }

    pub fn item(&self, index: usize) -> Self {
        let path = format!("{}[{index}]", self.path);
        Self { path, ..self.clone() }
    }

    /// A value is wrong.
    pub fn wrong(&self, at: At, what: &str) -> Refusal {
        self.refuse(Code::InvalidWorkspace, at, what)
    }

    pub fn refuse(&self, code: Code, at: At, what: &str) -> Refusal {
        let path = if self.path.is_empty() {
            "the document"
        } else {
            &self.path
        };
        yaml::refuse(code, &self.reading.name, at, &format!("{path} {what}"))
    }

    /// Counts what a value comes to.
    pub fn spend(&self, at: At, bytes: usize) -> Result<(), Refusal> {
        self.reading.amount.add(bytes).map_err(|what| self.wrong(at, what))
    }

    /// A value of another kind than is wanted.
    pub fn not(&self, node: &Node, wanted: &str) -> Refusal {
        self.wrong(node.at, &format!("must be {wanted}, and is {}", node.kind()))
    }

    /// A scalar as text; nothing is no text.
    pub fn text(&self, node: &'a Node) -> Result<&'a str, Refusal> {
        let text = node.scalar().ok_or_else(|| self.not(node, "text"))?;
        if text.contains('\0') {
            return Err(self.wrong(node.at, "holds a NUL, which no program can be given"));
        }
        Ok(text)
    }

    /// The items of a list.
    pub fn items(&self, node: &'a Node) -> Result<&'a [Node], Refusal> {
        match &node.value {
            Value::List(items) => Ok(items),
            _ => Err(self.not(node, "a list")),
        }
    }

    /// The entries of a mapping.
    pub fn entries(&self, node: &'a Node) -> Result<&'a [Entry], Refusal> {
        match &node.value {
            Value::Map(entries) => Ok(entries),
            _ => Err(self.not(node, "a mapping")),
        }
    }
}

/// A mapping, of which the keys are known.
#[derive(Debug)]
pub struct Fields<'a> {
    pub place: Place<'a>,
    /// Where the mapping begins.
    pub at: At,
    entries: &'a [Entry],
}

impl<'a> Fields<'a> {
    /// The keys of `node`, which is `noun`, with its article.
    pub fn of(node: &'a Node, place: Place<'a>, noun: &str, known: &[&str]) -> Result<Self, Refusal> {
        let entries = place.entries(node)?;
        for entry in entries {
            let key = entry.key.text.as_str();
            // Ours is no one else's, and stands only where it means something.
            let theirs = key.starts_with(OWN) && key != own::KEY;
            if !known.contains(&key) && !theirs {
                unknown(entry, &place, noun, known);
            }
        }
        let at = node.at;
        Ok(Self { place, at, entries })
    }

    /// The value of a key, and its place; none when there is none, or it is nothing.
    pub fn get(&self, key: &str) -> Option<(&'a Node, Place<'a>)> {
        let entry = self.entries.iter().find(|entry| entry.key.text == key)?;
        let node = Some(&entry.value).filter(|node| node.value != Value::Null)?;
        Some((node, self.place.key(key)))
    }

    pub fn text(&self, key: &str) -> Result<Option<&'a str>, Refusal> {
        self.get(key).map(|(node, place)| place.text(node)).transpose()
    }

    /// Text that says something.
    pub fn filled(&self, key: &str) -> Result<Option<String>, Refusal> {
        Ok(self.text(key)?.filter(|text| !text.is_empty()).map(str::to_owned))
    }

    pub fn flag(&self, key: &str) -> Result<Option<bool>, Refusal> {
        let flag = |(node, place): (&Node, Place<'_>)| node.flag().ok_or_else(|| place.not(node, "true or false"));
        self.get(key).map(flag).transpose()
    }

    pub fn seconds(&self, key: &str) -> Result<Option<Duration>, Refusal> {
        let Some((node, place)) = self.get(key) else {
            return Ok(None);
        };
        let number = node.scalar().and_then(|text| text.trim().parse::<f64>().ok());
        let duration = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
        let refuse = || place.wrong(node.at, "must be a number of seconds, such as 0.5");
        duration.map(Some).ok_or_else(refuse)
    }

    /// A mapping of names to scalars, each as `value` takes it; nothing is empty text.
    pub fn pairs(&self, key: &str, value: impl Fn(&Node, &str) -> String) -> Result<Option<Pairs>, Refusal> {
        let Some((node, place)) = self.get(key) else {
            return Ok(None);
        };
        let mut pairs = Pairs::new();
        for entry in place.entries(node)? {
            let name = entry.key.text.as_str();
            let place = place.key(name);
            if name.is_empty() || name.starts_with('-') || name.contains(['=', '\0']) {
                return Err(place.wrong(entry.key.at, "is no name"));
            }
            let text = match entry.value.value {
                Value::Null => "",
                _ => place.text(&entry.value)?,
            };
            let text = value(&entry.value, text);
            place.spend(entry.value.at, EACH + name.len() + text.len())?;
            pairs.push((name.to_owned(), text));
        }
        Ok(Some(pairs))
    }
}

/// Notes a key that is not known: the document is refused for it, or it is told of.
fn unknown(entry: &Entry, place: &Place<'_>, noun: &str, known: &[&str]) {
    let (place, at) = (place.key(&entry.key.text), entry.key.at);
    let refusal = || place.refuse(Code::UnsupportedKey, at, &format!("is no key of {noun}"));
    if place.reading.source.lenient {
        let told = format!("{}; it is passed over", refusal().message);
        place.reading.warnings.borrow_mut().push(told);
        return;
    }
    place.reading.unknown.borrow_mut().add(&place.path, at, || {
        refusal().with_hint(format!(
            "{}; a key of your own begins with {OWN}, and --lenient passes over all others",
            instead(&entry.key.text, noun, known)
        ))
    });
}

/// What may have been meant by a key that is not known.
fn instead(key: &str, noun: &str, known: &[&str]) -> String {
    match key {
        "socket_name" => return "name the server with -L".to_owned(),
        "config" => return "name the file with -f".to_owned(),
        "name" | "project_name" | "root" if noun == "a workspace" => {
            return format!(
                "import a project of tmuxinator or teamocil first ({} import)",
                called::name()
            );
        }
        _ => {}
    }
    let alike = known.iter().map(|other| (strsim::jaro_winkler(key, other), *other));
    match alike.max_by(|(one, _), (other, _)| one.total_cmp(other)) {
        Some((likeness, other)) if likeness > 0.85 => format!("did you mean {other}?"),
        _ => format!("known are {}", known.join(", ")),
    }
}
