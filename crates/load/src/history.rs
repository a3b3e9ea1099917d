//! What the last commits changed, read from git's objects and kept in the index directory, so that only new commits are
//! read again.
//!
//! git is not run, and of files only names and hashes are read: what ignore files hide stays unread. Who shows a path of
//! the history shows only those that are in the index.
//!
//! Where there is nothing to be had, the history is empty: outside of git, before the first commit, in repositories with
//! another hash than SHA-1. Shallow and partial clones have the commits whose trees, and whose parents' trees, are there.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use bitcode::{Decode, Encode};
use foreword_engine::history::{History, PastCommit};

use crate::git::{self, Change, Known, ObjectId, Objects, Walker};
use crate::root::open_regular;
use crate::workspace::Workspace;

/// How much of a history is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryLimits {
    /// The most commits that changed something.
    pub commits: usize,
    /// The most trees that are read at once; what is left is read the next time.
    pub trees: usize,
}

impl HistoryLimits {
    /// For answers: a large repository's last months (180 days of history predict best, arXiv 2411.19099), a small one's
    /// years, in about a second when nothing is known yet.
    pub fn usual() -> Self {
        Self { commits: 3000, trees: 60_000 }
    }
}

/// The first bytes of a file of known commits; the number is the version of the form.
const MAGIC: &[u8; 16] = b"foreword past 1\n";

/// Bytes of the largest file of known commits that is read. Ours have a few hundred kilobytes.
const MAX_STORED: u64 = 64 << 20;

/// The last commits of the workspace's repository, as far as they changed files below its root. With `index_dir`, the
/// directory of an index, commits that are known there are not read again.
pub fn history(workspace: &Workspace, index_dir: Option<&Path>, limits: &HistoryLimits) -> History {
    let read = || {
        let git = git::top_at(&workspace.git.as_ref()?.work_tree)?.git()?;
        let head = ObjectId::from_hex(&git.head?)?;
        let below = workspace.root.strip_prefix(&git.work_tree).ok()?;
        let names = below.components().map(|it| Some(it.as_os_str().to_str()?.to_owned()));
        let objects = Objects::open(&git.common_dir);
        let walker = Walker {
            objects: &objects,
            below: names.collect::<Option<_>>()?,
            commits: limits.commits,
            trees: limits.trees,
        };
        let stored = index_dir.map(|it| stored_at(it, workspace));
        Some(walk(&walker, head, stored.as_deref()))
    };
    read().unwrap_or_default()
}

/// The last commits up to `head`, in 40 hexadecimal digits, of the repository whose objects are below `git_dir`.
pub fn history_at(git_dir: &Path, head: &str, limits: &HistoryLimits) -> History {
    let Some(head) = ObjectId::from_hex(head) else { return History::default() };
    let objects = Objects::open(git_dir);
    let HistoryLimits { commits, trees } = *limits;
    walk(&Walker { objects: &objects, below: Vec::new(), commits, trees }, head, None)
}

/// Where the commits of a root are kept.
fn stored_at(index_dir: &Path, workspace: &Workspace) -> PathBuf {
    index_dir.join(format!("history-{}", &workspace.view_key()[..12]))
}

fn walk(walker: &Walker<'_>, head: ObjectId, stored: Option<&Path>) -> History {
    let mut known = stored.and_then(|it| Stored::read(it)?.known()).unwrap_or_default();
    let before = known.len();
    let commits = walker.walk(head, &mut known);
    // All that is left of what was known was not met, and all that was met was known.
    let is_new = commits.len() + known.len() != before || !known.is_empty();
    if let Some(path) = stored.filter(|_| is_new) {
        // Another process may write the same; an index that cannot be written costs time only.
        let _ = Stored::new(&commits).write(path);
    }
    let mut paths = Paths::default();
    let commits = commits.into_iter().filter_map(|(id, it)| past(id, it, &mut paths)).collect();
    History { commits, paths: paths.all }
}

fn past(id: ObjectId, known: Known, paths: &mut Paths) -> Option<PastCommit> {
    let change = known.change?;
    Some(PastCommit {
        id: id.0,
        time: known.time,
        files: change.files.iter().map(|it| paths.number(it)).collect(),
        n_files: change.n_files,
        moves: change.moves.iter().map(|(a, b)| (paths.number(a), paths.number(b))).collect(),
    })
}

/// Paths by number.
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

/// The form on disk.
#[derive(Encode, Decode)]
struct Stored {
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

impl Stored {
    fn new(commits: &[(ObjectId, Known)]) -> Self {
        let mut paths = Paths::default();
        let mut change = |it: &Change| StoredChange {
            files: it.files.iter().map(|it| paths.number(it)).collect(),
            n_files: it.n_files,
            moves: it.moves.iter().map(|(a, b)| (paths.number(a), paths.number(b))).collect(),
        };
        let commit = |(id, known): &(ObjectId, Known)| StoredCommit {
            id: id.0,
            parents: known.parents.iter().map(|it| it.0).collect(),
            time: known.time,
            change: known.change.as_ref().map(&mut change),
        };
        let commits = commits.iter().map(commit).collect();
        Self { commits, paths: paths.all }
    }

    /// Reads a file that [`Self::write`] wrote; `None` where it is missing or damaged.
    fn read(path: &Path) -> Option<Self> {
        let mut bytes = Vec::new();
        open_regular(path).ok()?.take(MAX_STORED).read_to_end(&mut bytes).ok()?;
        let (hash, content) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<32>()?;
        let is_whole = blake3::hash(content).as_bytes() == hash;
        is_whole.then(|| bitcode::decode(content).ok()).flatten()
    }

    /// Writes under another name, then renames, so that a reader finds all or nothing.
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

    /// The commits by their hashes; `None` if a path is missing.
    fn known(self) -> Option<HashMap<ObjectId, Known>> {
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
            Some((ObjectId(it.id), Known { parents, time: it.time, change }))
        };
        self.commits.into_iter().map(commit).collect()
    }
}
