//! What the files of a workspace have that the commit which is checked out has not: the user's saved work.
//!
//! Nothing is written, and git is not run: its own configuration could run other programs. Which files may differ is known
//! from their stamps, without reading them; of those the latest are compared with the commit, as texts.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use foreword_engine::index::{CommitDiff, FileDiff, IndexedFile, Snapshot};
use foreword_engine::secret::masked;

use crate::git::{self, Committed, ObjectId, Objects, Standing};
use crate::stamp::{Stamp, stamp_of};
use crate::text::{DEFAULT_MAX_FILE_SIZE, decode};
use crate::workspace::Workspace;

/// How many files that may differ are compared, those that were written last: a large refactoring, or a checkout that
/// another program wrote. At some 50 µs each they cost milliseconds.
const MAX_COMPARED: usize = 64;

/// How many files that do differ are of use: past that a piece says little about what is being done now.
const MAX_FILES: usize = 32;

/// A file with large text that Git LFS keeps elsewhere begins so in the commit.
const POINTER: &[u8] = b"version https://git-lfs";

/// What a difference to the commit depends on beside the files: two equal states and the same files give the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GitState {
    head: Option<String>,
    index: Option<Stamp>,
}

impl GitState {
    /// The commit that is checked out now, and the stamp of git's index.
    pub fn of(workspace: &Workspace) -> Self {
        let Some(git) = &workspace.git else { return Self::default() };
        let head = git::top_at(&git.work_tree).and_then(|it| it.git()).and_then(|it| it.head);
        let index = std::fs::metadata(git.git_dir.join("index")).ok();
        Self { head, index: index.map(|it| stamp_of(&it)) }
    }
}

/// The difference between the `files` of a view, with the texts of `snapshot`, and the commit. It is empty outside of git,
/// before the first commit, and where git's files cannot be read (a split index, another hash than SHA-1, too many
/// directories without a cache of trees).
pub fn commit_diff(
    workspace: &Workspace,
    files: &[IndexedFile],
    snapshot: &Snapshot,
) -> CommitDiff {
    let diff = || Some(Comparison::new(workspace, files)?.diff(snapshot));
    diff().unwrap_or_default()
}

/// Files beside the commit.
struct Comparison<'a> {
    objects: Objects,
    work_tree: &'a Path,
    /// Of the root below the work tree, with a slash at its end; empty where they are the same.
    prefix: String,
    /// Files that may differ, the latest first, each with the commit's blob.
    candidates: Vec<(&'a IndexedFile, Option<ObjectId>)>,
}

impl<'a> Comparison<'a> {
    fn new(workspace: &'a Workspace, files: &'a [IndexedFile]) -> Option<Self> {
        let known = workspace.git.as_ref()?;
        // The commit may be another than when the workspace was opened.
        let git = git::top_at(&known.work_tree)?.git()?;
        let objects = Objects::open(&git.common_dir);
        let tree = objects.tree_of(ObjectId::from_hex(&git.head?)?)?;
        let committed = Committed::read(&git.git_dir, &objects, tree)?;
        let below = workspace.root.strip_prefix(&known.work_tree).ok()?.to_str()?;
        let prefix = match below.is_empty() {
            true => String::new(),
            false => format!("{}/", below.replace('\\', "/")),
        };
        let standing = |it: &IndexedFile| {
            committed.standing(format!("{prefix}{}", it.path).as_bytes(), &it.stamp)
        };
        let candidate = |it: &'a IndexedFile| match standing(it) {
            Standing::Differs(blob) => Some((it, blob)),
            Standing::Committed | Standing::Foreign => None,
        };
        let mut candidates: Vec<_> = files.iter().filter_map(candidate).collect();
        candidates.sort_by(|(a, _), (b, _)| {
            b.stamp.mtime_ns.cmp(&a.stamp.mtime_ns).then_with(|| a.path.cmp(&b.path))
        });
        Some(Self { objects, work_tree: &known.work_tree, prefix, candidates })
    }

    fn diff(&self, snapshot: &Snapshot) -> CommitDiff {
        let mut nested = Nested { work_tree: self.work_tree, known: HashMap::new() };
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
                if bytes.starts_with(POINTER) {
                    return None;
                }
                Some(Arc::from(masked(decode(bytes).ok()?.0)))
            }
            None => None,
        };
        FileDiff::new(it.path.clone(), committed, &text)
    }
}

/// Which directories of a work tree are repositories of their own: git does not look into them.
struct Nested<'a> {
    work_tree: &'a Path,
    known: HashMap<String, bool>,
}

impl Nested<'_> {
    /// Whether a path is inside of one.
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
