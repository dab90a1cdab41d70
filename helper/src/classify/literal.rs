//! Finds texts one of which every match of a pattern contains, so that most patterns are refused without compiling them.
//!
//! Compiling a pattern costs some thirty microseconds, looking for a few bytes in twenty lines well under one. Texts are
//! compared in ASCII lower case, so that patterns which ignore case have them too.

use super::pattern::parser;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// More alternatives than this are not worth looking for one by one.
const MOST: usize = 12;

/// Lower-case texts one of which is in every match of `pattern`; empty when there are none to be sure of.
pub fn required(pattern: &str) -> Vec<String> {
    let Ok(hir) = parser().parse(pattern) else {
        return Vec::new();
    };
    let mut found = best(&hir).unwrap_or_default();
    found.sort();
    found.dedup();
    found
}

/// Whether every match of `pattern` begins where a line does.
pub fn from_line(pattern: &str) -> bool {
    parser()
        .parse(pattern)
        .is_ok_and(|hir| hir.properties().look_set_prefix().contains(Look::StartLF))
}

/// The most telling set of alternatives below `hir`.
fn best(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Literal(_) | HirKind::Class(_) => exact(hir).filter(|t| !t.is_empty()).map(|t| vec![t]),
        HirKind::Capture(capture) => best(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => best(&repetition.sub),
        HirKind::Alternation(branches) => {
            let mut all = Vec::new();
            for branch in branches {
                all.extend(best(branch)?);
            }
            (all.len() <= MOST).then_some(all)
        }
        HirKind::Concat(parts) => {
            let mut choices: Vec<Vec<String>> = Vec::new();
            let mut run = String::new();
            for part in parts {
                match exact(part) {
                    Some(text) => run.push_str(&text),
                    None => {
                        choices.push(vec![std::mem::take(&mut run)]);
                        choices.extend(best(part));
                    }
                }
            }
            choices.push(vec![run]);
            choices.into_iter().filter(|c| score(c) > 0).max_by_key(|c| score(c))
        }
        _ => None,
    }
}

/// How telling alternatives are: the shortest one decides, fewer are better.
fn score(choice: &[String]) -> usize {
    let shortest = choice.iter().map(String::len).min().unwrap_or(0);
    (shortest * 16).saturating_sub(choice.len().saturating_sub(1))
}

/// The one lower-case text that `hir` matches, when it matches no other.
fn exact(hir: &Hir) -> Option<String> {
    match hir.kind() {
        HirKind::Empty => Some(String::new()),
        HirKind::Literal(literal) => std::str::from_utf8(&literal.0).ok().map(str::to_ascii_lowercase),
        HirKind::Class(Class::Unicode(class)) => {
            // A letter in both cases. The long s and the Kelvin sign fold to s and k too; no program writes a word
            // with them, so they are not worth losing the text for.
            let letters: Vec<char> = class.iter().flat_map(|r| r.start()..=r.end()).take(4).collect();
            let (first, rest) = letters.split_first()?;
            let lower = first.to_ascii_lowercase();
            let folds = |c: &char| *c == lower || matches!(c, '\u{17f}' | '\u{212a}');
            (first.is_ascii_uppercase() && !rest.is_empty() && rest.iter().all(folds)).then(|| lower.to_string())
        }
        HirKind::Concat(parts) => parts.iter().map(exact).collect(),
        HirKind::Capture(capture) => exact(&capture.sub),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::required;

    #[test]
    fn the_longest_fixed_text_is_required() {
        assert_eq!(required(r"[0-9]+ esc to interrupt .*x"), [" esc to interrupt "]);
        assert_eq!(required(r"(?i)(press) Key"), ["press key"]);
    }

    #[test]
    fn alternatives_are_required_together_or_not_at_all() {
        assert_eq!(required(r"(?:allow|deny) all"), [" all"]);
        assert_eq!(required(r"^(?:allow|deny)$"), ["allow", "deny"]);
        assert!(required(r"a*|deny").is_empty());
        assert!(required(r"^[0-9]+$").is_empty());
    }
}
