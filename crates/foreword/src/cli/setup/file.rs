//! Reads and writes the files of other programs.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// Prefix of the names of files that are renamed when they are complete; one is left if the program is killed.
const NEW: &str = ".foreword-setup-";

/// The text of a file; `None` if there is none. Fails for anything but a file in UTF-8 that the user may write.
pub(super) fn read(path: &Path) -> io::Result<Option<String>> {
    let error = |it: &str| io::Error::other(it);
    match fs::metadata(path) {
        Err(it) if it.kind() != io::ErrorKind::NotFound => return Err(it),
        Err(_) if path.is_symlink() => {
            return Err(error("is a link to a file that does not exist"));
        }
        Err(_) => return Ok(None),
        Ok(it) if !it.is_file() => return Err(error("is not a file")),
        Ok(it) if it.permissions().readonly() => return Err(error("is read-only")),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    foreword_load::open_regular(path)?.read_to_end(&mut bytes)?;
    String::from_utf8(bytes).map(Some).map_err(|_| error("is not in UTF-8"))
}

/// Replaces the text of a file at once, with its permissions, through links; `after` of `None` deletes it, and directories
/// that are empty then, below `base`. Fails if the file is no longer as it was.
pub(super) fn write(
    path: &Path,
    (before, after): (Option<&str>, Option<&str>),
    base: &Path,
) -> io::Result<()> {
    if read(path)?.as_deref() != before {
        return Err(io::Error::other("was changed meanwhile; run the command again"));
    }
    let Some(after) = after else {
        fs::remove_file(path)?;
        let parents = path.ancestors().skip(1).take_while(|it| *it != base && it.starts_with(base));
        for it in parents {
            if fs::remove_dir(it).is_err() {
                break;
            }
        }
        return Ok(());
    };
    if before.is_none() {
        fs::create_dir_all(path.parent().unwrap_or(path))?;
        let mut builder = Builder::new();
        share(&mut builder);
        let file = complete(&mut builder, path, after)?;
        return file.persist_noclobber(path).map(drop).map_err(Into::into);
    }
    let path = fs::canonicalize(path)?;
    let file = complete(&mut Builder::new(), &path, after)?;
    file.as_file().set_permissions(fs::metadata(&path)?.permissions())?;
    file.persist(&path).map(drop).map_err(Into::into)
}

/// A new file with a text, in the directory of `path`.
fn complete(builder: &mut Builder<'_, '_>, path: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut file = builder.prefix(NEW).tempfile_in(path.parent().unwrap_or(path))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Gives a new file the permissions that programs give theirs: a temporary one is its user's alone.
#[cfg(unix)]
fn share(builder: &mut Builder<'_, '_>) {
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
}

#[cfg(not(unix))]
fn share(_: &mut Builder<'_, '_>) {}

/// Whether a path that may not exist yet is below `root` when links are followed.
pub(super) fn is_inside(root: &Path, path: &Path) -> bool {
    let Ok(root) = fs::canonicalize(root) else { return false };
    let existing = path.ancestors().find(|it| it.symlink_metadata().is_ok());
    existing.and_then(|it| fs::canonicalize(it).ok()).is_some_and(|it| it.starts_with(root))
}
