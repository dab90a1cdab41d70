//! Saving a document: where, and never over another file unless that is asked for.

use super::refusal::{Code, Refusal};
use super::yaml::{self, Format, Node};
use crate::text;
use std::fs::Permissions;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Where a document goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The file.
    pub path: PathBuf,
    /// How it is written.
    pub format: Format,
    /// Whether a file there may be replaced.
    pub force: bool,
    /// Whether the folder that it goes in is made, with those above it. Where a user has named one, a folder that is not there
    /// is more likely a slip of the hand.
    pub makes_folder: bool,
}

/// Refuses to write at `path` when the folder that it would be in is not there.
///
/// # Errors
/// See there.
pub fn check_folder(path: &Path) -> Result<(), Refusal> {
    let folder = folder_of(path);
    let shown = folder.display();
    match std::fs::metadata(folder) {
        Ok(meta) if meta.is_dir() => Ok(()),
        Ok(_) => Err(failed(path, &format!("{shown} is no folder"))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let make = text::for_shell(&folder.to_string_lossy());
            let refusal = failed(path, &format!("there is no folder {shown}"));
            Err(refusal.with_hint(format!("make it first: mkdir -p {make}")))
        }
        Err(error) => Err(failed(path, &format!("{shown}: {error}"))),
    }
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

fn failed(path: &Path, why: &str) -> Refusal {
    let what = format!("cannot write {}: {why}; nothing was changed", path.display());
    Refusal::new(Code::FileFailed, what)
}

impl Destination {
    /// Whether the document may go there; to be asked before anything else is done, or anybody is asked.
    ///
    /// # Errors
    /// When something is there that may not be replaced, or the folder is missing.
    pub fn check(&self) -> Result<(), Refusal> {
        if std::fs::symlink_metadata(&self.path).is_err() {
            return if self.makes_folder {
                Ok(())
            } else {
                check_folder(&self.path)
            };
        }
        if self.path.is_dir() {
            let refusal = self.failed("it is a directory");
            return Err(refusal.with_hint("name a file in it"));
        }
        if !self.force {
            return Err(self.taken());
        }
        // What a link leads to is what would be replaced; a rename would replace what its user has made read-only, too.
        match std::fs::metadata(&self.path) {
            Ok(meta) if !meta.is_file() => Err(self.failed("there is something that is not a regular file")),
            Ok(meta) if meta.permissions().readonly() => Err(self.failed("it is read-only")),
            _ => Ok(()),
        }
    }

    /// Writes the document there: whole, or not at all. Behind a link, the file is replaced.
    ///
    /// # Errors
    /// As for [`Destination::check`], and when it cannot be written: then nothing is changed.
    pub fn write(&self, document: &Node) -> Result<(), Refusal> {
        self.write_below(&[], document)
    }

    /// The same with comments above it, a line each, where the format knows comments.
    ///
    /// # Errors
    /// As for [`Destination::write`].
    pub fn write_below(&self, comments: &[String], document: &Node) -> Result<(), Refusal> {
        self.prepare(comments, document)?.commit()
    }

    /// Writes the document beside its place; [`Prepared::commit`] puts it there, and without that nothing is left of it.
    ///
    /// # Errors
    /// As for [`Destination::write`].
    pub fn prepare(&self, comments: &[String], document: &Node) -> Result<Prepared<'_>, Refusal> {
        self.check()?;
        let comment = |line: &String| format!("# {}", text::clean(line)).trim_end().to_owned() + "\n";
        let above = comments.iter().filter(|_| self.format == Format::Yaml).map(comment);
        let whole = above.collect::<String>() + &yaml::write(document, self.format);
        let file = self
            .put(whole.as_bytes())
            .map_err(|error| self.failed(&error.to_string()))?;
        let to = self;
        Ok(Prepared { to, file })
    }

    /// What is replaced where that is allowed: behind a link, what it leads to.
    fn real(&self) -> PathBuf {
        let real = if self.force {
            std::fs::canonicalize(&self.path).ok()
        } else {
            None
        };
        real.unwrap_or_else(|| self.path.clone())
    }

    /// The bytes in a file beside the destination.
    fn put(&self, bytes: &[u8]) -> io::Result<NamedTempFile> {
        let real = self.real();
        let folder = folder_of(&real);
        if self.makes_folder {
            std::fs::create_dir_all(folder)?;
        }
        // What the user's mask leaves of these, as for any file that is made.
        let mut file = tempfile::Builder::new()
            .prefix(".tmux-status-")
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)?;
        file.write_all(bytes)?;
        if let Ok(there) = std::fs::metadata(&real) {
            file.as_file().set_permissions(there.permissions())?;
        }
        file.as_file().sync_all()?;
        Ok(file)
    }

    fn taken(&self) -> Refusal {
        let what = format!("{} is there already; nothing was written", self.path.display());
        Refusal::new(Code::DestinationExists, what).with_hint("--force replaces it; --save-to takes another file")
    }

    fn failed(&self, why: &str) -> Refusal {
        failed(&self.path, why)
    }
}

/// A document that is written, but not yet where it goes.
#[derive(Debug)]
pub struct Prepared<'a> {
    to: &'a Destination,
    file: NamedTempFile,
}

impl Prepared<'_> {
    /// Puts it where it goes.
    ///
    /// # Errors
    /// When something has come there, or it cannot be replaced.
    pub fn commit(self) -> Result<(), Refusal> {
        let Self { to, file } = self;
        let real = to.real();
        if to.force {
            return file
                .persist(real)
                .map(drop)
                .map_err(|failed| to.failed(&failed.error.to_string()));
        }
        file.persist_noclobber(real)
            .map(drop)
            .map_err(|failed| match failed.error.kind() {
                ErrorKind::AlreadyExists => to.taken(),
                _ => to.failed(&failed.error.to_string()),
            })
    }
}
