//! Lists the files below a directory, with a reason for every skipped path.
//!
//! # Included files
//!
//! All regular files that no rule excludes. The rules in order of precedence:
//!
//! * version control storage is never entered; names that indicate secrets are excluded whatever an ignore file says
//!   (only the user's own configuration makes exceptions: [`WalkConfig::not_secret`]);
//! * ignore files: see the precedence in `ignore_rules`;
//! * hidden directories, except well-known ones with source code (`.github`, `.config`, ...); hidden files are ordinary
//!   files;
//! * vendored and built directories if their name, a project file beside them or their contents prove it; lock files,
//!   minified files and binary formats by name.
//!
//! `.forewordignore` can include paths that the last two exclude: `!node_modules/`, `!.vscode/`, `!Cargo.lock`.
//!
//! Indexes of this program are not part of a tree, whatever an ignore file says.
//!
//! Symbolic links are never followed, even if one replaces a directory during the walk (see `root`); a link to an ignore
//! file counts as one. Submodules and other repositories inside the tree are walked.
//!
//! The result does not depend on the number of threads: everything is sorted by the bytes of the path.

pub(crate) mod directory;
mod entries;
pub(crate) mod exceptions;
mod ignore_files;
mod ignore_rules;
pub(crate) mod name_rules;
mod own_index;
mod recall;
mod record;
#[cfg(test)]
mod record_tests;
pub(crate) mod secret_names;
mod stamps;
mod visit;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use self::directory::Tree;
pub use self::entries::{FileEntry, Inclusion, Masking, Walk, WalkConfig};
pub(crate) use self::record::WalkRecord;
use self::record::{RecordChange, Surroundings};
pub use self::stamps::WalkStamps;
use self::visit::{DirectoryWalk, Walker};
use crate::error::LoadError;
use crate::root::Root;

/// Walks the tree below `root`.
///
/// A directory below the root that cannot be read is an entry of [`Walk::skipped`]; its contents are then unknown.
/// Fails if the process has too many open files.
pub fn walk(root: &Path, config: &WalkConfig) -> Result<Walk, LoadError> {
    let opened = Root::open(root).map_err(|error| LoadError::from_io(root, error))?;
    walk_until(&opened, config, &AtomicBool::new(false))
}

/// Like [`walk`] for an open directory or a commit, but fails with [`LoadError::Cancelled`] soon after `cancel` becomes
/// true.
pub fn walk_until(
    root: &Root,
    config: &WalkConfig,
    cancel: &AtomicBool,
) -> Result<Walk, LoadError> {
    let tree = Tree::new(root, config, cancel);
    let walker = Walker::new(&tree, config);
    walker.run().map(|found| joined(found).0)
}

/// A walk, and what the next one needs to know about it.
pub(crate) struct RecordedWalk {
    pub(crate) walk: Walk,
    /// `None` if it would save nothing more than the record before.
    pub(crate) record: Option<WalkRecord>,
}

/// Like [`walk_until`], with the record of an earlier walk. `at_ns` is the clock before this one.
pub(crate) fn walk_recorded(
    root: &Root,
    config: &WalkConfig,
    cancel: &AtomicBool,
    before: Option<&WalkRecord>,
    at_ns: i64,
) -> Result<RecordedWalk, LoadError> {
    // Ignored paths are not recorded, and a commit has no stamps.
    if config.record_ignored || !root.stamps_directories() {
        return Ok(RecordedWalk { walk: walk_until(root, config, cancel)?, record: None });
    }
    let tree = Tree::new(root, config, cancel);
    let surroundings = Surroundings::of(root, config, at_ns);
    let before = before.filter(|it| it.surroundings.proves(&surroundings));
    let (walk, records) = joined(Walker::recording(&tree, config, before, at_ns).run()?);
    let is_new = |it: &RecordChange| matches!(it, RecordChange::New(it) if it.is_useful());
    let is_needed = before.is_none() || records.iter().any(is_new);
    let record = || WalkRecord::new(surroundings, records, before);
    Ok(RecordedWalk { walk, record: is_needed.then(record) })
}

/// The results of all directories, sorted. The memory for their files is touched once, not again each time the list
/// grows.
fn joined(found: Vec<DirectoryWalk>) -> (Walk, Vec<RecordChange>) {
    let mut all = Walk::default();
    all.files.reserve_exact(found.iter().map(|it| it.walk.files.len()).sum());
    let mut records = Vec::with_capacity(found.len());
    for DirectoryWalk { walk: Walk { files, skipped, directories }, recorded } in found {
        all.files.extend(files);
        all.skipped.extend(skipped);
        all.directories.extend(directories);
        records.push(recorded);
    }
    all.files.par_sort_unstable_by(|a, b| a.path.cmp(&b.path));
    // Lossy names can be equal; then the reason decides.
    all.skipped.par_sort_unstable();
    all.directories.sort_unstable();
    (all, records)
}
