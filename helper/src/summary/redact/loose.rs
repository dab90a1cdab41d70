//! Secrets behind a name without a sign between: `--password x`, `setx TOKEN x`, `API key is x`.

use super::name::{secrecy, Secrecy};
use super::value::{is_innocent, random, suspicious, value_at};
use super::{byte, Found};

/// What help texts call the value of an option.
const METAVARIABLES: &[&str] = &[
    "arg", "file", "hex", "id", "key", "name", "pass", "password", "pwd", "secret", "text", "token", "val", "word",
];

/// Takes all of them in `line`.
pub fn find(line: &str, found: &mut Found) {
    options(line, found);
    statements(line, found);
    sentences(line, found);
}

/// `--password x`.
fn options(line: &str, found: &mut Found) {
    for (at, _) in line.match_indices('-') {
        let before = at.checked_sub(1).map_or(b' ', |at| byte(line, at));
        if !b" \"'[(".contains(&before) {
            continue;
        }
        let rest = line.get(at..).unwrap_or_default();
        let name = rest.trim_start_matches('-');
        let name = name
            .get(
                ..name
                    .find(|c: char| !(c.is_ascii_alphanumeric() || "_-.".contains(c)))
                    .unwrap_or(name.len()),
            )
            .unwrap_or_default();
        let end = at + (rest.len() - rest.trim_start_matches('-').len()) + name.len();
        // Two blanks lead to a column of help, `--no-password` is an answer.
        let value_follows = byte(line, end) == b' ' && byte(line, end + 1) != b' ';
        if name.len() < 3 || name.starts_with("no-") || !value_follows {
            continue;
        }
        let secret = secrecy(name);
        if secret == Secrecy::None {
            continue;
        }
        let Some(value) = value_at(line, end + 1, false) else {
            continue;
        };
        let after = line.get(value.start + value.text.len()..).unwrap_or_default();
        let help = after.starts_with("  ") && !value.quoted && !suspicious(value.text);
        let word = value.text.trim_end_matches(',');
        let placeholder = word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_') || word.starts_with("id=");
        let metavariable = METAVARIABLES.contains(&word);
        let weak = secret == Secrecy::Weak && !random(value.text);
        if !(help
            || placeholder
            || metavariable
            || weak
            || value.text.starts_with(['-', '<', '|', '>', '&'])
            || is_innocent(name, value.text, value.quoted))
        {
            found.add(value.start..value.start + value.text.len());
        }
    }
}

/// `set -x NAME x`, `setx NAME x`, `git config NAME x`, and a table of two columns.
fn statements(line: &str, found: &mut Found) {
    let mut setting = false;
    let mut end = 0;
    let mut count = 0;
    for word in line.split_ascii_whitespace() {
        let at = end + line.get(end..).and_then(|rest| rest.find(word)).unwrap_or(0);
        end = at + word.len();
        count += 1;
        setting |= matches!(
            word,
            "set" | "setx" | "config" | "configure" | "password" | "authkey" | "SetEnv"
        );
        let blanks = line.get(end..).map_or(0, |rest| rest.len() - rest.trim_start().len());
        let column = count == 1 && blanks >= 2 && word != "pass" && !word.contains(['-', '.', ':', '/']);
        let lone = count == 1 && line.starts_with("  ") && word == "password";
        // `npm config set //registry/:_authToken x`
        let word = if setting {
            word.rsplit(':').next().unwrap_or(word)
        } else {
            word
        };
        if !(setting && count > 1 || column || lone)
            || secrecy(word) != Secrecy::Strong
            || word.starts_with('-')
            || word.contains(['=', ':'])
        {
            continue;
        }
        let Some(value) = value_at(line, end, false) else {
            continue;
        };
        let rest = line.get(value.start..).unwrap_or_default().trim_end();
        if is_innocent(word, value.text, value.quoted)
            || !value.quoted && !suspicious(if column { rest } else { value.text })
        {
            continue;
        }
        let length = if column && !rest.contains("  ") && !value.quoted {
            rest.len()
        } else {
            value.text.len()
        };
        found.add(value.start..value.start + length);
    }
}

/// `API key is x`, `created token x`: what was drawn by lot, at most four words behind.
fn sentences(line: &str, found: &mut Found) {
    let (mut near, mut end, mut before) = (0, 0, "");
    for word in line.split_ascii_whitespace() {
        let at = end + line.get(end..).and_then(|rest| rest.find(word)).unwrap_or(0);
        end = at + word.len();
        let bare = word.trim_matches(|c: char| "\"'`.,:;()[]<>".contains(c));
        let start = at + word.find(bare).unwrap_or(0);
        let told = before == "is" && near >= 3 && suspicious(bare);
        if near > 0
            && (told || random(bare))
            && !bare.starts_with("sha")
            && !bare.starts_with("SHA")
            && !bare.trim_start_matches("base64:").contains(':')
        {
            found.add(start..start + bare.len());
        }
        near = i32::max(near - 1, 0);
        let name = if bare.eq_ignore_ascii_case("key") {
            format!("{before}_{bare}")
        } else {
            bare.to_owned()
        };
        let plain = bare.bytes().all(|b| b.is_ascii_alphabetic());
        if plain && bare.len() < 20 && secrecy(&name) == Secrecy::Strong {
            near = 4;
        }
        before = bare;
    }
}
