//! Reads a program's name out of its arguments: through interpreters, wrappers and login shells.

/// What an argument list runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Invocation {
    /// Names it may be known by, the most telling first: script, then command.
    pub names: Vec<String>,
    /// The script's whole path, or the module, when an interpreter runs one.
    pub script: Option<String>,
    /// The arguments behind what is run.
    pub rest: Vec<String>,
    /// Whether an interpreter or shell runs without a script: a REPL or an interactive shell.
    pub interactive: bool,
}

const SHELLS: &[&str] = &[
    "sh", "bash", "zsh", "fish", "dash", "ksh", "mksh", "ash", "busybox", "nu", "tcsh", "csh", "elvish", "xonsh",
    "pwsh",
];
/// Words of a shell's own: behind `-c` the shell itself does it.
const BUILTINS: &[&str] = &[
    "read", "while", "until", "for", "if", "case", "echo", "cd", "export", "test", "[", "[[", "true", "wait", "trap",
    "set", "select", "printf", "source", ".",
];
const INTERPRETERS: &[&str] = &[
    "node", "nodejs", "python", "ruby", "perl", "deno", "bun", "lua", "php", "java", "tsx", "ts-node", "pypy",
];
/// Programs that run another one given on their command line, with their options that take a value.
const WRAPPERS: &[(&str, &[&str])] = &[
    ("env", &["-u", "-C", "-S"]),
    (
        "sudo",
        &["-u", "-g", "-h", "-p", "-C", "-r", "-t", "-D", "-R", "-T", "-U"],
    ),
    ("doas", &["-u", "-C"]),
    ("npx", &["-p", "--package", "-c"]),
    ("bunx", &["-p"]),
    ("uvx", &["--from", "--with", "-p", "--python"]),
    ("nice", &["-n"]),
    ("ionice", &["-c", "-n"]),
    ("nohup", &[]),
    ("time", &["-f", "-o"]),
    ("timeout", &["-k", "-s"]),
    ("stdbuf", &["-i", "-o", "-e"]),
    ("unbuffer", &[]),
    ("setsid", &[]),
    ("chronic", &[]),
    ("rlwrap", &["-f", "-H", "-C"]),
    ("strace", &["-o", "-e", "-p", "-s"]),
    ("exec", &["-a"]),
    ("command", &[]),
    ("caffeinate", &["-t", "-w"]),
    ("arch", &[]),
    ("proxychains4", &["-f"]),
    ("direnv", &[]),
];
/// Words behind a package tool that make it run what follows: `npm exec X`, `uv run X`.
const RUNNERS: &[(&str, &[&str])] = &[
    ("npm", &["exec", "x"]),
    ("pnpm", &["exec", "dlx"]),
    ("yarn", &["exec", "dlx"]),
    ("uv", &["run"]),
    ("uv", &["tool"]),
    ("pipx", &["run"]),
    ("poetry", &["run"]),
    ("pdm", &["run"]),
    ("hatch", &["run"]),
    ("pipenv", &["run"]),
    ("bundle", &["exec"]),
    ("mise", &["exec", "x"]),
    ("nix", &["run", "shell", "develop"]),
    ("rustup", &["run"]),
    ("dotenv", &["run"]),
];

/// The words of a command line as a shell takes them apart, as far as naming what it runs goes.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut escaped) = (Vec::new(), None::<String>, None, false);
    for c in line.chars() {
        if std::mem::take(&mut escaped) {
            word.get_or_insert_with(String::new).push(c);
        } else if c == '\\' && quote != Some('\'') {
            escaped = true;
        } else if quote == Some(c) {
            quote = None;
        } else if quote.is_none() && matches!(c, '\'' | '"') {
            quote = Some(c);
            word.get_or_insert_with(String::new);
        } else if quote.is_none() && c.is_whitespace() {
            words.extend(word.take());
        } else {
            word.get_or_insert_with(String::new).push(c);
        }
    }
    words.extend(word);
    words
}

/// What `args` runs; `comm` stands in where arguments are absent.
pub fn read(args: &[String], comm: &str) -> Invocation {
    let mut out = Invocation::default();
    if args.is_empty() {
        out.names.push(base(comm));
        return out;
    }
    step(args, &mut out, 0);
    // A program may name itself (`aider` run by python); an interpreter's own name says nothing more.
    let own = base(comm);
    let generic = INTERPRETERS.contains(&versionless(&own)) || SHELLS.contains(&own.as_str());
    if !generic && !out.names.contains(&own) {
        out.names.push(own);
    }
    out.names.retain(|name| !name.is_empty());
    out
}

/// Whether `args` run a shell without a script, which takes lines.
pub fn is_shell(args: &[String], comm: &str) -> bool {
    let invocation = read(args, comm);
    let named = |name: &String| SHELLS.contains(&versionless(name));
    invocation.interactive && invocation.names.first().is_some_and(named)
}

fn step(args: &[String], out: &mut Invocation, depth: usize) {
    let Some((first, rest)) = args.split_first() else {
        return;
    };
    // A program may overwrite its own arguments with one text: `nginx: master process`, `claude `, `npm exec x`.
    let words: Vec<String>;
    let (first, rest) = match first.split_once([' ', ':']) {
        Some((head, tail)) if rest.iter().all(|a| a.is_empty()) && !first.starts_with('/') => {
            words = tail.split_whitespace().map(str::to_owned).collect();
            (head, words.as_slice())
        }
        _ => (first.as_str(), rest),
    };
    let name = base(first);
    let plain = versionless(&name);
    if depth > 4 {
        out.names.push(name);
        return;
    }
    if let Some((_, valued)) = WRAPPERS.iter().find(|(wrapper, _)| *wrapper == plain) {
        if let Some(inner) = behind_options(rest, valued) {
            step(inner, out, depth + 1);
        }
        out.names.push(name);
        return;
    }
    if let Some((_, _)) = RUNNERS
        .iter()
        .find(|(tool, verbs)| *tool == plain && rest.first().is_some_and(|v| verbs.contains(&v.as_str())))
    {
        if let Some(inner) = behind_options(
            rest.get(1..).unwrap_or_default(),
            &["--package", "-p", "--with", "--from"],
        ) {
            step(inner, out, depth + 1);
        }
        out.names.push(name);
        return;
    }
    let shell = SHELLS.contains(&plain);
    if shell || INTERPRETERS.contains(&plain) {
        interpreted(rest, &name, shell, out, depth);
        return;
    }
    out.rest = rest.to_vec();
    out.names.push(name);
}

/// An interpreter: its script or module names the program; a shell's `-c` text does when it is one simple command.
fn interpreted(rest: &[String], name: &str, shell: bool, out: &mut Invocation, depth: usize) {
    let mut at = 0;
    while let Some(arg) = rest.get(at) {
        let after = rest.get(at + 1..).unwrap_or_default();
        match arg.as_str() {
            "-m" if !shell => {
                if let Some((module, more)) = after.split_first() {
                    out.names.push(module.clone());
                    out.script = Some(module.clone());
                    out.rest = more.to_vec();
                }
                return;
            }
            "-c" | "-lc" | "-ic" | "-lic" if shell => {
                let words: Vec<String> = after
                    .first()
                    .map_or("", String::as_str)
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect();
                let inner = match words.split_first() {
                    Some((word, more)) if word == "exec" => more,
                    _ => &words,
                };
                // Behind `;` and the like more than one program is run: the shell speaks for itself then.
                let several = words
                    .iter()
                    .any(|w| w.contains(['&', ';', '|', '<', '>', '`', '$', '(']));
                let builtin = inner.first().is_some_and(|word| BUILTINS.contains(&word.as_str()));
                if !several && !builtin {
                    let unquoted: Vec<String> = inner.iter().map(|w| w.trim_matches(['\'', '"']).to_owned()).collect();
                    step(&unquoted, out, depth + 1);
                }
                if out.names.is_empty() {
                    out.rest = rest.get(at..).unwrap_or_default().to_vec();
                    out.names.push(name.to_owned());
                }
                return;
            }
            code if !shell && (matches!(code, "-c" | "-e" | "--eval" | "-r" | "-p") || is_perl_code(name, code)) => {
                out.rest = rest.get(at..).unwrap_or_default().to_vec();
                out.names.push(name.to_owned());
                return;
            }
            "--rcfile" | "--init-file" | "-o" | "-W" | "-X" | "--require" | "--import" | "--loader" => at += 2,
            "-C" | "--init-command" if name == "fish" => at += 2,
            "-jar" => at += 1,
            "-i" if shell => at += 1,
            option if option.starts_with(['-', '+']) && option.len() > 1 => at += 1,
            script => {
                let own = base(script);
                // `…/claude-code/cli.js` and `…/gemini/dist/index.js` are known by a folder; the path stays for that.
                out.names.push(own.clone());
                if let Some((stem, _)) = own.rsplit_once('.') {
                    out.names.push(stem.to_owned());
                }
                out.script = Some(script.to_owned());
                out.rest = after.to_vec();
                return;
            }
        }
    }
    out.interactive = true;
    out.names.push(name.to_owned());
}

/// `perl -ne CODE`: letters that end in e.
fn is_perl_code(interpreter: &str, option: &str) -> bool {
    let letters = option.strip_prefix('-').unwrap_or_default();
    matches!(interpreter, "perl" | "ruby")
        && letters.ends_with(['e', 'E'])
        && letters.chars().all(char::is_alphanumeric)
}

/// What follows a wrapper's options and assignments.
fn behind_options<'a>(args: &'a [String], valued: &[&str]) -> Option<&'a [String]> {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        if arg == "--" {
            return args.get(at + 1..).filter(|rest| !rest.is_empty());
        }
        let number = arg.trim_end_matches(['s', 'm', 'h']).parse::<f64>().is_ok();
        if valued.contains(&arg.as_str()) {
            at += 2;
        } else if arg.starts_with('-') || is_assignment(arg) || number {
            at += 1;
        } else {
            return args.get(at..);
        }
    }
    None
}

fn is_assignment(arg: &str) -> bool {
    arg.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && !name.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// A command's name: no folder, no login dash, no Nix wrapper's dot and suffix.
pub fn base(command: &str) -> String {
    let name = command.rsplit('/').next().unwrap_or(command);
    let name = name.strip_prefix('-').unwrap_or(name);
    match name.strip_prefix('.').and_then(|n| n.split_once("-wrapped")) {
        Some((inner, _)) => inner.to_owned(),
        None => name.strip_suffix(".exe").unwrap_or(name).to_owned(),
    }
}

/// A name without the version behind it: `python3.11` is python.
fn versionless(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(line: &str) -> Vec<String> {
        let args: Vec<String> = line.split('|').map(str::to_owned).collect();
        read(&args, "").names
    }

    #[test]
    fn programs_are_found_behind_what_starts_them() {
        for (line, first) in [
            ("-bash", "bash"),
            ("/usr/bin/python3.11|/srv/bin/pytest|-q", "pytest"),
            ("python3|-m|http.server|8000", "http.server"),
            (
                "node|--enable-source-maps|/usr/lib/node_modules/@x/codex/bin/codex.js",
                "codex.js",
            ),
            ("bash|-c|exec claude --resume", "claude"),
            ("sudo|-u|dev|env|A=1|vim|x", "vim"),
            ("npx|--yes|@google/gemini-cli", "gemini-cli"),
            ("npm exec tsc -w", "tsc"),
            ("/nix/store/x/bin/.codex-wrapped", "codex"),
            ("timeout|5m|make|-j2", "make"),
            ("bash|scripts/ci-loop.sh", "ci-loop.sh"),
            ("nginx: master process nginx -g daemon off;", "nginx"),
            ("sudo|-s", "sudo"),
            ("perl|-de|1", "perl"),
            ("bash|-c|read -p x", "bash"),
        ] {
            assert_eq!(names(line).first().map(String::as_str), Some(first), "{line}");
        }
    }

    #[test]
    fn quotes_hold_words_together() {
        assert_eq!(
            words(r#"sh -c 'echo "a b"; exit 3' x\ y "" z"#),
            ["sh", "-c", "echo \"a b\"; exit 3", "x y", "", "z"]
        );
        assert_eq!(read(&words("sh -c 'echo hi; exit 3'"), "").names, ["sh"]);
        assert_eq!(
            read(&words("bash -lc 'exec vim notes'"), "")
                .names
                .first()
                .map(String::as_str),
            Some("vim")
        );
    }

    #[test]
    fn a_shell_or_repl_without_a_script_is_interactive() {
        let read = |line: &str| read(&line.split('|').map(str::to_owned).collect::<Vec<_>>(), "");
        assert!(read("-bash").interactive);
        assert!(read("/bin/bash|--noprofile|--rcfile|/x|-i").interactive);
        assert!(read("fish|-C|source x.fish").interactive);
        assert!(read("python3|-q").interactive);
        assert!(!read("bash|run.sh").interactive);
        assert!(!read("python3|-c|x").interactive);
        assert!(!read("bash|-c|a; b").interactive);
    }
}
