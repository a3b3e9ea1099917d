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
pub(crate) mod secret_names;
mod stamps;

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use self::directory::{Directory, Outcome, PendingDirectory, Tree};
pub use self::entries::{FileEntry, Inclusion, Masking, Walk, WalkConfig};
pub use self::stamps::WalkStamps;
use crate::error::LoadError;
use crate::root::Root;
use crate::skip::{SkipReason, SkippedPath};

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
    // A failure at the root is an error. An empty tree would mean deletions.
    let start = Directory::read(&tree, tree.start(config));
    if let Some(error) = root.failure() {
        return Err(error);
    }
    let start = start.map_err(|error| LoadError::from_io(root.path(), error))?;
    let found = Mutex::new(Vec::new());
    match pool(config.threads) {
        Some(pool) => pool.scope(|scope| visit(scope, &tree, &found, &start, String::new())),
        None => rayon::scope(|scope| visit(scope, &tree, &found, &start, String::new())),
    }
    if tree.is_cancelled() {
        return Err(LoadError::Cancelled { path: root.path().to_owned() });
    }
    if let Some(error) = tree.take_failure() {
        return Err(error);
    }
    let mut walk = joined(found.into_inner().unwrap_or_else(PoisonError::into_inner));
    walk.files.par_sort_unstable_by(|a, b| a.path.cmp(&b.path));
    // Lossy names can be equal; then the reason decides.
    walk.skipped.par_sort_unstable();
    walk.directories.sort_unstable();
    Ok(walk)
}

/// A separate pool for a given number of threads; `None` for the global pool, and if no more threads can be started.
fn pool(threads: usize) -> Option<rayon::ThreadPool> {
    (threads > 0)
        .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok())
        .flatten()
}

/// Records the entries of a directory and spawns visits of its subdirectories.
fn visit<'s>(
    scope: &rayon::Scope<'s>,
    tree: &'s Tree<'s>,
    found: &'s Mutex<Vec<Walk>>,
    directory: &Directory,
    relative: String,
) {
    let mut here = Walk { directories: vec![relative], ..Walk::default() };
    for index in directory.indices() {
        match directory.outcome(tree, index) {
            Outcome::File(file) => here.files.push(file),
            Outcome::Enter(below) => scope.spawn(move |scope| enter(scope, tree, found, below)),
            Outcome::Skip(reason) => {
                here.skipped.push(SkippedPath { path: directory.relative(index), reason });
            }
            Outcome::Nothing => {}
        }
    }
    add(found, here);
}

fn enter<'s>(
    scope: &rayon::Scope<'s>,
    tree: &'s Tree<'s>,
    found: &'s Mutex<Vec<Walk>>,
    pending: PendingDirectory,
) {
    if tree.is_stopped() {
        return;
    }
    let path = pending.relative.clone();
    let skipped = match Directory::read(tree, pending) {
        Ok(directory) => match directory.skipped(tree) {
            None => return visit(scope, tree, found, &directory, path),
            Some(reason) => SkippedPath { path, reason },
        },
        Err(error) => {
            let reason = SkipReason::unreadable_directory(&error);
            tree.note(error);
            SkippedPath { path, reason }
        }
    };
    add(found, Walk { skipped: vec![skipped], ..Walk::default() });
}

/// Takes the lock once for each directory. The list is always consistent, so a panic elsewhere does not corrupt it.
fn add(found: &Mutex<Vec<Walk>>, here: Walk) {
    found.lock().unwrap_or_else(PoisonError::into_inner).push(here);
}

/// The results of all directories. The memory for their files is touched once, not again each time the list grows.
fn joined(found: Vec<Walk>) -> Walk {
    let mut all = Walk::default();
    all.files.reserve_exact(found.iter().map(|it| it.files.len()).sum());
    for Walk { files, skipped, directories } in found {
        all.files.extend(files);
        all.skipped.extend(skipped);
        all.directories.extend(directories);
    }
    all
}
