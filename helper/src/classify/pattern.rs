//! What a rule's pattern is, before it is compiled: which form of it is, and what it would find. Shared by the build script and
//! the program, like `format`.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Whether a pattern can be read.
///
/// # Errors
/// Why not.
pub fn check(pattern: &str) -> Result<(), String> {
    match parser().parse(&ascii(pattern)) {
        Ok(_) => Ok(()),
        Err(error) => {
            let said = error.to_string();
            Err(said
                .lines()
                .last()
                .unwrap_or_default()
                .trim_start_matches("error: ")
                .to_owned())
        }
    }
}

/// A pattern as it is compiled: `\d`, `\w`, `\s` and `\b` mean ASCII, and a repeated `[^…]` of ASCII characters is taken by
/// bytes. Their Unicode forms take up to a hundred times longer to compile, and match the same texts here.
pub fn ascii(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() + 16);
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '[' => class_end(rest),
            '\\' => rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at),
            _ => c.len_utf8(),
        };
        let (piece, after) = rest.split_at(taken);
        rest = after;
        match piece {
            r"\b" => out.push_str(r"(?-u:\b)"),
            r"\d" | r"\w" | r"\s" => out.extend(["[", &ascii_class(piece), "]"]),
            _ if c == '[' => {
                let class = ascii_class(piece);
                let plain = class.starts_with("[^") && class.is_ascii() && !class.contains(r"\x{");
                match plain && after.starts_with(['*', '+', '{']) {
                    true => out.extend(["(?-u:", &class, ")"]),
                    false => out.push_str(&class),
                }
            }
            _ => out.push_str(piece),
        }
    }
    out
}

/// Where the class ends that `text` begins with.
fn class_end(text: &str) -> usize {
    let opening = ["[^]", "[]", "[^", "["]
        .iter()
        .find(|start| text.starts_with(**start))
        .map_or(1, |start| start.len());
    let mut escaped = false;
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < opening) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ']' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn ascii_class(class: &str) -> String {
    class
        .replace(r"\d", "0-9")
        .replace(r"\w", "0-9A-Za-z_")
        .replace(r"\s", r" \t\r\n")
}

/// Whether a pattern says nothing: it is found in the empty text, so it would be found in every text.
pub fn matches_empty(pattern: &str) -> bool {
    parser()
        .parse(&ascii(pattern))
        .is_ok_and(|hir| hir.properties().minimum_len() == Some(0) && hir.properties().look_set().is_empty())
}

/// Whether a pattern is found in nearly any text: nothing in it is a fixed sign or a narrow choice of signs.
pub fn matches_anything(pattern: &str) -> bool {
    fn loose(hir: &Hir) -> bool {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => true,
            HirKind::Literal(_) => false,
            HirKind::Class(class) => {
                let holds = |c: char| match class {
                    Class::Unicode(class) => class.iter().any(|range| (range.start()..=range.end()).contains(&c)),
                    Class::Bytes(class) => class
                        .iter()
                        .any(|range| (range.start()..=range.end()).contains(&(c as u8))),
                };
                (' '..='~').filter(|&c| holds(c)).count() > 80
            }
            HirKind::Repetition(repetition) => repetition.min == 0 || loose(&repetition.sub),
            HirKind::Capture(capture) => loose(&capture.sub),
            HirKind::Concat(parts) => parts.iter().all(loose),
            HirKind::Alternation(parts) => parts.iter().any(loose),
        }
    }
    parser().parse(&ascii(pattern)).is_ok_and(|hir| loose(&hir))
}

/// The names of a pattern's captures.
pub fn captures(pattern: &str) -> Vec<String> {
    fn collect(hir: &Hir, names: &mut Vec<String>) {
        match hir.kind() {
            HirKind::Capture(capture) => {
                names.extend(capture.name.as_deref().map(str::to_owned));
                collect(&capture.sub, names);
            }
            HirKind::Repetition(repetition) => collect(&repetition.sub, names),
            HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().for_each(|part| collect(part, names)),
            _ => {}
        }
    }
    let mut names = Vec::new();
    if let Ok(hir) = parser().parse(&ascii(pattern)) {
        collect(&hir, &mut names);
    }
    names
}

/// A pattern's parser, set as patterns are compiled.
pub fn parser() -> regex_syntax::Parser {
    regex_syntax::ParserBuilder::new().multi_line(true).utf8(false).build()
}
