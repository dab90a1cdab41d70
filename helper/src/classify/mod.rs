//! What a pane is doing and needs: rules over evidence, without any I/O or clock.
//!
//! [`Rules::load`] reads the embedded rules and the user's own, once. [`Rules::judge`] takes one pane's [`Evidence`] and
//! gives a [`Verdict`]; [`Rules::explain`] gives the way to it as well. Time lives in [`settle`] alone: a rule sees what
//! changed since the look before, never a clock. No rule executes anything or reads a file.

pub mod argv;
mod dialog;
mod engine;
mod engines;
mod facts;
mod fallback;
mod format;
mod history;
mod identify;
pub mod input;
mod literal;
mod load;
pub mod memo;
mod pattern;
mod probe;
mod prompt;
mod remote;
mod report;
pub mod rules;
pub mod settle;
mod source;
pub mod view;
mod words;

pub use engine::{Explanation, Tried};
pub use format::VALUES;
pub use identify::Keeper;
pub use load::{newest_rule, user_folder, Problem};
pub use source::Source;

use crate::model::{Evidence, Verdict};
use rules::Program;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::path::Path;

/// Every program that has rules, ready to be asked.
#[derive(Debug)]
pub struct Rules {
    programs: Vec<&'static Program>,
    commands: HashMap<&'static str, usize>,
    globs: Vec<(&'static str, usize)>,
    scripts: HashMap<&'static str, usize>,
    pieces: Vec<(&'static str, usize)>,
    /// Tells these rules, and the program that asks them, from others.
    key: u64,
}

impl Rules {
    /// The embedded rules with those below `user_dir` laid over them. A file that cannot be used costs only itself and is
    /// told in the list.
    pub fn load(user_dir: Option<&Path>) -> (Rules, Vec<Problem>) {
        let mut programs: Vec<&'static Program> = rules::embedded().iter().collect();
        let mut key = settle::Fnv::default();
        load::identity_of_this_program().hash(&mut key);
        let problems = user_dir.map_or_else(Vec::new, |dir| load::overlay(&mut programs, dir, &mut key));
        (Rules::of(programs, key.finish()), problems)
    }

    fn of(programs: Vec<&'static Program>, key: u64) -> Rules {
        let mut commands = HashMap::new();
        let mut globs = Vec::new();
        let mut scripts = HashMap::new();
        let mut pieces = Vec::new();
        for (at, program) in programs.iter().enumerate() {
            for script in program.scripts {
                if script.contains('/') {
                    pieces.push((*script, at));
                } else {
                    scripts.entry(*script).or_insert(at);
                }
            }
            for command in program.commands {
                match command.strip_suffix('*') {
                    Some(start) => globs.push((start, at)),
                    None => {
                        commands.entry(*command).or_insert(at);
                    }
                }
            }
        }
        Rules {
            programs,
            commands,
            globs,
            scripts,
            pieces,
            key,
        }
    }

    /// What the pane is doing.
    pub fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        engine::decide(self, evidence, &mut None)
    }

    /// What the pane is doing, and why: every rule that was tried, and the rows the firing one matched.
    pub fn explain(&self, evidence: &Evidence<'_>) -> Explanation {
        engine::explain(self, evidence)
    }

    /// Every program, the user's own ones included.
    pub fn programs(&self) -> impl Iterator<Item = &'static Program> + '_ {
        self.programs.iter().copied()
    }

    /// The program whose script has one of these names, or whose path holds one of its pieces.
    fn by_script(&self, names: &[String], path: &str) -> Option<(&'static str, &'static Program)> {
        let named = names
            .iter()
            .find_map(|name| self.scripts.get_key_value(name.as_str()).map(|(name, at)| (*name, *at)));
        let found = named.or_else(|| self.pieces.iter().find(|(piece, _)| path.contains(piece)).copied());
        found.and_then(|(name, at)| Some((name, *self.programs.get(at)?)))
    }

    fn by_command(&self, name: &str) -> Option<&'static Program> {
        let exact = self.commands.get(name).copied();
        let glob = || {
            self.globs
                .iter()
                .find(|(start, _)| name.starts_with(start))
                .map(|(_, at)| *at)
        };
        exact.or_else(glob).and_then(|at| self.programs.get(at).copied())
    }
}
