//! Tells by a value whether it can be a secret, and whether it must be one.

/// Values that switch something, or say how a secret is.
const STATES: &[&str] = &[
    "true",
    "false",
    "yes",
    "no",
    "null",
    "none",
    "nil",
    "undefined",
    "on",
    "off",
    "enabled",
    "disabled",
    "required",
    "optional",
    "ok",
    "valid",
    "invalid",
    "expired",
    "missing",
    "denied",
    "found",
    "not",
    "set",
    "unset",
    "empty",
    "hidden",
    "redacted",
    "failed",
    "accepted",
    "rejected",
    "present",
    "absent",
    "revoked",
    "unknown",
    "default",
    "prompt",
    "ask",
    "never",
    "always",
    "opaque",
    "changed",
    "updated",
    "incorrect",
    "wrong",
];

/// Types, as code writes them behind a name.
const TYPES: &[&str] = &[
    "string", "str", "&str", "&mut", "int", "bool", "boolean", "bytes", "number", "any", "char", "text", "varchar",
    "object", "uuid", "self", "file", "value", "unknown", "never", "[]byte", "u32", "u64", "usize", "integer",
];

/// What references to something elsewhere begin with.
const ELSEWHERE: &[&str] = &[
    "var.",
    "local.",
    "module.",
    "data.",
    "process.env",
    "os.",
    "env.",
    "env(",
    "ENV[",
    "System.",
    "secrets.",
    "config.",
    "self.",
    "this.",
    "settings.",
    "args.",
    "opts.",
    "options.",
    "req.",
    "request.",
    "user.",
    "ctx.",
    "params.",
    "import.meta",
    "std::",
    "random_password.",
];

/// Whether `value` is no plain word: a digit among letters, a capital inside, a sign.
pub fn suspicious(value: &str) -> bool {
    let digit = value.bytes().any(|b| b.is_ascii_digit());
    let letter = value.bytes().any(|b| b.is_ascii_alphabetic());
    let inside = value
        .as_bytes()
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    let sign = value.bytes().any(|b| b"!#$%^&*~=+".contains(&b));
    let counts = value.bytes().all(|b| b.is_ascii_digit() || b"kKmM.,%".contains(&b));
    value.len() >= 4 && !counts && (digit && (letter || sign) || inside || sign && letter)
        || value.len() >= 6 && digit && !letter && !counts
}

/// Whether `value` is long and changes between digits, small letters and capitals as only what was drawn by lot does.
pub fn random(value: &str) -> bool {
    let class = |b: u8| match b {
        b'0'..=b'9' => 1,
        b'a'..=b'z' => 2,
        b'A'..=b'Z' => 3,
        _ => 0,
    };
    let classes: Vec<u8> = value.bytes().map(class).filter(|&class| class > 0).collect();
    let changes = classes
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a != b && !(*a == 3 && *b == 2)))
        .count();
    let only = value
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"+/=_.-:~%".contains(&b));
    // Versions and dates are many short parts.
    let long = value
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| part.len() >= 8);
    only && long
        && value.len() >= 16
        && classes.len() >= 12
        && changes >= 3
        && changes * 6 >= value.len()
        && !value.contains("://")
}

/// Whether all of `text` is of base64's alphabet.
pub fn is_base64(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(&b))
}

fn is_uuid(text: &str) -> bool {
    let digits = text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    digits && text.split('-').map(str::len).eq([8, 4, 4, 4, 12])
}

fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Whether `value` stands for a secret that is elsewhere, is masked, or is to be put in.
pub fn is_reference(value: &str) -> bool {
    let value = value.trim();
    let between = |open: &str, close: &str| value.starts_with(open) && value.ends_with(close);
    let masked = value.chars().all(|c| "*•●.…-_xX█".contains(c)) || value.ends_with("****");
    let variable = value.strip_prefix('$').is_some_and(|rest| {
        let rest = rest.strip_prefix("env:").unwrap_or(rest);
        is_identifier(rest)
            || rest.starts_with('{') && rest.ends_with('}')
            || rest.starts_with('(')
            || rest.starts_with('{') && rest.contains("}")
    });
    masked
        || variable
        || value.starts_with("{{")
        || value.starts_with("$(")
        || value.starts_with('`')
        || value.ends_with("(hidden)")
        || between("<", ">")
        || between("[", "]")
        || between("(", ")")
        || between("{", "}")
        || value.len() > 2 && between("%", "%")
}

/// Whether `value` names a file: it starts as one and no part of it is drawn by lot.
fn is_path(value: &str) -> bool {
    let starts = ["/", "~/", "./", "../", "C:\\"]
        .iter()
        .any(|start| value.starts_with(start));
    starts
        && value.len() > 2
        && !value
            .split(['/', '\\'])
            .any(|part| part.len() >= 10 && suspicious(part) && !part.contains('.'))
        && !value.contains(['=', '+'])
}

/// Whether an unquoted `value` is code that computes one: a call, a field, a type.
fn is_code(value: &str) -> bool {
    let head: String = value
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || "_.:<>&'!".contains(*c))
        .collect();
    let rest = value.get(head.len()..).unwrap_or_default();
    let called = !head.is_empty() && !head.starts_with(|c: char| c.is_ascii_digit()) && rest.starts_with(['(', '[']);
    let bare = value.trim_end_matches([',', ';', ')', '{', ' ', '?', '|']);
    let kind = TYPES.iter().any(|kind| bare.eq_ignore_ascii_case(kind))
        || [
            "Option<",
            "Vec<",
            "Optional[",
            "&mut ",
            "&'",
            "Arc<",
            "Box<",
            "Cow<",
            "impl ",
            "Result<",
        ]
        .iter()
        .any(|start| value.starts_with(start));
    let path = bare.contains("::") && !bare.contains(['+', '/', '=']);
    called || kind || path || ELSEWHERE.iter().any(|start| value.starts_with(start))
}

/// Whether `value` is no secret although its name says so.
pub fn is_innocent(name: &str, value: &str, quoted: bool) -> bool {
    let value = value.trim();
    let bare = value.trim_end_matches([',', ';', '.', ')', '!']);
    let number = bare.bytes().all(|b| b.is_ascii_digit() || b"kKmM.,%".contains(&b));
    let lower = name.to_ascii_lowercase();
    let counts = ["token", "key", "sig", "pass", "session"]
        .iter()
        .any(|word| lower.ends_with(word));
    value.is_empty()
        || STATES.iter().any(|state| bare.eq_ignore_ascii_case(state))
        || number && bare.len() < 8 && (counts || !lower.contains("pass") && !lower.contains("pwd"))
        || bare.len() <= 18
            && bare
                .strip_prefix("0x")
                .is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))
        || is_uuid(bare) && lower.ends_with("session") | lower.ends_with("id")
        || is_reference(value)
        || bare == name
        || is_path(value)
        || !quoted && (is_code(value) || value.starts_with(['<', '|', '>', '=']))
}

/// A value behind a name.
pub struct Value<'l> {
    /// Without quotes.
    pub text: &'l str,
    /// Its first byte in the line.
    pub start: usize,
    /// Whether it stood in quotes.
    pub quoted: bool,
}

/// The value that starts at `from` or behind blanks there: what is in quotes, else one word.
pub fn value_at(line: &str, from: usize, in_address: bool) -> Option<Value<'_>> {
    let rest = line.get(from..)?;
    let mut start = from + (rest.len() - rest.trim_start().len());
    let rest = line.get(start..)?;
    let lead = rest.len() - rest.trim_start_matches(['$', 'b', 'f', 'r', 'u', '@']).len();
    let opened = |at: usize| {
        let rest = line.get(at..).unwrap_or_default();
        let bare = rest.trim_start_matches('\\');
        let escapes = rest.len() - bare.len();
        bare.chars()
            .next()
            .filter(|c| "\"'`".contains(*c))
            .map(|quote| (at + escapes + 1, quote, escapes))
    };
    let quote = opened(start).or_else(|| if lead == 1 { opened(start + 1) } else { None });
    if let Some((inside, quote, escapes)) = quote {
        let text = line.get(inside..)?;
        let mut slashes = 0;
        for (at, c) in text.char_indices() {
            match c {
                '\\' => slashes += 1,
                c if c == quote && (slashes == escapes || escapes == 0 && slashes % 2 == 0) => {
                    return Some(Value {
                        text: text.get(..at - slashes.min(escapes))?,
                        start: inside,
                        quoted: true,
                    });
                }
                _ => slashes = 0,
            }
        }
        return Some(Value {
            text,
            start: inside,
            quoted: true,
        });
    }
    if rest.starts_with('[') {
        start += 1;
    }
    if rest.starts_with('(') || rest.starts_with("${{") || rest.starts_with("{{") {
        let close = if rest.starts_with('(') { ")" } else { "}}" };
        let text = rest.get(..rest.find(close).map_or(rest.len(), |at| at + close.len()))?;
        return Some(Value {
            text,
            start,
            quoted: false,
        });
    }
    let rest = line.get(start..)?;
    let stop = |(at, c): (usize, char)| {
        let after = rest.get(at + c.len_utf8()..).unwrap_or_default();
        c.is_whitespace()
            || "\"'`<│┃".contains(c)
            || c == ';' && (after.is_empty() || after.starts_with(char::is_whitespace) || after.contains('='))
            || "&#".contains(c) && in_address
            || "&|".contains(c) && after.starts_with([' ', '&', '|'])
            || c == '&' && after.is_empty()
            || c == '&'
                && after.split(['=', '&', ' ']).next().is_some_and(|name| {
                    !name.is_empty() && name.len() < 24 && after.get(name.len()..).is_some_and(|s| s.starts_with('='))
                })
            || c == ','
                && (after.is_empty()
                    || after.starts_with(char::is_whitespace)
                    || after.split(',').next().is_some_and(|next| next.contains(['=', ':'])))
    };
    let end = rest
        .char_indices()
        .find(|&place| stop(place))
        .map_or(rest.len(), |(at, _)| at);
    let mut text = rest.get(..end)?;
    for (close, open) in [(')', '('), ('}', '{'), (']', '[')] {
        if !text.contains(open) {
            text = text.split(close).next()?;
        }
    }
    Some(Value {
        text,
        start,
        quoted: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_drawn_by_lot_is_told_from_names() {
        for value in [
            "d41d8cd98f00b204e9800998ecf8427e",
            "Qw3rTy7Ui9Op1As5Df",
            "ZGV2dXNlcjpjb3JyZWN0aG9yc2U=",
        ] {
            assert!(random(value), "{value}");
        }
        for value in [
            "AbstractAuthenticationTokenProcessingFilter",
            "test_token_refresh_works",
            "v2.13.0",
            "2031-01-01T10:00:00.123Z",
            "",
        ] {
            assert!(!random(value), "{value}");
        }
    }

    #[test]
    fn references_code_and_states_are_no_secrets() {
        for value in [
            "$CI_TOKEN",
            "${X:?missing}",
            "{{ vault }}",
            "********",
            "<your-token>",
            "next_token();",
            "self.token",
            "String,",
            "yes",
            "/etc/x/site.key",
            "(sensitive value)",
        ] {
            assert!(is_innocent("token", value, false), "{value}");
        }
        for value in ["hunter2", "$2y$05$abc", "/K7MDENGbPx0RfiCYzzzFAKEKEY"] {
            assert!(!is_innocent("password", value, false), "{value}");
        }
    }
}
