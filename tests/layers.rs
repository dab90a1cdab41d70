//! Holds what ARCHITECTURE.md promises about who may know whom.

use std::fs;
use std::path::{Path, PathBuf};

/// Modules from the ground up: a module may use those of its own row and of the rows before it.
const LAYERS: &[&[&str]] = &[
    &["model", "text", "fault", "output", "terminal", "theme", "wish"],
    &["tmux", "process", "agents", "shells"],
    &["classify", "summary", "status"],
    &["reader", "refresh", "sample", "segment", "table"],
    &["notify"],
    &["summarise", "upkeep", "workspace"],
    &["dashboard", "mcp", "watch"],
    &["cmd", "cli", "main", "lib"],
];

fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .collect()
}

/// Each source file's module (its first path component), its path and its text.
fn modules() -> Vec<(String, PathBuf, String)> {
    let root = source_folder();
    let module = |path: PathBuf| {
        let inner = path.strip_prefix(&root).unwrap().to_owned();
        let name = inner
            .components()
            .next()
            .unwrap()
            .as_os_str()
            .to_str()
            .unwrap()
            .trim_end_matches(".rs")
            .to_owned();
        let text = fs::read_to_string(&path).unwrap();
        (name, inner, text)
    };
    sources(&root).into_iter().map(module).collect()
}

fn layer(module: &str) -> usize {
    let found = LAYERS.iter().position(|row| row.contains(&module));
    found.unwrap_or_else(|| panic!("module {module} has no layer: add it to LAYERS and to ARCHITECTURE.md"))
}

#[test]
fn imports_go_down_only() {
    for (module, path, text) in modules() {
        for used in text.split("crate::").skip(1) {
            let used: String = used
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect();
            assert!(!used.is_empty(), "{}: name the module behind crate::", path.display());
            assert!(
                layer(&used) <= layer(&module),
                "{} uses crate::{used}, which lies above it",
                path.display()
            );
        }
    }
}

#[test]
fn only_the_edge_spells_a_tmux_command() {
    for (module, path, text) in modules() {
        let code = text.split("#[cfg(test)]").next().unwrap();
        let spelled = code.contains("\"tmux\"");
        assert!(
            module == "tmux" || !spelled,
            "{} names the program tmux",
            path.display()
        );
    }
}

#[test]
fn only_the_kernels_edge_reads_proc() {
    for (module, path, text) in modules() {
        let code: String = text
            .split("#[cfg(test)]")
            .next()
            .unwrap()
            .lines()
            .filter(|l| !l.trim().starts_with("//"))
            .collect();
        assert!(
            module == "process" || !code.contains("/proc"),
            "{} reads /proc",
            path.display()
        );
    }
}

#[test]
fn the_classifier_reads_no_file_runs_nothing_and_knows_no_clock() {
    // load.rs reads the user's rule files, before anything is judged.
    let judging = |module: &str, path: &Path| ["classify", "summary"].contains(&module) && !path.ends_with("load.rs");
    for (module, path, text) in modules() {
        let code = text.split("#[cfg(test)]").next().unwrap();
        for forbidden in [
            "std::fs",
            "std::process",
            "std::net",
            "std::env",
            "SystemTime",
            "Instant::now",
        ] {
            let used = judging(&module, &path) && code.contains(forbidden);
            assert!(!used, "{} uses {forbidden}", path.display());
        }
    }
}
