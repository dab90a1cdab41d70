//! Which model is asked, and how much: a tmux option, and `ai.toml` for what does not fit into one.

use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Model commands that are known by one word; each reads a request on standard input and answers on standard output.
/// Without tools, wherever the program can do without: what stands on a screen must not make a model do anything.
pub const PRESETS: &[(&str, &str)] = &[
    ("claude", "claude -p --model haiku --tools '' --strict-mcp-config"),
    ("codex", "codex exec --sandbox read-only --skip-git-repo-check -"),
    ("gemini", "gemini -p 'Answer the request on standard input.'"),
    ("llm", "llm"),
    ("ollama", "ollama run llama3.2"),
];

/// The name of the file beside the user's rules.
pub const FILE: &str = "ai.toml";
/// The option's value that leaves everything to the file.
pub const ON: &str = "on";
/// The option's value that asks nobody, as its absence does.
pub const OFF: &str = "off";
/// The option's first word for a server that speaks HTTP.
const ENDPOINT: &str = "endpoint";

/// Who is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Model {
    /// A program and its arguments, run without a shell.
    Command(Vec<String>),
    /// A server with OpenAI's chat interface (`POST URL/chat/completions`), asked through curl.
    Endpoint {
        /// Its address, up to and with `/v1`.
        url: String,
        /// The model's name there.
        model: String,
        /// A file that holds nothing but the key.
        key_file: Option<PathBuf>,
    },
}

/// How a model is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Who.
    pub model: Model,
    /// Seconds between two calls, at least.
    pub interval: u64,
    /// Calls in an hour, at most.
    pub budget: usize,
    /// Seconds without output after which a window may be asked about.
    pub quiet: u64,
    /// Rows of a window that are sent, at most.
    pub lines: usize,
    /// Bytes of a request, at most.
    pub bytes: usize,
    /// Seconds that an answer may take.
    pub deadline: u64,
    /// Whether the model may also say that a window waits, or shows an error.
    pub all_kinds: bool,
    /// Whether it may word questions, too.
    pub questions: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    command: Vec<String>,
    endpoint: String,
    model: String,
    key_file: Option<PathBuf>,
    interval: Option<u64>,
    budget: Option<usize>,
    quiet: Option<u64>,
    lines: Option<usize>,
    bytes: Option<usize>,
    deadline: Option<u64>,
    all_kinds: bool,
    questions: bool,
}

impl Config {
    /// What the option `command` and the `text` of the file at `path` say; `None` when no model is wanted.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn of(command: &str, path: &Path, text: &str) -> Result<Option<Self>, String> {
        if Self::is_off(command) {
            return Ok(None);
        }
        Self::read(command.trim(), text).map(Some).map_err(|why| match why {
            Wrong::Option(why) => why,
            Wrong::File(why) => format!("{}: {why}", path.display()),
        })
    }

    /// Whether that value of the option asks for no model.
    pub fn is_off(command: &str) -> bool {
        matches!(command.trim(), "" | OFF)
    }

    /// What holds where no model is named, to show what one would be sent.
    pub fn usual() -> Self {
        Self {
            model: Model::Command(Vec::new()),
            interval: 30,
            budget: 60,
            quiet: 5,
            lines: 20,
            bytes: 48_000,
            deadline: 60,
            all_kinds: false,
            questions: false,
        }
    }

    fn read(command: &str, text: &str) -> Result<Self, Wrong> {
        let usual = Self::usual();
        let file: File = toml::from_str(text).map_err(|error| Wrong::File(error.to_string().trim().to_owned()))?;
        let model = match command {
            ON => file.model()?,
            command => named(command, file.key_file.clone())?,
        };
        let within = |name: &str, value: Option<u64>, usual: u64, least: u64, most: u64| match value {
            Some(value) if !(least..=most).contains(&value) => {
                Err(Wrong::File(format!("{name} is {value}: it must be {least} to {most}")))
            }
            value => Ok(value.unwrap_or(usual)),
        };
        let size = |name, value: Option<usize>, usual, least, most| {
            let value = within(name, value.map(|value| value as u64), usual, least, most)?;
            usize::try_from(value).map_err(|_| Wrong::File(format!("{name} is too large")))
        };
        Ok(Self {
            model,
            interval: within("interval", file.interval, usual.interval, 1, 3600)?,
            budget: size("budget", file.budget, usual.budget as u64, 0, 3600)?,
            quiet: within("quiet", file.quiet, usual.quiet, 0, 3600)?,
            lines: size("lines", file.lines, usual.lines as u64, 1, 200)?,
            bytes: size("bytes", file.bytes, usual.bytes as u64, 2000, 1_000_000)?,
            deadline: within("deadline", file.deadline, usual.deadline, 1, 600)?,
            all_kinds: file.all_kinds,
            questions: file.questions,
        })
    }
}

enum Wrong {
    Option(String),
    File(String),
}

impl File {
    fn model(&self) -> Result<Model, Wrong> {
        match (self.command.as_slice(), self.endpoint.as_str()) {
            ([], "") => Err(Wrong::File("it names neither a command nor an endpoint".to_owned())),
            (command @ [_, ..], "") => Ok(Model::Command(command.to_vec())),
            ([], url) => endpoint(url, &self.model, self.key_file.clone()).map_err(Wrong::File),
            _ => Err(Wrong::File("it names both a command and an endpoint".to_owned())),
        }
    }
}

/// The model that an option's value names.
fn named(command: &str, key_file: Option<PathBuf>) -> Result<Model, Wrong> {
    let preset = PRESETS.iter().find(|(name, _)| *name == command);
    let line = preset.map_or(command, |(_, line)| line);
    let words = shell_words::split(line).map_err(|_| Wrong::Option("a quote is not closed".to_owned()))?;
    match words.as_slice() {
        [first, url, model] if first == ENDPOINT => endpoint(url, model, key_file).map_err(Wrong::Option),
        [first, ..] if first == ENDPOINT => Err(Wrong::Option(format!("it must be {ENDPOINT} URL MODEL"))),
        [] => Err(Wrong::Option("it names no program".to_owned())),
        _ => Ok(Model::Command(words)),
    }
}

fn endpoint(url: &str, model: &str, key_file: Option<PathBuf>) -> Result<Model, String> {
    let address = ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme));
    if !address || url.contains(char::is_control) {
        return Err(format!("{url:?} is no address that starts with http:// or https://"));
    }
    if model.is_empty() {
        return Err(format!("no model is named for {url}"));
    }
    Ok(Model::Endpoint {
        url: url.trim_end_matches('/').to_owned(),
        model: model.to_owned(),
        key_file,
    })
}

impl std::fmt::Display for Model {
    /// As it may be shown: a key is not in it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Model::Command(words) => write!(f, "{}", shell_words::join(words)),
            Model::Endpoint { url, model, .. } => write!(f, "{model} at {url}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(command: &str, text: &str) -> Result<Config, String> {
        Config::read(command, text).map_err(|wrong| match wrong {
            Wrong::Option(why) | Wrong::File(why) => why,
        })
    }

    fn words(config: &Config) -> Vec<&str> {
        match &config.model {
            Model::Command(words) => words.iter().map(String::as_str).collect(),
            Model::Endpoint { .. } => Vec::new(),
        }
    }

    #[test]
    fn a_word_a_command_line_or_a_server_names_the_model() {
        let claude = read("claude", "").unwrap();
        assert_eq!(words(&claude)[..2], ["claude", "-p"]);
        assert!(words(&claude).contains(&""), "an empty argument stays");
        let own = read("my-model --prompt 'a b' $(touch x)", "").unwrap();
        assert_eq!(words(&own), ["my-model", "--prompt", "a b", "$(touch", "x)"]);
        let server = read("endpoint http://localhost:1/v1/ tiny", "key-file = '/k'").unwrap();
        assert_eq!(
            server.model,
            Model::Endpoint {
                url: "http://localhost:1/v1".into(),
                model: "tiny".into(),
                key_file: Some("/k".into())
            }
        );
        assert_eq!(words(&read("on", "command = ['x', 'y z']").unwrap()), ["x", "y z"]);
        assert_eq!(Config::of("off", Path::new(""), "?"), Ok(None));
        assert_eq!(Config::of(" ", Path::new(""), ""), Ok(None));
    }

    #[test]
    fn every_preset_is_a_command_of_its_own_name() {
        for (name, _) in PRESETS {
            assert_eq!(words(&read(name, "").unwrap())[0], *name);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (command, text, why) in [
            ("'x", "", "quote"),
            ("on", "", "neither"),
            ("on", "command = ['x']\nendpoint = 'http://x'", "both"),
            ("on", "endpoint = 'file:///x'\nmodel = 'm'", "file:///x"),
            ("endpoint http://x", "", "endpoint URL MODEL"),
            ("x", "interval = 0", "interval is 0"),
            ("x", "intervall = 5", "intervall"),
            ("x", "lines = 'many'", "lines"),
        ] {
            let error = read(command, text).unwrap_err();
            assert!(error.contains(why), "{command} {text}: {error}");
        }
    }
}
