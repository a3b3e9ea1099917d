//! Reads and writes the files of other programs.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// The text of a file; `None` if there is none. Fails for anything but a regular file in UTF-8.
pub(super) fn read(path: &Path) -> io::Result<Option<String>> {
    let mut text = String::new();
    match foreword_load::open_regular(path) {
        Ok(mut file) => file.read_to_string(&mut text)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some(text))
}

/// Replaces the text of a file at once, with its permissions, through links; `after` of `None` deletes it. Fails if the
/// file is no longer as it was.
pub(super) fn write(path: &Path, before: Option<&str>, after: Option<&str>) -> io::Result<()> {
    if read(path)?.as_deref() != before {
        return Err(io::Error::other("was changed meanwhile; run the command again"));
    }
    let Some(after) = after else { return fs::remove_file(path) };
    if before.is_none() {
        fs::create_dir_all(path.parent().unwrap_or(path))?;
        return fs::File::create_new(path)?.write_all(after.as_bytes());
    }
    let path = fs::canonicalize(path)?;
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(&path))?;
    file.write_all(after.as_bytes())?;
    file.as_file().set_permissions(fs::metadata(&path)?.permissions())?;
    file.as_file().sync_all()?;
    file.persist(&path)?;
    Ok(())
}

/// Whether a path that may not exist yet is below `root` when links are followed.
pub(super) fn is_inside(root: &Path, path: &Path) -> bool {
    let Ok(root) = fs::canonicalize(root) else { return false };
    let existing = path.ancestors().find(|it| it.symlink_metadata().is_ok());
    existing.and_then(|it| fs::canonicalize(it).ok()).is_some_and(|it| it.starts_with(root))
}
