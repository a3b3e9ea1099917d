//! Opens files and directories below a root so that nothing outside is read. A root is a directory on disk or a commit
//! (`source`); a commit is read from git's objects.
//!
//! Between checking and opening a path, a directory may be replaced by a link. So no path below a root is opened by its
//! full name: on Unix every component is opened relative to its parent directory, without following links, in one
//! system call if the kernel has it (`openat2`). Elsewhere the path is compared with its canonical form, and the open
//! file with the file at its path.
//!
//! Opening never waits: a pipe in the place of a file is an error.

#[cfg(any(not(unix), test))]
#[cfg_attr(unix, allow(unreachable_pub, dead_code, reason = "tests use only the part that opens"))]
mod checked;
#[cfg(unix)]
mod handles;
mod source;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;

#[cfg(not(unix))]
use self::checked as disk;
pub(crate) use self::disk::DirectoryRoot;
#[cfg(unix)]
use self::handles as disk;
pub use self::source::Root;
pub(crate) use self::source::{Enclosing, Listing, OpenFile};
use crate::stamp::Stamp;

/// An entry of a directory.
pub(crate) struct Entry {
    pub(crate) name: OsString,
    pub(crate) kind: io::Result<EntryType>,
}

/// The type of a directory entry; links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryType {
    /// A directory.
    Directory,
    /// A regular file.
    File,
    /// A symbolic link.
    Symlink,
    /// A pipe, socket or device.
    Special,
}

/// The metadata of a path, by which a walk decides whether it is still what an earlier walk saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    pub(crate) kind: EntryType,
    pub(crate) stamp: Stamp,
    /// 0 where unknown.
    pub(crate) device: u64,
}

impl EntryType {
    pub(crate) fn of(it: std::fs::FileType) -> Self {
        if it.is_dir() {
            Self::Directory
        } else if it.is_file() {
            Self::File
        } else if it.is_symlink() {
            Self::Symlink
        } else {
            Self::Special
        }
    }
}

/// The path no longer leads to the file that was listed.
#[derive(Debug, thiserror::Error)]
#[error("there is now a link or another kind of file")]
struct StalePath;

/// The error for a path that leads to a link or to an unexpected type of file.
pub(crate) fn stale_path() -> io::Error {
    io::Error::other(StalePath)
}

/// Whether the error says that the path no longer leads to the file that was listed.
pub(crate) fn is_replaced(error: &io::Error) -> bool {
    error.get_ref().and_then(|it| it.downcast_ref::<StalePath>()).is_some()
}

/// Whether the error says that the process or the system has too many open files: `EMFILE`, `ENFILE`,
/// `ERROR_TOO_MANY_OPEN_FILES`.
pub(crate) fn is_too_many_open(error: &io::Error) -> bool {
    const CODES: &[i32] = if cfg!(windows) { &[4] } else { &[23, 24] };
    error.raw_os_error().is_some_and(|it| CODES.contains(&it))
}

/// Opens a regular file, following links. Fails for a pipe or a device instead of waiting for it.
pub fn open_regular(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    let file = handles::open_named(path)?;
    #[cfg(not(unix))]
    let file = File::open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(stale_path()) }
}

/// Checks that a relative path never leads upwards.
fn check(relative: &str) -> io::Result<()> {
    let goes_down = |it: &[u8]| !matches!(it, b"" | b"." | b"..");
    if relative.is_empty() || relative.as_bytes().split(|it| *it == b'/').all(goes_down) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "the path leaves the directory"))
}
