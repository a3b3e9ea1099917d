//! Compares files with the checked-out commit: whether each has the committed content, and which blob that is.
//!
//! As in git, the index records the stamp of each file when it was added, and its cache of trees records unchanged
//! directories, so that neither files nor most trees have to be read.

use std::collections::HashMap;
use std::io::Read as _;
use std::ops::Range;

use super::index::{CachedTree, Index};
use super::objects::{ObjectId, Objects};
use super::{Git, GitProblem};
use crate::root::DirectoryRoot;
use crate::stamp::{Stamp, stamp_of};

/// Maximum size of the index. Half a million files have one of 65 MB; in memory it takes three times as much.
const MAX_INDEX: u64 = 96 << 20;

/// Maximum number of trees to read, some 20 µs each. Reached if the index has no cache of trees, which only git writes.
const MAX_TREES: usize = 400;

/// Maximum bytes of the paths in those trees, each with what it takes to keep one; a tree can be named many times.
const MAX_PATHS: usize = 128 << 20;
const PATH_BYTES: usize = 64;

/// Maximum length of a path.
const MAX_PATH: usize = 4096;

/// File mode of a submodule.
const SUBMODULE: u32 = 0o160_000;

/// Whether a file has the committed content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommitState {
    /// It has the committed content.
    CommitIndex,
    /// It may differ from this blob of the commit; `None` if the commit has no such file.
    Differs(Option<ObjectId>),
    /// It belongs to another repository, or is marked as assumed unchanged.
    Foreign,
}

/// The checked-out commit, according to git's index.
pub(crate) struct CommitIndex {
    index: Index,
    /// Modification time of the index, in nanoseconds.
    written_ns: i64,
    /// Blobs of the commit by path, where the index has others; `None` where the commit has no file.
    staged: HashMap<Vec<u8>, Option<ObjectId>>,
    /// Directories of submodules, ending with a slash.
    submodules: Vec<Vec<u8>>,
}

impl CommitIndex {
    /// Compares the index of a work tree with the tree of its commit; `None` if the index is unreadable or split.
    pub(crate) fn read(git: &Git, objects: &Objects, tree: ObjectId) -> Option<Self> {
        let file = DirectoryRoot::open_canonical(&git.git_dir).ok()?.file("index").ok()?;
        let stamp = stamp_of(&file.metadata().ok()?);
        if stamp.size > MAX_INDEX {
            let path = git.git_dir.join("index");
            objects.note(|| GitProblem::TooLarge { path, most: MAX_INDEX });
            return None;
        }
        let mut bytes = Vec::with_capacity(stamp.size as usize);
        file.take(MAX_INDEX).read_to_end(&mut bytes).ok()?;
        let index = Index::parse(&bytes)?;
        let staged = Comparison::new(objects, &index).staged(tree)?;
        let submodules = index.entries.iter().filter(|it| it.mode == SUBMODULE);
        let submodules = submodules.map(|it| [&it.path[..], b"/"].concat()).collect();
        Some(Self { index, written_ns: stamp.mtime_ns, staged, submodules })
    }

    /// Compares a file with the commit, by its path below the work tree and its stamp.
    ///
    /// As in git, size and modification time decide. Inode and change time do not, or every copy of a repository would
    /// differ. A file that is not older than the index may have been written after it.
    pub(crate) fn compare(&self, path: &[u8], stamp: &Stamp) -> CommitState {
        if self.submodules.iter().any(|it| path.starts_with(it)) {
            return CommitState::Foreign;
        }
        if let Some(blob) = self.staged.get(path) {
            return CommitState::Differs(*blob);
        }
        let entries = &self.index.entries;
        let Ok(at) = entries.binary_search_by(|it| (&*it.path, it.stage).cmp(&(path, 0))) else {
            return CommitState::Differs(None);
        };
        let entry = &entries[at];
        if entry.is_assumed {
            return CommitState::Foreign;
        }
        let (seconds, nanoseconds) = (i64::from(entry.changed.0), entry.changed.1);
        let is_same_time = seconds == stamp.mtime_ns.div_euclid(1_000_000_000)
            && (nanoseconds == 0
                || i64::from(nanoseconds) == stamp.mtime_ns.rem_euclid(1_000_000_000));
        let is_older = stamp.mtime_ns < self.written_ns;
        // Git stores the lowest 32 bits of a size.
        match is_same_time && is_older && entry.size == stamp.size as u32 {
            true => CommitState::CommitIndex,
            false => CommitState::Differs(Some(entry.id)),
        }
    }
}

/// A comparison of a commit's tree with an index.
struct Comparison<'a> {
    objects: &'a Objects,
    index: &'a Index,
    /// Ranges of index entries that equal the commit.
    same: Vec<Range<usize>>,
    /// The commit's files in directories that may differ.
    blobs: HashMap<Vec<u8>, ObjectId>,
    /// Number of trees read.
    trees: usize,
    /// Bytes of the paths.
    path_bytes: usize,
}

impl<'a> Comparison<'a> {
    fn new(objects: &'a Objects, index: &'a Index) -> Self {
        Self { objects, index, same: Vec::new(), blobs: HashMap::new(), trees: 0, path_bytes: 0 }
    }

    /// The differing files with their committed blobs; `None` if a tree is missing.
    fn staged(mut self, tree: ObjectId) -> Option<HashMap<Vec<u8>, Option<ObjectId>>> {
        self.visit(&mut Vec::new(), tree, self.index.tree.as_ref())?;
        let Self { index, same, blobs, .. } = self;
        let mut same = same.into_iter().peekable();
        let mut res = HashMap::new();
        for (at, entry) in index.entries.iter().enumerate() {
            while same.next_if(|it| it.end <= at).is_some() {}
            if same.peek().is_some_and(|it| it.contains(&at)) {
                continue;
            }
            let blob = blobs.get(&entry.path).copied();
            let is_file = entry.mode & 0o170_000 == 0o100_000;
            if is_file && blob != Some(entry.id) {
                res.insert(entry.path.clone(), blob);
            }
        }
        Some(res)
    }

    /// Records the entries of a directory, whose path ends with a slash; `cache` is its entry in the cache of trees.
    fn visit(
        &mut self,
        path: &mut Vec<u8>,
        tree: ObjectId,
        cache: Option<&CachedTree>,
    ) -> Option<()> {
        if cache.is_some_and(|it| it.id == Some(tree)) {
            self.same.push(self.below(path));
            return Some(());
        }
        self.trees += 1;
        if self.trees > MAX_TREES {
            return None;
        }
        let length = path.len();
        let entries = self.objects.tree(tree)?;
        let children = cache.into_iter().flat_map(|it| &it.children);
        let children: HashMap<&[u8], &CachedTree> = children.map(|it| (&*it.name, it)).collect();
        for entry in entries.iter() {
            path.extend_from_slice(entry.name);
            self.path_bytes += path.len() + PATH_BYTES;
            if self.path_bytes > MAX_PATHS || path.len() > MAX_PATH {
                self.objects.note(|| GitProblem::TooDeep);
                return None;
            }
            if entry.is_tree() {
                path.push(b'/');
                self.visit(path, entry.id, children.get(entry.name).copied())?;
            } else if entry.is_file() {
                self.blobs.insert(path.clone(), entry.id);
            }
            path.truncate(length);
        }
        Some(())
    }

    /// The index entries in a directory.
    fn below(&self, path: &[u8]) -> Range<usize> {
        let entries = &self.index.entries;
        let start = entries.partition_point(|it| &*it.path < path);
        let length = entries[start..].partition_point(|it| it.path.starts_with(path));
        start..start + length
    }
}
