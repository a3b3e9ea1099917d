//! Detects indexes written by this program: a user may keep them inside the repository.
//!
//! They are recognised by their contents, not by this process's configuration: another process or an older version may
//! have written the index. Indexing it would change the result with every run.

use std::io::Read as _;

use foreword_engine::index::INDEX_TAG;

use crate::index_path::join;
use crate::root::Root;

/// The file that marks a directory as a cache.
pub(super) const TAG: &str = "CACHEDIR.TAG";

/// Maximum size of a tag file, of which only the start is read.
pub(super) const MAX_TAG: u64 = 1 << 20;

/// Whether the directory contains an index; `has` checks for an entry by name.
pub(super) fn is_index(root: &Root, relative: &str, has: impl Fn(&str) -> bool) -> bool {
    let is_store = || {
        let directory =
            |name: &str, extension: &str| files_end_with(root, &join(relative, name), extension);
        directory("segments", ".segment") && directory("views", ".manifest")
    };
    (has(TAG) && is_tagged(root, &join(relative, TAG)))
        || (has("segments") && has("views") && is_store())
}

/// Whether the file is the tag of an index.
fn is_tagged(root: &Root, path: &str) -> bool {
    let mut start = vec![0; INDEX_TAG.len()];
    let read = root.file(path, MAX_TAG).and_then(|mut it| it.bytes.read_exact(&mut start));
    read.is_ok() && start == INDEX_TAG.as_bytes()
}

/// Whether the directory has files, all of them with this extension or unfinished.
fn files_end_with(root: &Root, relative: &str, extension: &str) -> bool {
    let entries = root.directory(relative).and_then(|mut it| it.entries());
    let is_ours =
        |name: &str| name.strip_suffix(".unfinished").unwrap_or(name).ends_with(extension);
    entries.is_ok_and(|it| {
        !it.is_empty() && it.iter().all(|entry| entry.name.to_str().is_some_and(is_ours))
    })
}
