//! From a directory to the list of its files, with a reason for every path that is left out.
//!
//! # What is in
//!
//! All regular files that no rule leaves out. The rules, by authority:
//!
//! * storage of version control is never entered; names that hold secrets are left out whatever an ignore file says
//!   (only the user's own configuration makes exceptions: [`WalkConfig::not_secret`]);
//! * ignore files: see the precedence in `rules.rs`;
//! * hidden directories, but for the well-known ones with source in them (`.github`, `.config`, ...); hidden files
//!   are ordinary files;
//! * vendored and built directories where that is certain by name, by the project file beside them or by what lies
//!   in them; lock files, minified files and binary formats by name.
//!
//! `.forewordignore` brings back what the last two leave out: `!node_modules/`, `!.vscode/`, `!Cargo.lock`.
//!
//! Symbolic links are never followed. Submodules and other repositories inside the tree are walked.
//!
//! Same tree, same result, whatever the number of threads: everything is sorted by the bytes of the path.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::directory::{Directory, Outcome, Pending, Tree, unreadable};
use crate::error::LoadError;
use crate::skip::Skipped;
use crate::stamp::Stamp;

/// How a tree is walked. [`WalkConfig::default`] reads nothing outside of the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalkConfig {
    /// Threads; 0 takes the process-wide pool.
    pub threads: usize,
    /// Whether paths that an ignore file leaves out, hidden directories and storage of version control are listed in
    /// [`Walk::skipped`]; all other reasons always are.
    pub record_ignored: bool,
    /// The user's global git excludes: [`Environment::global_excludes`](crate::Environment::global_excludes).
    pub global_excludes: Option<PathBuf>,
    /// Rules of the user's configuration in the syntax of `.gitignore`, relative to the root; they win over all files.
    pub rules: Vec<String>,
    /// Patterns of files that are no secrets although their names say so. Never taken from the tree itself: a
    /// repository must not be able to expose what its users keep in it.
    pub not_secret: Vec<String>,
}

/// A file that is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Relative to the root, `/`-separated.
    pub path: String,
    /// What the file system said about it.
    pub stamp: Stamp,
    /// Whether `.forewordignore` or the caller asks for it: then it is taken even if it is minified or generated.
    pub wanted: bool,
}

/// What was found below a root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// The files, sorted by the bytes of the path.
    pub files: Vec<Found>,
    /// What was left out, sorted by the bytes of the path.
    pub skipped: Vec<Skipped>,
    /// The directories that were read, sorted; the root is the empty string. A watcher watches these and no others.
    pub directories: Vec<String>,
}

/// Walks the tree below `root`.
///
/// A directory below the root that cannot be read is an entry of [`Walk::skipped`]; nothing is known then of what
/// lies in it.
pub fn walk(root: &Path, config: &WalkConfig) -> Result<Walk, LoadError> {
    walk_until(root, config, &AtomicBool::new(false))
}

/// Walks the tree below `root` as [`walk`] does; [`LoadError::Cancelled`] comes soon after `cancel` becomes true.
pub fn walk_until(
    root: &Path,
    config: &WalkConfig,
    cancel: &AtomicBool,
) -> Result<Walk, LoadError> {
    let canonical = dunce::canonicalize(root).map_err(|error| LoadError::from_io(root, error))?;
    let tree = Tree::new(&canonical, config, cancel);
    // The root is read first, so that its failure is an error and not an empty tree: that would read as deletions.
    let start = Directory::read(&tree, tree.start(config))
        .map_err(|error| LoadError::from_io(root, error))?;
    let found = Mutex::new(Walk::default());
    match pool(config.threads) {
        Some(pool) => pool.scope(|scope| visit(scope, &tree, &found, &start, String::new())),
        None => rayon::scope(|scope| visit(scope, &tree, &found, &start, String::new())),
    }
    if tree.is_cancelled() {
        return Err(LoadError::Cancelled { path: canonical });
    }
    let mut walk = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    walk.files.par_sort_unstable_by(|a, b| a.path.cmp(&b.path));
    // Lossy names can be equal, and then the reason decides.
    walk.skipped.par_sort_unstable();
    walk.directories.sort_unstable();
    Ok(walk)
}

/// A pool of its own where the caller wants a certain number of threads; the common one otherwise, or if no more
/// threads can be had.
fn pool(threads: usize) -> Option<rayon::ThreadPool> {
    (threads > 0)
        .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok())
        .flatten()
}

/// Sorts the entries of a directory that was read, and has those below it visited.
fn visit<'s>(
    scope: &rayon::Scope<'s>,
    tree: &'s Tree<'s>,
    found: &'s Mutex<Walk>,
    directory: &Directory,
    relative: String,
) {
    let mut here = Walk { directories: vec![relative], ..Walk::default() };
    for index in directory.indices() {
        match directory.outcome(tree, index) {
            Outcome::File(file) => here.files.push(file),
            Outcome::Enter(below) => scope.spawn(move |scope| enter(scope, tree, found, below)),
            Outcome::Skip(reason) => {
                here.skipped.push(Skipped { path: directory.relative(index), reason });
            }
            Outcome::Nothing => {}
        }
    }
    add(found, here);
}

fn enter<'s>(
    scope: &rayon::Scope<'s>,
    tree: &'s Tree<'s>,
    found: &'s Mutex<Walk>,
    pending: Pending,
) {
    if tree.is_cancelled() {
        return;
    }
    let path = pending.relative.clone();
    let skipped = match Directory::read(tree, pending) {
        Ok(directory) => match directory.vendored() {
            None => return visit(scope, tree, found, &directory, path),
            Some(reason) => Skipped { path, reason },
        },
        Err(error) => Skipped { path, reason: unreadable(&error) },
    };
    add(found, Walk { skipped: vec![skipped], ..Walk::default() });
}

/// One lock per directory. The lists are whole at any moment, so a panic elsewhere does not spoil them.
fn add(found: &Mutex<Walk>, here: Walk) {
    let mut all = found.lock().unwrap_or_else(PoisonError::into_inner);
    all.files.extend(here.files);
    all.skipped.extend(here.skipped);
    all.directories.extend(here.directories);
}
