//! Writes files atomically and durably.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::Path;

use super::error::StoreError;

/// Locks a file, creating it and its folder if needed; `None` while another process holds the lock. The lock lasts
/// until the file is dropped or the process ends.
pub(crate) fn try_lock(path: &Path) -> Result<Option<File>, StoreError> {
    let io = |source| StoreError::Io { path: path.to_owned(), source };
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir).map_err(io)?;
    }
    let file = File::options().create(true).truncate(false).write(true).open(path).map_err(io)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(io(source)),
    }
}

/// Writes to another name, flushes to disk, then renames.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let io = |source| StoreError::Io { path: path.to_owned(), source };
    replace(path, bytes, File::sync_all).map_err(io)?;
    // The rename survives a crash once the directory is flushed. Windows cannot open directories and needs no flush.
    if let Some(dir) = path.parent().and_then(|it| File::open(it).ok()) {
        dir.sync_all().map_err(io)?;
    }
    Ok(())
}

/// Writes to another name and renames, without flushing: a crash may leave any bytes, so the file needs a checksum.
pub(super) fn write_disposable(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = written.and_then(|()| replace(path, bytes, |_| Ok(())));
    written.map_err(|source| StoreError::Io { path: path.to_owned(), source })
}

fn replace(
    path: &Path,
    bytes: &[u8],
    flush: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = path.with_file_name(format!("{name}.unfinished"));
    let written = File::create(&unfinished).and_then(|mut file| {
        file.write_all(bytes)?;
        flush(&file)
    });
    let renamed = written.and_then(|()| std::fs::rename(&unfinished, path));
    if renamed.is_err() {
        let _ = std::fs::remove_file(&unfinished);
    }
    renamed
}
