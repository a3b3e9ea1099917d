//! Converts a path from a user or an editor to the path in the index.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::env;
use crate::error::LoadError;
use crate::index_path::{below, slashed, without_dots};
use crate::workspace::Workspace;

impl Workspace {
    /// The path relative to the root, separated by `/`; empty for the root itself.
    ///
    /// Accepts absolute paths and paths relative to the working directory, with `..` and through symbolic links. The
    /// file need not exist (a new buffer, a deleted file): the existing part of the path is resolved, the rest is kept
    /// as written. To know whether the file is *in* the index, see [`explain`](crate::explain).
    pub fn relative(&self, path: &Path) -> Result<String, LoadError> {
        let absolute = env::absolute(path).map_err(|error| LoadError::from_io(path, error))?;
        // The directories of a commit may be links on disk.
        if self.revision.is_some()
            && let Some(below) = below(&self.root, &without_dots(&absolute))
        {
            return Ok(below);
        }
        let resolved = resolve(&absolute).map_err(|error| LoadError::from_io(path, error))?;
        match resolved.strip_prefix(&self.root) {
            Ok(below) => slashed(below),
            Err(_) => Err(LoadError::OutsideRoot { path: resolved, root: self.root.clone() }),
        }
    }
}

/// The canonical form of an absolute `path` that may exist only in part.
///
/// Resolves component by component, because `link/..` is the parent of the link's target. Below the first missing
/// component there are no links, so there `..` is removed as text.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    if let Ok(whole) = dunce::canonicalize(path) {
        return Ok(whole);
    }
    let mut done = PathBuf::new();
    let mut exists = true;
    for component in path.components() {
        match component {
            Component::Prefix(_) | Component::RootDir => done.push(component),
            Component::CurDir => {}
            Component::ParentDir => {
                done.pop();
                exists = true;
            }
            Component::Normal(name) => {
                done.push(name);
                if exists {
                    exists = canonicalize_in_place(&mut done)?;
                }
            }
        }
    }
    Ok(done)
}

/// Makes `path` canonical if it exists; returns whether it does.
fn canonicalize_in_place(path: &mut PathBuf) -> io::Result<bool> {
    match dunce::canonicalize(&*path) {
        Ok(canonical) => {
            *path = canonical;
            Ok(true)
        }
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tail_is_taken_as_written() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        assert_eq!(
            resolve(&root.join("new/../other/file.rs")).unwrap(),
            root.join("other/file.rs")
        );
    }
}
