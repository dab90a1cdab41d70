//! Files that belong to somebody else: read with care, and replaced whole or not at all.

use crate::fault::Fault;
use std::fs::{self, Metadata, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{fchown, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Settings are some kilobytes; beyond this something else is in that place.
const MOST_BYTES: u64 = 32 * 1024 * 1024;

/// A file as it was found.
#[derive(Debug)]
pub struct Found {
    /// As it is named.
    pub path: PathBuf,
    /// Where it really is: settings are often links into a folder that is kept in version control.
    real: PathBuf,
    there: Option<(String, Metadata)>,
}

/// Reads the file at `path`, which need not be there.
///
/// # Errors
/// When something else is in its place, or it cannot be read.
pub fn read(path: &Path) -> Result<Found, Fault> {
    let name = path.display();
    let cannot = |error: &io::Error| {
        let hint = match error.kind() {
            io::ErrorKind::PermissionDenied => format!("make it readable for you: ls -l {name} shows whose it is"),
            _ => format!("see what is there: ls -l {name}"),
        };
        Fault::new(format!("cannot read {name}: {error}"), hint)
    };
    let link = fs::symlink_metadata(path);
    let real = match (fs::canonicalize(path), &link) {
        (Ok(real), _) => real,
        (Err(error), Err(none)) if none.kind() == io::ErrorKind::NotFound && error.kind() == none.kind() => {
            return Ok(Found {
                path: path.to_owned(),
                real: path.to_owned(),
                there: None,
            });
        }
        (Err(error), Ok(link)) if link.is_symlink() && error.kind() == io::ErrorKind::NotFound => {
            let target = fs::read_link(path).unwrap_or_default();
            return Err(Fault::new(
                format!(
                    "cannot read {name}: it is a link to {}, which is not there",
                    target.display()
                ),
                "make that file, or remove the link",
            ));
        }
        (Err(error), _) => return Err(cannot(&error)),
    };
    // A pipe in its place must not make us wait.
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    let opened = fs::OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits() as i32)
        .open(&real);
    let file = opened.map_err(|error| cannot(&error))?;
    let meta = file.metadata().map_err(|error| cannot(&error))?;
    if !meta.is_file() {
        let what = if meta.is_dir() { "a folder" } else { "no file" };
        return Err(Fault::new(
            format!("cannot read {name}: it is {what}"),
            "move away what is in the place of the settings",
        ));
    }
    if meta.len() > MOST_BYTES {
        return Err(Fault::new(
            format!("cannot edit {name}: it has {} MB", meta.len() / 1_000_000),
            "these are no settings: see what is in it",
        ));
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| cannot(&error))?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Fault::new(
            format!("cannot edit {name}: it is not UTF-8"),
            "save it as UTF-8, as JSON has to be",
        )
    })?;
    Ok(Found {
        path: path.to_owned(),
        real,
        there: Some((text, meta)),
    })
}

impl Found {
    /// What it holds, if it is there.
    pub fn text(&self) -> Option<&str> {
        self.there.as_ref().map(|(text, _)| text.as_str())
    }

    /// Writes `text` in its place, with the same owner and rights.
    ///
    /// # Errors
    /// When that is not possible: then it stays as it was.
    pub fn replace(&self, text: &str) -> Result<(), Fault> {
        let folder = self.real.parent().unwrap_or(Path::new("/"));
        if self.there.is_none() {
            let hint = "make the folder yourself, or see what is in its way";
            fs::create_dir_all(folder)
                .map_err(|error| Fault::new(format!("cannot make the folder {}: {error}", folder.display()), hint))?;
        }
        let meta = self.there.as_ref().map(|(_, meta)| meta);
        write(&self.real, text, meta, || self.is_unchanged()).map_err(|error| self.unwritten(&error))
    }

    /// Removes it.
    ///
    /// # Errors
    /// As for [`Found::replace`].
    pub fn remove(&self) -> Result<(), Fault> {
        let removed = self.is_unchanged().and_then(|()| fs::remove_file(&self.real));
        let removed = removed.and_then(|()| match fs::symlink_metadata(&self.path) {
            // A link to nothing would be left.
            Ok(link) if link.is_symlink() => fs::remove_file(&self.path),
            _ => Ok(()),
        });
        removed.map_err(|error| self.unwritten(&error))
    }

    /// Keeps what it holds in a file beside it, in the place of an older copy.
    ///
    /// # Errors
    /// As for [`Found::replace`].
    pub fn back_up(&self, to: &Path) -> Result<(), Fault> {
        let Some((text, meta)) = &self.there else { return Ok(()) };
        write(to, text, Some(meta), || Ok(())).map_err(|error| {
            let what = format!("cannot write the backup {}: {error}; nothing was changed", to.display());
            Fault::new(what, "make room and the folder writable")
        })
    }

    fn unwritten(&self, error: &io::Error) -> Fault {
        Fault::new(
            format!("cannot write {}: {error}; it is as it was", self.path.display()),
            "make room and the file and its folder writable, then run this again",
        )
    }

    /// Whether it may be written: a rename would replace a file that its user has made read-only, too.
    ///
    /// # Errors
    /// When it may not.
    pub fn may_be_changed(&self) -> Result<(), Fault> {
        let Some((_, meta)) = &self.there else { return Ok(()) };
        let writable = rustix::fs::access(&self.real, rustix::fs::Access::WRITE_OK).is_ok();
        if meta.mode() & 0o222 != 0 && writable {
            return Ok(());
        }
        Err(Fault::new(
            format!("cannot write {}: it is read-only", self.path.display()),
            "make it writable (chmod u+w), or add the hooks where it is made",
        ))
    }

    /// Agents write their settings themselves.
    fn is_unchanged(&self) -> io::Result<()> {
        let now = match fs::read(&self.real) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if now.as_deref() == self.text().map(str::as_bytes) {
            return Ok(());
        }
        Err(io::Error::other("another program has changed it in this moment"))
    }
}

fn write(path: &Path, text: &str, like: Option<&Metadata>, check: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut file = tempfile::Builder::new().prefix(".tmux-status-").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    if let Some(like) = like {
        let made = file.as_file().metadata()?;
        if (made.uid(), made.gid()) != (like.uid(), like.gid()) {
            fchown(file.as_file(), Some(like.uid()), Some(like.gid()))?;
        }
        file.as_file()
            .set_permissions(Permissions::from_mode(like.mode() & 0o7777))?;
    }
    // These are somebody's settings: a machine that goes down now must not take both.
    file.as_file().sync_all()?;
    check()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
