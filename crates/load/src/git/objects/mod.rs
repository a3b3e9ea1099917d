//! Reads commits, trees and blobs from the object database of a repository: loose objects, and packs with deltas. Read
//! only, SHA-1 only. Nothing is trusted: sizes are bounded, and invalid data are not an object. Commit graphs,
//! multi-pack indexes and bitmaps are not read: they only repeat the contents of packs for speed.

mod abbreviation;
mod bases;
mod delta;
mod pack;

use std::cell::RefCell;
use std::collections::HashSet;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::ZlibDecoder;

use self::bases::Bases;
use self::pack::{Pack, PackEntry, packs_in};
use super::files::small_file;
use crate::root::open_regular;

/// Maximum bytes of an object, and of the result of a delta.
pub(super) const MAX_OBJECT: usize = 64 << 20;

/// Maximum length of a delta chain. Git makes chains of 50, on request of 250.
const MAX_CHAIN: usize = 4096;

/// Maximum depth of alternate object directories, as in git.
const MAX_ALTERNATES: usize = 5;

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
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree(Arc<[u8]>);

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
    directories: Vec<PathBuf>,
    packs: Vec<Pack>,
    bases: RefCell<Bases>,
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

impl Objects {
    /// Opens the database below `common_dir`.
    pub(crate) fn open(common_dir: &Path) -> Self {
        let mut directories = vec![common_dir.join("objects")];
        let mut at = 0;
        while at < directories.len() && at < MAX_ALTERNATES {
            let others = small_file(&directories[at].join("info/alternates")).unwrap_or_default();
            let others = others.lines().filter(|it| !it.is_empty() && !it.starts_with('#'));
            let others: Vec<PathBuf> = others.map(|it| directories[at].join(it)).collect();
            directories.extend(others);
            at += 1;
        }
        let packs = directories.iter().flat_map(|it| packs_in(&it.join("pack"))).collect();
        Self { directories, packs, bases: RefCell::default() }
    }

    /// The tree of a commit.
    pub(crate) fn tree_of(&self, commit: ObjectId) -> Option<ObjectId> {
        Some(self.commit(commit)?.tree)
    }

    /// Reads a commit.
    pub(crate) fn commit(&self, id: ObjectId) -> Option<Commit> {
        Commit::parse(&self.object(id, Kind::Commit, MAX_OBJECT)?)
    }

    /// Reads a directory; `None` if it is missing or damaged.
    pub(crate) fn tree(&self, id: ObjectId) -> Option<Tree> {
        let tree = Tree(self.object(id, Kind::Tree, MAX_OBJECT)?);
        tree.entries().all(|it| it.is_some()).then_some(tree)
    }

    /// The bytes of a blob with at most `most` bytes.
    pub(crate) fn blob(&self, id: ObjectId, most: usize) -> Option<Vec<u8>> {
        Some(self.object(id, Kind::Blob, most)?.to_vec())
    }

    /// The bytes of an object of this kind with at most `most` bytes.
    pub(super) fn object(&self, id: ObjectId, kind: Kind, most: usize) -> Option<Arc<[u8]>> {
        let (found, bytes) = self.packed(id, most).or_else(|| self.loose(id, most))?;
        (found == kind).then_some(bytes)
    }

    fn loose(&self, id: ObjectId, most: usize) -> Option<(Kind, Arc<[u8]>)> {
        let open = |it: &PathBuf| open_regular(&it.join(id.loose())).ok();
        let file = self.directories.iter().find_map(open)?;
        let mut bytes = Vec::new();
        // Room for the header with kind and size.
        let limit = most.min(MAX_OBJECT) as u64 + 64;
        ZlibDecoder::new(BufReader::new(file)).take(limit).read_to_end(&mut bytes).ok()?;
        let end = bytes.iter().take(64).position(|it| *it == 0)?;
        let (kind, size) = std::str::from_utf8(&bytes[..end]).ok()?.split_once(' ')?;
        let kind = match kind {
            "commit" => Kind::Commit,
            "tree" => Kind::Tree,
            "blob" => Kind::Blob,
            "tag" => Kind::Tag,
            _ => return None,
        };
        let size: usize = size.parse().ok()?;
        bytes.drain(..=end);
        let is_whole = size == bytes.len() && bytes.len() <= most;
        is_whole.then(|| (kind, bytes.into()))
    }

    /// Reads an object of a pack: its base, with the deltas applied.
    fn packed(&self, id: ObjectId, most: usize) -> Option<(Kind, Arc<[u8]>)> {
        let (mut number, mut offset) = self.place(id)?;
        let mut deltas: Vec<(usize, u64, Vec<u8>)> = Vec::new();
        let mut seen = HashSet::new();
        let (kind, mut bytes) = loop {
            if let Some(known) = self.bases.borrow_mut().get(number, offset) {
                break known;
            }
            if !seen.insert((number, offset)) || deltas.len() > MAX_CHAIN {
                return None;
            }
            match self.packs[number].entry(offset)? {
                PackEntry::Whole(kind, bytes) => {
                    let bytes: Arc<[u8]> = bytes.into();
                    self.bases.borrow_mut().insert(number, offset, kind, &bytes);
                    break (kind, bytes);
                }
                PackEntry::DeltaAt(base, delta) => {
                    deltas.push((number, offset, delta));
                    offset = base;
                }
                PackEntry::DeltaOf(base, delta) => {
                    deltas.push((number, offset, delta));
                    match self.place(base) {
                        Some(place) => (number, offset) = place,
                        None => break self.loose(base, MAX_OBJECT)?,
                    }
                }
            }
        };
        for (number, offset, delta) in deltas.iter().rev() {
            bytes = delta::applied(delta, &bytes)?.into();
            self.bases.borrow_mut().insert(*number, *offset, kind, &bytes);
        }
        (bytes.len() <= most).then_some((kind, bytes))
    }

    /// Whether the object exists, whatever its kind and size.
    pub(crate) fn has(&self, id: ObjectId) -> bool {
        let is_loose = |it: &PathBuf| it.join(id.loose()).is_file();
        self.place(id).is_some() || self.directories.iter().any(is_loose)
    }

    /// The index of the pack with an object, and its offset there.
    fn place(&self, id: ObjectId) -> Option<(usize, u64)> {
        self.packs.iter().enumerate().find_map(|(at, it)| Some((at, it.offset_of(id)?)))
    }
}

impl Tree {
    /// The entries, in git's order; `None` ends the sequence if the data are invalid.
    fn entries(&self) -> Entries<'_> {
        Entries(&self.0)
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
    fn parse(bytes: &[u8]) -> Option<Self> {
        let head = bytes.split(|it| *it == b'\n').take_while(|it| !it.is_empty());
        let head: Vec<&str> = head.map_while(|it| std::str::from_utf8(it).ok()).collect();
        let id = |it: &str, name: &str| ObjectId::from_hex(it.strip_prefix(name)?);
        let tree = id(head.first()?, "tree ")?;
        let parents = head[1..].iter().map_while(|it| id(it, "parent ")).collect();
        // Names need not be UTF-8; times are ASCII.
        let committer = bytes.split(|it| *it == b'\n').find(|it| it.starts_with(b"committer "));
        let time = committer.and_then(|it| {
            let end = it.rsplitn(3, |it| *it == b' ').nth(1)?;
            std::str::from_utf8(end).ok()?.parse().ok()
        });
        Some(Self { tree, parents, time: time.unwrap_or(0) })
    }
}

#[cfg(test)]
mod tests;
