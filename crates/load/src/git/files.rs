//! Reads git's small text files.

use std::io::Read as _;
use std::path::Path;

use crate::root::open_regular;

/// The text of one of git's own files; all of them are far below a megabyte.
pub(super) fn small_file(path: &Path) -> Option<String> {
    const LIMIT: u64 = 1 << 20;
    text_file(path, LIMIT)
}

pub(super) fn text_file(path: &Path, limit: u64) -> Option<String> {
    let file = open_regular(path).ok()?;
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
