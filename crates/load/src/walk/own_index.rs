//! Indexes that this program has written, wherever they are: a user may keep them inside of the repository.
//!
//! They are recognised by what is in them and not by the configuration of this process: another one, or an older version,
//! may have written the index. To index it would change what is indexed with every run.

use std::io::Read as _;

use foreword_engine::index::INDEX_TAG;

use super::directory::join;
use crate::root::Root;

/// Whether the directory holds an index; `has` says whether an entry of the name is in it.
pub(super) fn is_index(root: &Root, relative: &str, has: impl Fn(&str) -> bool) -> bool {
    let is_store = || {
        let directory =
            |name: &str, extension: &str| files_end_with(root, &join(relative, name), extension);
        directory("segments", ".segment") && directory("views", ".manifest")
    };
    (has("CACHEDIR.TAG") && is_tagged(root, &join(relative, "CACHEDIR.TAG")))
        || (has("segments") && has("views") && is_store())
}

/// Whether the file is the mark of our own indexes.
fn is_tagged(root: &Root, path: &str) -> bool {
    let mut start = vec![0; INDEX_TAG.len()];
    let read = root.file(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == INDEX_TAG.as_bytes()
}

/// Whether there are files in the directory, and nothing but files that end so or were not finished.
fn files_end_with(root: &Root, relative: &str, extension: &str) -> bool {
    let entries = root.directory(relative).and_then(|mut it| it.entries());
    let is_ours =
        |name: &str| name.strip_suffix(".unfinished").unwrap_or(name).ends_with(extension);
    entries.is_ok_and(|it| {
        !it.is_empty() && it.iter().all(|entry| entry.name.to_str().is_some_and(is_ours))
    })
}
