//! Writing files so that they are complete or absent, also after a crash.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use super::error::StoreError;

/// Writes under another name, flushes to the disk, then renames.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let io = |source| StoreError::Io { path: path.to_owned(), source };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = path.with_file_name(format!("{name}.unfinished"));
    let written = File::create(&unfinished).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| std::fs::rename(&unfinished, path));
    if renamed.is_err() {
        let _ = std::fs::remove_file(&unfinished);
    }
    renamed.map_err(io)?;
    // The rename survives a crash once the directory is flushed. Windows cannot open directories and needs no flush.
    if let Some(dir) = path.parent().and_then(|it| File::open(it).ok()) {
        dir.sync_all().map_err(io)?;
    }
    Ok(())
}
