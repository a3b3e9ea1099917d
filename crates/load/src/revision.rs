//! Checks out the files of a commit below the index directory, where commands read them like a work tree.
//!
//! ```text
//! revisions/HASH/files/    the files, and a `.git` file that points to the next directory
//! revisions/HASH/git/      the commit and the path of its repository, as in a work tree added by git
//! ```
//!
//! So everything else (ignore rules, limits, masks, changes of the index) works as for files on disk, and the repository's
//! segments are shared. The repository itself is only read: git does not know of these work trees. The most recently used
//! revisions are kept.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use foreword_engine::index::INDEX_TAG;

use crate::env::{self, Environment};
use crate::error::LoadError;
use crate::git::{self, CommitFile, ObjectId, Objects};
use crate::walk::secret_names;
use crate::workspace::{Workspace, index_dir};

/// Number of revisions kept for a repository.
const MAX_REVISIONS: usize = 4;

/// A revision used within this time is not removed: another process may be reading it.
const IN_USE_PERIOD: Duration = Duration::from_hours(1);

/// Maximum bytes of a file to write. A larger one is created empty with its size, which suffices to skip it.
const MAX_FILE: usize = 64 << 20;

/// The checked-out files of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The extracted tree, or the subdirectory that corresponds to the caller's.
    pub directory: PathBuf,
    /// The commit, in hexadecimal.
    pub commit: String,
}

impl Revision {
    /// Checks out a commit of the repository around `from`, bare or not, unless it is already there. `name` is a
    /// branch, a tag, `HEAD` or the beginning of a hash, with steps to ancestors as in `main~2`.
    ///
    /// `base` overrides the parent directory of indexes. Files whose names indicate secrets are written without
    /// contents.
    pub fn check_out(
        from: &Path,
        name: &str,
        base: Option<&Path>,
        environment: &Environment,
    ) -> Result<Self, LoadError> {
        let asked = env::absolute(from)
            .and_then(dunce::canonicalize)
            .map_err(|error| LoadError::from_io(from, error))?;
        let top = git::repository_around(&asked);
        let top = top.ok_or_else(|| LoadError::NoRepository { path: asked.clone() })?;
        let storage =
            top.storage.as_ref().ok_or_else(|| LoadError::NoRepository { path: asked.clone() })?;
        let objects = Objects::open(&storage.common_dir);
        let commit = git::commit_named(storage, &objects, name).ok_or_else(|| {
            LoadError::NoRevision { path: top.work_tree.clone(), name: name.to_owned() }
        })?;
        let workspace =
            Workspace { root: top.work_tree.clone(), git: top.git(), name: String::new() };
        let index = index_dir(&workspace, base, environment)?;
        let place = Place { index, commit, common_dir: storage.common_dir.clone() };
        let files = place.fill(&objects)?;
        // For a subdirectory of the work tree, the same subdirectory of the commit.
        let below = asked.strip_prefix(&top.work_tree).ok().filter(|_| !top.is_bare());
        let directory = below.map(|it| files.join(it)).filter(|it| it.is_dir());
        Ok(Self { directory: directory.unwrap_or(files), commit: commit.hex() })
    }
}

/// The directory of a checked-out commit.
struct Place {
    /// The directory of the repository's indexes.
    index: PathBuf,
    commit: ObjectId,
    common_dir: PathBuf,
}

impl Place {
    fn all(&self) -> PathBuf {
        self.index.join("revisions")
    }

    /// Returns the directory with the files, creating it if necessary. It exists only when complete.
    fn fill(&self, objects: &Objects) -> Result<PathBuf, LoadError> {
        let whole = self.all().join(self.commit.hex());
        if !whole.is_dir() {
            let files = git::files_of(objects, self.commit);
            let files = files.ok_or_else(|| self.missing())?;
            let unfinished = self.all().join(format!("unfinished-{}", std::process::id()));
            let _ = fs::remove_dir_all(&unfinished);
            let written = self.write(&unfinished, &whole, objects, &files);
            // Another process may have finished first.
            let placed = written.and_then(|()| match fs::rename(&unfinished, &whole) {
                Err(_) if whole.is_dir() => Ok(()),
                res => res.map_err(|error| not_written(&whole, error)),
            });
            let _ = fs::remove_dir_all(&unfinished);
            placed?;
        }
        let _ = File::options()
            .write(true)
            .open(whole.join("git/HEAD"))
            .and_then(|it| it.set_modified(SystemTime::now()));
        self.remove_old();
        dunce::canonicalize(whole.join("files")).map_err(|error| LoadError::from_io(&whole, error))
    }

    fn missing(&self) -> LoadError {
        LoadError::MissingObjects { path: self.common_dir.clone(), commit: self.commit.hex() }
    }

    /// Writes everything into `directory`, which will be renamed to `whole`.
    fn write(
        &self,
        directory: &Path,
        whole: &Path,
        objects: &Objects,
        files: &[CommitFile],
    ) -> Result<(), LoadError> {
        let common = format!("{}\n", self.common_dir.display());
        let link = format!("gitdir: {}\n", whole.join("git").display());
        let own = [
            ("git/HEAD", format!("{}\n", self.commit.hex())),
            ("git/commondir", common),
            ("files/.git", link),
        ];
        private_directory(&self.all())?;
        let tag = self.index.join("CACHEDIR.TAG");
        if !tag.exists() {
            create(&tag, INDEX_TAG.as_bytes())?;
        }
        for (path, text) in own {
            create(&directory.join(path), text.as_bytes())?;
        }
        for file in files {
            let path = directory.join("files").join(&file.path);
            if secret_names::secret_part("", &file.path, |_, _| false).is_some() {
                create(&path, b"")?;
            } else if let Some(bytes) = objects.blob(file.blob, MAX_FILE) {
                create(&path, &bytes)?;
            } else if objects.has(file.blob) {
                create(&path, b"")?;
                let sized = File::options().write(true).open(&path);
                sized
                    .and_then(|it| it.set_len(MAX_FILE as u64 + 1))
                    .map_err(|error| not_written(&path, error))?;
            } else {
                return Err(self.missing());
            }
        }
        Ok(())
    }

    /// Removes unfinished revisions and all but the most recently used ones.
    fn remove_old(&self) {
        let entries = fs::read_dir(self.all()).into_iter().flatten().filter_map(Result::ok);
        let used = |it: &Path| it.join("git/HEAD").metadata().and_then(|it| it.modified()).ok();
        let mut all: Vec<_> = entries.map(|it| it.path()).map(|it| (used(&it), it)).collect();
        all.sort_unstable();
        let now = SystemTime::now();
        let is_idle = |it: &Option<SystemTime>| {
            it.is_some_and(|it| now.duration_since(it).is_ok_and(|it| it > IN_USE_PERIOD))
        };
        let beyond = all.len().saturating_sub(MAX_REVISIONS);
        for (_, path) in all.into_iter().take(beyond).filter(|it| is_idle(&it.0)) {
            self.forget(&path.join("files"));
            let _ = fs::remove_dir_all(&path);
        }
    }

    /// Removes the views of a root from the stores of all versions. Writing the next index removes their segments.
    fn forget(&self, root: &Path) {
        let root = dunce::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let view = Workspace { root, git: None, name: String::new() }.view_key();
        for store in fs::read_dir(&self.index).into_iter().flatten().filter_map(Result::ok) {
            let _ = fs::remove_file(store.path().join("views").join(format!("{view}.manifest")));
        }
    }
}

/// Makes a directory that only its user may read, because the code may be private.
fn private_directory(path: &Path) -> Result<(), LoadError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|error| not_written(path, error))
}

/// Creates a file and its parent directories.
fn create(path: &Path, bytes: &[u8]) -> Result<(), LoadError> {
    let write = || {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        match File::create_new(path) {
            // On some systems names that differ by case are one file.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            file => file?.write_all(bytes),
        }
    };
    write().map_err(|error| not_written(path, error))
}

fn not_written(path: &Path, source: io::Error) -> LoadError {
    LoadError::NotWritten { path: path.to_owned(), source }
}
