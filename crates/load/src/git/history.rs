//! Walks back from a commit and compares the tree of each commit with its parent's. Reads only names and hashes, no
//! files.

use std::collections::{BinaryHeap, HashMap, HashSet};

use super::GitProblem;
use super::objects::{Commit, ObjectId, Objects, Tree, TreeEntry};

/// Maximum number of changes of a recorded commit; bounds memory.
const MAX_CHANGES: usize = 20_000;

/// Maximum number of listed files of a commit. In larger commits they say nothing about one another.
const MAX_LISTED: usize = 100;

/// Maximum number of trees to read for one commit. Directories that contain one another can stand for billions.
const MAX_TREES: usize = 20_000;

/// Maximum depth of directories, and length of a path; longer ones do not exist.
const MAX_DEPTH: usize = 512;
const MAX_PATH: usize = 4096;

/// Maximum number of commits that wait for their turn, and of their parents.
const MAX_OPEN: usize = 20_000;

/// Maximum bytes of all paths of a history; rails has 0.4 million in 3000 commits.
const MAX_PATHS: usize = 32 << 20;

/// The empty blob. Empty files are equal without being copies of one another.
const EMPTY_BLOB: ObjectId = ObjectId([
    0xe6, 0x9d, 0xe2, 0x9b, 0xb2, 0xd1, 0xd6, 0x43, 0x4b, 0x8b, 0x29, 0xae, 0x77, 0x5a, 0xd8, 0xc2,
    0xe4, 0x8c, 0x53, 0x91,
]);

/// The empty tree.
const EMPTY_TREE: ObjectId = ObjectId([
    0x4b, 0x82, 0x5d, 0xc6, 0x42, 0xcb, 0x6e, 0xb9, 0xa0, 0x60, 0xe5, 0x4b, 0xf8, 0xd6, 0x92, 0x88,
    0xfb, 0xee, 0x49, 0x04,
]);

/// Changes of a commit below the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    /// Changed and added files, by path; empty if there are too many.
    pub(crate) files: Vec<String>,
    /// Number of changed, added and removed files.
    pub(crate) n_files: u32,
    /// Pairs of old and new path.
    pub(crate) moves: Vec<(String, String)>,
}

impl Change {
    /// Bytes of its paths, each with what it takes to keep one.
    fn path_bytes(&self) -> usize {
        let moves = self.moves.iter().flat_map(|(a, b)| [a, b]);
        self.files.iter().chain(moves).map(|it| it.len() + size_of::<String>()).sum()
    }
}

/// A commit of the walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommitRecord {
    pub(crate) parents: Vec<ObjectId>,
    pub(crate) time: i64,
    /// `None` for a merge, the first commit, and if a tree or the parent is missing (a shallow or partial clone).
    pub(crate) change: Option<Change>,
}

/// A walk through the history.
pub(crate) struct Walker<'a> {
    pub(crate) objects: &'a Objects,
    /// Path components of the root below the work tree; only files below it count.
    pub(crate) below: Vec<String>,
    /// Maximum number of commits with changes.
    pub(crate) commits: usize,
    /// Maximum number of trees to read.
    pub(crate) trees: usize,
}

impl Walker<'_> {
    /// Lists `head` and its ancestors, the latest first, and whether the limit of trees ended the list. Commits in `known`
    /// are not read again.
    pub(crate) fn walk(
        &self,
        head: ObjectId,
        known: &mut HashMap<ObjectId, CommitRecord>,
    ) -> (Vec<(ObjectId, CommitRecord)>, bool) {
        let mut queue = BinaryHeap::new();
        let mut open: HashMap<ObjectId, Step> = HashMap::new();
        let mut seen = HashSet::new();
        let mut parents = vec![head];
        let (mut res, mut taken, mut trees) = (Vec::new(), 0, 0);
        let (mut path_bytes, mut is_cut) = (0, false);
        // Merges do not count, and may be half of all commits.
        while taken < self.commits && res.len() < self.commits.saturating_mul(4) {
            for id in parents.drain(..).filter(|it| seen.insert(*it)) {
                let step = known.remove(&id).map(Step::Cached);
                let step = step.or_else(|| self.objects.commit(id).map(Step::Read));
                let Some(step) = step.filter(|_| open.len() < MAX_OPEN) else { continue };
                queue.push((step.time(), id));
                open.insert(id, step);
            }
            let Some((time, id)) = queue.pop() else { break };
            let known = match open.remove(&id) {
                Some(Step::Cached(known)) => known,
                Some(Step::Read(commit)) => {
                    let Ok(change) = self.change(&commit, &mut trees) else {
                        is_cut = true;
                        break;
                    };
                    CommitRecord { parents: commit.parents, time, change }
                }
                None => continue,
            };
            path_bytes += known.change.as_ref().map_or(0, Change::path_bytes);
            if path_bytes > MAX_PATHS {
                self.objects.note(|| GitProblem::TooManyChanges);
                break;
            }
            parents.extend(&known.parents);
            taken += usize::from(known.change.is_some());
            res.push((id, known));
        }
        (res, is_cut)
    }

    /// The changes of a commit.
    fn change(&self, commit: &Commit, trees: &mut usize) -> Result<Option<Change>, TreeLimit> {
        let [parent] = commit.parents[..] else { return Ok(None) };
        let old = match self.objects.tree_of(parent) {
            Some(old) => old,
            None if self.objects.work_left() == 0 => return Err(TreeLimit),
            None => return Ok(None),
        };
        let left = self.trees.saturating_sub(*trees);
        let mut diff = Diff::new(self.objects, left.min(MAX_TREES));
        let found = self.root(old).zip(self.root(commit.tree));
        let found = found.and_then(|(old, new)| diff.trees(&mut Vec::new(), old, new, 0));
        *trees += left.min(MAX_TREES) - diff.left;
        // What the next call could still find is not remembered as unknown.
        match *trees >= self.trees || self.objects.work_left() == 0 {
            true => Err(TreeLimit),
            false => Ok(found.filter(|()| diff.left > 0).map(|()| diff.change())),
        }
    }

    /// The subtree of the root.
    fn root(&self, mut tree: ObjectId) -> Option<ObjectId> {
        for name in &self.below {
            let entries = self.objects.tree(tree)?;
            let found = entries.iter().find(|it| it.is_tree() && it.name == name.as_bytes());
            let Some(found) = found.map(|it| it.id) else { return Some(EMPTY_TREE) };
            tree = found;
        }
        Some(tree)
    }
}

/// The limit of trees or of work is reached.
struct TreeLimit;

/// A pending commit of the walk.
enum Step {
    Cached(CommitRecord),
    Read(Commit),
}

impl Step {
    fn time(&self) -> i64 {
        match self {
            Self::Cached(it) => it.time,
            Self::Read(it) => it.time,
        }
    }
}

/// A comparison of two trees.
struct Diff<'a> {
    objects: &'a Objects,
    /// Number of trees that may still be read.
    left: usize,
    changed: Vec<String>,
    added: Vec<(ObjectId, String)>,
    removed: Vec<(ObjectId, String)>,
    /// Number and bytes of their paths.
    n: usize,
    path_bytes: usize,
}

impl<'a> Diff<'a> {
    fn new(objects: &'a Objects, left: usize) -> Self {
        let (changed, added, removed) = (Vec::new(), Vec::new(), Vec::new());
        Self { objects, left, changed, added, removed, n: 0, path_bytes: 0 }
    }

    /// Records the differences below `path`, which ends with a slash; `None` if a tree cannot be read or too much
    /// differs.
    fn trees(
        &mut self,
        path: &mut Vec<u8>,
        old: ObjectId,
        new: ObjectId,
        depth: usize,
    ) -> Option<()> {
        if old == new {
            return Some(());
        }
        self.left = self.left.saturating_sub(2);
        if depth > MAX_DEPTH || self.left == 0 {
            return None;
        }
        let tree = |it: ObjectId| match it {
            EMPTY_TREE => Some(Tree::default()),
            _ => self.objects.tree(it),
        };
        let (old, new) = (tree(old)?, tree(new)?);
        let (mut olds, mut news) = (old.iter().peekable(), new.iter().peekable());
        loop {
            let order = match (olds.peek(), news.peek()) {
                (None, None) => return Some(()),
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(a), Some(b)) => key(a).cmp(key(b)),
            };
            let old = olds.next_if(|_| order.is_le());
            let new = news.next_if(|_| order.is_ge());
            self.entries(path, old, new, depth)?;
        }
    }

    /// Records the difference between two entries of the same name and type.
    fn entries(
        &mut self,
        path: &mut Vec<u8>,
        old: Option<TreeEntry<'_>>,
        new: Option<TreeEntry<'_>>,
        depth: usize,
    ) -> Option<()> {
        let Some(any) = new.or(old) else { return Some(()) };
        let length = path.len();
        path.extend_from_slice(any.name);
        if path.len() > MAX_PATH || self.n > MAX_CHANGES || self.path_bytes > MAX_PATHS {
            return None;
        }
        if any.is_tree() {
            path.push(b'/');
            let id = |it: Option<TreeEntry<'_>>| it.map_or(EMPTY_TREE, |it| it.id);
            self.trees(path, id(old), id(new), depth + 1)?;
        } else if let Ok(path) = std::str::from_utf8(path) {
            (self.n, self.path_bytes) = (self.n + 1, self.path_bytes + path.len());
            let id = |it: Option<TreeEntry<'_>>| it.filter(TreeEntry::is_file).map(|it| it.id);
            match (id(old), id(new)) {
                (Some(a), Some(b)) if a != b => self.changed.push(path.to_owned()),
                (None, Some(it)) => self.added.push((it, path.to_owned())),
                (Some(it), None) => self.removed.push((it, path.to_owned())),
                _ => {}
            }
        }
        path.truncate(length);
        Some(())
    }

    fn change(self) -> Change {
        let n_files = self.changed.len() + self.added.len() + self.removed.len();
        let moves = moves(&self.removed, &self.added);
        let mut files = self.changed;
        files.extend(self.added.into_iter().map(|it| it.1));
        files.sort();
        let n_files = (n_files - moves.len()) as u32;
        if n_files as usize > MAX_LISTED {
            files.clear();
        }
        Change { files, n_files, moves }
    }
}

/// Detects moves: a removed and an added file with the same content, else the only pair with the same name.
fn moves(removed: &[(ObjectId, String)], added: &[(ObjectId, String)]) -> Vec<(String, String)> {
    // The first path of each, so that many equal files take no time to compare.
    let mut by_content: HashMap<ObjectId, &str> = HashMap::new();
    let mut by_both: HashMap<(ObjectId, &str), &str> = HashMap::new();
    let mut by_name: HashMap<&str, (usize, &str)> = HashMap::new();
    for (id, path) in added {
        by_content.entry(*id).or_insert(path);
        by_both.entry((*id, name(path))).or_insert(path);
        by_name.entry(name(path)).or_insert((0, path)).0 += 1;
    }
    let mut met: HashMap<&str, usize> = HashMap::new();
    removed.iter().for_each(|it| *met.entry(name(&it.1)).or_default() += 1);
    let mut taken = HashSet::new();
    let mut res = Vec::new();
    for (id, old) in removed {
        let same_name = by_both.get(&(*id, name(old)));
        let same = same_name.or(by_content.get(id)).filter(|_| *id != EMPTY_BLOB);
        let is_only = |it: &&(usize, &str)| it.0 == 1 && met[name(old)] == 1;
        let only = by_name.get(name(old)).filter(is_only).map(|it| &it.1);
        if let Some(new) = same.or(only).filter(|it| taken.insert(**it)) {
            res.push((old.clone(), (*new).to_owned()));
        }
    }
    res
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Git sorts the entries of a tree as if directory names ended with a slash.
fn key<'t>(entry: &TreeEntry<'t>) -> impl Iterator<Item = u8> + use<'t> {
    entry.name.iter().copied().chain(entry.is_tree().then_some(b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(content: u8, path: &str) -> (ObjectId, String) {
        (ObjectId([content; 20]), path.to_owned())
    }

    #[test]
    fn a_file_is_moved_where_its_content_is_or_else_its_name_alone() {
        let removed = [file(1, "a/x.py"), file(2, "a/y.py"), file(3, "a/z.py"), file(4, "b/z.py")];
        let added = [file(1, "b/new.py"), file(9, "c/y.py"), file(8, "c/z.py")];
        let found = moves(&removed, &added);
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(found, [("a/x.py", "b/new.py"), ("a/y.py", "c/y.py")]);
    }

    #[test]
    fn empty_files_are_not_each_other() {
        let removed = [(EMPTY_BLOB, "a/__init__.py".to_owned())];
        assert_eq!(moves(&removed, &[(EMPTY_BLOB, "b/other.py".to_owned())]), []);
    }
}
