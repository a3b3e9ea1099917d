//! Unix: opens every component of a path relative to the handle of its parent directory.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::{Entry, EntryType, Status, check, stale_path};
use crate::stamp::Stamp;

/// Number of attempts to open a file when handles run out: other threads close theirs meanwhile.
const ATTEMPTS: u32 = 6;

/// The pause after the first attempt; it doubles each time.
const PAUSE: Duration = Duration::from_millis(2);

/// Local file systems of Linux by the magic numbers of `statfs(2)`: ext, XFS, Btrfs, tmpfs, overlayfs, ZFS, F2FS,
/// bcachefs.
#[cfg(target_os = "linux")]
const FILE_SYSTEMS: [u32; 8] = [
    0xef53,
    0x5846_5342,
    0x9123_683e,
    0x0102_1994,
    0x794c_7630,
    0x2fc1_2fc1,
    0xf2f5_2010,
    0xca45_1a4e,
];

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

/// Opening a pipe would wait for its writer; opening a terminal must not make it the controlling terminal.
const FILE: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY);

/// A directory below which files are opened without following links.
#[derive(Debug)]
pub(crate) struct DirectoryRoot {
    path: PathBuf,
    handle: OwnedFd,
}

impl DirectoryRoot {
    /// Opens the directory at `path`, following links.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Self::open_canonical(&dunce::canonicalize(path)?)
    }

    /// Opens the directory at `path`, which must be absolute and canonical, without links.
    pub(crate) fn open_canonical(path: &Path) -> io::Result<Self> {
        let handle = match retry_open(|| without_links(&CWD, path.as_os_str(), DIRECTORY)) {
            Err(Errno::LOOP) => return Err(stale_path()),
            res => res?,
        };
        Ok(Self { path: path.to_path_buf(), handle })
    }

    /// The path of the directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a directory below as a root of its own.
    pub(crate) fn enter(&self, relative: &str) -> io::Result<Self> {
        let handle = self.below(relative, DIRECTORY)?;
        Ok(Self { path: self.path.join(relative), handle })
    }

    /// Opens a directory; `relative` is separated by `/`, and empty for the root itself.
    pub(crate) fn directory(&self, relative: &str) -> io::Result<DirectoryHandle> {
        let handle = self.below(relative, DIRECTORY)?;
        Ok(DirectoryHandle { dir: Dir::new(handle)? })
    }

    /// The metadata of a path below, without following a link at its end. A link that replaces a directory on the way is
    /// followed: nothing is read, and that directory's own metadata have changed.
    pub(crate) fn status(&self, relative: &str) -> io::Result<Status> {
        check(relative)?;
        let path = if relative.is_empty() { "." } else { relative };
        let stat = rustix::fs::statat(&self.handle, path, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(status_of(&stat))
    }

    /// Whether the file system surely gives a directory another time when an entry is added, removed or renamed. Network
    /// file systems and those of other programs may not.
    pub(crate) fn stamps_directories(&self) -> bool {
        #[cfg(target_os = "linux")]
        {
            let found = rustix::fs::fstatfs(&self.handle);
            found.is_ok_and(|it| FILE_SYSTEMS.contains(&(it.f_type as u32)))
        }
        #[cfg(not(target_os = "linux"))]
        false
    }

    /// Opens a regular file.
    pub(crate) fn file(&self, relative: &str) -> io::Result<File> {
        let file = File::from(self.below(relative, FILE)?);
        if file.metadata()?.is_file() { Ok(file) } else { Err(stale_path()) }
    }

    fn below(&self, relative: &str, flags: OFlags) -> io::Result<OwnedFd> {
        check(relative)?;
        let path = if relative.is_empty() { "." } else { relative };
        open_or_stale(|| beneath(&self.handle, path, flags))
    }
}

/// An open directory.
pub(crate) struct DirectoryHandle {
    dir: Dir,
}

impl DirectoryHandle {
    /// The entries, in no particular order.
    pub(crate) fn entries(&mut self) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        while let Some(entry) = self.dir.read() {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not list types.
                FileType::Unknown => self.stat(name).map(|it| FileType::from_raw_mode(it.st_mode)),
                known => Ok(known),
            };
            entries.push(Entry { name: name.to_owned(), kind: kind.map(entry_type) });
        }
        Ok(entries)
    }

    /// The metadata of an entry, without following a link.
    pub(crate) fn stamp(&self, name: &str) -> io::Result<Stamp> {
        self.stat(OsStr::new(name)).map(|it| stamp_of(&it))
    }

    /// The metadata of the directory itself.
    pub(crate) fn status(&self) -> io::Result<Status> {
        Ok(status_of(&rustix::fs::fstat(self.dir.fd()?)?))
    }

    /// The target of a link as written.
    pub(crate) fn read_link(&self, name: &str) -> io::Result<OsString> {
        let target = rustix::fs::readlinkat(self.dir.fd()?, name, Vec::new())?;
        Ok(OsString::from_vec(target.into_bytes()))
    }

    fn stat(&self, name: &OsStr) -> io::Result<Stat> {
        Ok(rustix::fs::statat(self.dir.fd()?, name, AtFlags::SYMLINK_NOFOLLOW)?)
    }
}

/// Opens a file by its path, following links.
pub(super) fn open_named(path: &Path) -> io::Result<File> {
    let open = || rustix::fs::open(path, FILE | OFlags::CLOEXEC, Mode::empty());
    open_or_stale(open).map(File::from)
}

fn entry_type(it: FileType) -> EntryType {
    match it {
        FileType::Directory => EntryType::Directory,
        FileType::RegularFile => EntryType::File,
        FileType::Symlink => EntryType::Symlink,
        _ => EntryType::Special,
    }
}

/// The same values as the metadata of the standard library.
#[allow(clippy::unnecessary_cast, reason = "the fields have other types on other systems")]
fn stamp_of(stat: &Stat) -> Stamp {
    let ns = |s: i64, ns: i64| s.saturating_mul(1_000_000_000).saturating_add(ns);
    Stamp {
        size: stat.st_size as u64,
        mtime_ns: ns(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        ctime_ns: ns(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        inode: stat.st_ino as u64,
    }
}

#[allow(clippy::unnecessary_cast, reason = "the field has other types on other systems")]
fn status_of(stat: &Stat) -> Status {
    let kind = entry_type(FileType::from_raw_mode(stat.st_mode));
    Status { kind, stamp: stamp_of(stat), device: stat.st_dev as u64 }
}

/// Opens a path; a file of an unexpected type is [`StalePath`].
fn open_or_stale(open: impl Fn() -> rustix::io::Result<OwnedFd>) -> io::Result<OwnedFd> {
    match retry_open(open) {
        // A link, a file instead of a directory, or a socket.
        Err(Errno::LOOP | Errno::NOTDIR | Errno::NXIO) => Err(stale_path()),
        res => Ok(res?),
    }
}

/// Retries while there are too many open files.
fn retry_open(open: impl Fn() -> rustix::io::Result<OwnedFd>) -> rustix::io::Result<OwnedFd> {
    for attempt in 0..ATTEMPTS {
        match open() {
            Err(Errno::MFILE | Errno::NFILE) => std::thread::sleep(PAUSE * (1 << attempt)),
            res => return res,
        }
    }
    open()
}

/// Opens `path` below `from`, by one system call if the kernel supports it.
fn beneath(from: &OwnedFd, path: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{ResolveFlags, openat2};
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        match openat2(from, path, flags | OFlags::CLOEXEC, Mode::empty(), resolve) {
            Err(error) if is_missing(error) => {}
            res => return res,
        }
    }
    by_component(from, path, flags)
}

/// Opens each component relative to the previous one.
pub(super) fn by_component(
    from: &OwnedFd,
    path: &str,
    flags: OFlags,
) -> rustix::io::Result<OwnedFd> {
    let flags_of = |flags: OFlags| flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let (parents, last) = path.rsplit_once('/').map_or((None, path), |it| (Some(it.0), it.1));
    let mut at: Option<OwnedFd> = None;
    for parent in parents.into_iter().flat_map(|it| it.split('/')) {
        let from = at.as_ref().map_or(from.as_fd(), AsFd::as_fd);
        at = Some(rustix::fs::openat(from, parent, flags_of(DIRECTORY), Mode::empty())?);
    }
    let from = at.as_ref().map_or(from.as_fd(), AsFd::as_fd);
    rustix::fs::openat(from, last, flags_of(flags), Mode::empty())
}

/// Opens an absolute path without following links. Older kernels check only the last component.
fn without_links(from: &impl AsFd, path: &OsStr, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    let flags = flags | OFlags::CLOEXEC;
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{ResolveFlags, openat2};
        match openat2(from, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
            Err(error) if is_missing(error) => {}
            res => return res,
        }
    }
    rustix::fs::openat(from, path, flags | OFlags::NOFOLLOW, Mode::empty())
}

/// Whether the kernel is older than 5.6, or an old container filter rejects the system call.
#[cfg(target_os = "linux")]
fn is_missing(error: Errno) -> bool {
    matches!(error, Errno::NOSYS | Errno::PERM | Errno::AGAIN)
}
