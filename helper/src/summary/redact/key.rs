//! Private keys in text form, of which a pane may show any part: PEM, OpenSSH, PGP and PuTTY.

use super::block::{content, take, Line};
use super::value::{is_base64, random};
use super::Found;

/// Whether a line can stand inside of a key in text form: base64, broken at the pane's edge or not.
fn of_key(text: &str) -> bool {
    !text.is_empty()
        && text
            .split(' ')
            .all(|word| is_base64(word) || word.ends_with("\\n") && is_base64(word.trim_end_matches("\\n")))
}

/// A header of an encrypted or armoured key, or the empty line behind it.
fn of_header(text: &str) -> bool {
    let name = text.split(": ").next().unwrap_or_default();
    text.is_empty()
        || name.len() < text.len() && name.len() < 20 && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-')
}

/// Takes private keys in text form, whole or cut at either end or both.
pub fn find(lines: &[Line], found: &mut [Found]) {
    let ends = |text: &str| text.find("-----END ").filter(|_| text.contains("PRIVATE KEY"));
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let text = line.text.as_str();
        let begins = text.contains("-----BEGIN ") && text.contains("PRIVATE KEY") && ends(text).is_none();
        let putty = line.content().starts_with("Private-Lines:");
        at += 1;
        if putty || begins {
            if let (Some(marker), Some(found)) = (
                text.rfind("KEY-----").or(text.rfind("BLOCK-----")).filter(|_| begins),
                found.get_mut(at - 1),
            ) {
                let start = text
                    .get(marker..)
                    .and_then(|rest| rest.find("-----"))
                    .map_or(text.len(), |dashes| marker + dashes + 5);
                found.add(start..text.len());
            }
            let inside =
                |line: &&Line| of_key(line.content()) || of_header(line.content()) && ends(&line.text).is_none();
            for _ in lines.iter().skip(at).take_while(inside) {
                take(lines, found, at);
                at += 1;
            }
        } else if let Some(end) = ends(text) {
            // What stands before the mark in the same line, and the lines above that can be of the key.
            if let (Some(found), false) = (found.get_mut(at - 1), text.contains("-----BEGIN ")) {
                found.add(content(text).start.min(end)..end);
            }
            let above = lines
                .iter()
                .take(at - 1)
                .rev()
                .take_while(|line| of_key(line.content()))
                .count();
            for above in at - 1 - above..at - 1 {
                take(lines, found, above);
            }
        }
    }
    middle_of_key(lines, found);
}

/// Three and more long lines of base64: the middle of something, and that may be a key. What a certificate or a public key begins is
/// none.
fn middle_of_key(lines: &[Line], found: &mut [Found]) {
    let long = |line: &Line| line.content().len() >= 40 && is_base64(line.content()) && random(line.content());
    let mut start = 0;
    while start < lines.len() {
        let rest = lines.get(start..).unwrap_or_default();
        // In a frame each second line is what did not fit; the last line of all may be short, too.
        let short = |at: usize, line: &Line| {
            let before = at.checked_sub(1).and_then(|at| rest.get(at));
            is_base64(line.content()) && before.is_some_and(long)
        };
        let run = rest
            .iter()
            .enumerate()
            .take_while(|&(at, line)| long(line) || short(at, line))
            .count();
        let many = rest.iter().take(run).filter(|line| long(line)).count() >= 3;
        let above = start.checked_sub(1).and_then(|at| lines.get(at));
        let public = above.is_some_and(|line| line.text.contains("-----BEGIN ") && !line.text.contains("PRIVATE"));
        if many && !public {
            (start..start + run).for_each(|at| take(lines, found, at));
        }
        start += run.max(1);
    }
}
