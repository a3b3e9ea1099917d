//! The two sources of files: a directory on disk, and a commit. Walking, reading and explaining work on both.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::{DirectoryHandle, DirectoryRoot};
use super::{Entry, EntryType, Status};
use crate::error::LoadError;
use crate::git;
use crate::revision::{CommitEntry, CommitRoot};
use crate::stamp::{Stamp, stamp_of};

/// A directory on disk or a commit, below which files are opened without following links.
#[derive(Debug)]
pub struct Root(Source);

#[derive(Debug)]
enum Source {
    Directory(DirectoryRoot),
    Commit(CommitRoot),
}

/// A file to read.
pub(crate) struct OpenFile {
    /// Its bytes; those of a commit's file are missing if they are more than the caller reads.
    pub(crate) bytes: Box<dyn Read>,
    /// The number of bytes.
    pub(crate) size: u64,
    pub(crate) stamp: Stamp,
}

/// The entries of a directory.
pub(crate) enum Listing {
    Directory(DirectoryHandle),
    Commit(Arc<[CommitEntry]>),
}

/// The repository around a root.
pub(crate) struct Enclosing {
    pub(crate) top: PathBuf,
    /// `None` if its storage is missing.
    pub(crate) common_dir: Option<PathBuf>,
}

impl Root {
    /// Opens the directory at `path`, following links.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(Source::Directory(DirectoryRoot::open(path)?)))
    }

    /// Opens the directory at `path`, which must be absolute and canonical, without links.
    pub(crate) fn open_canonical(path: &Path) -> io::Result<Self> {
        Ok(Self(Source::Directory(DirectoryRoot::open_canonical(path)?)))
    }

    pub(crate) fn of_commit(commit: CommitRoot) -> Self {
        Self(Source::Commit(commit))
    }

    /// The path of the directory, or the one that corresponds to it in the work tree.
    pub fn path(&self) -> &Path {
        match &self.0 {
            Source::Directory(it) => it.path(),
            Source::Commit(it) => it.path(),
        }
    }

    /// Lists a directory; `relative` is separated by `/`, and empty for the root itself.
    pub(crate) fn directory(&self, relative: &str) -> io::Result<Listing> {
        Ok(match &self.0 {
            Source::Directory(it) => Listing::Directory(it.directory(relative)?),
            Source::Commit(it) => Listing::Commit(it.directory(relative)?),
        })
    }

    /// Opens a regular file of which the caller reads no more than `most` bytes.
    pub(crate) fn file(&self, relative: &str, most: u64) -> io::Result<OpenFile> {
        match &self.0 {
            Source::Directory(it) => {
                let file = it.file(relative)?;
                let stamp = stamp_of(&file.metadata()?);
                Ok(OpenFile { bytes: Box::new(file), size: stamp.size, stamp })
            }
            Source::Commit(it) => it.file(relative, most),
        }
    }

    /// The type of a path, without following links; `None` if there is none.
    pub(crate) fn entry(&self, relative: &str) -> Option<EntryType> {
        match &self.0 {
            Source::Directory(it) => {
                let metadata = it.path().join(relative).symlink_metadata();
                metadata.ok().map(|it| EntryType::of(it.file_type()))
            }
            Source::Commit(it) => it.entry(relative),
        }
    }

    /// The metadata of a path, without following a link at its end; a commit has none.
    pub(crate) fn status(&self, relative: &str) -> io::Result<Status> {
        match &self.0 {
            Source::Directory(it) => it.status(relative),
            Source::Commit(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Whether a directory whose stamp is unchanged surely has the same entries.
    pub(crate) fn stamps_directories(&self) -> bool {
        match &self.0 {
            Source::Directory(it) => it.stamps_directories(),
            Source::Commit(_) => false,
        }
    }

    /// Where a link leads.
    pub(crate) fn target(&self, relative: &str) -> io::Result<PathBuf> {
        match &self.0 {
            Source::Directory(it) => dunce::canonicalize(it.path().join(relative)),
            Source::Commit(it) => it.target(relative),
        }
    }

    /// The commit, if the root is one.
    pub(crate) fn commit(&self) -> Option<&CommitRoot> {
        match &self.0 {
            Source::Directory(_) => None,
            Source::Commit(it) => Some(it),
        }
    }

    /// The error that ended the reading of a commit: its other files are not to be trusted.
    pub(crate) fn failure(&self) -> Option<LoadError> {
        self.commit()?.failure()
    }

    /// The repository around the root.
    pub(crate) fn enclosing(&self) -> Option<Enclosing> {
        if let Source::Commit(it) = &self.0 {
            return Some(it.enclosing());
        }
        let top = git::top_of(self.path())?;
        Some(Enclosing { top: top.work_tree, common_dir: top.storage.map(|it| it.common_dir) })
    }
}

impl Listing {
    /// The entries, in no particular order.
    pub(crate) fn entries(&mut self) -> io::Result<Vec<Entry>> {
        match self {
            Self::Directory(it) => it.entries(),
            Self::Commit(it) => {
                let entry = |it: &CommitEntry| Entry { name: (&it.name).into(), kind: Ok(it.kind) };
                Ok(it.iter().map(entry).collect())
            }
        }
    }

    /// The metadata of an entry, without following a link.
    pub(crate) fn stamp(&self, name: &str) -> io::Result<Stamp> {
        match self {
            Self::Directory(it) => it.stamp(name),
            Self::Commit(it) => CommitEntry::named(it, name).map(CommitEntry::stamp),
        }
    }

    /// The metadata of the directory itself; a commit has none.
    pub(crate) fn status(&self) -> io::Result<Status> {
        match self {
            Self::Directory(it) => it.status(),
            Self::Commit(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// The target of a link as written.
    pub(crate) fn read_link(&self, name: &str) -> io::Result<OsString> {
        match self {
            Self::Directory(it) => it.read_link(name),
            Self::Commit(it) => CommitEntry::named(it, name).map(|it| OsString::from(&*it.link)),
        }
    }
}
