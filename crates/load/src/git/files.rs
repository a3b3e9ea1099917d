//! Reads the small text files in which git keeps its data.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The text of one of git's own files; none of those that are read here comes near a megabyte.
pub(super) fn small_file(path: &Path) -> Option<String> {
    const LIMIT: u64 = 1 << 20;
    text_file(path, LIMIT)
}

pub(super) fn text_file(path: &Path, limit: u64) -> Option<String> {
    // Before it is opened, since opening a pipe waits for its writer.
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let file = File::open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
