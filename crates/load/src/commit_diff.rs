//! Differences between the files of a workspace and the checked-out commit: the user's saved work.
//!
//! Nothing is written, and git is not run, because its configuration could run other programs. Stamps show which files
//! may differ, without reading them; the most recent of those are compared with the commit as text.

use std::collections::HashMap;
use std::path::{MAIN_SEPARATOR, Path};
use std::sync::Arc;

use foreword_engine::index::{CommitDiff, FileDiff, IndexedFile, Snapshot};
use foreword_engine::secret::masked;

use crate::git::{self, CommitIndex, CommitState, HISTORY_WORK, ObjectId, Objects};
use crate::root::DirectoryRoot;
use crate::stamp::{Stamp, stamp_of};
use crate::text::{DEFAULT_MAX_FILE_SIZE, decode};
use crate::workspace::Workspace;

/// Maximum number of files to compare, the most recently written first. Protects against a large refactoring or a
/// checkout by another program. A file takes some 50 µs.
const MAX_COMPARED: usize = 64;

/// Maximum number of differing files. Beyond that a difference says little about the current task.
const MAX_FILES: usize = 32;

/// The start of a committed file whose large content Git LFS stores elsewhere.
const LFS_POINTER: &[u8] = b"version https://git-lfs";

/// The state, beside the files, on which a commit difference depends. Equal states and equal files give equal
/// differences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GitState {
    head: Option<String>,
    index: Option<Stamp>,
}

impl GitState {
    /// Whether both have the same commit checked out.
    pub fn has_commit_of(&self, other: &Self) -> bool {
        self.head == other.head
    }

    /// Reads the checked-out commit and the stamp of git's index.
    pub fn of(workspace: &Workspace) -> Self {
        let git = workspace.git.as_ref().filter(|_| workspace.revision.is_none());
        let Some(git) = git else { return Self::default() };
        let head = git::top_at(&git.work_tree).and_then(|it| it.git()).and_then(|it| it.head);
        let index = DirectoryRoot::open_canonical(&git.git_dir).and_then(|it| it.file("index"));
        let index = index.and_then(|it| it.metadata()).ok();
        Self { head, index: index.map(|it| stamp_of(&it)) }
    }
}

/// The difference between the commit and the `files` of a view, with the texts of `snapshot`. Empty for a revision, outside
/// of git, before the first commit, and if git's files cannot be read (a split index, a hash other than SHA-1, too many
/// directories without a cache of trees).
pub fn commit_diff(
    workspace: &Workspace,
    files: &[IndexedFile],
    snapshot: &Snapshot,
) -> CommitDiff {
    let diff = || Some(Comparison::new(workspace, files)?.diff(snapshot));
    diff().unwrap_or_default()
}

/// Compares files with the commit.
struct Comparison<'a> {
    objects: Objects,
    work_tree: &'a Path,
    /// Path of the root below the work tree, ending with a slash; empty if they are equal.
    prefix: String,
    /// Files that may differ, the most recent first, each with the commit's blob.
    candidates: Vec<(&'a IndexedFile, Option<ObjectId>)>,
}

impl<'a> Comparison<'a> {
    fn new(workspace: &'a Workspace, files: &'a [IndexedFile]) -> Option<Self> {
        let known = workspace.git.as_ref().filter(|_| workspace.revision.is_none())?;
        // The commit may have changed since the workspace was opened.
        let head = git::top_at(&known.work_tree)?.git().filter(|it| known.is_same(it))?.head?;
        let objects = known.objects(HISTORY_WORK);
        let tree = objects.tree_of(ObjectId::from_hex(&head)?)?;
        let committed = CommitIndex::read(known, &objects, tree)?;
        let below = workspace.root.strip_prefix(&known.work_tree).ok()?.to_str()?;
        let prefix = match below.is_empty() {
            true => String::new(),
            false => format!("{}/", below.replace(MAIN_SEPARATOR, "/")),
        };
        let compare = |it: &IndexedFile| {
            committed.compare(format!("{prefix}{}", it.path).as_bytes(), &it.stamp)
        };
        let candidate = |it: &'a IndexedFile| match compare(it) {
            CommitState::Differs(blob) => Some((it, blob)),
            CommitState::CommitIndex | CommitState::Foreign => None,
        };
        let mut candidates: Vec<_> = files.iter().filter_map(candidate).collect();
        candidates.sort_by(|(a, _), (b, _)| {
            b.stamp.mtime_ns.cmp(&a.stamp.mtime_ns).then_with(|| a.path.cmp(&b.path))
        });
        Some(Self { objects, work_tree: &known.work_tree, prefix, candidates })
    }

    fn diff(&self, snapshot: &Snapshot) -> CommitDiff {
        let mut nested = NestedRepositories { work_tree: self.work_tree, known: HashMap::new() };
        let own = self.candidates.iter().filter(|(it, _)| {
            let path = format!("{}{}", self.prefix, it.path);
            !nested.holds(&path)
        });
        let compared = own.take(MAX_COMPARED);
        let files = compared.filter_map(|(it, blob)| self.file(it, *blob, snapshot));
        CommitDiff { files: files.take(MAX_FILES).collect() }
    }

    fn file(
        &self,
        it: &IndexedFile,
        blob: Option<ObjectId>,
        snapshot: &Snapshot,
    ) -> Option<FileDiff> {
        let text = snapshot.text(snapshot.file(&it.path)?);
        let committed = match blob {
            Some(blob) => {
                let bytes = self.objects.blob(blob, DEFAULT_MAX_FILE_SIZE as usize)?;
                if bytes.starts_with(LFS_POINTER) {
                    return None;
                }
                Some(Arc::from(masked(decode(bytes).ok()?.0)))
            }
            None => None,
        };
        FileDiff::new(it.path.clone(), committed, &text)
    }
}

/// Directories of a work tree that are repositories themselves; git does not enter them.
struct NestedRepositories<'a> {
    work_tree: &'a Path,
    known: HashMap<String, bool>,
}

impl NestedRepositories<'_> {
    /// Whether a path is inside a nested repository.
    fn holds(&mut self, path: &str) -> bool {
        let Some((directory, _)) = path.rsplit_once('/') else { return false };
        if let Some(known) = self.known.get(directory) {
            return *known;
        }
        let is_own = self.work_tree.join(directory).join(".git").exists();
        let res = is_own || self.holds(directory);
        self.known.insert(directory.to_owned(), res);
        res
    }
}
