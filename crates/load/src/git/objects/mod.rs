//! Reads commits, trees and blobs from the object database of a repository: loose objects, and packs with deltas. Read
//! only, SHA-1 only. Nothing is trusted: sizes are bounded, and invalid data are not an object. Commit graphs,
//! multi-pack indexes and bitmaps are not read: they only repeat the contents of packs for speed.

mod abbreviation;
mod alternates;
mod bases;
mod budget;
mod delta;
mod inflate;
mod pack;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::bases::{Bases, Place};
use self::budget::{Budget, HeldBytes};
use self::inflate::Inflater;
use self::pack::{Pack, PackBase, packs_in};
use super::GitProblem;
use crate::root::DirectoryRoot;

/// Maximum bytes of an object, of a delta and of its result. Three of them are in memory at once.
const MAX_OBJECT: usize = 24 << 20;

/// Maximum bytes of a commit or tag.
const MAX_COMMIT: usize = 4 << 20;

/// Maximum parents of a commit that are followed. The record of Linux is 66.
const MAX_PARENTS: usize = 100;

/// Maximum bytes of type and size at the start of a loose object.
const MAX_HEAD: usize = 64;

/// Maximum length of a delta chain, as in git. Git makes chains of 50, on request of 250.
const MAX_CHAIN: usize = 4095;

/// Maximum bytes of the deltas of a chain that are kept while its base is sought; others are read again.
const MAX_DELTAS: u64 = 4 << 20;

/// Maximum work of a history or a comparison: some ten seconds. 3000 commits of rails take a seventh.
pub(crate) const HISTORY_WORK: u64 = 2 << 30;

/// Maximum work of reading all files of a commit, which are then parsed. Those of Linux take a quarter.
pub(crate) const CHECKOUT_WORK: u64 = 48 << 30;

/// Work counted for a look-up, beside the bytes that are read: some system calls.
const LOOKUP_WORK: u64 = 4 << 10;

/// The hash of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObjectId(pub(crate) [u8; 20]);

/// The type of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Commit,
    Tree,
    Blob,
    Tag,
}

/// An entry of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TreeEntry<'t> {
    pub(crate) name: &'t [u8],
    pub(crate) id: ObjectId,
    pub(crate) mode: u32,
}

/// A directory of a commit.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    bytes: Arc<Vec<u8>>,
    _held: Option<HeldBytes>,
}

/// The parts of a commit that the history needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    pub(crate) tree: ObjectId,
    pub(crate) parents: Vec<ObjectId>,
    /// Commit time, in seconds since 1970; 0 if missing.
    pub(crate) time: i64,
}

/// The object database of a repository.
pub(crate) struct Objects {
    /// Object directories, the repository's own first.
    directories: Vec<DirectoryRoot>,
    /// Packs, each with the number of its directory.
    packs: Vec<(usize, Pack)>,
    /// The pack of the last object.
    last_pack: Cell<usize>,
    bases: RefCell<Bases>,
    budget: Budget,
}

/// An object and its type.
type Object = (Kind, Arc<Vec<u8>>);

/// The start of an object that is a file of its own.
struct LooseHead {
    kind: Kind,
    size: usize,
    /// The first bytes of its content; the stream has the others.
    content: Vec<u8>,
    stream: Inflater<BufReader<File>>,
}

/// A delta on the way to its base.
struct Delta {
    place: Place,
    /// The inflated delta, unless there are too many.
    bytes: Option<Vec<u8>>,
}

impl ObjectId {
    /// Parses a hash of 40 hexadecimal digits.
    pub(crate) fn from_hex(text: &str) -> Option<Self> {
        let mut bytes = [0; 20];
        if text.len() != 40 || !text.is_ascii() {
            return None;
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// Splits off the hash at the start of `bytes`.
    pub(super) fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (hash, rest) = bytes.split_first_chunk::<20>()?;
        Some((Self(*hash), rest))
    }

    /// The hash in hexadecimal digits.
    pub(crate) fn hex(self) -> String {
        self.0.iter().map(|it| format!("{it:02x}")).collect()
    }

    /// The path of a loose object in an object directory.
    fn loose(self) -> String {
        let hex = self.hex();
        format!("{}/{}", &hex[..2], &hex[2..])
    }
}

impl TreeEntry<'_> {
    pub(crate) fn is_tree(&self) -> bool {
        self.mode == 0o40000
    }

    /// Whether it is a file, not a link or submodule.
    pub(crate) fn is_file(&self) -> bool {
        self.mode & 0o170_000 == 0o100_000
    }
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "commit" => Self::Commit,
            "tree" => Self::Tree,
            "blob" => Self::Blob,
            "tag" => Self::Tag,
            _ => return None,
        })
    }

    /// Maximum bytes of an object of this type.
    fn most(self) -> usize {
        match self {
            Self::Commit | Self::Tag => MAX_COMMIT,
            Self::Tree | Self::Blob => MAX_OBJECT,
        }
    }
}

impl Objects {
    /// Opens the database below `common_dir` (canonical). Other object directories that it names are read if they lie
    /// in the same repository or below one of `roots`. All calls together do no more than `work`.
    pub(crate) fn open_within(common_dir: &Path, roots: &[PathBuf], work: u64) -> Self {
        let budget = Budget::new(work);
        let is_inside = common_dir.file_name().is_some_and(|it| it == ".git");
        let own = if is_inside { common_dir.parent() } else { None };
        let roots: Vec<&Path> =
            roots.iter().map(|it| &**it).chain(own).chain([common_dir]).collect();
        let directories = alternates::directories(common_dir, &roots, &budget);
        let packs = |(at, it)| packs_in(it, &budget).into_iter().map(move |it| (at, it));
        let packs = directories.iter().enumerate().flat_map(packs).collect();
        Self { directories, packs, last_pack: Cell::new(0), bases: RefCell::default(), budget }
    }

    /// Why something was not read, if it was not simply missing.
    pub(crate) fn problem(&self) -> Option<GitProblem> {
        self.budget.problem()
    }

    /// The work that is left; after the last of it everything seems to be missing.
    pub(crate) fn work_left(&self) -> u64 {
        self.budget.left()
    }

    /// Records a problem unless there is one.
    pub(crate) fn note(&self, problem: impl FnOnce() -> GitProblem) {
        self.budget.note(problem);
    }

    /// The tree of a commit.
    pub(crate) fn tree_of(&self, commit: ObjectId) -> Option<ObjectId> {
        Some(self.commit(commit)?.tree)
    }

    /// Reads a commit. Of very many parents only the first are listed.
    pub(crate) fn commit(&self, id: ObjectId) -> Option<Commit> {
        let (commit, parents) = Commit::parse(&self.object(id, Kind::Commit, MAX_COMMIT)?)?;
        if parents > MAX_PARENTS {
            self.note(|| GitProblem::TooManyParents { commit: id.hex(), parents });
        }
        Some(commit)
    }

    /// The author of a commit, as the commit names them.
    pub(crate) fn author(&self, id: ObjectId) -> Option<Vec<u8>> {
        let bytes = self.object(id, Kind::Commit, MAX_COMMIT)?;
        let line = bytes.split(|it| *it == b'\n').find_map(|it| it.strip_prefix(b"author "))?;
        // The time and its zone follow the address.
        Some(line.rsplitn(3, |it| *it == b' ').nth(2)?.to_vec())
    }

    /// Reads a directory; `None` if it is missing or damaged.
    pub(crate) fn tree(&self, id: ObjectId) -> Option<Tree> {
        let bytes = self.object(id, Kind::Tree, MAX_OBJECT)?;
        let held = Some(self.budget.hold(bytes.len())?);
        let tree = Tree { bytes, _held: held };
        tree.entries().all(|it| it.is_some()).then_some(tree)
    }

    /// The bytes of a blob with at most `most` bytes.
    pub(crate) fn blob(&self, id: ObjectId, most: usize) -> Option<Vec<u8>> {
        Some(Arc::unwrap_or_clone(self.object(id, Kind::Blob, most)?))
    }

    /// The bytes of a tag.
    pub(super) fn tag(&self, id: ObjectId) -> Option<Arc<Vec<u8>>> {
        self.object(id, Kind::Tag, MAX_COMMIT)
    }

    /// The bytes of an object of this kind with at most `most` bytes.
    fn object(&self, id: ObjectId, kind: Kind, most: usize) -> Option<Arc<Vec<u8>>> {
        self.budget.spend(LOOKUP_WORK)?;
        let wanted = Some((kind, most));
        let packed = self.place(id).and_then(|it| self.packed(it, wanted));
        let (found, bytes) = packed.or_else(|| self.loose(id, wanted))?;
        // Whoever asks for an object reads it.
        self.budget.spend(bytes.len() as u64)?;
        (found == kind && bytes.len() <= most).then_some(bytes)
    }

    /// The bytes of an object, from its header alone.
    pub(crate) fn size(&self, id: ObjectId) -> Option<u64> {
        self.budget.spend(LOOKUP_WORK)?;
        match self.place(id) {
            Some(place) => self.entry(place)?.object_size(),
            None => Some(self.loose_head(id)?.size as u64),
        }
    }

    /// Starts all work and all problems anew, for another request.
    pub(crate) fn renew(&mut self, work: u64) {
        self.budget = Budget::new(work);
    }

    /// Reads an object that is a file of its own; only of the kind and size that are wanted, if any.
    fn loose(&self, id: ObjectId, wanted: Option<(Kind, usize)>) -> Option<Object> {
        let LooseHead { kind, size, content, stream } = self.loose_head(id)?;
        let is_wanted = wanted.is_none_or(|(wanted, most)| wanted == kind && size <= most);
        if !is_wanted || size > kind.most() {
            return None;
        }
        Some((kind, Arc::new(stream.finish(content, size, &self.budget)?)))
    }

    fn loose_head(&self, id: ObjectId) -> Option<LooseHead> {
        let path = id.loose();
        let file = self.directories.iter().find_map(|it| it.file(&path).ok())?;
        let mut stream = Inflater::new(BufReader::new(file), MAX_OBJECT);
        let mut start = [0; MAX_HEAD];
        let length = stream.start(&mut start)?;
        let end = start[..length].iter().position(|it| *it == 0)?;
        let (kind, size) = std::str::from_utf8(&start[..end]).ok()?.split_once(' ')?;
        let (kind, size) = (Kind::named(kind)?, size.parse().ok()?);
        Some(LooseHead { kind, size, content: start[end + 1..length].to_vec(), stream })
    }

    /// Reads an object of a pack: its base, with the deltas applied one after the other.
    fn packed(&self, place: Place, wanted: Option<(Kind, usize)>) -> Option<Object> {
        let mut deltas: Vec<Delta> = Vec::new();
        let (kind, mut bytes) = self.base(place, &mut deltas, wanted)?;
        while let Some(Delta { place, bytes: delta }) = deltas.pop() {
            let delta = match delta {
                Some(delta) => delta,
                None => self.entry(place)?.inflated(MAX_OBJECT, &self.budget)?,
            };
            bytes = Arc::new(delta::applied(&delta, &bytes, kind.most())?);
            self.budget.spend(bytes.len() as u64)?;
            self.bases.borrow_mut().insert(place, kind, &bytes);
        }
        Some((kind, bytes))
    }

    /// Follows the deltas to an object that is stored whole or cached.
    fn base(
        &self,
        mut place: Place,
        deltas: &mut Vec<Delta>,
        wanted: Option<(Kind, usize)>,
    ) -> Option<Object> {
        let (mut seen, mut kept) = (HashSet::new(), 0);
        loop {
            if let Some(known) = self.bases.borrow_mut().get(place) {
                return Some(known);
            }
            if !seen.insert(place) || deltas.len() > MAX_CHAIN {
                return None;
            }
            self.budget.spend(LOOKUP_WORK)?;
            let entry = self.entry(place)?;
            let base = match entry.base {
                PackBase::Whole(kind) => {
                    // A base may be larger than what is made from it.
                    let wanted = wanted.filter(|_| deltas.is_empty());
                    let most = wanted.map_or(usize::MAX, |it| it.1).min(kind.most());
                    let is_kind = wanted.is_none_or(|it| it.0 == kind);
                    let bytes = is_kind.then(|| entry.inflated(most, &self.budget)).flatten()?;
                    let bytes = Arc::new(bytes);
                    self.bases.borrow_mut().insert(place, kind, &bytes);
                    return Some((kind, bytes));
                }
                PackBase::At(base) => Ok((place.0, base)),
                PackBase::Object(id) => self.place(id).ok_or(id),
            };
            let is_kept = entry.size <= MAX_DELTAS - kept;
            let bytes = match is_kept {
                true => Some(entry.inflated(MAX_OBJECT, &self.budget)?),
                false => None,
            };
            kept += bytes.as_ref().map_or(0, |it| it.len() as u64);
            deltas.push(Delta { place, bytes });
            place = match base {
                Ok(place) => place,
                Err(id) => return self.loose(id, None),
            };
        }
    }

    fn entry(&self, (pack, offset): Place) -> Option<pack::PackEntry<'_>> {
        let (directory, pack) = &self.packs[pack];
        pack.entry(&self.directories[*directory], offset)
    }

    /// Bytes of all packs and loose objects. Links are not followed.
    pub(crate) fn stored_bytes(&self) -> u64 {
        let is_directory = |it: &std::fs::DirEntry| it.file_type().is_ok_and(|it| it.is_dir());
        let folders = self.directories.iter().flat_map(|it| entries(it.path()));
        let folders = folders.filter(is_directory);
        let files = folders.flat_map(|it| entries(&it.path()));
        files.filter_map(|it| Some(it.metadata().ok()?.len())).sum()
    }

    /// Whether the object exists, whatever its kind and size.
    pub(crate) fn has(&self, id: ObjectId) -> bool {
        let path = id.loose();
        self.place(id).is_some() || self.directories.iter().any(|it| it.file(&path).is_ok())
    }

    /// The index of the pack with an object, and its offset there.
    fn place(&self, id: ObjectId) -> Option<Place> {
        let offset = |at: usize| {
            self.budget.spend(LOOKUP_WORK / 4)?;
            Some((at, self.packs.get(at)?.1.offset_of(id)?))
        };
        // Most objects are in the pack of the last one.
        let last = self.last_pack.get();
        let others = (0..self.packs.len()).filter(|it| *it != last);
        let res = offset(last).or_else(|| others.into_iter().find_map(offset))?;
        self.last_pack.set(res.0);
        Some(res)
    }
}

fn entries(directory: &Path) -> impl Iterator<Item = std::fs::DirEntry> + use<> {
    std::fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok)
}

impl Tree {
    /// The entries, in git's order; `None` ends the sequence if the data are invalid.
    fn entries(&self) -> Entries<'_> {
        Entries(&self.bytes)
    }

    /// The entries, in git's order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = TreeEntry<'_>> {
        self.entries().map_while(|it| it)
    }
}

/// Parses the entries at the start of a tree's bytes.
struct Entries<'t>(&'t [u8]);

impl<'t> Iterator for Entries<'t> {
    type Item = Option<TreeEntry<'t>>;

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = std::mem::take(&mut self.0);
        if bytes.is_empty() {
            return None;
        }
        let mut entry = || {
            let space = memchr::memchr(b' ', bytes)?;
            let mode = std::str::from_utf8(&bytes[..space]).ok()?;
            let mode = u32::from_str_radix(mode, 8).ok()?;
            let end = space + memchr::memchr(0, &bytes[space..])?;
            let (id, after) = ObjectId::split(&bytes[end + 1..])?;
            self.0 = after;
            Some(TreeEntry { name: &bytes[space + 1..end], id, mode })
        };
        Some(entry())
    }
}

impl Commit {
    /// Parses a commit, and counts its parents.
    fn parse(bytes: &[u8]) -> Option<(Self, usize)> {
        let lines = |bytes| <[u8]>::split(bytes, |it| *it == b'\n').take_while(|it| !it.is_empty());
        let id = |it: &[u8], name: &str| {
            ObjectId::from_hex(std::str::from_utf8(it.strip_prefix(name.as_bytes())?).ok()?)
        };
        let mut head = lines(bytes);
        let tree = id(head.next()?, "tree ")?;
        let mut all = head.map_while(|it| id(it, "parent "));
        let parents: Vec<ObjectId> = all.by_ref().take(MAX_PARENTS).collect();
        let count = parents.len() + all.count();
        // Names need not be UTF-8; times are ASCII.
        let committer = bytes.split(|it| *it == b'\n').find(|it| it.starts_with(b"committer "));
        let time = committer.and_then(|it| {
            let end = it.rsplitn(3, |it| *it == b' ').nth(1)?;
            std::str::from_utf8(end).ok()?.parse().ok()
        });
        Some((Self { tree, parents, time: time.unwrap_or(0) }, count))
    }
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
