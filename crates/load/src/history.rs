//! The changes of the last commits, read from git's objects and cached in the index directory, so that only new commits
//! are read again.
//!
//! git is not run. Only names and hashes of files are read, so contents hidden by ignore files stay unread. Callers
//! show only paths that are in the index.
//!
//! The history is empty outside of git, before the first commit, and in repositories with a hash other than SHA-1.
//! Shallow and partial clones have the commits whose trees and parents' trees are present.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use bitcode::{Decode, Encode};
use foreword_engine::history::{History, PastCommit};

use crate::git::{
    self, Change, CommitRecord, Git, GitProblem, HISTORY_WORK, ObjectId, Objects, Walker,
};
use crate::root::open_regular;
use crate::workspace::Workspace;

/// Limits of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryLimits {
    /// Maximum number of commits with changes.
    pub commits: usize,
    /// Maximum number of trees to read in one call; the next call continues.
    pub trees: usize,
}

impl HistoryLimits {
    /// Limits for answers: the last months of a large repository (180 days of history predict best, arXiv 2411.19099)
    /// or years of a small one, in about a second without a cache.
    pub fn usual() -> Self {
        Self { commits: 3000, trees: 60_000 }
    }
}

/// Commits and directories that [`last_files`] reads: some milliseconds.
const LAST_COMMITS: usize = 20;
const LAST_TREES: usize = 2000;

/// Maximum files of a commit that [`last_files`] uses, and of its answer.
const LAST_COMMIT_FILES: u32 = 20;
const LAST_FILES: usize = 8;

/// Header of the cache file; the number is the version of its format.
const MAGIC: &[u8; 16] = b"foreword past 1\n";

/// Maximum bytes of the cache file to read. Ours have a few hundred kilobytes.
const MAX_STORED: u64 = 64 << 20;

/// A history, and why it is missing or ends early, if git's data were there but not read.
#[derive(Clone, Debug, Default)]
pub struct GitHistory {
    /// The last commits, the latest first.
    pub history: History,
    /// Why there is no more of it.
    pub problem: Option<GitProblem>,
    /// Whether the next call, which continues in the cache, has more of it.
    pub is_cut: bool,
}

/// The last commits of the workspace's repository that changed files below its root. With `index_dir`, the directory of
/// an index, cached commits are not read again.
pub fn history(
    workspace: &Workspace,
    index_dir: Option<&Path>,
    limits: &HistoryLimits,
) -> GitHistory {
    let Some(known) = &workspace.git else {
        let problem = git::top_of(&workspace.root).and_then(|it| it.problem);
        return GitHistory { problem, ..GitHistory::default() };
    };
    let objects = known.objects(HISTORY_WORK);
    let read = || {
        let head = head_of(workspace, known)?;
        let below = workspace.root.strip_prefix(&known.work_tree).ok()?;
        let names = below.components().map(|it| Some(it.as_os_str().to_str()?.to_owned()));
        let walker = Walker {
            objects: &objects,
            below: names.collect::<Option<_>>()?,
            commits: limits.commits,
            trees: limits.trees,
        };
        let stored = index_dir.map(|it| cache_path(it, workspace));
        Some(walk(&walker, head, stored.as_deref()))
    };
    let (history, is_cut) = read().unwrap_or_default();
    GitHistory { history, problem: objects.problem(), is_cut }
}

/// The commit that is checked out, or the one that the workspace shows.
fn head_of(workspace: &Workspace, known: &Git) -> Option<ObjectId> {
    // A commit stays what it is; a branch may have moved since the workspace was opened.
    let now = || git::top_at(&known.work_tree)?.git().filter(|it| known.is_same(it))?.head;
    ObjectId::from_hex(&workspace.revision.as_ref().map_or_else(now, |it| Some(it.commit()))?)
}

/// Files of the last commits by the author of the checked-out one, the latest first: where the user has worked. Empty
/// without a history.
pub fn last_files(workspace: &Workspace) -> Vec<String> {
    let Some(known) = &workspace.git else { return Vec::new() };
    let limits = HistoryLimits { commits: LAST_COMMITS, trees: LAST_TREES };
    let history = history(workspace, None, &limits).history;
    let objects = known.objects(HISTORY_WORK);
    let Some(author) = head_of(workspace, known).and_then(|it| objects.author(it)) else {
        return Vec::new();
    };
    let is_own = |it: &&PastCommit| objects.author(ObjectId(it.id)).as_ref() == Some(&author);
    let small = history.commits.iter().filter(|it| it.n_files <= LAST_COMMIT_FILES);
    let mut res: Vec<String> = Vec::new();
    for file in small.filter(is_own).flat_map(|it| &it.files) {
        let Some(path) = history.paths.get(*file as usize) else { continue };
        if res.len() < LAST_FILES && !res.contains(path) {
            res.push(path.clone());
        }
    }
    res
}

/// A commit exists to compare files with: false outside of git and before the first commit.
pub fn has_commit(workspace: &Workspace) -> bool {
    let known = workspace.git.as_ref();
    // The first commit may have been made since the workspace was opened.
    known.is_some_and(|it| it.head.is_some() || head_of(workspace, it).is_some())
}

/// Why git's data of a workspace are not read, or only in part, as far as that is known without walking the history.
pub fn git_problem(workspace: &Workspace) -> Option<GitProblem> {
    match &workspace.git {
        Some(git) => git.objects(HISTORY_WORK).problem(),
        None => git::top_of(&workspace.root).and_then(|it| it.problem),
    }
}

/// The last commits up to `head` (40 hexadecimal digits) of the repository whose objects are below `git_dir`.
pub fn history_at(git_dir: &Path, head: &str, limits: &HistoryLimits) -> History {
    let Some(head) = ObjectId::from_hex(head) else { return History::default() };
    let git_dir = dunce::canonicalize(git_dir).unwrap_or_else(|_| git_dir.to_owned());
    let objects = Objects::open_within(&git_dir, &[], u64::MAX);
    let HistoryLimits { commits, trees } = *limits;
    walk(&Walker { objects: &objects, below: Vec::new(), commits, trees }, head, None).0
}

/// The path of a root's cache file.
fn cache_path(index_dir: &Path, workspace: &Workspace) -> PathBuf {
    index_dir.join(format!("history-{}", &workspace.view_key()[..12]))
}

/// The history, and whether it is cut.
fn walk(walker: &Walker<'_>, head: ObjectId, stored: Option<&Path>) -> (History, bool) {
    let mut known = stored.and_then(|it| HistoryCache::read(it)?.known()).unwrap_or_default();
    let before = known.len();
    let (commits, is_cut) = walker.walk(head, &mut known);
    // All cached commits were met, and no others.
    let is_new = commits.len() + known.len() != before || !known.is_empty();
    if let Some(path) = stored.filter(|_| is_new) {
        // Another process may write the same. If the index cannot be written, only time is lost.
        let _ = HistoryCache::new(&commits).write(path);
    }
    let mut paths = Paths::default();
    let commits = commits.into_iter().filter_map(|(id, it)| past(id, it, &mut paths)).collect();
    (History { commits, paths: paths.all }, is_cut)
}

fn past(id: ObjectId, known: CommitRecord, paths: &mut Paths) -> Option<PastCommit> {
    let change = known.change?;
    Some(PastCommit {
        id: id.0,
        time: known.time,
        files: change.files.iter().map(|it| paths.number(it)).collect(),
        n_files: change.n_files,
        moves: change.moves.iter().map(|(a, b)| (paths.number(a), paths.number(b))).collect(),
    })
}

/// Paths with their indices.
#[derive(Default)]
struct Paths {
    all: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Paths {
    fn number(&mut self, path: &str) -> u32 {
        if let Some(known) = self.numbers.get(path) {
            return *known;
        }
        let number = self.all.len() as u32;
        self.all.push(path.to_owned());
        self.numbers.insert(path.to_owned(), number);
        number
    }
}

/// The format on disk.
#[derive(Encode, Decode)]
struct HistoryCache {
    commits: Vec<StoredCommit>,
    paths: Vec<String>,
}

#[derive(Encode, Decode)]
struct StoredCommit {
    id: [u8; 20],
    parents: Vec<[u8; 20]>,
    time: i64,
    change: Option<StoredChange>,
}

#[derive(Encode, Decode)]
struct StoredChange {
    files: Vec<u32>,
    n_files: u32,
    moves: Vec<(u32, u32)>,
}

impl HistoryCache {
    fn new(commits: &[(ObjectId, CommitRecord)]) -> Self {
        let mut paths = Paths::default();
        let mut change = |it: &Change| StoredChange {
            files: it.files.iter().map(|it| paths.number(it)).collect(),
            n_files: it.n_files,
            moves: it.moves.iter().map(|(a, b)| (paths.number(a), paths.number(b))).collect(),
        };
        let commit = |(id, known): &(ObjectId, CommitRecord)| StoredCommit {
            id: id.0,
            parents: known.parents.iter().map(|it| it.0).collect(),
            time: known.time,
            change: known.change.as_ref().map(&mut change),
        };
        let commits = commits.iter().map(commit).collect();
        Self { commits, paths: paths.all }
    }

    /// Reads a cache file; `None` if it is missing or damaged.
    fn read(path: &Path) -> Option<Self> {
        let mut bytes = Vec::new();
        open_regular(path).ok()?.take(MAX_STORED).read_to_end(&mut bytes).ok()?;
        let (hash, content) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<32>()?;
        let is_whole = blake3::hash(content).as_bytes() == hash;
        is_whole.then(|| bitcode::decode(content).ok()).flatten()
    }

    /// Writes to a temporary name, then renames, so that readers never see a part.
    fn write(&self, path: &Path) -> std::io::Result<()> {
        let content = bitcode::encode(self);
        let unfinished = path.with_extension(format!("{}.unfinished", std::process::id()));
        let write = || {
            let mut file = std::fs::File::create(&unfinished)?;
            file.write_all(MAGIC)?;
            file.write_all(blake3::hash(&content).as_bytes())?;
            file.write_all(&content)?;
            drop(file);
            std::fs::rename(&unfinished, path)
        };
        let written = write();
        if written.is_err() {
            let _ = std::fs::remove_file(&unfinished);
        }
        written
    }

    /// The commits by hash; `None` if a path is missing.
    fn known(self) -> Option<HashMap<ObjectId, CommitRecord>> {
        let path = |it: u32| self.paths.get(it as usize).cloned();
        let change = |it: StoredChange| {
            let moves = it.moves.iter().map(|(a, b)| Some((path(*a)?, path(*b)?)));
            Some(Change {
                files: it.files.iter().map(|it| path(*it)).collect::<Option<_>>()?,
                n_files: it.n_files,
                moves: moves.collect::<Option<_>>()?,
            })
        };
        let commit = |it: StoredCommit| {
            let change = match it.change {
                Some(it) => Some(change(it)?),
                None => None,
            };
            let parents = it.parents.into_iter().map(ObjectId).collect();
            Some((ObjectId(it.id), CommitRecord { parents, time: it.time, change }))
        };
        self.commits.into_iter().map(commit).collect()
    }
}
