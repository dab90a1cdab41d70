//! Which server is meant, and the name its files get.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

/// A tmux server's socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Socket {
    path: PathBuf,
    file_id: Option<String>,
}

impl Socket {
    /// The socket that `path` (`-S`), `name` (`-L`) or the environment names, in tmux's order: `-S`, `-L`, `$TMUX`, the
    /// default.
    pub fn resolve(path: Option<&Path>, name: Option<&str>) -> Self {
        let directory = own_directory();
        let path = if let Some(path) = path {
            std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
        } else if let Some(name) = name {
            directory.join(name)
        } else if let Some(path) = std::env::var_os("TMUX").and_then(|v| socket_of_variable(&v)) {
            path
        } else {
            directory.join("default")
        };
        Self::at(path, &directory)
    }

    fn at(path: PathBuf, own_directory: &Path) -> Self {
        // The same socket gets the same files however it was spelled: through a link, with `..`, by -L or by -S.
        let real = path.canonicalize().unwrap_or_else(|_| {
            // No server, and so no socket: what is there is its folder.
            match (path.parent().map(Path::canonicalize), path.file_name()) {
                (Some(Ok(parent)), Some(name)) => parent.join(name),
                _ => path,
            }
        });
        let own = own_directory
            .canonicalize()
            .unwrap_or_else(|_| own_directory.to_owned());
        let file_id = match real.strip_prefix(&own) {
            Ok(name) if name.as_os_str() == "default" => None,
            Ok(name) if name.components().count() == 1 => Some(name_id(name.as_os_str().as_bytes())),
            _ => Some(path_id(real.as_os_str().as_bytes())),
        };
        Self { path: real, file_id }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What tells its files from another server's: `None` for the default socket, else the name in tmux's own directory,
    /// or the percent-encoded path of a socket elsewhere.
    pub fn file_id(&self) -> Option<&str> {
        self.file_id.as_deref()
    }

    /// Makes the folder of a socket in tmux's own directory, as tmux does for `-L`, but not for `-S`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn prepare(&self) -> io::Result<()> {
        match self.path.parent() {
            Some(folder) if folder == own_directory() && !folder.exists() => DirBuilder::new()
                .mode(0o700)
                .create(folder)
                .or_else(|error| match error.kind() {
                    io::ErrorKind::AlreadyExists => Ok(()),
                    _ => Err(error),
                }),
            _ => Ok(()),
        }
    }

    /// Whether there is certainly no server: the socket is missing, or nobody accepts connections on it.
    pub fn nobody_listens(&self) -> bool {
        match UnixStream::connect(&self.path) {
            Ok(_) => false,
            Err(error) => matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused | io::ErrorKind::NotADirectory
            ),
        }
    }
}

impl std::fmt::Display for Socket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path.display())
    }
}

/// `${TMUX_TMPDIR:-/tmp}/tmux-UID`, as tmux 3.x makes it: a TMUX_TMPDIR that does not exist is passed over.
fn own_directory() -> PathBuf {
    let base = std::env::var_os("TMUX_TMPDIR")
        .filter(|v| !v.is_empty())
        .and_then(|v| Path::new(&v).canonicalize().ok())
        .or_else(|| Path::new("/tmp").canonicalize().ok())
        .unwrap_or_else(|| PathBuf::from("/tmp"));
    base.join(format!("tmux-{}", rustix::process::getuid().as_raw()))
}

/// The path in `TMUX=path,pid,session`; the path itself may hold commas.
fn socket_of_variable(value: &std::ffi::OsStr) -> Option<PathBuf> {
    let mut parts = value.as_bytes().rsplitn(3, |&b| b == b',');
    let (_session, _pid) = (parts.next()?, parts.next()?);
    let path = parts.next()?;
    (!path.is_empty()).then(|| PathBuf::from(OsString::from_vec(path.to_vec())))
}

/// A socket's name as a part of file names: as it is, but for what could be taken for something else there.
fn name_id(name: &[u8]) -> String {
    // `foo.state` would share its status file's name with the state of `foo`.
    let ambiguous = name.ends_with(b".state") || name.ends_with(b".write");
    encode(name, |b| b.is_ascii_graphic() && b != b'%' && !(ambiguous && b == b'.'))
}

/// A path as a part of file names, percent-encoded (RFC 3986's unreserved set stays).
fn path_id(path: &[u8]) -> String {
    encode(path, |b| b.is_ascii_alphanumeric() || b"-._~".contains(&b))
}

/// Every byte that is not `plain` as `%XX`.
fn encode(bytes: &[u8], plain: impl Fn(u8) -> bool) -> String {
    let piece = |&b: &u8| {
        if plain(b) {
            char::from(b).to_string()
        } else {
            format!("%{b:02X}")
        }
    };
    bytes.iter().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_socket_has_no_id_and_others_have_their_name() {
        let own = Path::new("/nowhere/tmux-1000");
        assert_eq!(Socket::at(own.join("default"), own).file_id(), None);
        assert_eq!(Socket::at(own.join("work"), own).file_id(), Some("work"));
        assert_eq!(Socket::at(own.join("a%2Fb"), own).file_id(), Some("a%252Fb"));
        assert_eq!(
            Socket::at("/run/my tmux".into(), own).file_id(),
            Some("%2Frun%2Fmy%20tmux")
        );
    }

    #[test]
    fn one_socket_named_two_ways_is_one() {
        let base = tempfile::tempdir().unwrap();
        let own = base.path().join("tmux-0");
        std::fs::create_dir(&own).unwrap();
        std::os::unix::fs::symlink(&own, base.path().join("link")).unwrap();
        let direct = Socket::at(own.join("x"), &own);
        assert_eq!(direct, Socket::at(base.path().join("link/x"), &own));
        assert_eq!(direct, Socket::at(own.join("../tmux-0/x"), &own));
    }

    #[test]
    fn the_tmux_variable_may_hold_commas_in_its_path() {
        let path = |v: &str| socket_of_variable(std::ffi::OsStr::new(v));
        assert_eq!(path("/tmp/tmux-0/default,123,0"), Some("/tmp/tmux-0/default".into()));
        assert_eq!(path("/tmp/a,b/x,123,0"), Some("/tmp/a,b/x".into()));
        assert_eq!(path("garbage"), None);
        assert_eq!(path(",1,2"), None);
    }
}
