//! Takes secrets out of several lines of a pane: what one line does not tell, since it was broken at the pane's edge or is a part
//! of something that spans lines.

use super::name::{secrecy, Secrecy};
use super::value::{is_base64, is_innocent, random, suspicious};
use super::{find, starred, Found};
use crate::text;
use std::ops::Range;

/// Commands that print a secret and nothing else.
const PRINT_SECRETS: &[&str] = &[
    "auth token",
    "print-access-token",
    "print-identity-token",
    "print-refresh-token",
    "wg genkey",
    "wg genpsk",
    "openssl rand",
    "pwgen",
    "op read",
    "pass show",
    "vault read -field",
    "vault kv get -field",
    "get-login-password",
    "get-access-token",
    "find-generic-password",
    "auth:token",
    "secret get",
    "secrets get",
    "versions access",
    "apg ",
    "makepasswd",
    "get-session-token",
    "mkpasswd",
    "openssl passwd",
    "create token",
    "generate-db-auth-token",
    "wg pubkey-of",
    "ssm get-parameter",
    "get-secret-value",
    "bw get password",
    "gopass show",
    "lpass show",
    "cat .vault_pass",
    "initialadminpassword",
    "base64 -d",
    "base64 --decode",
    "secret-tool lookup",
    "kubectl create token",
    "htpasswd -n",
    "credential fill",
];

/// Headings over lists of codes.
const CODES: &[&str] = &[
    "recovery code",
    "backup code",
    "scratch code",
    "emergency code",
    "recovery key",
    "seed phrase",
    "recovery phrase",
    "secret recovery",
];

/// How many cells short of its edge a program may break a line.
const FOLD_MARGIN: usize = 4;

/// A line as the program printed it, and the rows of the pane that it takes.
struct Line {
    text: String,
    /// Where each row begins in the text, and how long it is.
    rows: Vec<Range<usize>>,
}

/// `rows` of a pane of `width` cells (0: unknown) without secrets, as many as came. Rows that fill the width are taken for parts of one line.
///
/// More is starred than [`super::redact`] does: what leaves the machine is better unreadable than read.
pub fn redact_lines(rows: &[String], width: usize) -> Vec<String> {
    let lines = lines(rows, width);
    let mut found: Vec<Found> = lines.iter().map(in_line).collect();
    folded(&lines, width, &mut found);
    keys(&lines, &mut found);
    below(&lines, &mut found);
    listed_values(&lines, &mut found);
    printed(&lines, &mut found);
    let mut out = Vec::with_capacity(rows.len());
    for (line, found) in lines.iter().zip(found) {
        let ranges = found.merged();
        for row in &line.rows {
            let mut here = Found::default();
            for range in &ranges {
                let (start, end) = (range.start.max(row.start), range.end.min(row.end));
                if start < end {
                    here.add(start - row.start..end - row.start);
                }
            }
            out.push(starred(line.text.get(row.clone()).unwrap_or_default(), here));
        }
    }
    out
}

/// Joins rows that fill the width with what follows. One cell less was a blank at the edge, or a wide character that did not fit.
fn lines(rows: &[String], width: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut goes_on = None;
    for row in rows {
        let row = row.trim_end_matches(['\n', '\r']);
        match (lines.last_mut(), goes_on) {
            (Some(line), Some(between)) if !row.is_empty() => {
                line.text.push_str(between);
                let start = line.text.len();
                line.text.push_str(row);
                line.rows.push(start..line.text.len());
            }
            _ => lines.push(Line {
                text: row.to_owned(),
                rows: std::iter::once(0..row.len()).collect(),
            }),
        }
        let cells = if row.len() + 1 < width { 0 } else { text::width(row) };
        goes_on = match cells {
            _ if width < 2 => None,
            cells if cells >= width => Some(""),
            cells if cells + 1 == width => Some(if row.is_ascii() { " " } else { "" }),
            _ => None,
        };
    }
    lines
}

/// The secrets of a line, and of each of its rows: two lines that fill the width may have been taken for one.
fn in_line(line: &Line) -> Found {
    let mut found = Found::default();
    find(&line.text, true, &mut found);
    if line.rows.len() > 1 {
        for row in &line.rows {
            let mut here = Found::default();
            find(line.text.get(row.clone()).unwrap_or_default(), true, &mut here);
            here.0
                .iter()
                .for_each(|range| found.add(range.start + row.start..range.end + row.start));
        }
    }
    found
}

/// The part of a line between frames, if it has them, and blanks.
fn framed(line: &str) -> Range<usize> {
    let edge = |c: char| c.is_whitespace() || c == '│' || c == '┃';
    let start = line.len() - line.trim_start_matches(edge).len();
    start..line.trim_end_matches(edge).len().max(start)
}

/// Secrets that a program broke itself, at a blank or not: inside of a frame, or with its lines indented.
fn folded(lines: &[Line], width: usize, found: &mut [Found]) {
    if width < 20 {
        return;
    }
    let goes_on = |line: &Line, next: &Line, glue: &str| {
        let (inner, below) = (
            framed(&line.text),
            next.text.get(framed(&next.text)).unwrap_or_default(),
        );
        let cells = text::width(line.text.get(..inner.end).unwrap_or_default());
        let framed = line.text.trim_end().ends_with(['│', '┃']);
        let edge = if framed {
            text::width(line.text.trim_end()).saturating_sub(1)
        } else {
            width
        };
        let word = below.split(' ').next().unwrap_or_default();
        let reaches = if glue.is_empty() {
            cells + FOLD_MARGIN
        } else {
            cells + text::width(word) + FOLD_MARGIN
        };
        line.rows.len() == 1 && next.rows.len() == 1 && !inner.is_empty() && !below.is_empty() && reaches >= edge
    };
    for glue in ["", " "] {
        let mut at = 0;
        while at < lines.len() {
            let rest = lines.get(at..).unwrap_or_default();
            let chain = 1 + rest
                .windows(2)
                .take_while(|pair| matches!(pair, [line, next] if goes_on(line, next, glue)))
                .count();
            if chain > 1 {
                in_chain(
                    rest.get(..chain).unwrap_or_default(),
                    glue,
                    found.get_mut(at..at + chain).unwrap_or_default(),
                );
            }
            at += chain;
        }
    }
}

/// The secrets of several lines, read as one.
fn in_chain(lines: &[Line], glue: &str, found: &mut [Found]) {
    let (mut text, mut parts) = (String::new(), Vec::new());
    for line in lines {
        if !text.is_empty() {
            text.push_str(glue);
        }
        let inner = framed(&line.text);
        let start = text.len();
        text.push_str(line.text.get(inner.clone()).unwrap_or_default());
        parts.push((start..text.len(), inner.start));
    }
    let mut here = Found::default();
    find(&text, true, &mut here);
    for range in here.0 {
        for ((part, inner), found) in parts.iter().zip(found.iter_mut()) {
            let (start, end) = (range.start.max(part.start), range.end.min(part.end));
            if start < end {
                found.add(start - part.start + inner..end - part.start + inner);
            }
        }
    }
}

/// The part of a line that is text: without frames, line numbers and marks of a diff before it, and frames and quotes behind.
fn content(line: &str) -> Range<usize> {
    let lead = |c: char| c.is_whitespace() || "│┃|>\"'`,".contains(c);
    let mut rest = line.trim_start_matches(lead);
    let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if number.len() < rest.len() && number.starts_with([' ', ':', '\t', '|', '│']) {
        rest = number.trim_start_matches(|c: char| lead(c) || c == ':');
    }
    if let Some(marked) = rest.strip_prefix(['+', '-']).filter(|marked| marked.starts_with(' ')) {
        rest = marked.trim_start_matches(lead);
    }
    let start = line.len() - rest.len();
    let end = start
        + rest
            .trim_end_matches(|c: char| c.is_whitespace() || "│┃|\"'`,\\".contains(c))
            .len();
    start..end.max(start)
}

fn text_of(line: &Line) -> &str {
    line.text.get(content(&line.text)).unwrap_or_default()
}

fn take(lines: &[Line], found: &mut [Found], at: usize) {
    if let (Some(line), Some(found)) = (lines.get(at), found.get_mut(at)) {
        found.add(content(&line.text));
    }
}

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

/// Private keys in text form, whole or cut at either end or both.
fn keys(lines: &[Line], found: &mut [Found]) {
    let ends = |text: &str| text.find("-----END ").filter(|_| text.contains("PRIVATE KEY"));
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let text = line.text.as_str();
        let begins = text.contains("-----BEGIN ") && text.contains("PRIVATE KEY") && ends(text).is_none();
        let putty = text_of(line).starts_with("Private-Lines:");
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
            let inside = |line: &&Line| of_key(text_of(line)) || of_header(text_of(line)) && ends(&line.text).is_none();
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
                .take_while(|line| of_key(text_of(line)))
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
    let long = |line: &Line| text_of(line).len() >= 40 && is_base64(text_of(line)) && random(text_of(line));
    let mut start = 0;
    while start < lines.len() {
        let rest = lines.get(start..).unwrap_or_default();
        // In a frame each second line is what did not fit; the last line of all may be short, too.
        let short = |at: usize, line: &Line| {
            let before = at.checked_sub(1).and_then(|at| rest.get(at));
            is_base64(text_of(line)) && before.is_some_and(long)
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

fn indent(line: &str) -> usize {
    line.len()
        - line
            .trim_start_matches(|c: char| c.is_whitespace() || c == '│' || c == '┃')
            .len()
}

/// Takes what stands behind the separator of `text`, if it has one.
fn take_value(line: &Line, found: &mut Found) {
    let range = content(&line.text);
    let text = line.text.get(range.clone()).unwrap_or_default();
    let Some(colon) = text.find([':', '=']) else { return };
    let value = text.get(colon + 1..).unwrap_or_default();
    let bare = value.trim_matches(|c: char| c.is_whitespace() || c == '"');
    if !is_innocent("", bare, false) {
        let start = range.start + colon + 1 + (value.len() - value.trim_start_matches([' ', '"', '\'']).len());
        found.add(start.min(range.end)..range.end);
    }
}

/// What stands deeper below a name of a secret without a value, below `stringData:`, below a heading over codes.
fn below(lines: &[Line], found: &mut [Found]) {
    let secret_object = lines.iter().any(|line| {
        matches!(
            line.text.trim().trim_end_matches(','),
            "kind: Secret" | "\"kind\": \"Secret\""
        )
    });
    for (at, line) in lines.iter().enumerate() {
        let text = line.text.get(content(&line.text).start..).unwrap_or_default();
        let text = text.trim_end_matches(|c: char| c.is_whitespace() || "│┃".contains(c));
        let head = text
            .trim_end_matches(['|', '>', '-', '+', '{', '[', ' ', '('])
            .trim_end();
        let Some(name) = head.strip_suffix([':', '=']) else {
            continue;
        };
        let name = name.trim().trim_matches(['"', '\'']);
        let values = name == "stringData" || name == "data" && secret_object;
        let lower = name.to_ascii_lowercase();
        let codes = CODES.iter().any(|codes| lower.contains(codes));
        let words = name.split(' ').count();
        let short = words == 1 || words <= 3 && name.starts_with(|c: char| c.is_ascii_uppercase());
        let short = short && !name.contains(['(', '$']);
        let secret = codes || short && secrecy(name) == Secrecy::Strong;
        if !(values || secret) {
            continue;
        }
        let scalar = head.ends_with(':') && text.ends_with(['|', '>', '-', '+']);
        let block = codes || text.len() > head.len() && (scalar || text.ends_with(['[', '(']));
        let deeper = lines
            .iter()
            .enumerate()
            .skip(at + 1)
            .take_while(|(_, below)| indent(&below.text) > indent(&line.text) && !below.text.trim().is_empty());
        for (below, under) in deeper.take(if block || values { usize::MAX } else { 1 }) {
            if values {
                if let Some(found) = found.get_mut(below) {
                    take_value(under, found);
                }
            } else if codes || scalar || is_value(name, under.text.get(framed(&under.text)).unwrap_or_default()) {
                take(lines, found, below);
            }
        }
    }
}

/// Whether a line is nothing but a value: a string in quotes or one word.
fn is_value(name: &str, line: &str) -> bool {
    let line = line.trim().trim_end_matches([',', ';']);
    let bare = line.trim_matches(|c| c == '"' || c == '\'');
    let quoted =
        bare.len() < line.len() && line.starts_with(['"', '\'']) && !line.contains("\": ") && !line.contains("': ");
    let lone = bare.len() == line.len() && !line.contains(' ') && !line.ends_with([':', '{', '(', '=']);
    (quoted || lone) && !is_innocent(name, bare, quoted)
}

/// `name: DB_PASSWORD` and `value: x` below it.
fn listed_values(lines: &[Line], found: &mut [Found]) {
    let split = |line: &Line| {
        let text = text_of(line).trim_start_matches("- ");
        let (name, value) = text.split_once([':', '='])?;
        let bare = |text: &str| {
            text.trim_matches(|c: char| c.is_whitespace() || "\"',".contains(c))
                .to_owned()
        };
        Some((bare(name).to_ascii_lowercase(), bare(value)))
    };
    for (at, pair) in lines.windows(2).enumerate() {
        let [above, line] = pair else { continue };
        let (Some((key, name)), Some((word, _))) = (split(above), split(line)) else {
            continue;
        };
        let named = matches!(key.as_str(), "name" | "key" | "parameterkey") && secrecy(&name) == Secrecy::Strong;
        if let (true, "value" | "parametervalue", Some(found)) = (named, word.as_str(), found.get_mut(at + 1)) {
            take_value(line, found);
        }
    }
}

/// What a command prints that prints a secret: one word on the next line.
fn printed(lines: &[Line], found: &mut [Found]) {
    for (at, pair) in lines.windows(2).enumerate() {
        let [command, line] = pair else { continue };
        let lower = command.text.to_ascii_lowercase();
        let text = text_of(line);
        let word = !text.contains(' ')
            && text.len() >= 6
            && (suspicious(text) || random(text))
            && !text.starts_with(['/', '$', '-']);
        if word && PRINT_SECRETS.iter().any(|prints| lower.contains(prints)) {
            take(lines, found, at + 1);
        }
    }
}
