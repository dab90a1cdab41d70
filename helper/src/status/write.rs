//! Replaces a file whole or not at all: written beside its target, then renamed over it.

use anyhow::{bail, Context, Result};
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Replaces `path` by `bytes`. A reader sees the old file or the new one; a symbolic link is replaced, as `mv` does.
///
/// The file beside it is always `NAME.tmp`: the caller holds the writers' lock, and one that a crash left behind is
/// replaced. There is no fsync: the file describes a running server, which a machine's crash ends as well.
///
/// # Errors
/// Names the path and the reason; the old file stays as it was and nothing half-written is left.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    write_and_rename(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

fn write_and_rename(path: &Path, bytes: &[u8]) -> Result<()> {
    match std::fs::symlink_metadata(path) {
        Ok(there) if there.is_dir() => bail!("Is a directory"),
        Ok(there) if !there.is_file() && !there.is_symlink() => bail!("there is something that is not a regular file"),
        _ => {}
    }
    let (folder, name) = path.parent().zip(path.file_name()).context("it has no folder")?;
    let mut name: OsString = name.to_owned();
    name.push(".tmp");
    let make = || tempfile::Builder::new().prefix(&name).rand_bytes(0).tempfile_in(folder);
    let mut file = match make() {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            std::fs::remove_file(folder.join(&name))?;
            make()
        }
        made => made,
    }?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|failed| failed.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_stale_file_of_a_crash_is_replaced_and_none_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.json");
        fs::write(folder.path().join("s.json.tmp"), "half").unwrap();
        replace(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["s.json"]);
    }

    #[test]
    fn a_link_is_replaced_and_what_it_points_to_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("s.json"), folder.path().join("other"));
        fs::write(&other, "mine").unwrap();
        std::os::unix::fs::symlink(&other, &path).unwrap();
        replace(&path, b"new").unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"mine");
        assert!(fs::symlink_metadata(&path).unwrap().is_file());
    }

    #[test]
    fn a_target_that_is_a_folder_is_refused_by_name_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.json");
        fs::create_dir(&path).unwrap();
        let error = format!("{:#}", replace(&path, b"new").unwrap_err());
        assert!(error.contains("s.json") && error.contains("directory"), "{error}");
        assert_eq!(names(folder.path()), ["s.json"]);
    }
}
