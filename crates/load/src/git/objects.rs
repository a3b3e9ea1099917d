//! Reads commits, trees and blobs from the object database of a repository: loose ones, and those in packs with their
//! deltas. Read only, SHA-1 only, and nothing is believed: sizes are bounded, and what does not fit is no object.

mod abbreviation;

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::ZlibDecoder;

use super::files::small_file;
use crate::root::open_regular;

/// Bytes of the largest object that is read, and of the largest result of a delta.
pub(super) const MAX_OBJECT: usize = 64 << 20;

/// Git makes chains of 50 deltas, and of 250 when it is asked to.
const MAX_CHAIN: usize = 4096;

/// How many directories of objects refer to one another, as in git.
const MAX_ALTERNATES: usize = 5;

/// The hash of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObjectId([u8; 20]);

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Commit,
    Tree,
    Blob,
    Tag,
}

/// An entry of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreeEntry {
    pub(crate) name: Vec<u8>,
    pub(crate) id: ObjectId,
    pub(crate) mode: u32,
}

/// The objects of a repository.
pub(crate) struct Objects {
    /// Directories with objects, the repository's own first.
    directories: Vec<PathBuf>,
    packs: Vec<Pack>,
}

impl ObjectId {
    /// The hash in 40 hexadecimal digits.
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

    /// The hash that `bytes` begin with, and the rest.
    pub(super) fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (hash, rest) = bytes.split_first_chunk::<20>()?;
        Some((Self(*hash), rest))
    }

    /// The hash in hexadecimal digits.
    pub(crate) fn hex(self) -> String {
        self.0.iter().map(|it| format!("{it:02x}")).collect()
    }

    /// The path of a loose object below a directory of objects.
    fn loose(self) -> String {
        let hex = self.hex();
        format!("{}/{}", &hex[..2], &hex[2..])
    }
}

impl TreeEntry {
    /// Whether it is a directory.
    pub(crate) fn is_tree(&self) -> bool {
        self.mode == 0o40000
    }

    /// Whether it is a file: no link and no submodule.
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
        Self { directories, packs }
    }

    /// The tree of a commit.
    pub(crate) fn tree_of(&self, commit: ObjectId) -> Option<ObjectId> {
        let bytes = self.object(commit, Kind::Commit, MAX_OBJECT)?;
        let line = bytes.strip_prefix(b"tree ")?.get(..40)?;
        ObjectId::from_hex(std::str::from_utf8(line).ok()?)
    }

    /// The entries of a tree, in git's order.
    pub(crate) fn entries(&self, tree: ObjectId) -> Option<Vec<TreeEntry>> {
        let bytes = self.object(tree, Kind::Tree, MAX_OBJECT)?;
        let (mut rest, mut res) = (bytes.as_slice(), Vec::new());
        while !rest.is_empty() {
            let space = rest.iter().position(|it| *it == b' ')?;
            let mode = std::str::from_utf8(&rest[..space]).ok()?;
            let mode = u32::from_str_radix(mode, 8).ok()?;
            let end = space + rest[space..].iter().position(|it| *it == 0)?;
            let name = rest[space + 1..end].to_vec();
            let (id, after) = ObjectId::split(&rest[end + 1..])?;
            res.push(TreeEntry { name, id, mode });
            rest = after;
        }
        Some(res)
    }

    /// The bytes of a blob, if there are at most `most`.
    pub(crate) fn blob(&self, id: ObjectId, most: usize) -> Option<Vec<u8>> {
        self.object(id, Kind::Blob, most)
    }

    /// The bytes of an object, if it is of this kind and there are at most `most`.
    pub(super) fn object(&self, id: ObjectId, kind: Kind, most: usize) -> Option<Vec<u8>> {
        let (found, bytes) = self.packed(id, most).or_else(|| self.loose(id, most))?;
        (found == kind).then_some(bytes)
    }

    fn loose(&self, id: ObjectId, most: usize) -> Option<(Kind, Vec<u8>)> {
        let open = |it: &PathBuf| open_regular(&it.join(id.loose())).ok();
        let file = self.directories.iter().find_map(open)?;
        let mut bytes = Vec::new();
        // Behind the kind and the size, which take a few bytes.
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
        is_whole.then_some((kind, bytes))
    }

    /// An object in a pack: its base, and the deltas that lead from there to it.
    fn packed(&self, id: ObjectId, most: usize) -> Option<(Kind, Vec<u8>)> {
        let (mut pack, mut offset) = self.place(id)?;
        let mut deltas: Vec<Vec<u8>> = Vec::new();
        let mut seen = HashSet::new();
        let (kind, mut bytes) = loop {
            let is_new = seen.insert((std::ptr::from_ref(pack), offset));
            if !is_new || deltas.len() > MAX_CHAIN {
                return None;
            }
            match pack.entry(offset)? {
                PackEntry::Whole(kind, bytes) => break (kind, bytes),
                PackEntry::DeltaAt(base, delta) => {
                    deltas.push(delta);
                    offset = base;
                }
                PackEntry::DeltaOf(base, delta) => {
                    deltas.push(delta);
                    match self.place(base) {
                        Some(place) => (pack, offset) = place,
                        None => break self.loose(base, MAX_OBJECT)?,
                    }
                }
            }
        };
        for delta in deltas.iter().rev() {
            bytes = applied(delta, &bytes)?;
        }
        (bytes.len() <= most).then_some((kind, bytes))
    }

    /// Whether the object is there, of whatever kind and size.
    pub(crate) fn has(&self, id: ObjectId) -> bool {
        let is_loose = |it: &PathBuf| it.join(id.loose()).is_file();
        self.place(id).is_some() || self.directories.iter().any(is_loose)
    }

    fn place(&self, id: ObjectId) -> Option<(&Pack, u64)> {
        self.packs.iter().find_map(|it| Some((it, it.offset_of(id)?)))
    }
}

/// A pack and its index.
struct Pack {
    index: File,
    /// How many objects it has.
    count: u32,
    pack: PathBuf,
}

/// An object as it is in a pack.
enum PackEntry {
    Whole(Kind, Vec<u8>),
    /// What leads to it from the object at this offset.
    DeltaAt(u64, Vec<u8>),
    /// What leads to it from this object.
    DeltaOf(ObjectId, Vec<u8>),
}

/// The packs of a directory that have an index of version 2, by name, the newest format that there is.
fn packs_in(directory: &Path) -> Vec<Pack> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "idx"));
    paths.sort();
    paths.iter().filter_map(|it| Pack::open(it)).collect()
}

/// Bytes of the head of an index, and of its table of counts by first byte.
const HEAD: u64 = 8;
const FANOUT: u64 = 256 * 4;

impl Pack {
    fn open(path: &Path) -> Option<Self> {
        let index = open_regular(path).ok()?;
        let mut head = [0; 8];
        read_at(&index, 0, &mut head)?;
        if head != *b"\xfftOc\0\0\0\x02" {
            return None;
        }
        let count = number_at(&index, HEAD + FANOUT - 4)?;
        Some(Self { index, count, pack: path.with_extension("pack") })
    }

    /// Where an object begins in the pack, by binary search among the hashes with its first byte.
    fn offset_of(&self, id: ObjectId) -> Option<u64> {
        let first = u64::from(id.0[0]);
        let mut low = match first {
            0 => 0,
            first => number_at(&self.index, HEAD + (first - 1) * 4)?,
        };
        let mut high = number_at(&self.index, HEAD + first * 4)?.min(self.count);
        let hashes = HEAD + FANOUT;
        while low < high {
            let middle = low.midpoint(high);
            let mut hash = [0; 20];
            read_at(&self.index, hashes + u64::from(middle) * 20, &mut hash)?;
            match hash.cmp(&id.0) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.offset_at(middle),
            }
        }
        None
    }

    /// The offset of the object with this number; one beyond 2 GiB is in a table of its own.
    fn offset_at(&self, number: u32) -> Option<u64> {
        let count = u64::from(self.count);
        let offsets = HEAD + FANOUT + count * 24;
        let offset = number_at(&self.index, offsets + u64::from(number) * 4)?;
        if offset & 0x8000_0000 == 0 {
            return Some(u64::from(offset));
        }
        let mut large = [0; 8];
        let at = u64::from(offset & 0x7fff_ffff);
        read_at(&self.index, offsets + count * 4 + at * 8, &mut large)?;
        Some(u64::from_be_bytes(large))
    }

    fn entry(&self, offset: u64) -> Option<PackEntry> {
        let mut file = open_regular(&self.pack).ok()?;
        file.seek(SeekFrom::Start(offset)).ok()?;
        let mut from = BufReader::with_capacity(4096, file);
        let first = byte(&mut from)?;
        let (mut size, mut shift) = (u64::from(first & 15), 4);
        let mut last = first;
        while last & 0x80 != 0 {
            last = byte(&mut from)?;
            size |= u64::from(last & 0x7f).checked_shl(shift)?;
            shift += 7;
        }
        let kind = match (first >> 4) & 7 {
            1 => Kind::Commit,
            2 => Kind::Tree,
            3 => Kind::Blob,
            4 => Kind::Tag,
            6 => {
                let base = offset.checked_sub(back(&mut from)?)?;
                return Some(PackEntry::DeltaAt(base, inflated(from, size)?));
            }
            7 => {
                let mut base = [0; 20];
                from.read_exact(&mut base).ok()?;
                return Some(PackEntry::DeltaOf(ObjectId(base), inflated(from, size)?));
            }
            _ => return None,
        };
        Some(PackEntry::Whole(kind, inflated(from, size)?))
    }
}

fn read_at(mut file: &File, at: u64, bytes: &mut [u8]) -> Option<()> {
    file.seek(SeekFrom::Start(at)).ok()?;
    file.read_exact(bytes).ok()
}

fn number_at(file: &File, at: u64) -> Option<u32> {
    let mut bytes = [0; 4];
    read_at(file, at, &mut bytes)?;
    Some(u32::from_be_bytes(bytes))
}

fn byte(from: &mut impl Read) -> Option<u8> {
    let mut byte = [0];
    from.read_exact(&mut byte).ok()?;
    Some(byte[0])
}

/// A distance, in git's offset encoding.
fn back(from: &mut impl Read) -> Option<u64> {
    let mut last = byte(from)?;
    let mut res = u64::from(last & 0x7f);
    while last & 0x80 != 0 {
        last = byte(from)?;
        res = res.checked_add(1)?.checked_mul(128)?.checked_add(u64::from(last & 0x7f))?;
    }
    Some(res)
}

/// Exactly `size` bytes of a zlib stream.
fn inflated(from: impl Read, size: u64) -> Option<Vec<u8>> {
    if size > MAX_OBJECT as u64 {
        return None;
    }
    let mut bytes = Vec::new();
    ZlibDecoder::new(from).take(size + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == size).then_some(bytes)
}

/// What a delta makes of its base.
fn applied(delta: &[u8], base: &[u8]) -> Option<Vec<u8>> {
    let mut from = delta;
    if size(&mut from)? != base.len() {
        return None;
    }
    let length = size(&mut from)?;
    if length > MAX_OBJECT {
        return None;
    }
    let mut res = Vec::new();
    while !from.is_empty() {
        let what = byte(&mut from)?;
        let part = match what {
            0 => return None,
            1..0x80 => {
                let (part, rest) = from.split_at_checked(usize::from(what))?;
                from = rest;
                part
            }
            _ => {
                let mut number = |bits: std::ops::Range<u32>| -> Option<usize> {
                    let mut res = 0;
                    for (place, bit) in bits.enumerate() {
                        if what & (1 << bit) != 0 {
                            res |= usize::from(byte(&mut from)?) << (8 * place);
                        }
                    }
                    Some(res)
                };
                let (at, length) = (number(0..4)?, number(4..7)?);
                let length = if length == 0 { 0x10000 } else { length };
                base.get(at..at.checked_add(length)?)?
            }
        };
        if res.len() + part.len() > length {
            return None;
        }
        res.extend_from_slice(part);
    }
    (res.len() == length).then_some(res)
}

/// A size at the beginning of a delta.
fn size(from: &mut &[u8]) -> Option<usize> {
    let (mut res, mut shift) = (0_usize, 0);
    loop {
        let last = byte(from)?;
        res |= usize::from(last & 0x7f).checked_shl(shift)?;
        shift += 7;
        if last & 0x80 == 0 {
            return Some(res);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delta_copies_and_inserts_and_anything_else_is_none() {
        let base = b"hello world";
        // From 11 to 10 bytes: "hello" of the base, then " moon".
        let delta = b"\x0b\x0a\x90\x05\x05 moon";
        assert_eq!(applied(delta, base).as_deref(), Some(&b"hello moon"[..]));
        for broken in [
            &b"\x0a\x0a\x90\x05\x05 moon"[..],
            b"\x0b\x09\x90\x05\x05 moon",
            b"\x0b\x0a\x90\x0c\x05 moon",
            b"\x0b\x0a\x90\x05\x06 moon",
            b"\x0b\x0a\x00",
            b"\x0b",
            b"",
        ] {
            assert_eq!(applied(broken, base), None, "{broken:?}");
        }
    }

    #[test]
    fn a_hash_has_forty_digits() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        let id = ObjectId::from_hex(hash).unwrap();
        assert_eq!(id.loose(), format!("{}/{}", &hash[..2], &hash[2..]));
        assert_eq!(ObjectId::from_hex(&hash[1..]), None);
        assert_eq!(ObjectId::from_hex(&"é".repeat(20)), None);
    }
}
