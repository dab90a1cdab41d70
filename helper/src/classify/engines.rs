//! Compiled patterns: two small engines in place of a general one.
//!
//! A pattern here is searched a few times in a few lines, often once in the life of the process. Engines that earn back a
//! costly start over long texts (automata made in advance, a second one for searching backwards) lose here. A pattern whose
//! matches begin at lines is tried at each line's start from the bottom up and dies within a few bytes; the others are
//! searched in one pass.

use regex_automata::nfa::thompson::backtrack::{self, BoundedBacktracker};
use regex_automata::nfa::thompson::pikevm::{self, PikeVM};
use regex_automata::nfa::thompson::{Config, NFA};
use regex_automata::util::captures::Captures;
use regex_automata::util::primitives::PatternID;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};
use std::sync::Mutex;

/// Bytes of scratch that a search in one pass may take: states times text, in bits. Twenty long lines need a tenth of it.
const MOST_SCRATCH: usize = 4 << 20;

/// One compiled pattern and its scratch memory.
#[derive(Debug)]
pub enum Engine {
    /// Every match begins at a line's start.
    Lines(PikeVM, Mutex<pikevm::Cache>),
    /// A match may begin anywhere.
    Anywhere(BoundedBacktracker, Mutex<backtrack::Cache>),
}

impl Engine {
    /// Compiles a pattern; `None` when it is none, or too large.
    pub fn build(source: &str, from_line: bool) -> Option<Engine> {
        let syntax = syntax::Config::new().multi_line(true).utf8(false);
        let limits = Config::new().utf8(false).nfa_size_limit(Some(1 << 20));
        if from_line {
            let engine = PikeVM::builder().syntax(syntax).thompson(limits).build(source).ok()?;
            let cache = Mutex::new(engine.create_cache());
            return Some(Engine::Lines(engine, cache));
        }
        let scratch = backtrack::Config::new().visited_capacity(MOST_SCRATCH);
        let engine = BoundedBacktracker::builder()
            .syntax(syntax)
            .thompson(limits)
            .configure(scratch)
            .build(source)
            .ok()?;
        let cache = Mutex::new(engine.create_cache());
        Some(Engine::Anywhere(engine, cache))
    }

    /// The match nearest the end of `text`.
    pub fn last(&self, text: &str) -> Option<Captures> {
        match self {
            Engine::Lines(engine, cache) => {
                let mut cache = cache.lock().ok()?;
                let mut captures = engine.create_captures();
                let mut end = text.len();
                loop {
                    let start = text
                        .get(..end)
                        .and_then(|above| above.rfind('\n'))
                        .map_or(0, |at| at + 1);
                    engine.search(
                        &mut cache,
                        &Input::new(text).range(start..).anchored(Anchored::Yes),
                        &mut captures,
                    );
                    if captures.is_match() {
                        return Some(captures);
                    }
                    end = start.checked_sub(1)?;
                }
            }
            Engine::Anywhere(engine, cache) => {
                let mut cache = cache.lock().ok()?;
                let mut captures = engine.create_captures();
                let (mut start, mut last) = (0, None);
                while start <= text.len() {
                    engine
                        .try_search(&mut cache, &Input::new(text).range(start..), &mut captures)
                        .ok()?;
                    let Some(found) = captures.get_match() else { break };
                    start = found.end().max(start + 1);
                    last = Some(captures.clone());
                }
                last
            }
        }
    }

    /// The names of its groups.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.nfa().group_info().pattern_names(PatternID::ZERO).flatten()
    }

    fn nfa(&self) -> &NFA {
        match self {
            Engine::Lines(engine, _) => engine.get_nfa(),
            Engine::Anywhere(engine, _) => engine.get_nfa(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Engine;

    fn last(source: &str, from_line: bool, text: &str) -> Option<String> {
        let captures = Engine::build(source, from_line).unwrap().last(text)?;
        Some(text[captures.get_match().unwrap().range()].to_owned())
    }

    #[test]
    fn the_match_nearest_the_end_counts() {
        for from_line in [true, false] {
            assert_eq!(last("^a[0-9]", from_line, "a1\na2\nb a3").as_deref(), Some("a2"));
            assert_eq!(last("^a[0-9]", from_line, "b a3"), None);
            assert_eq!(
                last(r"^x(?:\n[^\n]*)*\z", from_line, "x\ny\n").as_deref(),
                Some("x\ny\n")
            );
        }
        assert_eq!(last("[0-9]+", false, "1 22 333").as_deref(), Some("333"));
    }

    #[test]
    fn bytes_of_other_texts_do_not_break_it() {
        assert_eq!(last("(?-u:[^\n])+", false, "漢字 é").as_deref(), Some("漢字 é"));
    }
}
