//! Embeds the rule files: every `rules/FAMILY/PROGRAM.toml` is found by walking the folder, checked, and written as Rust
//! constants, so that no list has to be kept and nothing is parsed at start.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

// The same types as the program uses. They name `crate::model`, which is this one here.
#[allow(dead_code, missing_docs)]
#[path = "src/classify/format.rs"]
mod format;
#[path = "src/classify/literal.rs"]
mod literal;
#[allow(dead_code)]
#[path = "src/model.rs"]
mod model;
#[path = "src/classify/pattern.rs"]
mod pattern;

use format::{MatchText, Region, RuleFile};

fn main() -> Result<(), Box<dyn Error>> {
    link_at_a_fixed_address();
    for watched in [
        "rules",
        "src/classify/format.rs",
        "src/classify/literal.rs",
        "src/classify/pattern.rs",
        "src/model.rs",
    ] {
        println!("cargo:rerun-if-changed={watched}");
    }
    let rules = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("rules");
    let mut patterns = String::new();
    let mut out = String::from(
        "#[allow(unused_imports)]\nuse {super::format::Input::*, super::format::Probe::*, super::format::Region::*, \
         Need::*, StatusKind::*};\nstatic EMBEDDED: &[Program] = &[\n",
    );
    for family in sorted(&rules)?.into_iter().filter(|path| path.is_dir()) {
        for path in sorted(&family)?
            .into_iter()
            .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        {
            let shown = path.display();
            let file = RuleFile::parse(&fs::read_to_string(&path)?).map_err(|e| format!("{shown}: {e}"))?;
            write_program(&mut out, &mut patterns, stem(&family), stem(&path), &file)?;
        }
    }
    out.push_str("];\n");
    out.push_str(&patterns);
    fs::write(Path::new(&env::var("OUT_DIR")?).join("rules.rs"), out)?;
    Ok(())
}

/// The embedded rules are full of pointers. In a program that may lie anywhere each is written anew at every start, some
/// nineteen thousand: a millisecond of a hook's refresh and of the popup's first frame. Elsewhere the linker wants it so.
fn link_at_a_fixed_address() {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|set| set == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}

fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|name| name.to_str()).unwrap_or_default()
}

fn write_program(out: &mut String, patterns: &mut String, family: &str, id: &str, file: &RuleFile) -> std::fmt::Result {
    let name = (!file.name_from_command).then(|| file.name.as_deref().unwrap_or(id));
    write!(
        out,
        "Program {{ family: {family:?}, id: {id:?}, name: {name:?}, agent: {}, wrapper: {}, shared: {}, commands: &{:?}, \
         scripts: &{:?}, titles: &[",
        file.agent, file.wrapper, file.shared, file.commands, file.scripts
    )?;
    write_patterns(
        out,
        patterns,
        file.titles.iter().map(|title| (Region::Title, title.as_str())),
    )?;
    out.push_str("], composer: ");
    match &file.composer {
        None => out.push_str("None"),
        Some(composer) => {
            out.push_str("Some(Composer { start: ");
            write_pattern(out, patterns, Region::default(), &composer.start)?;
            out.push_str(", end: ");
            match &composer.end {
                None => out.push_str("None"),
                Some(end) => {
                    out.push_str("Some(");
                    write_pattern(out, patterns, Region::default(), end)?;
                    out.push(')');
                }
            }
            out.push_str(" })");
        }
    }
    out.push_str(", rules: &[\n");
    for rule in &file.rules {
        let lists = [
            ("all", &rule.all),
            ("any", &rule.any),
            ("none", &rule.none),
            ("note", &rule.note),
        ];
        write!(
            out,
            "Rule {{ id: {:?}, kind: {:?}, need: {:?}, ",
            rule.id, rule.kind, rule.need
        )?;
        for (name, list) in lists {
            write!(out, "{name}: &[")?;
            write_patterns(
                out,
                patterns,
                list.iter().map(|m: &MatchText| (m.region(rule.region), m.source())),
            )?;
            out.push_str("], ");
        }
        writeln!(
            out,
            "when: {:?}, probe: {:?}, summary: {:?} }},",
            rule.when, rule.probe, rule.summary
        )?;
    }
    out.push_str("] },\n");
    Ok(())
}

fn write_patterns<'a>(
    out: &mut String,
    patterns: &mut String,
    list: impl Iterator<Item = (Region, &'a str)>,
) -> std::fmt::Result {
    for (region, source) in list {
        write_pattern(out, patterns, region, source)?;
        out.push(',');
    }
    Ok(())
}

/// A pattern is a constant of its own, since it is compiled in place when first needed; here goes its name.
fn write_pattern(out: &mut String, patterns: &mut String, region: Region, source: &str) -> std::fmt::Result {
    let name = format!("PATTERN_{}", patterns.lines().count());
    let source = pattern::ascii(source);
    let (literals, from_line) = (literal::required(&source), literal::from_line(&source));
    writeln!(
        patterns,
        "static {name}: Pattern = Pattern::new({region:?}, {source:?}, &{literals:?}, {from_line});"
    )?;
    write!(out, "&{name}")
}
