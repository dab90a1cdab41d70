//! Takes secrets out of text before it is shown or leaves the machine: tokens, passwords, keys in commands, addresses and output.
//!
//! `shape` knows secrets by their own look, `named` and `loose` by the name before them (which `name` and `value` judge), `block` what
//! spans lines (`key` and `below` tell which). Nothing
//! here is a proof that no secret is left: a password that stands alone on a line looks like any word.

mod below;
mod block;
mod key;
mod loose;
mod name;
mod named;
mod shape;
mod value;

use aho_corasick::AhoCorasick;
use once_cell::sync::Lazy;
use std::ops::Range;

pub use block::redact_lines;

/// What stands in a secret's place.
const STARS: &str = "***";

/// Words without one of which no name in a line tells of a secret.
const NAMES: &[&str] = &[
    "token",
    "bearer",
    "passw",
    "passphrase",
    "passcode",
    "pass",
    "kennwort",
    "pwd",
    "secret",
    "key",
    "credential",
    "creds",
    "session",
    "auth",
    "cookie",
    "psk",
    "sig=",
    "signature",
    "jwt",
    "mnemonic",
    "phrase",
    "sid",
    "salt",
    "dsn",
    "license",
    "otp",
    "bindpw",
    "rootpw",
    "userpw",
    "adminpw",
    "pw ",
    "pw=",
    "pw:",
    "pw\"",
];

/// Where the secrets of one line are, in bytes.
#[derive(Debug, Default, Clone)]
struct Found(Vec<Range<usize>>);

impl Found {
    fn add(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.0.push(range);
        }
    }

    /// Adds what of `range` lies in `part`, counted from the part's start and moved by `by`.
    fn add_part(&mut self, range: &Range<usize>, part: &Range<usize>, by: usize) {
        let (start, end) = (range.start.max(part.start), range.end.min(part.end));
        if start < end {
            self.add(start - part.start + by..end - part.start + by);
        }
    }

    /// In order, without overlaps.
    fn merged(mut self) -> Vec<Range<usize>> {
        self.0.sort_by_key(|range| range.start);
        let mut merged: Vec<Range<usize>> = Vec::with_capacity(self.0.len());
        for range in self.0 {
            match merged.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        merged
    }
}

/// Every word of every kind, and the shape that it belongs to: most lines hold none, and one pass tells.
struct Words {
    automaton: AhoCorasick,
    /// For each word; none for names.
    shapes: Vec<Option<usize>>,
}

static WORDS: Lazy<Option<Words>> = Lazy::new(|| {
    let names = NAMES.iter().map(|&word| (word, None));
    let shapes = shape::triggers().map(|(word, shape)| (word, Some(shape)));
    let (words, shapes): (Vec<&str>, Vec<Option<usize>>) = names.chain(shapes).unzip();
    let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()?;
    Some(Words { automaton, shapes })
});

/// `line` without secrets.
pub fn redact(line: &str) -> String {
    let mut found = Found::default();
    find(line, false, &mut found);
    starred(line, found)
}

/// Takes the secrets that one line tells. `whole`: it is a line as a program printed it.
fn find(line: &str, whole: bool, found: &mut Found) {
    let Some(words) = WORDS.as_ref() else { return };
    if !words.automaton.is_match(line) {
        return;
    }
    let mut named = false;
    let mut patterns: Vec<usize> = Vec::new();
    for word in words.automaton.find_overlapping_iter(line) {
        match words.shapes.get(word.pattern().as_usize()).copied().flatten() {
            None => named = true,
            Some(shape) if shape::is_local(shape) => shape::find(line, shape, word.start(), found),
            Some(shape) if patterns.contains(&shape) => {}
            Some(shape) => patterns.push(shape),
        }
    }
    for shape in patterns {
        shape::find(line, shape, 0, found);
    }
    if named {
        named::find(line, whole, found);
    }
}

/// The byte of `line` at `at`, or 0.
fn byte(line: &str, at: usize) -> u8 {
    line.as_bytes().get(at).copied().unwrap_or(0)
}

fn starred(line: &str, found: Found) -> String {
    let (mut out, mut end) = (String::with_capacity(line.len()), 0);
    for range in found.merged() {
        // Every range begins and ends between characters; if one did not, all of the rest would go.
        let Some(before) = line.get(end..range.start).filter(|_| line.is_char_boundary(range.end)) else {
            out.push_str(STARS);
            return out;
        };
        out.push_str(before);
        out.push_str(STARS);
        end = range.end;
    }
    out.push_str(line.get(end..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn secrets_never_survive() {
        for line in [
            "export API_TOKEN=hunter2hunter2",
            "PGPASSWORD=hunter2 psql -h db",
            "curl -H 'Authorization: Bearer hunter2hunter2' https://api.example.com",
            "curl -u dev:hunter2 https://api.example.com",
            "git clone https://dev:hunter2@example.com/x.git",
            "mysql -u root -phunter2 shop",
            "tool --password hunter2",
            "tool --api-key=hunter2",
            "sshpass -p hunter2 ssh box",
            "curl -H 'X-Api-Key: hunter2' x",
            r#"{"password": "hunter2"}"#,
            "redis-cli -a hunter2 ping",
            "deploy --token 'hunter2'",
        ] {
            let clean = redact(line);
            assert!(!clean.contains("hunter2"), "{line} -> {clean}");
            assert!(clean.contains("***"), "{clean}");
        }
        assert_eq!(redact("use ghp_0123456789abcdef0123 now"), "use *** now");
        assert_eq!(redact("ask sk-ant-0123456789 now"), "ask *** now");
    }

    #[test]
    fn ordinary_lines_stay_as_they_are() {
        for line in [
            "git push origin main",
            "tokenize input.txt",
            "ssh -p 2222 dev@box",
            "Enter passphrase for key '/home/dev/.ssh/id_ed25519':",
            "password for dev",
            "http://127.0.0.1:8000/items?page=2",
            "dev@127.0.0.1's password:",
        ] {
            assert_eq!(redact(line), line);
        }
    }
}
