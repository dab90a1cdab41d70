//! Runs the model: a command of the user's without a shell, or curl for a server. The request goes in by standard input.
//!
//! It has an empty folder to itself, a process group of its own, a deadline, and no tmux to find.

use crate::process::{self, child};
use crate::status::answers::Running;
use crate::status::paths;
use crate::summary::ai::config::{Config, Model};
use crate::summary::redact::redact;
use crate::text;
use serde_json::{json, Value};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Once;
use std::thread;
use std::time::Duration;

/// Bytes of an answer that are read.
const LONGEST: u64 = 1024 * 1024;
/// Bytes of a key file that are read.
const KEY: usize = 4096;

/// The model's process, while one runs; 0 when none does.
static RUNNING: AtomicU32 = AtomicU32::new(0);

/// Asks and waits; `running` is told the process. The bytes of the answer, or why there is none.
///
/// # Errors
/// A reason in words, which may hold what the model has printed.
pub fn run(config: &Config, folder: &Path, request: &str, running: impl FnOnce(Running)) -> Result<Vec<u8>, String> {
    die_together();
    paths::make_folder(folder).map_err(|error| format!("{error:#}"))?;
    let (mut command, input) = prepare(config, folder, request)?;
    command
        .current_dir(folder)
        .process_group(0)
        .env_remove("TMUX")
        .env_remove("TMUX_PANE");
    let patience = Duration::from_secs(config.deadline);
    let began = |pid| {
        RUNNING.store(pid, Ordering::SeqCst);
        running(Running {
            pid,
            started: process::started(pid),
        });
        pid
    };
    let program = command.get_program().to_string_lossy().into_owned();
    let ran = child::run_with(&mut command, Some(input), patience, LONGEST, began);
    RUNNING.store(0, Ordering::SeqCst);
    let ran = ran.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("there is no {program} on PATH"),
        _ => error.to_string(),
    })?;
    let Some((output, pid)) = ran else {
        return Err(format!("no answer within {} s", config.deadline));
    };
    // What it may have started and left.
    child::kill_group(pid);
    if output.stdout.len() as u64 >= LONGEST {
        return Err(format!("it answered more than {} KiB", LONGEST / 1024));
    }
    if !output.success {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        let last = words
            .lines()
            .rfind(|line| !line.trim().is_empty())
            .unwrap_or("it failed without a word");
        return Err(last.trim().to_owned());
    }
    match config.model {
        Model::Command(_) => Ok(output.stdout),
        Model::Endpoint { .. } => content(&output.stdout),
    }
}

/// A reason as it may be shown and kept.
pub fn told(why: &str) -> String {
    text::one_line(&redact(&text::clean(why)), 200)
}

/// Removes what a model, or one that was killed, has left in its folder.
pub fn sweep(folder: &Path) {
    // Nothing there is as good.
    let _ = fs::remove_dir_all(folder);
}

fn prepare(config: &Config, folder: &Path, request: &str) -> Result<(Command, Vec<u8>), String> {
    match &config.model {
        Model::Command(words) => {
            let (program, arguments) = words.split_first().ok_or("it names no program")?;
            let mut command = Command::new(program);
            command.args(arguments);
            Ok((command, request.as_bytes().to_vec()))
        }
        Model::Endpoint { url, model, key_file } => {
            let mut command = Command::new("curl");
            command.args([
                "--silent",
                "--show-error",
                "--fail",
                "--globoff",
                "--proto",
                "=http,https",
            ]);
            command.args(["--header", "Content-Type: application/json", "--data-binary", "@-"]);
            command.args(["--url", &format!("{url}/chat/completions")]);
            if let Some(path) = key_file {
                // Not among the arguments, which every user of the machine may read.
                command.arg("--config").arg(header(path, folder)?);
            }
            let body = json!({
                "model": model,
                "stream": false,
                "messages": [{ "role": "user", "content": request }],
            });
            Ok((command, body.to_string().into_bytes()))
        }
    }
}

/// A file for curl, readable by its user alone, with the key that is in the file at `path`.
fn header(path: &Path, folder: &Path) -> Result<std::path::PathBuf, String> {
    let unread = |why: String| format!("cannot read the key in {}: {why}", path.display());
    let key = fs::read_to_string(path).map_err(|error| unread(error.to_string()))?;
    let key = key.trim();
    let plain = |c: char| c.is_ascii_graphic() && c != '"' && c != '\\';
    if key.is_empty() || key.len() > KEY || !key.chars().all(plain) {
        return Err(unread("it must hold nothing but the key".to_owned()));
    }
    let file = folder.join("curl");
    let unwritten = |error: std::io::Error| format!("cannot write {}: {error}", file.display());
    let mut open = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&file)
        .map_err(unwritten)?;
    writeln!(open, "header = \"Authorization: Bearer {key}\"").map_err(unwritten)?;
    Ok(file)
}

/// The model's words in a chat server's answer.
fn content(answer: &[u8]) -> Result<Vec<u8>, String> {
    let value: Value = serde_json::from_slice(answer).map_err(|_| "the server's answer is no JSON".to_owned())?;
    let words = value.pointer("/choices/0/message/content").and_then(Value::as_str);
    let words = words.ok_or("the server's answer has no choices[0].message.content")?;
    Ok(words.as_bytes().to_vec())
}

/// Has a signal that ends this process end the model first.
fn die_together() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else {
            return;
        };
        thread::spawn(move || {
            for signal in signals.forever() {
                match RUNNING.load(Ordering::SeqCst) {
                    0 => {}
                    pid => child::kill_group(pid),
                }
                let _ = emulate_default_handler(signal);
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chat_servers_answer_holds_the_models_words() {
        let answer = br#"{"choices":[{"message":{"role":"assistant","content":"{\"w1\":\"x\"}"}}]}"#;
        assert_eq!(content(answer).unwrap(), br#"{"w1":"x"}"#);
        for bad in ["", "[]", "{\"choices\":[]}", "{\"error\":\"no\"}"] {
            assert!(content(bad.as_bytes()).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_key_goes_into_a_file_for_its_user_alone_and_nothing_else_does() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let key = folder.path().join("key");
        fs::write(&key, "sk-abc\n").unwrap();
        let file = header(&key, folder.path()).unwrap();
        assert_eq!(
            fs::read_to_string(&file).unwrap(),
            "header = \"Authorization: Bearer sk-abc\"\n"
        );
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        for bad in ["", "a\nurl = \"http://x\"", "a\"b", "é"] {
            fs::remove_file(&file).ok();
            fs::write(&key, bad).unwrap();
            assert!(
                header(&key, folder.path()).unwrap_err().contains("nothing but the key"),
                "{bad}"
            );
        }
    }
}
