//! Lays a user's rule files over the embedded ones.

use super::format::RuleFile;
use super::rules::Program;
use crate::status::paths;
use std::fmt;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Why a user's rule file is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it, with the line where that is known.
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.reason)
    }
}

/// Where the user's rules are.
pub fn user_folder() -> Option<PathBuf> {
    Some(paths::config()?.join("rules"))
}

/// When the newest of the rule files below `dir`, or a folder there, was changed; `None` without any.
pub fn newest_rule(dir: Option<&Path>) -> Option<SystemTime> {
    let changed = |path: &Path| std::fs::metadata(path).and_then(|meta| meta.modified()).ok();
    let inside = |path: &Path| {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let dir = dir?;
    let families = inside(dir);
    let files = families.iter().flat_map(|family| inside(family));
    std::iter::once(dir.to_owned())
        .chain(families.iter().cloned())
        .chain(files)
        .filter_map(|path| changed(&path))
        .max()
}

/// Reads `DIR/FAMILY/PROGRAM.toml`: a file with a known name overrides rule by rule, another one adds a program.
pub fn overlay(programs: &mut Vec<&'static Program>, dir: &Path, key: &mut impl Hasher) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut added: Vec<&'static Program> = Vec::new();
    for family in entries(dir, dir, &mut problems) {
        for path in entries(&family, dir, &mut problems) {
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let text = fs::read_to_string(&path).map_err(|error| error.to_string());
            (&path, text.as_ref().ok()).hash(key);
            let known = |p: &&'static Program| p.family == stem(&family) && p.id == stem(&path);
            let file = text.and_then(|text| RuleFile::parse(&text)).and_then(|file| {
                let named =
                    file.shared || !(file.commands.is_empty() && file.scripts.is_empty() && file.titles.is_empty());
                match named || programs.iter().any(known) {
                    true => Ok(file),
                    false => Err("line 1: nothing is known by it: give it commands, scripts or titles".to_owned()),
                }
            });
            match file {
                Ok(file) => lay(programs, &mut added, stem(&family), stem(&path), file),
                Err(reason) => problems.push(Problem { file: path, reason }),
            }
        }
    }
    // The user's own programs come first, so that they win a command that an embedded one also names.
    programs.splice(0..0, added);
    problems
}

/// What tells this build of the program from another: its file's length and time. Embedded rules change with it.
pub fn identity_of_this_program() -> Option<(u64, SystemTime)> {
    let file = fs::metadata(std::env::current_exe().ok()?).ok()?;
    Some((file.len(), file.modified().ok()?))
}

fn lay(programs: &mut [&'static Program], added: &mut Vec<&'static Program>, family: &str, id: &str, file: RuleFile) {
    match programs
        .iter_mut()
        .find(|known| known.family == family && known.id == id)
    {
        Some(known) => *known = Box::leak(Box::new(known.overridden(file))),
        None => added.push(Box::leak(Box::new(Program::from_file(family, id, file)))),
    }
}

/// What a folder holds, in order of names. A missing rules folder is no problem; a file in place of a folder is none.
fn entries(folder: &Path, top: &Path, problems: &mut Vec<Problem>) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = match fs::read_dir(folder) {
        Ok(found) => found.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(error) => {
            let expected = matches!(
                error.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            );
            if !(expected && (folder == top || !folder.is_dir())) {
                problems.push(Problem {
                    file: folder.to_owned(),
                    reason: error.to_string(),
                });
            }
            Vec::new()
        }
    };
    paths.sort();
    paths
}

fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|name| name.to_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::Rules;

    fn load(files: &[(&str, &str)]) -> (Rules, Vec<super::Problem>) {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Rules::load(Some(dir.path()))
    }

    #[test]
    fn a_user_rule_replaces_the_one_with_its_id_and_new_ones_go_first() {
        let (plain, _) = Rules::load(None);
        let old = plain.programs().find(|p| p.id == "claude").unwrap();
        let last = old.rules.last().unwrap().id;
        let text = format!(
            "[[rule]]\nid = \"mine\"\nkind = \"idle\"\nall = ['x']\nsummary = \"x\"\n\
             [[rule]]\nid = \"{last}\"\nkind = \"running\"\nall = ['y']\nsummary = \"y\"\n"
        );
        let (rules, problems) = load(&[("agents/claude.toml", &text)]);
        assert_eq!(problems, []);
        let new = rules.programs().find(|p| p.id == "claude").unwrap();
        assert_eq!(new.rules[0].id, "mine");
        assert_eq!(new.rules.len(), old.rules.len() + 1);
        assert_eq!(new.rules.last().unwrap().summary, "y");
        assert_eq!(new.name, old.name);
        assert!(new.agent && rules.by_command("claude").is_some());
    }

    #[test]
    fn a_broken_file_names_its_line_and_costs_only_itself() {
        let good = "commands = [\"foo\"]\n[[rule]]\nid = \"a\"\nkind = \"idle\"\nall = ['x']\nsummary = \"x\"\n";
        let (rules, problems) = load(&[
            ("mine/foo.toml", good),
            ("mine/bar.toml", "commands = [\"bar\"]\ncolour = 1\n"),
            (
                "mine/re.toml",
                "[[rule]]\nid = \"a\"\nkind = \"idle\"\nall = ['(']\nsummary = \"x\"\n",
            ),
            (
                "mine/all.toml",
                "[[rule]]\nid = \"a\"\nkind = \"idle\"\nall = ['x*']\nsummary = \"x\"\n",
            ),
            (
                "mine/none.toml",
                "[[rule]]\nid = \"a\"\nkind = \"idle\"\nsummary = \"x\"\n",
            ),
            (
                "mine/loose.toml",
                "commands = [\"l\"]\n[[rule]]\nid = 'l'\nkind = \"idle\"\nall = ['(?P<x>[^\\n]+)']\nsummary = \"{x}\"\n",
            ),
            (
                "mine/capture.toml",
                "commands = [\"c\"]\n[[rule]]\nid = \"c\"\nkind = \"idle\"\nall = ['(?P<x>y)']\nsummary = \"{x} {y}\"\n",
            ),
            (
                "mine/bracket.toml",
                "commands = [\"b\"]\n[[rule]]\nid = \"b\"\nkind = \"idle\"\nall = ['y']\nsummary = \"a[ {line}\"\n",
            ),
            (
                "mine/unicode.toml",
                "commands = [\"u\"]\n[[rule]]\nid = \"u\"\nkind = \"idle\"\nall = [\"\\\\p{L}+x\"]\nsummary = \"x\"\n",
            ),
            (
                "mine/nameless.toml",
                "[[rule]]\nid = \"n\"\nkind = \"idle\"\nall = ['y']\nsummary = \"x\"\n",
            ),
            (
                "mine/region.toml",
                "[[rule]]\nid = \"a\"\nkind = \"idle\"\nin = \"last:99\"\nall = ['x']\nsummary = \"x\"\n",
            ),
        ]);
        assert!(rules.by_command("foo").is_some() && rules.by_command("bar").is_none());
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 10, "{said:#?}");
        assert!(
            said.iter()
                .any(|s| s.contains("bar.toml: line 2: unknown field `colour`")),
            "{said:#?}"
        );
        assert!(
            said.iter().any(|s| s.contains("re.toml: line 4: not a pattern")),
            "{said:#?}"
        );
        assert!(
            said.iter()
                .any(|s| s.contains("all.toml: line 2: rule a: a pattern matches the empty text")),
            "{said:#?}"
        );
        assert!(
            said.iter()
                .any(|s| s.contains("none.toml: line 2: rule a: it would match everything")),
            "{said:#?}"
        );
        assert!(
            said.iter()
                .any(|s| s.contains("region.toml: line 4: a region holds 1 to 20 lines")),
            "{said:#?}"
        );
    }

    #[test]
    fn a_missing_folder_is_no_problem() {
        let (_, problems) = Rules::load(Some(std::path::Path::new("/nonexistent/rules")));
        assert_eq!(problems, []);
    }
}
