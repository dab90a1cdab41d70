//! Secrets that are known by the name before them: `TOKEN=x`, `"password": "x"`, `--password x`, `API key is x`.

use super::name::{secrecy, Secrecy};
use super::value::{is_innocent, is_reference, random, suspicious, value_at, Value};
use super::{byte, loose, Found};

/// Words that begin a line of code, where a bare word is a name and no value.
const CODE: &[&str] = &[
    "let",
    "const",
    "var",
    "val",
    "fn",
    "if",
    "while",
    "for",
    "return",
    "pub",
    "static",
    "final",
    "public",
    "private",
    "protected",
    "def",
    "auto",
    "func",
    "type",
    "readonly",
    "self.",
    "this.",
    "match",
    "elif",
    "assert",
    "case",
    "import",
    "use",
];

/// Words before a name that is spoken of: `unexpected token: x`.
const SPOKEN_OF: &[&str] = &[
    "unexpected",
    "invalid",
    "expected",
    "unknown",
    "missing",
    "bad",
    "wrong",
    "no",
    "expired",
    "unexpected",
    "unrecognized",
    "duplicate",
];

/// A separator between a name and its value.
#[derive(PartialEq, Eq)]
enum Separator {
    /// `=` in all of its forms.
    Equals,
    Colon,
    /// Between the arguments of a call.
    Comma,
    /// The end of an XML element's opening.
    Element,
}

/// Takes all values behind names of secrets in `line`. `whole`: it is a line of its own, as a program printed it, so that a
/// value may go on to its end.
pub fn find(line: &str, whole: bool, found: &mut Found) {
    separated(line, whole, found);
    loose::find(line, found);
}

fn separated(line: &str, whole: bool, found: &mut Found) {
    let mut at = 0;
    while at < line.len() {
        let (b, next) = (byte(line, at), byte(line, at + 1));
        let before = at.checked_sub(1).map_or(0, |at| byte(line, at));
        let (separator, length) = match (b, next) {
            (b'=', b'=' | b'~') => (None, 2),
            (b'=', _) if b"!<>".contains(&before) => (None, 1),
            (b'=', b'>') => (Some(Separator::Equals), 2),
            (b'=', _) => (Some(Separator::Equals), 1),
            (b':', b':') => (None, 2),
            (b':', b'/') if byte(line, at + 2) == b'/' => (None, 3),
            (b':', b'=') => (Some(Separator::Equals), 2),
            (b':', _) => (Some(Separator::Colon), 1),
            (b',', _) if b"\"'".contains(&before) => (Some(Separator::Comma), 1),
            (b'>', _) if b"=-".contains(&before) => (None, 1),
            (b'>', _) => (Some(Separator::Element), 1),
            _ => (None, 1),
        };
        if let Some(separator) = separator {
            behind(line, at, at + length, &separator, whole, found);
        }
        at += length;
    }
}

/// A name before `end`: where it starts, its text, and whether it stood in quotes.
fn name_before(line: &str, end: usize) -> Option<(usize, &str, bool)> {
    let mut head = line.get(..end)?.trim_end();
    // `AWS Secret Access Key [None]:`, `password (again):`
    if let Some(open) = head
        .ends_with([']', ')'])
        .then(|| head.rfind(" [").max(head.rfind(" (")))
        .flatten()
    {
        head = head.get(..open)?.trim_end();
    }
    let head = head.trim_end_matches([']', '?', '+']).trim_end_matches('\\');
    if let Some(quote) = head.chars().next_back().filter(|c| "\"'`".contains(*c)) {
        let inner = head.get(..head.len() - 1)?.trim_end_matches('\\');
        let start = inner.rfind(quote)? + 1;
        return Some((start, inner.get(start..)?, true));
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let start = head.rfind(|c: char| !is_name(c)).map_or(0, |at| {
        at + head.get(at..).and_then(|s| s.chars().next()).map_or(1, char::len_utf8)
    });
    Some((start, head.get(start..)?, false))
}

/// The words before `start` and `name`, as one name: `Secret Access Key`.
fn longer_name(line: &str, start: usize, name: &str) -> String {
    let words = line
        .get(..start)
        .unwrap_or_default()
        .split_ascii_whitespace()
        .rev()
        .take(3);
    let mut name = name.to_owned();
    for word in words {
        if !word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            break;
        }
        name = format!("{word}_{name}");
    }
    name
}

/// Whether only what leads a line stands before its byte `start`.
fn leads(line: &str, start: usize) -> bool {
    let mut head = line
        .get(..start)
        .unwrap_or_default()
        .trim_start_matches(|c: char| c.is_whitespace() || "│┃|>+*#-".contains(c));
    for word in ["export ", "declare -x ", "set ", "\"", "'"] {
        head = head.strip_prefix(word).unwrap_or(head);
    }
    head.trim().is_empty()
}

fn behind(line: &str, end: usize, from: usize, separator: &Separator, whole: bool, found: &mut Found) {
    if *separator == Separator::Element {
        return in_element(line, end, from, found);
    }
    let Some((start, name, name_quoted)) = name_before(line, end) else {
        return;
    };
    // `f("password", "x")`
    let argument = || name_quoted && line.get(..start - 1).is_some_and(|head| head.trim_end().ends_with('('));
    if name.is_empty() || *separator == Separator::Comma && !argument() {
        return;
    }
    let (mut secret, mut spoken) = (secrecy(name), false);
    if secret == Secrecy::None || secret == Secrecy::Weak {
        // `Password for 'https://dev@host': x`
        let asked = name_quoted && name.contains(['/', '@']);
        let longer = if asked {
            longer_name(line, start.saturating_sub(1), "it")
        } else if name_quoted || !line.get(..start).is_some_and(|head| head.ends_with(' ')) {
            String::new()
        } else {
            longer_name(line, start, name)
        };
        if *separator == Separator::Colon && secrecy(&longer) == Secrecy::Strong {
            (secret, spoken) = (Secrecy::Strong, true);
        }
    }
    if secret == Secrecy::None
        || line
            .get(..start)
            .is_some_and(|head| head.rsplit(' ').next().is_some_and(|word| word.starts_with("arn:")))
    {
        return;
    }
    let in_address = b"?&#".contains(&byte(line, start.wrapping_sub(1)));
    let Some(value) = value_at(line, from, in_address) else {
        return;
    };
    if secret == Secrecy::Header {
        header(line, start, &value, found);
        return;
    }
    if *separator == Separator::Comma && !value.quoted || !name_quoted && closes(line, start, &value) {
        return;
    }
    // `pub token: &str = "x"`: the value stands behind the type, and has its own separator.
    let value = behind_type(line, value);
    if judged(line, start, name, secret, spoken, separator, &value) {
        let end = if whole || is_phrase(name) {
            to_the_end(line, start, separator, &value)
        } else {
            None
        };
        found.add(value.start..end.unwrap_or(value.start + value.text.len()));
    }
}

/// `<password kind="x">y</password>`
fn in_element(line: &str, end: usize, from: usize, found: &mut Found) {
    let tag = line
        .get(..end)
        .and_then(|head| head.rsplit('<').next())
        .unwrap_or_default();
    let name = tag.split_ascii_whitespace().next().unwrap_or_default();
    let value = line.get(from..).and_then(|rest| rest.split_once("</"));
    let Some((value, _)) = value.filter(|_| secrecy(name) == Secrecy::Strong) else {
        return;
    };
    if !is_innocent(name, value, true) {
        found.add(from..from + value.len());
    }
}

/// Whether the quote that seems to open a value closes what was opened before its name: `read -p 'API token: ' x`.
fn closes(line: &str, start: usize, value: &Value<'_>) -> bool {
    let quote = value.start.checked_sub(1).map_or(0, |at| byte(line, at));
    let before = line.as_bytes().get(..start).unwrap_or_default();
    value.quoted && before.iter().filter(|&&b| b == quote).count() % 2 == 1
}

/// Whether the secret is a list of words.
fn is_phrase(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with("mnemonic") || name.ends_with("phrase")
}

fn behind_type<'l>(line: &'l str, value: Value<'l>) -> Value<'l> {
    let after = line.get(value.start + value.text.len()..).unwrap_or_default();
    let assigned = after.strip_prefix(" = ").filter(|_| !value.quoted);
    match assigned.and_then(|rest| value_at(line, line.len() - rest.len(), false)) {
        Some(value) => value,
        None => value,
    }
}

/// Whether `value` is a secret, by its name, its place and itself.
fn judged(
    line: &str,
    start: usize,
    name: &str,
    secret: Secrecy,
    spoken: bool,
    separator: &Separator,
    value: &Value<'_>,
) -> bool {
    if is_innocent(name, value.text, value.quoted) {
        return false;
    }
    let telling = suspicious(value.text);
    if secret == Secrecy::Weak {
        let signs = value.text.bytes().filter(u8::is_ascii_punctuation).count();
        let drawn = value.text.len() >= 12 && telling && (!value.text.contains(' ') || signs >= 4);
        return random(value.text) || value.quoted && drawn;
    }
    let head = line.get(..start).unwrap_or_default().trim_end();
    let before = head
        .rsplit(' ')
        .next()
        .unwrap_or_default()
        .trim_matches(|c: char| !c.is_ascii_alphanumeric());
    if spoken || SPOKEN_OF.iter().any(|word| before.eq_ignore_ascii_case(word)) {
        return telling || value.quoted && !value.text.contains(' ') && value.text.len() >= 8;
    }
    if value.quoted {
        return true;
    }
    let first = line.trim_start().split_ascii_whitespace().next().unwrap_or_default();
    let code = CODE
        .iter()
        .any(|word| first == *word || word.ends_with('.') && first.starts_with(word))
        || line.trim_end().ends_with([';', '{']);
    let plain = value
        .text
        .bytes()
        .all(|b| b.is_ascii_alphabetic() || b"_.:&![]".contains(&b));
    let ends = line.trim_end();
    let spaced = head.len() > name.len()
        && line.starts_with("    ")
        && line.get(..value.start).is_some_and(|head| head.ends_with(" = "));
    if plain && (code || ends.ends_with(',') || spaced && !telling) {
        return false;
    }
    if name.eq_ignore_ascii_case("pass") && *separator == Separator::Colon {
        return telling && name != "PASS";
    }
    match separator {
        Separator::Colon => {
            let rest = line.get(value.start..).unwrap_or_default();
            let words = rest.split_ascii_whitespace().count();
            // A program's name before what it says, or a sentence.
            let prose = words >= 3
                && rest.chars().all(|c| c.is_ascii_alphabetic() || " .,'()".contains(c))
                && !line.starts_with("  ");
            let leading = leads(line, start);
            let prose = prose && !is_phrase(name);
            value.text.len() >= 4 && (telling || leading && !prose && !(name == "passwd" && words > 1))
        }
        _ => true,
    }
}

/// Where a value ends that takes the rest of its line: in a settings file, and as `env` prints it.
fn to_the_end(line: &str, start: usize, separator: &Separator, value: &Value<'_>) -> Option<usize> {
    let name_end = line.get(start..)?.find(['=', ':'])? + start;
    let blank = line.get(..name_end)?.ends_with(' ');
    let printed = start == 0
        && *separator == Separator::Equals
        && line
            .get(..name_end)?
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    let settings = leads(line, start) && (*separator == Separator::Colon || blank);
    if value.quoted || !(printed || settings) {
        return None;
    }
    let rest = line.get(value.start..)?;
    let rest = rest.split(" #").next()?;
    let rest = rest.trim_end_matches(|c: char| c.is_whitespace() || "│┃|,;".contains(c));
    Some(value.start + rest.len())
}

/// `Authorization: Bearer x` and cookies, up to the quote that was opened before the name, or the end.
fn header(line: &str, start: usize, value: &Value<'_>, found: &mut Found) {
    let open = line
        .get(..start)
        .and_then(|head| head.chars().next_back())
        .filter(|c| "\"'".contains(*c));
    let text = if value.quoted {
        value.text
    } else {
        let rest = line.get(value.start..).unwrap_or_default();
        let end = rest
            .find(|c: char| Some(c) == open || "\"'│┃".contains(c))
            .unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default().trim_end()
    };
    let scheme = [
        "bearer ",
        "basic ",
        "token ",
        "digest ",
        "apikey ",
        "aws4-",
        "negotiate ",
        "ntlm ",
        "key=",
        "bot ",
    ];
    let lower = text.to_ascii_lowercase();
    let mut spoken = text.split_ascii_whitespace();
    let credentials = scheme.iter().any(|scheme| lower.starts_with(scheme))
        || lower.contains('=')
        || spoken.next().is_some_and(suspicious);
    let last = text.rsplit(' ').next().unwrap_or_default();
    if credentials && !is_reference(last) && !is_reference(text) {
        found.add(value.start..value.start + text.len());
    }
}
