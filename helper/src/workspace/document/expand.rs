//! Variables and `~`, as the environment of whoever loads the document says.

use super::amount::MOST_BYTES;
use crate::workspace::env::Env;
use crate::workspace::spec::Pairs;

/// What every pane has of its own: handing these over would be wrong.
const OWN: [&str; 12] = [
    "PWD",
    "OLDPWD",
    "SHLVL",
    "_",
    "TMUX",
    "TMUX_PANE",
    "TERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "COLUMNS",
    "LINES",
    "SHELL",
];

/// `~` at the beginning, and `$NAME` and `${NAME}` anywhere, by their values; what is not set stays as written.
pub fn expand(text: &str, env: &Env) -> String {
    variables(&home(text, env), env)
}

/// `~` and `~/…`.
pub fn home(text: &str, env: &Env) -> String {
    let rest = text
        .strip_prefix('~')
        .filter(|rest| rest.is_empty() || rest.starts_with('/'));
    match (rest, env.home().and_then(|home| home.to_str())) {
        (Some(rest), Some(home)) => format!("{}{rest}", home.trim_end_matches('/')),
        _ => text.to_owned(),
    }
}

/// `$NAME` and `${NAME}`. A text that has become larger than a whole document may stays as written from there on: it is refused.
pub fn variables(text: &str, env: &Env) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let (written, name) = mention(after);
        match env.text(name).filter(|_| !name.is_empty() && out.len() <= MOST_BYTES) {
            Some(value) => out.push_str(value),
            None => {
                out.push('$');
                out.push_str(written);
            }
        }
        rest = after.get(written.len()..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The variables that [`variables`] leaves as they are written, as they are not set.
pub fn unset(text: &str, env: &Env) -> Vec<String> {
    let names = text.split('$').skip(1).map(|after| mention(after).1);
    let unset = names.filter(|name| !name.is_empty() && env.text(name).is_none());
    unset.map(str::to_owned).collect()
}

/// What is said of such.
pub fn stays(unset: &[String]) -> String {
    let names: Vec<String> = unset.iter().map(|name| format!("${name}")).collect();
    match names.as_slice() {
        [one] => format!("{one} is not set; it is taken as written"),
        all => format!("{} are not set; they are taken as written", all.join(", ")),
    }
}

/// Whether [`expand`] may make something else of it, in some environment.
pub fn is_expanded(text: &str) -> bool {
    let mentions = text.split('$').skip(1).any(|after| !mention(after).1.is_empty());
    mentions || text == "~" || text.starts_with("~/")
}

/// What `text`, which goes on behind a `$`, mentions: as written, and the name; both empty when it is none.
fn mention(text: &str) -> (&str, &str) {
    let braced = text.strip_prefix('{');
    let inner = braced.unwrap_or(text);
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    // The name first: a brace that ends it stands right behind, and one that does not may be a megabyte away.
    let (name, rest) = inner.split_at(inner.bytes().take_while(|byte| is_of_name(byte)).count());
    match braced {
        None => (name, name),
        Some(_) if rest.starts_with('}') => (text.get(..name.len() + 2).unwrap_or_default(), name),
        Some(_) => ("", ""),
    }
}

/// The variables that shell text mentions and the environment knows, each once. What the pane has of its own is left out.
/// `${NAME:-…}` counts; so does what stands in quotes, since only the shell can tell.
pub fn mentioned<'a>(texts: impl Iterator<Item = &'a str>, env: &Env) -> Pairs {
    let mut pairs = Pairs::new();
    for after in texts.flat_map(|text| text.split('$').skip(1)) {
        let after = after.strip_prefix('{').unwrap_or(after);
        let (_, name) = mention(after.strip_prefix('#').unwrap_or(after));
        let known = pairs.iter().any(|(other, _)| other == name);
        if name.is_empty() || known || OWN.contains(&name) {
            continue;
        }
        if let Some(value) = env.text(name) {
            pairs.push((name.to_owned(), value.to_owned()));
        }
    }
    pairs
}
