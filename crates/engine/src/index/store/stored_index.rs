//! The indexes that lie below a directory, to be listed and removed.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::directory::{INDEX_TAG, StoreDirectory, entries};
use super::durable::try_lock;
use super::error::StoreError;
use super::reader::Store;
use crate::index::config::{IndexConfig, version_directory};

/// The index of a repository, with the stores of all versions of foreword.
#[derive(Clone, Debug)]
pub struct StoredIndex {
    /// Its directory.
    pub path: PathBuf,
    /// The directories and commits that this version has indexed, sorted; empty if only other versions have.
    pub roots: Vec<String>,
    /// Bytes of all its files.
    pub bytes: u64,
    /// Time of the last use.
    pub used: Option<SystemTime>,
}

impl StoredIndex {
    /// The indexes below the parent of all, by path. Other directories there are left out.
    pub fn all(base: &Path) -> Vec<Self> {
        let mut paths: Vec<PathBuf> = entries(base).map(|it| it.path()).collect();
        paths.sort();
        paths.into_iter().filter_map(Self::open).collect()
    }

    /// The index in a directory of its own; `None` if foreword did not make it.
    pub fn open(path: PathBuf) -> Option<Self> {
        let is_directory = path.symlink_metadata().is_ok_and(|it| it.is_dir());
        let tag = || fs::read_to_string(path.join("CACHEDIR.TAG"));
        if !is_directory || !tag().is_ok_and(|it| it == INDEX_TAG) {
            return None;
        }
        let store = Store::new(path.clone(), IndexConfig::default());
        let mut roots: Vec<String> =
            store.manifests().into_iter().flatten().map(|it| it.root).collect();
        roots.sort();
        roots.dedup();
        let used = stores(&path).into_iter().flat_map(|it| entries(&it.join("views")));
        let used = used.filter_map(|it| it.metadata().ok()?.modified().ok()).max();
        Some(Self { roots, bytes: size(&path), used, path })
    }

    /// Deletes the index. `false` if a process is writing it; then nothing is deleted. A process that reads it goes on
    /// with the files that it has open, and makes the index again.
    pub fn remove(&self) -> Result<bool, StoreError> {
        let mut locks = Vec::new();
        for store in stores(&self.path) {
            match try_lock(&store.join("writer.lock"))? {
                Some(lock) => locks.push(lock),
                None => return Ok(false),
            }
        }
        let removed = fs::remove_dir_all(&self.path);
        removed.map_err(|source| StoreError::Io { path: self.path.clone(), source })?;
        Ok(true)
    }
}

/// The stores of all versions in an index.
fn stores(path: &Path) -> Vec<PathBuf> {
    let directory = StoreDirectory::new(path.to_owned(), &version_directory());
    let others = directory.others().into_iter().map(|it| it.path);
    let own = directory.root.is_dir().then(|| directory.root.clone());
    own.into_iter().chain(others).collect()
}

/// Bytes of all files below a directory.
fn size(path: &Path) -> u64 {
    let mut directories = vec![path.to_owned()];
    let mut bytes = 0;
    while let Some(directory) = directories.pop() {
        for entry in entries(&directory) {
            match entry.metadata() {
                Ok(it) if it.is_dir() => directories.push(entry.path()),
                Ok(it) => bytes += it.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}
