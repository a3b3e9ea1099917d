//! Explains why one path is not in the index, by the decisions of a walk.

use std::path::{Component, Path};
use std::sync::atomic::AtomicBool;

use crate::error::LoadError;
use crate::root::Root;
use crate::skip::SkipReason;
use crate::text::{self, Limits};
use crate::walk::WalkConfig;
use crate::walk::directory::{Directory, Outcome, Tree};

/// The reason why the file or directory at `path` (relative to `root`, as returned by
/// [`Workspace::relative`](crate::Workspace::relative)) is skipped; `None` if it is included.
///
/// A path below a skipped directory has the reason of the directory. The file is read, because its content may be the
/// reason.
pub fn explain(
    root: &Root,
    path: &str,
    config: &WalkConfig,
    limits: &Limits,
) -> Result<Option<SkipReason>, LoadError> {
    let full = root.path().join(path);
    if !Path::new(path).components().all(|component| matches!(component, Component::Normal(_))) {
        return Err(LoadError::OutsideRoot { path: full, root: root.path().to_owned() });
    }
    if root.entry(path).is_none() {
        return Err(root.failure().unwrap_or(LoadError::NotFound { path: full }));
    }
    let config = WalkConfig { record_ignored: true, ..config.clone() };
    let never = AtomicBool::new(false);
    let tree = Tree::new(root, &config, &never);
    let start = Directory::read(&tree, tree.start(&config))
        .map_err(|error| LoadError::from_io(root.path(), error))?;
    descend(&tree, start, path, limits)
}

fn descend(
    tree: &Tree<'_>,
    start: Directory,
    path: &str,
    limits: &Limits,
) -> Result<Option<SkipReason>, LoadError> {
    // The path existed a moment ago but is not in the listing: it was removed, or differs in case.
    let gone = || LoadError::NotFound { path: tree.root.path().join(path) };
    let mut directory = start;
    for name in path.split('/').filter(|name| !name.is_empty()) {
        match directory.outcome(tree, directory.find(name).ok_or_else(gone)?) {
            Outcome::File(file) => return Ok(text::read(tree.root, &file, limits).err()),
            Outcome::Skip(reason) => return Ok(Some(reason)),
            Outcome::Nothing => return Err(gone()),
            Outcome::Enter(below) => match Directory::read(tree, below) {
                Ok(read) => directory = read,
                Err(error) => return Ok(Some(SkipReason::unreadable_directory(&error))),
            },
        }
        if let Some(reason) = directory.skipped(tree) {
            return Ok(Some(reason));
        }
    }
    Ok(None)
}
