//! The files of a commit as a root: read from git's objects into memory, never written to disk.
//!
//! Its directories are listed once, when the first is needed. The contents of files are read one by one, as from a disk.
//! Both are bounded by the size of the repository's objects, because a few kilobytes can name billions of files.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::error::LoadError;
use crate::git::{self, CHECKOUT_WORK, Git, GitProblem, ObjectId, Objects};
use crate::index_path::{self, join};
use crate::root::{Enclosing, EntryType, OpenFile, stale_path};
use crate::stamp::Stamp;

/// Bytes that every commit may have, and bytes for each byte of objects. Source text is 3 to 10 times as large as its
/// compressed objects, generated data up to 50 times.
const FREE_BYTES: u64 = 64 << 20;
const MAX_RATIO: u64 = 100;

/// Maximum number of entries of a commit, more than any real repository has.
const MAX_ENTRIES: usize = 1 << 22;

/// Bytes that an entry counts for besides its path: about those of its records in memory and in the index.
const ENTRY_BYTES: u64 = 256;

/// Maximum length of a path; systems open no longer ones.
const MAX_PATH: usize = 4096;

/// Maximum bytes of a file to unpack. A larger one is above every limit.
const MAX_FILE: usize = 24 << 20;

/// A commit of a repository.
pub struct Revision {
    commit: ObjectId,
    /// The top of the work tree, or the bare repository.
    top: PathBuf,
    common_dir: PathBuf,
    objects: Mutex<Objects>,
    directories: OnceLock<Result<Directories, Failure>>,
    /// Maximum bytes of its paths, and of its contents that are read at once.
    max_bytes: OnceLock<u64>,
}

/// The entries of the directories, by their path from the top.
type Directories = HashMap<String, Arc<[CommitEntry]>>;

/// An entry of a directory.
#[derive(Debug)]
pub(crate) struct CommitEntry {
    pub(crate) name: String,
    pub(crate) kind: EntryType,
    id: ObjectId,
    /// The target of a link.
    pub(crate) link: String,
}

/// Why a commit cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    Missing,
    TooManyFiles,
    TooLarge,
}

/// The files of a commit below a directory.
#[derive(Debug)]
pub(crate) struct CommitRoot {
    revision: Arc<Revision>,
    path: PathBuf,
    /// The path from the top.
    below: String,
    /// Bytes read so far.
    read: AtomicU64,
    failure: OnceLock<Failure>,
}

impl Revision {
    /// The commit, in hexadecimal.
    pub fn commit(&self) -> String {
        self.commit.hex()
    }

    /// When it was committed, in seconds since 1970; `None` if it cannot be read.
    pub fn time(&self) -> Option<i64> {
        self.objects().commit(self.commit).map(|it| it.time)
    }

    /// Finds a commit of the repository around `from` (canonical), bare or not. `name` is a branch, a tag, `HEAD` or the
    /// beginning of a hash, with steps to ancestors as in `main~2`.
    pub(crate) fn find(
        from: &Path,
        name: &str,
        alternates: Vec<PathBuf>,
    ) -> Result<(Self, Git), LoadError> {
        let none = || LoadError::NoRepository { path: from.to_owned() };
        let top = git::repository_around(from).ok_or_else(none)?;
        if let Some(problem) = top.problem {
            return Err(problem.into());
        }
        let storage = top.storage.as_ref().ok_or_else(none)?;
        let git = Git { alternates, ..top.git().ok_or_else(none)? };
        let objects = git.objects(CHECKOUT_WORK);
        let missing = || match objects.problem() {
            Some(problem) => problem.into(),
            None => LoadError::NoRevision { path: top.work_tree.clone(), name: name.to_owned() },
        };
        let commit = git::commit_named(storage, &objects, name).ok_or_else(missing)?;
        let git = Git { head: Some(commit.hex()), branch: None, ..git };
        let common_dir = git.common_dir.clone();
        let (directories, max_bytes) = (OnceLock::new(), OnceLock::new());
        let objects = Mutex::new(objects);
        let top = top.work_tree;
        Ok((Self { commit, top, common_dir, objects, directories, max_bytes }, git))
    }

    /// The files below `path`, which is the top of the repository or a directory below it. Each root may do the work
    /// of reading all files once: a server reads a commit again and again.
    pub(crate) fn root(self: &Arc<Self>, path: &Path) -> CommitRoot {
        self.objects().renew(CHECKOUT_WORK);
        self.below(path)
    }

    fn below(self: &Arc<Self>, path: &Path) -> CommitRoot {
        CommitRoot {
            revision: Arc::clone(self),
            path: path.to_owned(),
            below: index_path::below(&self.top, path).unwrap_or_default(),
            read: AtomicU64::new(0),
            failure: OnceLock::new(),
        }
    }

    fn objects(&self) -> MutexGuard<'_, Objects> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of a file and their number; no bytes if there are more than `most`.
    fn blob(&self, id: ObjectId, most: usize) -> Option<(Vec<u8>, u64)> {
        let objects = self.objects();
        if let Some(bytes) = objects.blob(id, most) {
            let size = bytes.len() as u64;
            return Some((bytes, size));
        }
        let size = objects.blob(id, MAX_FILE).map(|it| it.len() as u64);
        let size = size.or_else(|| objects.has(id).then_some(MAX_FILE as u64 + 1))?;
        Some((Vec::new(), size))
    }

    fn max_bytes(&self) -> u64 {
        let most = || {
            let stored = self.objects().stored_bytes();
            stored.saturating_mul(MAX_RATIO).saturating_add(FREE_BYTES)
        };
        *self.max_bytes.get_or_init(most)
    }

    fn directories(&self) -> Result<&Directories, Failure> {
        let listed = self.directories.get_or_init(|| {
            let most = self.max_bytes();
            Lister { objects: &self.objects(), entries: 0, bytes: 0, most }.list(self.commit)
        });
        listed.as_ref().map_err(|it| *it)
    }

    fn error(&self, failure: Failure) -> LoadError {
        let (path, commit) = (self.common_dir.clone(), self.commit());
        let is_spent = self.objects().problem() == Some(GitProblem::TooMuchWork);
        match failure {
            Failure::Missing if is_spent => {
                LoadError::OversizeCommit { path, commit, what: "bytes" }
            }
            Failure::Missing => LoadError::MissingObjects { path, commit },
            Failure::TooManyFiles => LoadError::OversizeCommit { path, commit, what: "files" },
            Failure::TooLarge => LoadError::OversizeCommit { path, commit, what: "bytes" },
        }
    }
}

impl PartialEq for Revision {
    fn eq(&self, other: &Self) -> bool {
        (self.commit, &self.top) == (other.commit, &other.top)
    }
}

impl Eq for Revision {}

impl fmt::Debug for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Revision({} of {})", self.commit(), self.top.display())
    }
}

/// Lists the directories of a commit, within bounds.
struct Lister<'a> {
    objects: &'a Objects,
    entries: usize,
    bytes: u64,
    most: u64,
}

impl Lister<'_> {
    fn list(mut self, commit: ObjectId) -> Result<Directories, Failure> {
        let top = self.objects.tree_of(commit).ok_or(Failure::Missing)?;
        let mut res = Directories::new();
        // Equal directories share their entries.
        let mut known: HashMap<ObjectId, Arc<[CommitEntry]>> = HashMap::new();
        let mut pending = vec![(String::new(), top)];
        while let Some((path, tree)) = pending.pop() {
            let entries = match known.get(&tree) {
                Some(entries) => Arc::clone(entries),
                None => self.entries(tree)?,
            };
            self.count(&path, entries.len())?;
            for entry in entries.iter().filter(|it| it.kind == EntryType::Directory) {
                let below = join(&path, &entry.name);
                // A tree may contain itself.
                if below.len() <= MAX_PATH {
                    pending.push((below, entry.id));
                }
            }
            known.insert(tree, Arc::clone(&entries));
            res.insert(path, entries);
        }
        Ok(res)
    }

    fn count(&mut self, path: &str, entries: usize) -> Result<(), Failure> {
        self.entries += entries + 1;
        self.bytes += (entries as u64 + 1) * (ENTRY_BYTES + path.len() as u64);
        match self.entries > MAX_ENTRIES || self.bytes > self.most {
            true => Err(Failure::TooManyFiles),
            false => Ok(()),
        }
    }

    /// The entries of a directory by name: no submodules, and no names that lead elsewhere.
    fn entries(&mut self, id: ObjectId) -> Result<Arc<[CommitEntry]>, Failure> {
        let tree = self.objects.tree(id).ok_or(Failure::Missing)?;
        let mut entries = Vec::new();
        for it in tree.iter() {
            let name = std::str::from_utf8(it.name).ok().filter(|it| is_plain(it));
            let kind = match it.mode & 0o170_000 {
                0o040_000 => EntryType::Directory,
                0o100_000 => EntryType::File,
                0o120_000 => EntryType::Symlink,
                _ => continue,
            };
            let Some(name) = name.map(str::to_owned) else { continue };
            let link = match kind {
                EntryType::Symlink => self.objects.blob(it.id, MAX_PATH).unwrap_or_default(),
                _ => Vec::new(),
            };
            let link = String::from_utf8_lossy(&link).into_owned();
            entries.push(CommitEntry { name, kind, id: it.id, link });
        }
        // Of several entries with one name, which git does not write, the first counts.
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        entries.dedup_by(|a, b| a.name == b.name);
        Ok(entries.into())
    }
}

/// The path of `relative`, which may be empty, in `directory`.
fn joined(directory: &str, relative: &str) -> String {
    if relative.is_empty() { directory.to_owned() } else { join(directory, relative) }
}

/// Whether a name is a plain entry name on every system, and not git's own data.
fn is_plain(name: &str) -> bool {
    let leads_elsewhere = |it: char| it == '/' || it == '\0' || cfg!(windows) && "\\:".contains(it);
    !matches!(name, "" | "." | "..")
        && !name.eq_ignore_ascii_case(".git")
        && !name.contains(leads_elsewhere)
}

impl CommitEntry {
    /// The entry with a name.
    pub(crate) fn named<'e>(entries: &'e [Self], name: &str) -> io::Result<&'e Self> {
        let found = entries.binary_search_by(|it| it.name.as_str().cmp(name));
        found.map(|at| &entries[at]).map_err(|_| io::ErrorKind::NotFound.into())
    }

    /// A stamp that changes with the content. The size is known only when the content is read.
    pub(crate) fn stamp(&self) -> Stamp {
        let inode = self.id.0.first_chunk().map_or(0, |it| u64::from_le_bytes(*it));
        Stamp { size: 0, mtime_ns: 0, ctime_ns: 0, inode }
    }
}

impl CommitRoot {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn enclosing(&self) -> Enclosing {
        let Revision { top, common_dir, .. } = &*self.revision;
        Enclosing { top: top.clone(), common_dir: Some(common_dir.clone()) }
    }

    pub(crate) fn failure(&self) -> Option<LoadError> {
        self.failure.get().map(|it| self.revision.error(*it))
    }

    pub(crate) fn directory(&self, relative: &str) -> io::Result<Arc<[CommitEntry]>> {
        let directories = self.revision.directories().map_err(|it| self.fail(it))?;
        let found = directories.get(&joined(&self.below, relative));
        found.cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The type of a path; `None` if there is none.
    pub(crate) fn entry(&self, relative: &str) -> Option<EntryType> {
        if relative.is_empty() {
            return self.directory("").is_ok().then_some(EntryType::Directory);
        }
        let (parent, name) = relative.rsplit_once('/').unwrap_or(("", relative));
        Some(CommitEntry::named(&self.directory(parent).ok()?, name).ok()?.kind)
    }

    /// Opens a file. One of more than `most` bytes has no bytes.
    pub(crate) fn file(&self, relative: &str, most: u64) -> io::Result<OpenFile> {
        let (parent, name) = relative.rsplit_once('/').unwrap_or(("", relative));
        let entries = self.directory(parent)?;
        self.open(CommitEntry::named(&entries, name)?, most)
    }

    /// Opens a file between the root and the top by its absolute path.
    pub(crate) fn file_above(&self, path: &Path, most: u64) -> io::Result<OpenFile> {
        let relative =
            index_path::below(&self.revision.top, path).ok_or(io::ErrorKind::NotFound)?;
        self.revision.below(&self.revision.top).file(&relative, most)
    }

    /// Refuses files that unpack to too much before any is read, by the sizes at the start of their objects. Each has a
    /// maximum; larger ones are not read, and do not count.
    pub(crate) fn check_sizes<'p>(
        &self,
        files: impl Iterator<Item = (&'p str, u64)>,
    ) -> Result<(), LoadError> {
        let (mut known, mut sum) = (HashMap::new(), 0_u64);
        for (path, most) in files {
            let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
            let Ok(entries) = self.directory(parent) else { break };
            let Ok(entry) = CommitEntry::named(&entries, name) else { continue };
            let size =
                *known.entry(entry.id).or_insert_with(|| self.revision.objects().size(entry.id));
            sum += size.filter(|it| *it <= most).unwrap_or(0);
            if sum > FREE_BYTES && sum > self.revision.max_bytes() {
                self.fail(Failure::TooLarge);
                break;
            }
        }
        self.failure().map_or(Ok(()), Err)
    }

    fn open(&self, entry: &CommitEntry, most: u64) -> io::Result<OpenFile> {
        if entry.kind != EntryType::File {
            return Err(stale_path());
        }
        let most = usize::try_from(most).unwrap_or(MAX_FILE).min(MAX_FILE);
        let found = self.revision.blob(entry.id, most);
        let (bytes, size) = found.ok_or_else(|| self.fail(Failure::Missing))?;
        let read = self.read.fetch_add(bytes.len() as u64, Ordering::Relaxed) + bytes.len() as u64;
        if read > FREE_BYTES && read > self.revision.max_bytes() {
            return Err(self.fail(Failure::TooLarge));
        }
        Ok(OpenFile { bytes: Box::new(io::Cursor::new(bytes)), size, stamp: entry.stamp() })
    }

    /// Where a link leads, by the paths alone: the target may be a link itself.
    pub(crate) fn target(&self, relative: &str) -> io::Result<PathBuf> {
        let (parent, name) = relative.rsplit_once('/').unwrap_or(("", relative));
        let entries = self.directory(parent)?;
        let link = Path::new(&CommitEntry::named(&entries, name)?.link);
        let target = index_path::without_dots(&self.path.join(parent).join(link));
        match index_path::below(&self.path, &target) {
            Some(inside) if self.entry(&inside).is_none() => Err(io::ErrorKind::NotFound.into()),
            _ => Ok(target),
        }
    }

    /// Notes the failure, which ends the request.
    fn fail(&self, failure: Failure) -> io::Error {
        let _ = self.failure.set(failure);
        io::Error::other(self.revision.error(failure))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_leads_elsewhere_is_not_plain() {
        for name in ["", ".", "..", "../x", "a/b", "/etc", ".git", ".GIT", "a\0b"] {
            assert!(!is_plain(name), "{name}");
        }
        assert!(is_plain("...") && is_plain(".gitignore") && is_plain("a b"));
    }
}
