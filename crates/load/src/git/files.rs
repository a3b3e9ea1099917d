//! Reads git's small text files.

use std::io::Read as _;

use crate::root::DirectoryRoot;

/// Maximum bytes of git's small files: references, configuration, lists of directories.
const MAX_BYTES: u64 = 1 << 20;

/// The text of one of git's own files, at most a megabyte of it; `None` if it is missing, a link or no file.
pub(super) fn small_text(root: &DirectoryRoot, path: &str) -> Option<String> {
    let mut bytes = Vec::new();
    root.file(path).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
