//! The log of a load: a record a line, appended to a file for its user alone.

use crate::output::{self, Level};
use crate::workspace::refusal::{Code, Refusal};
use clap::ValueEnum;
use rustix::fs::OFlags;
use serde_json::Value;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// A log that is open.
#[derive(Debug)]
pub struct Log {
    file: File,
    /// Why it could not be written, once.
    failed: Option<String>,
}

impl Log {
    /// Opens it; a file that is not there is made, for its user alone.
    ///
    /// # Errors
    /// When it is a link or no file, or cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Refusal> {
        let refused = |why: String| {
            let line = format!("cannot write the log {}: {why}", path.display());
            Refusal::new(Code::FileFailed, line).with_hint("name a regular file: --log-file FILE")
        };
        // A pipe that nobody reads would hold us up.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o600)
            .custom_flags(i32::try_from(flags.bits()).unwrap_or(0))
            .open(path)
            .map_err(|error| match error.raw_os_error() {
                Some(code) if code == rustix::io::Errno::LOOP.raw_os_error() => refused("it is a link".to_owned()),
                _ => refused(error.to_string()),
            })?;
        let meta = file.metadata().map_err(|error| refused(error.to_string()))?;
        if !meta.is_file() {
            return Err(refused("it is no regular file".to_owned()));
        }
        if meta.uid() != rustix::process::geteuid().as_raw() {
            return Err(refused("it is another user's".to_owned()));
        }
        Ok(Self { file, failed: None })
    }

    /// Appends a record if the user wants to know of what matters so much. A failure is kept, and nothing more is written then.
    pub fn write(&mut self, level: &str, event: &str, fields: &Value) {
        let matters = Level::from_str(level, true).unwrap_or(Level::Critical);
        if self.failed.is_some() || !output::is_wanted(matters, Level::Debug) {
            return;
        }
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut record = serde_json::json!({ "time": since.as_secs_f64(), "level": level, "event": event });
        if let (Some(record), Value::Object(fields)) = (record.as_object_mut(), fields) {
            record.extend(fields.clone());
        }
        // In one piece, so that two that write to it do not mix.
        self.failed = self.append(&format!("{record}\n")).err().map(|error| error.to_string());
    }

    fn append(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(line.as_bytes())
    }

    /// Why it could not be written, if so.
    pub fn failure(&self) -> Option<&str> {
        self.failed.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{symlink, PermissionsExt};

    #[test]
    fn a_log_is_a_regular_file_for_its_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        for event in ["one", "two"] {
            let mut log = Log::open(&path).unwrap();
            log.write("info", event, &serde_json::json!({ "n": 1 }));
            assert_eq!(log.failure(), None);
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(
            (events[0]["event"].as_str(), events[1]["n"].as_i64()),
            (Some("one"), Some(1))
        );
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let link = folder.path().join("link");
        symlink(&path, &link).unwrap();
        assert!(Log::open(&link).unwrap_err().message.contains("link"));
        assert!(Log::open(Path::new("/dev/null"))
            .unwrap_err()
            .message
            .contains("regular"));
        assert!(Log::open(folder.path()).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}
