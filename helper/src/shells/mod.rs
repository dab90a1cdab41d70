//! What interactive shells say of the commands typed into them: the scripts that have them say it, and the records they
//! write.
//!
//! A record is a small file for each shell, written by the shell's own builtins at every command: a line, the command, and
//! the line again, which shows that the record is whole. It is believed of a process that is that shell now, in that pane.
//! Absent on purpose: anything that a shell would have to start or wait for.

use crate::model::{LastCommand, PaneId, Progress};
use crate::process;
use rustix::fs::{FileType, Mode, OFlags};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// For bash.
pub const BASH: &str = include_str!("init.bash");
/// For zsh.
pub const ZSH: &str = include_str!("init.zsh");
/// For fish.
pub const FISH: &str = include_str!("init.fish");

/// What is read of a record: bash writes a command of any length.
const MOST_BYTES: u64 = 4096;

/// What is kept of a command.
const MOST_TEXT: usize = 2000;

/// Records that one look removes at most, or looks at to find them.
const MOST_FILES: usize = 4096;

/// A record is not removed before it is this old: its pane may be newer than the look.
const YOUNG: Duration = Duration::from_secs(60);

/// The records of one server's shells.
#[derive(Debug)]
pub struct Records {
    folder: Option<PathBuf>,
    server: u32,
}

impl Records {
    /// Those in `folder` of the shells of the server with the process id `server`.
    pub fn new(folder: Option<PathBuf>, server: u32) -> Self {
        Self { folder, server }
    }

    /// What the shell `name` that runs as `pid` in `pane` says of its last command.
    pub fn last_command(&self, pane: PaneId, name: &str, pid: u32) -> Option<LastCommand> {
        let file = format!("{}.{}.{pid}", self.server, pane.0);
        read(&self.folder.as_ref()?.join(file), name, pid)
    }

    /// Whether a command of this length may be the start of a longer one, of which no more was kept.
    pub fn may_be_cut(command: &str) -> bool {
        command.len() + "\u{10ffff}".len() > MOST_TEXT
    }

    /// Removes the records that nobody can ask for any more: of servers, panes (`lives` tells of this server's) and shells
    /// that have ended. Nothing else is touched.
    pub fn sweep(&self, lives: impl Fn(PaneId) -> bool) {
        let Some(entries) = self.folder.as_ref().and_then(|folder| fs::read_dir(folder).ok()) else {
            return;
        };
        for entry in entries.flatten().take(MOST_FILES) {
            let name = entry.file_name();
            let Some([server, pane, pid]) = name.to_str().and_then(numbers) else {
                continue;
            };
            let gone = if server == self.server {
                !lives(PaneId(pane)) || !process::lives(pid)
            } else {
                !process::lives(server)
            };
            let old = |path: &Path| {
                let meta = fs::symlink_metadata(path).ok()?;
                let age = SystemTime::now().duration_since(meta.modified().ok()?).ok()?;
                Some(meta.is_file() && age >= YOUNG)
            };
            if gone && old(&entry.path()) == Some(true) {
                // What cannot be removed now can be later.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// The numbers in a record's name: server, pane and shell.
fn numbers(name: &str) -> Option<[u32; 3]> {
    let mut parts = name.split('.').map(|part| {
        let digits = part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse().ok().filter(|_| digits)
    });
    let all = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(all)
}

/// The record at `path`, if it is whole and of the shell `name` that runs as `pid`.
fn read(path: &Path, name: &str, pid: u32) -> Option<LastCommand> {
    // A pipe in its place must not make a look wait.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::empty()).ok()?;
    let stat = rustix::fs::fstat(&file).ok()?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return None;
    }
    let mut file = File::from(file);
    let mut bytes = Vec::new();
    let read = Read::by_ref(&mut file).take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    let line = bytes.split_inclusive(|&byte| byte == b'\n').next()?;
    let head = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let mut end = vec![0; line.len()];
    let from_end = i64::try_from(line.len()).ok()?;
    let length = file.seek(SeekFrom::End(-from_end)).ok()?;
    file.read_exact(&mut end).ok()?;
    // What stands before the last line is the rest; of a long command, as much as was read.
    if end != line || length < line.len() as u64 {
        return None;
    }
    let text = bytes.get(line.len()..usize::try_from(length).ok()?.min(read))?;
    let mut words = head.split(' ');
    let mut word = || words.next();
    if (word()?, word()?, word()?, word()?.parse()) != ("tmux-status", "1", name, Ok(pid)) {
        return None;
    }
    let progress = match word()? {
        "fresh" => Progress::Fresh,
        "running" => Progress::Running,
        "ended" => Progress::Ended {
            status: word()?.parse().ok(),
            took_ms: word()?.parse().ok(),
        },
        _ => return None,
    };
    let text = String::from_utf8_lossy(text);
    let command = if name == "bash" { unnumbered(&text)? } else { &text }.trim();
    let most = (0..=MOST_TEXT).rev().find_map(|end| command.get(..end));
    let command = most.filter(|_| command.len() > MOST_TEXT).unwrap_or(command);
    Some(LastCommand {
        progress,
        command: (!command.is_empty()).then(|| command.to_owned()),
    })
}

/// What `history` shows behind its number, which a `*` follows where the line was edited.
fn unnumbered(text: &str) -> Option<&str> {
    let text = text.trim_start();
    if text.is_empty() {
        return Some(text);
    }
    text.trim_start_matches(|c: char| c.is_ascii_digit())
        .strip_prefix(['*', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{set_permissions, Permissions};
    use std::os::unix::fs::PermissionsExt;
    use tempfile::TempDir;

    fn written(name: &str, record: impl AsRef<[u8]>) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), record).unwrap();
        folder
    }

    fn said(name: &str, record: impl AsRef<[u8]>) -> Option<LastCommand> {
        let folder = written("5.3.7", record);
        Records::new(Some(folder.path().to_owned()), 5).last_command(PaneId(3), name, 7)
    }

    fn ended(status: Option<u32>, took_ms: Option<u64>) -> Progress {
        Progress::Ended { status, took_ms }
    }

    fn record(head: &str, body: &str) -> String {
        format!("{head}\n{body}{head}\n")
    }

    #[test]
    fn a_whole_record_is_read() {
        for (name, head, body, progress, command) in [
            ("zsh", "fresh - -", "\n", Progress::Fresh, None),
            ("bash", "fresh - -", "", Progress::Fresh, None),
            ("zsh", "running - -", "make all\n", Progress::Running, Some("make all")),
            (
                "fish",
                "ended 2 3021",
                "make\n",
                ended(Some(2), Some(3021)),
                Some("make"),
            ),
            (
                "bash",
                "ended 0 0",
                "  501  git push\n",
                ended(Some(0), Some(0)),
                Some("git push"),
            ),
            ("bash", "ended - -", "12345* 7z x\n", ended(None, None), Some("7z x")),
            (
                "bash",
                "ended 0 -5",
                "  501  echo \"a\n\nb\"\n",
                ended(Some(0), None),
                Some("echo \"a\n\nb\""),
            ),
            ("bash", "ended 1 0", "", ended(Some(1), Some(0)), None),
        ] {
            let head = format!("tmux-status 1 {name} 7 {head}");
            let expected = LastCommand {
                progress,
                command: command.map(str::to_owned),
            };
            assert_eq!(said(name, record(&head, body)), Some(expected), "{head}");
        }
    }

    #[test]
    fn a_record_that_is_cut_anywhere_says_nothing() {
        let head = "tmux-status 1 zsh 7 ended 0 12";
        // The command quotes what ends a record.
        for body in [
            "make\n".to_owned(),
            format!("echo '{head}\n'\n"),
            "x".repeat(9000) + "\n",
        ] {
            let whole = record(head, &body);
            assert!(said("zsh", &whole).is_some(), "{body}");
            for cut in (0..whole.len()).step_by(if whole.len() > 1000 { 61 } else { 1 }) {
                let quoted = whole[..cut].len() == 2 * head.len() + "\necho '\n".len();
                assert!(quoted || said("zsh", &whole[..cut]).is_none(), "{:?}", &whole[..cut]);
            }
        }
    }

    #[test]
    fn a_long_command_is_cut_at_a_character() {
        let whole = record("tmux-status 1 zsh 7 ended 0 12", &("é".repeat(4000) + "\n"));
        let command = said("zsh", whole).unwrap().command.unwrap();
        assert!(command.len() <= MOST_TEXT && command.chars().all(|c| c == 'é'));
    }

    #[test]
    fn what_is_no_record_of_this_shell_says_nothing() {
        for (name, head) in [
            ("zsh", "tmux-status 1 zsh 8 ended 0 1"),
            ("zsh", "tmux-status 1 bash 7 ended 0 1"),
            ("zsh", "tmux-status 2 zsh 7 ended 0 1"),
            ("zsh", "tmux-status 1 zsh 7 done 0 1"),
            ("zsh", "tmux-status 1 zsh 7"),
            ("zsh", "{}"),
            ("zsh", ""),
        ] {
            assert_eq!(said(name, record(head, "ls\n")), None, "{head}");
        }
        assert_eq!(
            said("bash", record("tmux-status 1 bash 7 ended 0 1", "no number\n")),
            None
        );
        assert_eq!(said("zsh", b"\xff\xfe\n\xff\xfe\n"), None);
        let folder = tempfile::tempdir().unwrap();
        let records = Records::new(Some(folder.path().to_owned()), 5);
        assert_eq!(records.last_command(PaneId(3), "zsh", 7), None, "missing");
        fs::create_dir(folder.path().join("5.3.7")).unwrap();
        assert_eq!(records.last_command(PaneId(3), "zsh", 7), None, "a folder");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            folder.path().join("5.4.7"),
            FileType::Fifo,
            Mode::RUSR | Mode::WUSR,
            0,
        )
        .unwrap();
        assert_eq!(records.last_command(PaneId(4), "zsh", 7), None, "a pipe");
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("5.5.7")).unwrap();
        assert_eq!(records.last_command(PaneId(5), "zsh", 7), None, "a link");
        assert_eq!(Records::new(None, 5).last_command(PaneId(3), "zsh", 7), None);
    }

    #[test]
    fn only_old_records_of_what_has_ended_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let this = std::process::id();
        let ended = 0;
        let (kept, gone) = (
            [
                format!("{this}.1.{this}"),
                format!("{this}.2.{this}young"),
                format!("{this}.9.{ended}.x"),
                "notes".to_owned(),
                format!("+{ended}.1.1"),
                format!("{ended}.1"),
            ],
            [
                format!("{this}.2.{this}"),
                format!("{this}.1.{ended}"),
                format!("{ended}.1.{this}"),
            ],
        );
        let long_ago = SystemTime::now() - 2 * YOUNG;
        for name in kept.iter().chain(&gone) {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(long_ago).unwrap();
        }
        // A pane that a look did not know yet.
        let young = format!("{this}.7.{ended}");
        File::create(folder.path().join(&young)).unwrap();
        let directory = format!("{ended}.8.8");
        fs::create_dir(folder.path().join(&directory)).unwrap();
        Records::new(Some(folder.path().to_owned()), this).sweep(|pane| pane == PaneId(1));
        let mut left: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        let mut expected = Vec::from(kept);
        expected.extend([young, directory]);
        expected.sort();
        assert_eq!(left, expected);
        // Neither a folder that is missing nor one that cannot be written is an error.
        set_permissions(folder.path(), Permissions::from_mode(0o500)).unwrap();
        Records::new(Some(folder.path().to_owned()), this).sweep(|_| false);
        set_permissions(folder.path(), Permissions::from_mode(0o700)).unwrap();
        Records::new(Some(folder.path().join("none")), this).sweep(|_| false);
    }
}
