//! Parses git's index: its files with their stamps, and its cache of trees. Supports versions 2 to 4, but not a split
//! index.

use super::objects::ObjectId;

/// A file in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IndexEntry {
    /// Relative to the work tree.
    pub(super) path: Vec<u8>,
    pub(super) id: ObjectId,
    pub(super) mode: u32,
    /// Modification time when it was added: seconds and nanoseconds.
    pub(super) changed: (u32, u32),
    /// Lowest 32 bits of its size.
    pub(super) size: u32,
    /// 0, or a stage of an unresolved merge.
    pub(super) stage: u16,
    /// Whether the file is marked as assumed unchanged.
    pub(super) is_assumed: bool,
}

/// A directory in the cache of trees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CachedTree {
    pub(super) name: Vec<u8>,
    /// Its tree; `None` if an entry changed since the cache was written.
    pub(super) id: Option<ObjectId>,
    pub(super) children: Vec<CachedTree>,
}

/// Git's index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Index {
    /// Sorted by path and stage.
    pub(super) entries: Vec<IndexEntry>,
    pub(super) tree: Option<CachedTree>,
}

/// Length of the final hash.
const CHECKSUM: usize = 20;

/// Maximum depth of directories; longer paths do not exist.
const MAX_DEPTH: usize = 1024;

/// Maximum length of a path, and of all paths together, also for each byte of the index: in version 4 one can stand for
/// a whole path. Long paths have 250 bytes, an entry at least 63.
const MAX_PATH: usize = 4096;
const MAX_PATHS: usize = 128 << 20;
const PATHS_PER_BYTE: usize = 4;

impl Index {
    /// Parses an index; `None` if it is invalid or split.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.get(..bytes.len().checked_sub(CHECKSUM)?)?;
        let mut from = Reader { bytes, at: 0 };
        if from.take(4)? != b"DIRC" {
            return None;
        }
        let version = from.number()?;
        if !(2..=4).contains(&version) {
            return None;
        }
        let count = from.number()?;
        let mut entries: Vec<IndexEntry> = Vec::new();
        let mut paths = 0;
        for _ in 0..count {
            let last = entries.last().map_or(&[][..], |it| &it.path);
            let entry = from.entry(version, last)?;
            paths += entry.path.len();
            if paths > MAX_PATHS.min(bytes.len() * PATHS_PER_BYTE) {
                return None;
            }
            entries.push(entry);
        }
        let mut tree = None;
        while from.at < bytes.len() {
            let name = from.take(4)?;
            let length = from.number()? as usize;
            let content = from.take(length)?;
            match name {
                b"TREE" => tree = Reader { bytes: content, at: 0 }.tree(MAX_DEPTH),
                b"link" => return None,
                _ => {}
            }
        }
        Some(Self { entries, tree })
    }
}

/// Reads bytes in order.
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let res = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(res)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(*self.take(4)?.first_chunk()?))
    }

    fn short(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(*self.take(2)?.first_chunk()?))
    }

    /// The bytes before `end`, which is consumed.
    fn until(&mut self, end: u8) -> Option<&'b [u8]> {
        let rest = self.bytes.get(self.at..)?;
        let length = rest.iter().position(|it| *it == end)?;
        self.at += length + 1;
        Some(&rest[..length])
    }

    fn id(&mut self) -> Option<ObjectId> {
        Some(ObjectId::split(self.take(20)?)?.0)
    }

    /// Reads an entry; `last` is the previous path.
    fn entry(&mut self, version: u32, last: &[u8]) -> Option<IndexEntry> {
        let start = self.at;
        self.take(8)?;
        let changed = (self.number()?, self.number()?);
        self.take(8)?;
        let mode = self.number()?;
        self.take(8)?;
        let size = self.number()?;
        let id = self.id()?;
        let flags = self.short()?;
        let more = if version >= 3 && flags & 0x4000 != 0 { self.short()? } else { 0 };
        let path = match version {
            4 => {
                let kept = last.len().checked_sub(self.distance()?)?;
                let rest = self.until(0)?;
                if kept + rest.len() > MAX_PATH {
                    return None;
                }
                [&last[..kept], rest].concat()
            }
            _ => {
                let path = self.until(0)?.to_vec();
                // One to eight zero bytes align the entry to a multiple of eight.
                self.at = start + (self.at - start).next_multiple_of(8);
                path
            }
        };
        let stage = (flags >> 12) & 3;
        let is_assumed = flags & 0x8000 != 0 || more & 0x4000 != 0;
        Some(IndexEntry { path, id, mode, changed, size, stage, is_assumed })
    }

    /// Reads a number in git's offset encoding.
    fn distance(&mut self) -> Option<usize> {
        let mut last = self.take(1)?[0];
        let mut res = usize::from(last & 0x7f);
        while last & 0x80 != 0 {
            last = self.take(1)?[0];
            res = res.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(last & 0x7f))?;
        }
        Some(res)
    }

    /// Reads a directory of the cache with its subdirectories.
    fn tree(&mut self, depth: usize) -> Option<CachedTree> {
        let name = self.until(0)?.to_vec();
        let entries: i64 = std::str::from_utf8(self.until(b' ')?).ok()?.parse().ok()?;
        let below: usize = std::str::from_utf8(self.until(b'\n')?).ok()?.parse().ok()?;
        let id = if entries >= 0 { Some(self.id()?) } else { None };
        let depth = depth.checked_sub(1)?;
        let mut children = Vec::new();
        for _ in 0..below {
            children.push(self.tree(depth)?);
        }
        Some(CachedTree { name, id, children })
    }
}
