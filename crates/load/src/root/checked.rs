//! Systems without directory handles: compares a path with its canonical form, and an open file with the file at its
//! path after opening. A link that exists only for a moment can still be followed, but then the file at the path
//! differs afterwards, or the path is not canonical.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use same_file::Handle;

use super::{Entry, EntryType, Status, check, stale_path};
use crate::stamp::{Stamp, stamp_of};

/// A directory below which files are opened without following links.
#[derive(Debug)]
pub(crate) struct DirectoryRoot {
    path: PathBuf,
}

impl DirectoryRoot {
    /// Opens the directory at `path`, following links.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Self::open_canonical(&dunce::canonicalize(path)?)
    }

    /// Opens the directory at `path`, which must be absolute and canonical, without links.
    pub(crate) fn open_canonical(path: &Path) -> io::Result<Self> {
        if !path.metadata()?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        check_canonical(path)?;
        Ok(Self { path: path.to_path_buf() })
    }

    /// The path of the directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a directory below as a root of its own.
    pub(crate) fn enter(&self, relative: &str) -> io::Result<Self> {
        check(relative)?;
        Self::open_canonical(&self.path.join(relative))
    }

    /// Opens a directory; `relative` is separated by `/`, and empty for the root itself.
    pub(crate) fn directory(&self, relative: &str) -> io::Result<DirectoryHandle> {
        check(relative)?;
        let path = self.path.join(relative);
        check_canonical(&path)?;
        Ok(DirectoryHandle { path })
    }

    /// The metadata of a path below, without following a link at its end.
    pub(crate) fn status(&self, relative: &str) -> io::Result<Status> {
        check(relative)?;
        status(&self.path.join(relative))
    }

    /// Whether the file system surely gives a directory another time when an entry is added, removed or renamed.
    #[expect(clippy::unused_self, reason = "asked as of the handles of other systems")]
    pub(crate) fn stamps_directories(&self) -> bool {
        false
    }

    /// Opens a regular file.
    pub(crate) fn file(&self, relative: &str) -> io::Result<File> {
        check(relative)?;
        let path = self.path.join(relative);
        if !path.symlink_metadata()?.is_file() {
            return Err(stale_path());
        }
        let file = File::open(&path)?;
        check_canonical(&path)?;
        match Handle::from_file(file.try_clone()?)? == Handle::from_path(&path)? {
            true => Ok(file),
            false => Err(stale_path()),
        }
    }
}

/// A directory, identified by its path.
pub(crate) struct DirectoryHandle {
    path: PathBuf,
}

impl DirectoryHandle {
    /// The entries, in no particular order.
    pub(crate) fn entries(&mut self) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let kind = entry.file_type().map(EntryType::of);
            entries.push(Entry { name: entry.file_name(), kind });
        }
        check_canonical(&self.path)?;
        Ok(entries)
    }

    /// The metadata of an entry, without following a link.
    pub(crate) fn stamp(&self, name: &str) -> io::Result<Stamp> {
        self.path.join(name).symlink_metadata().map(|it| stamp_of(&it))
    }

    /// The metadata of the directory itself.
    pub(crate) fn status(&self) -> io::Result<Status> {
        status(&self.path)
    }

    /// The target of a link as written.
    pub(crate) fn read_link(&self, name: &str) -> io::Result<OsString> {
        Ok(fs::read_link(self.path.join(name))?.into_os_string())
    }
}

fn status(path: &Path) -> io::Result<Status> {
    let metadata = path.symlink_metadata()?;
    let kind = EntryType::of(metadata.file_type());
    Ok(Status { kind, stamp: stamp_of(&metadata), device: 0 })
}

fn check_canonical(path: &Path) -> io::Result<()> {
    if dunce::canonicalize(path)? == path { Ok(()) } else { Err(stale_path()) }
}
