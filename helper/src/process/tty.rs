//! Writes a few bytes to the terminal of another process of this user's, without ever waiting for it.

use rustix::fs::OFlags;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// How long a terminal that takes nothing is tried: its user may have stopped it (Ctrl-S), or another process writes to it.
const PATIENCE: Duration = Duration::from_millis(500);

/// Writes `bytes` to the terminal at `path`, in one piece wherever the terminal takes them.
///
/// # Errors
/// When it is no terminal, or not this user's, and when it takes nothing for half a second.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let flags = OFlags::NOCTTY | OFlags::NONBLOCK;
    let flags = i32::try_from(flags.bits()).unwrap_or(0);
    // Looked at before it is opened: opening some devices has effects.
    if !std::fs::metadata(path)?.file_type().is_char_device() {
        return Err(io::Error::other("it is no terminal"));
    }
    let mut terminal = OpenOptions::new().write(true).custom_flags(flags).open(path)?;
    if !rustix::termios::isatty(&terminal) {
        return Err(io::Error::other("it is no terminal"));
    }
    if terminal.metadata()?.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other("it is another user's"));
    }
    let end = Instant::now() + PATIENCE;
    let mut rest = bytes;
    while !rest.is_empty() {
        match terminal.write(rest) {
            Ok(written) => rest = rest.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && Instant::now() < end => {
                thread::sleep(Duration::from_millis(5));
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                return Err(io::Error::other("it takes nothing"))
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_terminal_is_not_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "as it was").unwrap();
        let why = |path: &Path| write(path, b"\x07").unwrap_err().to_string();
        assert!(why(&file).contains("no terminal"));
        assert!(why(Path::new("/dev/null")).contains("no terminal"));
        assert!(why(folder.path()).contains("no terminal"));
        assert!(!why(&folder.path().join("missing")).is_empty());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "as it was");
    }
}
